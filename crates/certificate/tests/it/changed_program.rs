//! A changed process that is accepted leaves the program safe; an unchanged one is accepted.

use crate::common::{change, monitors, properties};
use resy_automata::network::{ComponentId, Network};
use resy_automata::product::{Safety, reaches_error};
use resy_certificate::changed::{Breach, ChangeRefused};
use resy_certificate::{Certificate, Origin, OriginKind, check, model};
use resy_compose::{Conclusion, Split, evidence, exact};
use resy_index::Id;
use resy_index::random::SplitMix;
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, components};
use resy_system::{Interpreter, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, system, system_of};

fn network_of<'a>(interpreter: &Interpreter<'a>) -> Option<(Cut<'a>, Components)> {
    let system = interpreter.system();
    let budget = Budget { states: 300, labels: 1_000, attempts: 20_000 };
    let (manner, monitors, properties) = (Manner::default(), monitors(system), properties(system));
    let asked = NetworkSpec { manner, monitors, properties, budget };
    components(interpreter, &asked, &mut |_| true).ok()
}

/// A certificate with a process as the module, and the network that it is about.
fn certified(system: &System, pid: usize) -> Option<(Certificate, Network)> {
    let interpreter = Interpreter::new(system, Options::default());
    let (cut, components) = network_of(&interpreter)?;
    let module = ComponentId::from_index(pid);
    let mut network = components.network.clone();
    network.module = vec![module];
    let split = Split::of(&network, 1_000).ok()?;
    let requirement = exact::synthesize(&split, 3_000).ok()?;
    if requirement.verdict != Conclusion::Holds {
        return None;
    }
    let proof = evidence::of_requirement(&split, &requirement, 10_000)?;
    let name = network.components[module].name.clone();
    let settings = model::settings(&cut.manner);
    let origin =
        Origin::new(OriginKind::Promela, String::new(), vec![name], settings, String::new());
    let certificate = model::certify(origin, &cut, &components, proof);
    let network = model::derive(&certificate, &cut, &properties(system)).ok()?;
    Some((certificate, network))
}

fn recheck(
    certificate: &Certificate,
    network: &Network,
    new: &System,
) -> Result<(), ChangeRefused> {
    let checked = check(certificate, network).expect("it was accepted");
    let manner = model::manner(&certificate.origin).expect("it was written");
    let interpreter = Interpreter::new(new, Options::default());
    let refused = |what: String| ChangeRefused::Different(what);
    let plain = Manner { slots: manner.slots.clone(), ..Manner::default() };
    let plain = Cut::of(interpreter.clone(), monitors(new), &plain);
    let plain = plain.map_err(|refusal| refused(refusal.to_string()))?;
    let manner = model::manner_for(&certificate.interface, manner, &plain);
    if !plain.permits(&manner) {
        return Err(refused("it cannot be cut so".to_owned()));
    }
    let cut = Cut::of(interpreter, monitors(new), &manner);
    let cut = cut.map_err(|refusal| refused(refusal.to_string()))?;
    model::recheck(certificate, network, &checked, &cut, &properties(new), 300, &mut || true)
}

/// Another program: the proctype of a process, which is the only one of its kind, has other edges.
fn changed(system: &System, pid: usize, random: &mut SplitMix) -> Option<System> {
    let mut new = system.clone();
    let proctype = new.instances.get(pid)?.proctype;
    if new.instances.iter().filter(|instance| instance.proctype == proctype).count() > 1 {
        return None;
    }
    change(&mut new, pid, random)?;
    Some(new)
}

/// Whether no property is violated; `None` if the network is too large, or refused.
fn is_safe(system: &System) -> Option<bool> {
    let interpreter = Interpreter::new(system, Options::default());
    let (_, components) = network_of(&interpreter)?;
    match reaches_error(&components.network, 20_000) {
        Safety::Safe { .. } => Some(true),
        Safety::Trace(_) => Some(false),
        Safety::TooLarge(_) => None,
    }
}

