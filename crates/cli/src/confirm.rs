//! A run of the network counts when the program has it.

use crate::model::Model;
use crate::properties::Property;
use resy_automata::product::ProductStep;
use resy_engine::search::{Outcome, Replay, execute};
use resy_network::{Components, Cut, retrace};
use resy_system::{Control, Interpreter, Monitors, State};

/// A run of the program that violates a property.
pub struct Violation {
    /// The property.
    pub property: Property,
    /// How.
    pub outcome: Outcome,
    /// The run, up to the violation.
    pub run: Vec<Replay>,
}

/// Carries out the steps of a network in the program as it stands in the file. None if they are
/// no run of it, or if the run violates none of the properties: where the network is not
/// exact, it can do more than the program.
pub fn confirm(
    model: &Model,
    cut: &Cut<'_>,
    components: &Components,
    properties: &[Property],
    steps: &[ProductStep],
) -> Option<Violation> {
    let interpreter = model.interpreter();
    let mut found = None;
    retrace(cut, components, steps, |moves| {
        let monitors = &model.selection.monitors;
        found = violation(monitors, &interpreter, properties, execute(&interpreter, moves));
        found.is_some()
    })?;
    found
}

/// The first violation of one of the properties, and the run up to it.
pub fn violation(
    monitors: &Monitors,
    interpreter: &Interpreter<'_>,
    properties: &[Property],
    mut run: Vec<Replay>,
) -> Option<Violation> {
    let (at, property, outcome) =
        outcomes(monitors, interpreter, &run).find_map(|(at, outcome)| {
            let property = properties.iter().find(|p| p.is_violated_by(&outcome))?;
            Some((at, property.clone(), outcome))
        })?;
    run.truncate(at);
    Some(Violation { property, outcome, run })
}

/// What a run violates, and after how many steps.
pub fn outcomes<'a>(
    monitors: &'a Monitors,
    interpreter: &'a Interpreter<'_>,
    run: &'a [Replay],
) -> impl Iterator<Item = (usize, Outcome)> + 'a {
    let mut sets = monitors.initial();
    let mut watch = move |at: usize, state: &State| {
        let mut found = Vec::new();
        if let Err(failure) = monitors.step(interpreter, state, &mut sets) {
            found.push((at, Outcome::Condition(failure.monitor, failure.kind)));
        }
        found.extend(monitors.bad(&sets).map(|number| (at, Outcome::Claim(number))));
        found
    };
    let initial = interpreter.initial().ok();
    let first = initial.map(|state| watch(0, &state)).unwrap_or_default();
    let later = run.iter().enumerate().flat_map(move |(i, replay)| {
        let violations = replay.step.violations.iter().cloned();
        let mut found: Vec<_> = violations.map(|v| (i + 1, Outcome::Violation(v))).collect();
        // Claims look at states that are stored.
        if let Some((state, control)) = &replay.step.next
            && (*control == Control::Free || interpreter.steps(state, *control).steps.is_empty())
        {
            found.extend(watch(i + 1, state));
        }
        found
    });
    first.into_iter().chain(later)
}
