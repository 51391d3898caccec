//! Merging candidates into the store, by several threads, with one result.
//!
//! Candidates come in lists, whose order is that in which one thread would have reached them. The result is what that
//! thread would have made: the same states with the same numbers at the same offsets. There are three loops, each of
//! which all threads share, and nothing is written by two of them:
//!
//! 1. by part of the index: of equal candidates the first one stays;
//! 2. by list: what stays is copied into the arena, where each list has a range of its own;
//! 3. by part of the index: the offsets are entered.

use super::index::TagIndex;
use super::sieve::{AGAIN, Candidate, Candidates};
use super::{DISTANCE, FlatStore, Offset, has_length, is_equal};
use crate::tree::StoredId;
use crate::vector::shape_number;
use hashbrown::hash_table::{Entry, HashTable};
use rayon::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

/// While an entry is made, the one this many behind it is fetched.
const AHEAD: usize = 8;

/// How many candidates of a list stay, and the number of their words.
#[derive(Copy, Clone, Default)]
struct Share {
    n_states: usize,
    n_words: usize,
}

/// What is known of a list after it was copied.
#[derive(Default)]
struct Copied {
    /// The states whose numbers are multiples of [`DISTANCE`]: the offset, and the state they were reached from.
    noted: Vec<(Offset, StoredId)>,
    /// Shapes without a known length.
    shapes: Vec<(u32, u32)>,
}

impl FlatStore {
    /// Divides the index among so many threads, unless it is; whether it is then. Where addresses are limited (`ulimit
    /// -v`), there may be too few for another index, and one thread goes on.
    #[must_use]
    pub fn share_among(&mut self, n_threads: usize) -> bool {
        // More parts than threads, so that none waits for the last part.
        let n_bits = (4 * n_threads).next_power_of_two().trailing_zeros().min(6);
        if self.index.n_parts() != 1 << n_bits {
            match self.index.split(n_bits) {
                Some(index) => self.index = index,
                None => return false,
            }
        }
        true
    }

    /// Inserts the candidates of some lists in their order; they must have been sifted since the last insertion. Passes
    /// for every new state whose number is a multiple of [`DISTANCE`] the number and the state it was reached from. If
    /// there is no room, nothing is inserted; returns whether they were. Runs in the threads of the caller's pool.
    pub fn merge(&mut self, lists: &[Candidates], mut out: impl FnMut(StoredId, StoredId)) -> bool {
        let n_words = lists.iter().map(Candidates::n_words).sum();
        let n_states = lists.iter().map(Candidates::len).sum();
        let limit = self.states.words().len();
        if !self.fits(n_words, limit) || !self.index.has_room(n_states) {
            return false;
        }
        let parts = 0..self.index.n_parts();
        let shares = parts.into_par_iter().map(|part| first_ones(part, lists));
        let shares = shares.reduce(|| vec![Share::default(); lists.len()], sum);
        let copied = self.copy(lists, &shares);
        let parts = self.index.parts_mut().par_iter_mut().enumerate();
        parts.for_each(|(number, part)| enter_all(part, number, lists));
        for (offset, from) in copied.iter().flat_map(|list| &list.noted) {
            out((self.notes.len() * DISTANCE) as StoredId, *from);
            self.notes.push(*offset);
        }
        self.n_states += shares.iter().map(|share| share.n_states).sum::<usize>();
        self.end += shares.iter().map(|share| share.n_words).sum::<usize>();
        for (shape, length) in copied.into_iter().flat_map(|list| list.shapes) {
            self.note_length(shape, length);
        }
        self.states.used(self.end);
        true
    }

    /// The offset of the candidate with this number, after its list was merged.
    pub fn offset_of(&self, list: &Candidates, number: usize) -> Offset {
        let candidate = &list.states[number];
        match candidate.offset.load(Relaxed) {
            AGAIN => {
                let words = list.words(number as u32);
                let is_it = |offset| is_equal(self.states.words(), offset, words);
                self.index.find(candidate.tag, is_it).unwrap_or(AGAIN)
            }
            offset => offset,
        }
    }

