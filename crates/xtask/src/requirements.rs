//! The time of `assume` for every process of every model, compared with the search of all states.
//!
//! Models that the search enumerates within a number of states, and that hold, are asked for the requirement
//! of each process, by default and with `--canonical`. Times are processor times of the whole command,
//! medians of several runs, so that the load of the machine counts little. Their resolution is 10 ms.

use crate::args::{TaskArgs, TaskFailure};
use crate::campaign::processor_time;
use crate::models::find;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Models with more states are left out.
const MAX_STATES: u64 = 1_000_000;
/// How often the time of the search a requirement may take, and how many seconds beyond that.
const FACTOR: f64 = 10.0;
const SLACK: f64 = 0.05;

/// The requirement of one process.
struct Row {
    model: PathBuf,
    module: String,
    search: f64,
    assume: f64,
    verdict: String,
    quality: String,
    states: u64,
    /// The states of the canonical requirement, if it was found.
    canonical: Option<u64>,
}

impl Row {
    /// Why it is an exception; `None` if it is none.
    fn exception(&self) -> Option<String> {
        if self.verdict != "holds" {
            return Some(self.verdict.clone());
        }
        let allowed = FACTOR * self.search + SLACK;
        (self.assume > allowed).then(|| format!("{:.2} s, allowed {allowed:.2} s", self.assume))
    }
}

/// The task `requirements`; true if there is no exception.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let (resy, runs) = (args.resy(), args.number("runs", 3)?);
    let asked = Asked {
        resy: &resy,
        runs,
        limit: args.number("limit", 20)?,
        processes: args.number("count", usize::MAX)?,
    };
    let paths = match args.positional() {
        [] => vec!["models".to_owned()],
        paths => paths.to_vec(),
    };
    let (mut rows, mut left_out) = (Vec::new(), BTreeMap::<String, usize>::new());
    for model in find(&paths)? {
        match of_model(&asked, &model)? {
            Ok(found) => rows.extend(found),
            Err(why) => *left_out.entry(why).or_default() += 1,
        }
        eprintln!("{} requirements, {}", rows.len(), model.display());
    }
    let text = report(&rows, &left_out);
    print!("{text}");
    if let Some(out) = args.path("out") {
        std::fs::write(out, &text)?;
    }
    Ok(rows.iter().all(|row| row.exception().is_none()))
}

/// What is measured, and how often.
struct Asked<'a> {
    resy: &'a Path,
    runs: usize,
    /// Seconds for each command.
    limit: u64,
    /// The most processes of a model.
    processes: usize,
}

/// The requirements of all processes of a model, or why it is left out.
fn of_model(asked: &Asked<'_>, model: &Path) -> Result<Result<Vec<Row>, String>, TaskFailure> {
    let &Asked { resy, runs, limit, processes } = asked;
    let check = ["check", "--engine", "monolithic", "--without", "end-states", "--threads", "1"];
    let (search, found) = timed(resy, model, &check, runs, limit)?;
    let states = found["stats"]["states"].as_u64().unwrap_or(u64::MAX);
    match found["verdict"].as_str() {
        Some("holds") if states <= MAX_STATES => {}
        Some("holds") => return Ok(Err("more states than the search should have".to_owned())),
        Some("fails") => return Ok(Err("the property fails".to_owned())),
        Some("error") => return Ok(Err("the model is refused".to_owned())),
        _ => return Ok(Err("the search does not decide it".to_owned())),
    }
    let (_, all) = timed(resy, model, &["assume", "--all"], 1, limit)?;
    let Some(all) = all["requirements"].as_array().filter(|all| !all.is_empty()) else {
        return Ok(Err(why_none(&all).to_owned()));
    };
    let mut rows = Vec::new();
    let modules = all.iter().filter_map(|found| found["module"][0].as_str());
    for module in modules.take(processes) {
        let (assume, found) = timed(resy, model, &["assume", "--module", module], runs, limit)?;
        let asked = ["assume", "--canonical", "--module", module];
        let (_, canonical) = timed(resy, model, &asked, 1, limit)?;
        let is_canonical = canonical["canonical"] == Value::Bool(true);
        let word = |name: &str| found[name].as_str().unwrap_or("no answer").to_owned();
        let n_states = |found: &Value| found["requirement_states"].as_u64().unwrap_or(0);
        rows.push(Row {
            model: model.to_owned(),
            module: module.to_owned(),
            search,
            assume,
            verdict: word("verdict"),
            quality: word("quality"),
            states: n_states(&found),
            canonical: is_canonical.then(|| n_states(&canonical)),
        });
    }
    Ok(Ok(rows))
}

/// Why `assume --all` has found nothing.
fn why_none(all: &Value) -> &'static str {
    let notes = all["diagnostics"].as_array().into_iter().flatten();
    let mut texts = notes.filter_map(|note| note["message"].as_str());
    match all["reason"].as_str() {
        Some(why) if why.contains("may have no value") => "a condition may have no value",
        Some(_) => "no network",
        None if texts.any(|text| text.contains("infinitely often")) => "no finite property",
        None => "one process has no environment",
    }
}

/// The median processor time of a command, in seconds, and its answer.
fn timed(
    resy: &Path,
    model: &Path,
    words: &[&str],
    runs: usize,
    limit: u64,
) -> Result<(f64, Value), TaskFailure> {
    let (mut times, mut answer) = (Vec::new(), Value::Null);
    for _ in 0..runs.max(1) {
        let before = processor_time();
        let mut command = Command::new(resy);
        command.args(words).args(["--json", "-q", "--timeout"]);
        command.arg(limit.to_string()).arg(model).stderr(Stdio::null());
        let output = command.output()?;
        times.push((processor_time() - before).as_secs_f64());
        answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], answer))
}

fn report(rows: &[Row], left_out: &BTreeMap<String, usize>) -> String {
    let n_models = rows.chunk_by(|a, b| a.model == b.model).count();
    let count = |is_one: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is_one(row)).count();
    let mut text = String::new();
    let _ = writeln!(text, "{n_models} models, {} processes\n", rows.len());
    let _ = writeln!(text, "| | processes |\n|---|---|");
    for quality in ["smallest", "irreducible", "proved", "undecided"] {
        let _ = writeln!(text, "| {quality} | {} |", count(&|row| row.quality == quality));
    }
    let with = |is_one: fn(u64, u64) -> bool| {
        count(&|row| row.canonical.is_some_and(|canonical| is_one(row.states, canonical)))
    };
    let _ = writeln!(text, "| as many states as the canonical one | {} |", with(|a, b| a == b));
    let _ = writeln!(text, "| fewer | {} |", with(|a, b| a < b));
    let _ = writeln!(text, "| more | {} |", with(|a, b| a > b));
    let unknown = count(&|row| row.canonical.is_none());
    let _ = writeln!(text, "| the canonical one was not found | {unknown} |");
    let _ = writeln!(text, "\n| model left out because | models |\n|---|---|");
    left_out.iter().for_each(|(why, n)| _ = writeln!(text, "| {why} | {n} |"));
    let exceptions: Vec<&Row> = rows.iter().filter(|row| row.exception().is_some()).collect();
    let _ = writeln!(text, "\n{} exceptions:\n", exceptions.len());
    for row in exceptions {
        let (why, model) = (row.exception().unwrap_or_default(), row.model.display());
        let _ = writeln!(text, "- `{model}`, `{}`: {why} (search {:.2} s)", row.module, row.search);
    }
    text
}
