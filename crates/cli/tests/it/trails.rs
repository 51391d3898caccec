//! Every violated property of the models: the real spin replays the trail, and ends at the
//! same statement as we do. The verdicts on all properties are those of the truth.

use resy_index::Id;
use resy_system::System;
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::scratch::Scratch;
use resy_testkit::systems::system_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The kinds of violations that spin replayed, and what differs.
fn replays(fixture: &Fixture) -> (Vec<String>, Tally) {
    let (mut replayed, mut tally) = (Vec::new(), Tally::default());
    for (property, truth) in &fixture.verdicts {
        for flags in [&[][..], &["--plain"]] {
            match compare(fixture, property, truth, flags) {
                Ok(kinds) => replayed.extend(kinds),
                Err(e) => tally.wrong(format!("{property} {flags:?}: {e}")),
            }
        }
    }
    (replayed, tally)
}

static OUTCOMES: PerModel<(Vec<String>, Tally)> = PerModel::new(replays);
resy_testkit::each_model!(spin_replays_every_violation_to_its_last_statement, crate::trails::case);

fn case(fixture: &Fixture) {
    OUTCOMES.of(fixture).1.assert_right();
}

#[test]
fn every_kind_of_violation_is_replayed() {
    let replayed: Vec<&String> = OUTCOMES.all().flat_map(|(_, (kinds, _))| kinds).collect();
    let (n, kinds) = (replayed.len(), replayed.into_iter().collect::<BTreeSet<_>>());
    assert!(n >= 100, "only {n} trails were replayed");
    let all = ["assertion", "end-state", "ltl", "never", "runtime", "trace"];
    assert!(kinds.into_iter().eq(all), "not all kinds were replayed");
}

/// Checks one property; gives the kinds of the violations whose trails were replayed.
fn compare(
    f: &Fixture,
    property: &str,
    truth: &str,
    flags: &[&str],
) -> Result<Vec<String>, String> {
    let scratch = Scratch::new("trails").map_err(|e| e.to_string())?;
    let trail = scratch.path().join("trail");
    // The truth counts errors in a step among the assertions, as spin does.
    let names: &[&str] =
        if property == "assertions" { &["assertions", "runtime"] } else { &[property] };
    let mut replayed = Vec::new();
    let mut verdicts = BTreeSet::new();
    for name in names {
        let json = check(f, name, flags, &trail)?;
        let verdict = json["verdict"].as_str().unwrap_or("none").to_string();
        if verdict == "fails" && f.spin.is_some() {
            replay(f, name, &trail)?;
            let kind = json["properties"][0]["kind"].as_str();
            replayed.push(kind.unwrap_or("none").to_string());
        }
        verdicts.insert(verdict);
    }
    if verdicts.contains("fails") != (truth == "fails") || verdicts.contains("unknown") {
        return Err(format!("{verdicts:?}, the truth is {truth}"));
    }
    Ok(replayed)
}

fn check(f: &Fixture, name: &str, flags: &[&str], trail: &Path) -> Result<Value, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["check", "--json", "-q", "--exhaustive", "--property", name, "--trail"])
        .arg(trail)
        .args(flags)
        .args(f.defines.iter().map(|d| format!("-D{d}")))
        .arg(&f.path)
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
}

/// Lets spin replay a trail and compares where it ends.
fn replay(f: &Fixture, name: &str, trail: &Path) -> Result<(), String> {
    let folder = trail.parent().ok_or("no folder")?;
    let output = Command::new("spin")
        .current_dir(folder)
        .args(["-p", "-t", "-k"])
        .arg(trail)
        .args(f.defines.iter().map(|d| format!("-D{d}")))
        .arg(&f.path)
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Some((before, _)) = text.split_once("spin: trail ends after") else {
        return Err(format!("spin does not come to the end: {text}"));
    };
    if before.contains("not enabled") || before.contains("step aborted") {
        return Err(format!("spin loses the trail: {before}"));
    }
    let lines = std::fs::read_to_string(trail).map_err(|e| e.to_string())?;
    // A run that ends stutters: nothing stands after the start of the cycle.
    let mut steps = lines.lines().filter(|line| !line.starts_with('-'));
    let Some(last) = steps.next_back() else { return Ok(()) };
    let numbers: Vec<u32> = last.split(':').filter_map(|n| n.parse().ok()).collect();
    let [_, pid, statement] = numbers[..] else { return Err(format!("the line {last}")) };
    let ours = places(&system_of(f), pid, statement);
    // A `d_step` shows its statements below its own line.
    let steps: Vec<(u32, usize, Option<usize>)> = before.lines().filter_map(step).collect();
    let depth = steps.last().map(|s| s.0);
    let theirs = steps.iter().find(|s| Some(s.0) == depth).map(|s| (s.1, s.2));
    let theirs = theirs.ok_or("spin shows no step")?;
    if !ours.contains(&theirs) {
        return Err(format!("spin ends at {theirs:?}, we at {ours:?}: {before}"));
    }
    if name == "assertions" && !before.contains("assertion violated") {
        return Err(format!("spin sees no violated assertion: {before}"));
    }
    Ok(())
}

/// The places of a statement, as the process and its location; no location if the
/// process ends there.
fn places(system: &System, pid: u32, statement: u32) -> BTreeSet<(usize, Option<usize>)> {
    let mut places = BTreeSet::new();
    for proctype in &system.proctypes {
        for (at, edges) in proctype.edges.iter_enumerated() {
            for edge in edges.iter().filter(|e| e.id == statement) {
                places.insert((pid as usize, edge.target.map(|_| at.index())));
                places.extend(edge.escape.map(|e| (pid as usize, Some(e.index()))));
            }
        }
    }
    places
}

/// `  2:    proc  1 (P:1) file:8 (state 2)    [x = 1]` or `  5: proc 1 terminates`: the depth,
/// the process and its location.
fn step(line: &str) -> Option<(u32, usize, Option<usize>)> {
    let (depth, rest) = line.trim_start().split_once(':')?;
    let depth = depth.parse().ok()?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let pid = words.get(1)?.parse().ok().filter(|_| words[0] == "proc")?;
    if words.get(2) == Some(&"terminates") {
        return Some((depth, pid, None));
    }
    let state = rest.split_once("(state ")?.1.split_once(')')?.0.parse().ok()?;
    Some((depth, pid, Some(state)))
}
