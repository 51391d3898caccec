//! The folder of a search with several workers.
//!
//! Each worker saves its snapshots to a folder of its own inside, named after the run that made it. Hosts
//! may use a common folder or have one each. A save is complete when all its snapshots exist, so a worker
//! keeps its snapshot of the previous save until all workers have the next one.

use crate::search::keeper::{Identity, PATIENCE, damaged};
use crate::search::workers::messages::report::{Report, number};
use crate::search::workers::saving::snapshot::{SaveId, Snapshot};
use crate::tree::{Checkpoint, TreeStore};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The prefix of the names of the folders inside.
const NAME: &str = "share-";

/// A folder to which several workers save their search, as one process sees it.
pub struct Archive {
    folder: PathBuf,
    identity: Identity,
    every: Duration,
    /// Whether a saved search is resumed.
    pub(in super::super) resumes: bool,
    /// The folders of workers that existed at the start.
    pub(super) found: Vec<SnapshotFolder>,
    due: Mutex<Instant>,
    failure: Mutex<Option<Error>>,
}

/// The folder of one worker.
pub(super) struct SnapshotFolder {
    path: PathBuf,
    worker: u64,
    /// The snapshots in it: the number in the folder, and the save it belongs to.
    saves: Vec<(u64, SaveId)>,
}

/// A snapshot that a process sees: its worker, and the save it belongs to.
pub(super) type SeenSnapshot = (u64, SaveId);

impl Archive {
    /// Prepares a folder for a new search; it must not hold another.
    pub fn create(folder: &Path, identity: Identity, every: Duration) -> Result<Archive> {
        std::fs::create_dir_all(folder)?;
        if Self::is_in(folder)? || Checkpoint::is_in(folder)? {
            let name = folder.display();
            let sentence = format!("{name} already holds a checkpoint, or a part of one");
            return Err(Error::new(ErrorKind::AlreadyExists, sentence));
        }
        Self::new(folder, identity, every, false)
    }

    /// Opens a folder with a search to resume; its snapshots must have the same identity. It may be empty,
    /// if another host has all of them.
    pub fn open(folder: &Path, identity: Identity, every: Duration) -> Result<Archive> {
        if Checkpoint::is_in(folder)? {
            let what = "it was saved by one worker, and can go on with one only";
            return Err(Error::new(ErrorKind::InvalidData, what));
        }
        Self::new(folder, identity, every, true)
    }

    /// Whether a folder holds a search of several workers.
    pub fn is_in(folder: &Path) -> Result<bool> {
        let shares = shares(folder)?;
        shares.iter().try_fold(false, |any, share| Ok(any || Checkpoint::is_in(share)?))
    }

    /// Why the final state of the search is not in the folder, if it is not.
    pub fn failure(&self) -> Option<String> {
        lock(&self.failure).as_ref().map(Error::to_string)
    }

    fn new(folder: &Path, identity: Identity, every: Duration, resumes: bool) -> Result<Archive> {
        let found = shares(folder)?.into_iter().map(|path| inspect(path, &identity));
        let found = found.collect::<Result<_>>()?;
        let due = Mutex::new(Instant::now() + every);
        let folder = folder.to_owned();
        Ok(Archive { folder, identity, every, resumes, found, due, failure: Mutex::default() })
    }

    /// Whether a save is due.
    pub(in super::super) fn is_due(&self) -> bool {
        Instant::now() >= *lock(&self.due)
    }

    /// Schedules the next save, after one that took this long.
    pub(super) fn wait(&self, took: Duration) {
        *lock(&self.due) = Instant::now() + self.every.max(PATIENCE * took);
    }

    /// Records the result of a save; returns whether it succeeded.
    pub(super) fn note(&self, result: Result<()>) -> bool {
        let fine = result.is_ok();
        *lock(&self.failure) = result.err();
        fine
    }

    /// The header of a snapshot.
    pub(super) fn header(&self, share: &Snapshot) -> Vec<u8> {
        let mut header = self.identity.header();
        share.write(&mut header);
        header.0
    }

    /// Creates the folder of a worker. A search that is resumed goes on without saving if that fails.
    pub(super) fn add(&self, run: u64, worker: usize) -> Result<Checkpoint> {
        let folder = self.folder.join(format!("{NAME}{run:016x}-{worker}"));
        match Checkpoint::create(&folder) {
            Err(_) if self.resumes => Ok(Checkpoint::read_only(&folder)),
            result => result,
        }
    }

