//! A system cut into a network of component automata.
//!
//! Every process becomes a component, and so does every variable and channel that several
//! processes use. Components meet in *labels*, which name what is done to a shared object and
//! the values that go to and fro. The reachable product of the components is the state graph of the
//! program; it is never built here.
//!
//! [`Cut`] says who owns what, [`close`] finds the local states and labels.

mod answer;
mod build;
mod called;
mod closure;
mod condition;
mod cut;
mod elaborate;
mod half;
mod local;
mod meaning;
mod memory;
mod name;
mod own;
mod refusal;
mod reown;
mod request;
mod retrace;
mod ring;
pub mod script;
mod signature;
mod sum;
mod support;
mod table;
mod uses;
mod view;
mod watch;

pub use build::{Components, Doubt, build};
pub use closure::{Budget, Class, ClassId, Closure, Overrun, close};
pub use cut::{ChannelHome, Cut, Home, Part, PartId, Role, Sum, Users, Watch};
pub use elaborate::Moves;
pub use half::{Gap, Half};
pub use meaning::{Meaning, Turn};
pub use name::{action_name, symbol};
pub use own::Manner;
pub use refusal::{Refusal, Why};
pub use reown::{Asked, Failure, components};
pub use request::{Exchange, Log, Reply, Request};
pub use retrace::retrace;
pub use signature::{Stage, signature};
pub use support::{Item, Support};
pub use view::View;
pub use watch::WatchedProperty;
