//! The laws of partial order reduction: the same violations, fewer states, and claims that hold.

use crate::common::{Choose, Seen, explore, explore_late, models, random, system};
use resy_engine::search::Ample;
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{Control, Interpreter, Options, State, System};

/// Beyond this many states a model is left out.
const LIMIT: usize = 120_000;

/// A search that knows how not to ignore anybody.
type Search = fn(&Interpreter<'_>, usize, Choose<'_>) -> Option<Seen>;

/// Full expansion at once where no successor is new, or late where nothing else helps.
const SEARCHES: [(&str, Search); 2] = [("at once", explore), ("late", explore_late)];

fn reduced(system: &System, search: Search) -> Option<Seen> {
    let interpreter = Interpreter::new(system, Options::default());
    let ample = Ample::of(system, &Visible::nothing(), Options::default());
    let choose = |state: &State| {
        let steps = interpreter.steps(state, Control::Free).steps;
        ample.choose(&(system, state), |pid| steps.iter().any(|s| s.actor.pid == pid))
    };
    search(&interpreter, LIMIT, &choose)
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
        let both = together(&system);
        let systems = [("alone", &system), ("with passes", &both)];
        for ((what, system), (when, search)) in
            systems.iter().flat_map(|s| SEARCHES.map(|w| (*s, w)))
        {
            let Some(seen) = reduced(system, search) else {
                wrong.push(format!("{name}, {what}, {when}: more states than before"));
                continue;
            };
            if seen.violations != all.violations {
                let (ours, theirs) = (seen.violations, &all.violations);
                wrong.push(format!("{name}, {what}, {when}: {ours:?} instead of {theirs:?}"));
            }
            if seen.states.len() > all.states.len() {
                wrong.push(format!("{name}, {what}, {when}: more states"));
            }
            shrunk += usize::from(seen.states.len() < all.states.len());
        }
    }
    assert!(wrong.is_empty(), "{} of {n}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n >= at_least, "only {n} programs were searched");
    assert!(shrunk > n, "only {shrunk} of 4 times {n} shrink");
}

#[test]
fn reduction_keeps_the_answers_on_every_model() {
    keeps_the_answers(models(), 200);
}

#[test]
fn reduction_keeps_the_answers_on_random_programs() {
    keeps_the_answers(random(0..250), 150);
}

#[test]
fn a_ring_needs_no_declaration_of_exclusive_channels() {
    let ring = system(
        "chan q[4] = [1] of {byte};
         proctype Node(chan from, to) { byte x; do :: from?x; to!x od }
         init { byte i; atomic {
             do :: i < 4 -> run Node(q[i], q[(i + 1) % 4]); i++ :: else -> break od };
             q[0]!1; q[2]!2 }",
    );
    let few = reduced(&ring, explore_late).expect("small");
    let all = plain(&ring).expect("small");
    assert!(few.states.len() < all.states.len(), "{} states", few.states.len());
}

#[test]
fn nobody_is_ignored() {
    // The circle is private: it could be looked at for ever.
    let circle = system(
        "active proctype Q() { assert(false) }
         active proctype P() { bit a; do :: a = 1 - a od }",
    );
    for (when, search) in SEARCHES {
        let seen = reduced(&circle, search).expect("small");
        assert!(!seen.violations.is_empty(), "{when}");
    }
}
