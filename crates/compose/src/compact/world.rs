//! The network as seen by its abstractions: the module first, then the parts of the environment, and the monitor.

use super::piece::Piece;
use crate::split::Split;
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_certificate::dangerous;
use resy_index::Id;

/// The place of the module among the pieces.
pub(super) const MODULE: usize = 0;

/// All pieces and the monitor, with what is known of actions.
pub(super) struct World<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub monitor: &'a Lts,
    pub error: StateId,
    /// For each state of the monitor, whether the error can still follow.
    pub is_dangerous: Vec<bool>,
    /// For each action, whether it ever changes the monitor.
    pub changes: Vec<bool>,
    /// For each action, the number of pieces that have it; the monitor counts as two.
    owners: Vec<u32>,
    /// For each action, its letter in the module, counted from 1; 0 if it has none.
    letters: Vec<u32>,
    /// Actions that some piece has and never takes.
    pub is_impossible: Vec<bool>,
    /// Contexts visited and states looked at: the work done, in units that do not depend on the machine.
    pub work: usize,
}

impl<'a> World<'a> {
    /// One class for each part.
    pub(super) fn new(split: &'a Split) -> Self {
        let parts = std::iter::once(&split.module).chain(&split.environment);
        let pieces: Vec<Piece<'a>> = parts.map(Piece::new).collect();
        let monitor = &split.monitor.lts;
        let alphabets = pieces.iter().map(|piece| piece.lts().alphabet());
        let last = alphabets.chain([monitor.alphabet()]).filter_map(|alphabet| alphabet.last());
        let n_actions = last.max().map_or(0, |action| action.index() + 1);
        let mut owners = vec![0; n_actions];
        for piece in &pieces {
            piece.lts().alphabet().iter().for_each(|action| owners[action.index()] += 1);
        }
        monitor.alphabet().iter().for_each(|action| owners[action.index()] += 2);
        let mut letters = vec![0; n_actions];
        for (letter, action) in (1..).zip(split.module.lts.alphabet().iter()) {
            letters[action.index()] = letter;
        }
        let mut changes = vec![false; n_actions];
        for (_, label, _) in monitor.transitions().filter(|step| step.0 != step.2) {
            label.action().into_iter().for_each(|action| changes[action.index()] = true);
        }
        // One class of the module must be refused by words only that the module could have.
        let mut is_impossible = vec![false; n_actions];
        split.module.lts.alphabet().iter().for_each(|action| is_impossible[action.index()] = true);
        for (_, label, _) in split.module.lts.transitions() {
            label.action().into_iter().for_each(|action| is_impossible[action.index()] = false);
        }
        Self {
            pieces,
            monitor,
            error: split.monitor.error,
            is_dangerous: dangerous(monitor, split.monitor.error),
            changes,
            owners,
            letters,
            is_impossible,
            work: 0,
        }
    }

    /// Whether a step with this label concerns the piece alone that takes it.
    pub(super) fn is_private(&self, label: Label) -> bool {
        label.action().is_none_or(|action| self.owners[action.index()] == 1)
    }

    /// The letter of an action in the module.
    pub(super) fn letter(&self, action: ActionId) -> Option<usize> {
        (self.letters[action.index()] as usize).checked_sub(1)
    }

    /// Whether a piece has an action.
    pub(super) fn has(&self, piece: usize, action: ActionId) -> bool {
        self.pieces[piece].lts().alphabet().contains(action)
    }

    /// The pieces of the environment that have an action.
    pub(super) fn environment_of(&self, action: ActionId) -> impl Iterator<Item = usize> + '_ {
        (1..self.pieces.len()).filter(move |&piece| self.has(piece, action))
    }
}
