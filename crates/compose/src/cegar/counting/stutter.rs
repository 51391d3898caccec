//! Steps between the steps of a path that change no class.
//!
//! A step that leaves the context as it is does not occur on a path, but a part may need it to get to
//! the states of its class where it can take the next step: a loop over the members of a group asks
//! them one after the other. Without these steps a part would be split by how far it has come, and
//! a loop over a hundred members into a hundred classes.

use super::Counted;
use super::replay::Replay;
use resy_automata::lts::{ActionId, Label, Rows, StateId};
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Which actions have a step that leaves one context as it is.
pub(super) struct Stutter<'r> {
    replay: &'r Replay<'r>,
    context: &'r [StateId],
    known: RefCell<FxHashMap<ActionId, bool>>,
}

impl<'r> Stutter<'r> {
    pub(super) fn in_context(replay: &'r Replay<'r>, context: &'r [StateId]) -> Self {
        Self { replay, context, known: RefCell::default() }
    }

    fn counted(&self) -> &'r Counted<'r> {
        self.replay.counted
    }

    /// Whether all participants of an action can take it without leaving their classes.
    pub(super) fn allows(&self, label: Label) -> bool {
        let Label::Visible(action) = label else { return true };
        if let Some(&known) = self.known.borrow().get(&action) {
            return known;
        }
        let parts = &self.counted().parts;
        let all = parts.is_possible(action)
            && self.monitor_stays(action)
            && parts.with(action).iter().all(|&part| self.can_stay(part, label));
        self.known.borrow_mut().insert(action, all);
        all
    }

    fn monitor_stays(&self, action: ActionId) -> bool {
        let parts = &self.counted().parts;
        let now = self.context.last().copied();
        let is_watched = parts.monitor().lts.alphabet().contains(action);
        let mut edges = parts.effects().by(action.index()).iter();
        !is_watched || edges.any(|&(from, to)| Some(from) == now && from == to)
    }

    /// Whether a part can take an action within its class; a member in some class that is not empty.
    fn can_stay(&self, part: usize, label: Label) -> bool {
        let parts = &self.counted().parts;
        let Some(quotient) = parts.quotients().get(&part) else { return true };
        let stays = |class: StateId| {
            let edges = quotient.lts().transitions_by(class, label);
            edges.iter().any(|edge| edge.1 == class)
        };
        match self.counted().group_of(part) {
            None => stays(self.replay.class(self.context, part)),
            Some(group) => quotient.lts().states().any(|class| {
                let count = self.replay.count(self.context, group, class);
                count > 0 && stays(class)
            }),
        }
    }

    /// The states that a part can get to from others without leaving a class; for each the index of
    /// its predecessor and the label.
    pub(super) fn reach(
        &self,
        part: usize,
        from: &[StateId],
        class: StateId,
        may: impl Fn(Label) -> bool,
    ) -> Vec<(StateId, Option<(usize, Label)>)> {
        let parts = &self.counted().parts;
        let lts = parts.lts(part);
        let mut is_found = vec![false; lts.n_states()];
        let mut found: Vec<(StateId, Option<(usize, Label)>)> = Vec::new();
        for &state in from {
            if !std::mem::replace(&mut is_found[state.index()], true) {
                found.push((state, None));
            }
        }
        let mut next = 0;
        while let Some(&(state, _)) = found.get(next) {
            for &(label, to) in lts.transitions_from(state) {
                let is_new = !is_found[to.index()] && parts.class_of(part, to) == class;
                if is_new && self.allows(label) && may(label) {
                    is_found[to.index()] = true;
                    found.push((to, Some((next, label))));
                }
            }
            next += 1;
        }
        self.replay.visited(found.len());
        found
    }

    /// The states of a class from which some of these can be reached without leaving it.
    pub(super) fn reach_back(&self, part: usize, class: StateId, states: &mut [bool]) {
        let parts = &self.counted().parts;
        let lts = parts.lts(part);
        self.replay.visited(lts.n_states());
        let members = || lts.states().filter(|&state| parts.class_of(part, state) == class);
        let before = Rows::collect(lts.n_states(), || {
            members().flat_map(|state| {
                let steps = lts.transitions_from(state).iter();
                let inside = steps.filter(|(label, to)| {
                    parts.class_of(part, *to) == class && self.allows(*label)
                });
                inside.map(move |(_, to)| (to.index(), state))
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
}
