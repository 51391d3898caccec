//! The modes in which a program is checked beside the plain search.

use super::end_state;
use super::{MODEL, ModeFinding, is_written};
use resy_testkit::process::{Ending, Output};
use resy_testkit::resy::{Resy, ResyReport, visits_all};
use serde_json::Value;
use std::io;
use std::path::Path;

/// A way to ask.
pub struct Mode {
    /// Its name.
    pub name: &'static str,
    /// What is compared.
    kind: ModeKind,
}

enum ModeKind {
    /// All states: every property is decided, with the same counts if the search is plain.
    Search { args: &'static [&'static str], is_plain: bool },
    /// Components: end states are out of reach, and anything else may be.
    Components { engine: &'static str },
    /// The violations are replayed by spin.
    Trails,
}

/// All modes.
pub const MODES: &[Mode] = &[
    Mode { name: "reduced", kind: search(&["--engine", "monolithic", "--threads", "1"], false) },
    Mode { name: "threads", kind: search(&["--plain", "--threads", "2", "--alone", "0"], true) },
    Mode { name: "auto", kind: search(&[], false) },
    Mode { name: "network", kind: ModeKind::Components { engine: "network" } },
    Mode { name: "requirement", kind: ModeKind::Components { engine: "requirement" } },
    Mode { name: "trail", kind: ModeKind::Trails },
];

const fn search(args: &'static [&'static str], is_plain: bool) -> ModeKind {
    ModeKind::Search { args, is_plain }
}

/// The time limit of components in seconds: what is decided is decided soon.
const COMPONENTS_LIMIT: &str = "3";

/// What is said of a call that had to be killed.
pub const NOT_ENDED: &str = "does not keep its time limit";

/// What every call says; the file is last.
const ASKED: &[&str] = &["check", "-q", "--json", "--exhaustive", "--no-claims"];

impl Mode {
    /// Checks the program of a folder, and compares the answer with that of the plain search.
    pub fn ask(&self, resy: &Resy, folder: &Path, plain: &ResyReport) -> io::Result<ModeFinding> {
        match &self.kind {
            ModeKind::Search { args, is_plain } => search_all(resy, folder, args, *is_plain, plain),
            ModeKind::Components { engine } => components(resy, folder, engine, plain),
            ModeKind::Trails => end_state::replay(resy, folder, plain),
        }
    }
}

fn search_all(
    resy: &Resy,
    folder: &Path,
    args: &[&str],
    is_plain: bool,
    plain: &ResyReport,
) -> io::Result<ModeFinding> {
    let json = match checked(resy, folder, args, &resy.seconds())? {
        Ok(json) => json,
        Err(what) => return Ok(ModeFinding::Differs(what)),
    };
    let (mut answers, wrong) = compared(&json, plain);
    if wrong.is_none() && answers.iter().any(|a| a == "unknown") {
        // `auto` may run out of time where the plain search did not.
        answers = vec!["unknown".to_owned()];
    }
    let counts = ["states", "transitions"].map(|name| json["stats"][name].as_u64());
    let is_whole = plain.is_whole && visits_all(&json);
    if is_plain && !is_whole {
        answers.push("cut short, counts not compared".to_owned());
    }
    let expected = [Some(plain.states), Some(plain.transitions)];
    if is_plain && is_whole && wrong.is_none() && counts != expected {
        let what =
            format!("other counts: {counts:?}, plain {} {}", plain.states, plain.transitions);
        return Ok(ModeFinding::Differs(what));
    }
    Ok(wrong.map_or(ModeFinding::Agrees(answers), ModeFinding::Differs))
}

fn components(
    resy: &Resy,
    folder: &Path,
    engine: &str,
    plain: &ResyReport,
) -> io::Result<ModeFinding> {
    const CERTIFICATE: &str = "holds.cert";
    let args = ["--engine", engine, "--without", "end-states", "--certificate", CERTIFICATE];
    let json = match checked(resy, folder, &args, COMPONENTS_LIMIT)? {
        Ok(json) => json,
        Err(what) => return Ok(ModeFinding::Differs(what)),
    };
    let (mut answers, wrong) = compared(&json, plain);
    if let Some(what) = wrong {
        return Ok(ModeFinding::Differs(what));
    }
    if is_written(folder, CERTIFICATE) {
        let again = resy.call(folder, &["recheck", "-q", CERTIFICATE])?;
        if !again.succeeded() {
            let what = format!("certificate is rejected: {}", again.all_text());
            return Ok(ModeFinding::Differs(what));
        }
        // The total may be unknown: a certificate names the properties that it is about.
        if json["verdict"] == "fails" {
            return Ok(ModeFinding::Differs("certificate of what fails".to_owned()));
        }
        answers.push("certificate accepted".to_owned());
    } else if json["verdict"] == "holds" {
        answers.push("no certificate".to_owned());
    }
    Ok(ModeFinding::Agrees(answers))
}

