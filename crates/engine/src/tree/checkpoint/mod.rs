//! Checkpoints: saving a store while it grows, so that a search can be resumed after a crash.
//!
//! The logs of a store only grow. A save therefore appends the new part of each log to a file of its own,
//! syncs, and then writes the small file `meta-N`, which says how much of each file is valid. Whenever a
//! crash happens, this file exists completely or not at all, and everything it refers to is on the disk.
//! Bytes behind the valid part are cut off when the checkpoint is opened.
//!
//! The search continues while a thread waits for the disk. Earlier saves stay valid until the caller
//! releases them: they are prefixes of the same files. A store that was rebuilt starts a new *generation*
//! of files.
//!
//! The indexes are not saved: they are larger than the logs and change everywhere. They are rebuilt while
//! the logs are read.

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
use std::thread::{self, JoinHandle};

/// The files with the logs: the bytes of the leaves and their lengths, nodes, roots.
const FILES: [&str; 4] = ["leaves", "lengths", "nodes", "roots"];

/// A folder to which a growing store is saved.
pub struct Checkpoint {
    folder: PathBuf,
    /// Locked while it is open.
    _lock: File,
    /// The files of [`FILES`], and their generation.
    files: [File; 4],
    generation: u64,
    /// What is certainly in the folder.
    meta: Meta,
    /// A save that is being written.
    pending: Option<JoinHandle<Result<Meta>>>,
}

/// A save in a folder: its number, and the caller's bytes.
pub type Saved = (u64, Vec<u8>);

impl Checkpoint {
    /// Prepares a folder; it may exist, but must not hold a checkpoint.
    pub fn create(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let lock = Self::lock(folder)?;
        if Self::is_in(folder)? {
            let sentence = format!("{} already holds a checkpoint", folder.display());
            return Err(Error::new(ErrorKind::AlreadyExists, sentence));
        }
        let files = create_files(folder, 0)?;
        Ok(Self::new(folder, lock, files, Meta::default()))
    }

    /// Whether a folder holds a checkpoint.
    pub fn is_in(folder: &Path) -> Result<bool> {
        Ok(!Meta::numbers(folder)?.is_empty())
    }

    /// The saves in a folder, the newest last. There are several if a run ended before the older ones were
    /// [released](Self::settle).
    pub fn list(folder: &Path) -> Result<Vec<Saved>> {
        let numbers = Meta::numbers(folder)?.into_iter();
        numbers.map(|n| Ok((n, Meta::read(folder, n)?.opaque))).collect()
    }

    /// Opens a folder with a checkpoint: returns the store as it was saved last, the caller's bytes, and
    /// the checkpoint to continue with.
    pub fn open(folder: &Path) -> Result<(TreeStore, Vec<u8>, Self)> {
        let newest = Meta::numbers(folder)?.last().copied();
        let nothing = || about(folder, ErrorKind::NotFound, "there is no checkpoint");
        let (store, checkpoint) = Self::open_at(folder, newest.ok_or_else(nothing)?)?;
        let opaque = checkpoint.meta.opaque.clone();
        Ok((store, opaque, checkpoint))
    }

    /// Like `open`, for one of the saves; the others are discarded.
    pub fn open_at(folder: &Path, number: u64) -> Result<(TreeStore, Self)> {
        let lock = Self::lock(folder)?;
        let (store, files, meta) = load(folder, number)?;
        // Later saves must be removed before their part of the files is overwritten.
        meta.remove_others(folder)?;
        meta::sync_folder(folder)?;
        Ok((store, Self::new(folder, lock, files, meta)))
    }

    fn new(folder: &Path, lock: File, files: [File; 4], meta: Meta) -> Self {
        let (folder, generation) = (folder.to_owned(), meta.generation);
        Self { folder, _lock: lock, files, generation, meta, pending: None }
    }

