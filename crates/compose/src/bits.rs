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

    /// All numbers below `size`.
    pub(crate) fn full(size: usize) -> Self {
        let mut set = Self::new(size);
        set.words.fill(u64::MAX);
        if let Some(last) = set.words.last_mut().filter(|_| !size.is_multiple_of(64)) {
            *last = (1 << (size % 64)) - 1;
        }
        set
    }

    /// One number.
    pub(crate) fn single(size: usize, item: usize) -> Self {
        let mut set = Self::new(size);
        set.insert(item);
        set
    }

    pub(crate) fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    pub(crate) fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.pairs(other).all(|(a, b)| a & !b == 0)
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
        items.iter().for_each(|&item| set.insert(item));
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
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.common(&y), a.intersection(&b).next().copied());
            prop_assert!((0..200).all(|i| x.contains(i) == a.contains(&i)));
            let (mut union, mut rest) = (x.clone(), x);
            union.union_with(&y);
            rest.remove_all(&y);
            prop_assert_eq!(numbers(&union), &a | &b);
            prop_assert_eq!(numbers(&rest), &a - &b);
        }
    }

    #[test]
    fn full_sets_have_nothing_above() {
        for size in [0, 1, 63, 64, 65, 128] {
            assert_eq!(BitSet::full(size).iter().count(), size);
        }
        assert_eq!(numbers(&BitSet::single(70, 66)), BTreeSet::from([66]));
    }
}
