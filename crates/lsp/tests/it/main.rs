//! The protocols of editors: transcripts, and random edits.

mod client;
mod debug;
mod edits;
mod fixes;
mod latency;
mod transcripts;
