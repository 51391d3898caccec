//! Counterexamples made shorter, within a budget of time.
//!
//! Engines give runs that are easy for them to find: along paths, of an abstraction, or in the order that
//! a reduction has left. A search by distance gets one part of the budget; what it finds is shortest. If
//! it does not end, steps that are not needed are left out of the run that there is.

use crate::composed;
use crate::counterexample::{Counterexample, ends_badly, outcomes};
use crate::model::Model;
use crate::verdict::{Answer, Verdict};
use resy_engine::search::{Limits, Replay, Stopped, Task, replay, search, shorten as leave_out};
use resy_passes::{Visible, reset_dead};
use resy_system::{Interpreter, Monitors, Outcome, Property, Selection};
use std::time::{Duration, Instant};

/// Shorter runs are left as they are.
const SHORT: usize = 6;
/// Bounds of the budget.
const MOST: Duration = Duration::from_secs(1);
const LEAST: Duration = Duration::from_millis(20);

/// An engine that took no longer than this has seen few states.
const MOMENT: Duration = Duration::from_millis(100);

/// Makes the counterexamples of some answers shorter.
pub fn answers(model: &Model, answers: Vec<Answer>, took: Duration) -> Vec<Answer> {
    let shorter = |answer: Answer| match answer.verdict {
        Verdict::Fails(run) => {
            Answer { verdict: Verdict::Fails(counterexample(model, run, took)), ..answer }
        }
        _ => answer,
    };
    answers.into_iter().map(shorter).collect()
}

/// A counterexample of the same violation with at most as many steps.
pub fn counterexample(model: &Model, mut found: Counterexample, took: Duration) -> Counterexample {
    if let Some(fsp) = model.fsp() {
        return composed::shortest(fsp, found);
    }
    let Some(interpreter) = model.interpreter() else { return found };
    let Some(steps) = found.take_steps() else { return found };
    let property = found.property().clone();
    let shorter = shorten(&interpreter, &model.selection, &property, steps, took);
    found.with_steps(shorter)
}

/// A run with the same violation as the given one that is not longer. The budget is the time that it
/// took to find the run, within bounds.
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
    // To compile steps takes longer than to find such a violation again.
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
            return ends_badly(self.interpreter, run).then_some((run.len(), Outcome::InvalidEnd));
        }
        let mut outcomes = outcomes(self.monitors, self.interpreter, run);
        outcomes.find(|(_, outcome)| self.property.is_violated_by(outcome))
    }

    /// A shortest run to the same violation, if a search finds it in time.
    fn search(&self, outcome: &Outcome, patience: Duration, compiled: bool) -> Option<Vec<Replay>> {
        let deadline = Instant::now() + patience;
        let visible = Visible { expressions: self.monitors.conditions().to_vec() };
        let system = reset_dead(self.interpreter.system(), &visible);
        // Most often the first violation is the wanted one; if it is another of the same property, the search
        // continues after it.
        for first_violation in [true, false] {
            let left = deadline.checked_duration_since(Instant::now())?;
            let limits = Limits { timeout: Some(left), first_violation, ..Limits::default() };
            let task = Task::new(&system)
                .options(self.interpreter.options())
                .monitors(self.monitors.clone())
                .asked(std::slice::from_ref(self.property))
                .claims_only(matches!(self.property, Property::Claim { .. }))
                .compiled(compiled)
                .limits(limits);
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
