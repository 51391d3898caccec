//! Tests of the library through its public interface.

mod certificates;
mod damaged;
