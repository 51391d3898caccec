//! The two sets that may miss states, against an exact one and their own estimates.

use proptest::prelude::*;
use resy_engine::tree::{BitState, Compact};
use std::collections::HashSet;

proptest! {
    /// What is reported as new is new, and what was inserted is known.
    #[test]
    fn new_is_new_and_known_stays_known(
        states in prop::collection::vec(prop::collection::vec(0..5_u8, 0..5), 0..300),
        memory in 0..2000_usize,
    ) {
        let (mut bits, mut compact) = (BitState::new(memory).expect("memory"), Compact::new());
        let mut exact = HashSet::new();
        for state in &states {
            let new = exact.insert(state);
            prop_assert!(new || !bits.insert(state), "called new twice");
            if new {
                bits.insert(state);
            }
            prop_assert_eq!(compact.insert(Compact::fingerprint(state)), new);
            prop_assert!(!bits.insert(state));
        }
        prop_assert_eq!(compact.len(), exact.len() as u64);
        prop_assert!(bits.len() <= exact.len() as u64);
    }
}

#[test]
fn fingerprints_are_all_kept_while_the_table_grows() {
    let mut compact = Compact::new();
    let fingerprint = |i: u64| Compact::fingerprint(&i.to_le_bytes());
    const N: u64 = 300_000;
    assert!((0..N).all(|i| compact.insert(fingerprint(i))));
    assert!((0..N).all(|i| !compact.insert(fingerprint(i))));
    assert!(compact.insert(0) && !compact.insert(0) && !compact.insert(1));
    assert_eq!(compact.len(), N + 1);
    let bytes = compact.memory() as f64 / N as f64;
    assert!((8.0..12.0).contains(&bytes), "{bytes} bytes a fingerprint");
    assert!(compact.expected_omissions() > 0.0 && compact.expected_omissions() < 1e-8);
}

/// A bit field that is far too small, and one that is not: the estimates are near the true numbers.
#[test]
fn the_estimate_of_coverage_is_near_the_truth() {
    const N: u64 = 200_000;
    for memory in [50_000, 200_000, 4_000_000] {
        let mut bits = BitState::new(memory).expect("memory");
        let found = (0..N).filter(|i| bits.insert(&i.to_le_bytes())).count() as f64;
        assert_eq!(bits.len() as f64, found);
        assert_eq!(bits.memory(), memory);
        let truth = found / N as f64;
        assert!((bits.coverage() - truth).abs() < 0.01, "{} for {truth}", bits.coverage());
        let fresh = (N..N + N / 20).filter(|i| !bits.insert(&i.to_le_bytes())).count() as f64;
        let omitted = fresh / (N / 20) as f64;
        assert!((bits.omission_probability() - omitted).abs() < 0.03, "{omitted}");
        assert!(bits.fill() > 0.0 && bits.fill() < 1.0);
    }
}

#[test]
fn a_bit_field_that_memory_cannot_hold_is_an_error() {
    for bytes in [1 << 50, usize::MAX] {
        assert!(BitState::new(bytes).is_err(), "{bytes}");
    }
}
