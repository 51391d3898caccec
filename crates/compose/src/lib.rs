//! Requirement synthesis: what the environment of a module needs to know of it.
//!
//! A network is split ([`Split`]) into a module `M` and its environment `E`; its monitor is
//! the property `P`. A [`Requirement`] is a quotient of `M` that can stand for it: `E`
//! with the requirement satisfies `P` if and only if `E` with `M` does. Source: Finkbeiner,
//! Schewe, Brill, "Automatic synthesis of assumptions for compositional model checking"
//! (FORTE 2006), and the tool paper on RESY (TACAS 2008).
//!
//! - [`exact`]: two traversals of all contexts, the states of `E` with `P`.
//! - [`refine`]: the same result from an abstraction of `E`, refined only where it matters.
//! - [`explicit`]: no abstraction, for networks with few states.
//! - [`minimize`]: smaller still, if the property holds.
//! - [`evidence`]: why the property holds, for a checker that shares no code with these.
//! - [`network`]: no module at all: every component is abstracted.
//! - [`cone`]: the components on which the property can depend.
//! - [`fold`]: many components become few, and then the same.
//! - [`obligations`]: the same for a property of all processes, one error after the other.
//! - [`contract`]: requirements of all components, proved together.
//! - [`naive`]: the same, straight from the definitions.
#![forbid(unsafe_code)]

mod bits;
pub mod cone;
mod contexts;
pub mod contract;
pub mod evidence;
pub mod exact;
pub mod explicit;
pub mod fold;
mod history;
mod labels;
pub mod marks;
mod merge;
pub mod minimize;
mod moves;
pub mod naive;
pub mod network;
pub mod obligations;
mod patience;
pub mod refine;
pub mod requirement;
pub mod run;
mod settled;
pub mod split;

pub use requirement::{Conclusion, Requirement};
pub use run::SplitRun;
pub use split::{Split, SplitError, SplitPart};
