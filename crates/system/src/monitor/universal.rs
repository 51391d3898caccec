//! Locations from which a claim accepts every continuation.
//!
//! They are computed as the winning region of a Büchi game: the opponent chooses a valuation,
//! the claim chooses an edge, and the claim wins if it visits accepting locations infinitely
//! often or is violated. From a winning location every continuation is accepted. The converse
//! fails for claims whose choices depend on the future; for deterministic claims, and for all
//! claims of `spin -f`, the answer is exact.

use super::never::{Never, VIOLATED};

/// Locations that depend on more propositions than this are skipped.
const MAX_PROPOSITIONS: u32 = 12;

/// The set of locations outside of `atomic` from which the claim wins.
pub(super) fn universal(never: &Never, accepting: u64) -> u64 {
    let resting = |l: &usize| never.locations[*l].rests;
    let all = (0..never.locations.len()).filter(resting).fold(0, |set, l| set | 1u64 << l);
    // From every location of `goal` the claim can return to an accepting location of `goal`.
    let mut goal = all;
    loop {
        let mut wins = 0;
        loop {
            let next = wins | can_force(never, all, wins | VIOLATED | goal & accepting);
            if next == wins {
                break;
            }
            wins = next;
        }
        if wins == goal {
            return goal;
        }
        goal = wins;
    }
}

/// The locations from which every valuation allows a step into `target`.
fn can_force(never: &Never, from: u64, target: u64) -> u64 {
    let forces = |l: &usize| {
        let seen = never.looks_at(1 << l);
        from >> l & 1 == 1
            && seen.count_ones() <= MAX_PROPOSITIONS
            && subsets(seen).all(|valuation| never.step(1 << l, valuation) & target != 0)
    };
    (0..never.locations.len()).filter(forces).fold(0, |set, l| set | 1u64 << l)
}

/// All subsets of a set of bits.
pub(crate) fn subsets(of: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != of).then(|| subset.wrapping_sub(of) & of);
        Some(subset)
    })
}
