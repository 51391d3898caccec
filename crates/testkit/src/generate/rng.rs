//! Pseudo-random numbers that stay the same for ever: a seed in a bug report
//! must give the same program next year, so no crate's generator is used.
//! The algorithm is SplitMix64 (Steele, Lea, Flood: OOPSLA 2014).

/// A deterministic source of random decisions.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Neighbouring seeds give unrelated sequences.
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed ^ 0x5eed_0f0f_1357_9bdf);
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; zero if `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
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
