//! A child process that can be stopped together with its own children.
//!
//! Spin and the compiler start further processes, so each child has its own process group. Output goes to
//! files, so that a child with much output neither blocks nor fills memory.

use super::SpinFailure;
use super::group::{self, Wish};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Tells whether a child must stop, given the time since its start.
pub type ChildStop<'a> = &'a dyn Fn(Duration) -> bool;

/// The time that a child has after SIGINT to print its partial results.
const GRACE: Duration = Duration::from_secs(3);

/// The number of bytes that are read from the beginning and from the end of a child's output.
const MOST: u64 = 1 << 20;

/// How a child ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ChildEnding {
    /// It exited with this status.
    Exit(i32),
    /// It was killed by a signal.
    Signal(i32),
    /// It was stopped on request.
    Stopped,
}

/// The result of a child process.
#[derive(Debug)]
pub struct ChildOutput {
    pub ending: ChildEnding,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

/// Runs a command in a folder until it ends or must stop.
pub fn run(
    command: &mut Command,
    tool: &'static str,
    folder: &Path,
    stop: ChildStop<'_>,
) -> Result<ChildOutput, SpinFailure> {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    command.current_dir(folder).stdin(Stdio::null());
    command.stdout(File::create(&out)?).stderr(File::create(&err)?);
    let start = Instant::now();
    let mut child = match group::own(command).spawn() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(SpinFailure::Missing(tool));
        }
        child => child?,
    };
    let ending = wait(&mut child, start, stop)?;
    let (stdout, stderr) = (read_ends(&out)?, read_ends(&err)?);
    Ok(ChildOutput { ending, stdout, stderr, elapsed: start.elapsed() })
}

/// Waits for the end of a child, or stops it: first with SIGINT, upon which a verifier prints its partial
/// results, then with SIGKILL.
fn wait(child: &mut Child, start: Instant, stop: ChildStop<'_>) -> io::Result<ChildEnding> {
    let mut nap = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ending_of(status));
        }
        if stop(start.elapsed()) {
            break;
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(20));
    }
    group::tell(child, Wish::Report);
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if child.try_wait()?.is_some() {
            return Ok(ChildEnding::Stopped);
        }
        std::thread::sleep(nap);
    }
    group::tell(child, Wish::End);
    child.wait()?;
    Ok(ChildEnding::Stopped)
}

fn ending_of(status: ExitStatus) -> ChildEnding {
    match status.code() {
        Some(code) => ChildEnding::Exit(code),
        None => ChildEnding::Signal(group::signal_of(status)),
    }
}

fn read_ends(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    (&mut file).take(MOST).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(length.saturating_sub(MOST).max(MOST)))?;
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
