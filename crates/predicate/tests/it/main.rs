//! What terms mean, and what the solvers say about them.

mod smt;
mod terms;
