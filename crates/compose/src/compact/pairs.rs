//! The module as it is with the contexts of the environment: whether they can err together.
//!
//! The classes of the environment are split until the module is safe with them, or until a path into the error is one
//! of the environment, too. The module is not abstracted here: it is one component, and there are few contexts.

use super::contexts::{ContextId, Contexts, ERROR, Mover};
use super::replay::PathMove;
use super::world::{MODULE, World};
use crate::sides::{Cancelled, Fallible, Polled};
use resy_automata::lts::{Label, StateId};
use resy_index::Id;

/// Room for so many pairs at first.
const FEW_PAIRS: usize = 32;

/// The pairs of a state of the module and a context that were found.
#[derive(Default)]
pub(super) struct Pairs {
    found: Vec<Pair>,
    /// For each context, the states of the module that it was found with, as bits of so many words.
    seen: Vec<u64>,
    width: usize,
}

#[derive(Copy, Clone)]
struct Pair {
    state: StateId,
    context: ContextId,
    before: u32,
    by: Mover,
}

impl Pairs {
    /// A shortest path into the error; none if there is none.
    pub(super) fn search(
        &mut self,
        world: &World<'_>,
        contexts: &mut Contexts,
        polled: &dyn Polled,
    ) -> Fallible<Option<Vec<PathMove>>> {
        let module = world.pieces[MODULE].lts();
        self.width = module.n_states().div_ceil(64);
        self.found.reserve(FEW_PAIRS);
        self.seen.resize(self.width * contexts.len(), 0);
        self.reach(module.initial(), 0, u32::MAX, Mover::Internal(MODULE));
        let mut next = 0;
        while let Some(&Pair { state, context, .. }) = self.found.get(next) {
            polled.poll()?;
            let from = u32::try_from(next).map_err(|_| Cancelled)?;
            let range = contexts.leave(world, context);
            let mut joint = range.start;
            // The environment alone; the moves with the module follow.
            while joint < range.end && contexts.at(joint).letter.is_none() {
                let step = contexts.at(joint);
                if step.target == ERROR {
                    return Ok(Some(self.path(from, step.by, state)));
                }
                self.reach(state, step.target, from, step.by);
                joint += 1;
            }
            for &(label, to) in module.transitions_from(state) {
                let Label::Visible(action) = label else {
                    self.reach(to, context, from, Mover::Internal(MODULE));
                    continue;
                };
                let Some(letter) = world.letter(action) else { continue };
                if contexts.is_alone[letter] {
                    self.reach(to, context, from, Mover::Action(action));
                    continue;
                }
                while joint < range.end && contexts.at(joint).letter < Some(letter) {
                    joint += 1;
                }
                let mut at = joint;
                while at < range.end && contexts.at(at).letter == Some(letter) {
                    let step = contexts.at(at);
                    if step.target == ERROR {
                        return Ok(Some(self.path(from, step.by, to)));
                    }
                    self.reach(to, step.target, from, step.by);
                    at += 1;
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// For each state of the module, the contexts that it was found with.
    pub(super) fn rows(&self, n_states: usize) -> Vec<Vec<ContextId>> {
        let mut rows = vec![Vec::new(); n_states];
        for (context, states) in (0..).zip(self.seen.chunks(self.width)) {
            super::moves::members(states).for_each(|state| rows[state].push(context));
        }
        rows
    }

    fn reach(&mut self, state: StateId, context: ContextId, before: u32, by: Mover) {
        let place = context as usize * self.width;
        if self.seen.len() <= place {
            self.seen.resize(place + self.width, 0);
        }
        let states = &mut self.seen[place..][..self.width];
        let (word, bit) = (state.index() / 64, 1_u64 << (state.index() % 64));
        if states[word] & bit == 0 {
            states[word] |= bit;
            self.found.push(Pair { state, context, before, by });
        }
    }

    /// The path to a pair, and then into the error.
    fn path(&self, from: u32, last: Mover, state: StateId) -> Vec<PathMove> {
        let mut at = self.found[from as usize];
        let mut path = vec![PathMove { by: last, context: ERROR, module: Some((at.state, state)) }];
        while let Some(&before) = self.found.get(at.before as usize) {
            let module = Some((before.state, at.state));
            path.push(PathMove { by: at.by, context: at.context, module });
            at = before;
        }
        path.reverse();
        path
    }
}
