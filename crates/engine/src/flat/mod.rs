//! The fast store of states: whole vectors, one after the other.
//!
//! States lie in an arena in the order of discovery, each in whole words, so that a breadth-first search needs no
//! other queue. An `index` of one word a state finds them. An insertion touches one cache line of the index
//! and, if the state is known, the state itself; both are fetched in advance for a whole batch. Equal tags are
//! followed by a comparison of all bytes: the store is exact.
//!
//! It takes 40 to 60 bytes a state where the [tree](crate::tree) takes less than 20, in about a third of the time.
//! A search uses it while memory is plentiful.

mod index;
mod merge;
mod pages;
mod parts;
mod sieve;

pub use index::Offset;
pub use sieve::{Candidates, Sieve};

use crate::tree::StoredId;
use crate::tree::cpu::prefetch;
use crate::tree::hash;
use crate::vector::shape_number;
use index::ABSENT;
use pages::Pages;
use parts::PartedIndex;
use std::ops::Range;

/// The addresses that are reserved for states, in bytes: as many words as an offset has values, where an address has 64
/// bits.
const MOST: usize = 1 << if usize::BITS > 32 { 35 } else { 27 };
/// The offset of every state whose number is a multiple of this is noted.
pub const DISTANCE: usize = 256;
/// Room for this many words is kept, so that the caller need not ask before every insertion.
const MARGIN: usize = 1 << 22;

/// The set of states found so far, in order of discovery.
pub struct FlatStore {
    states: Pages,
    /// The end of the states, in words. The first word is not used: no state has offset 0.
    end: usize,
    index: PartedIndex,
    /// The offsets of some states, by which the others are found.
    notes: Vec<Offset>,
    n_states: usize,
    /// The states before this offset are freed.
    released: usize,
    /// The length of the vectors of each shape, 0 if there is none yet.
    lengths: Vec<u32>,
    /// The shapes whose length is known and their lengths, in order of discovery.
    seen: Vec<(u32, u32)>,
    staged: Staged,
}

/// States that wait to be inserted together.
#[derive(Default)]
struct Staged {
    words: Vec<u64>,
    states: Vec<StagedState>,
}

struct StagedState {
    tag: u32,
    /// The end of its words.
    end: u32,
    /// The number of its bytes.
    length: u32,
    /// The first state with this tag, as far as it is known.
    guess: Offset,
}

impl Staged {
    /// Adds a state; returns its tag.
    #[inline]
    fn push(&mut self, vector: &[u8]) -> u32 {
        let tag = tag_of(vector);
        push_words(&mut self.words, vector);
        let (end, length) = (self.words.len() as u32, vector.len() as u32);
        self.states.push(StagedState { tag, end, length, guess: 0 });
        tag
    }

    /// Guesses where each state is, and starts to fetch it.
    #[inline]
    fn guess(&mut self, index: &PartedIndex, stored: &[u64]) {
        for state in &mut self.states {
            state.guess = index.guess(state.tag);
            if state.guess != ABSENT {
                prefetch(&stored[state.guess as usize]);
            }
        }
    }

    fn clear(&mut self) {
        self.words.clear();
        self.states.clear();
    }
}

