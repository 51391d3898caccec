//! Pseudo-random numbers that stay the same for ever: a seed in a bug report gives the same
//! program, walk or network next year, so no crate's generator is used.
//!
//! The algorithm is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
//! OOPSLA 2014).

/// The distance of two states of the generator.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator, which is its state.
#[derive(Debug, Clone)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        let number = scatter(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        number
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// If `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }
}

/// The number that a generator in this state gives first: also a hash of the state.
pub fn scatter(state: u64) -> u64 {
    let z = state.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation by Sebastiano Vigna (splitmix64.c).
    #[test]
    fn the_sequence_is_that_of_the_reference() {
        let mut random = SplitMix(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.next_u64()), expected);
    }
}
