//! Running a program under a time limit. The child gets its own process group
//! and the whole group is killed, because spin and the compilers start children.
//! Output goes to files, so a talkative child can neither block nor fill memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use wait4::Wait4;

/// What is kept of each stream: half from its start and half from its end, where
/// a verifier prints its counts after perhaps many messages.
const MAX_OUTPUT: u64 = 4 << 20;

/// Held for reading while a child is started.
static STARTING: RwLock<()> = RwLock::new(());

/// Announces the start of a child; to be dropped once it has been started.
///
/// Until a child executes its program it shares the open files of its parent, and with them the
/// file locks of every thread.
pub fn starting() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps children from being started in this process, for tests that take and release file locks.
pub fn no_starts() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

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

/// What a child needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// From just before its start to its end.
    pub wall: Duration,
    /// Processor time, of all its threads, in the program and in the kernel.
    pub cpu: Duration,
    /// The largest resident set in bytes, of itself and the children it waited for. The kernel
    /// starts to count at the fork, so it is at least the resident set of the caller.
    pub max_rss: u64,
}

/// What a child left behind.
#[derive(Debug, Clone)]
pub struct Output {
    /// How it ended.
    pub ending: Ending,
    /// What it needed.
    pub usage: Usage,
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
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let start = Instant::now();
    let guard = starting();
    let child = command
        .process_group(0)
        .spawn()
        .map_err(|e| io::Error::new(e.kind(), format!("{:?}: {e}", command.get_program())))?;
    drop(guard);
    let (ending, usage) = wait(child, start, limit)?;
    Ok(Output { ending, usage, stdout: read_ends(&out)?, stderr: read_ends(&err)? })
}

/// A second thread watches the clock, so that the end is seen at once and not at the next
/// look. The child stays a zombie until `wait4`, so the watchdog cannot hit a stranger.
fn wait(child: Child, start: Instant, limit: Duration) -> io::Result<(Ending, Usage)> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("not a process id"))?;
    let (ended, alarm) = mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let timed_out = alarm.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if timed_out {
            // It may have ended by itself in the meantime.
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
        timed_out
    });
    let waited = rustix::io::retry_on_intr(|| {
        rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
    });
    let wall = start.elapsed();
    drop(ended);
    let timed_out = watchdog.join().unwrap_or(false);
    waited?;
    let result = child.wait4()?;
    let ending = if timed_out { Ending::TimedOut } else { ending_of(result.status) };
    let used = result.rusage;
    Ok((ending, Usage { wall, cpu: used.utime + used.stime, max_rss: used.maxrss }))
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
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
    fn time_and_memory_are_those_of_the_child() -> io::Result<()> {
        let usage =
            shell("sleep 0.05; head -c 60000000 /dev/zero | tail -c 50000000 >&2", 20_000)?.usage;
        assert!(usage.wall >= Duration::from_millis(50) && usage.cpu > Duration::ZERO);
        assert!(usage.max_rss > 50_000_000, "{usage:?}");
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
