//! Processor instructions: prefetch, and comparison of sixteen bytes at once.
#![expect(unsafe_code, reason = "a prefetch takes a raw pointer")]

/// Starts to fetch the cache line of `place`.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults and changes only caches; moreover the pointer comes from a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The positions of `byte` among the sixteen bytes of `words`, as a bit set. Byte 0 is the lowest byte of
/// the first word.
#[inline]
pub fn positions(words: [u64; 2], byte: u8) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        // SAFETY: SSE2 is part of every x86-64 processor.
        unsafe {
            let words = _mm_set_epi64x(words[1] as i64, words[0] as i64);
            _mm_movemask_epi8(_mm_cmpeq_epi8(words, _mm_set1_epi8(byte as i8))) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    positions_one_by_one(words, byte)
}

/// The positions at which two strings of sixteen bytes differ, as a bit set.
#[inline]
pub fn differences(a: &[u8; 16], b: &[u8; 16]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
        // SAFETY: SSE2 is part of every x86-64 processor, and the loads are of sixteen
        // bytes behind references, without alignment.
        let equal = unsafe {
            let (a, b) = (_mm_loadu_si128(a.as_ptr().cast()), _mm_loadu_si128(b.as_ptr().cast()));
            _mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) as u32
        };
        equal ^ 0xffff
    }
    #[cfg(not(target_arch = "x86_64"))]
    differences_one_by_one(a, b)
}

/// The portable version, also used by the tests.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn differences_one_by_one(a: &[u8; 16], b: &[u8; 16]) -> u32 {
    (0..16).fold(0, |set, i| set | u32::from(a[i] != b[i]) << i)
}

/// The portable version, also used by the tests.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn positions_one_by_one(words: [u64; 2], byte: u8) -> u32 {
    let at = |i: usize| (words[i / 8] >> (8 * (i % 8))) as u8;
    (0..16).fold(0, |set, i| set | u32::from(at(i) == byte) << i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_to_compare_agree(words: [u64; 2], byte: u8, i in 0..16usize) {
            prop_assert_eq!(positions(words, byte), positions_one_by_one(words, byte));
            let there = (words[i / 8] >> (8 * (i % 8))) as u8;
            prop_assert!(positions(words, there) & 1 << i != 0);
        }

        #[test]
        fn both_ways_to_differ_agree(a: [u8; 16], changes: [bool; 16]) {
            let b = std::array::from_fn(|i| a[i] ^ u8::from(changes[i]));
            prop_assert_eq!(differences(&a, &b), differences_one_by_one(&a, &b));
        }
    }
}
