//! Checks and requirements, computed by processes of their own.
//!
//! A process gets the text as the editor has it: the file itself, if it is saved, else a copy in a
//! folder for temporary files. A change of the text ends it. Of a verdict the server keeps the words,
//! the time and whether the text has changed since.

use super::{Event, Server};
use crate::analysis::Document;
use crate::text::Encoding;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// The commands that a client may ask for.
pub(super) const COMMANDS: [&str; 4] = ["resy.check", "resy.assume", "resy.cancel", "resy.report"];

/// A check that took less is done again when the text is saved.
const QUICK: Duration = Duration::from_secs(1);

/// What a process is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Task {
    /// The verdict on one property, or on all.
    Check(Option<String>),
    /// What a process must guarantee.
    Assume(String),
}

/// A process that has ended.
pub(super) struct Finished {
    number: u64,
    output: Vec<u8>,
}

/// A verdict on a property.
#[derive(Clone, Debug)]
pub(super) struct KnownVerdict {
    pub word: String,
    pub reason: Option<String>,
    pub at: Instant,
    /// Whether the text has changed since.
    pub is_old: bool,
    /// Where the violation shows: a line of the document, from one.
    line: Option<usize>,
    n_steps: usize,
}

struct Running {
    uri: String,
    task: Task,
    child: Child,
    started: Instant,
    /// The copy of the text, if the file is not saved.
    copy: Option<PathBuf>,
    page: Option<PathBuf>,
}

/// The checks of all documents.
pub(super) struct Checks {
    program: PathBuf,
    events: Sender<Event>,
    running: BTreeMap<u64, Running>,
    n_started: u64,
    /// By document and property; the verdict on all properties has no name.
    verdicts: BTreeMap<(String, Option<String>), KnownVerdict>,
    /// What was asked of each document and answered quickly.
    quick: BTreeMap<String, Task>,
    /// The page of each task.
    pages: BTreeMap<(String, Task), PathBuf>,
    /// Whether checks write pages.
    pub with_reports: bool,
}

impl Checks {
    pub fn new(program: PathBuf, events: Sender<Event>) -> Self {
        Self {
            program,
            events,
            running: BTreeMap::new(),
            n_started: 0,
            verdicts: BTreeMap::new(),
            quick: BTreeMap::new(),
            pages: BTreeMap::new(),
            with_reports: false,
        }
    }

    /// The last verdict on a property of a document.
    pub fn verdict(&self, uri: &str, property: Option<&str>) -> Option<&KnownVerdict> {
        self.verdicts.get(&(uri.to_owned(), property.map(str::to_owned)))
    }

    /// Whether a task runs for a document.
    pub fn is_running(&self, uri: &str, task: &Task) -> bool {
        self.running.values().any(|r| r.uri == uri && r.task == *task)
    }

    /// The page that a task has written.
    pub fn page(&self, uri: &str, task: &Task) -> Option<&Path> {
        self.pages.get(&(uri.to_owned(), task.clone())).map(PathBuf::as_path)
    }

    /// Ends what runs for a document; its verdicts are of an older text from now on. Whether that changes anything.
    pub fn text_changed(&mut self, uri: &str) -> bool {
        let ended = self.cancel(uri);
        let mut aged = false;
        for (_, verdict) in self.verdicts.iter_mut().filter(|((of, _), _)| of == uri) {
            aged |= !std::mem::replace(&mut verdict.is_old, true);
        }
        ended || aged
    }

    /// Ends what runs for a document.
    fn cancel(&mut self, uri: &str) -> bool {
        let numbers: Vec<u64> =
            self.running.iter().filter(|(_, r)| r.uri == uri).map(|(n, _)| *n).collect();
        for number in &numbers {
            self.running.remove(number).into_iter().for_each(end);
        }
        !numbers.is_empty()
    }

    pub fn cancel_all(&mut self) {
        std::mem::take(&mut self.running).into_values().for_each(end);
        for page in std::mem::take(&mut self.pages).into_values() {
            // The folder of the page was made for it.
            let _ = page.parent().map(std::fs::remove_dir_all);
        }
    }

    pub fn forget(&mut self, uri: &str) {
        self.cancel(uri);
        self.verdicts.retain(|(of, _), _| of != uri);
        self.pages.retain(|(of, _), _| of != uri);
        self.quick.remove(uri);
    }

