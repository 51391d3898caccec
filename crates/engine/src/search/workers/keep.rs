//! How one worker saves its share.
//!
//! All workers save between the same two rounds. In the reports of the following rounds each
//! says what became of its share, and when all have theirs the save before is not needed.

use super::archive::Archive;
use super::share::{Save, Share};
use crate::tree::{Checkpoint, TreeStore};
use std::time::{Duration, Instant};

/// What became of a worker's share of the last save.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// There is none, or everybody knows.
    Nothing,
    /// It is on the disk.
    Done,
    /// It is on its way there.
    Busy,
    /// It could not be written: the save does not count.
    Failed,
}

impl Fate {
    /// The fate with a number.
    pub fn of(number: u64) -> Fate {
        match number {
            0 => Fate::Nothing,
            1 => Fate::Done,
            2 => Fate::Busy,
            3 => Fate::Failed,
            unknown => panic!("no fate has the number {unknown}"),
        }
    }
}

/// Where a worker saves its share.
pub struct Keep<'a> {
    archive: &'a Archive,
    checkpoint: Checkpoint,
    /// The last save.
    pub save: Save,
    /// How long the search took before it went on here, and since when it does.
    pub before: Duration,
    started: Instant,
    fate: Fate,
    /// Whether the folder was there before.
    goes_on: bool,
}

impl<'a> Keep<'a> {
    /// Saves to a folder that is new, or that `goes_on`.
    pub fn new(archive: &'a Archive, checkpoint: Checkpoint, save: Save, goes_on: bool) -> Self {
        let (before, started) = (Duration::ZERO, Instant::now());
        Self { archive, checkpoint, save, before, started, fate: Fate::Nothing, goes_on }
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
    pub fn start(&mut self, store: &TreeStore, share: &Share) {
        let started = Instant::now();
        self.save = share.save;
        let saved = self.checkpoint.start(store, &self.archive.header(share));
        self.fate = if self.archive.note(saved) { Fate::Busy } else { Fate::Failed };
        self.archive.wait(started.elapsed());
    }

    /// What has become of the share meanwhile.
    pub fn fate(&mut self) -> Fate {
        if self.checkpoint.is_busy() { self.fate } else { self.finish() }
    }

    /// Waits for the share.
    pub fn finish(&mut self) -> Fate {
        if self.fate == Fate::Busy {
            let finished = self.checkpoint.finish();
            self.fate = if self.archive.note(finished) { Fate::Done } else { Fate::Failed };
        }
        self.fate
    }

    /// Hears the worst that became of a share of this save.
    pub fn hear(&mut self, worst: Fate) {
        if worst == Fate::Done {
            let settled = self.checkpoint.settle();
            self.archive.note(settled);
            self.archive.clear(self.goes_on);
            self.goes_on = true;
        }
        if worst == Fate::Busy {
            return self.archive.wait(Duration::ZERO);
        }
        self.fate = Fate::Nothing;
    }
}
