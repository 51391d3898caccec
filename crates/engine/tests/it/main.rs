//! Tests of the search: laws of reductions, of stores and of threads, and comparisons with spin.

mod ample;
mod checkpoint;
mod claims;
mod compiled;
mod directed;
mod killed;
mod lossy;
mod refusals;
mod saved;
mod shorten;
mod shortest;
mod spin;
mod stores;
mod symmetry;
mod threads;
mod tree;
mod visible;
mod workers;
