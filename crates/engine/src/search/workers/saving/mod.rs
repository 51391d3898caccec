//! Saving a search of several workers, and resuming it with any number of them.

pub mod archive;
pub mod resume;
pub mod saver;
pub mod snapshot;

pub use archive::Archive;
