//! The laws of the front end, and its agreement with LTSA.

mod analysis;
mod bisimilar;
mod composed;
mod ltsa;
mod mistakes;
mod network;
mod random;
mod read_back;
mod robust;
mod temporal;
