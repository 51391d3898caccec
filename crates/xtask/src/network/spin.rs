//! Spin's side: `spin -a`, `gcc -O2`, and the verifier with partial order reduction.
//!
//! In doubt for spin: only safety is compiled in, a depth that was too small costs nothing, and what
//! the verifier needs to know about long states is found out for it.

use super::measurement::Answer;
use super::tool::{Bench, Instance};
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::{Kind, PanReport, parse_pan_output};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Depths to try; the stack of the deepest takes more than a gigabyte.
const DEPTHS: [u32; 3] = [10_000, 1_000_000, 20_000_000];

/// What is said if a search was cut off at the depth.
const TOO_DEEP: &str = "depth limit";

/// What is said if the states are longer than the verifier was compiled for.
const LONG_STATES: &str = "long states";

/// The verdict of spin, end to end.
pub fn verify(bench: &Bench, instance: &Instance<'_>) -> io::Result<Answer> {
    let short = attempt(bench, instance, &[])?;
    if short.outcome != LONG_STATES {
        return Ok(short);
    }
    attempt(bench, instance, &["-DVECTORSZ=32768"])
}

fn attempt(bench: &Bench, instance: &Instance<'_>, defines: &[&str]) -> io::Result<Answer> {
    let folder = Scratch::new("network")?;
    let folder = folder.path();
    let mut spin = Command::new("spin");
    spin.arg("-a").args(instance.define_flags()).arg(&instance.family.path);
    let translation = step(&mut spin, folder, bench.limit)?;
    if !translation.succeeded() {
        return Ok(after("refused", &[&translation]));
    }
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-w", "-DSAFETY", &format!("-DMEMLIM={}", bench.megabytes)]);
    gcc.args(defines).args(["-o", "pan", "pan.c"]);
    let left = bench.limit.saturating_sub(translation.usage.wall);
    let compilation = step(&mut gcc, folder, left)?;
    if !compilation.succeeded() {
        return Ok(after("not compiled", &[&translation, &compilation]));
    }
    let left = left.saturating_sub(compilation.usage.wall);
    let mut answer = Answer::default();
    for depth in DEPTHS {
        let mut pan = Command::new(folder.join("pan"));
        // Where runs end is not what is asked for.
        pan.args(["-E", &format!("-m{depth}")]);
        let search = step(&mut pan, folder, left)?;
        let (outcome, report) = read(&search);
        let states = report.map(|report| report.states);
        answer = Answer { states, ..after(outcome, &[&translation, &compilation, &search]) };
        if outcome != TOO_DEEP {
            break;
        }
    }
    Ok(answer)
}

fn step(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Output> {
    process::run(command.current_dir(folder), folder, limit)
}

/// An outcome after some steps, with what they cost.
fn after(outcome: &str, steps: &[&Output]) -> Answer {
    let late = steps.iter().any(|step| step.ending == Ending::TimedOut);
    Answer {
        outcome: if late { "timed out" } else { outcome }.to_owned(),
        seconds: steps.iter().map(|step| step.usage.wall.as_secs_f64()).sum(),
        bytes: steps.iter().map(|step| step.usage.max_rss).max().unwrap_or(0),
        ..Answer::default()
    }
}

/// What a verifier said. An error that is none of the property is a refusal: there are limits to
/// the number of processes and channels.
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
    match report {
        r if r.kinds().contains(&Kind::Assertion) => "fails",
        r if r.errors > 0 => "refused",
        r if r.truncated => TOO_DEEP,
        r if r.completed => "holds",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::process::Usage;

    const TEXT: &str = "
State-vector 844 byte, depth reached 92, errors: 0
   224513 states, stored
   547332 states, matched
   771845 transitions (= stored+matched)
";

    fn outcome(ending: Ending, text: &str) -> &'static str {
        let (stdout, stderr) = (text.to_owned(), String::new());
        read(&Output { ending, usage: Usage::default(), stdout, stderr }).0
    }

    #[test]
    fn a_verdict_is_about_the_property() {
        let with = |line: &str| {
            let text = TEXT.replace("errors: 0", "errors: 1");
            outcome(Ending::Exit(0), &format!("pan:1: {line} (at depth 3)\n{text}"))
        };
        assert_eq!(outcome(Ending::Exit(0), TEXT), "holds");
        assert_eq!(with("assertion violated  !(eats)"), "fails");
        assert_eq!(with("too many processes"), "refused");
    }

    #[test]
    fn a_search_that_was_cut_off_proves_nothing() {
        let with = |line: &str| outcome(Ending::Exit(0), &format!("{line}\n{TEXT}"));
        assert_eq!(with("error: max search depth too small"), TOO_DEEP);
        assert_eq!(with("pan: reached -DMEMLIM bound"), "memory limit");
        assert_eq!(with("Warning: Search not completed"), "unknown");
        assert_eq!(with("pan:1: VECTORSZ is too small, edit pan.h (at depth 0)"), LONG_STATES);
        assert_eq!(outcome(Ending::TimedOut, TEXT), "timed out");
        assert_eq!(outcome(Ending::Signal(11), ""), "crashed");
    }
}
