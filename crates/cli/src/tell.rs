//! Messages to the user: on standard error for people, and again in the one JSON object for programs.
//!
//! Everything that is told is recorded, as everything that is told goes to the one standard error. So a
//! command with `--json` prints one object in any case: its answer, or the reason why there is none.

use crate::Exit;
use crate::print;
use resy::control::memory;
use resy_export::results::Remark;
use resy_export::run::{Level, SarifFinding};
use serde_json::{Value, json};
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was told so far.
static TOLD: Mutex<Told> = Mutex::new(Told { remarks: Vec::new(), is_answered: false });

struct Told {
    remarks: Vec<Remark>,
    /// Whether the answer of the command is printed, or another host prints it.
    is_answered: bool,
}

fn told() -> MutexGuard<'static, Told> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records remarks that were shown in another way.
pub fn record(remarks: Vec<Remark>) {
    told().remarks.extend(remarks);
}

/// Complains that the call or its input is wrong.
pub fn bad_input(message: impl Display) -> Exit {
    error(message);
    Exit::BadInput
}

/// Says why there is no answer.
pub fn out_of_reach(message: impl Display) -> Exit {
    error(message);
    Exit::Unknown
}

fn error(message: impl Display) {
    eprintln!("resy: {message}");
    record(vec![Remark::new(Level::Error, message.to_string())]);
}

/// Says that something is not as the user wants it; the command goes on.
pub fn warning(message: impl Display) {
    eprintln!("resy: warning: {message}");
    record(vec![Remark::new(Level::Warning, message.to_string())]);
}

/// Says what a reader of the answer should know.
pub fn note(message: impl Display) {
    eprintln!("resy: note: {message}");
    record(vec![Remark::new(Level::Note, message.to_string())]);
}

/// Says what became of a wish.
pub fn comment(message: impl Display) {
    eprintln!("resy: {message}");
    record(vec![Remark::new(Level::Note, message.to_string())]);
}

/// Prints the JSON object of a command, with everything that was told.
pub fn answer(mut object: Value) {
    let mut told = told();
    if let Some(object) = object.as_object_mut() {
        let remarks: Vec<Value> = told.remarks.iter().map(Remark::to_json).collect();
        object.insert("diagnostics".to_owned(), remarks.into());
    }
    told.is_answered = true;
    print::json(&object);
}

/// Another host prints the answer.
pub fn answered_elsewhere() {
    told().is_answered = true;
}

/// Prints the JSON object of a command that has no answer of its own.
pub fn no_answer(command: &str, file: Option<&str>, exit: Exit) {
    if told().is_answered {
        return;
    }
    let verdict = match exit {
        // What the contract of the command line calls it.
        Exit::Unknown if command == "assume" => "undecided",
        _ => exit.word(),
    };
    let remarks = told().remarks.clone();
    let reason = remarks.iter().rfind(|remark| remark.level == Level::Error);
    let reason = reason.map(|remark| remark.message.as_str());
    let mut object = json!({
        "schema": "resy/1", "command": command, "file": file, "verdict": verdict, "reason": reason,
    });
    if exit == Exit::Unknown {
        object["stats"] = json!({ "peak_bytes": memory::peak() });
    }
    if command == "check" {
        // Its readers ask for these in any case.
        object["complete"] = false.into();
        object["not_checked"] = json!([]);
        object["properties"] = json!([]);
    }
    answer(object);
}

/// What was told, for code scanning: about places in a text, and about the call.
pub fn findings() -> (Vec<SarifFinding>, Vec<(Level, String)>) {
    let told = told();
    let findings = told.remarks.iter().filter_map(Remark::to_finding);
    let others = told.remarks.iter().filter(|remark| remark.place.is_none());
    let others = others.map(|remark| (remark.level, remark.message.clone()));
    (findings.collect(), others.collect())
}
