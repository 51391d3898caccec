//! A system cut into a network of component automata.
//!
//! Every process becomes a component, and so does every variable and channel that several
//! processes use. Components synchronise on *labels*, which name what is done to a shared object and
//! the values that are exchanged. The reachable product of the components is the state graph of the
//! program; this crate never builds it.
//!
//! 1. `cut`: which component owns which variable, channel and location.
//! 2. `step`: one step of the program as a sequence of requests and replies between components,
//!    each answered from one local state alone.
//! 3. `closure`: the local states and labels of all components, as one least fixpoint.
//! 4. `label`: what a label is called, what identifies it, and what it means.
//! 5. `build`: from the closure to automata and a monitor.
//! 6. `recut`: the loop around these, which changes the cut when a component grows too large.
//! 7. `occur`: where the states of the program are few, bounds for the components, and places for processes that
//!    are created late.
//! 8. `counted`: bounds for counters, by what each process can add.
//! 9. `retrace`: from a run of the network back to a run of the program.

mod build;
mod closure;
mod counted;
mod cut;
mod label;
mod occur;
mod recut;
mod retrace;
mod step;

pub use build::monitor::WatchedProperty;
pub use build::{Components, Doubt, build};
pub use closure::{Budget, ClassId, Closure, GoOn, Overrun, StepClass, close, close_within};
pub use cut::own::Manner;
pub use cut::refusal::{CutObstacle, CutRefusal};
pub use cut::start::MovePair;
pub use cut::support::{Item, Support};
pub use cut::{
    ChannelHome, Cut, Home, Part, PartId, ProcessSlot, Role, SharedCounter, Users, WatchedClaim,
};
pub use label::meaning::{Meaning, StepTurn};
pub use label::name::{action_name, symbol};
pub use label::signature::{StepStage, signature};
pub use occur::{Bounds, NoSource, StateSource, bounds, occurring, slots};
pub use recut::{NetworkSpec, NoNetwork, asks_timeout, components, components_with, too_large};
pub use retrace::retrace;
pub use retrace::view::View;
pub use step::half::{Gap, Half};
pub use step::reply::{DEAD, join};
pub use step::request::{Exchange, ExchangeLog, Reply, Request};
pub use step::script;
