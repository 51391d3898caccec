//! Sets of small numbers.

/// A set of numbers below a bound that is fixed when the set is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// The empty set of the same numbers as `other`.
    pub fn like(other: &Bits) -> Self {
        Self { words: vec![0; other.words.len()] }
    }

    pub fn insert(&mut self, n: usize) {
        self.words[n / 64] |= 1 << (n % 64);
    }

    pub fn remove(&mut self, n: usize) {
        self.words[n / 64] &= !(1 << (n % 64));
    }

    pub fn contains(&self, n: usize) -> bool {
        self.words[n / 64] & (1 << (n % 64)) != 0
    }

    /// Adds all of `other`, and says whether that changed anything.
    pub fn add(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= *b;
        }
        changed
    }

    /// Takes all of `other` away.
    pub fn subtract(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !*b);
    }

    /// Keeps what is also in `other`.
    pub fn keep(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= *b);
    }

    pub fn meets(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(i, &word): (usize, &u64)| {
            (0..64).filter_map(move |b| (word >> b & 1 == 1).then_some(i * 64 + b))
        };
        self.words.iter().enumerate().flat_map(bits)
    }
}
