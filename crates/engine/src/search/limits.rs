//! Limits of a search, and the clock that checks them.

use super::resident::Resident;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop before all states are searched.
#[derive(Copy, Clone, Default)]
pub struct Limits<'a> {
    /// A time limit.
    pub timeout: Option<Duration>,
    /// A limit on the memory of the process, in bytes.
    pub memory: Option<usize>,
    /// Whether to stop at the first violation.
    pub first_violation: bool,
    /// A limit on the number of transitions, for a search by one worker, breadth-first or directed, and for cycles:
    /// unlike the time it is the same on every machine.
    pub transitions: Option<u64>,
    /// A flag that interrupts the search when it is set.
    pub interrupt: Option<&'a AtomicBool>,
    /// Asked every 10 ms or so whether to go on.
    pub goes_on: Option<&'a dyn Fn() -> bool>,
    /// Called periodically with the progress of the search.
    pub progress: Option<&'a dyn Fn(&Progress)>,
}

/// The progress of a search.
#[derive(Copy, Clone, Debug)]
pub struct Progress {
    /// States found.
    pub states: usize,
    /// States that wait to be expanded.
    pub waiting: usize,
    /// Transitions.
    pub transitions: u64,
    /// The distance of the present level from the initial state, or the depth of the path.
    pub depth: u64,
    /// The memory taken by the states.
    pub memory: usize,
    /// The time since the start.
    pub elapsed: Duration,
}

/// Why a search ended before all states were searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The limit on transitions was reached.
    Transitions,
    /// A violation was found.
    Violation,
    /// The interrupt flag was set.
    Interrupt,
    /// The store has no numbers left for states.
    Numbers,
    /// The connection to another host broke.
    HostLost,
    /// Another host did not connect.
    HostAbsent,
}

/// The most states that are expanded between two checks of the clock. There are fewer if they take longer
/// than `MOMENT`: a state with a thousand processes has as many successors.
const PATIENCE: u32 = 1024;
const MOMENT: Duration = Duration::from_millis(10);

/// Checks the limits periodically.
pub(crate) struct Clock {
    started: Instant,
    /// The number of states to expand before the next check, and between that and the one after it.
    left: u32,
    patience: u32,
    looked: Instant,
    shown: Instant,
    resident: Resident,
}

impl Clock {
    pub fn new(started: Instant) -> Self {
        // The first check comes at once, so that a limit that is already reached is noticed.
        let (left, patience, looked) = (1, 1, started);
        Self { started, left, patience, looked, shown: started, resident: Resident::default() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a check is due.
    pub fn due(&mut self) -> bool {
        self.left -= 1;
        if self.left == 0 {
            let now = Instant::now();
            let slow = now.duration_since(self.looked) > MOMENT;
            self.looked = now;
            self.patience =
                if slow { self.patience / 2 } else { self.patience * 2 }.clamp(1, PATIENCE);
            self.left = self.patience;
            return true;
        }
        false
    }

    /// Whether no limit is reached, before there is a state.
    pub fn permits(&mut self, limits: &Limits<'_>) -> bool {
        let nothing = |elapsed| Progress {
            states: 0,
            waiting: 0,
            transitions: 0,
            depth: 0,
            memory: 0,
            elapsed,
        };
        self.look(limits, 0, nothing).is_none()
    }

    /// Checks the limits and reports progress.
    pub fn look(
        &mut self,
        limits: &Limits<'_>,
        memory: usize,
        progress: impl FnOnce(Duration) -> Progress,
    ) -> Option<Stopped> {
        let elapsed = self.started.elapsed();
        if limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Some(Stopped::Interrupt);
        }
        if limits.goes_on.is_some_and(|goes_on| !goes_on()) {
            return Some(Stopped::Interrupt);
        }
        if limits.timeout.is_some_and(|t| elapsed >= t) {
            return Some(Stopped::Timeout);
        }
        if limits.memory.is_some_and(|limit| self.resident.reaches(limit, memory)) {
            return Some(Stopped::Memory);
        }
        if let Some(show) = limits.progress
            && self.shown.elapsed() >= Duration::from_millis(500)
        {
            self.shown = Instant::now();
            show(&progress(elapsed));
        }
        None
    }
}
