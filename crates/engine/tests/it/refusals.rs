//! Claims that cannot be watched say why, and claims whose conditions fail say so.

use resy_system::{ClaimMonitor, Interpreter, Monitors, Options, System, ViolationKind};
use resy_testkit::naive;
use resy_testkit::systems::system;

fn model(claim: &str) -> System {
    let text = format!("byte x; byte a[2]; active proctype P() {{ x = 1; x = 2 }}\n{claim}\n");
    system(&text)
}

#[track_caller]
fn refused(claim: &str, sentence: &str) {
    let refusal = ClaimMonitor::of(&model(claim).claims[0]).expect_err("is refused");
    assert_eq!(refusal.to_string(), sentence);
}

#[test]
fn liveness_is_refused_by_name() {
    let infinite = "is a liveness property: some violation shows on an infinite run only";
    refused("ltl p1 { <> (x == 2) }", &format!("ltl formula `p1` {infinite}"));
    refused("ltl { [] <> x }", &format!("ltl formula `ltl_0` {infinite}"));
    refused(
        "never n { accept_here: do :: x < 2 od }",
        "never claim `n` is a liveness property: label `accept_here` asks what happens infinitely often",
    );
    refused(
        "never { progress: do :: x < 2 od }",
        "never claim `never_0` is a liveness property: label `progress` asks what happens infinitely often",
    );
    refused(
        "never { do :: np_ od }",
        "never claim `never_0` is a liveness property: `np_` is about cycles without progress",
    );
}

#[test]
fn what_has_no_meaning_is_refused() {
    let timeout = "uses `timeout`, whose value in a claim depends on how the search goes";
    refused("never n { do :: timeout -> break :: else od }", &format!("never claim `n` {timeout}"));
    refused("ltl p { [] (! timeout) }", &format!("ltl formula `p` {timeout}"));
    let outside = "which has no meaning outside of a process";
    refused("never n { _priority == 1 }", &format!("never claim `n` uses `_priority`, {outside}"));
    refused(
        "never n { x = 1 }",
        "never claim `n` has the statement `x = 1`: a claim can only look",
    );
}

#[test]
fn large_claims_are_refused() {
    let conditions =
        |n: usize, op: &str| (0..n).map(|i| format!("(x == {i})")).collect::<Vec<_>>().join(op);
    refused(
        &format!("ltl p {{ [] ({}) }}", conditions(65, " || ")),
        "ltl formula `p` is too large: it has more than 64 conditions",
    );
    refused(
        &format!("never n {{ {} }}", conditions(65, " || ")),
        "never claim `n` is too large: it has more than 64 conditions",
    );
    refused(
        &format!("never n {{ {} }}", conditions(70, "; ")),
        "never claim `n` is too large: it has more than 63 locations",
    );
    let many = (0..40).map(|i| format!("<> (x == {i})")).collect::<Vec<_>>().join(" && ");
    refused(
        &format!("ltl p {{ {many} }}"),
        "ltl formula `p` is too large: its automaton is too large",
    );
}

#[test]
fn the_largest_claims_are_accepted() {
    let steps = |n: usize| vec!["x == 2"; n].join("; ");
    let system = model(&format!("never n {{ do :: x == 2 -> break :: else od; {} }}", steps(61)));
    let monitor = ClaimMonitor::of(&system.claims[0]).expect("63 locations");
    // The claim needs all its steps in the last state.
    let interpreter = Interpreter::new(&system, Options::default());
    let found = naive::violated(&interpreter, &Monitors::new(vec![monitor]));
    assert_eq!(found.expect("conditions have values").len(), 1);
}

#[test]
fn a_condition_without_value_is_an_error() {
    let system = model("ltl p { [] (a[x] == 0) } ltl q { [] (x > 1 || a[x] == 0) }");
    let interpreter = Interpreter::new(&system, Options::default());
    let of = |n: usize| ClaimMonitor::of(&system.claims[n]).expect("a safety formula");
    let failure = naive::violated(&interpreter, &Monitors::new(vec![of(1), of(0)]));
    let failure = failure.expect_err("x becomes 2");
    assert_eq!((failure.monitor, failure.kind), (1, ViolationKind::Index(2, 2)));
    let found = naive::violated(&interpreter, &Monitors::new(vec![of(1)]));
    assert_eq!(found.map(|f| f.len()), Ok(0));
}
