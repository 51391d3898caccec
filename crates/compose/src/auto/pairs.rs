//! Pairs of a class of the module and a context: a good set, and trials that enlarge it.
//!
//! The pairs that are reached form the least good set. A trial joins a class to a group. The set with
//! the joined class begins with the image of the present one: only pairs of which one of the two was
//! missing, and what is new, have to be explored. If an error is found, the trial is undone.

use super::AutoProgress;
use super::budget::Polls;
use super::contexts::{ContextNumber, ContextSystems, ERROR, OpenContexts};
use super::merge::Trial;
use resy_automata::lts::{Label, Lts};
use resy_index::Id;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Cancellation is polled once per this number of pairs.
const POLL_EVERY: usize = 256;

type Pair = (u32, ContextNumber);

/// A good set of pairs.
pub(super) struct Pairs<'a> {
    contexts: OpenContexts<'a>,
    /// The moves of each class: by labels, to classes that may have been joined to others since.
    moves: Vec<Vec<(Label, u32)>>,
    /// For each class, the group that it was joined to.
    group_of: Vec<u32>,
    /// For each group, its contexts.
    rows: Vec<Vec<ContextNumber>>,
    all: FxHashSet<Pair>,
}

/// The result of closing a set under steps.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// It is good.
    Closed,
    /// A step from it errs.
    Error,
    /// The budget is spent.
    Spent,
    Cancelled,
}

impl<'a> Pairs<'a> {
    /// The pairs that are reached with an image of the module; or why they are not known.
    pub(super) fn reached(
        systems: &'a ContextSystems,
        image: &Lts,
        budget: usize,
        polls: &mut Polls<'_>,
    ) -> Result<Self, Closing> {
        let mut pairs = Self::of(OpenContexts::new(systems), image);
        match pairs.explore(image, budget, polls) {
            Closing::Closed => Ok(pairs),
            other => Err(other),
        }
    }

    /// No pairs of an image with these contexts.
    fn of(contexts: OpenContexts<'a>, image: &Lts) -> Self {
        let row = |state| {
            let row = image.transitions_from(state).iter();
            row.map(|&(label, to)| (label, number(to.index()))).collect()
        };
        let n_states = image.n_states();
        Self {
            contexts,
            moves: image.states().map(row).collect(),
            group_of: (0..n_states).map(number).collect(),
            rows: vec![Vec::new(); n_states],
            all: FxHashSet::default(),
        }
    }

    /// Adds the pairs that are reached.
    fn explore(&mut self, image: &Lts, budget: usize, polls: &mut Polls<'_>) -> Closing {
        let mut new = Vec::new();
        self.insert((number(image.initial().index()), 0), &mut new);
        self.close(&mut new, budget, polls)
    }

    /// The result of exploring the pairs of another image. What is found of contexts is kept.
    pub(super) fn closing_of(
        &mut self,
        image: &Lts,
        budget: usize,
        polls: &mut Polls<'_>,
    ) -> Closing {
        let fresh = OpenContexts::new(self.contexts.systems());
        let mut other = Self::of(std::mem::replace(&mut self.contexts, fresh), image);
        let closing = other.explore(image, budget, polls);
        self.contexts = other.contexts;
        closing
    }

    /// The group of a class.
    pub(super) fn group(&self, class: usize) -> usize {
        self.group_of[class] as usize
    }

    /// The contexts of a group.
    pub(super) fn row(&self, group: usize) -> &[ContextNumber] {
        &self.rows[group]
    }

