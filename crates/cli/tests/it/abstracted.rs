//! `resy abstract`: programs with unbounded data, their verdicts, and how the command ends.

use resy_testkit::fixtures::models_dir;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    models_dir().join("unbounded").join(format!("{name}.pml"))
}

fn resy(name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.arg("abstract").arg(model(name)).args(arguments);
    command.output().expect("resy runs")
}

fn json(name: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = resy(name, &[arguments, &["--json"]].concat());
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (output.status.code(), report)
}

/// A text in a file of its own.
fn scratch(name: &str, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("resy-abstract-{}-{name}", std::process::id()));
    std::fs::write(&file, text).expect("the file can be written");
    file
}

fn complaint(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let file = scratch(name, text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.arg("abstract").arg(&file).args(arguments).output().expect("resy runs");
    std::fs::remove_file(file).expect("the file is there");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The rows of the truth: model, property, fairness, verdict.
fn truth() -> Vec<[String; 4]> {
    let text = std::fs::read_to_string(models_dir().join("unbounded/truth.tsv"));
    let text = text.expect("the truth can be read");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    rows.map(|line| row(line).try_into().expect("four columns")).collect()
}

#[test]
fn every_row_of_the_truth_is_decided_or_open_and_never_wrong() {
    for [name, property, fairness, verdict] in truth() {
        let mut arguments = vec!["--property", &property, "--timeout", "60"];
        if ["weak", "strong"].contains(&fairness.as_str()) {
            arguments.extend(["--fair", &fairness]);
        }
        let (exit, report) = json(&name, &arguments);
        let found = report["verdict"].as_str().expect("a verdict");
        let what = format!("{name} {property} {fairness}: {report:#}");
        match verdict.as_str() {
            "holds" => assert_eq!((found, exit), ("holds", Some(0)), "{what}"),
            "fails" => {
                assert_eq!((found, exit), ("fails", Some(1)), "{what}");
                let run = &report["properties"][0]["counterexample"];
                assert!(run["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{what}");
            }
            // Not proved without what it needs.
            "open" => assert_ne!(found, "holds", "{what}"),
            other => panic!("a verdict `{other}`"),
        }
    }
}

#[test]
fn the_published_bases_are_enough() {
    for (name, property) in [
        ("bakery", "mutex"),
        ("fischer", "mutex"),
        ("abp", "prefix"),
        ("brp", "prefix"),
        ("brp", "reports"),
    ] {
        let basis = models_dir().join("unbounded").join(format!("{name}.basis"));
        let basis = basis.to_str().expect("a path");
        let call = ["--property", property, "--predicates", basis, "--fixed-basis"];
        let (exit, report) = json(name, &call);
        assert_eq!(exit, Some(0), "{name}: {report:#}");
        let predicates = report["properties"][0]["predicates"].as_array().expect("a list");
        assert!(predicates.iter().all(|p| p["source"] == "given"), "{name}: {report:#}");
        assert_eq!(report["refinements"], 0);
    }
}

#[test]
fn a_verdict_says_that_it_is_about_unbounded_data() {
    let output = resy("bakery", &["--property", "mutex"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("mutex        holds for unbounded data"), "{text}");
    assert!(text.contains("unbounded: y1, y2; the program"), "{text}");
    assert!(text.contains("assumed: nothing"), "{text}");
    let output = resy("fischer", &["--property", "mutex"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("assumed: 0 < lower && lower <= upper && upper < 2 * lower"), "{text}");
}

#[test]
fn end_states_are_not_checked_and_make_the_total_unknown() {
    let (exit, report) = json("further/bounded_buffer", &[]);
    assert_eq!(exit, Some(3));
    assert_eq!(report["not_checked"][0]["name"], "end-states");
    assert_eq!(report["complete"], false);
    let (exit, report) = json("further/bounded_buffer", &["--without", "end-states"]);
    assert_eq!((exit, &report["complete"]), (Some(0), &true.into()));
    assert_eq!(report["unbounded"], serde_json::json!(["SIZE", "in", "out"]));
    assert_eq!(report["assumed"], serde_json::json!(["SIZE >= 1"]));
    for key in ["schema", "command", "file", "solver", "queries", "refinements", "stats"] {
        assert!(!report[key].is_null(), "{key} is missing");
    }
}

#[test]
fn wrong_annotations_are_errors_with_their_places() {
    let cases = [
        (
            "int x; /*@ unbouned x */ active proctype P() { x++ }",
            "there is no annotation `unbouned`",
            "1:12",
        ),
        (
            "int xx; /*@ unbounded xy */ active proctype P() { xx++ }",
            "there is no variable `xy`; did you mean `xx`?",
            "1:23",
        ),
        (
            "int x;\n/*@ unbounded x; predicate x > z */\nactive proctype P() { x++ }",
            "`z` is not declared",
            "2:32",
        ),
        ("int x;\n/*@ parameter x > 0 */\nactive proctype P() { x++ }", "`x` is assigned", "2:15"),
        (
            "int x;\n/*@ unbounded x; just L */\nactive proctype P() { x++ }",
            "there is no label `L`",
            "2:23",
        ),
        (
            "int x, c; /*@ unbounded x; clock c */ active proctype P() { x = c }",
            "the clock `c` is stored",
            "",
        ),
        (
            "int x; /*@ unbounded x; predicate [] (x > 0) */ active proctype P() { x++ }",
            "no temporal operators",
            "1:35",
        ),
    ];
    for (n, (text, message, place)) in cases.into_iter().enumerate() {
        let (exit, told) = complaint(&format!("wrong{n}.pml"), text, &[]);
        assert_eq!(exit, Some(2), "{text}: {told}");
        assert!(told.contains(message), "{text}: {told}");
        assert!(told.contains(place), "{text}: {told}");
    }
    let text = "int x; active proctype P() { x++ }";
    let (exit, told) = complaint("none.pml", text, &[]);
    assert!(exit == Some(2) && told.contains("no variable is unbounded"), "{told}");
    let (exit, told) =
        complaint("solver.pml", text, &["--unbounded", "x", "--solver", "no-such-solver"]);
    assert!(exit == Some(2) && told.contains("no-such-solver"), "{told}");
}

#[test]
fn what_is_out_of_reach_is_unknown_with_its_place() {
    let text = "int x; /*@ unbounded x */\nactive proctype P() {\n  d_step { do :: x < 100 -> x++ :: else -> break od };\n  assert(x >= 100)\n}";
    let file = scratch("loop.pml", text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command
        .arg("abstract")
        .arg(&file)
        .args(["--property", "assertions"])
        .output()
        .expect("resy runs");
    std::fs::remove_file(file).expect("the file is there");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains(":3: a step that loops on unbounded data"), "{told}");
}

#[test]
fn limits_are_obeyed() {
    let (exit, report) = json("brp", &["--property", "prefix", "--timeout", "0"]);
    assert_eq!(exit, Some(3), "{report:#}");
    assert_eq!(report["verdict"], "unknown");
}
