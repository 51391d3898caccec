//! One worker: it expands its part of a level and then agrees with the other workers, round by round.
//!
//! Every decision (whether to continue, which violation is shown) follows from the reports of all workers,
//! and every worker has all reports. All therefore decide the same, whatever the timing.

use super::super::ample::Ample;
use super::super::expander::Expander;
use super::super::forms::Forms;
use super::super::limits::Stopped;
use super::crew::Crew;
use super::key::Key;
use super::messages::mailbox::Mailbox;
use super::messages::packet::{Packet, PacketKind};
use super::messages::report::{self, Report};
use super::partition::{LocalFinding, WorkerPartition};
use super::results::tally::Tally;
use super::saving::saver::{SaveStatus, Saver};
use super::saving::snapshot::{SaveId, Snapshot};
use super::signals::{Counters, Signals, number, reason};
use crate::store::StateStore;
use crate::tree::StoredId;
use std::sync::atomic::Ordering::Relaxed;

/// The number of states that are expanded before messages are received: otherwise the packets of a whole
/// level would pile up.
const TURN: StoredId = 1024;

/// The connection to the other workers is lost.
pub struct Lost;

/// A worker.
pub struct Worker<'a> {
    /// Computes successors.
    pub expander: Expander<'a>,
    /// The states that the worker owns.
    pub partition: WorkerPartition,
    /// The first state of each level; the last entry ends the last level.
    pub levels: Vec<StoredId>,
    /// The state to expand next.
    pub next: StoredId,
    /// Whether the search ends with the level of the first violation.
    pub first_violation: bool,
    /// The partial order reduction, if any.
    pub ample: Option<&'a Ample>,
    /// The threads that share the flat store, if there are several.
    pub crew: Option<Crew<'a>>,
    /// Saves the worker's snapshots, if the search is saved.
    pub saver: Option<Saver<'a>>,
    mail: Mailbox<'a>,
    signals: &'a Signals,
    counters: &'a Counters,
    /// The packets that the threads are to read.
    unread: Vec<Packet>,
    /// The reports of all workers in this round.
    reports: Vec<Vec<u8>>,
    /// The number of workers that have no more questions in this round.
    n_content: usize,
}

/// How the search of all levels ended.
pub struct Ending {
    /// The deepest level that has a state.
    pub depth: u64,
    /// Why the search is not complete, if it is not.
    pub stopped: Option<Stopped>,
    /// Whether a resumed search was already complete.
    pub was_over: bool,
}

