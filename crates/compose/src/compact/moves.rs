//! The steps of an abstraction as bits: for each letter and class, the set of classes that follow.
//!
//! An abstraction has few classes: to merge them and to follow words takes a few operations on words of 64 bits, and
//! the steps of a module are entered without sorting.

/// The steps of an abstraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    n_classes: usize,
    /// Words of 64 bits for one set.
    width: usize,
    /// For each letter and class, a set.
    bits: Vec<u64>,
}

impl Moves {
    /// No step yet.
    pub(super) fn new(n_letters: usize, n_classes: usize) -> Self {
        let width = n_classes.div_ceil(64);
        Self { n_classes, width, bits: vec![0; n_letters * n_classes * width] }
    }

    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The number of letters.
    pub(super) fn n_letters(&self) -> usize {
        self.bits.len() / (self.n_classes * self.width)
    }

    /// Enters a step.
    pub(super) fn insert(&mut self, letter: usize, from: usize, to: usize) {
        let row = (letter * self.n_classes + from) * self.width;
        self.bits[row + to / 64] |= 1 << (to % 64);
    }

    /// All sets of a letter.
    pub(super) fn rows(&self, letter: usize) -> &[u64] {
        let size = self.n_classes * self.width;
        &self.bits[letter * size..][..size]
    }

    /// The classes that follow a class by a letter.
    pub(super) fn targets(&self, letter: usize, from: usize) -> impl Iterator<Item = usize> + '_ {
        members(&self.rows(letter)[from * self.width..][..self.width])
    }

    /// Whether every class has a step by a letter to itself, and no other.
    pub(super) fn is_identity(&self, letter: usize) -> bool {
        self.stays(letter, |own| own != 0)
    }

    /// Whether no step by a letter changes the class.
    pub(super) fn changes_nothing(&self, letter: usize) -> bool {
        self.stays(letter, |_| true)
    }

    /// Whether no class has a step by a letter to another one, and its step to itself is as wanted.
    fn stays(&self, letter: usize, is_wanted: impl Fn(u64) -> bool) -> bool {
        let rows = self.rows(letter);
        (0..self.n_classes).all(|class| {
            let row = &rows[class * self.width..][..self.width];
            let (word, bit) = (class / 64, 1_u64 << (class % 64));
            let others = row.iter().enumerate().all(|(i, &set)| match i == word {
                true => set & !bit == 0,
                false => set == 0,
            });
            others && is_wanted(row[word] & bit)
        })
    }

    /// The steps when classes are merged: each class is in one of `n_groups` groups.
    pub(super) fn merged(&self, group_of: &[usize], n_groups: usize) -> Self {
        let n_letters = self.n_letters();
        let mut merged = Self::new(n_letters, n_groups);
        if (self.width, merged.width) == (1, 1) {
            // Most sets have one class.
            let rows = merged.bits.chunks_exact_mut(n_groups);
            for (row, sets) in rows.zip(self.bits.chunks_exact(self.n_classes)) {
                for (&set, &from) in sets.iter().zip(group_of).filter(|(set, _)| **set != 0) {
                    let mut left = set;
                    while left != 0 {
                        row[from] |= 1 << group_of[left.trailing_zeros() as usize];
                        left &= left - 1;
                    }
                }
            }
            return merged;
        }
        for letter in 0..n_letters {
            for from in 0..self.n_classes {
                for to in self.targets(letter, from) {
                    merged.insert(letter, group_of[from], group_of[to]);
                }
            }
        }
        merged
    }

    /// The classes that follow a class by a letter, as one word; there are at most 64 classes.
    pub(super) fn mask(&self, letter: usize, from: usize) -> u64 {
        debug_assert_eq!(self.width, 1);
        self.bits[letter * self.n_classes + from]
    }
}

/// The members of a set.
pub(super) fn members(set: &[u64]) -> Members<'_> {
    let (first, rest) = set.split_first().map_or((0, set), |(&first, rest)| (first, rest));
    Members { left: first, at: 0, rest }
}

/// The members of a set that are left.
pub(super) struct Members<'s> {
    /// Those of the present word of 64 bits, whose first would be this one.
    left: u64,
    at: usize,
    rest: &'s [u64],
}

impl Iterator for Members<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            let (&next, rest) = self.rest.split_first()?;
            (self.left, self.rest, self.at) = (next, rest, self.at + 64);
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(self.at + bit)
    }
}
