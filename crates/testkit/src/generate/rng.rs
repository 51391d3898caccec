//! Random decisions of the generator: the same for the same seed, for ever.

use resy_index::random::SplitMix;

/// A deterministic source of random decisions.
#[derive(Debug, Clone)]
pub struct Rng(SplitMix);

impl Rng {
    /// Neighbouring seeds give unrelated sequences.
    pub fn new(seed: u64) -> Rng {
        let mut numbers = SplitMix(seed ^ 0x5eed_0f0f_1357_9bdf);
        numbers.next_u64();
        Rng(numbers)
    }

    /// A number below `n`; zero if `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.below(n) }
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One element; `None` if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the constants of a non-empty list.
    pub fn one_of<T: Copy, const N: usize>(&mut self, items: [T; N]) -> T {
        items[self.below(N)]
    }

    /// An index, with probability proportional to its weight.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut point = self.below(weights.iter().sum());
        for (i, &weight) in weights.iter().enumerate() {
            if point < weight {
                return i;
            }
            point -= weight;
        }
        weights.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let mut rng = Rng::new(1);
        assert!((0..200).all(|_| rng.weighted(&[0, 3, 0, 1]) % 2 == 1));
    }

    #[test]
    fn the_sequence_is_fixed() {
        let mut rng = Rng::new(7);
        let drawn: Vec<usize> = (0..5).map(|_| rng.below(1000)).collect();
        let mut again = Rng::new(7);
        assert_eq!(drawn, (0..5).map(|_| again.below(1000)).collect::<Vec<_>>());
    }
}
