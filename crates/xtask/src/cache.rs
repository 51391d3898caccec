//! A cache of spin's outcomes on disk, one file per program, so that the same programs can be compared
//! with another resy without running spin. The file name is a hash of the text, of spin's version and of
//! the flags.

use resy_testkit::spin::{PanReport, SpinOptions, SpinOutcome, run_text, spin_version};
use std::io;
use std::path::{Path, PathBuf};

/// Runs spin unless the outcome is cached.
pub struct SpinCache {
    folder: Option<PathBuf>,
    options: SpinOptions,
    salt: String,
}

impl SpinCache {
    /// Without a folder nothing is cached.
    pub fn new(folder: Option<PathBuf>, options: SpinOptions) -> io::Result<SpinCache> {
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder)?;
        }
        let salt = format!("{}\n{}", spin_version()?, options.fingerprint());
        Ok(SpinCache { folder, options, salt })
    }

    /// Spin's outcome for a program.
    pub fn run(&self, text: &str) -> io::Result<SpinOutcome> {
        let file = self.folder.as_ref().map(|f| self.file(f, text));
        if let Some(outcome) = file.as_deref().and_then(load) {
            return Ok(outcome);
        }
        let outcome = run_text(text, &self.options)?;
        if let Some(file) = file {
            // Two threads or processes may write the same file.
            let temporary = file.with_extension(format!("{}.tmp", std::process::id()));
            std::fs::write(&temporary, encode(&outcome))?;
            std::fs::rename(&temporary, &file)?;
        }
        Ok(outcome)
    }

    fn file(&self, folder: &Path, text: &str) -> PathBuf {
        folder.join(format!("{:016x}.spin", fnv(&[&self.salt, "\n", text])))
    }
}

fn load(file: &Path) -> Option<SpinOutcome> {
    decode(&std::fs::read_to_string(file).ok()?)
}

/// FNV-1a: the hash must be the same in every version of Rust.
fn fnv(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|p| p.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

fn encode(outcome: &SpinOutcome) -> String {
    match outcome {
        SpinOutcome::Rejected(text) => format!("rejected\n{text}"),
        SpinOutcome::NotCompiled(text) => format!("not-compiled\n{text}"),
        SpinOutcome::SelfLoop(text) => format!("self-loop\n{text}"),
        SpinOutcome::TimedOut(step) => format!("timed-out\n{step}"),
        SpinOutcome::Crashed(text) => format!("crashed\n{text}"),
        SpinOutcome::Searched(r) => {
            let (cut, done) = (u64::from(r.truncated), u64::from(r.completed));
            let numbers = [r.states, r.matched, r.transitions, r.errors, r.depth, cut, done];
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            format!("searched {}\n{}", numbers.join(" "), r.messages.join("\n"))
        }
    }
}

fn decode(text: &str) -> Option<SpinOutcome> {
    let (head, rest) = text.split_once('\n')?;
    let body = rest.to_owned();
    match head {
        "rejected" => Some(SpinOutcome::Rejected(body)),
        "not-compiled" => Some(SpinOutcome::NotCompiled(body)),
        "self-loop" => Some(SpinOutcome::SelfLoop(body)),
        "timed-out" if rest == "pan" => Some(SpinOutcome::TimedOut("pan")),
        "timed-out" => Some(SpinOutcome::TimedOut("spin -a")),
        "crashed" => Some(SpinOutcome::Crashed(body)),
        _ => decode_report(head.strip_prefix("searched ")?, rest).map(SpinOutcome::Searched),
    }
}

fn decode_report(numbers: &str, messages: &str) -> Option<PanReport> {
    let numbers: Vec<u64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
    let [states, matched, transitions, errors, depth, cut, done] = numbers[..] else {
        return None;
    };
    let messages = messages.lines().map(str::to_owned).collect();
    let (truncated, completed) = (cut == 1, done == 1);
    // Outcomes are compared, times are not.
    let seconds = None;
    Some(PanReport {
        states,
        matched,
        transitions,
        errors,
        depth,
        messages,
        truncated,
        seconds,
        completed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let report = PanReport {
            states: 12,
            transitions: 15,
            errors: 2,
            messages: vec!["assertion violated x".to_owned(), "invalid end state".to_owned()],
            completed: true,
            ..PanReport::default()
        };
        let outcomes = [
            SpinOutcome::Searched(report),
            SpinOutcome::Searched(PanReport::default()),
            SpinOutcome::Rejected("saw 'x'".to_owned()),
            SpinOutcome::TimedOut("pan"),
        ];
        for outcome in outcomes {
            assert_eq!(decode(&encode(&outcome)), Some(outcome));
        }
        assert_eq!(decode("searched 1 2\n"), None);
    }
}