/// The answer of a call that keeps to the contract of the command line, or what is wrong with it.
fn checked(
    resy: &Resy,
    folder: &Path,
    args: &[&str],
    seconds: &str,
) -> io::Result<Result<Value, String>> {
    let limit = ["--timeout", seconds, MODEL];
    let output = resy.call(folder, &[ASKED, args, &limit].concat())?;
    Ok(answer(&output))
}

fn answer(output: &Output) -> Result<Value, String> {
    if output.ending == Ending::TimedOut {
        return Err(NOT_ENDED.to_owned());
    }
    let Ending::Exit(code @ (0 | 1 | 3)) = output.ending else {
        return Err(format!("ends with {:?}: {}", output.ending, output.stderr));
    };
    let json: Value = serde_json::from_str(&output.stdout)
        .map_err(|error| format!("no JSON with exit {code}: {error}"))?;
    let expected = ["holds", "fails", "", "unknown"][code as usize & 3];
    match json["verdict"] == expected || lacks_certificate(code, &json, &output.stderr) {
        true => Ok(json),
        false => Err(format!("verdict {} with exit {code}", json["verdict"])),
    }
}

/// Whether a proof was found, and the limit left no time to write it down: the exit code says that something is missing.
fn lacks_certificate(code: i32, json: &Value, complaints: &str) -> bool {
    let says = |words: &str| complaints.contains(words);
    let is_told = says("no certificate is written") || says(".cert is not written");
    code == 3 && json["verdict"] == "holds" && is_told
}

/// The kinds of answers, and the first one that is wrong.
fn compared(json: &Value, plain: &ResyReport) -> (Vec<String>, Option<String>) {
    let mut answers = vec![json["verdict"].as_str().unwrap_or("none").to_owned()];
    let mut wrong = None;
    for property in json["properties"].as_array().into_iter().flatten() {
        let text = |key: &str| property[key].as_str().unwrap_or("none");
        let (kind, verdict) = (text("kind"), text("verdict"));
        let fails = plain.failed_kinds.contains(kind);
        if verdict == "unknown" {
            answers.push(format!("a property unknown: {}", in_short(text("reason"))));
        } else if (verdict == "fails") != fails {
            let truth = if fails { "fails" } else { "holds" };
            wrong.get_or_insert(format!("{kind} is {verdict} but plain {truth}"));
        }
    }
    (answers, wrong)
}

/// A reason without its place and without names of the program.
fn in_short(reason: &str) -> &str {
    let reason = match reason.starts_with(MODEL) {
        true => reason.split_once(": ").map_or(reason, |(_, reason)| reason),
        false => reason,
    };
    let end = reason.find([':', '`', '(', ';', ',']).unwrap_or(reason.len());
    reason[..end].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plain(failed: &[&str]) -> ResyReport {
        let failed_kinds = failed.iter().map(|&kind| kind.to_owned()).collect();
        let (fails, is_whole) = (!failed.is_empty(), true);
        ResyReport { fails, states: 7, transitions: 9, is_whole, failed_kinds }
    }

    #[test]
    fn a_proof_without_a_certificate_is_told() {
        let (holds, told) = (json!({"verdict": "holds"}), "resy: holds.cert is not written: late");
        assert!(lacks_certificate(3, &holds, told));
        assert!(!lacks_certificate(3, &holds, "resy: late"));
        assert!(!lacks_certificate(0, &holds, told));
        assert!(!lacks_certificate(3, &json!({"verdict": "fails"}), told));
    }

    #[test]
    fn a_wrong_verdict_is_seen_and_unknown_is_counted() {
        let json = json!({"verdict": "fails", "properties": [
            {"kind": "assertion", "verdict": "fails"},
            {"kind": "runtime", "verdict": "unknown", "reason": "model.pml:3: a process is created: `P`"},
        ]});
        let (answers, wrong) = compared(&json, &plain(&["assertion"]));
        assert_eq!(answers, ["fails", "a property unknown: a process is created"]);
        assert_eq!(wrong, None);
        let (_, wrong) = compared(&json, &plain(&[]));
        assert_eq!(wrong.as_deref(), Some("assertion is fails but plain holds"));
        let json =
            json!({"verdict": "holds", "properties": [{"kind": "assertion", "verdict": "holds"}]});
        assert!(compared(&json, &plain(&["assertion"])).1.is_some());
    }
}
