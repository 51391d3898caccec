//! Tests of the library through its public interface.

mod certificates;
mod common;
mod counting;
mod cycles;
mod damaged;
mod liveness;
mod unbounded;
