//! What to refine next, as small functions.

use super::abstraction::Direction;

/// Decides which direction of time is refined next, from the number of steps so far. Only
/// a preference: a direction in which nothing is left to do is passed over.
pub type Strategy = fn(usize) -> Direction;

/// Ten steps forward, ten steps back, as in the prototype of the FORTE paper.
pub fn alternating(steps: usize) -> Direction {
    if (steps / 10).is_multiple_of(2) { Direction::Forward } else { Direction::Backward }
}

/// Forward until nothing is left to do: the backward labels then live on the smallest
/// quotient at once. It needs as many steps to the canonical requirement as alternating, and half
/// of the time (`xtask synthesis`): what is merged on the way has to be computed each time.
pub fn forward_first(_: usize) -> Direction {
    Direction::Forward
}

/// Ten steps back, ten steps forward: a proof backward does not need to single out the
/// initial state.
pub fn backward_first(steps: usize) -> Direction {
    alternating(steps).other()
}
