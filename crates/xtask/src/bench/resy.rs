//! Runs resy with the options of a question.

use super::sample::Sample;
use super::table::Model;
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The resy binary and its time limit.
#[derive(Debug, Clone)]
pub struct BenchResy {
    binary: PathBuf,
    limit: Duration,
}

impl BenchResy {
    /// Fails if the binary does not exist. The path is made absolute because runs change the current
    /// folder.
    pub fn new(binary: &Path, limit: Duration) -> io::Result<BenchResy> {
        let binary = binary.canonicalize().map_err(|e| {
            io::Error::new(e.kind(), format!("resy binary {}: {e}", binary.display()))
        })?;
        Ok(BenchResy { binary, limit })
    }

    /// `resy check` on a model, with these options.
    pub fn check(&self, model: &Model, tool: &'static str, options: &[&str]) -> io::Result<Sample> {
        let folder = Scratch::new("bench")?;
        let mut command = Command::new(&self.binary);
        command.current_dir(folder.path()).arg("check").args(model.define_flags()).args(options);
        command.arg(model.path.canonicalize()?);
        let output = process::run(&mut command, folder.path(), self.limit)?;
        Ok(Sample { tool, ..read(&output) })
    }

    /// The first line of `resy --version`.
    pub fn version(&self) -> io::Result<String> {
        let output = Command::new(&self.binary).arg("--version").output()?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("").to_owned())
    }
}

/// Reads the verdict from the exit code and the numbers from the JSON object, if there is one.
fn read(output: &Output) -> Sample {
    let outcome = match output.ending {
        Ending::Exit(0) => "holds",
        Ending::Exit(1) => "fails",
        Ending::Exit(2) => "rejected",
        Ending::Exit(3) => "unknown",
        Ending::TimedOut => "timed out",
        Ending::Exit(_) | Ending::Signal(_) => "crashed",
    };
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let stats = &json["stats"];
    Sample {
        outcome: outcome.to_owned(),
        seconds: output.usage.wall.as_secs_f64(),
        cpu_seconds: output.usage.cpu.as_secs_f64(),
        own_seconds: stats["seconds"].as_f64(),
        states: stats["states"].as_u64(),
        transitions: stats["transitions"].as_u64(),
        max_rss: output.usage.max_rss,
        own_bytes: stats["peak_bytes"].as_f64(),
        ..Sample::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::process::Usage;

    fn exit(code: i32, stdout: &str) -> Sample {
        let (stdout, stderr) = (stdout.to_owned(), String::new());
        read(&Output { ending: Ending::Exit(code), usage: Usage::default(), stdout, stderr })
    }

    #[test]
    fn the_object_is_read_and_may_lack_fields() {
        let full = exit(1, r#"{"stats": {"states": 7, "transitions": 9, "seconds": 0.5}}"#);
        assert_eq!(
            (full.states, full.transitions, full.own_seconds),
            (Some(7), Some(9), Some(0.5))
        );
        assert_eq!((full.outcome.as_str(), full.own_bytes), ("fails", None));
        assert_eq!(exit(0, "holds: 7 states").states, None);
        assert_eq!(exit(3, "{}").outcome, "unknown");
        assert_eq!(exit(101, "").outcome, "crashed");
    }
}