    /// The contexts, also those that were found in trials only.
    pub(super) fn contexts(&self) -> &OpenContexts<'a> {
        &self.contexts
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Tries to join a class to a group.
    pub(super) fn join(
        &mut self,
        class: usize,
        group: usize,
        budget: usize,
        polls: &mut Polls<'_>,
    ) -> Trial {
        let (mut new, own_moves) = (Vec::new(), self.moves[group].clone());
        let moved = std::mem::take(&mut self.rows[class]);
        let n_before = self.rows[group].len();
        let own_row: FxHashSet<ContextNumber> = self.rows[group].iter().copied().collect();
        self.group_of[class] = number(group);
        self.moves[group] = self.joined_moves(class, group);
        for &context in &moved {
            self.all.remove(&(number(class), context));
            self.insert((number(group), context), &mut new);
        }
        // The moves of the class are new where only the group was.
        let moved_row: FxHashSet<ContextNumber> = moved.iter().copied().collect();
        let mut frontier: Vec<Pair> = new.clone();
        let only_group = own_row.iter().filter(|context| !moved_row.contains(context));
        frontier.extend(only_group.map(|&context| (number(group), context)));
        frontier.sort_unstable();
        let closing = self.close_from(frontier, &mut new, budget, polls);
        if closing == Closing::Closed {
            return Trial::Joined;
        }
        // Undo, in the opposite order.
        for pair in new.into_iter().rev() {
            self.all.remove(&pair);
            self.rows[pair.0 as usize].pop();
        }
        debug_assert_eq!(self.rows[group].len(), n_before);
        self.moves[group] = own_moves;
        self.group_of[class] = number(class);
        for &context in &moved {
            self.all.insert((number(class), context));
        }
        self.rows[class] = moved;
        match closing {
            Closing::Error => Trial::Refused(None),
            Closing::Cancelled => Trial::Cancelled,
            _ => Trial::GivenUp,
        }
    }

    /// The moves of a class and a group together.
    fn joined_moves(&self, class: usize, group: usize) -> Vec<(Label, u32)> {
        let moves = self.moves[class].iter().chain(&self.moves[group]);
        let mut joined: Vec<(Label, u32)> =
            moves.map(|&(label, to)| (label, self.group_of[to as usize])).collect();
        joined.sort_unstable();
        joined.dedup();
        joined
    }

    fn insert(&mut self, pair: Pair, new: &mut Vec<Pair>) -> bool {
        let is_new = self.all.insert(pair);
        if is_new {
            self.rows[pair.0 as usize].push(pair.1);
            new.push(pair);
        }
        is_new
    }

    fn close(&mut self, new: &mut Vec<Pair>, budget: usize, polls: &mut Polls<'_>) -> Closing {
        self.close_from(new.clone(), new, budget, polls)
    }

    /// Closes the set under steps from these pairs; `new` collects the pairs that are added.
    fn close_from(
        &mut self,
        frontier: Vec<Pair>,
        new: &mut Vec<Pair>,
        budget: usize,
        polls: &mut Polls<'_>,
    ) -> Closing {
        let mut queue = VecDeque::from(frontier);
        let start = self.contexts.work;
        let mut n_seen = 0;
        while let Some(pair) = queue.pop_front() {
            let work = self.contexts.work - start + n_seen;
            if work > budget {
                return Closing::Spent;
            }
            if n_seen % POLL_EVERY == 0 && !polls.go_on(&AutoProgress::Exploring(self.len())) {
                return Closing::Cancelled;
            }
            n_seen += 1;
            let Some(next) = self.successors(pair) else { return Closing::Error };
            n_seen += next.len() / 8;
            for pair in next {
                if self.insert(pair, new) {
                    queue.push_back(pair);
                }
            }
        }
        Closing::Closed
    }

    /// The successors of a pair; `None` if one is an error.
    fn successors(&mut self, (class, context): Pair) -> Option<Vec<Pair>> {
        let mut next = Vec::new();
        for &to in self.contexts.own(context) {
            next.push((class, to));
        }
        for i in 0..self.moves[class as usize].len() {
            let (label, to) = self.moves[class as usize][i];
            let to = self.group_of[to as usize];
            match label {
                label if self.contexts.is_private(label) => next.push((to, context)),
                Label::Visible(action) => {
                    next.extend(self.contexts.joint(context, action).iter().map(|&q| (to, q)));
                }
                Label::Tau => {}
            }
        }
        next.iter().all(|pair| pair.1 != ERROR).then_some(next)
    }
}

fn number(class: usize) -> u32 {
    u32::try_from(class).expect("more than u32::MAX classes")
}
