//! One thread of a round: it expands the states of a chunk, and tells new successors from old ones.

use super::super::ample::{self, Ample, Attempt, Later, Proviso};
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::Findings;
use crate::flat::{Candidates, FlatStore, Offset, Sieve};
use crate::tree::StoredId;
use crate::vector::Shape;
use resy_system::Outcome;

/// The number of successors that are looked up together.
const BATCH: usize = 256;

/// What the states of a chunk lead to.
#[derive(Default)]
pub(super) struct Chunk {
    /// Its first state.
    pub first: StoredId,
    /// The number of its states that were expanded.
    pub n_states: usize,
    /// The offset of the state after them.
    pub end: Offset,
    /// The successors that were not in the store.
    pub fresh: Candidates,
    pub transitions: u64,
    pub findings: Findings,
    /// The state at which the round must end without result, if it must.
    pub cut: Option<StoredId>,
}

impl Chunk {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.fresh.clear();
        let fresh = std::mem::take(&mut self.fresh);
        *self = Self { fresh, ..Self::default() };
    }
}

/// Expands the states of a chunk.
pub(super) struct Scout<'s> {
    store: &'s FlatStore,
    sieve: &'s mut Sieve,
    chunk: &'s mut Chunk,
    /// Whether a violation ends the search.
    first_violation: bool,
    current: StoredId,
    here: Offset,
    /// What is known of the present attempt, and the transitions before it.
    later: Later,
    before_attempt: u64,
}

impl<'s> Scout<'s> {
    pub fn new(
        store: &'s FlatStore,
        sieve: &'s mut Sieve,
        chunk: &'s mut Chunk,
        first_violation: bool,
    ) -> Self {
        let (later, before_attempt) = (Later::new(), 0);
        Self { store, sieve, chunk, first_violation, current: 0, here: 0, later, before_attempt }
    }

    /// Expands a state; returns the offset of the next one.
    pub fn expand(
        &mut self,
        expander: &mut Expander<'_>,
        ample: Option<&Ample>,
        id: StoredId,
        offset: Offset,
    ) -> Offset {
        (self.current, self.here) = (id, offset);
        let state = self.store.get(offset);
        ample::expand(expander, ample, state, self);
        self.chunk.n_states += 1;
        offset + state.len().div_ceil(8) as Offset
    }

    /// Whether a violation ends the search.
    pub fn has_ended(&self) -> bool {
        !self.goes_on()
    }

    /// The number of words of new states.
    pub fn n_words(&self) -> usize {
        self.chunk.fresh.n_words()
    }

    /// The round ends at this state, without result.
    pub fn cut(&mut self, id: StoredId) {
        self.chunk.cut = Some(id);
    }

    /// Ends the chunk, before the state at this offset.
    pub fn end(mut self, offset: Offset) {
        self.sift();
        self.chunk.end = offset;
    }

    fn sift(&mut self) {
        let (here, later) = (self.here, &mut self.later);
        // What is not in the store is expanded after all that is.
        let note = |offset: Option<Offset>| later.add(offset.is_none_or(|offset| offset > here));
        self.sieve.sift(self.store, &mut self.chunk.fresh, note);
    }
}

impl Arrivals for Scout<'_> {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        self.chunk.transitions += 1;
        self.sieve.stage(self.store, vector, self.current);
        if self.sieve.n_staged() >= BATCH {
            self.sift();
        }
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.chunk.findings.add(outcome, self.current, || moves.to_vec());
    }

    fn goes_on(&self) -> bool {
        !self.first_violation || self.chunk.findings.is_empty()
    }
}

impl Attempt for Scout<'_> {
    fn begin(&mut self) {
        self.sift();
        self.later = Later::new();
        self.before_attempt = self.chunk.transitions;
    }

    fn satisfies(&mut self, proviso: Proviso) -> bool {
        self.sift();
        self.later.satisfies(proviso, self.chunk.transitions - self.before_attempt)
    }

    fn withdraw(&mut self) {
        self.chunk.transitions = self.before_attempt;
    }
}
