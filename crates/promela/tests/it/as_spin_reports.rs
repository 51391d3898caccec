//! What spin reports and a warning, a refusal or a violation of resy has to match.

use resy_promela::preprocess::NoIncludes;
use resy_promela::{Code, Diagnostics, SourceMap, read};
use resy_system::{ClaimKind, Interpreter, Options, System, ViolationKind};

/// The system of a text, and the codes and messages of its diagnostics.
fn load(text: &str) -> (Option<System>, Vec<(Code, String)>) {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let system = read("m.pml", text.to_owned(), &[], &mut NoIncludes, &mut map, &mut diags);
    (system, diags.iter().map(|d| (d.code, d.message.clone())).collect())
}

/// Spin's verifier stops with "error to poll rendezvous channel", in a claim as in a process.
#[test]
fn a_claim_that_polls_a_rendezvous_channel_has_no_value() {
    let text = include_str!("../../../../models/regressions/poll_in_claim.pml");
    let system = load(text).0.expect("a model without errors");
    let ClaimKind::Ltl(formula) = &system.claims[0].kind else { panic!("a formula") };
    let interpreter = Interpreter::new(&system, Options::default());
    let state = interpreter.initial().expect("a first state");
    for condition in &formula.propositions {
        assert_eq!(interpreter.holds(&state, condition), Err(ViolationKind::PollRendezvous));
    }
}

/// `&&` and `||` protect a poll as they protect a division.
#[test]
fn a_poll_that_is_not_evaluated_does_no_harm() {
    let text = "chan h = [0] of { byte }; byte n; active proctype P() { n = 1; h!1 }
                active proctype Q() { byte v; h?v } ltl p { [] (n < 2 || (n > 2 && h?[1])) }";
    let system = load(text).0.expect("a model without errors");
    let interpreter = Interpreter::new(&system, Options::default());
    let state = interpreter.initial().expect("a first state");
    let ClaimKind::Ltl(formula) = &system.claims[0].kind else { panic!("a formula") };
    assert_eq!(interpreter.holds(&state, &formula.propositions[0]), Ok(true));
}

const CHANNEL: &str = "chan q = [2] of { byte }; byte n;";

/// Spin's parser reads `xr` and `xs` in the order of the text: only those before count.
#[test]
fn else_beside_io_is_refused_after_a_claim_of_a_channel() {
    let choice = "byte v; if :: q?v :: else -> n = 1 fi";
    let claim = "active proctype S() { xs q; q!1 }";
    let (system, found) = load(&format!("{CHANNEL} {claim} active proctype R() {{ {choice} }}"));
    assert!(system.is_none());
    assert_eq!(found[0].0, Code::Refused);
    let (system, found) = load(&format!("{CHANNEL} active proctype R() {{ {choice} }} {claim}"));
    assert!(system.is_some());
    assert_eq!(found[0].0, Code::ElseBesideIo);
}

/// Spin reports these while it searches with partial order reduction.
#[test]
fn a_claim_that_the_text_breaks_is_a_warning() {
    let sink = "active proctype R() { byte v; xr q; q?v }";
    let cases = [
        ("active proctype S() { xs q; q!1 } active proctype T() { q!2 }", "sends on it"),
        ("active [2] proctype S() { xs q; q!1 }", "several processes"),
        ("active proctype S() { q!1 } active proctype T() { byte v; q?v }", "receives from it"),
    ];
    for (text, words) in cases {
        let (system, found) = load(&format!("{CHANNEL} {text} {sink} init {{ n = 1 }}"));
        assert!(system.is_some());
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].0, Code::Suspicious);
        assert!(found[0].1.contains(words), "{text}: {found:?}");
    }
    let kept = "active proctype S() { xs q; q!1; q!2 }";
    assert!(load(&format!("{CHANNEL} {kept} {sink} init {{ n = 1 }}")).1.is_empty());
}
