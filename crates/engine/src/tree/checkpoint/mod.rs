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
//!
//! A [flat store](crate::flat) has two logs of its own, the states and the lengths of their shapes. A save says which
//! kind of store it is of.

mod flat;
mod meta;
mod rebuild;
mod section;

use super::TreeStore;
use super::log::Log;
use crate::store::{StateStore, StoreKind, StoreRef};
use meta::Meta;
use section::{Section, append};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// The files with the logs: of a tree the bytes of the leaves and their lengths, nodes, roots; of a flat store the
/// states and the lengths of their shapes.
const FILES: [&str; N_FILES] = ["leaves", "lengths", "nodes", "roots", "states", "shapes"];
const N_FILES: usize = 6;

/// A folder to which a growing store is saved.
pub struct Checkpoint {
    folder: PathBuf,
    /// Locked while it is open.
    _lock: Option<File>,
    /// The files of [`FILES`], and their generation; `None` if the folder cannot be written.
    files: Option<Files>,
    generation: u64,
    /// What is certainly in the folder.
    meta: Meta,
    /// A save that is being written.
    pending: Option<JoinHandle<Result<Meta>>>,
}

/// A save in a folder: its number, and the caller's bytes.
pub type Saved = (u64, Vec<u8>);

/// The files with the logs of one generation.
type Files = [File; N_FILES];

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
        Ok(Self::new(folder, Some(lock), Some(files), Meta::default()))
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
        let (store, opaque, checkpoint) = Self::open_any(folder)?;
        Ok((tree_of(store, folder)?, opaque, checkpoint))
    }

    /// Like `open`, for a store of any kind.
    pub fn open_any(folder: &Path) -> Result<(StateStore, Vec<u8>, Self)> {
        let newest = Meta::numbers(folder)?.last().copied();
        let nothing = || about(folder, ErrorKind::NotFound, "there is no checkpoint");
        let (store, checkpoint) = Self::open_any_at(folder, newest.ok_or_else(nothing)?)?;
        let opaque = checkpoint.meta.opaque.clone();
        Ok((store, opaque, checkpoint))
    }

    /// Like `open`, for one of the saves; the others are discarded. A folder that cannot be written is read
    /// only: the store is there, and saving fails.
    pub fn open_at(folder: &Path, number: u64) -> Result<(TreeStore, Self)> {
        let (store, checkpoint) = Self::open_any_at(folder, number)?;
        Ok((tree_of(store, folder)?, checkpoint))
    }

    fn open_any_at(folder: &Path, number: u64) -> Result<(StateStore, Self)> {
        let lock = match Self::lock(folder) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
            Err(_) => {
                let (store, _, meta) = load(folder, number, OpenOptions::new().read(true))?;
                return Ok((store, Self::new(folder, None, None, meta)));
            }
            Ok(lock) => Some(lock),
        };
        let (store, files, meta) = load(folder, number, OpenOptions::new().read(true).write(true))?;
        // Later saves must be removed before their part of the files is overwritten.
        meta.remove_others(folder)?;
        meta::sync_folder(folder)?;
        Ok((store, Self::new(folder, lock, Some(files), meta)))
    }

    /// A checkpoint to which nothing can be saved.
    pub fn read_only(folder: &Path) -> Self {
        Self::new(folder, None, None, Meta::default())
    }

    /// Whether nothing can be saved.
    pub fn is_read_only(&self) -> bool {
        self.files.is_none()
    }

    fn new(folder: &Path, lock: Option<File>, files: Option<Files>, meta: Meta) -> Self {
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
        tree_of(load(folder, number, OpenOptions::new().read(true))?.0, folder)
    }

    /// Saves the store together with the caller's bytes.
    ///
    /// It must be the store of the previous saves, or the one from [`open`](Self::open). After an error the
    /// last checkpoint is unchanged, and saving may be tried again.
    pub fn save<'s>(&mut self, store: impl Into<StoreRef<'s>>, opaque: &[u8]) -> Result<()> {
        self.start(store, opaque)?;
        self.finish()
    }

    /// Like `save`, but complete only when [`finish`](Self::finish) has returned.
    pub fn start<'s>(&mut self, store: impl Into<StoreRef<'s>>, opaque: &[u8]) -> Result<()> {
        let store = store.into();
        self.finish()?;
        let mut meta = self.meta.clone();
        if meta.generation != self.generation {
            (meta.generation, meta.saves) = (self.generation, Vec::new());
        }
        let read_only = || about(&self.folder, ErrorKind::PermissionDenied, "it cannot be written");
        let files = self.files.as_mut().ok_or_else(read_only)?;
        let at = meta.file_lengths();
        let (kind, sections) = match store {
            StoreRef::Tree(tree) => (StoreKind::Tree, append_tree(tree, files, at)?),
            StoreRef::Flat(flat) => (StoreKind::Flat, flat::append_flat(flat, files, at)?),
        };
        meta.kind = kind;
        meta.number += 1;
        meta.opaque = opaque.to_vec();
        meta.saves.push(sections);
        let folder = self.folder.clone();
        let files = files.iter().map(File::try_clone).collect::<Result<Vec<File>>>()?;
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
        match self.is_read_only() {
            true => Ok(()),
            false => self.meta.remove_others(&self.folder),
        }
    }

    /// Must be called when the store was rebuilt: the next save is of the whole store.
    pub fn renew(&mut self) -> Result<()> {
        self.finish()?;
        if !self.is_read_only() {
            self.files = Some(create_files(&self.folder, self.generation + 1)?);
        }
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

/// Appends what is new of a tree.
fn append_tree(
    store: &TreeStore,
    files: &mut Files,
    at: [u64; N_FILES],
) -> Result<[Section; N_FILES]> {
    let (n_leaves, n_nodes, n_roots) = (at[1] / 4, at[2] / 8, at[3] / 8);
    let leaves = || (n_leaves as u32..store.leaves.len() as u32).map(|id| store.leaves.get(id));
    let lengths = leaves().map(|leaf| (leaf.len() as u32).to_le_bytes());
    let mut sections = [Section::default(); N_FILES];
    sections[0] = append(&mut files[0], at[0], leaves())?;
    sections[1] = append(&mut files[1], at[1], lengths)?;
    sections[2] = append(&mut files[2], at[2], words(store.nodes.log(), n_nodes))?;
    sections[3] = append(&mut files[3], at[3], words(store.roots.log(), n_roots))?;
    Ok(sections)
}

/// The tree of a store that must be one.
fn tree_of(store: StateStore, folder: &Path) -> Result<TreeStore> {
    match store {
        StateStore::Tree(tree) => Ok(tree),
        StateStore::Flat(_) => Err(damaged(folder, "its store is not a tree")),
    }
}

/// The words of a log from a number on, as bytes.
fn words(log: &Log, from: u64) -> impl Iterator<Item = [u8; 8]> {
    log.slices_from(from as usize).flatten().map(|word| word.to_le_bytes())
}

fn load(folder: &Path, number: u64, options: &OpenOptions) -> Result<(StateStore, Files, Meta)> {
    let meta = Meta::read(folder, number)?;
    let files = open_files(folder, meta.generation, options)?;
    let store = match meta.kind {
        StoreKind::Tree => StateStore::Tree(rebuild::store(folder, &files, &meta)?),
        StoreKind::Flat => StateStore::Flat(flat::rebuild_flat(folder, &files, &meta)?),
    };
    Ok((store, files, meta))
}

fn create_files(folder: &Path, generation: u64) -> Result<Files> {
    let mut options = OpenOptions::new();
    open_files(folder, generation, options.read(true).write(true).create(true).truncate(true))
}

fn open_files(folder: &Path, generation: u64, options: &OpenOptions) -> Result<Files> {
    let open = |number: usize| {
        let path = path_of(folder, number, generation);
        options.open(&path).map_err(|error| about(&path, error.kind(), &error.to_string()))
    };
    Ok([open(0)?, open(1)?, open(2)?, open(3)?, open(4)?, open(5)?])
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
