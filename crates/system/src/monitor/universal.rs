//! Locations of a claim from which it accepts whatever follows.
//!
//! The claim plays a game: it is shown one valuation after the other, chooses its
//! moves, and wins if it comes to accepting locations infinitely often (or is
//! violated). If it wins from a location, every continuation is accepted there. A
//! claim that would have to know the future to choose well is not recognised; for
//! deterministic claims, and for all that `spin -f` makes, the answer is exact.

use super::never::{Never, VIOLATED};

/// A location that looks at more propositions than this is not tried.
const MAX_PROPOSITIONS: u32 = 12;

/// The set of resting locations from which the claim wins.
pub(super) fn universal(never: &Never, accepting: u64) -> u64 {
    let resting = |l: &usize| never.locations[*l].rests;
    let all = (0..never.locations.len()).filter(resting).fold(0, |set, l| set | 1u64 << l);
    // From any of `goal` it comes back to an accepting location of `goal`.
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
fn subsets(of: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != of).then(|| subset.wrapping_sub(of) & of);
        Some(subset)
    })
}