    /// Copies what stays of the lists to the end of the arena, and tells the candidates their offsets.
    fn copy(&mut self, lists: &[Candidates], shares: &[Share]) -> Vec<Copied> {
        let Self { states, end, n_states, lengths, .. } = self;
        let (mut offset, mut id) = (*end, *n_states);
        let mut rest = &mut states.words_mut()[offset..];
        let mut jobs = Vec::with_capacity(lists.len());
        for (list, share) in lists.iter().zip(shares) {
            let (room, behind) = rest.split_at_mut(share.n_words);
            jobs.push((list, room, offset, id));
            (rest, offset, id) = (behind, offset + share.n_words, id + share.n_states);
        }
        let copy = |(list, room, offset, id)| copy_list(list, room, offset, id, lengths);
        jobs.into_par_iter().map(copy).collect()
    }
}

/// Marks the candidates of one part of the index that are equal to earlier ones; returns what stays of each list.
fn first_ones(part: usize, lists: &[Candidates]) -> Vec<Share> {
    let of_part = |list: &Candidates| list.by_part.get(part).map_or(0, Vec::len);
    let mut table = HashTable::with_capacity(lists.iter().map(of_part).sum());
    let mut shares = vec![Share::default(); lists.len()];
    for (l, list) in lists.iter().enumerate() {
        for &number in list.by_part.get(part).into_iter().flatten() {
            let (state, words) = (&list.states[number as usize], list.words(number));
            let is_it = |&(m, n, tag): &(u32, u32, u32)| {
                tag == state.tag && lists[m as usize].words(n) == words
            };
            match table.entry(spread(state.tag), is_it, |&(_, _, tag)| spread(tag)) {
                Entry::Occupied(_) => state.offset.store(AGAIN, Relaxed),
                Entry::Vacant(free) => {
                    free.insert((l as u32, number, state.tag));
                    shares[l].n_states += 1;
                    shares[l].n_words += words.len();
                }
            }
        }
    }
    shares
}

/// A hash of a tag: the tags of a part have their first bits in common.
fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn sum(mut a: Vec<Share>, b: Vec<Share>) -> Vec<Share> {
    for (a, b) in a.iter_mut().zip(b) {
        a.n_states += b.n_states;
        a.n_words += b.n_words;
    }
    a
}

/// Copies what stays of a list to its range of the arena, which begins at `offset`; its first state gets the number `id`.
fn copy_list(
    list: &Candidates,
    mut room: &mut [u64],
    mut offset: usize,
    mut id: usize,
    lengths: &[u32],
) -> Copied {
    let mut copied = Copied::default();
    let stays = |&(_, state): &(usize, &Candidate)| state.offset.load(Relaxed) != AGAIN;
    for (number, state) in list.states.iter().enumerate().filter(stays) {
        let words = list.words(number as u32);
        let (here, behind) = room.split_at_mut(words.len());
        here.copy_from_slice(words);
        state.offset.store(offset as Offset, Relaxed);
        if id.is_multiple_of(DISTANCE) {
            copied.noted.push((offset as Offset, state.from));
        }
        let shape = words.first().map_or(0, |word| shape_number(&word.to_ne_bytes()));
        if !has_length(lengths, shape) && copied.shapes.iter().all(|known| known.0 != shape) {
            copied.shapes.push((shape, state.length));
        }
        (room, offset, id) = (behind, offset + words.len(), id + 1);
    }
    copied
}

