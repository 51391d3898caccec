//! The laws of the passes, against a naive search.

mod independence;
mod laws;
