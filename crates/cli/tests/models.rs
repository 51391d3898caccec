//! Every model of the repository against its truth.

mod common;

use resy_engine::{Limits, Outcome, replay, search};
use resy_system::{Interpreter, Options, State, ViolationKind, validate};
use resy_testkit::fixtures::{Fixture, fixtures};

/// Searches a model and says what differs from its truth.
fn differences(fixture: &Fixture) -> Vec<String> {
    let (_, _, system) = common::load(&fixture.path, &fixture.defines);
    let Some(system) = system else { return vec!["is not accepted".into()] };
    assert_eq!(validate(&system), Ok(()), "{}", fixture.name);
    let interpreter = Interpreter::new(&system, Options::default());
    let initial = interpreter.initial().expect("the initial values can be computed");
    let limits = Limits { end_states: true, ..Limits::default() };
    let found = search(&interpreter, &initial, limits);
    let mut out = Vec::new();
    if let Some(spin) = &fixture.spin {
        let ours = (found.store.len() as u64, found.transitions);
        if ours != (spin.states, spin.transitions) {
            out.push(format!("{ours:?}, spin has ({}, {})", spin.states, spin.transitions));
        }
    }
    for (property, truth) in &fixture.verdicts {
        let fails =
            |test: &dyn Fn(&Outcome) -> bool| found.found.iter().any(|(f, _)| test(&f.outcome));
        let trace = |k: &ViolationKind| matches!(k, ViolationKind::Trace | ViolationKind::NoTrace);
        let violated = match property.as_str() {
            "assertions" => fails(&|o| matches!(o, Outcome::Violation(v) if !trace(&v.kind))),
            "end-states" => fails(&|o| *o == Outcome::InvalidEnd),
            "trace" => fails(&|o| matches!(o, Outcome::Violation(v) if trace(&v.kind))),
            _ => continue,
        };
        if violated != (truth == "fails") {
            out.push(format!("{property}: violated is {violated}, spin says {truth}"));
        }
    }
    // Every violation is the end of a run that can be executed.
    for (violation, _) in &found.found {
        let run = replay(&interpreter, &found, violation);
        let reproduced = match &violation.outcome {
            Outcome::InvalidEnd => {
                let last = match run.last() {
                    Some(r) => r.step.next.as_ref().map(|(s, _)| s.clone()),
                    None => Some(initial.clone()),
                };
                last.is_some_and(|s| !interpreter.is_valid_end(&s))
            }
            Outcome::Violation(v) => run
                .last()
                .is_none_or(|r| r.step.violations.contains(v) || violation.moves.is_empty()),
        };
        if !reproduced {
            out.push(format!("the run to {:?} does not replay", violation.outcome));
        }
    }
    // A state survives the store.
    for id in (0..found.store.len()).step_by(97) {
        let bytes = found.store.get(id as u32);
        let mut again = Vec::new();
        State::unpack(&system, bytes).pack(&system, &mut again);
        if bytes != again {
            out.push(format!("state {id} does not survive packing"));
        }
    }
    out
}

#[test]
fn every_model_has_the_counts_and_verdicts_of_its_truth() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 60, "only {} models were found", fixtures.len());
    let mut wrong = Vec::new();
    for fixture in &fixtures {
        let differences = differences(fixture);
        if !differences.is_empty() {
            wrong.push(format!("{}: {}", fixture.name, differences.join("; ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        fixtures.len(),
        wrong.join("\n")
    );
}
