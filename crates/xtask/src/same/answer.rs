//! The answer of a build to a question as one JSON value, and the differences of two answers.

use super::question::{ComparedModel, KILL_AFTER, Question};
use crate::args::TaskFailure;
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Keys of measurements, which differ from run to run.
const MEASURED: &[&str] = &["seconds", "elapsed", "peak_bytes"];
/// Parts of the reason of an `unknown` at the time limit.
const OUT_OF_TIME: &[&str] = &["time limit", "time or memory ran out"];
/// The number of runs of each build before a difference counts.
const N_RUNS: usize = 4;

/// Whether repeated runs were needed.
pub enum Answers {
    /// The first answers of both builds are equal.
    Complete,
    /// A later answer of one build is equal to one of the other.
    Varying,
}

/// The result of a comparison.
pub enum Outcome {
    /// Both builds give the same answer.
    Equal(Answers),
    /// A time limit ended a run of each.
    Stopped,
    /// No answers of the two are equal.
    Different(Vec<Difference>),
}

/// A key with two values.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the key, for instance `out.stats.states`.
    pub key: String,
    old: String,
    new: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} → {}", self.key, self.old, self.new)
    }
}

/// Asks both builds until one repeats an answer of the other, at most `N_RUNS` times.
pub fn compare(
    builds: &[PathBuf; 2],
    model: &ComparedModel,
    question: &Question,
    scratch: &Scratch,
) -> Result<Outcome, TaskFailure> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for run in 0..N_RUNS {
        old.push(ask(&builds[0], model, question, scratch, run)?);
        new.push(ask(&builds[1], model, question, scratch, run)?);
        if old.iter().any(|answer| new.contains(answer)) {
            let answers = if run == 0 { Answers::Complete } else { Answers::Varying };
            return Ok(Outcome::Equal(answers));
        }
        if old.iter().any(stopped) && new.iter().any(stopped) {
            return Ok(Outcome::Stopped);
        }
    }
    let mut differences = Vec::new();
    diff("", &old[0], &new[0], &mut differences);
    Ok(Outcome::Different(differences))
}

/// Exit code, output, messages and the written file of one run.
fn ask(
    resy: &Path,
    model: &ComparedModel,
    question: &Question,
    scratch: &Scratch,
    run: usize,
) -> Result<Value, TaskFailure> {
    let out = scratch.path().join("out");
    if out.exists() {
        std::fs::remove_file(&out)?;
    }
    let mut command = question.command(resy, model, &out, run);
    let output = process::run(&mut command, scratch.path(), KILL_AFTER)?;
    let mut stdout = serde_json::from_str(&output.stdout).unwrap_or_else(|_| lines(&output.stdout));
    remove_measured(&mut stdout);
    let written = std::fs::read_to_string(&out).map_or(Value::Null, |text| lines(&text));
    Ok(json!({
        "ending": format!("{:?}", output.ending),
        "out": stdout,
        "messages": lines(&output.stderr),
        "file": written,
    }))
}

fn lines(text: &str) -> Value {
    text.lines().map(|line| Value::from(line.trim_end())).collect()
}

fn remove_measured(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| !MEASURED.contains(&key.as_str()));
            members.values_mut().for_each(remove_measured);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_measured),
        _ => {}
    }
}

/// Whether a synthesis was interrupted, or a reason or a message names the time limit.
fn stopped(answer: &Value) -> bool {
    if answer["ending"] == "TimedOut" || answer["out"]["interrupted"] == true {
        return true;
    }
    let properties = answer["out"]["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let reasons = properties.iter().map(|property| &property["reason"]);
    let messages = answer["messages"].as_array().map_or(&[][..], Vec::as_slice);
    reasons
        .chain([&answer["out"]["reason"]])
        .chain(messages)
        .filter_map(Value::as_str)
        .any(|text| OUT_OF_TIME.iter().any(|words| text.contains(words)))
}

/// Appends the keys whose values differ. Of a list whose length differs, only the first item is shown.
fn diff(key: &str, old: &Value, new: &Value, differences: &mut Vec<Difference>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let path = join(key, name);
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => diff(&path, a, b, differences),
                    (a, b) => {
                        let [old, new] = [a, b].map(|v| v.map_or("missing".to_owned(), short));
                        differences.push(Difference { key: path, old, new });
                    }
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() == b.len() && !a.iter().all(Value::is_string) {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    diff(&format!("{key}[{index}]"), a, b, differences);
                }
                return;
            }
            let first = a.iter().zip(b).position(|(a, b)| a != b);
            let first = first.unwrap_or_else(|| a.len().min(b.len()));
            let item = |list: &[Value]| list.get(first).map_or("(end)".to_owned(), short);
            let key = format!("{key}[{first}]");
            differences.push(Difference { key, old: item(a), new: item(b) });
        }
        _ => differences.push(Difference { key: key.to_owned(), old: short(old), new: short(new) }),
    }
}

fn join(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }
}

fn short(value: &Value) -> String {
    const MAX: usize = 160;
    let text = value.to_string();
    if text.chars().count() <= MAX {
        return text;
    }
    text.chars().take(MAX).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_their_keys() {
        let mut old = json!({"stats": {"states": 3, "seconds": 1.5}, "list": [{"a": 1}, {"a": 2}]});
        let mut new = json!({"stats": {"states": 4, "seconds": 2.5}, "list": [{"a": 1}, {"b": 2}]});
        remove_measured(&mut old);
        remove_measured(&mut new);
        let mut differences = Vec::new();
        diff("", &old, &new, &mut differences);
        let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
        let expected = ["list[1].a: 2 → missing", "list[1].b: missing → 2", "stats.states: 3 → 4"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn the_first_different_line_of_a_text_is_shown() {
        let mut differences = Vec::new();
        diff("file", &lines("a\nb\nc"), &lines("a\nx\ny"), &mut differences);
        let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["file[1]: \"b\" → \"x\""]);
    }
}
