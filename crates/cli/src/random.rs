//! A small generator of random numbers: the same seed gives the same run.

use resy::SplitMix;
use std::time::{SystemTime, UNIX_EPOCH};

/// The choices of a random run.
pub struct Random(SplitMix);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix(seed))
    }

    /// A seed that differs from run to run, small enough to type.
    pub fn seed_from_clock() -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        SplitMix(now.as_nanos() as u64).next_u64() % 1_000_000
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_decides_the_numbers() {
        let run = |seed| {
            let mut random = Random::new(seed);
            (0..20).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(3).iter().all(|&n| n < 7));
    }
}
