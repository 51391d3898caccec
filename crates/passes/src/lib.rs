//! Reductions: systems with fewer states and the same answers.
//!
//! Two of them are passes from system to system: [`merge()`] removes the states between statements that only
//! their own process can observe, [`reset_dead`] resets variables whose value is not read again. The third,
//! [`Independence`], changes no system: it decides in which states the steps of one process are independent
//! of the steps of all others, from which a search may choose an ample set.
//!
//! All of them preserve assertions, invalid end states, run-time errors and event traces, and every change of
//! the value of an expression in [`Visible`].
//!
//! This crate knows neither syntax nor search nor requirements.

mod access;
mod bits;
mod channels;
mod check;
mod dead;
mod escape;
mod footprint;
mod forward;
mod independence;
mod live;
mod merge;
mod objects;
mod observed;
mod own;
mod range;
mod symmetry;
mod tested;
mod view;

pub use check::check_independence;
pub use dead::{reset_dead, reset_dead_while};
pub use forward::Forward;
pub use independence::Independence;
pub use merge::{merge, merge_while};
pub use observed::Visible;
pub use symmetry::{
    AxisRole, CellRole, FrameRoles, IdSort, OwnerKey, ProcessRoles, SortId, Symmetry,
    SymmetryReport, ValueRole, find_symmetry,
};
pub use view::StateView;
