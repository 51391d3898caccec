//! Saving the snapshots of one worker.
//!
//! All workers save between the same two rounds. In the reports of the following rounds each says whether
//! its snapshot is written; when all are, the previous save is removed.

use crate::search::workers::saving::archive::Archive;
use crate::search::workers::saving::snapshot::{SaveId, Snapshot};
use crate::tree::{Checkpoint, TreeStore};
use std::time::{Duration, Instant};

/// The status of a worker's snapshot of the last save, from best to worst.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SaveStatus {
    /// There is none, or all workers know its status.
    Nothing,
    /// It is on the disk.
    Done,
    /// It is being written.
    Busy,
    /// It could not be written: the save is not complete.
    Failed,
}

impl SaveStatus {
    /// The status with a number.
    pub fn of(number: u64) -> SaveStatus {
        match number {
            0 => SaveStatus::Nothing,
            1 => SaveStatus::Done,
            2 => SaveStatus::Busy,
            3 => SaveStatus::Failed,
            unknown => panic!("no status has the number {unknown}"),
        }
    }
}

/// Saves the snapshots of a worker.
pub struct Saver<'a> {
    archive: &'a Archive,
    checkpoint: Checkpoint,
    /// The last save.
    pub save: SaveId,
    /// The time that the search took before it was resumed, and when it was.
    pub before: Duration,
    started: Instant,
    status: SaveStatus,
    /// Whether the folder existed before.
    goes_on: bool,
}

impl<'a> Saver<'a> {
    /// Saves to a new folder, or to one that existed (`goes_on`).
    pub fn new(archive: &'a Archive, checkpoint: Checkpoint, save: SaveId, goes_on: bool) -> Self {
        let (before, started) = (Duration::ZERO, Instant::now());
        Self { archive, checkpoint, save, before, started, status: SaveStatus::Nothing, goes_on }
    }

    /// The time that the search has taken.
    pub fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Must be called when the store was rebuilt.
    pub fn renew(&mut self) {
        let renewed = self.checkpoint.renew();
        self.archive.note(renewed);
    }

    /// Starts to save the next snapshot.
    pub fn start(&mut self, store: &TreeStore, share: &Snapshot) {
        let started = Instant::now();
        self.save = share.save;
        let saved = self.checkpoint.start(store, &self.archive.header(share));
        self.status = if self.archive.note(saved) { SaveStatus::Busy } else { SaveStatus::Failed };
        self.archive.wait(started.elapsed());
    }

    /// The present status of the snapshot.
    pub fn status(&mut self) -> SaveStatus {
        if self.checkpoint.is_busy() { self.status } else { self.finish() }
    }

    /// Waits until the snapshot is written.
    pub fn finish(&mut self) -> SaveStatus {
        if self.status == SaveStatus::Busy {
            let finished = self.checkpoint.finish();
            self.status =
                if self.archive.note(finished) { SaveStatus::Done } else { SaveStatus::Failed };
        }
        self.status
    }

    /// Handles the worst status among the snapshots of this save.
    pub fn handle_status(&mut self, worst: SaveStatus) {
        if worst == SaveStatus::Done {
            let settled = self.checkpoint.settle();
            self.archive.note(settled);
            self.archive.clear(self.goes_on);
            self.goes_on = true;
        }
        if worst == SaveStatus::Busy {
            return self.archive.wait(Duration::ZERO);
        }
        self.status = SaveStatus::Nothing;
    }
}
