//! How long a command may go on.

use crate::args::Resources;
use crate::{interrupt, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits that the user has set, and the user's patience.
pub struct Limits {
    start: Instant,
    timeout: Option<Duration>,
    memory: Option<usize>,
    interrupt: Arc<AtomicBool>,
}

impl Limits {
    /// The limits of a command that begins now.
    pub fn of(resources: &Resources) -> Result<Self, String> {
        let timeout = resources.timeout.map(|seconds| {
            let limit = Duration::try_from_secs_f64(seconds);
            limit.map_err(|_| format!("{seconds} is not a number of seconds"))
        });
        Ok(Self {
            start: Instant::now(),
            timeout: timeout.transpose()?,
            memory: resources.memory,
            interrupt: interrupt::flag(),
        })
    }

    /// The time since the command began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.timeout.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The most memory that may be taken.
    pub fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// Whether the user has had enough.
    pub fn interrupt(&self) -> &AtomicBool {
        &self.interrupt
    }

    /// Which limit is exceeded, if one is.
    pub fn exceeded(&self) -> Option<&'static str> {
        if self.interrupt.load(Ordering::Relaxed) {
            Some("it was interrupted")
        } else if self.timeout.is_some_and(|limit| self.elapsed() >= limit) {
            Some("the time limit was reached")
        } else if self.memory.is_some_and(|limit| memory::peak() >= limit as u64) {
            Some("the memory limit was reached")
        } else {
            None
        }
    }
}
