//! The processor time of this thread, where Linux tells it: a busy machine does not count.

use std::time::{Duration, Instant};

/// Below this the clock on the wall is more exact: the kernel counts a running thread a few milliseconds late.
const SHORT: Duration = Duration::from_millis(20);

/// What the kernel counts as less than this it may have counted late altogether: a run of microseconds that was
/// interrupted would take no time.
const COUNTED: Duration = Duration::from_millis(10);

/// A moment by both clocks.
pub(super) struct Moment {
    wall: Instant,
    processor: Option<Duration>,
}

impl Moment {
    pub(super) fn now() -> Self {
        Self { wall: Instant::now(), processor: processor() }
    }

    /// The time since then that this thread was running.
    pub(super) fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        if wall < SHORT {
            return wall;
        }
        let running = processor().zip(self.processor).map(|(now, then)| now.saturating_sub(then));
        let running = running.filter(|&running| running >= COUNTED);
        running.map_or(wall, |running| running.min(wall))
    }
}

fn processor() -> Option<Duration> {
    processor_of("/proc/thread-self")
}

/// The processor time of a thread with this folder.
fn processor_of(folder: &str) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Ends this process when its first thread has taken so much processor time from now on: an engine that does not ask its
/// limit has not decided within it.
pub(super) fn end_after(limit: Duration) {
    let folder = format!("/proc/self/task/{}", std::process::id());
    let Some(start) = processor_of(&folder) else { return };
    std::thread::spawn(move || {
        while processor_of(&folder).is_none_or(|now| now.saturating_sub(start) < limit) {
            std::thread::sleep(LOOK);
        }
        std::process::exit(0);
    });
}

/// So often it is looked whether a process must be ended.
const LOOK: Duration = Duration::from_millis(50);
