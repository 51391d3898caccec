//! A walk through processes in FSP: which actions are possible, who takes part, one step at a time and back.

use super::Whole;
use crate::subject::FspModel;
use resy_automata::lts::StateId;
use resy_automata::product::ProductStep;
use resy_fsp::Composition;
use resy_fsp::networks::is_visible;
use resy_index::{Id, IndexVec};
use std::collections::BTreeSet;

/// A run in progress of the processes and properties of a composition.
pub struct Walk<'a> {
    composition: &'a Composition,
    whole: Whole<'a>,
    /// The steps so far, each with the state that it leads to.
    taken: Vec<(WalkStep, Vec<StateId>)>,
    initial: Vec<StateId>,
}

/// A step that is possible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalkStep {
    /// The action; `tau (…)` if it cannot be seen.
    pub name: String,
    /// The processes that take part.
    pub participants: Vec<String>,
    target: Vec<StateId>,
}

/// Why a walk cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// A process is in `ERROR`, or a property is violated: its name.
    Error(String),
    /// No step is possible, and not all processes have ended.
    Deadlock,
    /// All processes have ended.
    Ended,
}

impl<'a> Walk<'a> {
    /// A walk at its beginning.
    pub fn new(model: &'a FspModel) -> Self {
        let composition = &model.composition;
        let whole = Whole::of(composition);
        let initial = whole.explorer.initial();
        Self { composition, whole, taken: Vec::new(), initial }
    }

    /// The steps so far.
    pub fn taken(&self) -> impl ExactSizeIterator<Item = &WalkStep> {
        self.taken.iter().map(|(step, _)| step)
    }

    fn state(&self) -> &[StateId] {
        self.taken.last().map_or(&self.initial, |(_, state)| state)
    }

    /// The steps that are possible now, by name; none after an error.
    pub fn choices(&self) -> Vec<WalkStep> {
        let mut steps = self.steps_from(self.state());
        steps.sort_unstable();
        steps
    }

    fn steps_from(&self, state: &[StateId]) -> Vec<WalkStep> {
        let mut steps = Vec::new();
        if self.whole.error(state).is_none() {
            self.whole.explorer.successors(state, |step, target| {
                steps.push(self.named(step, target.to_vec()));
            });
        }
        steps
    }

    fn named(&self, step: ProductStep, target: Vec<StateId>) -> WalkStep {
        let components = self.composition.components.iter_enumerated();
        let (name, participants) = match step {
            ProductStep::Tau(id) => {
                let process = self.composition.components.get(id).map(|c| c.name.clone());
                let process = process.unwrap_or_default();
                (format!("tau ({process})"), vec![process])
            }
            ProductStep::Action(action) => {
                let name = &self.composition.actions[action].name;
                let taking = components.filter(|(_, c)| c.lts.alphabet().contains(action));
                let shown = match is_visible(name) {
                    true => name.clone(),
                    false => format!("tau ({})", name.trim_start_matches('\\')),
                };
                (shown, taking.map(|(_, c)| c.name.clone()).collect())
            }
        };
        WalkStep { name, participants, target }
    }

    /// Takes a step that was possible.
    pub fn take(&mut self, step: WalkStep) {
        let target = step.target.clone();
        self.taken.push((step, target));
    }

    /// Takes the last step back; whether there was one.
    pub fn undo(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    /// Follows actions by their names, as far as possible. Where a name has several steps, those are taken by which
    /// the others can follow.
    pub fn follow(&mut self, names: &[&str]) {
        // For each number of steps the states that are reached, each with its predecessor and the step.
        let mut layers: Vec<Vec<(usize, Option<WalkStep>)>> = vec![vec![(0, None)]];
        let start = self.state().to_vec();
        for &name in names {
            let Some(layer) = layers.last() else { break };
            let (mut next, mut seen) = (Vec::new(), BTreeSet::new());
            for (i, (_, step)) in layer.iter().enumerate() {
                let state = step.as_ref().map_or(&start, |step| &step.target);
                let same = self.steps_from(state).into_iter().filter(|step| step.name == name);
                let new = same.filter(|step| seen.insert(step.target.clone()));
                next.extend(new.map(|step| (i, Some(step))));
            }
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        let (mut path, mut at) = (Vec::new(), 0);
        for layer in layers.into_iter().rev() {
            let (before, step) = layer[at].clone();
            path.extend(step);
            at = before;
        }
        path.into_iter().rev().for_each(|step| self.take(step));
    }

    /// Why the walk cannot go on, if it cannot.
    pub fn end(&self) -> Option<WalkEnd> {
        let state = self.state();
        if let Some(automaton) = self.whole.error(state) {
            let components = &self.composition.components;
            let process = components.get(Id::from_index(automaton)).map(|c| c.name.clone());
            let property =
                || self.composition.properties[automaton - components.len()].name.clone();
            return Some(WalkEnd::Error(process.unwrap_or_else(property)));
        }
        match (self.whole.explorer.n_steps(state), self.whole.is_end(state)) {
            (0, true) => Some(WalkEnd::Ended),
            (0, false) => Some(WalkEnd::Deadlock),
            _ => None,
        }
    }

    /// The name of each process and property, and of its present state.
    pub fn states(&self) -> Vec<(&str, String)> {
        let components = self.composition.components.iter().map(|c| (&*c.name, &c.state_names));
        let properties = &self.composition.properties;
        let properties = properties.iter().map(|p| (&*p.name, &p.monitor.state_names));
        let all = components.chain(properties).zip(self.state());
        all.map(|((name, names), &state)| (name, state_name(names, state))).collect()
    }

    /// The processes that a step changes, with their next states: what tells steps by one action apart.
    pub fn changes(&self, step: &WalkStep) -> Vec<(&str, String)> {
        let components = self.composition.components.iter();
        let pairs = self.state().iter().zip(&step.target);
        let changed = components.zip(pairs).filter(|(_, (from, to))| from != to);
        changed.map(|(c, (_, &to))| (&*c.name, state_name(&c.state_names, to))).collect()
    }
}

fn state_name(names: &IndexVec<StateId, String>, state: StateId) -> String {
    names.get(state).cloned().unwrap_or_else(|| state.index().to_string())
}
