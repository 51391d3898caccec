//! Tests of the library through its public interface.

mod certificates;
mod common;
mod contracts;
mod counting;
mod cycles;
mod damaged;
mod data_certificates;
mod end_states;
mod found_predicates;
mod liveness;
mod pitfalls;
mod polls;
mod priority;
mod saved_cycles;
mod unbounded;
