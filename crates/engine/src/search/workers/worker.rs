//! One worker: it expands its part of a level, round by round, and agrees with the
//! others at the end of each.
//!
//! What is decided (whether to go on, which violation is shown) follows from the reports
//! of all workers, and every worker has them all: so all decide the same, and the verdict
//! does not depend on who was faster.

use super::super::expansion::Expansion;
use super::super::limits::Stopped;
use super::hand::Hand;
use super::key::Key;
use super::mail::Mail;
use super::parcel::{Kind, Parcel};
use super::signals::{Counters, Signals, number, reason};
use super::words::{self, Words};
use crate::tree::{StateId, TreeStore};
use std::sync::atomic::Ordering::Relaxed;

/// So many states are expanded before others get their turn: without a limit the
/// parcels of a whole level would pile up.
const TURN: StateId = 1024;

/// The other workers cannot be reached any more.
pub struct Lost;

/// A worker.
pub struct Worker<'a> {
    /// How it finds successors.
    pub expansion: Expansion<'a>,
    /// Its states, and what it knows about them.
    pub hand: Hand,
    /// The first state of each level; the last entry ends the last level.
    pub levels: Vec<StateId>,
    /// Whether the search ends with the level of the first violation.
    pub first_violation: bool,
    mail: Mail<'a>,
    signals: &'a Signals,
    counters: &'a Counters,
    /// What the workers have said in this round.
    reports: Vec<Vec<u8>>,
    /// Whether the others know that the search is to stop.
    told: bool,
}

/// How the search of all levels ended.
pub struct Ending {
    /// The deepest level with a state.
    pub depth: u64,
    /// Why it is not complete.
    pub stopped: Option<Stopped>,
}

impl<'a> Worker<'a> {
    /// A worker that has no states yet.
    pub fn new(
        expansion: Expansion<'a>,
        mail: Mail<'a>,
        signals: &'a Signals,
        counters: &'a Counters,
        key: Key,
    ) -> Self {
        let (me, n_workers) = (mail.me(), mail.n_workers());
        Self {
            expansion,
            hand: Hand::new(me, n_workers, key),
            levels: vec![0],
            first_violation: false,
            mail,
            signals,
            counters,
            reports: vec![Vec::new(); n_workers],
            told: false,
        }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.mail.me()
    }

    /// Searches level by level, from the last one that is there.
    pub fn search(&mut self) -> Result<Ending, Lost> {
        loop {
            let level = self.levels.len() as u64 - 1;
            let (start, end) = self.open_level();
            self.hand.learn(&mut self.expansion);
            self.expand(start, end, level)?;
            let stopped = number(self.signals.stopped());
            let report = Words::default()
                .number(u64::from(end - start))
                .number(u64::from(!self.hand.findings.is_empty()))
                .number(u64::from(stopped));
            let tally = Tally::of(&self.agree(report)?);
            if tally.states == 0 {
                return Ok(Ending { depth: level.saturating_sub(1), stopped: tally.stopped });
            }
            if self.first_violation && tally.violated {
                return Ok(Ending { depth: level, stopped: Some(Stopped::Violation) });
            }
            if tally.stopped.is_some() {
                return Ok(Ending { depth: level, stopped: tally.stopped });
            }
        }
    }

    /// Ends the list of known states here: what comes is the next level.
    fn open_level(&mut self) -> (StateId, StateId) {
        self.hand.flush();
        let start = self.levels.last().copied().unwrap_or(0);
        let end = self.hand.store.len() as StateId;
        self.levels.push(end);
        self.counters.level.store(self.levels.len() as u64 - 2, Relaxed);
        (start, end)
    }

    fn expand(&mut self, start: StateId, end: StateId, level: u64) -> Result<(), Lost> {
        let mut next = start;
        while next < end {
            self.turn()?;
            if !self.hand.store.has_room() {
                self.signals.stop(Stopped::Numbers);
            }
            if let Some(why) = self.signals.stopped() {
                self.tell(why);
                break;
            }
            let until = end.min(next + TURN);
            for id in next..until {
                self.hand.expand(&mut self.expansion, id, level);
            }
            next = until;
            for parcel in self.hand.ready.drain(..) {
                self.mail.send(parcel);
            }
            self.count((end - next) as usize);
        }
        for parcel in self.hand.take_parcels() {
            self.mail.send(parcel);
        }
        Ok(())
    }

    /// Lets parcels move and takes in what has come.
    pub fn turn(&mut self) -> Result<(), Lost> {
        self.mail.step();
        self.take_in()
    }

    fn take_in(&mut self) -> Result<(), Lost> {
        while let Some(parcel) = self.mail.receive() {
            match parcel.kind {
                Kind::States => self.hand.take_in(&mut self.expansion, &parcel.bytes),
                Kind::Report => {
                    let mut bytes = parcel.bytes.as_slice();
                    let from = words::number(&mut bytes) as usize;
                    self.reports[from] = bytes.to_vec();
                }
                Kind::Stop => {
                    reason(parcel.bytes[0]).into_iter().for_each(|why| self.signals.stop(why));
                }
            }
        }
        if self.signals.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// Tells all workers, also those of other processes, to stop.
    fn tell(&mut self, why: Stopped) {
        if std::mem::replace(&mut self.told, true) {
            return;
        }
        for to in 0..self.mail.n_workers() {
            let bytes = vec![number(Some(why))];
            self.mail.send(Parcel { to, kind: Kind::Stop, bytes });
        }
    }

    fn count(&self, waiting: usize) {
        let Counters { states, waiting: left, transitions, memory, .. } = self.counters;
        states.store(self.hand.store.len(), Relaxed);
        left.store(waiting, Relaxed);
        transitions.store(self.hand.transitions, Relaxed);
        memory.store(self.hand.memory(), Relaxed);
    }

    /// Ends the round: tells all workers the same, waits for what they say.
    pub fn agree(&mut self, report: Words) -> Result<Vec<Vec<u8>>, Lost> {
        let me = Words::default().number(self.mail.me() as u64);
        let bytes = [me.0, report.0].concat();
        for to in 0..self.mail.n_workers() {
            self.mail.send(Parcel { to, kind: Kind::Report, bytes: bytes.clone() });
        }
        self.mail.close();
        while !self.mail.is_over() {
            self.mail.wait();
            self.take_in()?;
        }
        self.take_in()?;
        self.mail.next_round();
        self.count(0);
        Ok(self.reports.iter_mut().map(std::mem::take).collect())
    }

    /// Leaves the dataflow; its states remain.
    pub fn end(self) -> TreeStore {
        self.mail.end();
        self.hand.store
    }
}

/// What all workers say about one level.
struct Tally {
    states: u64,
    violated: bool,
    stopped: Option<Stopped>,
}

impl Tally {
    fn of(reports: &[Vec<u8>]) -> Self {
        let mut tally = Self { states: 0, violated: false, stopped: None };
        for report in reports {
            let mut words = report.as_slice();
            tally.states += words::number(&mut words);
            tally.violated |= words::number(&mut words) != 0;
            tally.stopped = tally.stopped.or(reason(words::number(&mut words) as u8));
        }
        tally
    }
}
