//! The parts of a network, and the partitions of those that have been split.

use super::replay::Conflict;
use crate::split::Split;
use resy_automata::lts::{ActionId, Label, Lts, Rows, StateId};
use resy_automata::network::Monitor;
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The parts with their partitions; most have a single class.
#[derive(Clone)]
pub(crate) struct Parts<'a> {
    split: &'a Split,
    monitor: Cow<'a, Monitor>,
    effects: Rc<Effects>,
    owners: Rc<Owners>,
    /// For each action, whether every participant and the monitor have a transition for it.
    is_possible: Vec<bool>,
    /// The quotients of the parts with more than one class.
    quotients: BTreeMap<usize, Quotient>,
    /// A part whose place another system has taken.
    replaced: Option<(usize, Lts)>,
}

/// The effects of actions on the monitor. A monitor that counts has thousands of transitions, and few effects; it never
/// changes while the parts are split.
pub(super) struct Effects {
    /// For each action, its effect.
    pub of_action: Vec<usize>,
    /// For each effect, the transitions.
    pub transitions: Vec<Vec<(StateId, StateId)>>,
}

impl Effects {
    fn of(lts: &Lts, n_actions: usize) -> Self {
        let visible = || lts.transitions().filter_map(|(s, l, t)| Some((l.action()?, s, t)));
        let known = || visible().filter(|(action, ..)| action.index() < n_actions);
        let rows = Rows::collect(n_actions, || known().map(|(a, s, t)| (a.index(), (s, t))));
        let mut numbers: FxHashMap<&[(StateId, StateId)], usize> = FxHashMap::default();
        let mut transitions = Vec::new();
        let of_action = (0..n_actions).map(|action| {
            let row = rows.row(action);
            *numbers.entry(row).or_insert_with(|| {
                transitions.push(row.to_vec());
                transitions.len() - 1
            })
        });
        Self { of_action: of_action.collect(), transitions }
    }

    /// The transitions of the monitor by an action.
    pub(super) fn by(&self, action: usize) -> &[(StateId, StateId)] {
        &self.transitions[self.of_action[action]]
    }

    /// For each effect, whether it changes the monitor.
    pub(super) fn changes(&self) -> Vec<bool> {
        self.transitions.iter().map(|row| row.iter().any(|(from, to)| from != to)).collect()
    }
}

/// The owners of actions.
struct Owners {
    /// For each action, the parts that have it.
    participants: Rows<usize>,
    /// For each action, whether a single part has it and the monitor does not.
    is_private: Vec<bool>,
    /// For each action, whether every participant has a transition for it.
    is_possible: Vec<bool>,
}

impl<'a> Parts<'a> {
    /// One class for each part.
    pub(crate) fn unsplit(split: &'a Split) -> Self {
        Self::watched_by(split, Cow::Borrowed(&split.monitor), Rc::new(Owners::of(split)))
    }

    /// One class for each part, and a monitor that errs less often.
    pub(crate) fn about(&self, monitor: Monitor) -> Self {
        Self::watched_by(self.split, Cow::Owned(monitor), self.owners.clone())
    }

    fn watched_by(split: &'a Split, monitor: Cow<'a, Monitor>, owners: Rc<Owners>) -> Self {
        let mut is_possible = owners.is_possible.clone();
        impossible(&monitor.lts).for_each(|action| is_possible[action.index()] = false);
        let effects = Rc::new(Effects::of(&monitor.lts, is_possible.len()));
        let (quotients, replaced) = (BTreeMap::new(), None);
        Self { split, monitor, effects, owners, is_possible, quotients, replaced }
    }

    /// Makes each state of a part a class.
    pub(super) fn keep_whole(&mut self, part: usize) {
        let lts = &self.split.environment[part].lts;
        if lts.n_states() > 1 {
            let discrete = Partition::discrete(lts.n_states());
            self.quotients.insert(part, Quotient::of(lts, discrete));
        }
    }

    /// Puts a quotient of a part into its place, and keeps it as it is: each of its states is a
    /// class, so that it follows every path. The other partitions stay.
    pub(crate) fn replace(&mut self, part: usize, quotient: Lts) {
        self.quotients.remove(&part);
        if quotient.n_states() > 1 {
            let discrete = Partition::discrete(quotient.n_states());
            self.quotients.insert(part, Quotient::of(&quotient, discrete));
        }
        self.replaced = Some((part, quotient));
    }

    /// Whether the property is violated before the first step.
    pub(super) fn fails_at_once(&self) -> bool {
        self.monitor.lts.initial() == self.monitor.error
    }

    /// The property.
    pub(super) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// The effects of actions on the monitor.
    pub(super) fn effects(&self) -> &Effects {
        &self.effects
    }

    /// The parts with more than one class, in order.
    pub(super) fn quotients(&self) -> &BTreeMap<usize, Quotient> {
        &self.quotients
    }