    /// The folder with a worker's snapshot of a save, and its number in the folder.
    pub(super) fn find(&self, worker: u64, save: SaveId) -> Option<(&Path, u64)> {
        self.found.iter().filter(|f| f.worker == worker).find_map(|f| {
            let &(number, _) = f.saves.iter().find(|(_, s)| *s == save)?;
            Some((f.path.as_path(), number))
        })
    }

    /// Reads the snapshot of a save.
    pub(super) fn read(&self, folder: &Path, number: u64, n_states: usize) -> Result<Snapshot> {
        let saved = Checkpoint::list(folder)?.into_iter().find(|s| s.0 == number);
        let (_, header) = saved.ok_or(ErrorKind::NotFound)?;
        let sections = self.identity.sections(folder, &header)?;
        Snapshot::read(sections, n_states as u64).map_err(|what| damaged(folder, what))
    }

    /// Reads a snapshot with its states, without changing the folder.
    pub(super) fn peek(&self, folder: &Path, number: u64) -> Result<(Snapshot, TreeStore)> {
        let _alone = Checkpoint::lock(folder)?;
        let store = Checkpoint::peek(folder, number)?;
        Ok((self.read(folder, number, store.len())?, store))
    }

    /// Removes the folders that existed at the start, unless they are still written to.
    pub(super) fn clear(&self, goes_on: bool) {
        if !goes_on {
            // Another host may have removed it already; a folder that is left over is harmless.
            self.found.iter().for_each(|f| _ = std::fs::remove_dir_all(&f.path));
        }
    }

    /// Appends what this process sees to a report.
    pub(super) fn write_seen(&self, words: Report) -> Report {
        let all = || self.found.iter().flat_map(|f| f.saves.iter().map(|(_, s)| (f.worker, *s)));
        all().fold(words.number(all().count() as u64), |words, (worker, save)| {
            let SaveId { number, run, n_workers } = save;
            [worker, number, run, n_workers].into_iter().fold(words, Report::number)
        })
    }
}

/// Reads what a process sees from a report.
pub(super) fn read_seen(words: &mut &[u8]) -> Vec<SeenSnapshot> {
    let n = number(words);
    let mut next = || number(words);
    let mut one = || {
        let worker = next();
        (worker, SaveId { number: next(), run: next(), n_workers: next() })
    };
    (0..n).map(|_| one()).collect()
}

/// The newest save of which every snapshot is seen by some process, and for each of its workers the
/// processes that see the snapshot.
pub(super) fn newest(seen: &[Vec<SeenSnapshot>]) -> Option<(SaveId, Vec<Vec<usize>>)> {
    let processes_seeing = |save: SaveId, worker: u64| {
        let sees = |process: &usize| seen[*process].contains(&(worker, save));
        (0..seen.len()).filter(sees).collect::<Vec<usize>>()
    };
    let mut saves: Vec<SaveId> = seen.iter().flatten().map(|(_, save)| *save).collect();
    saves.sort_unstable();
    saves.dedup();
    saves.into_iter().rev().find_map(|save| {
        let readers: Vec<_> =
            (0..save.n_workers).map(|worker| processes_seeing(save, worker)).collect();
        readers.iter().all(|r| !r.is_empty()).then_some((save, readers))
    })
}

/// The folders of workers in an archive.
fn shares(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(NAME) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Inspects the folder of a worker.
fn inspect(path: PathBuf, identity: &Identity) -> Result<SnapshotFolder> {
    let (mut worker, mut saves) = (0, Vec::new());
    for (number, header) in Checkpoint::list(&path)? {
        let sections = identity.sections(&path, &header)?;
        let counters = sections.section("counters").and_then(|mut s| s.number());
        worker = counters.map_err(|what| damaged(&path, what))?;
        saves.push((number, SaveId::read(sections).map_err(|what| damaged(&path, what))?));
    }
    Ok(SnapshotFolder { path, worker, saves })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_counts_when_all_shares_are_there() {
        let save = |number, run, n_workers| SaveId { number, run, n_workers };
        let (old, new) = (save(1, 7, 2), save(2, 7, 2));
        assert_eq!(newest(&[vec![(0, old)], vec![]]), None);
        assert_eq!(newest(&[vec![(0, old), (0, new)], vec![(1, old)]]), {
            Some((old, vec![vec![0], vec![1]]))
        });
        let all = vec![(0, old), (0, new), (1, old), (1, new)];
        assert_eq!(newest(&[all.clone(), all]), Some((new, vec![vec![0, 1], vec![0, 1]])));
        let other = save(3, 8, 2);
        assert_eq!(newest(&[vec![(0, new), (1, save(3, 9, 2))], vec![(1, new), (0, other)]]), {
            Some((new, vec![vec![0], vec![1]]))
        });
    }
}
