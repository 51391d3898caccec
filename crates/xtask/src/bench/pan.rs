//! Runs spin's verifier in one of the compared configurations.

use super::sample::Sample;
use super::table::Model;
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::{Scratch, copy_files};
use resy_testkit::spin::{PanReport, parse_pan_output};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How a verifier is compiled and run.
#[derive(Debug)]
pub struct Configuration {
    spin_flags: &'static [&'static str],
    defines: &'static [&'static str],
    pan_flags: &'static [&'static str],
}

/// Spin without options: reduction and other optimisations are on, and the search ends at the first
/// error.
pub const DEFAULT: Configuration = Configuration { spin_flags: &[], defines: &[], pan_flags: &[] };
/// Like the default, but the search continues after errors.
pub const REDUCED: Configuration = Configuration { pan_flags: &["-n", "-c0"], ..DEFAULT };
/// The unreduced state space, see SPIN-SEMANTICS.md, note 1.
pub const PLAIN: Configuration =
    Configuration { spin_flags: &["-o1", "-o2", "-o3"], defines: &["-DNOREDUCE"], ..REDUCED };
/// The unreduced state space in spin's exact compressed store.
pub const COLLAPSE: Configuration =
    Configuration { defines: &["-DNOREDUCE", "-DCOLLAPSE"], ..PLAIN };

/// The flags of every configuration: safety only, and no memory limit below the machine's.
const DEFINES: &[&str] = &["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=16000"];

/// The depths to try; the stack of the deepest takes gigabytes.
const DEPTHS: [u64; 3] = [10_000, 5_000_000, 50_000_000];

/// The outcome if the state vector is longer than pan was compiled for.
const LONG_VECTOR: &str = "vector too long";

/// A compiled verifier that has searched once, so that the sizes of its tables are known.
#[derive(Debug)]
pub struct Verifier {
    folder: Scratch,
    flags: &'static [&'static str],
    limit: Duration,
    report: PanReport,
    /// The compiler flag for a long state vector.
    pub vector: Option<&'static str>,
}

/// Builds a verifier, with the time of each step.
pub fn build(
    model: &Model,
    how: &Configuration,
    vector: Option<&str>,
    limit: Duration,
) -> io::Result<(Scratch, Vec<Sample>)> {
    let folder = Scratch::new("bench")?;
    let parent = model.path.parent().filter(|p| !p.as_os_str().is_empty());
    copy_files(parent.unwrap_or(Path::new(".")), folder.path())?;
    // A pan.c that came with the models must not be mistaken for the generated one.
    let _ = std::fs::remove_file(folder.path().join("pan.c"));
    let mut spin = Command::new("spin");
    spin.current_dir(folder.path()).arg("-a").args(how.spin_flags).args(model.define_flags());
    spin.arg(model.path.file_name().unwrap_or_default());
    let translation = step("spin -a", &process::run(&mut spin, folder.path(), limit)?);
    if translation.outcome != "done" {
        return Ok((folder, vec![translation]));
    }
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder.path()).args(DEFINES).args(how.defines).args(vector);
    gcc.args(["-o", "resy-pan", "pan.c"]);
    let compilation = step("gcc", &process::run(&mut gcc, folder.path(), limit)?);
    Ok((folder, vec![translation, compilation]))
}

fn step(tool: &'static str, output: &Output) -> Sample {
    let outcome = match output.ending {
        Ending::Exit(0) => "done".to_owned(),
        Ending::TimedOut => format!("{tool} timed out"),
        _ => format!("{tool} failed"),
    };
    Sample { tool, outcome, ..used(output) }
}

fn used(output: &Output) -> Sample {
    Sample {
        seconds: output.usage.wall.as_secs_f64(),
        cpu_seconds: output.usage.cpu.as_secs_f64(),
        max_rss: output.usage.max_rss,
        ..Sample::default()
    }
}

/// Runs the verifier in this folder.
pub fn run(folder: &Path, flags: &[String], limit: Duration) -> io::Result<(Sample, Output)> {
    let mut pan = Command::new(folder.join("resy-pan"));
    pan.current_dir(folder).args(flags);
    let output = process::run(&mut pan, folder, limit)?;
    Ok((read(&output), output))
}

/// The output of a verifier as a sample.
fn read(output: &Output) -> Sample {
    let sample = Sample { tool: "pan", ..used(output) };
    let report = parse_pan_output(&output.stdout);
    let outcome = match (output.ending, &report) {
        (Ending::TimedOut, _) => "timed out",
        _ if output.stdout.contains("VECTORSZ") => LONG_VECTOR,
        (Ending::Exit(_), Some(report)) => verdict(report),
        _ => "crashed",
    };
    Sample {
        outcome: outcome.to_owned(),
        own_seconds: report.as_ref().and_then(|r| r.seconds),
        states: report.as_ref().map(|r| r.states),
        transitions: report.as_ref().map(|r| r.transitions),
        own_bytes: state_bytes(&output.stdout),
        ..sample
    }
}

fn verdict(report: &PanReport) -> &'static str {
    match report {
        r if r.errors > 0 && !r.messages.is_empty() => "fails",
        r if r.counts_are_complete() => "holds",
        _ => "unknown",
    }
}

