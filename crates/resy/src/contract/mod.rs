//! Contracts: requirements of all processes, proved together, and whether a changed model keeps them.

mod infinite;
mod init;
mod network;
mod verify;

pub use init::{ContractDraft, NoContract, coverage, draft};
pub use verify::{ContractScope, Judgement, NotKept, read, verify, verify_defines};

/// The bound on the states that requirements have together.
pub const MAX_JOINT: usize = 20_000_000;
