//! The laws of the front end, and its agreement with LTSA.

mod analysis;
mod composed;
mod ltsa;
mod mistakes;
mod network;
mod temporal;
