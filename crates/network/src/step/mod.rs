//! One step of the program, as its components carry it out.
//!
//! A step has one *driver*, a process. The driver runs the reference semantics on a [`half`]: it
//! knows its own local state and sends a [`request`] for everything else. A [`reply`] depends on
//! the local state of the component that is asked, and on nothing else. A [`script`] is a
//! driver's step up to the next request whose reply is not known yet.

pub mod half;
mod memory;
pub mod reply;
pub mod request;
pub mod script;
