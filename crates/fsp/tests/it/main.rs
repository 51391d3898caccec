//! The laws of the front end, and its agreement with LTSA.

mod analysis;
mod ltsa;
mod mistakes;
mod network;
