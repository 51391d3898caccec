//! What terms mean, and what the solvers say about them.

mod points;
mod smt;
mod terms;