    /// Starts a process for a document.
    fn start(&mut self, document: &Document, task: Task) -> Result<(), String> {
        self.cancel(&document.uri);
        self.n_started += 1;
        let number = self.n_started;
        let folder = std::env::temp_dir().join(format!("resy-lsp-{}-{number}", std::process::id()));
        let file = Path::new(&document.name);
        let is_saved =
            std::fs::read(file).is_ok_and(|bytes| bytes == document.lines.text().as_bytes());
        let page = self.with_reports.then(|| folder.join("page.html"));
        if !is_saved || page.is_some() {
            std::fs::create_dir_all(&folder).map_err(|e| format!("no temporary folder: {e}"))?;
        }
        let copy = (!is_saved).then(|| folder.join(file.file_name().unwrap_or_default()));
        let mut command = Command::new(&self.program);
        match &task {
            Task::Check(property) => {
                command.args(["check", "--json", "--no-progress"]);
                match property {
                    Some(property) => command.args(["--property", property]),
                    // A violation does not leave the others open.
                    None => command.arg("--exhaustive"),
                };
                command.args(page.iter().flat_map(|p| [Path::new("--report"), p]));
            }
            Task::Assume(module) => {
                command.args(["assume", "--json", "--no-progress", "--module", module]);
                command.args(page.iter().flat_map(|p| [Path::new("-o"), p]));
            }
        }
        if let Some(copy) = &copy {
            let text = document.lines.text();
            std::fs::write(copy, text).map_err(|e| format!("no temporary file: {e}"))?;
            command.arg("-I").arg(file.parent().unwrap_or(Path::new(".")));
        }
        command.arg(copy.as_deref().unwrap_or(file));
        let spawned =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = spawned.map_err(|e| format!("cannot start the check: {e}"))?;
        if let Some(mut stdout) = child.stdout.take() {
            let events = self.events.clone();
            std::thread::spawn(move || {
                let mut output = Vec::new();
                // Output that cannot be read to its end is no JSON.
                let _ = stdout.read_to_end(&mut output);
                let _ = events.send(Event::Finished(Finished { number, output }));
            });
        }
        let (uri, started) = (document.uri.clone(), Instant::now());
        self.running.insert(number, Running { uri, task, child, started, copy, page });
        Ok(())
    }

    /// The violations that are known of the present text, as diagnostics.
    pub fn broken(&self, document: &Document, encoding: Encoding) -> Vec<Value> {
        let lines = &document.lines;
        let of_it = |((uri, name), v): (&(String, Option<String>), &KnownVerdict)| {
            let name = name.as_ref().filter(|_| *uri == document.uri && !v.is_old)?;
            let line = v.line.filter(|_| v.word == "fails")?.checked_sub(1)?;
            let start = lines.line_start(line);
            let end = lines.line_end(line);
            let text = lines.text().get(start..end)?;
            let start = start + text.len() - text.trim_start().len();
            let what = v.reason.as_deref().unwrap_or("is violated");
            Some(json!({
                "range": lines.range(start, end, encoding),
                "severity": 1,
                "code": name,
                "source": "resy check",
                "message": format!("{name}: {what}, after {} steps", v.n_steps),
            }))
        };
        self.verdicts.iter().filter_map(of_it).collect()
    }
}

/// Ends a process and removes its files.
fn end(mut running: Running) {
    // It may have ended by itself.
    let _ = running.child.kill();
    let _ = running.child.wait();
    remove(&running, true);
}

fn remove(running: &Running, with_page: bool) {
    let unused = running.page.as_ref().filter(|_| with_page);
    for file in running.copy.iter().chain(unused) {
        let _ = std::fs::remove_file(file);
        // The folder stays as long as the page is in it.
        let _ = file.parent().map(std::fs::remove_dir);
    }
}

impl Server {
    /// Does what a lens or the user asks for.
    pub(super) fn command(&mut self, params: &Value) -> Result<Value, String> {
        let command = params["command"].as_str().unwrap_or_default();
        let argument = |i: usize| params["arguments"][i].as_str();
        let uri = argument(0).unwrap_or_default().to_owned();
        let Some(document) = self.documents.get(&uri) else {
            return Err("the document is not open".to_owned());
        };
        let check = Task::Check(argument(1).map(str::to_owned));
        match command {
            "resy.check" => self.checks.start(document, check)?,
            "resy.assume" => {
                let module = argument(1).ok_or("which process?")?.to_owned();
                self.checks.start(document, Task::Assume(module))?;
            }
            "resy.cancel" => _ = self.checks.cancel(&uri),
            "resy.report" => match self.checks.page(&uri, &check) {
                Some(page) => self.show_page("Report", &uri, &page.display().to_string()),
                None => return Err("there is no report yet".to_owned()),
            },
            _ => return Err(format!("no command `{command}`")),
        }
        self.refresh();
        Ok(Value::Null)
    }

