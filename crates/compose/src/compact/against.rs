//! Words of the module that an automaton rejects.
//!
//! The pairs of a state of the module and one of the automaton are visited in the order of their distance. The visit
//! ends after the distance at which a word is rejected first, and gives a word for each state of the automaton and each
//! letter that it rejects there: the next automaton learns from all of them, and is visited once.

use super::Compaction;
use super::moves::Moves;
use super::world::MODULE;
use crate::sides::{Fallible, Word};
use resy_automata::lts::{ActionId, Label, StateId};
use resy_index::Id;

/// The target of a letter that the automaton rejects.
const REJECTED: u32 = u32::MAX;

/// A pair that was reached.
#[derive(Copy, Clone)]
struct Reached {
    state: StateId,
    /// The state of the automaton.
    q: u32,
    /// The place of the pair before it, and the action between them.
    before: u32,
    action: Option<ActionId>,
}

impl Compaction<'_> {
    /// The words of the module that an automaton rejects first, one for each state and letter; none if it accepts all.
    pub(super) fn words_against(&mut self, moves: &Moves) -> Fallible<Vec<Word>> {
        let module = self.world.pieces[MODULE].lts();
        let n = moves.n_classes();
        let after = self.after(moves);
        let mut seen = vec![0_u64; module.n_states()];
        let mut refused: Vec<(u32, ActionId)> = Vec::new();
        let mut words = Vec::new();
        let mut found =
            vec![Reached { state: module.initial(), q: 0, before: u32::MAX, action: None }];
        seen[module.initial().index()] = 1;
        let (mut next, mut end) = (0, 1);
        while let Some(&Reached { state, q, .. }) = found.get(next) {
            if next == end {
                if !words.is_empty() {
                    break;
                }
                end = found.len();
            }
            self.polled.poll()?;
            let place = u32::try_from(next).expect("fewer than u32::MAX pairs");
            for &(label, to) in module.transitions_from(state) {
                let action = label.action();
                let letter = action.and_then(|action| self.world.letter(action));
                let now = letter.map_or(q, |letter| after[letter * n + q as usize]);
                if now == REJECTED {
                    let Some(action) = action.filter(|&a| !refused.contains(&(q, a))) else {
                        continue;
                    };
                    refused.push((q, action));
                    words.push(self.word_to(&found, place, action));
                } else if seen[to.index()] >> now & 1 == 0 {
                    seen[to.index()] |= 1 << now;
                    found.push(Reached { state: to, q: now, before: place, action });
                }
            }
            next += 1;
        }
        self.world.work += found.len();
        Ok(words)
    }

    /// For each letter of the module and each state of an automaton, the state after it.
    fn after(&self, moves: &Moves) -> Vec<u32> {
        let mut after = Vec::with_capacity(moves.n_letters() * moves.n_classes());
        for (letter, action) in self.world.pieces[MODULE].lts().alphabet().iter().enumerate() {
            let is_private = self.world.is_private(Label::Visible(action));
            for q in 0..moves.n_classes() {
                let target = if is_private { Some(q) } else { moves.targets(letter, q).next() };
                let number = |q| u32::try_from(q).expect("an automaton has few states");
                after.push(target.map_or(REJECTED, number));
            }
        }
        after
    }

    /// The shared actions on the way to a pair, and one more.
    fn word_to(&self, found: &[Reached], mut at: u32, last: ActionId) -> Word {
        let mut word = Word::from([last]);
        while let Some(&Reached { before, action, .. }) = found.get(at as usize) {
            word.extend(action.filter(|&action| !self.world.is_private(Label::Visible(action))));
            at = before;
        }
        word.reverse();
        word
    }
}
