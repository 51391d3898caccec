//! Pictures: where the boxes and arrows of an automaton go, and automata and charts as SVG.
//!
//! [`layout`] computes positions and knows nothing of requirements; `automaton` and `chart` write SVG elements, which
//! are used both for a picture of its own and inside a report page.

pub(crate) mod automaton;
pub(crate) mod chart;
mod layout;
pub(crate) mod markup;

pub use layout::TooLarge;
