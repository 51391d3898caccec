//! Tests of what is written for people and for other programs.

mod common;
mod report;
mod runs;
mod same_states;
mod shown;
mod verdicts;
mod writing;
