//! Saving a store while it grows, so that a search can go on after a crash.
//!
//! The logs of a store only grow. A checkpoint therefore appends what is new of each
//! to a file of its own, waits until that is on the disk, and then replaces the small
//! file `meta`, which says how much of each file counts. Whatever moment a crash
//! comes at, `meta` is the old one or the new one, whole, and all that it counts is on
//! the disk. What lies behind is cut off when the checkpoint is opened.
//!
//! The indexes are not saved: they are larger than the logs, change everywhere, and
//! are rebuilt in the time of reading.

mod meta;
mod rebuild;
mod section;

use super::TreeStore;
use super::log::Log;
use meta::Meta;
use section::append;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The files with the logs: the leaves' bytes and their lengths, nodes, roots.
const FILES: [&str; 4] = ["leaves", "lengths", "nodes", "roots"];

/// A folder to which a growing store is saved.
pub struct Checkpoint {
    folder: PathBuf,
    /// Those of [`FILES`]. The last one is locked as long as they are open.
    files: [File; 4],
    /// What the folder holds so far.
    meta: Meta,
}

impl Checkpoint {
    /// Prepares a folder; it may exist, but not hold a checkpoint.
    pub fn create(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut options = OpenOptions::new();
        let files =
            open_files(folder, options.read(true).write(true).create(true).truncate(false))?;
        if Meta::path(folder).try_exists()? {
            let sentence = format!("{} already holds a checkpoint", folder.display());
            return Err(Error::new(ErrorKind::AlreadyExists, sentence));
        }
        Ok(Self { folder: folder.to_owned(), files, meta: Meta::default() })
    }

    /// Opens a folder with a checkpoint: the store as it was saved, the caller's bytes,
    /// and the checkpoint to go on with.
    pub fn open(folder: &Path) -> Result<(TreeStore, Vec<u8>, Self)> {
        let files = open_files(folder, OpenOptions::new().read(true).write(true))?;
        let meta = Meta::read(folder)?;
        let store = rebuild::store(folder, &files, &meta)?;
        let opaque = meta.opaque.clone();
        Ok((store, opaque, Self { folder: folder.to_owned(), files, meta }))
    }

    /// Saves what the store has now, together with the caller's bytes.
    ///
    /// It must be the store of the saves before, or the one from [`open`](Self::open).
    /// After an error the last checkpoint is as it was, and saving may be tried again.
    pub fn save(&mut self, store: &TreeStore, opaque: &[u8]) -> Result<()> {
        let at = self.meta.file_lengths();
        let (n_leaves, n_nodes, n_roots) = (at[1] / 4, at[2] / 8, at[3] / 8);
        let leaves = || (n_leaves as u32..store.leaves.len() as u32).map(|id| store.leaves.get(id));
        let lengths = leaves().map(|leaf| (leaf.len() as u32).to_le_bytes());
        let [leaves_file, lengths_file, nodes_file, roots_file] = &mut self.files;
        let sections = [
            append(leaves_file, at[0], leaves())?,
            append(lengths_file, at[1], lengths)?,
            append(nodes_file, at[2], words(store.nodes.log(), n_nodes))?,
            append(roots_file, at[3], words(store.roots.log(), n_roots))?,
        ];
        let mut meta = self.meta.clone();
        meta.saves.push(sections);
        meta.opaque = opaque.to_vec();
        meta.write(&self.folder)?;
        self.meta = meta;
        Ok(())
    }
}

/// The words of a log from one on, as bytes.
fn words(log: &Log, from: u64) -> impl Iterator<Item = [u8; 8]> {
    log.slices_from(from as usize).flatten().map(|word| word.to_le_bytes())
}

fn open_files(folder: &Path, options: &OpenOptions) -> Result<[File; 4]> {
    let open = |name| {
        let path = folder.join(name);
        options.open(&path).map_err(|error| about(&path, error.kind(), &error.to_string()))
    };
    let [leaves, lengths, nodes, roots] = FILES.map(open);
    let files = [leaves?, lengths?, nodes?, roots?];
    match files[3].try_lock() {
        Ok(()) => Ok(files),
        Err(TryLockError::WouldBlock) => {
            Err(about(folder, ErrorKind::WouldBlock, "another run uses this checkpoint"))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn about(path: &Path, kind: ErrorKind, what: &str) -> Error {
    Error::new(kind, format!("{}: {what}", path.display()))
}

fn damaged(path: &Path, what: &str) -> Error {
    about(path, ErrorKind::InvalidData, &format!("the checkpoint is damaged: {what}"))
}
