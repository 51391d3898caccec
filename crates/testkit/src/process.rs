//! Running a program under a time limit. The child gets its own process group
//! and the whole group is killed, because spin and the compilers start children.
//! Output goes to files, so a talkative child can neither block nor fill memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What is kept of each stream: half from its start and half from its end, where
/// a verifier prints its counts after perhaps many messages.
const MAX_OUTPUT: u64 = 4 << 20;

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It ended by itself with this exit code.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was killed at the time limit.
    TimedOut,
}

/// What a child left behind.
#[derive(Debug, Clone)]
pub struct Output {
    /// How it ended.
    pub ending: Ending,
    /// Its standard output, at most four megabytes of it.
    pub stdout: String,
    /// Its standard error, at most four megabytes of it.
    pub stderr: String,
}

impl Output {
    /// Whether the exit code was zero.
    pub fn succeeded(&self) -> bool {
        self.ending == Ending::Exit(0)
    }

    /// Both streams, for messages.
    pub fn all_text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs `command` for at most `limit`, with its streams stored in `folder`.
pub fn run(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Output> {
    let (out, err) = (folder.join(".stdout"), folder.join(".stderr"));
    let child = command
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .process_group(0)
        .spawn()
        .map_err(|e| io::Error::new(e.kind(), format!("{:?}: {e}", command.get_program())))?;
    let ending = wait(child, limit)?;
    Ok(Output { ending, stdout: read_ends(&out)?, stderr: read_ends(&err)? })
}

fn wait(mut child: Child, limit: Duration) -> io::Result<Ending> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(300);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ending_of(status));
        }
        if start.elapsed() > limit {
            kill_group(&child);
            child.wait()?;
            return Ok(Ending::TimedOut);
        }
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    }
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    }
}

fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended by itself in the meantime.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

fn read_ends(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    (&mut file).take(MAX_OUTPUT / 2).read_to_end(&mut bytes)?;
    let rest = length.saturating_sub(MAX_OUTPUT / 2);
    file.seek(SeekFrom::Start(rest.max(MAX_OUTPUT / 2)))?;
    file.take(MAX_OUTPUT / 2).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a program of that name is on the path.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn shell(script: &str, limit: u64) -> io::Result<Output> {
        let scratch = Scratch::new("process")?;
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, scratch.path(), Duration::from_millis(limit))
    }

    #[test]
    fn exit_code_and_streams() -> io::Result<()> {
        let output = shell("echo out; echo err >&2; exit 3", 5000)?;
        assert_eq!(output.ending, Ending::Exit(3));
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("out\n", "err\n"));
        Ok(())
    }

    #[test]
    fn the_end_of_long_output_is_kept() -> io::Result<()> {
        let output = shell("yes | head -c 9000000; echo the end", 20_000)?;
        assert!(output.stdout.starts_with("y\ny\n") && output.stdout.ends_with("the end\n"));
        assert_eq!(output.stdout.len() as u64, MAX_OUTPUT);
        Ok(())
    }

    #[test]
    fn the_time_limit_reaches_grandchildren() -> io::Result<()> {
        let start = Instant::now();
        let output = shell("sleep 30 & sleep 30", 100)?;
        assert_eq!(output.ending, Ending::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(10));
        Ok(())
    }
}
