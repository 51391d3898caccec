//! One thread of a round: it expands the states of a chunk, and tells new successors from old ones.

use super::super::ample::{self, Ample, Attempt, Later, Proviso};
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::Findings;
use super::reader::{At, Fresh, Reader};
use crate::flat::Offset;
use crate::store::StoreRef;
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
    /// The offset of the state after them, in a flat store.
    pub end: Offset,
    /// The successors that were not in the store.
    pub fresh: Fresh,
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
    store: StoreRef<'s>,
    reader: &'s mut Reader,
    chunk: &'s mut Chunk,
    /// Whether a violation ends the search.
    first_violation: bool,
    /// The state that is expanded.
    here: At,
    /// What is known of the present attempt, and the transitions before it.
    later: Later,
    before_attempt: u64,
}

impl<'s> Scout<'s> {
    pub fn new(
        store: StoreRef<'s>,
        reader: &'s mut Reader,
        chunk: &'s mut Chunk,
        first_violation: bool,
    ) -> Self {
        let (later, before_attempt) = (Later::new(), 0);
        let here = At::of(store, chunk.first);
        Self { store, reader, chunk, first_violation, here, later, before_attempt }
    }

    /// Expands the next state.
    pub fn expand(&mut self, expander: &mut Expander<'_>, ample: Option<&Ample>) {
        let after = match self.store {
            StoreRef::Flat(flat) => {
                let state = flat.get(self.here.offset);
                ample::expand(expander, ample, state, self);
                self.here.after(state)
            }
            StoreRef::Tree(tree) => {
                let state = self.reader.unfold(tree, expander, self.here.id);
                ample::expand(expander, ample, &state, self);
                let after = self.here.after(&state);
                self.reader.give_back(state);
                after
            }
        };
        self.chunk.n_states += 1;
        self.here = after;
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

    /// Ends the chunk before the next state.
    pub fn end(mut self) {
        self.sift();
        self.chunk.end = self.here.offset;
    }

    fn sift(&mut self) {
        let later = &mut self.later;
        self.reader.sift(self.store, self.here, &mut self.chunk.fresh, |is_later| {
            later.add(is_later);
        });
    }
}

impl Arrivals for Scout<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        self.chunk.transitions += 1;
        let Self { store, reader, here, chunk, .. } = self;
        reader.stage(*store, vector, shape, here.id, &mut chunk.fresh);
        if reader.n_staged() >= BATCH {
            self.sift();
        }
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.chunk.findings.add(outcome, self.here.id, || moves.to_vec());
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
