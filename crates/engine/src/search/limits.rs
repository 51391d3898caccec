//! When a search stops before its end.

use super::resident::Resident;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop before the end.
#[derive(Copy, Clone, Default)]
pub struct Limits<'a> {
    /// After this time.
    pub timeout: Option<Duration>,
    /// When the process takes this many bytes.
    pub memory: Option<usize>,
    /// At the first violation.
    pub first_violation: bool,
    /// When somebody sets this.
    pub interrupt: Option<&'a AtomicBool>,
    /// Told now and then how far the search is.
    pub progress: Option<&'a dyn Fn(&Progress)>,
}

/// How far a search is.
#[derive(Copy, Clone, Debug)]
pub struct Progress {
    /// States found.
    pub states: usize,
    /// States that wait to be expanded.
    pub waiting: usize,
    /// Transitions.
    pub transitions: u64,
    /// The present distance from the initial state, or depth.
    pub depth: u64,
    /// The memory taken by the states.
    pub memory: usize,
    /// The time since the start.
    pub elapsed: Duration,
}

/// What ended a search before all states were seen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time was over.
    Timeout,
    /// The memory was used up.
    Memory,
    /// A violation was found.
    Violation,
    /// Somebody interrupted it.
    Interrupt,
    /// The numbers of states are used up.
    Numbers,
    /// Another host could not be reached any more.
    HostLost,
    /// Another host did not appear.
    HostAbsent,
}

/// Between two looks at the clock at most this many states are expanded, and fewer if that takes longer than a moment: a
/// state with a thousand processes has as many successors.
const PATIENCE: u32 = 1024;
const MOMENT: Duration = Duration::from_millis(10);

/// Looks at the limits now and then.
pub(crate) struct Clock {
    started: Instant,
    /// States to expand before the next look, and between that and the one after it.
    left: u32,
    patience: u32,
    looked: Instant,
    shown: Instant,
    resident: Resident,
}

impl Clock {
    pub fn new(started: Instant) -> Self {
        // A limit that is reached at once is noticed at once.
        let (left, patience, looked) = (1, 1, started);
        Self { started, left, patience, looked, shown: started, resident: Resident::default() }
    }

    /// Whether it is time to look.
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

    /// Looks at the limits, and tells how far the search is.
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