/// Enters the offsets of the candidates of one part of the index.
fn enter_all(part: &mut TagIndex, number: usize, lists: &[Candidates]) {
    let of_part = |list: &Candidates| list.by_part.get(number).map_or(0, Vec::len);
    part.make_room(lists.iter().map(of_part).sum());
    for list in lists {
        let numbers = list.by_part.get(number).map_or(&[][..], Vec::as_slice);
        for (i, &at) in numbers.iter().enumerate() {
            if let Some(&later) = numbers.get(i + AHEAD) {
                part.prefetch(list.states[later as usize].tag);
            }
            let state = &list.states[at as usize];
            let offset = state.offset.load(Relaxed);
            if offset != AGAIN {
                part.enter(state.tag, offset);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sieve::Sieve;
    use super::*;
    use rayon::ThreadPool;
    use resy_index::random::SplitMix;
    use std::collections::HashMap;

    /// A vector: its header, with the number of its shape, and some bytes. There are few, so that many are equal.
    fn vector(random: &mut SplitMix, n_values: u64) -> Vec<u8> {
        let shape = (random.next_u64() % 3) as u32;
        let value = random.next_u64() % n_values;
        let mut vector = vec![1, 0];
        vector.extend(shape.to_le_bytes());
        vector.extend(value.to_le_bytes());
        vector.resize(16 + 7 * shape as usize, 0);
        vector
    }

    fn pool(n_threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads")
    }

    /// The candidates of some lists of vectors; every vector was reached from a state with its position as number.
    fn sifted(store: &FlatStore, lists: &[Vec<Vec<u8>>], pool: &ThreadPool) -> Vec<Candidates> {
        let sift = |list: &Vec<Vec<u8>>| {
            let (mut sieve, mut fresh) = (Sieve::default(), Candidates::default());
            for (i, vector) in list.iter().enumerate() {
                sieve.stage(store, vector, i as StoredId);
                if sieve.n_staged() == 64 {
                    sieve.sift(store, &mut fresh, |_| {});
                }
            }
            sieve.sift(store, &mut fresh, |_| {});
            fresh
        };
        pool.install(|| lists.par_iter().map(sift).collect())
    }

    /// Many rounds by many threads, from small tables on that grow, against one thread and against a map.
    fn stress(n_threads: usize, n_values: u64, seed: u64) {
        let (mut random, pool) = (SplitMix(seed), pool(n_threads));
        let mut shared = FlatStore::new().expect("addresses");
        let mut alone = FlatStore::new().expect("addresses");
        let mut twin: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut noted = Vec::new();
        for round in 0..40 {
            let n_lists = random.next_u64() % 9;
            let list = |random: &mut SplitMix| {
                (0..random.next_u64() % 700).map(|_| vector(random, n_values)).collect::<Vec<_>>()
            };
            let lists: Vec<Vec<Vec<u8>>> = (0..n_lists).map(|_| list(&mut random)).collect();
            if round % 7 == 3 {
                // The number of threads may change, as in a search that is resumed.
                assert!(shared.share_among(1 + round / 7));
            } else {
                assert!(shared.share_among(n_threads));
            }
            let fresh = sifted(&shared, &lists, &pool);
            assert!(pool.install(|| shared.merge(&fresh, |id, from| noted.push((id, from)))));
            for (from, vector) in lists.iter().flat_map(|list| list.iter().enumerate()) {
                let n = twin.len();
                let id = *twin.entry(vector.clone()).or_insert(n);
                if id == n && id.is_multiple_of(DISTANCE) {
                    assert_eq!(noted.get(id / DISTANCE), Some(&(id as u32, from as u32)));
                }
                alone.stage(vector);
                assert!(alone.insert_staged(|_, _| {}));
            }
            assert_eq!((shared.len(), alone.len()), (twin.len(), twin.len()));
        }
        assert_eq!(noted.len(), twin.len().div_ceil(DISTANCE));
        assert_eq!(shared.bytes_from(0), alone.bytes_from(0), "the same states in the same order");
        assert_eq!(shared.shapes(), alone.shapes());
        for (vector, id) in &twin {
            assert_eq!(shared.get(shared.locate(*id as StoredId)), vector);
        }
        // Each is found, by the sieve and by an insertion.
        let all = vec![twin.into_keys().collect::<Vec<_>>()];
        assert!(sifted(&shared, &all, &pool)[0].is_empty());
        for vector in &all[0] {
            shared.stage(vector);
            assert!(shared.insert_staged(|_, new| assert!(!new)));
        }
    }

    #[test]
    fn many_threads_make_the_store_of_one() {
        for (seed, n_threads) in [1, 2, 3, 8, 16].into_iter().enumerate() {
            for n_values in [3, 500, 100_000] {
                stress(n_threads, n_values, seed as u64);
            }
        }
    }
}
