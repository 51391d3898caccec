//! Spin's verifier on the same model and formula, without reduction.

use crate::args::TaskFailure;
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::parse_pan_output;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The depth of its search, and the size of its table as a power of two.
const SEARCH: [&str; 3] = ["-n", "-m10000000", "-w24"];

/// The cost of a search by the verifier: its processor time, without translation and compilation.
#[derive(Debug)]
pub struct PanCost {
    pub verdict: &'static str,
    pub seconds: f64,
    pub states: u64,
}

/// Verifies a model, with `-a` or `-a -f`; or why there is no answer.
pub fn verify(
    file: &Path,
    defines: &[String],
    is_fair: bool,
    limit: Duration,
) -> Result<Result<PanCost, String>, TaskFailure> {
    let folder = Scratch::new("cycles-pan")?;
    let step = |command: &mut Command| {
        process::run(command.current_dir(folder.path()), folder.path(), limit)
    };
    let mut spin = Command::new("spin");
    spin.args(["-a", "-o1", "-o2", "-o3"]).args(defines).arg(file);
    let translated = step(&mut spin)?;
    if !translated.succeeded() {
        return Ok(Err(format!("spin: {}", first_line(&translated))));
    }
    let mut searched = None;
    // The counter of fairness has room for 10 processes, or else for 14.
    for fairness in if is_fair { &["-DNFAIR=3", "-DNFAIR=4"][..] } else { &["-DNOFAIR"] } {
        let mut compiler = Command::new("gcc");
        compiler.args(["-O2", "-w", "-DNOREDUCE", fairness, "-DMEMLIM=12000"]);
        let compiled = step(compiler.args(["-o", "pan", "pan.c"]))?;
        if !compiled.succeeded() {
            return Ok(Err(format!("gcc: {}", first_line(&compiled))));
        }
        let mut pan = Command::new(folder.path().join("pan"));
        pan.arg("-a").args(is_fair.then_some("-f")).args(SEARCH);
        let output = step(&mut pan)?;
        let is_over = !output.all_text().contains("recompile with -DNFAIR");
        searched = Some(read(&output));
        if is_over {
            break;
        }
    }
    Ok(searched.unwrap_or_else(|| Err("it was not run".to_owned())))
}

fn read(output: &Output) -> Result<PanCost, String> {
    let seconds = output.usage.cpu.as_secs_f64();
    match (output.ending, parse_pan_output(&output.stdout)) {
        (Ending::TimedOut, _) => Err(format!("> {seconds:.0}")),
        (Ending::Exit(_), Some(report)) if report.errors > 0 => {
            Ok(PanCost { verdict: "fails", seconds, states: report.states })
        }
        (Ending::Exit(_), Some(report)) if report.completed && !report.truncated => {
            Ok(PanCost { verdict: "holds", seconds, states: report.states })
        }
        (ending, _) => {
            Err(format!("no answer after {seconds:.1} s ({ending:?}): {}", first_line(output)))
        }
    }
}

/// The first line that a program says.
fn first_line(output: &Output) -> String {
    let text = output.all_text();
    let line =
        text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing is said");
    line.replace('|', " ")
}
