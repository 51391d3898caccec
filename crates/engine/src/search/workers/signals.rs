//! Signals between the workers of one process and the thread that waits for them, outside the dataflow:
//! requests to stop, and counters of progress.

use super::super::limits::{Progress, Stopped};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The signals of one process.
pub struct Signals {
    stop: AtomicU8,
    /// Whether a save is due.
    pause: AtomicBool,
    /// Whether the connection to the other workers is lost.
    lost: Arc<AtomicBool>,
    /// Whether the search is over.
    done: AtomicBool,
    /// The progress of each worker of this process.
    pub counters: Vec<Counters>,
    /// The progress of the search that these workers take over, if they own all its states.
    pub before: Counters,
}

/// The progress of a worker.
#[derive(Default)]
pub struct Counters {
    /// States stored.
    pub states: AtomicUsize,
    /// States that are not expanded yet.
    pub waiting: AtomicUsize,
    /// Transitions.
    pub transitions: AtomicU64,
    /// The present level.
    pub level: AtomicU64,
    /// The memory taken, in bytes.
    pub memory: AtomicUsize,
}

/// The reasons to stop, numbered from 1.
const REASONS: [Stopped; 6] = [
    Stopped::Violation,
    Stopped::Interrupt,
    Stopped::Timeout,
    Stopped::Memory,
    Stopped::Numbers,
    Stopped::HostLost,
];

/// The number of a reason.
pub fn number(stopped: Option<Stopped>) -> u8 {
    let at = stopped.and_then(|s| REASONS.iter().position(|&r| r == s));
    at.map_or(0, |i| i as u8 + 1)
}

/// The reason with a number.
pub fn reason(number: u8) -> Option<Stopped> {
    REASONS.get(usize::from(number).checked_sub(1)?).copied()
}

impl Signals {
    /// Signals for this many workers.
    pub fn new(n_workers: usize) -> Self {
        Self {
            stop: AtomicU8::new(0),
            pause: AtomicBool::new(false),
            lost: Arc::new(AtomicBool::new(false)),
            done: AtomicBool::new(false),
            counters: (0..n_workers).map(|_| Counters::default()).collect(),
            before: Counters::default(),
        }
    }

    /// Asks the workers to stop. The first reason counts.
    pub fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(0, number(Some(why)), Relaxed, Relaxed);
    }

    /// Why the workers should stop, if they should.
    pub fn stopped(&self) -> Option<Stopped> {
        reason(self.stop.load(Relaxed))
    }

    /// Asks the workers to end their round early in order to save.
    pub fn pause(&self) {
        self.pause.store(true, Relaxed);
    }

    /// Whether the round should end early.
    pub fn pauses(&self) -> bool {
        self.pause.load(Relaxed)
    }

    /// Withdraws the request to pause. A request that another worker of this process makes at the same time
    /// is lost; the thread that checks the clock repeats it.
    pub fn resume(&self) {
        self.pause.store(false, Relaxed);
    }

    /// Records that the connection to other workers is lost.
    pub fn lose(&self) {
        self.lost.store(true, Relaxed);
    }

    /// Whether the connection to other workers is lost.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }

    /// The flag behind [`is_lost`](Self::is_lost).
    pub fn lost_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.lost)
    }

    /// Records that the search is over.
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether the search is over.
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// The progress of the workers of this process together. While they still take over the states of an
    /// earlier search, it is the progress of that search.
    pub fn progress(&self, elapsed: Duration) -> Progress {
        let now = sum(&self.counters, elapsed);
        let before = sum([&self.before], elapsed);
        if now.states < before.states { before } else { now }
    }
}

fn sum<'c>(counters: impl IntoIterator<Item = &'c Counters>, elapsed: Duration) -> Progress {
    let mut sum = Progress { states: 0, waiting: 0, transitions: 0, depth: 0, memory: 0, elapsed };
    for c in counters {
        sum.states += c.states.load(Relaxed);
        sum.waiting += c.waiting.load(Relaxed);
        sum.transitions += c.transitions.load(Relaxed);
        sum.depth = sum.depth.max(c.level.load(Relaxed));
        sum.memory += c.memory.load(Relaxed);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_up_a_search_is_not_behind_it() {
        let signals = Signals::new(2);
        let states = |n: usize| signals.counters[n].states.store(10, Relaxed);
        let told = || signals.progress(Duration::ZERO).states;
        assert_eq!(told(), 0);
        signals.before.states.store(15, Relaxed);
        assert_eq!(told(), 15);
        states(0);
        assert_eq!(told(), 15);
        states(1);
        assert_eq!(told(), 20);
    }

    #[test]
    fn every_reason_has_a_number() {
        assert_eq!(reason(number(None)), None);
        for why in REASONS {
            assert_eq!(reason(number(Some(why))), Some(why));
        }
    }
}
