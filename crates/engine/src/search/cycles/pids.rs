//! Sets of processes, by pid.

/// A set of pids: a word, or several if there are many processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PidSet {
    /// Pids below 64.
    Few(u64),
    /// Any pids; the last word is not 0.
    Many(Box<[u64]>),
}

impl Default for PidSet {
    fn default() -> Self {
        Self::Few(0)
    }
}

impl PidSet {
    pub fn insert(&mut self, pid: usize) {
        match self {
            Self::Few(word) if pid < 64 => *word |= 1 << pid,
            _ => {
                let mut words = self.words().to_vec();
                words.resize(words.len().max(pid / 64 + 1), 0);
                words[pid / 64] |= 1 << (pid % 64);
                *self = Self::of_words(words);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    pub fn unite(&mut self, other: &Self) {
        self.combine(other, |a, b| a | b);
    }

    pub fn intersect(&mut self, other: &Self) {
        self.combine(other, |a, b| a & b);
    }

    pub fn remove_all(&mut self, other: &Self) {
        self.combine(other, |a, b| a & !b);
    }

    /// Whether they have a pid in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.words().iter().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// Whether all pids of this set are in the other.
    pub fn is_within(&self, other: &Self) -> bool {
        let there = |at: usize| other.words().get(at).copied().unwrap_or(0);
        self.words().iter().enumerate().all(|(at, word)| word & !there(at) == 0)
    }

    /// The pids below 64, as bits.
    pub fn first_word(&self) -> u64 {
        self.words().first().copied().unwrap_or(0)
    }

    /// The pids as bits of words.
    pub fn words(&self) -> &[u64] {
        match self {
            Self::Few(word) => std::slice::from_ref(word),
            Self::Many(words) => words,
        }
    }

    /// The pids that are bits of these words.
    pub fn of_words(mut words: Vec<u64>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        match words[..] {
            [] => Self::Few(0),
            [word] => Self::Few(word),
            _ => Self::Many(words.into_boxed_slice()),
        }
    }

    fn combine(&mut self, other: &Self, of: fn(u64, u64) -> u64) {
        if let (Self::Few(a), Self::Few(b)) = (&mut *self, other) {
            *a = of(*a, *b);
            return;
        }
        let n = self.words().len().max(other.words().len());
        let word = |set: &Self, at: usize| set.words().get(at).copied().unwrap_or(0);
        let words = (0..n).map(|at| of(word(self, at), word(other, at))).collect();
        *self = Self::of_words(words);
    }
}

#[cfg(test)]
mod tests {
    use super::PidSet;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of(pids: &BTreeSet<usize>) -> PidSet {
        let mut set = PidSet::default();
        pids.iter().for_each(|&pid| set.insert(pid));
        set
    }

    fn pids() -> impl Strategy<Value = BTreeSet<usize>> {
        prop::collection::btree_set(prop_oneof![0..8usize, 60..70usize, 0..300usize], 0..6)
    }

    proptest! {
        #[test]
        fn sets_of_pids_are_sets(a in pids(), b in pids()) {
            let (x, y) = (of(&a), of(&b));
            let with = |f: fn(&mut PidSet, &PidSet)| {
                let mut set = x.clone();
                f(&mut set, &y);
                set
            };
            prop_assert_eq!(with(PidSet::unite), of(&a.union(&b).copied().collect()));
            prop_assert_eq!(with(PidSet::intersect), of(&a.intersection(&b).copied().collect()));
            prop_assert_eq!(with(PidSet::remove_all), of(&a.difference(&b).copied().collect()));
            prop_assert_eq!(x.is_within(&y), a.is_subset(&b));
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_empty(), a.is_empty());
        }
    }
}
