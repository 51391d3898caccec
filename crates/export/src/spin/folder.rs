//! A private temporary folder that is removed when dropped.

use super::group;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A private folder for temporary files.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    kept: bool,
}

impl Folder {
    /// A new, empty folder that other users cannot read. A kept folder is not removed.
    pub fn new(kept: bool) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..100 {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path =
                std::env::temp_dir().join(format!("resy-handover-{}-{count}", std::process::id()));
            match group::private_folder().create(&path) {
                Ok(()) => return Ok(Self { path, kept }),
                // Left behind by an earlier process with the same id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.kept {
            // A folder that cannot be removed is left to the operating system.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