    /// Locks a folder until the file is dropped.
    pub fn lock(folder: &Path) -> Result<File> {
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|error| about(&path, error.kind(), &error.to_string()))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(about(folder, ErrorKind::WouldBlock, "another run uses this checkpoint"))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The store of one of the saves, without changing the folder.
    pub fn peek(folder: &Path, number: u64) -> Result<TreeStore> {
        Ok(load(folder, number)?.0)
    }

    /// Saves the store together with the caller's bytes.
    ///
    /// It must be the store of the previous saves, or the one from [`open`](Self::open). After an error the
    /// last checkpoint is unchanged, and saving may be tried again.
    pub fn save(&mut self, store: &TreeStore, opaque: &[u8]) -> Result<()> {
        self.start(store, opaque)?;
        self.finish()
    }

    /// Like `save`, but complete only when [`finish`](Self::finish) has returned.
    pub fn start(&mut self, store: &TreeStore, opaque: &[u8]) -> Result<()> {
        self.finish()?;
        let mut meta = self.meta.clone();
        if meta.generation != self.generation {
            (meta.generation, meta.saves) = (self.generation, Vec::new());
        }
        let at = meta.file_lengths();
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
        meta.number += 1;
        meta.opaque = opaque.to_vec();
        meta.saves.push(sections);
        let folder = self.folder.clone();
        let [a, b, c, d] = self.files.each_ref().map(File::try_clone);
        let files = [a?, b?, c?, d?];
        let commit = move || {
            files.iter().try_for_each(File::sync_data)?;
            meta.write(&folder)?;
            Ok(meta)
        };
        self.pending = Some(thread::Builder::new().spawn(commit)?);
        Ok(())
    }

    /// Waits until the save that was started is on the disk.
    pub fn finish(&mut self) -> Result<()> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        self.meta = pending.join().map_err(|_| Error::other("the thread that saves is gone"))??;
        Ok(())
    }

    /// Whether a save is still being written.
    pub fn is_busy(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| !pending.is_finished())
    }

    /// Waits for the last save and releases the earlier ones.
    pub fn settle(&mut self) -> Result<()> {
        self.finish()?;
        self.meta.remove_others(&self.folder)
    }

    /// Must be called when the store was rebuilt: the next save is of the whole store.
    pub fn renew(&mut self) -> Result<()> {
        self.finish()?;
        self.files = create_files(&self.folder, self.generation + 1)?;
        self.generation += 1;
        Ok(())
    }
}

impl Drop for Checkpoint {
    /// The folder stays locked until the last save is written.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// The words of a log from a number on, as bytes.
fn words(log: &Log, from: u64) -> impl Iterator<Item = [u8; 8]> {
    log.slices_from(from as usize).flatten().map(|word| word.to_le_bytes())
}

fn load(folder: &Path, number: u64) -> Result<(TreeStore, [File; 4], Meta)> {
    let meta = Meta::read(folder, number)?;
    let files = open_files(folder, meta.generation, OpenOptions::new().read(true).write(true))?;
    let store = rebuild::store(folder, &files, &meta)?;
    Ok((store, files, meta))
}

fn create_files(folder: &Path, generation: u64) -> Result<[File; 4]> {
    let mut options = OpenOptions::new();
    open_files(folder, generation, options.read(true).write(true).create(true).truncate(true))
}

fn open_files(folder: &Path, generation: u64, options: &OpenOptions) -> Result<[File; 4]> {
    let open = |number: usize| {
        let path = path_of(folder, number, generation);
        options.open(&path).map_err(|error| about(&path, error.kind(), &error.to_string()))
    };
    Ok([open(0)?, open(1)?, open(2)?, open(3)?])
}

/// The path of the file of a log.
fn path_of(folder: &Path, number: usize, generation: u64) -> PathBuf {
    folder.join(format!("{}-{generation}", FILES[number]))
}

fn about(path: &Path, kind: ErrorKind, what: &str) -> Error {
    Error::new(kind, format!("{}: {what}", path.display()))
}

fn damaged(path: &Path, what: &str) -> Error {
    about(path, ErrorKind::InvalidData, &format!("the checkpoint is damaged: {what}"))
}
