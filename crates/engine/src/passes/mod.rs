//! Reductions: systems with fewer states and the same answers.
//!
//! Two of them are passes from system to system: [`merge()`] lets a process go on at
//! once where nobody could notice the difference, [`reset_dead`] forgets the values of
//! variables that nobody reads any more. The third, [`Ample`], changes no system: it tells the
//! search when it is enough to look at the moves of one process, and [`Progress`] sees to it that
//! the others get their turn.
//!
//! All of them keep assertions, invalid end states, errors of the run and event traces as they are,
//! and whatever the expressions of [`Visible`] can see.

mod access;
mod ample;
mod bits;
mod channels;
mod check_ample;
mod dead;
mod escape;
mod footprint;
mod live;
mod look;
mod merge;
mod objects;
mod observed;
mod own;
mod progress;
mod range;
mod tested;

pub use ample::Ample;
pub use check_ample::check_reduction;
pub use dead::reset_dead;
pub use look::Look;
pub use merge::merge;
pub use observed::Visible;
pub use progress::Progress;
