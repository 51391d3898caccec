//! Dense sets of small numbers: the labels, sets of states of the module.

/// A set of numbers below a fixed size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// No numbers; all will be below `size`.
    pub(crate) fn new(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(64)].into() }
    }

    /// Adds a number; whether it is new.
    pub(crate) fn insert(&mut self, item: usize) -> bool {
        let (word, bit) = (&mut self.words[item / 64], 1 << (item % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(crate) fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// A number that both have.
    pub(crate) fn common(&self, other: &Self) -> Option<usize> {
        let (i, word) = self.pairs(other).map(|(a, b)| a & b).enumerate().find(|w| w.1 != 0)?;
        Some(i * 64 + word.trailing_zeros() as usize)
    }

    /// Adds the numbers of the other set.
    pub(crate) fn union_with(&mut self, other: &Self) {
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Removes the numbers of the other set.
    pub(crate) fn remove_all(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let rest = std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| i * 64 + word.trailing_zeros() as usize)
        })
    }

    fn pairs(&self, other: &Self) -> impl Iterator<Item = (u64, u64)> {
        self.words.iter().copied().zip(other.words.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn bits(items: &BTreeSet<usize>) -> BitSet {
        let mut set = BitSet::new(200);
        items.iter().for_each(|&item| assert!(set.insert(item)));
        items.iter().for_each(|&item| assert!(!set.insert(item)));
        set
    }

    fn numbers(set: &BitSet) -> BTreeSet<usize> {
        set.iter().collect()
    }

    proptest! {
        #[test]
        fn sets_are_sets(
            a in prop::collection::btree_set(0..200usize, 0..20),
            b in prop::collection::btree_set(0..200usize, 0..20),
        ) {
            let (x, y) = (bits(&a), bits(&b));
            prop_assert_eq!(x.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.common(&y), a.intersection(&b).next().copied());
            prop_assert!((0..200).all(|i| x.contains(i) == a.contains(&i)));
            let (mut union, mut rest) = (x.clone(), x);
            union.union_with(&y);
            rest.remove_all(&y);
            prop_assert_eq!(numbers(&union), &a | &b);
            prop_assert_eq!(numbers(&rest), &a - &b);
        }
    }
}
