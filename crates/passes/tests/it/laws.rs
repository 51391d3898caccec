//! The laws of the reductions: the same violations, and no state more.

use resy_passes::{Visible, merge, reset_dead};
use resy_system::{Interpreter, Options, System, validate};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive::{Seen, explore};
use resy_testkit::systems::{random, system, system_of};

/// Beyond this many states a model is left out.
const LIMIT: usize = 20_000;

fn all_states(system: &System) -> Option<Seen> {
    explore(&Interpreter::new(system, Options::default()), LIMIT)
}

/// Compares a system with its reduced form; returns its number of states, or what is wrong.
fn compare(plain: &Seen, reduced: &System) -> Result<usize, String> {
    validate(reduced)?;
    let seen = all_states(reduced).ok_or("more states than the limit")?;
    if seen.violations != plain.violations {
        return Err(format!("{:?} instead of {:?}", seen.violations, plain.violations));
    }
    if seen.states.len() > plain.states.len() {
        return Err(format!("{} states instead of {}", seen.states.len(), plain.states.len()));
    }
    Ok(seen.states.len())
}

/// A reduction from system to system.
type Pass = fn(&System) -> System;

const PASSES: [(&str, Pass); 3] = [
    ("merge", |s| merge(s, &Visible::nothing())),
    ("dead", |s| reset_dead(s, &Visible::nothing())),
    ("both", |s| merge(&reset_dead(s, &Visible::nothing()), &Visible::nothing())),
];

/// Compares a program with its reductions; nothing is counted if it is too large.
fn tally(system: &System) -> Tally {
    let mut tally = Tally::default();
    let Some(plain) = all_states(system) else { return tally };
    tally.count("searched", 1);
    for (pass, run) in PASSES {
        match compare(&plain, &run(system)) {
            Ok(states) => tally.count(pass, usize::from(states < plain.states.len())),
            Err(what) => tally.wrong(format!("{pass}: {what}")),
        }
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture)));
resy_testkit::each_model!(passes_keep_the_answers, crate::laws::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

fn assert_enough(total: &Tally, at_least: usize) {
    let n = total.n("searched");
    assert!(n >= at_least, "only {n} programs were searched");
    for (pass, _) in PASSES {
        assert!(total.n(pass) > n / 20, "{pass} shrinks only {} of {n}", total.n(pass));
    }
}

#[test]
fn passes_shrink_some_models() {
    assert_enough(&OUTCOMES.total(), 200);
}

#[test]
fn passes_keep_the_answers_on_random_programs() {
    let total = Tally::sum(random(0..300), tally);
    total.assert_right();
    assert_enough(&total, 180);
}

fn keeps_the_violations(text: &str) {
    let plain = system(text);
    let expected = all_states(&plain).expect("small").violations;
    assert!(expected.iter().any(|v| v.starts_with("Assertion")), "{expected:?}");
    for (name, pass) in PASSES {
        assert_eq!(all_states(&pass(&plain)).expect("small").violations, expected, "{name}");
    }
}

fn n_states(system: &System) -> usize {
    all_states(system).expect("a small program").states.len()
}

#[test]
fn a_row_of_local_statements_is_one_step() {
    let row = system("active proctype P() { byte a, b; a = 1; b = a + 1; a = b; assert(a == 2) }");
    assert_eq!((n_states(&row), n_states(&merge(&row, &Visible::nothing()))), (6, 3));
}

#[test]
fn merging_stops_once_in_every_circle() {
    let circle = system("active proctype P() { bit a; do :: a = 1 - a; skip od }");
    let merged = merge(&circle, &Visible::nothing());
    assert!(n_states(&merged) < n_states(&circle));
    assert!(n_states(&merged) >= 2);
}

#[test]
fn the_beginning_of_an_atomic_is_not_joined_with_what_stands_before() {
    // Joined with `g = 1`, the block would hide that state from the other process.
    let text = "byte g;
        active proctype P() { byte a; g = 1; atomic { a = 1; g = 0 } }
        active proctype Q() { g == 1; assert(false) }";
    keeps_the_violations(text);
}

#[test]
fn what_others_do_before_a_statement_fails_is_not_lost() {
    let text = "byte g;
        active proctype P() { byte a[2]; byte i = 2; g = 1; a[i] = 1 }
        active proctype Q() { g == 1; assert(false) }";
    keeps_the_violations(text);
}

#[test]
fn a_value_that_is_not_read_again_is_forgotten() {
    let text = "active proctype P() { byte a;
        if :: a = 1 :: a = 2 :: a = 3 fi; assert(a > 0); skip; skip }";
    let plain = system(text);
    assert_eq!((n_states(&plain), n_states(&reset_dead(&plain, &Visible::nothing()))), (14, 8));
}

#[test]
fn a_variable_that_others_read_is_kept() {
    keeps_the_violations(
        "active proctype P() { byte a; skip; a = 1; a = 0 }
         active proctype Q() { P[0]:a == 1; assert(false) }",
    );
}
