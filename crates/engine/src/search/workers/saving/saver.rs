//! How one worker saves its share.
//!
//! All workers save between the same two rounds. In the reports of the following rounds each
//! says what became of its share, and when all have theirs the save before is not needed.

use crate::search::workers::saving::archive::Archive;
use crate::search::workers::saving::snapshot::{SaveId, Snapshot};
use crate::tree::{Checkpoint, TreeStore};
use std::time::{Duration, Instant};

/// What became of a worker's share of the last save.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SaveStatus {
    /// There is none, or everybody knows.
    Nothing,
    /// It is on the disk.
    Done,
    /// It is on its way there.
    Busy,
    /// It could not be written: the save does not count.
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

/// Where a worker saves its share.
pub struct Saver<'a> {
    archive: &'a Archive,
    checkpoint: Checkpoint,
    /// The last save.
    pub save: SaveId,
    /// How long the search took before it went on here, and since when it does.
    pub before: Duration,
    started: Instant,
    status: SaveStatus,
    /// Whether the folder was there before.
    goes_on: bool,
}

impl<'a> Saver<'a> {
    /// Saves to a folder that is new, or that `goes_on`.
    pub fn new(archive: &'a Archive, checkpoint: Checkpoint, save: SaveId, goes_on: bool) -> Self {
        let (before, started) = (Duration::ZERO, Instant::now());
        Self { archive, checkpoint, save, before, started, status: SaveStatus::Nothing, goes_on }
    }

    /// How long the search took until now.
    pub fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Says that the store was built anew.
    pub fn renew(&mut self) {
        let renewed = self.checkpoint.renew();
        self.archive.note(renewed);
    }

    /// Starts to save the next share.
    pub fn start(&mut self, store: &TreeStore, share: &Snapshot) {
        let started = Instant::now();
        self.save = share.save;
        let saved = self.checkpoint.start(store, &self.archive.header(share));
        self.status = if self.archive.note(saved) { SaveStatus::Busy } else { SaveStatus::Failed };
        self.archive.wait(started.elapsed());
    }

    /// What has become of the share meanwhile.
    pub fn status(&mut self) -> SaveStatus {
        if self.checkpoint.is_busy() { self.status } else { self.finish() }
    }

    /// Waits for the share.
    pub fn finish(&mut self) -> SaveStatus {
        if self.status == SaveStatus::Busy {
            let finished = self.checkpoint.finish();
            self.status =
                if self.archive.note(finished) { SaveStatus::Done } else { SaveStatus::Failed };
        }
        self.status
    }

    /// Hears the worst that became of a share of this save.
    pub fn hear(&mut self, worst: SaveStatus) {
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
