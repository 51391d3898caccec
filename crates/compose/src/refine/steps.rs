//! The steps of an abstract context, from the modal edges of its parts.
//!
//! An action is enumerated in the first part that has it, or in the monitor if no part has it; the
//! other participants are consulted only then.

use super::abstraction::{AbstractTuple, Abstraction};
use super::classes::LocalEdge;
use super::context_table::Difference;
use resy_automata::lts::{ActionId, Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;

/// The may steps of a context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    pub edges: Vec<AbstractStep>,
    /// The steps that may enter the error state, and whether all members can take them.
    pub errors: Vec<(ProductStep, bool)>,
}

/// A may step between contexts.
#[derive(Clone, Debug)]
pub(crate) struct AbstractStep {
    pub step: ProductStep,
    /// The target, as a difference to the source.
    pub there: Difference,
    pub forward_must: bool,
    pub backward_must: bool,
}

impl Abstraction<'_> {
    /// The steps of a context.
    pub(crate) fn steps(&self, tuple: &AbstractTuple) -> Steps {
        let mut steps = Steps::default();
        for (i, (part, &class)) in self.parts.iter().zip(&tuple.0).enumerate() {
            for label in part.enabled(class) {
                match label {
                    Label::Tau => self.alone(tuple, i, &mut steps),
                    Label::Visible(action)
                        if self.participants(ProductStep::Action(action))[0] == i =>
                    {
                        self.together(tuple, action, &mut steps);
                    }
                    Label::Visible(_) => (),
                }
            }
        }
        let watched = self.split.monitor.lts.alphabet().iter();
        for action in
            watched.filter(|action| self.participants(ProductStep::Action(*action)).is_empty())
        {
            self.together(tuple, action, &mut steps);
        }
        steps
    }

    /// The steps of a context in which a part takes part.
    pub(crate) fn steps_of_part(&self, tuple: &AbstractTuple, part: usize) -> Steps {
        let mut steps = Steps::default();
        for label in self.parts[part].enabled(tuple.0[part]) {
            match label {
                Label::Tau => self.alone(tuple, part, &mut steps),
                Label::Visible(action) => self.together(tuple, action, &mut steps),
            }
        }
        steps
    }

    /// The edges of a context by one step.
    pub(crate) fn steps_by(&self, tuple: &AbstractTuple, step: ProductStep) -> Steps {
        let mut steps = Steps::default();
        match step {
            ProductStep::Tau(part) => self.alone(tuple, part.index(), &mut steps),
            ProductStep::Action(action) => self.together(tuple, action, &mut steps),
        }
        steps
    }

    /// The internal steps of one part.
    fn alone(&self, tuple: &AbstractTuple, part: usize, steps: &mut Steps) {
        for edge in self.parts[part].edges(tuple.0[part], Label::Tau) {
            let mut step = AbstractStep::staying(ProductStep::Tau(Id::from_index(part)), tuple.1);
            step.advance(part, &edge);
            steps.edges.push(step);
        }
    }

    /// The steps by an action of all parts that have it, and of the monitor.
    fn together(&self, tuple: &AbstractTuple, action: ActionId, steps: &mut Steps) {
        let (step, label) = (ProductStep::Action(action), Label::Visible(action));
        let participants = self.participants(step);
        let mut ways = vec![AbstractStep::staying(step, tuple.1)];
        for &i in participants.iter() {
            let edges = self.parts[i].edges(tuple.0[i], label);
            let longer = |way: AbstractStep| {
                edges.clone().map(move |edge| {
                    let mut way = way.clone();
                    way.advance(i, &edge);
                    way
                })
            };
            ways = ways.into_iter().flat_map(longer).collect();
        }
        if ways.is_empty() {
            return;
        }
        for state in self.monitor_targets(tuple.1, action) {
            if state == self.split.monitor.error {
                let able = |&i: &usize| self.parts[i].all_enabled(tuple.0[i], label);
                steps.errors.push((step, participants.iter().all(able)));
                continue;
            }
            let there = |way: &AbstractStep| {
                let mut way = way.clone();
                way.there.monitor = state;
                way
            };
            steps.edges.extend(ways.iter().map(there));
        }
    }

    fn monitor_targets(&self, state: StateId, action: ActionId) -> Vec<StateId> {
        let lts = &self.split.monitor.lts;
        if !lts.alphabet().contains(action) {
            return vec![state];
        }
        lts.transitions_by(state, Label::Visible(action)).iter().map(|t| t.1).collect()
    }
}

impl AbstractStep {
    /// Staying put is a must in both senses.
    fn staying(step: ProductStep, monitor: StateId) -> Self {
        let there = Difference { classes: Vec::new(), monitor };
        Self { step, there, forward_must: true, backward_must: true }
    }

    fn advance(&mut self, part: usize, edge: &LocalEdge) {
        self.there.classes.push((part, edge.target));
        self.forward_must &= edge.forward_must;
        self.backward_must &= edge.backward_must;
    }
}