/// The memory that pan allocated for states. Without compression it prints no such line, but then its
/// equivalent memory usage is the actual one.
fn state_bytes(text: &str) -> Option<f64> {
    let actual = value_of(text, "actual memory usage for states");
    let megabytes = actual.or_else(|| value_of(text, "equivalent memory usage for states"))?;
    Some(megabytes * f64::from(1 << 20))
}

/// The number before `label` in a line of the text.
fn value_of(text: &str, label: &str) -> Option<f64> {
    text.lines().find_map(|line| {
        let (number, rest) = line.trim_start().split_once(char::is_whitespace)?;
        rest.trim_start().starts_with(label).then(|| number.parse().ok())?
    })
}

impl Verifier {
    /// Builds a verifier and determines the depth that its search needs. An error is the reason why there
    /// is none, as a sample.
    pub fn new(
        model: &Model,
        how: &Configuration,
        limit: Duration,
    ) -> io::Result<Result<Verifier, Sample>> {
        let mut failure = Sample::default();
        for vector in [None, Some("-DVECTORSZ=16384")] {
            let (folder, steps) = build(model, how, vector, limit)?;
            if let Some(failed) = steps.into_iter().find(|s| s.outcome != "done") {
                return Ok(Err(failed));
            }
            match first_search(folder.path(), how.pan_flags, limit)? {
                Ok(report) => {
                    let flags = how.pan_flags;
                    return Ok(Ok(Verifier { folder, flags, limit, report, vector }));
                }
                Err(failed) => failure = failed,
            }
            if failure.outcome != LONG_VECTOR {
                break;
            }
        }
        Ok(Err(failure))
    }

    /// The number of states stored in the first search.
    pub fn states(&self) -> u64 {
        self.report.states
    }

    /// The depth to search with, slightly more than needed.
    pub fn depth(&self) -> u64 {
        self.report.depth + 100
    }

    /// Searches again, with the stack as deep as needed and 2^`log_slots` slots in the hash table.
    pub fn search(&self, log_slots: u32) -> io::Result<Sample> {
        let flags = flags(self.flags, self.depth(), log_slots);
        Ok(run(self.folder.path(), &flags, self.limit)?.0)
    }
}

/// Searches with increasing depths until the search is not truncated.
fn first_search(
    folder: &Path,
    pan_flags: &[&str],
    limit: Duration,
) -> io::Result<Result<PanReport, Sample>> {
    for depth in DEPTHS {
        let (sample, output) = run(folder, &flags(pan_flags, depth, 24), limit)?;
        let report = parse_pan_output(&output.stdout).unwrap_or_default();
        if report.truncated {
            continue;
        }
        return Ok(if sample.decided() { Ok(report) } else { Err(sample) });
    }
    Ok(Err(Sample { tool: "pan", outcome: "depth limit".to_owned(), ..Sample::default() }))
}

fn flags(flags: &[&str], depth: u64, log_slots: u32) -> Vec<String> {
    let mut all: Vec<String> = flags.iter().map(|&f| f.to_owned()).collect();
    all.extend([format!("-m{depth}"), format!("-w{log_slots}")]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spin::tests::REPORT;
    use resy_testkit::process::Usage;

    fn output(ending: Ending, stdout: &str) -> Output {
        let stdout = stdout.to_owned();
        Output { ending, usage: Usage::default(), stdout, stderr: String::new() }
    }

    #[test]
    fn a_search_is_read() {
        let sample = read(&output(Ending::Exit(0), REPORT));
        assert_eq!((sample.states, sample.transitions), (Some(224_513), Some(771_845)));
        assert_eq!(sample.own_seconds, Some(1.34));
        assert_eq!(sample.own_bytes, Some(8.5 * 1_048_576.0));
        assert_eq!(sample.outcome, "holds");
        let without = REPORT.replace("actual memory", "actually");
        assert_eq!(state_bytes(&without), Some(184.993 * 1_048_576.0));
    }

    #[test]
    fn what_goes_wrong_is_named() {
        let long = format!("pan:1: VECTORSZ is too small, edit pan.h (at depth 0)\n{REPORT}");
        assert_eq!(read(&output(Ending::Exit(0), &long)).outcome, LONG_VECTOR);
        let outcome = |ending, text: &str| read(&output(ending, text)).outcome;
        assert_eq!(outcome(Ending::TimedOut, REPORT), "timed out");
        assert_eq!(outcome(Ending::Signal(11), ""), "crashed");
        assert_eq!(outcome(Ending::Exit(0), ""), "crashed");
        let cut = format!("error: max search depth too small\n{REPORT}");
        assert_eq!(outcome(Ending::Exit(0), &cut), "unknown");
        let wrong = format!("pan:1: invalid end state (at depth 3)\n{REPORT}");
        let wrong = wrong.replace("errors: 0", "errors: 1");
        assert_eq!(outcome(Ending::Exit(0), &wrong), "fails");
        assert_eq!(step("gcc", &output(Ending::Exit(1), "")).outcome, "gcc failed");
    }
}
