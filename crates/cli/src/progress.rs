//! How far a command is: one line on a terminal, a line of JSON for programs, or nothing.

use crate::args::{Common, ProgressFormat};
use crate::memory;
use resy_compose::{fold, refine};
use resy_engine::search;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines are not closer together than this: nobody reads faster.
const PERIOD: Duration = Duration::from_millis(200);

/// Says how far a command is, to whom it may concern. Several threads may tell.
pub struct Meter {
    shown: Shown,
    start: Instant,
    said: Mutex<Said>,
}

/// When something was said last, and about what so far.
#[derive(Default)]
struct Said {
    last: Option<Instant>,
    about: Vec<&'static str>,
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
        Self { shown, start: Instant::now(), said: Mutex::default() }
    }

    /// Says how far a search is. The search sees to it that this is not too often.
    pub fn search(&self, progress: &search::Progress) {
        self.write(|elapsed| searched(progress, elapsed));
    }

    /// Says how far a refinement is, now and then. `size` gives the number of states of the
    /// requirement so far; it is asked only if somebody wants to know.
    pub fn refinement(
        &self,
        progress: &refine::RefineProgress,
        size: impl FnOnce() -> Option<usize>,
    ) {
        self.tell("refinement", |elapsed| refined(progress, size(), elapsed));
    }

    /// Says how far folding is, now and then.
    pub fn folding(&self, progress: &fold::FoldProgress) {
        let &fold::FoldProgress { n_clusters, n_states } = progress;
        self.tell("folding", |elapsed| {
            let text = format!("folding, {n_clusters} clusters, largest product {n_states} states");
            counted("folding", elapsed, text, json!({ "clusters": n_clusters, "states": n_states }))
        });
    }

    /// Says how many local states components have so far, now and then.
    pub fn components(&self, n_states: usize) {
        self.tell("components", |elapsed| {
            let text = format!("components, {n_states} local states");
            counted("components", elapsed, text, json!({ "states": n_states }))
        });
    }

    /// Says how many states of a product of automata have been found, now and then.
    pub fn product(&self, n_states: usize) {
        self.tell("product", |elapsed| {
            let text = format!("product, {n_states} states");
            counted("product", elapsed, text, json!({ "states": n_states }))
        });
    }

    /// Says how much may still be done to make requirements better, now and then.
    pub fn improvement(&self, left: usize) {
        self.tell("improvement", |elapsed| {
            let text = format!("requirements, {left} steps left");
            counted("improvement", elapsed, text, json!({ "left": left }))
        });
    }

    /// Says something beside the line.
    pub fn note(&self, words: &str) {
        if self.shown == Shown::Line {
            eprintln!("\r\x1b[K{words}");
        }
    }

    /// Takes the line away.
    pub fn done(&self) {
        if self.shown == Shown::Line {
            eprint!("\r\x1b[K");
        }
    }

    /// Says something if it is time, or if nothing was said about this before.
    fn tell(&self, about: &'static str, line: impl FnOnce(f64) -> Line) {
        if self.shown != Shown::Nothing && self.is_due(about) {
            self.write(line);
        }
    }

    fn is_due(&self, about: &'static str) -> bool {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = said.about.contains(&about);
        if is_known && said.last.is_some_and(|last| last.elapsed() < PERIOD) {
            return false;
        }
        said.last = Some(Instant::now());
        if !is_known {
            said.about.push(about);
        }
        true
    }

    fn write(&self, line: impl FnOnce(f64) -> Line) {
        if self.shown == Shown::Nothing {
            return;
        }
        let line = line(self.start.elapsed().as_secs_f64());
        let mut stderr = std::io::stderr().lock();
        // Who has closed standard error does not want to know.
        let _ = match self.shown {
            Shown::Json => writeln!(stderr, "{}", line.json),
            _ => write!(stderr, "\r{} \x1b[K", line.text).and_then(|()| stderr.flush()),
        };
    }
}

fn searched(progress: &search::Progress, elapsed: f64) -> Line {
    let &search::Progress { states, waiting, transitions, depth, memory, .. } = progress;
    let rate = states as f64 / progress.elapsed.as_secs_f64().max(1e-6);
    let text = format!(
        "{elapsed:.1} s: {states} states ({:.2} M/s), {waiting} waiting, depth {depth}, {} MB",
        rate / 1e6,
        memory >> 20,
    );
    let json = json!({
        "progress": "search", "elapsed": elapsed, "states": states, "states_per_second": rate,
        "transitions": transitions, "frontier": waiting, "depth": depth, "bytes": memory,
    });
    Line { text, json }
}

fn refined(progress: &refine::RefineProgress, size: Option<usize>, elapsed: f64) -> Line {
    let &refine::RefineProgress { steps, n_classes, n_contexts } = progress;
    let bytes = memory::peak();
    let mut text =
        format!("{elapsed:.1} s: refinement {steps}, {n_classes} classes, {n_contexts} contexts");
    if let Some(size) = size {
        text += &format!(", requirement {size} states");
    }
    text += &format!(", {} MB", bytes >> 20);
    let json = json!({
        "progress": "refinement", "elapsed": elapsed, "steps": steps, "classes": n_classes,
        "contexts": n_contexts, "requirement": size, "bytes": bytes,
    });
    Line { text, json }
}

/// A line with some counts, and with the memory of the process.
fn counted(about: &str, elapsed: f64, text: String, counts: Value) -> Line {
    let bytes = memory::peak();
    let mut json = json!({ "progress": about, "elapsed": elapsed, "bytes": bytes });
    if let (Some(line), Value::Object(counts)) = (json.as_object_mut(), counts) {
        line.extend(counts);
    }
    Line { text: format!("{elapsed:.1} s: {text}, {} MB", bytes >> 20), json }
}