    fn show_page(&self, title: &str, uri: &str, path: &str) {
        let params = json!({ "title": title, "uri": uri, "path": path });
        self.notify("resy/view", params);
    }

    /// A text was saved: what was decided quickly is decided again.
    pub(super) fn saved(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let is_old = self.checks.verdicts.iter().any(|((of, _), v)| of == uri && v.is_old);
        if let Some(task) = self.checks.quick.get(uri).cloned().filter(|_| is_old) {
            // The user has not asked for it and is not told if it cannot start.
            let _ = self.checks.start(document, task);
            self.refresh();
        }
    }

    /// Verdicts get older.
    pub(super) fn age(&mut self) {
        if !self.checks.verdicts.is_empty() && self.wishes.refreshes_inlays {
            self.refresh();
        }
    }

    /// A process has ended, by itself or because the text has changed.
    pub(super) fn finished(&mut self, Finished { number, output }: Finished) {
        let Some(mut running) = self.checks.running.remove(&number) else { return };
        let _ = running.child.wait();
        let has_page = running.page.as_ref().is_some_and(|page| page.exists());
        remove(&running, !has_page);
        let key = (running.uri.clone(), running.task.clone());
        if let Some(page) = running.page.clone().filter(|_| has_page) {
            self.checks.pages.insert(key, page);
        }
        match serde_json::from_slice::<Value>(&output) {
            Ok(answer) => self.told(&running, &answer),
            Err(_) => self.complain("the check has ended without an answer"),
        }
        self.refresh();
        self.publish(&running.uri);
    }

    fn complain(&self, message: &str) {
        self.notify("window/showMessage", json!({ "type": 1, "message": message }));
    }

    fn told(&mut self, running: &Running, answer: &Value) {
        let verdict = answer["verdict"].as_str().unwrap_or("error");
        if verdict == "error" {
            let all = answer["diagnostics"].as_array().into_iter().flatten();
            let mut errors = all.filter(|d| d["severity"] == "error");
            let why =
                errors.next().and_then(|d| d["message"].as_str()).or(answer["reason"].as_str());
            return self.complain(why.unwrap_or("the text has errors"));
        }
        match &running.task {
            Task::Check(asked) => self.note_verdicts(running, asked.is_none(), answer),
            Task::Assume(module) => self.tell_requirement(running, module, answer),
        }
    }

    fn note_verdicts(&mut self, running: &Running, is_whole: bool, answer: &Value) {
        let (uri, at) = (&running.uri, Instant::now());
        let mut note = |name: Option<&str>, of: &Value| {
            let word = of["verdict"].as_str().unwrap_or("unknown").to_owned();
            let reason = of["reason"].as_str().map(str::to_owned);
            let steps = of["counterexample"]["steps"].as_array();
            let verdict = KnownVerdict {
                word,
                reason,
                at,
                is_old: false,
                line: line_of(&of["counterexample"]),
                n_steps: steps.map_or(0, Vec::len),
            };
            self.checks.verdicts.insert((uri.clone(), name.map(str::to_owned)), verdict);
        };
        for property in answer["properties"].as_array().into_iter().flatten() {
            note(property["name"].as_str(), property);
        }
        if is_whole {
            note(None, answer);
        }
        match running.started.elapsed() < QUICK {
            true => _ = self.checks.quick.insert(uri.clone(), running.task.clone()),
            false => _ = self.checks.quick.remove(uri),
        }
    }

    fn tell_requirement(&self, running: &Running, module: &str, answer: &Value) {
        let states = &answer["requirement_states"];
        let message = match answer["verdict"].as_str() {
            Some("holds") => format!("{module} must guarantee a requirement with {states} states"),
            Some("fails") => format!("the property fails, whatever {module} does"),
            _ => format!("a requirement of {module} with {states} states, without a proof yet"),
        };
        match self.checks.page(&running.uri, &running.task) {
            Some(page) => self.show_page(module, &running.uri, &page.display().to_string()),
            None => self.notify("window/showMessage", json!({ "type": 3, "message": message })),
        }
    }
}

/// The line where a run goes wrong: of the first process that is stuck, or of the last step.
fn line_of(counterexample: &Value) -> Option<usize> {
    let stuck = counterexample["stuck"][0]["location"].as_str();
    let last = counterexample["steps"].as_array().and_then(|steps| steps.last());
    let place = stuck.or_else(|| last.and_then(|step| step["location"].as_str()))?;
    place.rsplit_once(':').and_then(|(_, line)| line.parse().ok())
}
