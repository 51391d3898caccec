//! The parts of a network, and the partitions of those that have been split.

use super::replay::Conflict;
use crate::split::Split;
use resy_automata::lts::{ActionId, Label, Lts, Rows, StateId};
use resy_automata::network::Monitor;
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;
use resy_index::Id;
use std::collections::BTreeMap;

/// The parts with their partitions; most have a single class.
pub(super) struct Parts<'a> {
    split: &'a Split,
    /// For each action, the parts that have it.
    participants: Rows<usize>,
    /// For each action, whether every participant and the monitor have a transition for it.
    is_possible: Vec<bool>,
    /// For each action, whether a single part has it and the monitor does not.
    is_private: Vec<bool>,
    /// The quotients of the parts with more than one class.
    quotients: BTreeMap<usize, Quotient>,
}

impl<'a> Parts<'a> {
    /// One class for each part.
    pub(super) fn unsplit(split: &'a Split) -> Self {
        let systems = split.context_systems();
        let last = systems.iter().filter_map(|lts| lts.alphabet().last()).max();
        let n_actions = last.map_or(0, |action| action.index() + 1);
        let participants = Rows::collect(n_actions, || {
            let parts = split.environment.iter().enumerate();
            parts.flat_map(|(i, part)| part.lts.alphabet().iter().map(move |a| (a.index(), i)))
        });
        let mut is_possible = vec![true; n_actions];
        for lts in systems {
            impossible(lts).for_each(|action| is_possible[action.index()] = false);
        }
        let watched = split.monitor.lts.alphabet();
        let is_private = |action: usize| {
            participants.row(action).len() == 1 && !watched.contains(Id::from_index(action))
        };
        let is_private = (0..n_actions).map(is_private).collect();
        Self { split, participants, is_possible, is_private, quotients: BTreeMap::new() }
    }

    /// The property.
    pub(super) fn monitor(&self) -> &'a Monitor {
        &self.split.monitor
    }

    /// The parts with more than one class, in order.
    pub(super) fn quotients(&self) -> &BTreeMap<usize, Quotient> {
        &self.quotients
    }

    /// The participants of an action.
    pub(super) fn with(&self, action: ActionId) -> &[usize] {
        self.participants.row(action.index())
    }

    /// Whether every participant and the monitor have a transition for the action.
    pub(super) fn is_possible(&self, action: ActionId) -> bool {
        self.is_possible[action.index()]
    }

    /// The behaviour of a part.
    pub(super) fn lts(&self, part: usize) -> &'a Lts {
        &self.split.environment[part].lts
    }

    /// The class of a state of a part.
    pub(super) fn class_of(&self, part: usize, state: StateId) -> StateId {
        self.quotients.get(&part).map_or_else(whole, |quotient| quotient.state_of(state))
    }

    /// The private steps of a part from a state: internal ones, and those by its private actions.
    pub(super) fn private_steps(
        &self,
        part: usize,
        state: StateId,
    ) -> impl Iterator<Item = (ProductStep, StateId)> + '_ {
        let row = self.lts(part).transitions_from(state).iter();
        row.filter_map(move |&(label, to)| match label {
            Label::Tau => Some((ProductStep::Tau(Id::from_index(part)), to)),
            Label::Visible(action) => {
                self.is_private[action.index()].then_some((ProductStep::Action(action), to))
            }
        })
    }

    /// Splits a class at a conflict: states that can take one of the path's steps, possibly after
    /// private steps within the class, and states that cannot.
    pub(super) fn split(&mut self, conflict: &Conflict) {
        let Conflict { part, class, ref labels, target } = *conflict;
        let lts = self.lts(part);
        let mut is_able: Vec<bool> = vec![false; lts.n_states()];
        for state in lts.states().filter(|&state| self.class_of(part, state) == class) {
            let steps = labels.iter().flat_map(|&label| lts.transitions_by(state, label));
            is_able[state.index()] = steps
                .map(|t| self.class_of(part, t.1))
                .any(|to| target.is_none_or(|target| to == target));
        }
        self.extend_back(part, class, &mut is_able);
        let partition = match self.quotients.get(&part) {
            Some(quotient) => quotient.partition().clone(),
            None => Partition::single(lts.n_states()),
        };
        let finer = partition.refined_by(|state| is_able[state.index()]);
        debug_assert!(finer.n_blocks() > partition.n_blocks(), "a split is proper");
        self.quotients.insert(part, Quotient::of(lts, finer));
    }

    /// Adds the states of a class from which private steps within it lead to these.
    fn extend_back(&self, part: usize, class: StateId, states: &mut [bool]) {
        let lts = self.lts(part);
        let members = || lts.states().filter(|&state| self.class_of(part, state) == class);
        let before = Rows::collect(lts.n_states(), || {
            members().flat_map(|state| {
                let steps = self.private_steps(part, state).map(|step| step.1);
                let inside = steps.filter(|&to| self.class_of(part, to) == class);
                inside.map(move |to| (to.index(), state))
            })
        });
        let mut new: Vec<StateId> = members().filter(|state| states[state.index()]).collect();
        while let Some(state) = new.pop() {
            for &from in before.row(state.index()) {
                if !std::mem::replace(&mut states[from.index()], true) {
                    new.push(from);
                }
            }
        }
    }

    /// The number of classes of all parts.
    pub(super) fn n_classes(&self) -> usize {
        let split: usize = self.quotients.values().map(|q| q.partition().n_blocks()).sum();
        split + self.split.environment.len() - self.quotients.len()
    }

    /// The partition of each part.
    pub(super) fn partitions(&self) -> Vec<Partition> {
        let parts = self.split.environment.iter().enumerate();
        let partition = |(i, part): (usize, &crate::split::SplitPart)| match self.quotients.get(&i)
        {
            Some(quotient) => quotient.partition().clone(),
            None => Partition::single(part.lts.n_states()),
        };
        parts.map(partition).collect()
    }
}

/// The actions of a system without any transition.
fn impossible(lts: &Lts) -> impl Iterator<Item = ActionId> {
    let n_actions = lts.alphabet().last().map_or(0, |action| action.index() + 1);
    let mut is_taken = vec![false; n_actions];
    for (_, label, _) in lts.transitions() {
        if let Label::Visible(action) = label {
            is_taken[action.index()] = true;
        }
    }
    let untaken = lts.alphabet().iter().filter(|a| !is_taken[a.index()]);
    untaken.collect::<Vec<_>>().into_iter()
}

/// The only class of a part that has not been split.
pub(super) fn whole() -> StateId {
    Id::from_index(0)
}
