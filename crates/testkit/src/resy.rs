//! Running resy through its command line, whose contract is CLI.md:
//! exit 0 holds, 1 fails, 2 wrong input, 3 unknown; anything else is a crash.

use crate::process::{self, Ending, Output};
use crate::scratch::{self, Scratch};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where resy is and how long it may take.
#[derive(Debug, Clone)]
pub struct Resy {
    binary: PathBuf,
    time_limit: Duration,
    /// More arguments.
    options: Vec<String>,
}

/// What resy said about a model.
#[derive(Debug, Clone, PartialEq)]
pub enum ResyOutcome {
    /// Exit 2, with the first lines of the diagnostics.
    Rejected(String),
    /// Exit 3, with the reason.
    Unknown(String),
    /// Exit 0 or 1, or exit 3 where every property that was searched for is decided.
    Decided(ResyReport),
    /// Killed at a time beyond the limit that it was given.
    TimedOut,
    /// A panic, a signal, or output that breaks the contract.
    Crashed(String),
}

/// The part of the JSON object that is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResyReport {
    /// Whether the exit code was 1.
    pub fails: bool,
    /// `stats.states`.
    pub states: u64,
    /// `stats.transitions`.
    pub transitions: u64,
    /// Whether all states were searched, so that the counts mean something. A search that a limit cuts short may have
    /// decided every property before, by violations.
    pub is_whole: bool,
    /// The kinds of the properties that fail.
    pub failed_kinds: BTreeSet<String>,
}

impl Resy {
    /// The binary must exist; its path is made absolute because runs change the folder.
    pub fn new(binary: &Path, time_limit: Duration) -> io::Result<Resy> {
        let binary = binary.canonicalize();
        let binary = binary.map_err(|e| io::Error::new(e.kind(), format!("resy binary: {e}")))?;
        Ok(Resy { binary, time_limit, options: Vec::new() })
    }

    /// With one more argument.
    pub fn option(mut self, option: &str) -> Resy {
        self.options.push(option.to_owned());
        self
    }

    /// Checks a model given as text.
    pub fn run_text(&self, model: &str) -> io::Result<ResyOutcome> {
        let scratch = Scratch::new("resy")?;
        std::fs::write(scratch.path().join("model.pml"), model)?;
        self.run_in(scratch.path(), "model.pml")
    }

    /// Checks a model in a copy of its folder.
    pub fn run_file(&self, model: &Path) -> io::Result<ResyOutcome> {
        let scratch = Scratch::new("resy")?;
        let folder = model.parent().filter(|p| !p.as_os_str().is_empty());
        scratch::copy_files(folder.unwrap_or(Path::new(".")), scratch.path())?;
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        self.run_in(scratch.path(), &name)
    }

    /// Runs any command in a folder. It is killed some seconds after the time limit.
    pub fn call(&self, folder: &Path, args: &[&str]) -> io::Result<Output> {
        let mut command = Command::new(&self.binary);
        command.current_dir(folder).args(args).args(&self.options);
        process::run(&mut command, folder, self.time_limit + Duration::from_secs(5))
    }

    /// The time limit in seconds, as an argument.
    pub fn seconds(&self) -> String {
        self.time_limit.as_secs().to_string()
    }

    fn run_in(&self, folder: &Path, name: &str) -> io::Result<ResyOutcome> {
        let how = ["check", "--plain", "--exhaustive", "--json", "--no-claims"];
        let limit = ["--timeout", &self.seconds(), name];
        Ok(classify(&self.call(folder, &[&how[..], &limit].concat())?))
    }
}

fn classify(output: &Output) -> ResyOutcome {
    match output.ending {
        Ending::TimedOut => ResyOutcome::TimedOut,
        Ending::Signal(n) => ResyOutcome::Crashed(format!("signal {n}")),
        Ending::Exit(2) => ResyOutcome::Rejected(excerpt(&output.stderr)),
        Ending::Exit(code @ (0 | 1 | 3)) => match serde_json::from_str(&output.stdout) {
            Ok(json) => read_json(code, &json),
            Err(e) => ResyOutcome::Crashed(format!("exit {code}, but no JSON: {e}")),
        },
        Ending::Exit(code) => {
            ResyOutcome::Crashed(format!("exit {code}: {}", excerpt(&output.stderr)))
        }
    }
}

