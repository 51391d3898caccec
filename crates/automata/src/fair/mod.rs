//! Fair choice: a choice that is met again and again takes each of its branches again and again.
//!
//! A fair run of a finite system ends in a strongly connected set of states that nothing leads out
//! of, a *terminal set*, and takes all transitions of that set for ever.

mod components;
mod formula;
mod lasso;
mod valued;

pub use components::terminal_sets;
pub use formula::{FairOutcome, unfair_to};
pub use lasso::{FairLasso, lasso_into};
pub use valued::Valued;
