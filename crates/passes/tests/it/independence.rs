//! The claims of independence hold, on every model, and the check notices wrong ones.

use crate::models::{models, random, system};
use resy_passes::{Independence, Visible, check_independence, merge, reset_dead};
use resy_system::{Interpreter, Options, System};

fn together(system: &System) -> System {
    merge(&reset_dead(system, &Visible::nothing()), &Visible::nothing())
}

fn claims_hold(systems: impl Iterator<Item = (String, System)>) {
    let mut wrong = Vec::new();
    for (name, system) in systems {
        for (what, system) in [("alone", system.clone()), ("with passes", together(&system))] {
            let interpreter = Interpreter::new(&system, Options::default());
            let visible = Visible::nothing();
            let independence = Independence::of(&system, &visible, Options::default());
            if let Err(sentence) = check_independence(&interpreter, &independence, &visible, 10_000)
            {
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
    claims_hold(random(0..200));
}

/// What the check says if the claims were made for another program of the same shape.
fn wrong_claims(claimed_for: &str, tried_on: &str) -> Result<(), String> {
    let (claimed, tried) = (system(claimed_for), system(tried_on));
    let visible = Visible::nothing();
    let independence = Independence::of(&claimed, &visible, Options::default());
    let interpreter = Interpreter::new(&tried, Options::default());
    check_independence(&interpreter, &independence, &visible, 10_000)
}

/// Pairs of programs: what the first may claim does not hold of the second.
const FALSE_FRIENDS: [(&str, &str, &str); 9] = [
    (
        "a variable that another process writes",
        "byte g, h; active proctype P() { g = 1 } active proctype Q() { h = 2 }",
        "byte g, h; active proctype P() { g = 1 } active proctype Q() { g = 2 }",
    ),
    (
        "a variable that another process reads",
        "byte g, h; active proctype P() { g = 1 } active proctype Q() { h == 0 }",
        "byte g, h; active proctype P() { g = 1 } active proctype Q() { g == 0 }",
    ),
    (
        "a guard that another process switches",
        "byte g, h; active proctype P() { g == 0 } active proctype Q() { h = 1 }",
        "byte g, h; active proctype P() { g == 0 } active proctype Q() { g = 1 }",
    ),
    (
        "a second sender",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { d!2 }",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { c!2 }",
    ),
    (
        "a second sender, by a variable that is assigned",
        "chan c = [2] of {byte}; chan d = [2] of {byte}; chan e = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { d!2; d = e }",
        "chan c = [2] of {byte}; chan d = [2] of {byte}; chan e = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { c!2; c = e }",
    ),
    (
        "a receive beside else",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { if :: d?_ :: else fi }",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { if :: c?_ :: else fi }",
    ),
    (
        "a receive inside an atomic",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { byte x; atomic { x = 1; d?_; x = 2 } }",
        "chan c = [2] of {byte}; chan d = [2] of {byte};
         active proctype P() { c!1 } active proctype Q() { byte x; atomic { x = 1; c?_; x = 2 } }",
    ),
    (
        "a death and a birth",
        "byte g; active proctype Q() { g = 1; g = 2 } active proctype P() { skip }
         proctype R() { skip }",
        "byte g; active proctype Q() { run R(); g = 2 } active proctype P() { skip }
         proctype R() { skip }",
    ),
    (
        "a receiver's arrival at a rendezvous beside else",
        "chan r = [0] of {byte}; chan s = [0] of {byte};
         active proctype P() { skip; r?_ } active proctype Q() { if :: s!1 :: skip fi }",
        "chan r = [0] of {byte}; chan s = [0] of {byte};
         active proctype P() { skip; r?_ } active proctype Q() { if :: r!1 :: else fi }",
    ),
];

#[test]
fn the_check_refutes_wrong_claims() {
    for (what, claimed_for, tried_on) in FALSE_FRIENDS {
        assert_eq!(wrong_claims(claimed_for, claimed_for), Ok(()), "{what}");
        assert_eq!(wrong_claims(tried_on, tried_on), Ok(()), "{what}");
        assert!(wrong_claims(claimed_for, tried_on).is_err(), "{what} is not noticed");
    }
}
