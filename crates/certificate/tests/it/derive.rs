//! The network that is derived from listed local states is the one that the closure finds.

use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::Network;
use resy_certificate::{
    Certificate, Obligation, Origin, OriginKind, ProofEvidence, Rejection, model,
};
use resy_index::Id;
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, WatchedProperty, components};
use resy_system::{ClaimMonitor, Interpreter, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, seeds, system_of};
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

/// Compares a system in some manners.
fn derived(system: &System) -> Tally {
    let mut tally = Tally::default();
    let interpreter = Interpreter::new(system, Options::default());
    for (strict, within) in [(false, false), (true, false), (false, true)] {
        let manner = Manner { strict, within, ..Manner::default() };
        let Some((cut, components, properties)) = network_of(&interpreter, manner) else {
            continue;
        };
        let certificate = listing(&cut, &components);
        let manner = model::manner(&certificate.origin).expect("it was written");
        let monitors = cut.claims.iter().map(|watch| watch.monitor.clone()).collect();
        let plain = Manner { slots: manner.slots.clone(), ..Manner::default() };
        let plain = Cut::of(interpreter.clone(), Vec::new(), &plain);
        assert!(plain.is_ok_and(|plain| plain.permits(&manner)), "{manner:?}");
        let again = Cut::of(interpreter.clone(), monitors, &manner).expect("as before");
        match model::derive(&certificate, &again, &properties) {
            Ok(derived) if same(&components, &certificate, &derived) => {
                tally.count("same", 1);
                tally.count("bounded", usize::from(manner.within));
            }
            Ok(_) => tally.wrong("not the same"),
            Err(Rejection { obligation: Obligation::ClaimAtEnd, .. })
                if !components.doubts.is_empty() => {}
            Err(rejection) => tally.wrong(rejection.to_string()),
        }
    }
    tally
}

/// Without one of its local states, a list is closed only if nothing leads there.
fn without_a_state(system: &System) -> Tally {
    let mut tally = Tally::default();
    let interpreter = Interpreter::new(system, Options::default());
    let Some((cut, components, properties)) = network_of(&interpreter, Manner::default()) else {
        return tally;
    };
    // A bounded component has errors where others must be closed.
    if cut.manner.within {
        return tally;
    }
    let full = listing(&cut, &components);
    let live = &full.interface.actions;
    if components.network.components.iter().map(|c| c.lts.n_states()).sum::<usize>() > 300 {
        return tally;
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
            assert_eq!(found, expected, "{} without {gone:?}", component.name);
            tally.count("missed states", usize::from(leads_there));
        }
    }
    tally
}

/// Without one of the components, the others cannot do what they did with it.
fn without_a_component(system: &System) -> Tally {
    let mut tally = Tally::default();
    let interpreter = Interpreter::new(system, Options::default());
    let Some((cut, components, properties)) = network_of(&interpreter, Manner::default()) else {
        return tally;
    };
    let full = listing(&cut, &components);
    if full.interface.components.iter().map(|c| c.n_states).sum::<usize>() > 300 {
        return tally;
    }
    for (at, component) in components.network.components.iter().enumerate() {
        let mut certificate = full.clone();
        certificate.interface.components.remove(at);
        let result = model::derive(&certificate, &cut, &properties);
        // It takes part in something where it starts, so that another component misses it.
        let initial = component.lts.transitions_from(component.lts.initial());
        if !initial.is_empty() && components.doubts.is_empty() {
            assert!(result.is_err(), "{}", component.name);
            tally.count("missed components", 1);
        }
    }
    tally
}

/// All of the above.
fn tally(system: &System) -> Tally {
    let mut tally = derived(system);
    tally.add("without a state", &without_a_state(system));
    tally.add("without a component", &without_a_component(system));
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture)));
resy_testkit::each_model!(is_derived_as_the_closure_found_it, crate::derive::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

#[test]
fn enough_networks_are_derived_and_missed_parts_found() {
    let mut total = Tally::sum(random(0..60), |system| {
        let mut tally = without_a_state(system);
        tally.add("without a component", &without_a_component(system));
        tally
    });
    total.assert_right();
    total.add("models", &OUTCOMES.total());
    for (kind, at_least) in
        [("same", 150), ("bounded", 50), ("missed states", 1_001), ("missed components", 301)]
    {
        assert!(total.n(kind) >= at_least, "{kind}: {total:?}");
    }
}

#[test]
fn random_programs_are_derived_as_the_closure_found_them() {
    let seeds = seeds("RESY_SEEDS", 0..150);
    let n_programs = (seeds.end - seeds.start) as usize;
    let total = Tally::sum(random(seeds), derived);
    total.assert_right();
    assert!(total.n("same") >= n_programs, "only {}", total.n("same"));
}
