//! The laws of the passes, against a naive search.

mod explore;
mod independence;
mod laws;
mod models;
