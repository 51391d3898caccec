//! Telling new states from old ones in a store that several threads read.
//!
//! A sieve has batches as the store itself has them, but nothing is inserted: what is not found becomes a candidate,
//! and the candidates of all threads are [merged](FlatStore::merge) into the store afterwards.

use super::index::ABSENT;
use super::{FlatStore, Offset, Staged, is_equal};
use crate::tree::StoredId;
use std::sync::atomic::AtomicU32;

/// The states that one thread has not found in the store, in the order in which they were reached. A state may be
/// there several times.
#[derive(Default)]
pub struct Candidates {
    words: Vec<u64>,
    pub(super) states: Vec<Candidate>,
    /// The numbers of the candidates that belong to each part of the index.
    pub(super) by_part: Vec<Vec<u32>>,
}

pub(super) struct Candidate {
    pub tag: u32,
    /// The end of its words.
    end: u32,
    /// The number of its bytes.
    pub length: u32,
    /// The state that it was reached from.
    pub from: StoredId,
    /// Its offset in the store; before it is known 0, or [`AGAIN`].
    pub offset: AtomicU32,
}

/// The candidate is equal to an earlier one.
pub(super) const AGAIN: Offset = Offset::MAX;

impl Candidates {
    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of words of all candidates.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Forgets the candidates, but not their memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.states.clear();
        self.by_part.iter_mut().for_each(Vec::clear);
    }

    /// The words of a candidate.
    #[inline]
    pub(super) fn words(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.states[number - 1].end };
        &self.words[start as usize..self.states[number].end as usize]
    }
}

/// Looks up states in batches.
#[derive(Default)]
pub struct Sieve {
    staged: Staged,
    /// For each state of the batch, the state that it was reached from.
    from: Vec<StoredId>,
}

impl Sieve {
    /// Puts a state into the batch of those that are looked up next.
    #[inline]
    pub fn stage(&mut self, store: &FlatStore, vector: &[u8], from: StoredId) {
        let tag = self.staged.push(vector);
        store.index.prefetch(tag);
        self.from.push(from);
    }

    /// The number of states in the batch.
    #[inline]
    pub fn n_staged(&self) -> usize {
        self.from.len()
    }

    /// Looks up the states of the batch in their order, and passes for each its offset, or `None` if it is not in the
    /// store: then it is a candidate.
    pub fn sift(
        &mut self,
        store: &FlatStore,
        fresh: &mut Candidates,
        mut out: impl FnMut(Option<Offset>),
    ) {
        let Self { staged, from } = self;
        let stored = store.states.words();
        fresh.by_part.resize_with(store.index.n_parts(), Vec::new);
        staged.guess(&store.index, stored);
        let mut start = 0;
        for (state, &from) in staged.states.iter().zip(from.iter()) {
            let words = &staged.words[start..state.end as usize];
            start = state.end as usize;
            let is_it = |offset: Offset| is_equal(stored, offset, words);
            let found = match state.guess {
                ABSENT => None,
                guess if guess != 0 && is_it(guess) => Some(guess),
                _ => store.index.find(state.tag, is_it),
            };
            if found.is_none() {
                fresh.by_part[store.index.number(state.tag)].push(fresh.states.len() as u32);
                fresh.words.extend_from_slice(words);
                let (tag, end, length) = (state.tag, fresh.words.len() as u32, state.length);
                let offset = AtomicU32::new(0);
                fresh.states.push(Candidate { tag, end, length, from, offset });
            }
            out(found);
        }
        staged.clear();
        from.clear();
    }
}
