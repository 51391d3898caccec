//! Requirement synthesis: what the environment of a module needs to know of it.
//!
//! A network is split ([`Split`]) into a module `M` and its environment `E`; its monitor is the
//! property `P`. A [`Requirement`] is a quotient of `M` that can stand for it: `E` with the
//! requirement satisfies `P` if and only if `E` with `M` does. Source: Finkbeiner, Schewe, Brill,
//! "Automatic synthesis of assumptions for compositional model checking" (FORTE 2006), and the tool
//! paper on RESY (TACAS 2008).
//!
//! With a module:
//! - [`auto`]: the requirement that is found and proved first, then merged.
//! - [`canonical`]: the requirement of the definition, from a folded environment.
//! - [`exact`]: two traversals of all contexts, the states of `E` with `P`.
//! - [`refine`]: the same result from an abstraction of `E`, which is refined only where it
//!   matters.
//! - [`minimize`]: a smaller requirement, if the property holds.
//! - [`learn`], [`alphabet`]: assumptions learned by queries, over a part of the interface.
//! - [`levels`]: the same over all components, one level for each.
//! - [`agar`]: assumptions by abstraction refinement of the module.
//! - [`compact`]: small assumptions, from abstractions of all components together.
//! - [`weakest`]: the weakest assumption, by subset construction.
//!
//! Without a module, for a verdict on the whole network:
//! - [`cegar`]: abstraction refinement in which every component is abstracted.
//! - [`obligations`]: the same for each group of errors separately.
//! - [`fold`]: components are composed and reduced pairwise, then decided as above.
//! - [`explicit`]: no abstraction, for networks with few states.
//! - [`contract`]: requirements of all components, proved together.
//!
//! Around these:
//! - [`pairwise`]: the local states that may occur.
//! - [`sides`]: environment and module, as words over the interface see them.
//! - [`cone`]: the components on which the property can depend.
//! - [`evidence`]: why the property holds, for a checker that shares no code with this crate.
//! - [`naive`]: the requirement straight from its definition, for tests.
#![forbid(unsafe_code)]

pub mod agar;
pub mod alphabet;
pub mod auto;
mod cancellation;
pub mod canonical;
pub mod cegar;
pub mod compact;
pub mod cone;
mod contexts;
pub mod contract;
pub mod evidence;
pub mod exact;
pub mod explicit;
pub mod fold;
mod history;
mod labels;
pub mod learn;
pub mod levels;
pub mod marks;
mod merge;
pub mod minimize;
mod moves;
pub mod naive;
pub mod obligations;
pub mod pairwise;
pub mod refine;
pub mod requirement;
pub mod run;
mod settled;
pub mod sides;
pub mod split;
pub mod weakest;

pub use requirement::{Conclusion, Requirement};
pub use run::SplitRun;
pub use split::{Split, SplitError, SplitPart};
