//! Trail files, and running the real spin: a program is translated to `pan.c` and compiled, and the
//! verifier's output is parsed.
//!
//! Spin leaves a `pan.c` behind even if it rejects a program. Therefore every run has a new folder, and
//! the exit status of every process is checked.

mod child;
mod flags;
mod folder;
mod follow;
mod group;
mod handover;
mod trail;
mod verifier_report;

pub use child::ChildStop;
pub use flags::{Flags, PanSearch};
pub use folder::Folder;
pub use follow::{FollowedTrail, finish, followed_while, run_of};
pub use handover::{HandedOver, HandoverOptions, Sizes, Threshold, hand_over};
pub use trail::{Trail, TrailError, TrailLine};
pub use verifier_report::VerifierReport;

use child::{ChildEnding, ChildOutput};
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The name of the program's file in the folder.
const MODEL: &str = "model.pml";

/// What the verifier says if its counter of fairness is too small.
const MORE_FAIR: &str = "recompile with -DNFAIR=";

/// The result of a verification by spin.
#[derive(Clone, Debug)]
pub struct SpinRun {
    /// The parsed output of the verifier.
    pub report: VerifierReport,
    /// The trail of a violation.
    pub trail: Option<String>,
    /// The running time of spin.
    pub generate: Duration,
    /// The running time of the compiler.
    pub compile: Duration,
    /// The running time of the verifier.
    pub search: Duration,
}

/// The reason why there is no result.
#[derive(Debug)]
pub enum SpinFailure {
    /// A program is not installed.
    Missing(&'static str),
    /// A program failed; its output.
    Failed(&'static str, String),
    /// The run was stopped on request.
    Stopped,
    /// A file cannot be written or read.
    Io(std::io::Error),
}

impl fmt::Display for SpinFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(tool) => {
                let package = if *tool == "cc" { "gcc" } else { tool };
                write!(
                    f,
                    "`{tool}` is not installed; on Debian and Ubuntu, `apt install {package}`"
                )
            }
            Self::Failed(what, text) => write!(f, "{what} failed: {text}"),
            Self::Stopped => f.write_str("it was told to stop"),
            Self::Io(error) => write!(f, "files for spin cannot be written: {error}"),
        }
    }
}

impl std::error::Error for SpinFailure {}

impl From<std::io::Error> for SpinFailure {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Verifies a program with spin in a folder. Spin translates a variable that is never read to a C
/// variable of the same name, which may clash with a C function (`alarm`, `done`); if `pan.c` does not
/// compile, spin is run again with that optimisation disabled (`-o2`). With more processes than its counter of fairness counts, it
/// is compiled again with a larger one. `stop` is polled throughout; a
/// stopped verifier still reports its partial results.
pub fn verify(
    folder: &Path,
    program: &str,
    flags: &Flags,
    stop: ChildStop<'_>,
) -> Result<SpinRun, SpinFailure> {
    // Spin also needs the compiler, as its preprocessor, and would fail with a worse message.
    if let Some(missing) = ["spin", "cc"].into_iter().find(|tool| !is_installed(tool)) {
        return Err(SpinFailure::Missing(missing));
    }
    std::fs::write(folder.join(MODEL), program)?;
    let mut flags = flags.clone();
    loop {
        match verify_once(folder, &flags, stop) {
            Ok(Some(run)) => return Ok(run),
            Ok(None) if flags.count_more() => {}
            Ok(None) => {
                let why = "there are too many processes for its counter of fairness".to_owned();
                return Err(SpinFailure::Failed("pan", why));
            }
            Err(SpinFailure::Failed("cc", _)) if !flags.spin.iter().any(|flag| flag == "-o2") => {
                flags.spin.push("-o2".to_owned());
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// `None` if there are more processes than the verifier's counter of fairness has room for.
fn verify_once(
    folder: &Path,
    flags: &Flags,
    stop: ChildStop<'_>,
) -> Result<Option<SpinRun>, SpinFailure> {
    // Files of an earlier attempt must not be mistaken for those of this one.
    for left in ["pan.c", "pan"] {
        match std::fs::remove_file(folder.join(left)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let mut spin = Command::new("spin");
    spin.arg("-a").args(&flags.spin).arg(MODEL);
    let generated = child::run(&mut spin, "spin", folder, stop)?;
    if generated.ending != ChildEnding::Exit(0) || !folder.join("pan.c").exists() {
        return Err(generated.failed("spin -a"));
    }
    let mut compiler = Command::new("cc");
    compiler.args(&flags.compiler).args(["-o", "pan", "pan.c"]);
    let compiled = child::run(&mut compiler, "cc", folder, stop)?;
    if compiled.ending != ChildEnding::Exit(0) {
        return Err(compiled.failed("cc"));
    }
    let mut pan = Command::new(folder.join("pan"));
    pan.args(&flags.verifier);
    let searched = child::run(&mut pan, "pan", folder, stop)?;
    if searched.stdout.contains(MORE_FAIR) || searched.stderr.contains(MORE_FAIR) {
        return Ok(None);
    }
    let report = match (searched.ending, VerifierReport::parse(&searched.stdout)) {
        (ChildEnding::Exit(_), Some(report)) => report,
        // The verifier was stopped before it printed its results.
        (ChildEnding::Stopped, None) => return Err(SpinFailure::Stopped),
        (ChildEnding::Stopped, Some(report)) => VerifierReport { complete: false, ..report },
        _ => return Err(searched.failed("pan")),
    };
    let trail = std::fs::read_to_string(folder.join(format!("{MODEL}.trail"))).ok();
    let (generate, compile, search) = (generated.elapsed, compiled.elapsed, searched.elapsed);
    Ok(Some(SpinRun { report, trail, generate, compile, search }))
}

/// Whether a program with this name is on the path.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl ChildOutput {
    fn failed(&self, what: &'static str) -> SpinFailure {
        match self.ending {
            ChildEnding::Stopped => SpinFailure::Stopped,
            ChildEnding::Signal(number) => SpinFailure::Failed(what, format!("signal {number}")),
            ChildEnding::Exit(_) => {
                let text = format!("{}{}", self.stdout, self.stderr);
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                SpinFailure::Failed(what, lines.take(4).collect::<Vec<_>>().join(" | "))
            }
        }
    }
}
