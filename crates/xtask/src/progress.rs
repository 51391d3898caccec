//! A progress bar with an estimate of the remaining time; silent unless the output is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const WIDTH: usize = 30;

/// The work of a task, measured in expected seconds.
#[derive(Debug)]
pub struct ProgressBar {
    all: f64,
    done: f64,
    start: Instant,
    shown: bool,
}

impl ProgressBar {
    /// No work is done yet.
    pub fn new(all: f64) -> ProgressBar {
        let shown = std::io::stderr().is_terminal();
        ProgressBar { all, done: 0.0, start: Instant::now(), shown }
    }

    /// Shows the item that begins.
    pub fn show(&self, what: &str) {
        if self.shown {
            let line = line(self.done / self.all, self.start.elapsed(), what);
            eprint!("\r\x1b[2K{line}");
            let _ = std::io::stderr().flush();
        }
    }

    /// Counts an item as done.
    pub fn advance(&mut self, work: f64) {
        self.done += work;
    }
}

/// Clears the line for the output that follows.
impl Drop for ProgressBar {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[2K");
        }
    }
}

fn line(share: f64, elapsed: Duration, what: &str) -> String {
    let share = share.clamp(0.0, 1.0);
    let full = (share * WIDTH as f64) as usize;
    let bar = format!("{}{}", "█".repeat(full), "░".repeat(WIDTH - full));
    let left = match time_left(share, elapsed) {
        Some(left) => format!("{} left", minutes(left)),
        None => "…".to_owned(),
    };
    format!("{bar} {:>3.0} %  {}, {left}  {what}", share * 100.0, minutes(elapsed))
}

/// The remaining time, in proportion to the work. There is no estimate at the start.
fn time_left(share: f64, elapsed: Duration) -> Option<Duration> {
    (share >= 0.02).then(|| elapsed.mul_f64((1.0 - share) / share))
}

fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_in_proportion() {
        let elapsed = Duration::from_secs(60);
        assert_eq!(time_left(0.25, elapsed), Some(Duration::from_secs(180)));
        assert_eq!(time_left(1.0, elapsed), Some(Duration::ZERO));
        assert_eq!(time_left(0.0, elapsed), None);
    }

    #[test]
    fn a_line_says_how_much_is_done() {
        let half = line(0.5, Duration::from_secs(65), "SW 2/1/A check");
        assert!(half.contains(" 50 %  1:05, 1:05 left  SW 2/1/A check"), "{half}");
        assert_eq!(half.matches('█').count(), WIDTH / 2);
        assert!(line(1.7, Duration::ZERO, "").contains("100 %"));
        assert!(line(0.0, Duration::ZERO, "").contains('…'));
    }
}
