//! Counterexamples as short as a little patience makes them.
//!
//! Engines give runs that are easy for them to find: along paths, of an abstraction, or in the order that a
//! reduction has left. First a search by distance is given a part of the time; what it finds is shortest.
//! If it does not come to the end, steps that are not needed are left out of the run that there is.

use crate::args::Check;
use crate::confirm::{Violation, outcomes};
use crate::model::Model;
use crate::output::Answer;
use crate::properties::{Property, Selection};
use resy_engine::search::{
    Limits, Order, Outcome, Replay, Stopped, Task, replay, search, shorten as leave_out,
};
use resy_passes::{Visible, reset_dead};
use resy_system::{Control, Interpreter, Monitors};
use std::time::{Duration, Instant};

/// Shorter runs are left as they are.
const SHORT: usize = 6;
/// Nobody waits for longer than this, or for less.
const MOST: Duration = Duration::from_secs(1);
const LEAST: Duration = Duration::from_millis(20);

/// An engine that took no longer has seen little.
const MOMENT: Duration = Duration::from_millis(100);

/// Makes the runs of some answers shorter, unless they are wanted as they were found.
pub fn answers(
    check: &Check,
    interpreter: &Interpreter<'_>,
    selection: &Selection,
    answers: &mut [Answer],
    took: Duration,
) {
    if check.as_found {
        return;
    }
    for answer in answers {
        let run = answer.run.take();
        answer.run = run.map(|run| shorten(interpreter, selection, &answer.property, run, took));
    }
}

/// A violation with a shorter run.
pub fn violation(model: &Model, violation: Violation, took: Duration) -> Violation {
    let Violation { property, outcome, run } = violation;
    let run = shorten(&model.interpreter(), &model.selection, &property, run, took);
    Violation { property, outcome, run }
}

/// A run that violates the same as the given one, and is not longer. The patience is as long as it took to
/// find it, within limits.
fn shorten(
    interpreter: &Interpreter<'_>,
    selection: &Selection,
    property: &Property,
    run: Vec<Replay>,
    took: Duration,
) -> Vec<Replay> {
    let asked = selection.only(std::slice::from_ref(property));
    let [property] = &asked.properties[..] else { return run };
    let goal = Goal { interpreter, monitors: &asked.monitors, property };
    let Some((_, outcome)) = goal.outcome(&run).filter(|_| run.len() > SHORT) else { return run };
    let patience = took.clamp(LEAST, MOST);
    let started = Instant::now();
    // What was found in a moment is found again before steps are compiled.
    let compiled = took > MOMENT;
    match goal.search(&outcome, patience / 2, compiled) {
        Some(found) if found.len() < run.len() => found,
        Some(_) => run,
        None => {
            let violates = |run: &[Replay]| {
                goal.outcome(run).filter(|(_, other)| is_same(&outcome, other)).map(|(at, _)| at)
            };
            leave_out(interpreter, run, &violates, started + patience)
        }
    }
}

/// What is to be violated.
struct Goal<'a> {
    interpreter: &'a Interpreter<'a>,
    monitors: &'a Monitors,
    property: &'a Property,
}

impl Goal<'_> {
    /// The first violation of the property in a run, and after how many steps it is there.
    fn outcome(&self, run: &[Replay]) -> Option<(usize, Outcome)> {
        if *self.property == Property::EndStates {
            return self.ends_badly(run).then_some((run.len(), Outcome::InvalidEnd));
        }
        let mut outcomes = outcomes(self.monitors, self.interpreter, run);
        outcomes.find(|(_, outcome)| self.property.is_violated_by(outcome))
    }

    fn ends_badly(&self, run: &[Replay]) -> bool {
        let Some((state, _)) = run.last().and_then(|replay| replay.step.next.as_ref()) else {
            return false;
        };
        !self.interpreter.is_valid_end(state)
            && self.interpreter.steps(state, Control::Free).steps.is_empty()
    }

    /// A shortest run to the same violation, if a search finds it in time.
    fn search(&self, outcome: &Outcome, patience: Duration, compiled: bool) -> Option<Vec<Replay>> {
        let deadline = Instant::now() + patience;
        let visible = Visible { expressions: self.monitors.conditions().to_vec() };
        let system = reset_dead(self.interpreter.system(), &visible);
        // Most often the first violation is the one; if it is another, the search has to go on behind it.
        for first_violation in [true, false] {
            let left = deadline.checked_duration_since(Instant::now())?;
            let task = Task {
                system: &system,
                options: self.interpreter.options(),
                monitors: self.monitors.clone(),
                end_states: *self.property == Property::EndStates,
                claims_only: matches!(self.property, Property::Claim { .. }),
                all_paths: false,
                ample: None,
                order: Order::BreadthFirst,
                compiled,
                limits: Limits {
                    timeout: Some(left),
                    memory: None,
                    first_violation,
                    interrupt: None,
                    progress: None,
                },
            };
            let found = search(&task).ok()?;
            if let Some(violation) = found.findings.iter().find(|f| is_same(outcome, &f.outcome)) {
                return Some(replay(self.interpreter, &task, &found, violation));
            }
            if found.stopped != Some(Stopped::Violation) {
                return None;
            }
        }
        None
    }
}

/// Whether two violations are of one kind at one place.
fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Violation(a), Outcome::Violation(b)) => {
            let kind = |v: &resy_system::Violation| std::mem::discriminant(&v.kind);
            kind(a) == kind(b) && a.source == b.source
        }
        (a, b) => a == b,
    }
}
