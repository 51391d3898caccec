//! The laws of partial order reduction: the same violations, fewer states, and claims that hold.

mod common;

use common::{Seen, explore, models, random};
use resy_engine::{Ample, Visible, check_reduction, merge, reset_dead};
use resy_system::{Control, Interpreter, Options, State, System};

/// Beyond this many states a model is left out.
const LIMIT: usize = 120_000;

fn reduced(system: &System) -> Option<Seen> {
    let interpreter = Interpreter::new(system, Options::default());
    let ample = Ample::of(system, &Visible::nothing(), Options::default());
    let choose = |state: &State| {
        let steps = interpreter.steps(state, Control::Free).steps;
        ample.choose(&(system, state), |pid| steps.iter().any(|s| s.actor.pid == pid))
    };
    explore(&interpreter, LIMIT, &choose)
}

fn plain(system: &System) -> Option<Seen> {
    explore(&Interpreter::new(system, Options::default()), LIMIT, &|_| None)
}

fn together(system: &System) -> System {
    merge(&reset_dead(system, &Visible::nothing()), &Visible::nothing())
}

fn keeps_the_answers(systems: impl Iterator<Item = (String, System)>, at_least: usize) {
    let (mut wrong, mut shrunk, mut n) = (Vec::new(), 0, 0);
    for (name, system) in systems {
        let Some(all) = plain(&system) else { continue };
        n += 1;
        for (what, system) in [("alone", system.clone()), ("with passes", together(&system))] {
            let Some(seen) = reduced(&system) else {
                wrong.push(format!("{name}, {what}: more states than before"));
                continue;
            };
            if seen.violations != all.violations {
                let (ours, theirs) = (seen.violations, &all.violations);
                wrong.push(format!("{name}, {what}: {ours:?} instead of {theirs:?}"));
            }
            if seen.states.len() > all.states.len() {
                wrong.push(format!("{name}, {what}: more states"));
            }
            shrunk += usize::from(seen.states.len() < all.states.len());
        }
    }
    assert!(wrong.is_empty(), "{} of {n}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n >= at_least, "only {n} programs were searched");
    assert!(shrunk > n / 4, "only {shrunk} of {n} twice shrink");
}

#[test]
fn reduction_keeps_the_answers_on_every_model() {
    keeps_the_answers(models(), 200);
}

#[test]
fn reduction_keeps_the_answers_on_random_programs() {
    keeps_the_answers(random(0..400), 250);
}

fn claims_hold(systems: impl Iterator<Item = (String, System)>) {
    let mut wrong = Vec::new();
    for (name, system) in systems {
        for (what, system) in [("alone", system.clone()), ("with passes", together(&system))] {
            let interpreter = Interpreter::new(&system, Options::default());
            let visible = Visible::nothing();
            let ample = Ample::of(&system, &visible, Options::default());
            if let Err(sentence) = check_reduction(&interpreter, &ample, &visible, 10_000) {
                wrong.push(format!("{name}, {what}: {sentence}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn claims_hold_on_every_model() {
    claims_hold(models());
}

#[test]
fn claims_hold_on_random_programs() {
    claims_hold(random(0..400));
}
