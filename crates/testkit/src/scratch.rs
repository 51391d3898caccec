//! A folder that exists as long as its owner. spin writes its files into the
//! current folder, and a stale `pan.c` there looks like a fresh one, so every
//! run of spin gets an empty folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A fresh empty folder below the system's temporary folder.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Creates the folder; the name contains the process id and a counter.
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("resy-{purpose}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        if path.exists() {
            // Left by a killed process that had the same id.
            std::fs::remove_dir_all(&path)?;
        }
        std::fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing sensible can be done about a failure: the system cleans its
        // temporary folder by itself.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Copies the files directly inside `from` to `to`, without sub-folders and
/// without files above a megabyte: enough for `#include`, safe on large trees.
pub fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let meta = std::fs::metadata(entry.path());
        if meta.is_ok_and(|m| m.is_file() && m.len() < 1 << 20) {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_disappears_with_its_owner() -> io::Result<()> {
        let scratch = Scratch::new("test")?;
        let path = scratch.path().to_owned();
        std::fs::write(path.join("a"), "x")?;
        drop(scratch);
        assert!(!path.exists());
        Ok(())
    }
}
