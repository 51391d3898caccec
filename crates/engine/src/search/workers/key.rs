//! The owner of a state: the hash of a part of its vector, the key, names a worker.
//!
//! With the whole vector as key, nearly every step would lead to a state of another worker. But a step
//! changes few leaves of a vector. With a key of a few leaves that seldom change, most successors stay with
//! the worker that found them, which then need not even hash them. The key must still distinguish enough
//! states to balance the workers. It is therefore chosen after one worker has searched for a while, from a
//! sample of the states at the frontier; every host has the same sample.

use super::super::breadth::Start;
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::tree::hash_of_vector;
use crate::vector::{Shape, body};
use resy_system::Outcome;
use std::collections::HashSet;
use std::ops::Range;

/// The part of a vector that determines its owner: all bytes if there are no ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    ranges: Vec<Range<usize>>,
    /// The ranges as masks on the eight bytes from an offset on, which are compared in a few instructions.
    masks: Vec<(usize, u64)>,
}

/// The number of states in the sample.
const SAMPLE: usize = 4096;
/// The number of different keys that the sample must have for each worker.
const VARIETY: usize = 64;
/// No worker may own more than this many times its fraction of the sample.
const EXCESS: f64 = 1.1;

impl Key {
    /// The worker that a state belongs to.
    pub fn owner(&self, vector: &[u8], n_workers: usize) -> usize {
        (((self.hash(vector) >> 32) * n_workers as u64) >> 32) as usize
    }

    /// Whether two states have the same key, so that they belong to the same worker.
    #[inline]
    pub fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
        let differ = |&(at, mask): &(usize, u64)| match (word(a, at), word(b, at)) {
            (Some(a), Some(b)) => (a ^ b) & mask != 0,
            _ => a.get(at..) != b.get(at..),
        };
        !self.masks.is_empty() && !self.masks.iter().any(differ)
    }

    /// The key that consists of these ranges.
    pub fn of(ranges: Vec<Range<usize>>) -> Key {
        let chunk = |(at, end): (usize, usize)| (at, u64::MAX >> (64 - 8 * (end - at).min(8)));
        let chunks = |r: &Range<usize>| {
            let end = r.end;
            r.clone().step_by(8).map(move |at| chunk((at, end))).collect::<Vec<_>>()
        };
        let masks = ranges.iter().flat_map(chunks).collect();
        Key { ranges, masks }
    }

    /// The ranges of the key.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    fn hash(&self, vector: &[u8]) -> u64 {
        match self.ranges.as_slice() {
            [] => hash_of_vector(body(vector)),
            [only] => hash_of_vector(part(vector, only)),
            ranges => {
                let hashes = ranges.iter().map(|r| hash_of_vector(part(vector, r)));
                hashes.fold(0, |all, hash| hash_of_vector(&(all ^ hash).to_le_bytes()))
            }
        }
    }

    /// A good key for a search that has reached `start`.
    pub(in super::super) fn choose(
        expander: &mut Expander<'_>,
        start: &Start,
        n_workers: usize,
    ) -> Key {
        let sample = sample(expander, start);
        let Some(longest) = sample.iter().max_by_key(|v| v.len()) else { return Key::default() };
        let shape = expander.shape(longest);
        let cuts = expander.stepper.shapes()[shape].cuts.clone();
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let leaves: Vec<Range<usize>> =
            starts.zip(&cuts).map(|(a, &b)| a as usize..b as usize).collect();
        let mut steps = Steps { from: &[], leaves: &leaves, changes: vec![0; leaves.len()] };
        for vector in &sample {
            steps.from = vector;
            expander.expand(vector, &mut steps);
        }
        // The first leaf has the number of the shape, which differs between hosts.
        let mut order: Vec<usize> = (1..leaves.len()).collect();
        order.sort_by_key(|&leaf| steps.changes[leaf]);
        order.retain(|&leaf| varies(&sample, &leaves[leaf]));
        let key = |order: &[usize]| Key::of(order.iter().map(|&l| leaves[l].clone()).collect());
        let is_fair = |order: &[usize]| key(order).is_fair(&sample, n_workers);
        let Some(n) = (1..=order.len()).find(|&n| is_fair(&order[..n])) else {
            return Key::default();
        };
        // The last leaf may have made some of the others superfluous.
        order.truncate(n);
        for i in (0..n).rev() {
            let leaf = order.remove(i);
            if order.is_empty() || !is_fair(&order) {
                order.insert(i, leaf);
            }
        }
        key(&order)
    }

    /// Whether the key distinguishes and balances the states of a sample well enough.
    fn is_fair(&self, sample: &[Vec<u8>], n_workers: usize) -> bool {
        let keys: HashSet<u64> = sample.iter().map(|v| self.hash(v)).collect();
        let mut shares = vec![0; n_workers];
        sample.iter().for_each(|v| shares[self.owner(v, n_workers)] += 1);
        let most = shares.into_iter().max().unwrap_or(0) as f64;
        keys.len() >= VARIETY * n_workers && most * n_workers as f64 <= EXCESS * sample.len() as f64
    }
}

fn word(vector: &[u8], at: usize) -> Option<u64> {
    vector.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// A range of a vector, as far as the vector reaches.
fn part<'a>(vector: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    &vector[range.start.min(vector.len())..range.end.min(vector.len())]
}

/// States from the whole level that is expanded next.
fn sample(expander: &mut Expander<'_>, start: &Start) -> Vec<Vec<u8>> {
    let first = start.levels.last().copied().unwrap_or(0);
    let end = start.store.len() as u32;
    let step = ((end - first) as usize).div_ceil(SAMPLE).max(1);
    (first..end).step_by(step).map(|id| start.store.vector(expander, id)).collect()
}

fn varies(sample: &[Vec<u8>], leaf: &Range<usize>) -> bool {
    sample.iter().any(|v| part(v, leaf) != part(&sample[0], leaf))
}

/// Counts how often each leaf is changed by a step.
struct Steps<'a> {
    from: &'a [u8],
    leaves: &'a [Range<usize>],
    changes: Vec<u64>,
}

impl Arrivals for Steps<'_> {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        for (leaf, n) in self.leaves.iter().zip(&mut self.changes) {
            *n += u64::from(part(vector, leaf) != part(self.from, leaf));
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_with_the_same_key_belong_to_the_same_worker() {
        let key = Key::of(vec![1..3, 5..6]);
        let (a, b) = (b"xabxxc.......", b"yabyyc.......");
        assert!(key.is_same(a, b));
        assert_eq!(key.owner(a, 7), key.owner(b, 7));
        assert!(!key.is_same(a, b"xabxxd.......") && !key.is_same(a, b"xab"));
        assert!(!Key::default().is_same(a, a), "all bytes are hashed, not compared");
    }
}
