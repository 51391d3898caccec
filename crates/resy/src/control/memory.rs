//! The memory that the process has taken.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The largest resident set so far, in bytes; 0 where the system does not tell.
#[cfg(not(target_family = "wasm"))]
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The memory of the instance, in bytes, which never shrinks.
#[cfg(target_family = "wasm")]
pub fn peak() -> u64 {
    const PAGE: usize = 1 << 16;
    (std::arch::wasm32::memory_size::<0>() * PAGE) as u64
}

/// The system is asked at most once in this time: a question takes 30 microseconds, and loops ask their control
/// every few.
const PERIOD: Duration = Duration::from_millis(1);

/// What the system has told last.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// When it is asked again, in microseconds since the start.
    next: AtomicU64,
    peak: AtomicU64,
}

impl Taken {
    /// The largest resident set, as it was told not long before this time since the start.
    pub fn peak(&self, now: Duration) -> u64 {
        let now_in_micros = now.as_micros() as u64;
        if now_in_micros >= self.next.load(Ordering::Relaxed) {
            self.next.store((now + PERIOD).as_micros() as u64, Ordering::Relaxed);
            self.peak.fetch_max(peak(), Ordering::Relaxed);
        }
        self.peak.load(Ordering::Relaxed)
    }
}
