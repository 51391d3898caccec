//! The owner of a state: the hash of some bits of its vector, the key, names a worker.
//!
//! With the whole vector as key, nearly every step would lead to a state of another worker. But a step changes few bits
//! of a vector. With a key of bits that seldom change, most successors stay with the worker that found them, which then
//! need not even hash them. The key must still distinguish enough states to balance the workers. It is therefore chosen
//! after one worker has searched for a while, from a sample of the states at the frontier; every host has the same sample.
//!
//! Bits are added one by one: the next is the one that splits the states of the sample best for the steps that would lead
//! to another worker because of it. (Keys of whole leaves of the tree, by how often each changes, sent up to twice as many
//! states.)

use super::super::breadth::Start;
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::tree::hash_of_vector;
use crate::vector::{HEADER, Shape, body};
use resy_index::random::scatter;
use resy_system::Outcome;
use std::collections::HashSet;

/// The bits of a vector that determine its owner: all if there are no masks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Masks on the eight bytes from an offset on. A shorter vector ends with zeros.
    masks: Vec<(usize, u64)>,
}

/// The number of states in the sample.
const SAMPLE: usize = 4096;
/// The number of them whose steps are counted, and by which bits are chosen.
const EXPANDED: usize = 1024;
const SPLIT: usize = 512;
/// The number of different keys that the sample must have for each worker.
const VARIETY: usize = 64;
/// No worker may own more than this many times its fraction of the sample.
const EXCESS: f64 = 1.1;
/// The most bits that are added.
const MOST_BITS: usize = 64;

impl Key {
    /// The worker that a state belongs to.
    pub fn owner(&self, vector: &[u8], n_workers: usize) -> usize {
        (((self.hash(vector) >> 32) * n_workers as u64) >> 32) as usize
    }