    /// The participants of an action.
    pub(super) fn with(&self, action: ActionId) -> &[usize] {
        self.owners.participants.row(action.index())
    }

    /// The number of actions.
    pub(super) fn n_actions(&self) -> usize {
        self.is_possible.len()
    }

    /// Whether every participant and the monitor have a transition for the action.
    pub(super) fn is_possible(&self, action: ActionId) -> bool {
        self.is_possible[action.index()]
    }

    /// The behaviour of a part.
    pub(super) fn lts(&self, part: usize) -> &Lts {
        match &self.replaced {
            Some((replaced, lts)) if *replaced == part => lts,
            _ => &self.split.environment[part].lts,
        }
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
                self.owners.is_private[action.index()].then_some((ProductStep::Action(action), to))
            }
        })
    }

    /// Splits a class at a conflict: states that can take one of the path's steps, possibly after
    /// private steps within the class, and states that cannot.
    pub(super) fn split(&mut self, conflict: &Conflict) {
        let is_able = self.able_at_last(conflict);
        self.separate(conflict.part, &[is_able]);
    }

    /// The states of a class that can take one of the steps of a conflict at once.
    pub(super) fn able(&self, conflict: &Conflict) -> Vec<bool> {
        let Conflict { part, class, ref labels, target } = *conflict;
        let lts = self.lts(part);
        let mut is_able: Vec<bool> = vec![false; lts.n_states()];
        for state in lts.states().filter(|&state| self.class_of(part, state) == class) {
            let steps = labels.iter().flat_map(|&label| lts.transitions_by(state, label));
            is_able[state.index()] = steps
                .map(|t| self.class_of(part, t.1))
                .any(|to| target.is_none_or(|target| to == target));
        }
        is_able
    }

    /// The states of a class that can take one of the steps of a conflict, possibly after private
    /// steps within the class.
    pub(super) fn able_at_last(&self, conflict: &Conflict) -> Vec<bool> {
        let mut is_able = self.able(conflict);
        self.extend_back(conflict.part, conflict.class, &mut is_able);
        is_able
    }

    /// Whether a step concerns one part only.
    pub(super) fn is_private(&self, label: Label) -> bool {
        label.action().is_none_or(|action| self.owners.is_private[action.index()])
    }

    /// Separates the states of each of these sets of a part from all others.
    pub(super) fn separate(&mut self, part: usize, sets: &[Vec<bool>]) {
        let partition = self.partition(part);
        let finer = partition
            .refined_by(|state| sets.iter().map(|set| set[state.index()]).collect::<Vec<bool>>());
        debug_assert!(finer.n_blocks() > partition.n_blocks(), "a split is proper");
        let quotient = Quotient::of(self.lts(part), finer);
        self.quotients.insert(part, quotient);
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

    /// The split that the parts belong to.
    pub(super) fn whole_split(&self) -> &'a Split {
        self.split
    }

    /// Gives a part this partition.
    pub(super) fn set(&mut self, part: usize, partition: Partition) {
        if partition.n_blocks() > 1 {
            let quotient = Quotient::of(self.lts(part), partition);
            self.quotients.insert(part, quotient);
        }
    }

    /// The number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.split.environment.len()
    }

    /// The number of classes of all parts.
    pub(super) fn n_classes(&self) -> usize {
        let split: usize = self.quotients.values().map(|q| q.partition().n_blocks()).sum();
        split + self.split.environment.len() - self.quotients.len()
    }

    /// The partition of each part.
    pub(crate) fn partitions(&self) -> Vec<Partition> {
        (0..self.split.environment.len()).map(|part| self.partition(part)).collect()
    }

    /// The partition of a part.
    pub(crate) fn partition(&self, part: usize) -> Partition {
        match self.quotients.get(&part) {
            Some(quotient) => quotient.partition().clone(),
            None => Partition::single(self.lts(part).n_states()),
        }
    }
}

impl Owners {
    fn of(split: &Split) -> Self {
        let systems = split.context_systems();
        let last = systems.iter().filter_map(|lts| lts.alphabet().last()).max();
        let n_actions = last.map_or(0, |action| action.index() + 1);
        let participants = Rows::collect(n_actions, || {
            let parts = split.environment.iter().enumerate();
            parts.flat_map(|(i, part)| part.lts.alphabet().iter().map(move |a| (a.index(), i)))
        });
        let mut is_possible = vec![true; n_actions];
        for part in &split.environment {
            impossible(&part.lts).for_each(|action| is_possible[action.index()] = false);
        }
        let watched = split.monitor.lts.alphabet();
        let is_private = |action: usize| {
            participants.row(action).len() == 1 && !watched.contains(Id::from_index(action))
        };
        let is_private = (0..n_actions).map(is_private).collect();
        Self { participants, is_private, is_possible }
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
