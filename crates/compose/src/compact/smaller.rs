//! An assumption with fewer states than the smallest image found.
//!
//! The classes of the environment were made for the module as it is; a smaller assumption may need finer ones. So a
//! path that refuses it is followed in the environment, and if a part cannot follow, its classes are split. First comes
//! the module as one class, then automata (`words`). There is a budget. If the search ends before, no deterministic
//! assumption is smaller than the result.

use super::Compaction;
use super::classes::{BadWord, shared_word};
use super::contexts::Contexts;
use super::moves::Moves;
use super::replay::follow;
use super::world::MODULE;
use crate::sides::{Cancelled, Fallible, Word, WordAutomaton};

/// The least budget of visits of pairs; it may also be as large as the work that was done before.
pub(super) const LEAST_VISITS: usize = 2_000;

/// The least budget of branches; a branch takes as long as a few visits.
pub(super) const LEAST_BRANCHES: usize = 1_000;

/// So many words at most refuse an automaton at once.
const MOST_WORDS: usize = 8;

impl Compaction<'_> {
    /// Looks for a smaller assumption. One class is put in the place of the module's; an automaton is the answer.
    pub(super) fn smaller(&mut self, contexts: &mut Contexts) -> Fallible<Option<WordAutomaton>> {
        let n_classes = self.world.pieces[MODULE].n_classes();
        self.is_smallest = true;
        if n_classes == 1 {
            return Ok(None);
        }
        let visits = self.world.work + LEAST_VISITS;
        let until = self.world.work + visits;
        if self.real_words.is_empty() {
            let one = self.world.pieces[MODULE].moves.merged(&vec![0; n_classes], 1);
            match self.refusal(contexts, &one, 0, until)? {
                Refusal::None => {
                    self.world.pieces[MODULE].merge(&vec![0; n_classes], 1);
                    return Ok(None);
                }
                Refusal::Words(words) => self.real_words.extend(words),
                Refusal::Unknown => {
                    self.is_smallest = false;
                    return Ok(None);
                }
            }
        }
        if n_classes == 2 {
            return Ok(None);
        }
        self.automaton(contexts, n_classes, visits)
    }

    /// Why the environment is not safe with an assumption; its classes are split as needed.
    pub(super) fn refusal(
        &mut self,
        contexts: &mut Contexts,
        moves: &Moves,
        initial: usize,
        until: usize,
    ) -> Fallible<Refusal> {
        loop {
            let found = self.bad_words_of(contexts, moves, initial, MOST_WORDS)?;
            if found.is_empty() {
                return Ok(Refusal::None);
            }
            let (mut words, mut first_stuck) = (Vec::new(), None);
            for BadWord { path, .. } in &found {
                match follow(&self.world, contexts, path) {
                    Ok(_) => words.push(shared_word(&self.world, path)),
                    Err(stuck) => first_stuck = first_stuck.or(Some(stuck)),
                }
            }
            let Some(stuck) = first_stuck.filter(|_| words.is_empty()) else {
                return Ok(Refusal::Words(words));
            };
            if self.world.work > until {
                return Ok(Refusal::Unknown);
            }
            self.split_environment(&stuck);
            *contexts = self.contexts()?;
        }
    }

    /// The contexts for the present classes of the environment.
    pub(super) fn contexts(&mut self) -> Fallible<Contexts> {
        let contexts = Contexts::new(&self.world);
        self.is_too_large |= contexts.is_none();
        contexts.ok_or(Cancelled)
    }
}

/// Whether the environment is safe with an assumption.
pub(super) enum Refusal {
    /// It is.
    None,
    /// Words of the assumption that the environment can follow into an error.
    Words(Vec<Word>),
    /// The budget is spent.
    Unknown,
}
