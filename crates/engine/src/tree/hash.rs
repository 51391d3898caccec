//! Hash functions with fixed seeds, so that searches are reproducible.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_nano_inline};

const SECRETS: RapidSecrets = RapidSecrets::seed(0x7265_7379);

/// The hash of a byte string; all 64 bits are well distributed.
#[inline]
pub fn of_bytes(bytes: &[u8]) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(bytes, &SECRETS)
}

/// Another hash of a byte string, independent of the first.
#[inline]
pub fn of_bytes_again(bytes: &[u8]) -> u64 {
    const OTHERS: RapidSecrets = RapidSecrets::seed(0x7379_6572);
    rapidhash_v3_nano_inline::<true, false>(bytes, &OTHERS)
}

/// The hash of a pair of ids packed into a word; all 64 bits are well distributed.
///
/// There are two folded multiplications: after one, consecutive ids still leave a pattern in the low bits,
/// which the tests would notice.
#[inline]
pub fn of_pair(pair: u64) -> u64 {
    let once = folded(pair ^ 0x9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f);
    folded(once, 0xe703_7ed1_a0b4_28db)
}

#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide >> 64) as u64 ^ wide as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distributes the pairs of two ranges of small ids over 4096 bins by some bits of the hash: the mean
    /// of (count - expected)² / expected is near 1 for a random distribution.
    fn unevenness(first_bit: u32, of: impl Fn(u64) -> u64) -> f64 {
        let mut counts = vec![0_u32; 4096];
        let (left, right) = (1 << 9, 1 << 9);
        for l in 0..left {
            for r in 0..right {
                counts[(of(l << 32 | (r | 1 << 31)) >> first_bit) as usize & 4095] += 1;
            }
        }
        let expected = (left * right) as f64 / 4096.0;
        counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum::<f64>() / 4096.0
    }

    #[test]
    fn small_ids_spread_over_all_bits() {
        for first_bit in 0..52 {
            let of_pair = unevenness(first_bit, of_pair);
            assert!((0.85..1.15).contains(&of_pair), "{of_pair} from bit {first_bit}");
            let of_bytes = unevenness(first_bit, |pair| of_bytes(&pair.to_le_bytes()));
            assert!((0.85..1.15).contains(&of_bytes), "{of_bytes} from bit {first_bit}");
        }
    }
}
