//! Refinement strategies, as small functions.

use super::abstraction::Direction;

/// Chooses the direction of time to refine next, from the number of steps so far. This is a
/// preference only: a direction without useful splits is skipped.
pub type Strategy = fn(usize) -> Direction;

/// Ten steps forward, ten steps backward, as in the prototype of the FORTE paper.
pub fn alternating(steps: usize) -> Direction {
    if (steps / 10).is_multiple_of(2) { Direction::Forward } else { Direction::Backward }
}

/// Forward until no useful split is left: the backward labels are then computed on the smallest
/// quotient at once. It takes as many steps to the canonical requirement as [`alternating`], and
/// half the time (`xtask synthesis`), because intermediate merges are expensive.
pub fn forward_first(_: usize) -> Direction {
    Direction::Forward
}

/// Ten steps backward, ten steps forward: a backward proof does not need to separate the initial
/// state.
pub fn backward_first(steps: usize) -> Direction {
    alternating(steps).other()
}
