//! The reports of a round, added up.

use crate::search::limits::Stopped;
use crate::search::workers::messages::report;
use crate::search::workers::saving::saver::SaveStatus;
use crate::search::workers::signals::reason;

/// The sum of the reports of a round.
pub struct Tally {
    /// The number of states of the level.
    pub states: u64,
    /// The number of states expanded in this round.
    pub expanded: u64,
    /// The number of states of the level that are left.
    pub left: u64,
    /// Whether there was a violation, in this round or earlier.
    pub violated: bool,
    /// Why the search should stop, if it should.
    pub stopped: Option<Stopped>,
    /// Whether a save is due.
    pub pauses: bool,
    /// The worst status of a snapshot of the last save.
    pub status: SaveStatus,
}

impl Tally {
    /// Adds up the reports.
    pub fn of(reports: &[Vec<u8>]) -> Self {
        let mut tally = Self {
            states: 0,
            expanded: 0,
            left: 0,
            violated: false,
            stopped: None,
            pauses: false,
            status: SaveStatus::Nothing,
        };
        for report in reports {
            let mut words = report.as_slice();
            let mut next = || report::number(&mut words);
            tally.states += next();
            tally.expanded += next();
            tally.left += next();
            tally.violated |= next() != 0;
            tally.stopped = tally.stopped.or(reason(next() as u8));
            tally.pauses |= next() != 0;
            tally.status = tally.status.max(SaveStatus::of(next()));
        }
        tally
    }
}
