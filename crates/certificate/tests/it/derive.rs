//! The network that is derived from listed local states is the one that the closure finds.

use crate::models::{models, random};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::Network;
use resy_certificate::{
    Certificate, Obligation, Origin, OriginKind, ProofEvidence, Rejection, model,
};
use resy_index::Id;
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, WatchedProperty, components};
use resy_system::{ClaimMonitor, Interpreter, Options, System};
use std::collections::BTreeSet;

/// The components of a system, with a monitor for every property.
fn network_of<'a>(
    interpreter: &Interpreter<'a>,
    manner: Manner,
) -> Option<(Cut<'a>, Components, Vec<WatchedProperty>)> {
    let system = interpreter.system();
    let claims = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let monitors: Vec<ClaimMonitor> = claims.collect();
    let mut properties = vec![WatchedProperty::Assertions, WatchedProperty::Runtime];
    properties.extend(system.trace.as_ref().map(|_| WatchedProperty::Trace));
    properties.extend((0..monitors.len()).map(WatchedProperty::Claim));
    let budget = Budget { states: 3_000, labels: 20_000, attempts: 200_000 };
    let asked = NetworkSpec { manner, monitors, properties: properties.clone(), budget };
    let (cut, components) = components(interpreter, &asked, &mut |_| true).ok()?;
    Some((cut, components, properties))
}

/// The certificate without a proof.
fn listing(cut: &Cut<'_>, components: &Components) -> Certificate {
    let settings = model::settings(&cut.manner);
    let origin =
        Origin::new(OriginKind::Promela, String::new(), Vec::new(), settings, String::new());
    model::certify(origin, cut, components, ProofEvidence::default())
}

/// The transitions and the alphabet by the names of actions; some states only, live actions only.
type Named = (BTreeSet<(StateId, String, StateId)>, BTreeSet<String>);

fn named(lts: &Lts, network: &Network, live: &[String], states: impl Fn(StateId) -> bool) -> Named {
    let name = |action: ActionId| network.actions[action].name.clone();
    let is_live = |label: Label| label.action().is_none_or(|a| live.contains(&name(a)));
    let transitions = lts.transitions().filter(|&(s, label, _)| states(s) && is_live(label));
    let named = transitions.map(|(s, label, t)| (s, label.action().map_or(String::new(), name), t));
    let alphabet = lts.alphabet().iter().map(name).filter(|name| live.contains(name));
    (named.collect(), alphabet.collect())
}

fn same(components: &Components, certificate: &Certificate, derived: &Network) -> bool {
    let (network, live) = (&components.network, &certificate.interface.actions);
    let pairs = network.components.iter().zip(&derived.components);
    let in_components = network.components.len() == derived.components.len()
        && pairs.clone().all(|(a, b)| {
            let names = |lts: &Lts, of: &Network| named(lts, of, live, |_| true);
            a.name == b.name
                && a.lts.initial() == b.lts.initial()
                && names(&a.lts, network) == names(&b.lts, derived)
        });
    let in_monitor = match (&network.monitor, &derived.monitor) {
        (Some(a), Some(b)) => {
            // States that only dead actions reach are not derived.
            let (reached, old) = b.lts.reachable();
            let states = |state| old.contains(&state);
            a.error == b.error
                && a.lts.initial() == b.lts.initial()
                && reached.n_states() <= a.lts.n_states()
                && named(&a.lts, network, live, states) == named(&b.lts, derived, live, states)
        }
        (a, b) => a.is_none() && b.is_none(),
    };
    in_components && in_monitor
}

/// Compares all systems with several cut options; returns how many are equal, and those that are
/// not.
fn compare(systems: impl Iterator<Item = (String, System)>) -> (usize, Vec<String>) {
    let (mut n_same, mut wrong) = (0, Vec::new());
    for (name, system) in systems {
        let interpreter = Interpreter::new(&system, Options::default());
        for strict in [false, true] {
            let manner = Manner { strict, ..Manner::default() };
            let Some((cut, components, properties)) = network_of(&interpreter, manner) else {
                continue;
            };
            let certificate = listing(&cut, &components);
            let manner = model::manner(&certificate.origin).expect("it was written");
            let monitors = cut.claims.iter().map(|watch| watch.monitor.clone()).collect();
            let plain = Cut::of(interpreter.clone(), Vec::new(), &Manner::default());
            assert!(plain.is_ok_and(|plain| plain.permits(&manner)), "{name}: {manner:?}");
            let again = Cut::of(interpreter.clone(), monitors, &manner).expect("as before");
            match model::derive(&certificate, &again, &properties) {
                Ok(derived) if same(&components, &certificate, &derived) => n_same += 1,
                Ok(_) => wrong.push(format!("{name}: not the same")),
                Err(Rejection { obligation: Obligation::ClaimAtEnd, .. })
                    if !components.doubts.is_empty() => {}
                Err(rejection) => wrong.push(format!("{name}: {rejection}")),
            }
        }
    }
    (n_same, wrong)
}

