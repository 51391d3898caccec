//! The memory that one run takes, where Linux tells it: the peak is reset before the run.

/// Resets the peak; the memory in use, in kilobytes.
pub(super) fn reset() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    field("VmRSS:")
}

/// The peak since then.
pub(super) fn peak() -> Option<u64> {
    field("VmHWM:")
}

fn field(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
