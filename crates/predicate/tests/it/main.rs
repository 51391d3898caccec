//! What terms mean, and what the solvers say about them.

mod derivations;
mod embedded;
mod interpolants;
mod points;
mod queries;
mod smt;
mod terms;
