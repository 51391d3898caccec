//! What the workers of one process and the thread that waits for them tell each other
//! outside the dataflow: requests to stop, and how far each worker is.

use super::super::limits::{Progress, Stopped};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The signals of one process.
pub struct Signals {
    stop: AtomicU8,
    /// Whether it is time to save.
    pause: AtomicBool,
    /// Whether the other workers can no longer be reached.
    lost: Arc<AtomicBool>,
    /// Whether the search is over.
    done: AtomicBool,
    /// How far each worker of this process is.
    pub counters: Vec<Counters>,
    /// How far the search was before, if these workers have all its states.
    pub before: Counters,
}

/// How far a worker is.
#[derive(Default)]
pub struct Counters {
    /// States stored.
    pub states: AtomicUsize,
    /// States that wait to be expanded.
    pub waiting: AtomicUsize,
    /// Transitions.
    pub transitions: AtomicU64,
    /// The present level.
    pub level: AtomicU64,
    /// The memory taken.
    pub memory: AtomicUsize,
}

/// The reasons, in the order of their numbers from 1 on.
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
    /// For so many workers.
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

    /// Asks the workers to stop; the first reason counts.
    pub fn stop(&self, why: Stopped) {
        let _ = self.stop.compare_exchange(0, number(Some(why)), Relaxed, Relaxed);
    }

    /// Why the workers should stop, if they should.
    pub fn stopped(&self) -> Option<Stopped> {
        reason(self.stop.load(Relaxed))
    }

    /// Asks the workers to end their round early, so that they can save.
    pub fn pause(&self) {
        self.pause.store(true, Relaxed);
    }

    /// Whether they should.
    pub fn pauses(&self) -> bool {
        self.pause.load(Relaxed)
    }

    /// They have. If another worker of this process asks at the same time, it is forgotten;
    /// whoever looks at the clock will ask again.
    pub fn go_on(&self) {
        self.pause.store(false, Relaxed);
    }

    /// Says that others cannot be reached any more.
    pub fn lose(&self) {
        self.lost.store(true, Relaxed);
    }

    /// Whether others cannot be reached any more.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }

    /// The flag behind [`is_lost`](Self::is_lost).
    pub fn lost_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.lost)
    }

    /// Says that the search is over.
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether the search is over.
    pub fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// How far the workers of this process are together. As long as they still take up what was there
    /// before, the search is where it was.
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
