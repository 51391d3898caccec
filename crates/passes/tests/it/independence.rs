//! The claims of independence hold, on every model, and the check notices wrong ones.

use resy_index::Id;
use resy_passes::{Independence, Visible, check_independence, merge, reset_dead};
use resy_system::{
    BinaryOp, CellRef, CellType, Expr, Interpreter, Options, ProctypeId, Scope, System,
};
use resy_testkit::each::Tally;
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, system, system_of};

/// Nothing to see, and something: the first globals, the middle of a proctype, the length of a channel.
fn views(system: &System) -> [Visible; 2] {
    let mut expressions = Vec::new();
    for variable in system.globals.variables.iter().take(2) {
        let load = Expr::Load(CellRef::cell(Scope::Global, variable.offset, variable.cell));
        expressions.push(match variable.cell {
            CellType::Chan => Expr::Len(Box::new(load)),
            _ => load,
        });
    }
    let proctype = ProctypeId::from_index(0);
    if let Some(declared) = system.proctypes.get(proctype) {
        let middle = Expr::Const((declared.edges.len() / 2) as i32);
        let at = Expr::RemoteLocation { proctype, pid: None };
        expressions.push(Expr::Binary(BinaryOp::Eq, Box::new(at), Box::new(middle)));
    }
    [Visible::nothing(), Visible::new(expressions)]
}

fn tally(plain: &System) -> Tally {
    let mut tally = Tally::default();
    for visible in views(plain) {
        let both = merge(&reset_dead(plain, &visible), &visible);
        for (what, system) in [("alone", plain), ("with passes", &both)] {
            let interpreter = Interpreter::new(system, Options::default());
            let independence =
                Independence::of(system, &visible, Options::default()).expect("it is small");
            let limit = if visible.expressions.is_empty() { 3_000 } else { 1_500 };
            if let Err(why) = check_independence(&interpreter, &independence, &visible, limit) {
                tally.wrong(format!("{what}, {visible:?}: {why}"));
            }
        }
    }
    tally
}

resy_testkit::each_model!(claims_hold, crate::independence::case);

fn case(fixture: &Fixture) {
    tally(&system_of(fixture)).assert_right();
}

#[test]
fn claims_hold_on_random_programs() {
    Tally::sum(random(0..200), tally).assert_right();
}

/// The result of the check if the claims were made for another program of the same shape.
fn wrong_claims(claimed_for: &str, tried_on: &str) -> Result<(), String> {
    let (claimed, tried) = (system(claimed_for), system(tried_on));
    let visible = Visible::nothing();
    let independence =
        Independence::of(&claimed, &visible, Options::default()).expect("it is small");
    let interpreter = Interpreter::new(&tried, Options::default());
    check_independence(&interpreter, &independence, &visible, 10_000)
}

/// Pairs of programs: the claims of the first do not hold of the second.
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