impl<'a> Worker<'a> {
    /// A worker without states.
    pub fn new(
        expander: Expander<'a>,
        mail: Mailbox<'a>,
        signals: &'a Signals,
        counters: &'a Counters,
        key: Key,
    ) -> Self {
        let (me, n_workers) = (mail.me(), mail.n_workers());
        Self {
            expander,
            partition: WorkerPartition::new(me, n_workers, key),
            levels: vec![0],
            next: 0,
            first_violation: false,
            ample: None,
            crew: None,
            saver: None,
            mail,
            signals,
            counters,
            unread: Vec::new(),
            reports: vec![Vec::new(); n_workers],
            n_content: 0,
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

    /// Searches level by level, from the present position in the last one. A level is one round, or several
    /// if the search is saved meanwhile.
    pub fn search(&mut self) -> Result<Ending, Lost> {
        let mut was_over = true;
        loop {
            let before = self.next;
            self.expand()?;
            self.settle()?;
            let report = self.report(before);
            let tally = Tally::of(&self.agree(report)?);
            was_over &= tally.expanded == 0;
            self.saver.iter_mut().for_each(|saver| saver.handle_status(tally.status));
            if let Some(ending) = self.ending(&tally) {
                // What waits counts, whatever the batches were.
                self.partition.flush();
                self.save_last()?;
                return Ok(Ending { was_over: was_over && ending.is_final(), ..ending });
            }
            if tally.left == 0 {
                self.open_level();
            }
            self.signals.resume();
            if tally.pauses && tally.status != SaveStatus::Busy {
                self.save();
            }
        }
    }

    /// The report of this round for the other workers.
    fn report(&mut self, before: StoredId) -> Report {
        let (level, end) = (self.level() as usize, self.level_end());
        let status = self.saver.as_mut().map_or(SaveStatus::Nothing, Saver::status);
        Report::default()
            .number(u64::from(end - self.levels[level]))
            .number(u64::from(self.next - before))
            .number(u64::from(end - self.next))
            .number(u64::from(!self.partition.findings.is_empty()))
            .number(u64::from(number(self.signals.stopped())))
            .number(u64::from(self.signals.pauses()))
            .number(status as u64)
    }

    /// The end of the search, if it is reached. A violation counts only when its level is complete, so that
    /// the same one is shown for any number of workers.
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

    /// The end of the present level.
    fn level_end(&self) -> StoredId {
        self.levels.last().copied().unwrap_or(0)
    }

    /// Closes the present level: states inserted from here on belong to the next.
    pub fn open_level(&mut self) {
        self.partition.flush();
        self.next = self.level_end();
        self.levels.push(self.partition.store.len() as StoredId);
        self.counters.level.store(self.level(), Relaxed);
        if self.partition.learn(&mut self.expander) {
            self.saver.iter_mut().for_each(Saver::renew);
        }
    }

    /// Expands the rest of the present level, unless there is a request to stop or to pause.
    fn expand(&mut self) -> Result<(), Lost> {
        let (level, end) = (self.level(), self.level_end());
        self.partition.enter_level(self.levels[level as usize]..end);
        while self.next < end {
            self.step()?;
            self.partition.make_room(&mut self.expander);
            if !self.partition.store.has_room() {
                self.signals.stop(Stopped::Numbers);
            }
            if let Some(why) = self.signals.stopped() {
                self.broadcast(PacketKind::Stop, number(Some(why)));
                break;
            }
            if self.signals.pauses() {
                self.broadcast(PacketKind::Pause, 0);
                break;
            }
            if !self.expand_together(end, level) {
                self.expand_alone(end.min(self.next + TURN), level);
            }
            self.send_ready();
            self.count();
        }
        self.send_all();
        Ok(())
    }

    /// Expands states up to one of the present level.
    fn expand_alone(&mut self, until: StoredId, level: u64) {
        for id in self.next..until {
            match self.ample {
                Some(ample) => {
                    self.partition.expand_reduced(&mut self.expander, ample, id, level);
                }
                None => self.partition.expand(&mut self.expander, id, level),
            }
        }
        self.next = until;
    }

    /// Expands some states of the present level by several threads, if that is worth it; returns whether it has.
    fn expand_together(&mut self, end: StoredId, level: u64) -> bool {
        // The tree is one thread's.
        self.crew.take_if(|_| matches!(self.partition.store, StateStore::Tree(_)));
        let Self { crew: Some(crew), partition, expander, ample, next, .. } = self else {
            return false;
        };
        let n = partition.expand_together(crew, expander, *ample, *next..end, level);
        *next += n.unwrap_or(0);
        n.is_some()
    }

    /// Answers the questions of the others until nobody has any: the states expanded so far are done.
    fn settle(&mut self) -> Result<(), Lost> {
        if self.ample.is_none() || self.n_workers() == 1 {
            return Ok(());
        }
        while self.partition.reduction.waits() {
            self.mail.wait();
            self.receive()?;
            self.send_all();
            self.count();
        }
        self.broadcast(PacketKind::Content, 0);
        while self.n_content < self.n_workers() {
            self.mail.wait();
            self.receive()?;
            self.send_all();
            self.count();
        }
        self.n_content = 0;
        Ok(())
    }

    /// Sends the packets that should not wait.
    pub fn send_ready(&mut self) {
        for parcel in self.partition.take_ready() {
            self.mail.send(parcel);
        }
    }

    /// Sends all packets.
    pub fn send_all(&mut self) {
        for parcel in self.partition.take_parcels() {
            self.mail.send(parcel);
        }
    }

    /// Starts to save, between two rounds.
    fn save(&mut self) {
        self.partition.flush();
        let Some(saver) = &self.saver else { return };
        let save = SaveId { number: saver.save.number + 1, ..saver.save };
        let snapshot = Snapshot {
            save,
            worker: self.mail.me() as u64,
            levels: self.levels.clone(),
            next: self.next,
            transitions: self.partition.transitions,
            elapsed: saver.elapsed(),
            findings: self.partition.findings.iter().map(LocalFinding::seen).collect(),
            coverage: self.expander.coverage.to_bytes(),
            forms: Forms::of(self.expander.stepper.shapes()),
            key: self.partition.key.clone(),
        };
        if let (Some(saver), StateStore::Tree(tree)) = (&mut self.saver, &self.partition.store) {
            saver.start(tree, &snapshot);
        }
    }

    /// Saves at the end and waits until all workers have saved; then the previous save is removed.
    fn save_last(&mut self) -> Result<(), Lost> {
        if self.saver.is_none() {
            return Ok(());
        }
        self.save();
        let status = self.saver.as_mut().map_or(SaveStatus::Nothing, Saver::finish);
        let reports = self.agree(Report::default().number(status as u64))?;
        let worst = reports.iter().map(|r| SaveStatus::of(report::number(&mut r.as_slice()))).max();
        self.saver
            .iter_mut()
            .for_each(|saver| saver.handle_status(worst.unwrap_or(SaveStatus::Failed)));
        Ok(())
    }

    /// Lets messages flow and handles those that have arrived.
    pub fn step(&mut self) -> Result<(), Lost> {
        self.mail.step();
        self.receive()
    }

    fn receive(&mut self) -> Result<(), Lost> {
        while let Some(parcel) = self.mail.receive() {
            match parcel.kind {
                PacketKind::States | PacketKind::Questions if self.crew.is_some() => {
                    self.unread.push(parcel);
                }
                PacketKind::States => self.partition.insert_all(&mut self.expander, &parcel.bytes),
                PacketKind::Report => {
                    let mut bytes = parcel.bytes.as_slice();
                    let from = report::number(&mut bytes) as usize;
                    self.reports[from] = bytes.to_vec();
                }
                PacketKind::Stop => {
                    reason(parcel.bytes[0]).into_iter().for_each(|why| self.signals.stop(why));
                }
                PacketKind::Pause => self.signals.pause(),
                PacketKind::Questions => self.partition.answer(&mut self.expander, &parcel.bytes),
                PacketKind::Answers => {
                    let (level, Some(ample)) = (self.level(), self.ample) else { continue };
                    self.partition.hear(&mut self.expander, ample, &parcel.bytes, level);
                }
                PacketKind::Content => self.n_content += 1,
            }
        }
        self.read_together();
        if self.signals.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// Takes in the packets that the threads are to read.
    fn read_together(&mut self) {
        if self.unread.is_empty() {
            return;
        }
        let level = self.level();
        let Self { crew, partition, expander, unread, .. } = self;
        let read = |crew: &mut Crew<'_>| partition.read_together(crew, expander, unread, level);
        if !crew.as_mut().is_some_and(read) {
            for packet in unread.iter() {
                match packet.kind {
                    PacketKind::Questions => partition.answer(expander, &packet.bytes),
                    _ => partition.insert_all(expander, &packet.bytes),
                }
            }
        }
        unread.clear();
    }

    /// Asks all workers, including those of other processes, to stop or to pause.
    fn broadcast(&mut self, kind: PacketKind, why: u8) {
        for to in 0..self.mail.n_workers() {
            self.mail.send(Packet::new(to, kind, vec![why]));
        }
    }

    fn count(&self) {
        let Counters { states, waiting: left, transitions, memory, .. } = self.counters;
        states.store(self.partition.store.len(), Relaxed);
        left.store(self.partition.store.len().saturating_sub(self.next as usize), Relaxed);
        transitions.store(self.partition.transitions, Relaxed);
        memory.store(self.partition.memory(), Relaxed);
    }

    /// Ends the round: sends a report to all workers and waits for theirs.
    pub fn agree(&mut self, report: Report) -> Result<Vec<Vec<u8>>, Lost> {
        let me = Report::default().number(self.mail.me() as u64);
        let bytes = [me.0, report.0].concat();
        for to in 0..self.mail.n_workers() {
            self.mail.send(Packet::new(to, PacketKind::Report, bytes.clone()));
        }
        while !self.mail.is_over() {
            self.mail.wait();
            self.receive()?;
            self.count();
        }
        self.mail.next_round();
        self.count();
        Ok(self.reports.iter_mut().map(std::mem::take).collect())
    }

    /// Leaves the dataflow; returns the states.
    pub fn end(self) -> StateStore {
        self.mail.end();
        self.partition.store
    }
}

impl Ending {
    /// Whether the search is complete, whatever the limits.
    fn is_final(&self) -> bool {
        matches!(self.stopped, None | Some(Stopped::Violation))
    }
}
