//! Silence is not success: a property that was not decided makes the total unknown, in every form of
//! the answer, unless the user has left it out.

use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn resy(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(models_dir()).args(args).output().expect("resy runs")
}

fn object(args: &[&str]) -> (Option<i32>, Value) {
    let output = resy(args);
    let object = serde_json::from_slice(&output.stdout);
    (output.status.code(), object.unwrap_or_else(|error| panic!("{args:?}: {error}")))
}

/// A scratch folder with a model.
fn model(text: &str) -> (Scratch, String) {
    let scratch = Scratch::new("silence").expect("a folder");
    let path = scratch.path().join("model.pml");
    fs::write(&path, text).expect("a file");
    (scratch, path.display().to_string())
}

#[test]
fn what_is_not_decided_makes_the_total_unknown() {
    let scratch = Scratch::new("silence").expect("a folder");
    let page = scratch.path().join("r.html").display().to_string();
    let call = ["check", "--engine", "requirement", "--report", &page, "mutex/peterson.pml"];
    let output = resy(&call);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("unknown:")), "{text}");
    let page = fs::read_to_string(&page).expect("a page");
    let badge = page.split("<h1").nth(1).expect("a heading");
    assert!(badge[..badge.len().min(2000)].contains("unknown"), "the badge");
    let (code, json) = object(&[&call[..], &["--json"]].concat());
    assert_eq!((code, &json["verdict"]), (Some(3), &"unknown".into()), "{json}");
    assert_eq!(
        (&json["complete"], &json["not_checked"][0]["name"]),
        (&false.into(), &"end-states".into())
    );
    let (code, log) = object(&[&call[..], &["--format", "sarif"]].concat());
    assert_eq!(code, Some(3), "{log}");
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false, "{log}");
    let (code, json) = object(&[&call[..], &["--json", "--without", "end-states"]].concat());
    assert_eq!((code, &json["verdict"]), (Some(0), &"holds".into()), "{json}");
}

/// The assertion is violated first; the property that was asked for is decided all the same.
#[test]
fn the_property_that_was_asked_for_is_decided() {
    let text = "byte x; active proctype P() { assert(x == 1) } active proctype Q() { x == 5 }\n";
    let (_scratch, path) = model(text);
    for options in [&[][..], &["--plain"], &["--dfs"], &["--threads", "2", "--plain"]] {
        let call = [&["check", "--json", "--property", "end-states", &path], options].concat();
        let (code, json) = object(&call);
        assert_eq!((code, &json["verdict"]), (Some(1), &"fails".into()), "{options:?}: {json}");
    }
}

/// A formula with the name of a property that every model has is meant before that one, which is not left out with it.
#[test]
fn a_formula_is_meant_before_a_property_of_its_name() {
    let text = "byte x; ltl assertions { [] (x < 3) } ltl progress { [] <> (x == 2) }\n\
                active proctype P() { progress: do :: x < 2 -> x++ :: else -> break od; assert(x != 2) }\n";
    let (_scratch, path) = model(text);
    let kinds = |call: &[&str]| {
        let (code, json) = object(&[&["check", "--json", &path], call].concat());
        let properties = json["properties"].as_array().cloned().unwrap_or_default();
        let kind = |p: &Value| format!("{} {}", p["name"], p["kind"]).replace('"', "");
        (code, properties.iter().map(kind).collect::<Vec<_>>().join(", "))
    };
    assert_eq!(kinds(&["--property", "assertions"]), (Some(0), "assertions ltl".to_owned()));
    assert_eq!(kinds(&["--property", "progress"]), (Some(0), "progress ltl".to_owned()));
    let left_out = ["--exhaustive", "--without", "assertions", "--without", "progress"];
    let rest = "assertions assertion, end-states end-state, runtime runtime, progress progress";
    assert_eq!(kinds(&left_out), (Some(1), rest.to_owned()));
}

/// A limit that ends the search after a violation leaves the other properties open.
#[test]
fn a_search_that_was_cut_short_is_not_complete() {
    let text = "int a, b; active proctype V() { assert(a > 0) }\n\
                active proctype P() { do :: a++ od } active proctype Q() { do :: b++ od }\n";
    let (_scratch, path) = model(text);
    let call = ["check", "--json", "-q", "--exhaustive", "--plain", "--memory", "1M", &path];
    let (code, json) = object(&call);
    assert_eq!((code, &json["verdict"]), (Some(1), &"fails".into()), "{json}");
    assert_eq!(json["complete"], false, "{json}");
}

/// Labels make a property of the model, decided or not.
#[test]
fn labels_are_properties() {
    let (_scratch, path) = model("active proctype P() { accept: do :: skip od }\n");
    let (code, json) = object(&["check", "--json", "-q", &path]);
    let lists = [&json["properties"], &json["not_checked"]];
    let mut all = lists.iter().filter_map(|list| list.as_array()).flatten();
    assert!(all.any(|property| property["name"] == "acceptance"), "{json}");
    assert_ne!(code, Some(0), "the cycle of acceptance is not passed over: {json}");
}
