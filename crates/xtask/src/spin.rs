//! Runs spin from the model to the verdict: `spin -a`, `gcc -O2`, and the verifier with partial order
//! reduction.
//!
//! Choices favour spin: only safety is compiled in, attempts with too small a depth are not counted, and
//! the flags for long state vectors are determined automatically.

use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::{Kind, PanReport, parse_pan_output};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The depths to try; the stack of the deepest takes more than a gigabyte.
const DEPTHS: [u32; 3] = [10_000, 1_000_000, 20_000_000];

/// The outcome if a search is truncated at the depth limit.
const TOO_DEEP: &str = "depth limit";

/// The outcome if the state vector is longer than the verifier was compiled for.
const LONG_STATES: &str = "long states";

/// A question to spin.
#[derive(Debug)]
pub struct SpinQuestion<'a> {
    /// The Promela file.
    pub path: &'a Path,
    /// The macros, as command-line arguments.
    pub defines: Vec<String>,
    /// The name of the `ltl` block, if there are several.
    pub claim: Option<&'a str>,
    /// The time limit of the three steps together.
    pub limit: Duration,
    /// The memory limit of the verifier.
    pub megabytes: u64,
}

/// The answer of spin, and its cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpinAnswer {
    /// `holds`, `fails`, or why there is no verdict.
    pub outcome: &'static str,
    /// Seconds of `spin -a`, the compiler and the verifier, as far as they ran.
    pub steps: Vec<f64>,
    /// The largest resident set of all steps.
    pub bytes: u64,
    /// The resident set of the last step: the verifier, if there is a verdict.
    pub last_bytes: u64,
    /// The number of states stored.
    pub states: Option<u64>,
    /// The search time that the verifier reports.
    pub own_seconds: Option<f64>,
}

impl SpinAnswer {
    /// Seconds from the model to the answer.
    pub fn seconds(&self) -> f64 {
        self.steps.iter().sum()
    }
}

/// The verdict of spin, end to end.
pub fn verify(question: &SpinQuestion<'_>) -> io::Result<SpinAnswer> {
    let short = attempt(question, &[])?;
    if short.outcome != LONG_STATES {
        return Ok(short);
    }
    attempt(question, &["-DVECTORSZ=32768"])
}

fn attempt(question: &SpinQuestion<'_>, defines: &[&str]) -> io::Result<SpinAnswer> {
    let folder = Scratch::new("spin")?;
    let folder = folder.path();
    let mut spin = Command::new("spin");
    spin.arg("-a").args(&question.defines).arg(question.path.canonicalize()?);
    let translation = step(&mut spin, folder, question.limit)?;
    if !translation.succeeded() {
        return Ok(after("refused", &[&translation]));
    }
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-w", "-DSAFETY", &format!("-DMEMLIM={}", question.megabytes)]);
    gcc.args(defines).args(["-o", "pan", "pan.c"]);
    let left = question.limit.saturating_sub(translation.usage.wall);
    let compilation = step(&mut gcc, folder, left)?;
    if !compilation.succeeded() {
        return Ok(after("not compiled", &[&translation, &compilation]));
    }
    let left = left.saturating_sub(compilation.usage.wall);
    let mut answer = SpinAnswer::default();
    for depth in DEPTHS {
        let mut pan = Command::new(folder.join("pan"));
        // End states are not checked.
        pan.args(["-E", &format!("-m{depth}")]);
        if let Some(claim) = question.claim {
            pan.args(["-N", claim]);
        }
        let search = step(&mut pan, folder, left)?;
        let (outcome, report) = read(&search);
        let states = report.as_ref().map(|report| report.states);
        let own_seconds = report.and_then(|report| report.seconds);
        answer = SpinAnswer {
            states,
            own_seconds,
            ..after(outcome, &[&translation, &compilation, &search])
        };
        if outcome != TOO_DEEP {
            break;
        }
    }
    Ok(answer)
}

fn step(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Output> {
    process::run(command.current_dir(folder), folder, limit)
}

/// An outcome after some steps, with their cost.
fn after(outcome: &'static str, steps: &[&Output]) -> SpinAnswer {
    let late = steps.iter().any(|step| step.ending == Ending::TimedOut);
    SpinAnswer {
        outcome: if late { "timed out" } else { outcome },
        steps: steps.iter().map(|step| step.usage.wall.as_secs_f64()).collect(),
        bytes: steps.iter().map(|step| step.usage.max_rss).max().unwrap_or(0),
        last_bytes: steps.last().map_or(0, |step| step.usage.max_rss),
        ..SpinAnswer::default()
    }
}

/// The verdict of a verifier's output. An error that is not about the property is a refusal: there are
/// limits on the numbers of processes and channels.
fn read(output: &Output) -> (&'static str, Option<PanReport>) {
    let report = parse_pan_output(&output.stdout);
    let outcome = match (output.ending, &report) {
        (Ending::TimedOut, _) => "timed out",
        _ if output.all_text().contains("VECTORSZ") => LONG_STATES,
        _ if output.all_text().contains("MEMLIM") => "memory limit",
        (Ending::Exit(_), Some(report)) => verdict(report),
        _ => "crashed",
    };
    (outcome, report)
}

fn verdict(report: &PanReport) -> &'static str {
    let kinds = report.kinds();
    match report {
        _ if kinds.contains(&Kind::Assertion) || kinds.contains(&Kind::Trace) => "fails",
        r if r.errors > 0 => "refused",
        r if r.truncated => TOO_DEEP,
        r if r.completed => "holds",
        _ => "unknown",
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use resy_testkit::process::Usage;

    /// The output of a verifier after a search without errors.
    pub const REPORT: &str = "
State-vector 844 byte, depth reached 92, errors: 0
   224513 states, stored
   547332 states, matched
   771845 transitions (= stored+matched)

Stats on memory usage (in Megabytes):
  184.993\tequivalent memory usage for states (stored*(State-vector + overhead))
    8.500\tactual memory usage for states (compression: 5.07%)
  128.000\tmemory used for hash table (-w24)

pan: elapsed time 1.34 seconds
pan: rate 167546.27 states/second
";

    fn outcome(ending: Ending, text: &str) -> &'static str {
        let (stdout, stderr) = (text.to_owned(), String::new());
        read(&Output { ending, usage: Usage::default(), stdout, stderr }).0
    }

    #[test]
    fn a_verdict_is_about_the_property() {
        let with = |line: &str| {
            let text = REPORT.replace("errors: 0", "errors: 1");
            outcome(Ending::Exit(0), &format!("pan:1: {line} (at depth 3)\n{text}"))
        };
        assert_eq!(outcome(Ending::Exit(0), REPORT), "holds");
        assert_eq!(with("assertion violated  !(eats)"), "fails");
        assert_eq!(with("event_trace error (no matching event)"), "fails");
        assert_eq!(with("too many processes"), "refused");
    }

    #[test]
    fn a_search_that_was_cut_off_proves_nothing() {
        let with = |line: &str| outcome(Ending::Exit(0), &format!("{line}\n{REPORT}"));
        assert_eq!(with("error: max search depth too small"), TOO_DEEP);
        assert_eq!(with("pan: reached -DMEMLIM bound"), "memory limit");
        assert_eq!(with("Warning: Search not completed"), "unknown");
        assert_eq!(with("pan:1: VECTORSZ is too small, edit pan.h (at depth 0)"), LONG_STATES);
        assert_eq!(outcome(Ending::TimedOut, REPORT), "timed out");
        assert_eq!(outcome(Ending::Signal(11), ""), "crashed");
    }
}
