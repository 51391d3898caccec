//! Statements that no run executes: pan's list and ours.
//!
//! Pan lists where control never came; resy lists what was never executed, which is more: a
//! process can stand for ever before a statement that is never possible. So pan's list is
//! part of ours, and mostly they are equal.

use resy_testkit::fixtures::Fixture;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The proctype and `file:line` of each.
type Places = BTreeSet<(String, String)>;

/// Compares what pan printed with what resy prints in the same folder; says whether they are
/// equal. An error if pan lists something that resy does not.
pub fn compare(fixture: &Fixture, folder: &Path, pan: &str) -> Result<bool, String> {
    let theirs = of_pan(pan);
    let defines = fixture.defines.iter().map(|d| format!("-D{d}"));
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(folder)
        .args(["check", "-q", "-v", "--plain", "--exhaustive", "--no-claims"])
        .args(defines)
        .arg(fixture.path.file_name().unwrap_or_default())
        .output()
        .map_err(|e| e.to_string())?;
    let ours = of_resy(&String::from_utf8_lossy(&output.stdout));
    let missing: Vec<_> = theirs.difference(&ours).collect();
    // Of a statement in an inline pan names the line there, resy that of the call.
    let text = std::fs::read_to_string(&fixture.path).map_err(|e| e.to_string())?;
    if !missing.is_empty() && !text.contains("inline") {
        return Err(format!("pan did not reach {missing:?}, which resy does not list"));
    }
    Ok(!theirs.is_empty() && theirs == ours)
}

/// `unreached in proctype P`, then lines such as `file:12, state 5, "x = 1"`.
fn of_pan(text: &str) -> Places {
    let mut places = Places::new();
    let mut process = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["unreached", "in", "proctype", name] => process = Some(name.to_string()),
            ["unreached", "in", "init"] => process = Some(":init:".to_string()),
            ["unreached", ..] => process = None,
            [place, "state", ..] if line.starts_with('\t') => {
                let place = place.trim_end_matches(',').to_string();
                places.extend(process.clone().map(|process| (process, place)));
            }
            _ => {}
        }
    }
    places
}

/// `unreached in P: file:12: x = 1`.
fn of_resy(text: &str) -> Places {
    let place = |line: &str| {
        let (process, rest) = line.strip_prefix("unreached in ")?.split_once(": ")?;
        let (place, _) = rest.split_once(": ")?;
        Some((process.to_string(), place.to_string()))
    };
    text.lines().filter_map(place).collect()
}
