//! A child process that answers expressions, one at a time, within a time limit.

use super::read::SExpr;
use resy_index::Interest;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long to wait between two questions whether the answer is still wanted.
const SLICE: Duration = Duration::from_millis(20);

/// A running solver. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct SolverChild {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl SolverChild {
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::other("an empty command"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if !line.is_ok_and(|line| sender.send(line).is_ok()) {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Sends commands that have no answer.
    pub(super) fn send(&mut self, text: &str) -> Result<(), String> {
        self.input
            .write_all(text.as_bytes())
            .map_err(|error| format!("it cannot be asked: {error}"))
    }

    /// Sends a command and reads its answer.
    pub(super) fn ask(
        &mut self,
        text: &str,
        limit: Duration,
        interest: &Interest,
    ) -> Result<SExpr, String> {
        self.send(text)?;
        self.input.flush().map_err(|error| format!("it cannot be asked: {error}"))?;
        let end = Instant::now() + limit;
        let mut answer = String::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err("no answer within the limit of a query".to_owned());
                }
                // An interest asks its owner once in 256 times, so that asking is cheap elsewhere.
                Err(RecvTimeoutError::Timeout) if !(0..256).all(|_| interest.lasts()) => {
                    return Err("cancelled".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err("it has ended".to_owned()),
            }
            if let Some(whole) = SExpr::parse(&answer) {
                return Ok(whole);
            }
        }
    }
}

impl Drop for SolverChild {
    fn drop(&mut self) {
        // It may have ended already; there is nothing to do about other errors.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
