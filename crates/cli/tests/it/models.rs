//! Every model of the repository in every configuration of the search, against its truth.
//!
//! Without reductions the counts are spin's. With them a configuration may count less,
//! but it says the same of every property, and every violation is the end of a run
//! that the original system can make.

use resy_engine::search::{Ample, Finding, Order, Replay, Search, Task, replay, search};
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{Interpreter, Options, Outcome, State, System, ViolationKind, validate};
use resy_testkit::each::Tally;
use resy_testkit::fixtures::{Fixture, fixtures};
use resy_testkit::systems::system_of;

/// A way to search.
#[derive(Copy, Clone, Debug, Default)]
struct Configuration {
    compiled: bool,
    depth_first: bool,
    merge: bool,
    reset: bool,
    ample: bool,
}

impl Configuration {
    /// All that are tested.
    fn all() -> Vec<Configuration> {
        let plain = Configuration { compiled: true, ..Configuration::default() };
        let reduced = Configuration { merge: true, reset: true, ample: true, ..plain };
        vec![
            plain,
            Configuration { compiled: false, ..plain },
            Configuration { depth_first: true, ..plain },
            Configuration { merge: true, ..plain },
            Configuration { reset: true, ..plain },
            Configuration { ample: true, ..plain },
            reduced,
            Configuration { compiled: false, ..reduced },
            Configuration { depth_first: true, ..reduced },
        ]
    }

    /// Whether every state is visited.
    fn is_plain(self) -> bool {
        !(self.merge || self.reset || self.ample)
    }

    fn system(self, system: &System) -> System {
        let mut reduced = system.clone();
        if self.merge {
            reduced = merge(&reduced, &Visible::nothing());
        }
        if self.reset {
            reduced = reset_dead(&reduced, &Visible::nothing());
        }
        assert_eq!(validate(&reduced), Ok(()));
        reduced
    }
}

fn task<'a>(system: &'a System, how: Configuration) -> Task<'a> {
    let ample = || Ample::of(system, &Visible::nothing(), Options::default());
    Task::new(system)
        .all_paths(how.is_plain())
        .ample(how.ample.then(ample).flatten())
        .order(if how.depth_first { Order::DepthFirst } else { Order::BreadthFirst })
        .compiled(how.compiled)
}

/// Searches a model and says what differs from its truth.
fn differences(fixture: &Fixture, system: &System, how: Configuration) -> Vec<String> {
    let reduced = how.system(system);
    let task = task(&reduced, how);
    let found = search(&task).expect("the initial values can be computed");
    let mut out = Vec::new();
    if let Some(spin) = &fixture.spin {
        let ours = (found.states, found.transitions);
        let theirs = (spin.states, spin.transitions);
        if how.is_plain() && ours != theirs {
            out.push(format!("{ours:?}, spin has {theirs:?}"));
        }
        if ours.0 > theirs.0 {
            out.push(format!("{} states, spin has {} without reductions", ours.0, theirs.0));
        }
    }
    for (property, truth) in &fixture.verdicts {
        let Some(violated) = is_violated(&found, property) else { continue };
        if violated != (truth == "fails") {
            out.push(format!("{property}: violated is {violated}, spin says {truth}"));
        }
    }
    let interpreter = Interpreter::new(system, Options::default());
    for violation in found.findings.iter() {
        let run = replay(&interpreter, &task, &found, violation);
        if !ends_in(&interpreter, &run, violation) {
            out.push(format!("the run to {:?} does not replay", violation.outcome));
        }
    }
    out
}

fn is_violated(found: &Search, property: &str) -> Option<bool> {
    let any = |test: &dyn Fn(&Outcome) -> bool| found.findings.iter().any(|f| test(&f.outcome));
    let trace = ViolationKind::is_of_trace;
    Some(match property {
        "assertions" => any(&|o| matches!(o, Outcome::Violation(v) if !trace(&v.kind))),
        "end-states" => any(&|o| *o == Outcome::InvalidEnd),
        "trace" => any(&|o| matches!(o, Outcome::Violation(v) if trace(&v.kind))),
        _ => return None,
    })
}

/// Whether a run ends in a violation.
fn ends_in(interpreter: &Interpreter<'_>, run: &[Replay], violation: &Finding) -> bool {
    let last: Option<State> = match run.last() {
        Some(r) => r.step.next.as_ref().map(|(s, _)| s.clone()),
        None => interpreter.initial().ok(),
    };
    match &violation.outcome {
        Outcome::InvalidEnd => last.is_some_and(|s| !interpreter.is_valid_end(&s)),
        Outcome::Violation(v) => {
            violation.moves.is_empty()
                || run.last().is_some_and(|r| r.step.violations.contains(v))
                || last.is_some_and(|s| {
                    let steps = interpreter.steps(&s, resy_system::Control::Free);
                    steps.violations.contains(v)
                })
        }
        Outcome::Claim(_) | Outcome::Condition(..) => true,
    }
}

resy_testkit::each_model!(counts_and_verdicts_are_those_of_the_truth, crate::models::case);

fn case(fixture: &Fixture) {
    let (system, mut tally) = (system_of(fixture), Tally::default());
    for how in Configuration::all() {
        for difference in differences(fixture, &system, how) {
            tally.wrong(format!("{how:?}: {difference}"));
        }
    }
    tally.assert_right();
}

#[test]
fn there_are_many_models() {
    let n = fixtures().len();
    assert!(n >= 300, "only {n} models were found");
}
