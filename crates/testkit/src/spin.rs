//! Running the real spin: model text → `pan.c` → verifier → counts.
//!
//! The default flags switch off everything that spin adds to or removes from
//! the plain state space, see SPIN-SEMANTICS.md, note 1. On a parse error spin
//! exits with 1 but may leave a `pan.c` that compiles, so each exit status
//! is checked and each run has an empty folder.

mod pan_output;

use crate::process::{self, Ending, Output};
use crate::scratch::Scratch;
pub use pan_output::{Kind, PanReport, parse_pan_output};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How to translate, compile and run a model.
#[derive(Debug, Clone)]
pub struct SpinOptions {
    /// Arguments of spin beside `-a`, such as `-o3` or `-DN=3`.
    pub spin_flags: Vec<String>,
    /// The compiler with its arguments.
    pub compiler: Vec<String>,
    /// `-D` flags of the compilation.
    pub pan_defines: Vec<String>,
    /// Arguments of the verifier.
    pub pan_flags: Vec<String>,
    /// Limit for the verifier; the translation and the compilation together get a minute more.
    pub time_limit: Duration,
}

impl Default for SpinOptions {
    fn default() -> SpinOptions {
        SpinOptions {
            spin_flags: strings(&["-o1", "-o2", "-o3"]),
            compiler: strings(&["cc", "-O1", "-w"]),
            pan_defines: strings(&["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=6000"]),
            pan_flags: strings(&["-n", "-c0", "-m3000000"]),
            time_limit: Duration::from_secs(20),
        }
    }
}

impl SpinOptions {
    /// For small programs: the quickest compiler there is (tcc takes 10 ms where
    /// gcc takes 250, with the same counts), and small tables in the verifier.
    pub fn for_small_programs() -> SpinOptions {
        let compiler: &[&str] =
            if process::is_installed("tcc") { &["tcc", "-w"] } else { &["cc", "-O0", "-w"] };
        SpinOptions {
            compiler: strings(compiler),
            // The limits stop a verifier after a few hundred thousand states.
            pan_defines: strings(&["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=20"]),
            pan_flags: strings(&["-n", "-c0", "-m100000", "-w17"]),
            time_limit: Duration::from_secs(5),
            ..SpinOptions::default()
        }
    }

    /// Everything that can influence the outcome, for use in cache keys. The
    /// compiler is left out on purpose.
    pub fn fingerprint(&self) -> String {
        [&self.spin_flags[..], &self.pan_defines[..], &self.pan_flags[..]].concat().join(" ")
    }
}

