//! Processes in FSP: which properties are asked of them, and runs carried out on them.
//!
//! Each property is decided for itself: a process that has come to `ERROR` takes no more steps,
//! and the others may go on. For deadlocks a run ends at the first error, as in LTSA.

mod fair;
mod replay;
mod walk;

pub(crate) use fair::{FairAnswer, fair_formula, fair_progress, progress_by_parts};
pub(crate) use replay::{deadlock, error, first_violation, in_network, run_to_error, shortest};

pub use walk::{Walk, WalkEnd, WalkStep};

use crate::question::{CallError, Question};
use crate::split::unknown;
use crate::subject::FspModel;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_automata::product::{Explorer, ProductRun, ProductStep};
use resy_fsp::{Composition, FspProperty, FspSelection};
use resy_index::Id;
use resy_system::{CompositionProperty, Property, Selection};
use std::collections::BTreeSet;

/// What a question asks of a composition.
pub(crate) fn asked(question: &Question) -> FspSelection<'_> {
    FspSelection {
        only: question.property.as_deref(),
        without: &question.without,
        all: question.all_properties,
    }
}

/// The properties that a question asks for.
pub(crate) fn selection(model: &FspModel, question: &Question) -> Result<Selection, CallError> {
    let composition = &model.composition;
    let properties = composition.select(&asked(question)).map_err(|unknown_name| {
        let known: Vec<&str> = unknown_name.known.iter().map(String::as_str).collect();
        CallError::Other(unknown("property", &unknown_name.name, &known))
    })?;
    let property = |&property: &FspProperty| Property::Composition {
        name: composition.property_name(property).to_owned(),
        about: about(composition, property),
    };
    Ok(Selection::of_properties(properties.iter().map(property).collect()))
}

fn about(composition: &Composition, property: FspProperty) -> CompositionProperty {
    match property {
        FspProperty::Deadlock => CompositionProperty::Deadlock,
        FspProperty::Errors | FspProperty::Safety(_) => CompositionProperty::Safety,
        FspProperty::Progress(_) => CompositionProperty::Progress,
        FspProperty::Assertion(_) if composition.has_monitor(property) => {
            CompositionProperty::SafetyFormula
        }
        FspProperty::Assertion(_) => CompositionProperty::Formula,
    }
}

/// The properties of the composition that these are.
pub(crate) fn named(composition: &Composition, properties: &[Property]) -> Vec<FspProperty> {
    let found = properties.iter().filter_map(|p| composition.property_by_name(p.name()));
    found.collect()
}

/// The network whose monitor watches these properties.
pub(crate) fn network(model: &FspModel, properties: &[Property]) -> Result<Network, String> {
    model.composition.network_of(&named(&model.composition, properties))
}

/// The processes with further steps, so that only deadlocks have none: after `ERROR` a process goes on by itself, and at
/// the end all processes that have to be there go on together.
pub(crate) fn with_steps_at_ends(composition: &Composition) -> Vec<Lts> {
    let ends = composition.ends();
    let actions = composition.components.iter().filter_map(|c| c.lts.alphabet().last());
    let together = Id::from_index(actions.max().map_or(0, |last| last.index() + 1));
    let extended = |id: ComponentId| {
        let lts = &composition.components[id].lts;
        let mut builder = LtsBuilder::with_states(lts.n_states());
        for (source, label, target) in lts.transitions() {
            builder.add_transition(source, label, target);
        }
        if let Some(error) = composition.errors[id] {
            builder.add_transition(error, Label::Tau, error);
        }
        if let Some(end) = ends.as_ref().and_then(|ends| ends[id]) {
            builder.add_transition(end, Label::Visible(together), end);
        }
        builder.finish(lts.initial(), lts.alphabet().clone())
    };
    composition.components.ids().map(extended).collect()
}

/// All automata, the processes before the properties: what LTSA composes.
pub(crate) struct Whole<'a> {
    composition: &'a Composition,
    pub explorer: Explorer<'a>,
    /// For each automaton its state `ERROR`.
    pub errors: Vec<Option<StateId>>,
}

impl<'a> Whole<'a> {
    /// The processes, and the properties with these numbers.
    pub fn with(composition: &'a Composition, properties: &[usize]) -> Self {
        let monitors = properties.iter().map(|&i| &composition.properties[i].monitor);
        let components = composition.components.iter().map(|component| &component.lts);
        let systems: Vec<&Lts> = components.chain(monitors.clone().map(|m| &m.lts)).collect();
        let errors = composition.errors.iter().copied();
        Self {
            composition,
            explorer: Explorer::new(systems).preferring(composition.preference.clone()),
            errors: errors.chain(monitors.map(|m| Some(m.error))).collect(),
        }
    }

    /// The processes and all properties.
    pub fn of(composition: &'a Composition) -> Self {
        let all: Vec<usize> = (0..composition.properties.len()).collect();
        Self::with(composition, &all)
    }

    /// The number of automata.
    pub fn width(&self) -> usize {
        self.errors.len()
    }

    /// The first automaton that is in its state `ERROR`.
    pub fn error(&self, state: &[StateId]) -> Option<usize> {
        self.errors.iter().zip(state).position(|(error, state)| *error == Some(*state))
    }

    /// The run that the first automata take by themselves, with all automata; none if an error ends it.
    pub fn along(&self, run: &ProductRun) -> Option<ProductRun> {
        let mut states = vec![self.explorer.initial()];
        for (&step, part) in run.steps.iter().zip(run.states.iter().skip(1)) {
            let here = states.last()?;
            let mut next = None;
            self.explorer.successors_by(step, here, |to| {
                if to.starts_with(part) {
                    next = Some(to.to_vec());
                }
            });
            states.push(next?);
        }
        let is_free = states.iter().all(|state| self.error(state).is_none());
        is_free.then(|| ProductRun { steps: run.steps.clone(), states })
    }

    /// A run by these steps into a state without steps, before any error: a step may lead to several states.
    pub fn dead_run(&self, steps: &[ProductStep]) -> Option<ProductRun> {
        // For each number of steps the states that are reached, each with the number of its predecessor.
        let mut layers: Vec<Vec<(Vec<StateId>, usize)>> = vec![vec![(self.explorer.initial(), 0)]];
        for &step in steps {
            let (mut next, mut seen) = (Vec::new(), BTreeSet::new());
            for (i, (state, _)) in layers.last()?.iter().enumerate() {
                self.explorer.successors_by(step, state, |to| {
                    if self.error(to).is_none() && seen.insert(to.to_vec()) {
                        next.push((to.to_vec(), i));
                    }
                });
            }
            layers.push(next);
        }
        let is_dead = |(state, _): &(Vec<StateId>, usize)| {
            self.explorer.n_steps(state) == 0 && !self.is_end(state)
        };
        let mut at = layers.last()?.iter().position(is_dead)?;
        let mut states = Vec::new();
        for layer in layers.iter().rev() {
            let (state, before) = &layer[at];
            states.push(state.clone());
            at = *before;
        }
        states.reverse();
        Some(ProductRun { steps: steps.to_vec(), states })
    }

    /// Whether a state without steps is an end and no deadlock.
    pub fn is_end(&self, state: &[StateId]) -> bool {
        let at_end =
            |(end, state): (&Option<StateId>, &StateId)| end.is_none_or(|end| end == *state);
        self.composition.ends().is_some_and(|ends| ends.iter().zip(state).all(at_end))
    }
}
