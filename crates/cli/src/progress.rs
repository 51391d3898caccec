//! How far a command is: one line on a terminal, a line of JSON for programs, or nothing.

use crate::args::{Common, ProgressFormat};
use crate::{print, tell};
use resy::control::{Message, Observer, Stage, memory};
use resy::quote_lines;
use resy_export::results::Remark;
use resy_export::run::Level;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Clears the line of a terminal.
const CLEAR: &str = "\r\x1b[K";
/// The least time between two lines.
const PERIOD: Duration = Duration::from_millis(200);

/// Shows how far a command is. Several threads may tell it.
pub struct Meter {
    shown: Shown,
    /// Whether notes are shown, progress or not.
    notes: bool,
    start: Instant,
    told: Mutex<Told>,
}

/// When a line was shown last, and which stages had one so far.
#[derive(Default)]
struct Told {
    last: Option<Instant>,
    stages: Vec<Stage>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Shown {
    Nothing,
    Line,
    Json,
}

/// A line as a person and as a program reads it.
struct Line {
    text: String,
    json: Value,
}

impl Meter {
    /// For a command that begins now: on a terminal, or for programs if that is asked for.
    pub fn of(common: &Common) -> Self {
        let quiet = common.no_progress || common.quiet || !std::io::stderr().is_terminal();
        let shown = match common.progress {
            ProgressFormat::Json => Shown::Json,
            ProgressFormat::Auto if quiet => Shown::Nothing,
            ProgressFormat::Auto => Shown::Line,
        };
        Self { shown, notes: !common.quiet, start: Instant::now(), told: Mutex::default() }
    }

    /// Shows something beside the line.
    fn note(&self, words: &str) {
        match self.shown {
            Shown::Line => print::styled(&format!("{CLEAR}{}\n", quote_lines(words))),
            Shown::Nothing | Shown::Json => eprintln!("{words}"),
        }
    }

    fn write(&self, line: &Line) {
        let mut stderr = std::io::stderr().lock();
        // If standard error is closed, there is nobody to show it to.
        let _ = match self.shown {
            Shown::Nothing => Ok(()),
            Shown::Json => writeln!(stderr, "{}", line.json),
            Shown::Line => write!(stderr, "\r{} \x1b[K", line.text).and_then(|()| stderr.flush()),
        };
    }
}

impl Observer for Meter {
    /// Whether a line is due, or the stage had none before.
    fn is_due(&self, stage: Stage) -> bool {
        if self.shown == Shown::Nothing {
            return false;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = told.stages.contains(&stage);
        if is_known && told.last.is_some_and(|last| last.elapsed() < PERIOD) {
            return false;
        }
        told.last = Some(Instant::now());
        if !is_known {
            told.stages.push(stage);
        }
        true
    }

    fn tell(&self, message: &Message<'_>) {
        match *message {
            Message::Note(words) if self.notes => {
                self.note(&format!("resy: {words}"));
                tell::record(vec![Remark::new(Level::Note, words)]);
            }
            Message::Note(_) => {}
            Message::Warning(words) => {
                self.note(&format!("resy: {words}"));
                tell::record(vec![Remark::new(Level::Warning, words)]);
            }
            Message::Decided { property, truth, how } => {
                if self.shown == Shown::Line {
                    self.note(&format!("{property} {} ({how})", truth.as_str()));
                }
            }
            Message::Done => {
                if self.shown == Shown::Line {
                    print::styled(CLEAR);
                }
            }
            _ if self.shown == Shown::Nothing => {}
            _ => self.write(&line(message, self.start.elapsed().as_secs_f64())),
        }
    }
}

/// The line of a message about progress.
fn line(message: &Message<'_>, elapsed: f64) -> Line {
    match *message {
        Message::Search(progress) => {
            let (states, memory) = (progress.states, progress.memory);
            let rate = states as f64 / progress.elapsed.as_secs_f64().max(1e-6);
            let text = format!(
                "{elapsed:.1} s: {states} states ({:.2} M/s), {} waiting, depth {}, {} MB",
                rate / 1e6,
                progress.waiting,
                progress.depth,
                memory >> 20,
            );
            let json = json!({
                "progress": "search", "elapsed": elapsed, "states": states,
                "states_per_second": rate, "transitions": progress.transitions,
                "frontier": progress.waiting, "depth": progress.depth, "bytes": memory,
            });
            Line { text, json }
        }
        Message::Refinement(progress, size) => {
            let (steps, classes, contexts) =
                (progress.steps, progress.n_classes, progress.n_contexts);
            let mut text = format!("refinement {steps}, {classes} classes, {contexts} contexts");
            if let Some(size) = size {
                text += &format!(", requirement {size} states");
            }
            let counts = json!({
                "steps": steps, "classes": classes, "contexts": contexts, "requirement": size,
            });
            counted("refinement", elapsed, &text, counts)
        }
        Message::Folding(progress) => {
            let (clusters, states) = (progress.n_clusters, progress.n_states);
            let text = format!("folding, {clusters} clusters, largest product {states} states");
            let counts = json!({ "clusters": clusters, "states": states });
            counted("folding", elapsed, &text, counts)
        }
        Message::Preparation => counted("preparation", elapsed, "preparing the model", json!({})),
        Message::Components(states) => {
            let text = format!("components, {states} local states");
            counted("components", elapsed, &text, json!({ "states": states }))
        }
        Message::Product { n_states, depth: None } => {
            let text = format!("product, {n_states} states");
            counted("product", elapsed, &text, json!({ "states": n_states }))
        }
        Message::Product { n_states, depth: Some(depth) } => {
            let text = format!("product, {n_states} states, depth {depth}");
            counted("product", elapsed, &text, json!({ "states": n_states, "depth": depth }))
        }
        Message::Improvement(left) => {
            let text = format!("requirements, {left} steps left");
            counted("improvement", elapsed, &text, json!({ "left": left }))
        }
        Message::Decided { .. } | Message::Note(_) | Message::Warning(_) | Message::Done => {
            counted("note", elapsed, "", json!({}))
        }
    }
}

/// A line with some counts, and with the memory of the process.
fn counted(about: &str, elapsed: f64, text: &str, counts: Value) -> Line {
    let bytes = memory::peak();
    let mut json = json!({ "progress": about, "elapsed": elapsed, "bytes": bytes });
    if let (Some(line), Value::Object(counts)) = (json.as_object_mut(), counts) {
        line.extend(counts);
    }
    Line { text: format!("{elapsed:.1} s: {text}, {} MB", bytes >> 20), json }
}