/// Without one of its local states, a list is closed only if nothing leads there.
#[test]
fn a_local_state_that_is_left_out_is_missed() {
    let (mut n_missed, mut n_closed) = (0, 0);
    for (name, system) in models().chain(random(0..60)) {
        let interpreter = Interpreter::new(&system, Options::default());
        let Some((cut, components, properties)) = network_of(&interpreter, Manner::default())
        else {
            continue;
        };
        let full = listing(&cut, &components);
        let live = &full.interface.actions;
        if components.network.components.iter().map(|c| c.lts.n_states()).sum::<usize>() > 300 {
            continue;
        }
        for (at, component) in components.network.components.iter().enumerate() {
            let lts = &component.lts;
            // The first, the last, and one between.
            let n = lts.n_states();
            for gone in BTreeSet::from([0, n / 2, n - 1]).into_iter().map(StateId::from_index) {
                let mut certificate = full.clone();
                let listed = &mut certificate.interface.components[at];
                let first = gone.index() * listed.width;
                listed.locals.drain(first..first + listed.width);
                listed.n_states -= 1;
                let leads_there = named(lts, &components.network, live, |s| s != gone)
                    .0
                    .iter()
                    .any(|(_, _, target)| *target == gone);
                let result = model::derive(&certificate, &cut, &properties).map(drop);
                let found = result.map_err(|rejection| rejection.obligation);
                if found == Err(Obligation::ClaimAtEnd) {
                    continue;
                }
                let expected = match (gone == lts.initial(), leads_there) {
                    (true, _) => Err(Obligation::Locals),
                    (false, true) => Err(Obligation::LocalsClosed),
                    (false, false) => Ok(()),
                };
                assert_eq!(found, expected, "{name}: {} without {gone:?}", component.name);
                *(if leads_there { &mut n_missed } else { &mut n_closed }) += 1;
            }
        }
    }
    eprintln!("{n_missed} are missed, {n_closed} are not");
    assert!(n_missed > 1_000);
}

/// Without one of the components, the others cannot do what they did with it.
#[test]
fn a_component_that_is_left_out_is_missed() {
    let mut n_missed = 0;
    for (name, system) in models().chain(random(0..60)) {
        let interpreter = Interpreter::new(&system, Options::default());
        let Some((cut, components, properties)) = network_of(&interpreter, Manner::default())
        else {
            continue;
        };
        let full = listing(&cut, &components);
        if full.interface.components.iter().map(|c| c.n_states).sum::<usize>() > 300 {
            continue;
        }
        for (at, component) in components.network.components.iter().enumerate() {
            let mut certificate = full.clone();
            certificate.interface.components.remove(at);
            let result = model::derive(&certificate, &cut, &properties);
            // It takes part in a step from its initial state, so that some component misses it.
            let initial = component.lts.transitions_from(component.lts.initial());
            if !initial.is_empty() && components.doubts.is_empty() {
                assert!(result.is_err(), "{name}: {}", component.name);
                n_missed += 1;
            }
        }
    }
    assert!(n_missed > 300);
}

#[test]
fn every_model_is_derived_as_the_closure_found_it() {
    let (n_same, wrong) = compare(models());
    assert!(wrong.is_empty(), "{} of {n_same}:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{n_same} networks are the same");
    assert!(n_same >= 150, "only {n_same}");
}

#[test]
fn random_programs_are_derived_as_the_closure_found_them() {
    let seeds = std::env::var("RESY_SEEDS").unwrap_or_else(|_| "0..150".to_owned());
    let (from, to) = seeds.split_once("..").expect("FROM..TO");
    let seeds: std::ops::Range<u64> =
        from.parse().expect("a number")..to.parse().expect("a number");
    let n_programs = (seeds.end - seeds.start) as usize;
    let (n_same, wrong) = compare(random(seeds));
    assert!(wrong.is_empty(), "{} of {n_same}:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{n_same} networks are the same");
    assert!(n_same >= n_programs, "only {n_same}");
}
