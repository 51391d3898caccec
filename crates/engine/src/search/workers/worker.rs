//! One worker: it expands its part of a level, round by round, and agrees with the
//! others at the end of each.
//!
//! What is decided (whether to go on, which violation is shown) follows from the reports
//! of all workers, and every worker has them all: so all decide the same, and the verdict
//! does not depend on who was faster.

use super::super::expansion::Expansion;
use super::super::forms::Forms;
use super::super::limits::Stopped;
use super::hand::{Hand, Local};
use super::keep::{Fate, Keep};
use super::key::Key;
use super::mail::Mail;
use super::parcel::{Kind, Parcel};
use super::share::{Save, Share};
use super::signals::{Counters, Signals, number, reason};
use super::tally::Tally;
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
    /// The state to expand next.
    pub next: StateId,
    /// Whether the search ends with the level of the first violation.
    pub first_violation: bool,
    /// Where it saves its share, if it does.
    pub keep: Option<Keep<'a>>,
    mail: Mail<'a>,
    signals: &'a Signals,
    counters: &'a Counters,
    /// What the workers have said in this round.
    reports: Vec<Vec<u8>>,
}

/// How the search of all levels ended.
pub struct Ending {
    /// The deepest level with a state.
    pub depth: u64,
    /// Why it is not complete.
    pub stopped: Option<Stopped>,
    /// Whether a saved search was at its end already.
    pub was_over: bool,
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
            next: 0,
            first_violation: false,
            keep: None,
            mail,
            signals,
            counters,
            reports: vec![Vec::new(); n_workers],
        }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.mail.me()
    }

    /// The number of all workers.
    pub fn n_workers(&self) -> usize {
        self.mail.n_workers()
    }

    /// Searches level by level, from where it is in the last one. A level is one round, or
    /// several if the search is saved in between.
    pub fn search(&mut self) -> Result<Ending, Lost> {
        let mut was_over = true;
        loop {
            let before = self.next;
            self.expand()?;
            let report = self.report(before);
            let tally = Tally::of(&self.agree(report)?);
            was_over &= tally.expanded == 0;
            self.keep.iter_mut().for_each(|keep| keep.hear(tally.fate));
            if let Some(ending) = self.ending(&tally) {
                self.save_last()?;
                return Ok(Ending { was_over: was_over && ending.is_final(), ..ending });
            }
            if tally.left == 0 {
                self.open_level();
            }
            self.signals.go_on();
            if tally.pauses && tally.fate != Fate::Busy {
                self.save();
            }
        }
    }

    /// What the others must know of this round.
    fn report(&mut self, before: StateId) -> Words {
        let (level, end) = (self.level() as usize, self.level_end());
        let fate = self.keep.as_mut().map_or(Fate::Nothing, Keep::fate);
        Words::default()
            .number(u64::from(end - self.levels[level]))
            .number(u64::from(self.next - before))
            .number(u64::from(end - self.next))
            .number(u64::from(!self.hand.findings.is_empty()))
            .number(u64::from(number(self.signals.stopped())))
            .number(u64::from(self.signals.pauses()))
            .number(fate as u64)
    }

    /// Whether the search is at its end. A violation counts when all of its level are
    /// known, so that the same one is shown by any number of workers.
    fn ending(&self, tally: &Tally) -> Option<Ending> {
        let level = self.level();
        let (depth, stopped) = match tally.stopped {
            _ if tally.states == 0 => (level.saturating_sub(1), None),
            None if tally.left > 0 => return None,
            _ if self.first_violation && tally.violated => (level, Some(Stopped::Violation)),
            None => return None,
            stopped => (level, stopped),
        };
        Some(Ending { depth, stopped, was_over: false })
    }

    /// The number of the present level.
    fn level(&self) -> u64 {
        self.levels.len() as u64 - 2
    }

    /// Where the present level ends.
    fn level_end(&self) -> StateId {
        self.levels.last().copied().unwrap_or(0)
    }

    /// Ends the list of known states here: what comes is the next level.
    pub fn open_level(&mut self) {
        self.hand.flush();
        self.next = self.level_end();
        self.levels.push(self.hand.store.len() as StateId);
        self.counters.level.store(self.level(), Relaxed);
        if self.hand.learn(&mut self.expansion) {
            self.keep.iter_mut().for_each(Keep::renew);
        }
    }

    /// Expands what is left of the present level, unless there is a reason to stop or to
    /// pause.
    fn expand(&mut self) -> Result<(), Lost> {
        let (level, end) = (self.level(), self.level_end());
        while self.next < end {
            self.turn()?;
            if !self.hand.store.has_room() {
                self.signals.stop(Stopped::Numbers);
            }
            if let Some(why) = self.signals.stopped() {
                self.tell(Kind::Stop, number(Some(why)));
                break;
            }
            if self.signals.pauses() {
                self.tell(Kind::Pause, 0);
                break;
            }
            let until = end.min(self.next + TURN);
            for id in self.next..until {
                self.hand.expand(&mut self.expansion, id, level);
            }
            self.next = until;
            self.send_ready();
            self.count();
        }
        self.send_all();
        Ok(())
    }

    /// Sends the parcels that are full.
    pub fn send_ready(&mut self) {
        for parcel in self.hand.ready.drain(..) {
            self.mail.send(parcel);
        }
    }

    /// Sends all parcels.
    pub fn send_all(&mut self) {
        for parcel in self.hand.take_parcels() {
            self.mail.send(parcel);
        }
    }

    /// Starts to save, between two rounds.
    fn save(&mut self) {
        self.hand.flush();
        let Some(keep) = &self.keep else { return };
        let save = Save { number: keep.save.number + 1, ..keep.save };
        let share = Share {
            save,
            worker: self.mail.me() as u64,
            levels: self.levels.clone(),
            next: self.next,
            transitions: self.hand.transitions,
            elapsed: keep.elapsed(),
            findings: self.hand.findings.iter().map(Local::seen).collect(),
            coverage: self.expansion.coverage.to_bytes(),
            forms: Forms::of(self.expansion.stepper.shapes()),
            key: self.hand.key.clone(),
        };
        self.keep.iter_mut().for_each(|keep| keep.start(&self.hand.store, &share));
    }

    /// Saves at the end, and waits until everybody has: then what was before can go.
    fn save_last(&mut self) -> Result<(), Lost> {
        if self.keep.is_none() {
            return Ok(());
        }
        self.save();
        let fate = self.keep.as_mut().map_or(Fate::Nothing, Keep::finish);
        let reports = self.agree(Words::default().number(fate as u64))?;
        let worst = reports.iter().map(|r| Fate::of(words::number(&mut r.as_slice()))).max();
        self.keep.iter_mut().for_each(|keep| keep.hear(worst.unwrap_or(Fate::Failed)));
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
                Kind::Pause => self.signals.pause(),
            }
        }
        if self.signals.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// Tells all workers, also those of other processes, to stop or to pause.
    fn tell(&mut self, kind: Kind, why: u8) {
        for to in 0..self.mail.n_workers() {
            self.mail.send(Parcel { to, kind, bytes: vec![why] });
        }
    }

    fn count(&self) {
        let Counters { states, waiting: left, transitions, memory, .. } = self.counters;
        states.store(self.hand.store.len(), Relaxed);
        left.store(self.hand.store.len().saturating_sub(self.next as usize), Relaxed);
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
            self.count();
        }
        self.take_in()?;
        self.mail.next_round();
        self.count();
        Ok(self.reports.iter_mut().map(std::mem::take).collect())
    }

    /// Leaves the dataflow; its states remain.
    pub fn end(self) -> TreeStore {
        self.mail.end();
        self.hand.store
    }
}

impl Ending {
    /// Whether there is nothing more to search, whatever the limits.
    fn is_final(&self) -> bool {
        matches!(self.stopped, None | Some(Stopped::Violation))
    }
}
