//! The flags of spin, of the compiler and of the verifier.

/// The properties that the verifier checks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PanSearch {
    /// Violations of single steps: failed assertions and violations of the trace.
    Errors,
    /// Violations of the claim.
    Claim,
    /// Cycles through accept labels of processes.
    Acceptance,
    /// Cycles without progress.
    Progress,
}

/// The flags of spin, of the compiler and of the verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The flags of spin, in addition to `-a`.
    pub spin: Vec<String>,
    /// The flags of the compiler.
    pub compiler: Vec<String>,
    /// The flags of the verifier.
    pub verifier: Vec<String>,
}

impl Flags {
    /// The flags of a search. End states are not checked, because a requirement does not preserve them.
    pub fn of(search: PanSearch, loss: bool, memory: Option<usize>) -> Self {
        let mut compiler = vec!["-O2", "-w"];
        let mut verifier = vec!["-n", "-E", "-m1000000"];
        match search {
            PanSearch::Errors => compiler.push("-DSAFETY"),
            // A claim may accept by a cycle. (`-A` cannot be used: the claim that spin generates for a
            // formula has assertions of its own.)
            PanSearch::Claim => verifier.push("-a"),
            PanSearch::Acceptance => {
                compiler.push("-DNOCLAIM");
                verifier.extend(["-a", "-A"]);
            }
            PanSearch::Progress => {
                compiler.extend(["-DNP", "-DNOCLAIM"]);
                verifier.extend(["-l", "-A"]);
            }
        }
        let strings = |flags: &[&str]| flags.iter().map(|&flag| flag.to_owned()).collect();
        let mut flags = Self {
            spin: if loss { strings(&["-m"]) } else { Vec::new() },
            compiler: strings(&compiler),
            verifier: strings(&verifier),
        };
        flags.compiler.extend(memory.map(|bytes| format!("-DMEMLIM={}", (bytes >> 20).max(1))));
        flags
    }

    /// Only runs that are weakly fair count. Spin refuses this with rendezvous unless its reduction is off, and with
    /// more than five processes unless its counter is larger.
    pub fn fair(&mut self) {
        self.compiler.extend(["-DNOREDUCE", "-DNFAIR=3"].map(str::to_owned));
        self.verifier.push("-f".to_owned());
    }

    /// A counter of fairness for more processes; `false` if it is as large as pids are.
    pub fn count_more(&mut self) -> bool {
        let size = |flag: &String| flag.strip_prefix("-DNFAIR=")?.parse::<u32>().ok();
        let given = self.compiler.iter().enumerate().rev();
        let Some((at, n)) = given.filter_map(|(at, flag)| Some((at, size(flag)?))).next() else {
            return false;
        };
        self.compiler[at] = format!("-DNFAIR={}", 2 * n);
        n < 64
    }

    /// Adds flags given by the user: macros and optimisation levels go to the compiler, flags like `-o1`
    /// to spin, all others to the verifier.
    pub fn add(&mut self, users: &[String]) {
        for flag in users {
            let to = match flag.as_bytes() {
                [b'-', b'D' | b'U' | b'O' | b'f', ..] => &mut self.compiler,
                [b'-', b'o', ..] => &mut self.spin,
                _ => &mut self.verifier,
            };
            to.push(flag.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_of_fairness_grows() {
        let mut flags = Flags::of(PanSearch::Claim, false, None);
        assert!(!flags.count_more());
        flags.fair();
        assert!(flags.count_more());
        assert_eq!(flags.compiler.last().map(String::as_str), Some("-DNFAIR=6"));
        let n_times = std::iter::from_fn(|| flags.count_more().then_some(())).take(99).count();
        assert!(n_times < 8, "{n_times}");
    }

    #[test]
    fn flags_find_their_program() {
        let mut flags = Flags::of(PanSearch::Errors, true, Some(300 << 20));
        let users = ["-DNOREDUCE", "-o3", "-m5", "-O1", "-w20"].map(str::to_owned);
        flags.add(&users);
        assert_eq!(flags.spin, ["-m", "-o3"]);
        assert_eq!(flags.compiler[2..], ["-DSAFETY", "-DMEMLIM=300", "-DNOREDUCE", "-O1"]);
        assert_eq!(flags.verifier[2..], ["-m1000000", "-m5", "-w20"]);
    }
}
