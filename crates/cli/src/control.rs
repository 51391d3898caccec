//! The control of a command: its limits, Ctrl-C, and its progress.

use crate::args::{Common, Resources};
use crate::interrupt;
use crate::progress::Meter;
use resy::Control;
use std::sync::Arc;
use std::time::Duration;

/// The control of a command that begins now.
pub fn of(resources: &Resources, common: &Common) -> Result<Control, String> {
    let control = Control::unlimited()
        .with_timeout(resources.timeout.map(seconds).transpose()?)
        .with_memory(resources.memory)
        .observed_by(Arc::new(Meter::of(common)));
    interrupt::cancels(&control);
    Ok(control)
}

/// The control of a command that Ctrl-C ends at once.
pub fn uninterrupted(resources: &Resources) -> Result<Control, String> {
    let timeout = resources.timeout.map(seconds).transpose()?;
    Ok(Control::unlimited().with_timeout(timeout).with_memory(resources.memory))
}

/// A number of seconds.
pub fn seconds(seconds: f64) -> Result<Duration, String> {
    let most = Duration::from_secs(1 << 32);
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time < most);
    time.ok_or_else(|| format!("{seconds} is not a number of seconds"))
}

/// The limits, in words.
pub fn in_words(resources: &Resources) -> String {
    let timeout = resources.timeout.map(|seconds| format!("{seconds} s"));
    let memory = resources.memory.map(|bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    let limits: Vec<String> = timeout.into_iter().chain(memory).collect();
    if limits.is_empty() { "none".to_owned() } else { limits.join(", ") }
}