impl FlatStore {
    /// An empty store; `None` if the system does not reserve memory in this way.
    pub fn new() -> Option<Self> {
        let store = Self {
            states: Pages::reserve(MOST),
            end: 1,
            index: PartedIndex::new(0),
            notes: Vec::new(),
            n_states: 0,
            released: 0,
            lengths: Vec::new(),
            seen: Vec::new(),
            staged: Staged::default(),
        };
        store.has_room().then_some(store)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.n_states
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// Whether there is room for some thousand more states.
    pub fn has_room(&self) -> bool {
        let limit = self.states.words().len();
        self.fits(MARGIN, limit)
            && self.index.has_room(MARGIN)
            && self.n_states < u32::MAX as usize - MARGIN
    }

    fn fits(&self, n_words: usize, limit: usize) -> bool {
        self.end + n_words <= limit
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        8 * (self.end - self.released)
            + self.index.memory()
            + self.notes.capacity() * size_of::<Offset>()
    }

    /// Puts a state into the batch of those that are inserted next.
    #[inline]
    pub fn stage(&mut self, vector: &[u8]) {
        let tag = self.staged.push(vector);
        self.index.prefetch(tag);
    }

    /// The number of states in the batch.
    #[inline]
    pub fn n_staged(&self) -> usize {
        self.staged.states.len()
    }

    /// Takes all states but the first `n` out of the batch.
    pub fn truncate_staged(&mut self, n: usize) {
        let Staged { words, states } = &mut self.staged;
        states.truncate(n);
        words.truncate(states.last().map_or(0, |last| last.end as usize));
    }

    /// Inserts the states of the batch in their order, and passes for each its offset and whether it is new. If there
    /// is no room for them, they stay in the batch; returns whether they were inserted.
    pub fn insert_staged(&mut self, mut out: impl FnMut(Offset, bool)) -> bool {
        let mut staged = std::mem::take(&mut self.staged);
        let limit = self.states.words().len();
        if !self.fits(staged.words.len(), limit) || !self.index.has_room(staged.states.len()) {
            self.staged = staged;
            return false;
        }
        staged.guess(&self.index, self.states.words());
        let mut start = 0;
        for state in &staged.states {
            let words = &staged.words[start..state.end as usize];
            start = state.end as usize;
            let is_guess = !matches!(state.guess, 0 | ABSENT) && self.is_at(state.guess, words);
            let (offset, new) =
                if is_guess { (state.guess, false) } else { self.insert(state, words) };
            out(offset, new);
        }
        staged.clear();
        self.staged = staged;
        self.states.used(self.end);
        self.index.grow_if_full();
        true
    }

    #[inline]
    fn insert(&mut self, state: &StagedState, words: &[u64]) -> (Offset, bool) {
        let Self { index, states, end, .. } = self;
        let is_it = |offset: Offset| is_equal(states.words(), offset, words);
        let here = *end as Offset;
        if let Some(known) = index.find_or_enter(state.tag, here, is_it) {
            return (known, false);
        }
        for (to, &word) in states.words_mut()[*end..].iter_mut().zip(words) {
            *to = word;
        }
        *end += words.len();
        if self.n_states.is_multiple_of(DISTANCE) {
            self.notes.push(here);
        }
        self.n_states += 1;
        let shape = words.first().map_or(0, |word| shape_number(&word.to_ne_bytes()));
        self.note_length(shape, state.length);
        (here, true)
    }

    #[inline]
    fn is_at(&self, offset: Offset, words: &[u64]) -> bool {
        is_equal(self.states.words(), offset, words)
    }

    /// Notes the length of the vectors of a new state's shape.
    #[inline]
    fn note_length(&mut self, shape: u32, length: u32) {
        if !has_length(&self.lengths, shape) {
            let number = shape as usize;
            self.lengths.resize(self.lengths.len().max(number + 1), 0);
            self.lengths[number] = length;
            self.seen.push((shape, length));
        }
    }

    /// The offset of a state, if the store has it.
    pub fn find(&self, vector: &[u8]) -> Option<Offset> {
        self.index.find(tag_of(vector), |offset| self.get(offset) == vector)
    }

    /// The offset after the last state.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The offset of the first state.
    pub fn first(&self) -> Offset {
        1
    }

    /// The state at an offset.
    #[inline]
    pub fn get(&self, offset: Offset) -> &[u8] {
        let bytes = &self.states.bytes()[8 * offset as usize..];
        let length = self.lengths[shape_number(bytes) as usize];
        &bytes[..length as usize]
    }

    /// The offset of the state after the one at this offset.
    #[inline]
    pub fn after(&self, offset: Offset) -> Offset {
        offset + self.get(offset).len().div_ceil(8) as Offset
    }

    /// The offset of the state with this number.
    pub fn locate(&self, id: StoredId) -> Offset {
        let id = id as usize;
        let Some(&note) = self.notes.get(id / DISTANCE) else { return self.end as Offset };
        (0..id % DISTANCE).fold(note, |offset, _| self.after(offset))
    }

    /// The offsets between which a state lies: that of an earlier one or its own, and that of a later one.
    pub fn around(&self, id: StoredId) -> Range<Offset> {
        let note = |number: usize| self.notes.get(number).copied().unwrap_or(self.end as Offset);
        let number = id as usize / DISTANCE;
        note(number)..note(number + 1)
    }

    /// The shapes of the states and the lengths of their vectors, in order of discovery.
    pub fn shapes(&self) -> &[(u32, u32)] {
        &self.seen
    }

    /// The bytes of all states, as they lie in memory, from a position on.
    pub fn bytes_from(&self, position: usize) -> &[u8] {
        &self.states.bytes()[8 + position..8 * self.end]
    }

    /// Frees the index: from here on states are only read.
    pub fn drop_index(&mut self) {
        self.index = PartedIndex::none();
    }

    /// Frees the memory of the states before an offset, which are not read any more.
    pub fn release_before(&mut self, offset: Offset) {
        self.states.release(self.released..offset as usize);
        self.released = offset as usize;
    }

    /// Takes the states that wait to be inserted.
    pub fn take_staged(&mut self) -> Vec<Vec<u8>> {
        let Staged { words, states } = std::mem::take(&mut self.staged);
        let mut start = 0;
        let vector = |state: &StagedState| {
            let words = &words[start..state.end as usize];
            start = state.end as usize;
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            bytes.truncate(state.length as usize);
            bytes
        };
        states.iter().map(vector).collect()
    }

    /// All states from a number on.
    pub fn states_from(&self, id: StoredId) -> impl Iterator<Item = &[u8]> {
        let n = self.n_states.saturating_sub(id as usize);
        let mut next = if n > 0 { self.locate(id) } else { 0 };
        (0..n).map(move |_| {
            let state = self.get(next);
            next += state.len().div_ceil(8) as Offset;
            state
        })
    }
}

/// Whether the length of the vectors of a shape is known.
#[inline]
fn has_length(lengths: &[u32], shape: u32) -> bool {
    lengths.get(shape as usize).is_some_and(|&length| length != 0)
}

/// Whether the words at an offset are these. Equal first words mean equal shapes, so equal lengths.
#[inline]
fn is_equal(states: &[u64], offset: Offset, words: &[u64]) -> bool {
    states[offset as usize..].iter().zip(words).all(|(a, b)| a == b)
}

/// The tag of a state: never 0, which is that of a free slot.
#[inline]
fn tag_of(vector: &[u8]) -> u32 {
    ((hash::of_bytes(vector) >> 32) as u32).max(1)
}

/// Appends a vector in whole words; the rest of the last one is 0.
#[inline]
fn push_words(words: &mut Vec<u64>, vector: &[u8]) {
    let (whole, rest) = vector.as_chunks();
    words.extend(whole.iter().map(|bytes| u64::from_ne_bytes(*bytes)));
    if !rest.is_empty() {
        let last = match vector.last_chunk() {
            Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
            None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        words.push(last.to_le());
    }
}
