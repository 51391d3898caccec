//! `resy lts`: what it prints, what it writes, what it refuses; and networks that are read back.

use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn resy(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(args)
        .output()
        .expect("resy runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Writes a file and gives its path.
fn file(folder: &Scratch, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// The exit code and the first line of complaint.
fn complaint(args: &[&str]) -> (Option<i32>, String) {
    let output = resy(args);
    assert!(output.stdout.is_empty(), "{args:?}: {}", stdout(&output));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn the_summary_and_json_count_the_same() {
    let output = resy(&["lts", "protocols/lock_server.pml"]);
    assert_eq!(output.status.code(), Some(0));
    let summary = stdout(&output);
    let json = json(&resy(&["lts", "--json", "protocols/lock_server.pml"]));
    assert_eq!((&json["schema"], &json["command"]), (&"resy/1".into(), &"lts".into()));
    let components = json["components"].as_array().expect("a list");
    let names: Vec<&str> = components.iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["Client[0]", "Client[1]", "Server", "in_use", "desk"]);
    for automaton in components.iter().chain([&json["monitor"]]) {
        let words = ["name", "states", "transitions", "actions"].map(|key| match &automaton[key] {
            Value::String(name) => name.clone(),
            number => number.to_string(),
        });
        let is_there = |line: &str| line.split_whitespace().eq(words.iter().map(String::as_str));
        assert!(summary.lines().any(is_there), "{words:?} is not in\n{summary}");
    }
}

#[test]
fn labels_are_named_after_what_is_done() {
    let text = stdout(&resy(&["lts", "--strict", "--format", "aut", "protocols/lock_server.pml"]));
    for name in
        ["Client[0]: desk!request,0", "Server>Client[1]: grant[1]!true", "Server: desk??release,1"]
    {
        assert!(text.contains(&format!("\"{name}\"")), "{name} is not in\n{text}");
    }
    let dot = stdout(&resy(&["lts", "--strict", "--format", "dot", "protocols/lock_server.pml"]));
    for label in ["desk!request,0", "from Server: grant[0]!true", "Client[{0,1}]: in_use:=true"] {
        assert!(dot.contains(&format!("[label=\"{label}\"]")), "{label} is not in\n{dot}");
    }
    assert!(dot.contains("[label=\"line 27\\nuser=1\"]"), "{dot}");
}

/// What is written is read back, and the monitor says what the search says about all properties that it
/// watches.
fn read_back(model: &Fixture) -> Tally {
    let mut tally = Tally::default();
    let (path, scratch) =
        (model.path.display().to_string(), Scratch::new("lts").expect("a folder"));
    let defines: Vec<String> = model.defines.iter().map(|d| format!("-D{d}")).collect();
    let with_defines = |args: &[&str]| {
        let defines = defines.iter().map(String::as_str);
        resy(&args.iter().copied().chain(defines).collect::<Vec<_>>())
    };
    let folder = scratch.path().display().to_string();
    let written = with_defines(&["lts", "-q", "-o", &folder, &path]);
    match written.status.code() {
        Some(0) => {}
        Some(3) => return tally,
        _ => panic!("{path}: {}", String::from_utf8_lossy(&written.stderr)),
    }
    let network = scratch.path().join("model.net").display().to_string();
    let read = json(&resy(&["check", "--json", &network]));
    let searched = json(&with_defines(&["check", "--plain", "--exhaustive", "--json", &path]));
    let properties = searched["properties"].as_array().expect("a list");
    // Only properties of infinite runs have a fairness.
    let watched = |p: &&Value| p["kind"] != "end-state" && p["fairness"].is_null();
    let fails = properties.iter().filter(watched).any(|p| p["verdict"] == "fails");
    let guesses = String::from_utf8_lossy(&written.stderr).contains("`timeout`");
    let same = read["verdict"] == if fails { "fails" } else { "holds" };
    // Whether all are stuck is guessed: a violation may not be real.
    let may_be_spurious = guesses && read["verdict"] == "fails";
    // Nor are the ends of runs seen.
    let ends = String::from_utf8_lossy(&written.stderr).contains("at the end of a run");
    let may_be_missed = ends && read["verdict"] == "holds";
    if !same && !may_be_spurious && !may_be_missed {
        tally.wrong(format!("{}", read["verdict"]));
    }
    tally.count("compared", 1);
    tally
}

static READ_BACK: PerModel<Tally> = PerModel::new(read_back);
resy_testkit::each_model!(a_network_that_is_read_back_has_the_same_verdict, crate::lts::case);

fn case(fixture: &Fixture) {
    READ_BACK.assert_right(fixture);
}

#[test]
fn most_models_become_a_network() {
    let n = READ_BACK.total().n("compared");
    assert!(n >= 300, "only {n} models became a network");
}

#[test]
fn what_is_out_of_reach_is_refused_at_its_line() {
    let scratch = Scratch::new("lts").expect("a folder");
    let late = file(
        &scratch,
        "late.pml",
        "byte x;\nproctype P() {\n  if\n  :: x = 1\n  :: run P()\n  fi\n}\ninit { x = 2; run P() }\n",
    );
    let (code, text) = complaint(&["lts", &late]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with(&format!("resy: {late}:5")), "{text}");
    assert!(text.contains("created after the start"), "{text}");
    let priorities = "active proctype P() priority 2 {\n  set_priority(0, 3) }\n";
    let priorities = file(&scratch, "priorities.pml", priorities);
    let (code, text) = complaint(&["lts", &priorities]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with(&format!("resy: {priorities}:2")), "{text}");
}

#[test]
fn a_component_over_budget_is_named_with_its_variable() {
    let scratch = Scratch::new("lts").expect("a folder");
    let text = "byte go;\nactive proctype Count() { byte n; do :: go -> n++ od }\n\
                active proctype Other() { do :: go = 1 :: go = 0 od }\n";
    let model = file(&scratch, "count.pml", text);
    let (code, text) = complaint(&["lts", "--strict", "--budget", "100", &model]);
    assert_eq!(code, Some(3), "{text}");
    // What occurs of it is too much as well.
    assert!(text.contains("component `Count` has too many local states: 101 states"), "{text}");
    assert!(text.contains("driven by `Count.n`"), "{text}");
    assert_eq!(resy(&["lts", "--strict", "--budget", "1000", &model]).status.code(), Some(0));
}

#[test]
fn damaged_files_give_the_line() {
    let scratch = Scratch::new("lts").expect("a folder");
    file(&scratch, "a.aut", "des (0, 2, 2)\n(0, \"x\", 1)\n(1, \"x\", 7)\n");
    let network = file(&scratch, "a.net", "network\ncomponent A \"a.aut\"\nmonitor \"a.aut\"\n");
    let (code, text) = complaint(&["check", &network]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a.aut:3: "), "{text}");
    let network = file(&scratch, "b.net", "network\n\ncomponent\n  des (0, 0, 1)\n");
    let (code, text) = complaint(&["lts", &network]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("b.net:3: ") || text.contains("b.net:4: "), "{text}");
    let missing = file(&scratch, "c.net", "network\ncomponent A \"none.aut\"\n");
    let (code, text) = complaint(&["check", &missing]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("none.aut"), "{text}");
}

#[test]
fn files_of_other_formats_have_their_names() {
    let scratch = Scratch::new("lts").expect("a folder");
    for (format, expected) in
        [("dot", "Client_0_.dot"), ("fsp", "network.lts"), ("aut", "model.net")]
    {
        let folder = scratch.path().join(format);
        let name = folder.display().to_string();
        let output = resy(&["lts", "--format", format, "-o", &name, "protocols/lock_server.pml"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(Path::new(&folder).join(expected).exists(), "{format}: no {expected}");
    }
}
