//! Which of the three programs gets which flags.

/// What the verifier is to look for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PanSearch {
    /// What goes wrong in a step: failed assertions, violations of the trace.
    Errors,
    /// Violations of the claim.
    Claim,
}

/// The flags of spin, of the compiler and of the verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Spin's, beside `-a`.
    pub spin: Vec<String>,
    /// The compiler's.
    pub compiler: Vec<String>,
    /// The verifier's.
    pub verifier: Vec<String>,
}

impl Flags {
    /// The flags of a search. End states are not checked: a requirement says nothing about them.
    pub fn of(search: PanSearch, loss: bool, memory: Option<usize>) -> Self {
        let mut compiler = vec!["-O2", "-w"];
        let mut verifier = vec!["-n", "-E", "-m1000000"];
        match search {
            PanSearch::Errors => compiler.push("-DSAFETY"),
            // A claim that no run may satisfy: what it accepts may be a cycle. (Never with -A: what
            // spin makes of a formula has assertions of its own.)
            PanSearch::Claim => verifier.push("-a"),
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

    /// Adds flags of the user: macros and optimisation go to the compiler, `-o1` and its like to
    /// spin, the others to the verifier.
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
    fn flags_find_their_program() {
        let mut flags = Flags::of(PanSearch::Errors, true, Some(300 << 20));
        let users = ["-DNOREDUCE", "-o3", "-m5", "-O1", "-w20"].map(str::to_owned);
        flags.add(&users);
        assert_eq!(flags.spin, ["-m", "-o3"]);
        assert_eq!(flags.compiler[2..], ["-DSAFETY", "-DMEMLIM=300", "-DNOREDUCE", "-O1"]);
        assert_eq!(flags.verifier[2..], ["-m1000000", "-m5", "-w20"]);
    }
}
