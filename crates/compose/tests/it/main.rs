//! Tests of requirement synthesis on generated networks.

mod auto;
mod cegar;
mod certificate;
mod changed;
mod common;
mod cone;
mod contract;
mod definition;
mod exact;
mod families;
mod fold;
mod minimize;
mod mutual_exclusion;
mod refine;
mod settled;