    /// Whether two states have the same key, so that they belong to the same worker.
    #[inline]
    pub fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
        let differ = |&(at, mask): &(usize, u64)| (word(a, at) ^ word(b, at)) & mask != 0;
        !self.masks.is_empty() && !self.masks.iter().any(differ)
    }

    /// The key with these masks.
    pub fn of(masks: Vec<(usize, u64)>) -> Key {
        Key { masks }
    }

    /// The masks of the key.
    pub fn masks(&self) -> &[(usize, u64)] {
        &self.masks
    }

    /// The key that consists of these bits.
    fn of_bits(bits: &[usize]) -> Key {
        let mut masks: Vec<(usize, u64)> = Vec::new();
        for &bit in bits {
            let (at, mask) = (bit / 64 * 8, 1 << (bit % 64));
            match masks.iter_mut().find(|known| known.0 == at) {
                Some(known) => known.1 |= mask,
                None => masks.push((at, mask)),
            }
        }
        Key { masks }
    }

    fn hash(&self, vector: &[u8]) -> u64 {
        match self.masks.as_slice() {
            [] => hash_of_vector(body(vector)),
            masks => {
                masks.iter().fold(0, |all, &(at, mask)| scatter(all ^ word(vector, at) & mask))
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
        let mut steps = Steps::default();
        for vector in sample.iter().step_by(sample.len().div_ceil(EXPANDED).max(1)) {
            steps.from.clone_from(vector);
            expander.expand(vector, &mut steps);
        }
        let is_fair = |bits: &[usize]| Key::of_bits(bits).is_fair(&sample, n_workers);
        let mut choice = Choice::new(&sample, &steps.changes);
        while choice.bits.is_empty() || !is_fair(&choice.bits) {
            if choice.bits.len() == MOST_BITS || !choice.add() {
                return Key::default();
            }
        }
        // Bits that were added later may have made some of the others superfluous.
        let mut bits = choice.bits;
        for i in (0..bits.len()).rev() {
            let bit = bits.remove(i);
            if bits.is_empty() || !is_fair(&bits) {
                bits.insert(i, bit);
            }
        }
        Key::of_bits(&bits)
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

/// The eight bytes from an offset on.
#[inline]
fn word(vector: &[u8], at: usize) -> u64 {
    if let Some(bytes) = vector.get(at..).and_then(|rest| rest.first_chunk()) {
        return u64::from_le_bytes(*bytes);
    }
    let rest = vector.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// States from the whole level that is expanded next.
fn sample(expander: &mut Expander<'_>, start: &Start) -> Vec<Vec<u8>> {
    let first = start.levels.last().copied().unwrap_or(0);
    let end = start.store.len() as u32;
    let step = ((end - first) as usize).div_ceil(SAMPLE).max(1);
    (first..end).step_by(step).map(|id| start.store.vector(expander, id)).collect()
}

/// Bits that are chosen one by one.
struct Choice {
    bits: Vec<usize>,
    /// Those that may still be chosen, each with its values in the sample and the steps that change it.
    left: Vec<Candidate>,
    /// For each state of a part of the sample, the number of those that have the same key.
    groups: Vec<u32>,
    n_groups: usize,
}

/// A bit that may be chosen.
struct Candidate {
    bit: usize,
    values: Vec<bool>,
    /// The steps that no bit of the key changes yet.
    changes: Vec<u32>,
}

impl Choice {
    fn new(sample: &[Vec<u8>], changes: &[Vec<u64>]) -> Self {
        let part: Vec<&Vec<u8>> =
            sample.iter().step_by(sample.len().div_ceil(SPLIT).max(1)).collect();
        let length = sample.iter().map(Vec::len).max().unwrap_or(0);
        let is_set =
            |vector: &Vec<u8>, bit: usize| word(vector, bit / 64 * 8) >> (bit % 64) & 1 == 1;
        let candidate = |bit: usize| {
            let values: Vec<bool> = part.iter().map(|vector| is_set(vector, bit)).collect();
            let changes = changes.iter().zip(0..);
            let changed =
                |words: &Vec<u64>| words.get(bit / 64).is_none_or(|w| w >> (bit % 64) & 1 == 1);
            let changes = changes.filter(|(words, _)| changed(words)).map(|step| step.1).collect();
            Candidate { bit, values, changes }
        };
        // The header has the number of the shape, which differs between hosts.
        let all = (8 * HEADER..8 * length).map(candidate);
        let left = all.filter(|c| c.values.iter().any(|value| *value != c.values[0])).collect();
        Self { bits: Vec::new(), left, groups: vec![0; part.len()], n_groups: 1 }
    }

    /// Adds the bit that splits the groups best for the steps that it changes; returns whether one splits them.
    fn add(&mut self) -> bool {
        let values =
            self.left.iter().enumerate().map(|(i, candidate)| {
                (i, self.gain(candidate) / (1 + candidate.changes.len()) as f64)
            });
        let Some((best, _)) = values.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
            return false;
        };
        let Candidate { bit, values, changes } = self.left.swap_remove(best);
        let is_split = self.split(&values);
        self.bits.push(bit);
        let changed: HashSet<u32> = changes.into_iter().collect();
        self.left.iter_mut().for_each(|other| other.changes.retain(|step| !changed.contains(step)));
        is_split
    }

    /// The decrease of the probability that two states have the same key, up to a factor.
    fn gain(&self, candidate: &Candidate) -> f64 {
        let mut counts = vec![[0_u32; 2]; self.n_groups];
        for (&group, &value) in self.groups.iter().zip(&candidate.values) {
            counts[group as usize][usize::from(value)] += 1;
        }
        let gain = |&[zeros, ones]: &[u32; 2]| match zeros * ones {
            0 => 0.0,
            product => f64::from(product) / f64::from(zeros + ones),
        };
        counts.iter().map(gain).sum()
    }

    /// Splits each group by a bit; returns whether there are more groups.
    fn split(&mut self, values: &[bool]) -> bool {
        let n_before = self.n_groups;
        let mut numbers = std::collections::HashMap::new();
        for (group, &value) in self.groups.iter_mut().zip(values) {
            let next = numbers.len() as u32;
            *group = *numbers.entry((*group, value)).or_insert(next);
        }
        self.n_groups = numbers.len();
        self.n_groups > n_before
    }
}

/// Notes which bits a step changes.
#[derive(Default)]
struct Steps {
    from: Vec<u8>,
    changes: Vec<Vec<u64>>,
}

impl Arrivals for Steps {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        let length = self.from.len().max(vector.len());
        let change = |at: usize| word(&self.from, at) ^ word(vector, at);
        self.changes.push((0..length).step_by(8).map(change).collect());
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_with_the_same_key_belong_to_the_same_worker() {
        let key = Key::of_bits(&[8, 9, 17, 42]);
        assert_eq!(key.masks(), [(0, 3 << 8 | 1 << 17 | 1 << 42)]);
        let (a, b) = (b"xabxxc.......", b"yabyyc.......");
        assert!(key.is_same(a, b));
        assert_eq!(key.owner(a, 7), key.owner(b, 7));
        assert!(!key.is_same(a, b"xabxxg.......") && !key.is_same(a, b"x"));
        assert!(key.is_same(b"xab", b"yab"), "what is missing is zero");
        assert!(!Key::default().is_same(a, a), "all bytes are hashed, not compared");
    }

    /// Of two bits that split all states alike, the one that few steps change is chosen.
    #[test]
    fn bits_that_seldom_change_are_chosen() {
        let states = (0..64_u8).map(|n| [&[0; 8][..], &[n, n.reverse_bits()]].concat());
        let sample: Vec<Vec<u8>> = states.collect();
        let changes = [vec![0, 0x00ff], vec![0, 0x0001], vec![0, 0x00ff]];
        let mut choice = Choice::new(&sample, &changes);
        for _ in 0..6 {
            assert!(choice.add());
        }
        assert!(choice.bits.iter().all(|&bit| bit >= 72), "{:?}", choice.bits);
        assert!(!choice.add(), "all states are told apart");
    }
}
