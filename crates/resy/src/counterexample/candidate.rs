//! Candidates: what an engine has found, and how it is carried out on the subject.

use super::outcomes::{outcomes, outcomes_at_end};
use super::product::of_network;
use super::{Counterexample, Execution, lasso};
use crate::composed;
use crate::model::Model;
use crate::problem::Problem;
use crate::subject::Subject;
use resy_automata::product::ProductStep;
use resy_engine::search::{InfiniteRun, Replay, execute_while};
use resy_network::retrace;
use resy_system::{Command, Control, Fairness, Interpreter, Property, Step};

/// A run that an engine has found, not yet carried out on the subject.
pub struct Candidate<'a> {
    properties: &'a [Property],
    source: CandidateSource<'a>,
}

enum CandidateSource<'a> {
    /// Steps of the network of a problem.
    Network(&'a Problem<'a>, &'a [ProductStep]),
    /// Steps that the interpreter has carried out.
    Program(&'a Model, Vec<Replay>),
    /// A run that a search for cycles has found, under this fairness.
    Infinite(&'a Model, &'a InfiniteRun, Fairness),
}

/// The subject cannot take the steps of a candidate, or they violate no property of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spurious;

impl<'a> Candidate<'a> {
    /// Steps of the network of a problem that lead to an error.
    pub fn of_network(problem: &'a Problem<'a>, steps: &'a [ProductStep]) -> Self {
        Self { properties: &problem.properties, source: CandidateSource::Network(problem, steps) }
    }

    /// Steps of a program that should violate one of these properties.
    pub fn of_program(model: &'a Model, properties: &'a [Property], steps: Vec<Replay>) -> Self {
        Self { properties, source: CandidateSource::Program(model, steps) }
    }

    /// An infinite run that should violate a property under this fairness.
    pub fn of_infinite_run(
        model: &'a Model,
        property: &'a Property,
        run: &'a InfiniteRun,
        fairness: Fairness,
    ) -> Self {
        let source = CandidateSource::Infinite(model, run, fairness);
        Self { properties: std::slice::from_ref(property), source }
    }

    /// Carries the candidate out on the subject as it stands in its file.
    pub fn replay(self) -> Result<Counterexample, Spurious> {
        self.replay_while(&mut || true).expect("nothing cancels it")
    }

    /// Like [`replay`](Self::replay); `None` if `go_on`, which is called for each step of a program, says no.
    pub fn replay_while(
        self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Result<Counterexample, Spurious>> {
        let mut is_cancelled = false;
        let found = self.replayed(&mut || {
            is_cancelled |= !go_on();
            !is_cancelled
        });
        (!is_cancelled).then_some(found)
    }

    fn replayed(self, go_on: &mut dyn FnMut() -> bool) -> Result<Counterexample, Spurious> {
        let Self { properties, source } = self;
        let found = match source {
            CandidateSource::Program(model, steps) => of_program(model, properties, steps, go_on),
            CandidateSource::Infinite(model, run, fairness) => {
                properties.iter().find_map(|p| of_infinite_run(model, p, run, fairness, go_on))
            }
            CandidateSource::Network(problem, steps) => match &problem.source {
                None => match problem.model.subject() {
                    Subject::Fsp(model) => {
                        composed::error(model, properties, &problem.network, steps)
                    }
                    _ => of_network(&problem.network, steps),
                },
                Some(source) => {
                    let interpreter = problem.model.interpreter().ok_or(Spurious)?;
                    let mut found = None;
                    retrace(&source.cut, &source.components, steps, |moves| {
                        let Some(mut steps) = execute_while(&interpreter, moves, go_on) else {
                            return true;
                        };
                        if properties.contains(&Property::EndStates) {
                            let_die(&interpreter, &mut steps);
                        }
                        found = of_program(problem.model, properties, steps, go_on);
                        found.is_some()
                    });
                    found
                }
            },
        };
        found.ok_or(Spurious)
    }
}

/// Adds the deaths of processes that stand at their end. Where nobody can observe them, components have none, and a run
/// of the program ends later.
fn let_die(interpreter: &Interpreter<'_>, run: &mut Vec<Replay>) {
    while let Some(Some((before, control))) = run.last().map(|last| last.step.next.clone()) {
        let mut steps = interpreter.steps(&before, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&before, Control::Free).steps;
        }
        let dies =
            |step: &Step| matches!(interpreter.edge(&before, step.actor).command, Command::Exit);
        let Some(step) = steps.into_iter().find(dies) else { break };
        run.push(Replay { before, step });
    }
}

/// The first violation of one of the properties by the steps of a program.
fn of_program(
    model: &Model,
    properties: &[Property],
    mut steps: Vec<Replay>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Counterexample> {
    let interpreter = model.interpreter()?;
    let monitors = &model.selection.monitors;
    let first = outcomes(monitors, &interpreter, &steps, go_on).find_map(|(at, outcome)| {
        let property = properties.iter().find(|p| p.is_violated_by(&outcome))?;
        Some((at, property.clone(), outcome))
    });
    let at_end = || {
        let found = outcomes_at_end(monitors, &interpreter, &steps).into_iter();
        let mut found = found.filter_map(|outcome| {
            let property = properties.iter().find(|p| p.is_violated_by(&outcome))?;
            Some((steps.len(), property.clone(), outcome))
        });
        found.next()
    };
    let (at, property, outcome) = first.or_else(at_end)?;
    steps.truncate(at);
    let what = property.describe(interpreter.system(), &outcome);
    let execution = Execution::Program { steps, what };
    Some(Counterexample { property, execution, lasso: None, is_canonical: false })
}

/// An infinite run of a program, if the property is violated by it.
fn of_infinite_run(
    model: &Model,
    property: &Property,
    run: &InfiniteRun,
    fairness: Fairness,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Counterexample> {
    let Property::Liveness { number, .. } = property else { return None };
    let claim = &model.selection.liveness[*number];
    let interpreter = model.interpreter()?;
    let (steps, lasso) = lasso::replay(&interpreter, claim, run, fairness, go_on)?;
    let mut what = match &run.failure {
        Some(kind) => format!("a condition of a claim has no value: {kind}"),
        None => claim.describe(interpreter.system()),
    };
    if let (Some(assumption), Some(_)) = (fairness.assumption(), &lasso) {
        what += &format!(", {assumption}");
    }
    let execution = Execution::Program { steps, what };
    Some(Counterexample { property: property.clone(), execution, lasso, is_canonical: true })
}
