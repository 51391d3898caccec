//! How much memory the whole process takes, asked as seldom as possible.

/// Between two questions the search may take this share of the limit.
const SHARE: usize = 64;

/// After so many looks the system is asked anyway: what was counted may be touched late.
const LOOKS: u32 = 16;

/// The memory of the process: what the search counts, and what is beside it.
#[derive(Default)]
pub(super) struct Resident {
    /// What the search had counted when the system was asked.
    asked_at: Option<usize>,
    /// How much more the process took; less than nothing if the search counts memory
    /// that it has not touched yet.
    beside: isize,
    /// How often the limit was looked at.
    looks: u32,
}

impl Resident {
    /// Whether the process, of whose memory the search counts so much, has reached a limit.
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

/// The resident set of this process in bytes, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
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
