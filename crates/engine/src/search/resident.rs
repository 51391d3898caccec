//! The memory of the whole process, asked of the operating system as rarely as possible.

/// The operating system is asked again when the count has changed by this fraction of the limit.
const SHARE: usize = 64;

/// After this many checks it is asked anyway: counted memory may be touched late.
const LOOKS: u32 = 16;

/// The memory of the process: what the search counts, and the rest.
#[derive(Default)]
pub(super) struct Resident {
    /// The count of the search when the operating system was last asked.
    asked_at: Option<usize>,
    /// How much more the process took then; negative if the search counts memory that it has not touched
    /// yet.
    beside: isize,
    /// The number of checks so far.
    looks: u32,
}

impl Resident {
    /// Whether the process has reached a limit, given the memory that the search counts.
    pub fn reaches(&mut self, limit: usize, counted: usize) -> bool {
        self.looks = self.looks.wrapping_add(1);
        let far = self.asked_at.is_none_or(|at| counted.abs_diff(at) >= limit / SHARE);
        if far || self.looks.is_multiple_of(LOOKS) {
            self.ask(counted);
        }
        if self.total(counted) >= limit {
            self.ask(counted);
        }
        self.total(counted) >= limit
    }

    fn total(&self, counted: usize) -> usize {
        counted.saturating_add_signed(self.beside)
    }

    fn ask(&mut self, counted: usize) {
        self.asked_at = Some(counted);
        self.beside = resident().map_or(0, |bytes| bytes as isize - counted as isize);
    }
}

/// The memory of the instance in bytes.
#[cfg(target_family = "wasm")]
pub(super) fn resident() -> Option<usize> {
    const PAGE: usize = 1 << 16;
    Some(std::arch::wasm32::memory_size::<0>() * PAGE)
}

/// The resident set of this process in bytes, where the operating system provides it.
#[cfg(not(target_family = "wasm"))]
pub(super) fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The memory that processes may still take, where the operating system provides it.
pub(super) fn available() -> Option<usize> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = machine.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok()).unwrap_or(usize::MAX);
    Some(group.min(kilobytes * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_process_counts() {
        let Some(now) = resident() else { return };
        assert!(now > 100_000, "a process is larger than that");
        assert!(Resident::default().reaches(now / 2, 0), "although the search counts nothing");
        assert!(!Resident::default().reaches(100 * now, 0));
    }

    #[test]
    fn growth_since_the_last_question_counts() {
        let mut memory = Resident { asked_at: Some(1000), beside: 500, looks: 0 };
        assert_eq!(memory.total(1200), 1700);
        memory.beside = -300;
        assert_eq!(memory.total(1200), 900);
    }
}
