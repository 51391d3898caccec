//! A part of the network by classes: the module, or a part of its environment.

use super::moves::Moves;
use crate::split::SplitPart;
use resy_automata::lts::{ActionId, Label, Lts, Rows, StateId};
use resy_automata::partition::Partition;
use resy_index::Id;

/// A part with a partition. As long as it has one class it takes part in everything, and has no steps.
pub(super) struct Piece<'a> {
    pub part: &'a SplitPart,
    /// The class of each state; empty if there is one class.
    class_of: Vec<u32>,
    n_classes: usize,
    /// For each action, its letter, counted from 1; 0 if it is none of this part. Empty if there is one class.
    letters: Vec<u32>,
    /// The steps of the classes.
    pub moves: Moves,
}

impl<'a> Piece<'a> {
    /// One class.
    pub(super) fn new(part: &'a SplitPart) -> Self {
        let (class_of, letters) = Default::default();
        Self { part, class_of, n_classes: 1, letters, moves: Moves::default() }
    }

    /// The behaviour.
    pub(super) fn lts(&self) -> &'a Lts {
        &self.part.lts
    }

    /// Whether there is more than one class.
    pub(super) fn is_split(&self) -> bool {
        self.n_classes > 1
    }

    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The class of a state.
    pub(super) fn class_of(&self, state: StateId) -> usize {
        self.class_of.get(state.index()).map_or(0, |&class| class as usize)
    }

    /// The letter of an action of a part that was split.
    pub(super) fn letter(&self, action: ActionId) -> Option<usize> {
        (*self.letters.get(action.index())? as usize).checked_sub(1)
    }

    /// The letter of internal steps.
    pub(super) fn internal(&self) -> usize {
        self.lts().alphabet().len()
    }

    /// Splits a class: the states for which `is_able` holds become a new one. Whether both parts have members.
    pub(super) fn split(&mut self, class: usize, is_able: &[bool]) -> bool {
        let here = |state: usize| self.class_of.get(state).is_none_or(|&c| c as usize == class);
        let members = || is_able.iter().enumerate().filter(|&(state, _)| here(state));
        if members().all(|(_, &able)| able) || members().all(|(_, &able)| !able) {
            return false;
        }
        let new = u32::try_from(self.n_classes).expect("fewer than u32::MAX classes");
        let change = members().filter(|&(_, &able)| able).map(|(state, _)| state);
        let change: Vec<usize> = change.collect();
        self.class_of.resize(self.lts().n_states(), 0);
        change.into_iter().for_each(|state| self.class_of[state] = new);
        self.n_classes += 1;
        self.connect();
        true
    }

    /// Makes each state a class.
    pub(super) fn keep_whole(&mut self) {
        self.classify((0..).take(self.lts().n_states()).collect());
    }

    /// Has classes by the given numbers, which are dense.
    pub(super) fn classify(&mut self, class_of: Vec<u32>) {
        self.n_classes = class_of.iter().max().map_or(1, |&last| last as usize + 1);
        self.class_of = class_of;
        self.connect();
    }

    /// Puts classes together; each is in one of `n_groups` groups.
    pub(super) fn merge(&mut self, group_of: &[usize], n_groups: usize) {
        for class in &mut self.class_of {
            *class = u32::try_from(group_of[*class as usize]).expect("a group is a class");
        }
        self.n_classes = n_groups;
        self.moves = self.moves.merged(group_of, n_groups);
    }

    /// Computes the steps of the classes.
    fn connect(&mut self) {
        let lts = self.lts();
        if self.letters.is_empty() {
            let n_actions = lts.alphabet().last().map_or(0, |action| action.index() + 1);
            self.letters = vec![0; n_actions];
            for (letter, action) in (1..).zip(lts.alphabet().iter()) {
                self.letters[action.index()] = letter;
            }
        }
        let internal = self.internal();
        let mut moves = Moves::new(internal + 1, self.n_classes);
        for (state, &from) in lts.states().zip(&self.class_of) {
            for &(label, to) in lts.transitions_from(state) {
                let letter = match label {
                    Label::Visible(action) => self.letters[action.index()] as usize - 1,
                    Label::Tau => internal,
                };
                moves.insert(letter, from as usize, self.class_of[to.index()] as usize);
            }
        }
        self.moves = moves;
    }

    /// For each state, those before it by a silent step.
    pub(super) fn before(&self, is_silent: impl Fn(Label) -> bool) -> Rows<StateId> {
        let mut steps = Vec::new();
        for state in self.lts().states() {
            for &(label, to) in self.lts().transitions_from(state) {
                if is_silent(label) {
                    steps.push((to.index(), state));
                }
            }
        }
        Rows::collect(self.lts().n_states(), || steps.iter().copied())
    }

    /// The states of a class with a step into a class, possibly after silent steps within their own; `before`: by these.
    pub(super) fn able(
        &self,
        class: usize,
        is_step: impl Fn(Label) -> bool,
        target: usize,
        before: &Rows<StateId>,
    ) -> Vec<bool> {
        let lts = self.lts();
        let is_here = |state: StateId| self.class_of(state) == class;
        let mut is_able = vec![false; lts.n_states()];
        let mut new = Vec::new();
        for state in lts.states().filter(|&state| is_here(state)) {
            let mut steps = lts.transitions_from(state).iter();
            if steps.any(|step| is_step(step.0) && self.class_of(step.1) == target) {
                is_able[state.index()] = true;
                new.push(state);
            }
        }
        while let Some(state) = new.pop() {
            for &from in before.row(state.index()).iter().filter(|&&from| is_here(from)) {
                if !std::mem::replace(&mut is_able[from.index()], true) {
                    new.push(from);
                }
            }
        }
        is_able
    }

    /// The partition.
    pub(super) fn partition(&self) -> Partition {
        let states = (0..self.lts().n_states()).map(Id::from_index);
        Partition::by_keys(states.map(|state| self.class_of(state)))
    }
}