fn read_json(code: i32, json: &Value) -> ResyOutcome {
    let verdict = json["verdict"].as_str().unwrap_or("missing");
    let expected = ["holds", "fails", "", "unknown"][code as usize & 3];
    if verdict != expected {
        return ResyOutcome::Crashed(format!("exit {code} but verdict {verdict}"));
    }
    // Labels of cycles make the total unknown; the search has decided the rest.
    let is_open =
        properties(json).count() == 0 || properties(json).any(|p| p["verdict"] == "unknown");
    if code == 3 && is_open {
        return ResyOutcome::Unknown(reasons(json));
    }
    let (states, transitions) = (&json["stats"]["states"], &json["stats"]["transitions"]);
    let (Some(states), Some(transitions)) = (states.as_u64(), transitions.as_u64()) else {
        return ResyOutcome::Crashed("no stats.states and stats.transitions".to_owned());
    };
    let failing = properties(json).filter(|p| p["verdict"] == "fails");
    let failed_kinds = failing.filter_map(|p| p["kind"].as_str()).map(str::to_owned).collect();
    let (fails, is_whole) = (code == 1, visits_all(json));
    ResyOutcome::Decided(ResyReport { fails, states, transitions, is_whole, failed_kinds })
}

/// Whether a search has visited all states: only then it tells which statements were not reached.
pub fn visits_all(json: &Value) -> bool {
    json["unreached"].is_array()
}

fn properties(json: &Value) -> impl Iterator<Item = &Value> {
    json["properties"].as_array().into_iter().flatten()
}

fn reasons(json: &Value) -> String {
    let texts: BTreeSet<&str> = properties(json).filter_map(|p| p["reason"].as_str()).collect();
    texts.into_iter().collect::<Vec<_>>().join("; ")
}

fn excerpt(text: &str) -> String {
    let useful = text.lines().map(str::trim).filter(|l| !l.is_empty());
    useful.take(4).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Usage;

    fn exit(code: i32, stdout: &str) -> ResyOutcome {
        let (stdout, stderr) = (stdout.to_owned(), "why".to_owned());
        classify(&Output { ending: Ending::Exit(code), usage: Usage::default(), stdout, stderr })
    }

    const FAILS: &str = r#"{"verdict": "fails",
        "properties": [{"name": "assertions", "kind": "assertion", "verdict": "fails"},
                       {"name": "end-states", "kind": "end-state", "verdict": "holds"}],
        "unreached": [], "stats": {"states": 7, "transitions": 9}}"#;

    #[test]
    fn the_contract_is_read() {
        let ResyOutcome::Decided(report) = exit(1, FAILS) else { panic!("not decided") };
        assert!(report.is_whole);
        let cut_short = exit(1, &FAILS.replace("[], \"stats\"", "null, \"stats\""));
        assert!(matches!(cut_short, ResyOutcome::Decided(report) if !report.is_whole));
        assert_eq!((report.states, report.transitions, report.fails), (7, 9, true));
        assert_eq!(report.failed_kinds, ["assertion".to_owned()].into());
        assert_eq!(exit(2, ""), ResyOutcome::Rejected("why".to_owned()));
    }

    #[test]
    fn only_what_was_searched_for_counts() {
        let holds = r#"{"verdict": "unknown", "not_checked": [{"name": "progress"}],
            "properties": [{"kind": "assertion", "verdict": "holds"}],
            "stats": {"states": 7, "transitions": 9}}"#;
        assert!(matches!(exit(3, holds), ResyOutcome::Decided(report) if !report.fails));
        let open = holds.replace("\"holds\"", "\"unknown\"");
        assert!(matches!(exit(3, &open), ResyOutcome::Unknown(_)));
    }

    #[test]
    fn breaking_the_contract_is_a_crash() {
        for broken in [exit(0, FAILS), exit(101, ""), exit(0, "{}"), exit(1, "nonsense")] {
            assert!(matches!(broken, ResyOutcome::Crashed(_)), "{broken:?}");
        }
    }
}