/// Changes each of the first processes some times, and asks about each change.
fn tally(system: &System, seed: u64) -> Tally {
    let (mut tally, mut numbers) = (Tally::default(), SplitMix(seed));
    for pid in 0..system.instances.len().min(3) {
        let Some((certificate, network)) = certified(system, pid) else { continue };
        let result = recheck(&certificate, &network, system);
        assert_eq!(result, Ok(()), "{pid} is not changed");
        tally.count("unchanged", 1);
        for _ in 0..12 {
            let Some(new) = changed(system, pid, &mut numbers) else { break };
            match recheck(&certificate, &network, &new) {
                Ok(()) => {
                    let safe = is_safe(&new);
                    tally.count("known to be safe", usize::from(safe.is_some()));
                    assert_ne!(safe, Some(false), "{pid} is accepted");
                }
                Err(ChangeRefused::Forbidden(..)) => tally.count("forbidden", 1),
                Err(ChangeRefused::Different(_)) => tally.count("different", 1),
                Err(ChangeRefused::Stopped) => unreachable!("nothing cancels it"),
            }
        }
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| {
    let seed = fixture.name.bytes().map(u64::from).sum();
    tally(&system_of(fixture), seed)
});
resy_testkit::each_model!(what_is_accepted_is_safe, crate::changed_program::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

#[test]
fn what_is_accepted_is_safe_on_random_programs() {
    let programs = (0..).zip(random(0..200)).map(|(seed, (name, s))| (name, (s, seed)));
    let mut total = Tally::sum(programs, |(system, seed)| tally(system, *seed));
    total.add("models", &OUTCOMES.total());
    for kind in ["unchanged", "known to be safe", "forbidden"] {
        assert!(total.n(kind) > 200, "{kind}: {total:?}");
    }
}

const LOCK: &str = "
bit lock; bit busy;
active proctype P() {
    do
    :: atomic { lock == 0 -> lock = 1 }; busy = 1; busy = 0; lock = 0
    od
}
active proctype Q() {
    do
    :: atomic { lock == 0 -> lock = 1 }; assert(busy == 0); busy = 1; busy = 0; lock = 0
    od
}
ltl kept { [](busy -> lock) }
";

/// The certificate of the lock, with `P` as the module, and a program with a change.
fn answer(from: &str, to: &str) -> Result<(), ChangeRefused> {
    let (certificate, network) = certified(&system(LOCK), 0).expect("it holds");
    assert!(LOCK.contains(from));
    recheck(&certificate, &network, &system(&LOCK.replacen(from, to, 1)))
}

#[test]
fn changes_of_a_lock() {
    // Invisible behaviour may change, and actions may be taken less often.
    assert_eq!(answer("busy = 0; lock", "busy = 0; skip; lock"), Ok(()));
    assert_eq!(answer("bit busy;", "bit busy; byte mine;"), Ok(()));
    assert_eq!(answer("lock = 1 }; busy", "lock = 1 }; byte n = 3; n++; busy"), Ok(()));
    assert_eq!(answer("busy = 1; busy = 0; lock", "skip; lock"), Ok(()));
    assert_eq!(answer("    do\n    :: atomic", "    do\n    :: false -> skip :: atomic"), Ok(()));

    // Not to take the lock is forbidden where it matters.
    let result = answer("atomic { lock == 0 -> lock = 1 }", "skip");
    let Err(ChangeRefused::Forbidden(forbidden, actions)) = result else { panic!("{result:?}") };
    let last = forbidden.last.label.action().expect("an action");
    assert!(actions[last.index()].name.starts_with("P: busy:=1"), "{:?}", actions[last.index()]);
    assert_eq!(actions[last.index()].places[0].line, 5);
    assert_eq!(forbidden.why, Breach::NotAllowed);

    // Actions on the objects of others must be known from before.
    let result = answer("busy = 1", "busy = busy + lock");
    let Err(ChangeRefused::Forbidden(forbidden, actions)) = result else { panic!("{result:?}") };
    let last = forbidden.last.label.action().expect("an action");
    assert!(actions[last.index()].name.starts_with("P: "), "{:?}", actions[last.index()]);
    assert_eq!(forbidden.why, Breach::NotKnown);

    // A new assertion is a new possible error.
    let result = answer("busy = 0; lock", "assert(false); busy = 0; lock");
    assert!(matches!(result, Err(ChangeRefused::Forbidden(..))), "{result:?}");

    // The others must stay as they are.
    let result = answer("assert(busy == 0)", "assert(busy == 1)");
    assert!(matches!(result, Err(ChangeRefused::Different(_))), "{result:?}");
    let result = answer("bit busy;", "bit busy = 1;");
    assert!(matches!(result, Err(ChangeRefused::Different(_))), "{result:?}");
    // Also if they take the same actions in another order.
    let result =
        answer("== 0); busy = 1; busy = 0; lock = 0", "== 0); busy = 1; lock = 0; busy = 0");
    assert_eq!(result, Err(ChangeRefused::Different("component `Q` is not the same".to_owned())));
    for formula in ["[](busy -> !lock)", "[](busy -> (lock && !busy))"] {
        let result = answer("[](busy -> lock)", formula);
        assert_eq!(
            result,
            Err(ChangeRefused::Different("the property is not the same".to_owned()))
        );
    }
}
