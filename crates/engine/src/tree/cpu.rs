//! Processor instructions: prefetch, and comparison of several values at once.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "a prefetch takes a raw pointer"))]

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

/// The number of entries of a line.
pub const SLOTS: usize = 8;

/// A cache line of entries: each has a tag in its upper half, and is free if it is 0.
pub type TagLine = [u64; SLOTS];

/// The slots of a line whose entries have this tag, which is not 0, and the free ones, each as a bit set.
#[inline]
pub fn scan(line: &TagLine, tag: u32) -> (u32, u32) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128, __m128i, _mm_castps_si128, _mm_cmpeq_epi32, _mm_loadu_ps, _mm_movemask_epi8,
            _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_ps,
        };
        // SAFETY: SSE2 is part of every x86-64 processor, and the loads are of the 64 bytes behind a reference,
        // without alignment.
        unsafe {
            let quarter = |i: usize| -> __m128 { _mm_loadu_ps(line.as_ptr().add(2 * i).cast()) };
            // The upper halves of four entries.
            let tags =
                |a, b| -> __m128i { _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b)) };
            let (low, high) = (tags(quarter(0), quarter(1)), tags(quarter(2), quarter(3)));
            let equal_to = |wanted: __m128i| -> __m128i {
                _mm_packs_epi32(_mm_cmpeq_epi32(low, wanted), _mm_cmpeq_epi32(high, wanted))
            };
            let both = _mm_packs_epi16(
                equal_to(_mm_set1_epi32(tag as i32)),
                equal_to(_mm_setzero_si128()),
            );
            let set = _mm_movemask_epi8(both) as u32;
            (set & 0xff, set >> 8)
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    scan_one_by_one(line, tag)
}

/// The portable version, also used by the tests.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn scan_one_by_one(line: &TagLine, tag: u32) -> (u32, u32) {
    let slots = |wanted: u32| {
        (0..SLOTS).fold(0, |set, i| set | u32::from((line[i] >> 32) as u32 == wanted) << i)
    };
    (slots(tag), slots(0))
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
        fn both_ways_to_scan_agree(line: [u64; 8], free: u8, tag in 1..5_u32, equal: u8) {
            let line = std::array::from_fn(|i| match (free >> i & 1, equal >> i & 1) {
                (1, _) => 0,
                (_, 1) => line[i] & 0xffff_ffff | u64::from(tag) << 32,
                _ => line[i],
            });
            prop_assert_eq!(scan(&line, tag), scan_one_by_one(&line, tag));
            prop_assert_eq!(scan(&line, tag).1 & u32::from(free), u32::from(free));
        }

        #[test]
        fn both_ways_to_differ_agree(a: [u8; 16], changes: [bool; 16]) {
            let b = std::array::from_fn(|i| a[i] ^ u8::from(changes[i]));
            prop_assert_eq!(differences(&a, &b), differences_one_by_one(&a, &b));
        }
    }
}
