//! Tests of requirement synthesis on generated networks.

mod agar;
mod alphabet;
mod auto;
mod canonical;
mod case_study;
mod cegar;
mod certificate;
mod changed;
mod common;
mod compact;
mod cone;
mod contract;
mod counting;
mod definition;
mod exact;
mod families;
mod fold;
mod laws;
mod learn;
mod levels;
mod minimize;
mod mutual_exclusion;
mod refine;
mod settled;
mod weakest;