/// How far spin came with a model.
#[derive(Debug, Clone, PartialEq)]
pub enum SpinOutcome {
    /// `spin -a` refused the text.
    Rejected(String),
    /// spin accepted the text, but the compiler refuses `pan.c`.
    NotCompiled(String),
    /// The verifier refuses to search because of an unconditional self-loop.
    SelfLoop(String),
    /// A step took longer than its limit; the step is named.
    TimedOut(&'static str),
    /// A step ended abnormally.
    Crashed(String),
    /// The verifier searched and reported.
    Searched(PanReport),
}

/// The version line of the installed spin, with its date: "6.5.2" alone was
/// printed by builds of several years.
pub fn spin_version() -> io::Result<String> {
    let output = Command::new("spin").arg("-V").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs spin on a model given as text.
pub fn run_text(model: &str, options: &SpinOptions) -> io::Result<SpinOutcome> {
    let scratch = Scratch::new("spin")?;
    std::fs::write(scratch.path().join("model.pml"), model)?;
    run_in(scratch.path(), "model.pml", options)
}

/// Runs spin on a model in a copy of its folder, so that `#include` works.
pub fn run_file(model: &Path, options: &SpinOptions) -> io::Result<SpinOutcome> {
    let scratch = Scratch::new("spin")?;
    let folder = model.parent().filter(|p| !p.as_os_str().is_empty());
    crate::scratch::copy_files(folder.unwrap_or(Path::new(".")), scratch.path())?;
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    run_in(scratch.path(), &name, options)
}

fn run_in(folder: &Path, name: &str, options: &SpinOptions) -> io::Result<SpinOutcome> {
    let quick = Duration::from_secs(30);
    // A pan.c that came with the models must not pass for ours.
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let mut spin = Command::new("spin");
    spin.current_dir(folder).arg("-a").args(&options.spin_flags).arg(name);
    let translation = process::run(&mut spin, folder, quick)?;
    if !translation.succeeded() || !folder.join("pan.c").exists() {
        return Ok(failed_translation(&translation));
    }
    let mut compiler = Command::new(&options.compiler[0]);
    compiler.current_dir(folder).args(&options.compiler[1..]);
    compiler.args(&options.pan_defines).args(["-o", "resy-pan", "pan.c"]);
    let compilation = process::run(&mut compiler, folder, quick)?;
    if !compilation.succeeded() {
        return Ok(SpinOutcome::NotCompiled(first_lines(&compilation.stderr)));
    }
    let flags: Vec<&str> = options.pan_flags.iter().map(String::as_str).collect();
    Ok(searched(&run_pan("resy-pan", folder, &flags, options.time_limit)?))
}

/// The depth that most searches stay below, and the logarithm of the table's size.
const SHALLOW: [&str; 2] = ["-m10000", "-w18"];

/// Runs a verifier with these flags.
///
/// Pan clears its stack and its table before it begins: with `-m3000000` and the usual table that
/// takes longer than most searches. So it first gets little of both, and what was asked for if it
/// says that the depth is too small. A search that is not cut off is the same with any depth, and
/// the table grows with the states.
pub fn run_pan(
    program: &str,
    folder: &Path,
    flags: &[&str],
    limit: Duration,
) -> io::Result<Output> {
    let pan = |flags: &[&str]| {
        let mut command = Command::new(folder.join(program));
        process::run(command.current_dir(folder).args(flags), folder, limit)
    };
    let others = flags.iter().copied().filter(|flag| !flag.starts_with("-m"));
    let has_table = flags.iter().any(|flag| flag.starts_with("-w"));
    let [depth, table] = SHALLOW;
    let small = others.chain([depth]).chain((!has_table).then_some(table));
    let output = pan(&small.collect::<Vec<_>>())?;
    let is_cut_off = output.all_text().contains("max search depth too small");
    if is_cut_off && flags.iter().any(|flag| flag.starts_with("-m")) {
        pan(flags)
    } else {
        Ok(output)
    }
}

fn failed_translation(output: &Output) -> SpinOutcome {
    match output.ending {
        Ending::TimedOut => SpinOutcome::TimedOut("spin -a"),
        Ending::Signal(n) => SpinOutcome::Crashed(format!("spin -a: signal {n}")),
        Ending::Exit(_) => SpinOutcome::Rejected(first_lines(&output.all_text())),
    }
}

fn searched(output: &Output) -> SpinOutcome {
    if let Some(line) = output.stdout.lines().find(|l| l.contains("unconditional self-loop")) {
        return SpinOutcome::SelfLoop(line.to_owned());
    }
    match output.ending {
        Ending::TimedOut => SpinOutcome::TimedOut("pan"),
        Ending::Signal(n) => SpinOutcome::Crashed(format!("pan: signal {n}")),
        Ending::Exit(code) => match parse_pan_output(&output.stdout) {
            Some(report) => SpinOutcome::Searched(report),
            None => {
                let text = first_lines(&output.all_text());
                SpinOutcome::Crashed(format!("pan: exit {code}: {text}"))
            }
        },
    }
}

fn first_lines(text: &str) -> String {
    let useful = text.lines().map(str::trim).filter(|l| !l.is_empty());
    useful.take(4).collect::<Vec<_>>().join(" | ")
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&s| s.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(model: &str) -> SpinOutcome {
        run_text(model, &SpinOptions::for_small_programs()).expect("spin is installed")
    }

    #[test]
    fn three_skips_have_five_states() {
        let SpinOutcome::Searched(report) = small("active proctype P() { skip; skip; skip }")
        else {
            panic!("not searched");
        };
        assert_eq!((report.states, report.transitions, report.errors), (5, 5, 0));
        assert!(report.counts_are_complete());
    }

    #[test]
    fn refusals_are_told_apart() {
        let undeclared = small("active proctype P() { x = 1 }");
        assert!(matches!(undeclared, SpinOutcome::Rejected(_)), "{undeclared:?}");
        let self_loop = small("active proctype P() { do :: skip od }");
        assert!(matches!(self_loop, SpinOutcome::SelfLoop(_)), "{self_loop:?}");
        let no_compiler = SpinOptions { compiler: strings(&["false"]), ..SpinOptions::default() };
        let text = "active proctype P() { skip }";
        let clash = run_text(text, &no_compiler).expect("spin is installed");
        assert!(matches!(clash, SpinOutcome::NotCompiled(_)), "{clash:?}");
    }

    #[test]
    fn a_blocked_d_step_is_fatal() {
        let SpinOutcome::Searched(report) =
            small("byte x; active proctype P() { d_step { x = 1; x == 2 } }")
        else {
            panic!("not searched");
        };
        assert!(report.is_fatal());
        assert_eq!(report.kinds(), [Kind::BlockedDStep].into());
    }
}
