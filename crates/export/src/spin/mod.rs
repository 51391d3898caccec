//! Running the real spin: a program becomes `pan.c`, that a verifier, and that prints what it found.
//!
//! Spin leaves a `pan.c` behind also when it refuses a program, so that every run has a new folder
//! of its own, and the exit status of every step is looked at.

mod child;
mod flags;
mod folder;
mod pan_report;
mod trail;

pub use child::Stop;
pub use flags::{Flags, PanSearch};
pub use folder::Folder;
pub use pan_report::PanReport;
pub use trail::{Trail, TrailError, TrailLine};

use child::{ChildEnding, ChildOutput};
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The name of the program's file in its folder.
const MODEL: &str = "model.pml";

/// What came of a run.
#[derive(Clone, Debug)]
pub struct SpinRun {
    /// What the verifier has found.
    pub report: PanReport,
    /// The trail of a violation.
    pub trail: Option<String>,
    /// The time that spin took.
    pub generate: Duration,
    /// The time that the compiler took.
    pub compile: Duration,
    /// The time that the verifier took.
    pub search: Duration,
}

/// Why there is no result.
#[derive(Debug)]
pub enum SpinFailure {
    /// A program is not installed.
    Missing(&'static str),
    /// A program did not do its work; what it says.
    Failed(&'static str, String),
    /// It was told to stop.
    Stopped,
    /// Files cannot be written or read.
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

/// Lets spin verify a program in a folder. Of a variable that is never read spin makes one of C's,
/// which may have the name of a function there (`alarm`, `done`); if `pan.c` is not compiled, spin
/// is asked again not to do that. `stop` is asked all the time; a verifier that is told to
/// stop still says how far it came.
pub fn verify(
    folder: &Path,
    program: &str,
    flags: &Flags,
    stop: Stop<'_>,
) -> Result<SpinRun, SpinFailure> {
    // Spin needs a compiler too, to preprocess: it would fail with a worse message.
    if let Some(missing) = ["spin", "cc"].into_iter().find(|tool| !is_installed(tool)) {
        return Err(SpinFailure::Missing(missing));
    }
    std::fs::write(folder.join(MODEL), program)?;
    match verify_once(folder, flags, stop) {
        Err(SpinFailure::Failed("cc", _)) => {
            let mut flags = flags.clone();
            flags.spin.push("-o2".to_owned());
            verify_once(folder, &flags, stop)
        }
        result => result,
    }
}

fn verify_once(folder: &Path, flags: &Flags, stop: Stop<'_>) -> Result<SpinRun, SpinFailure> {
    // What an earlier attempt has left must not pass for ours.
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
    let report = match (searched.ending, PanReport::parse(&searched.stdout)) {
        (ChildEnding::Exit(_), Some(report)) => report,
        // Told to stop, it has nothing to say.
        (ChildEnding::Stopped, None) => return Err(SpinFailure::Stopped),
        (ChildEnding::Stopped, Some(report)) => PanReport { complete: false, ..report },
        _ => return Err(searched.failed("pan")),
    };
    let trail = std::fs::read_to_string(folder.join(format!("{MODEL}.trail"))).ok();
    Ok(SpinRun {
        report,
        trail,
        generate: generated.elapsed,
        compile: compiled.elapsed,
        search: searched.elapsed,
    })
}

/// Whether a program of that name is on the path.
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
