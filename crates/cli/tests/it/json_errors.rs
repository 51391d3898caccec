//! `--json` prints one object in any case, with everything that was said.

use resy_testkit::scratch::Scratch;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The exit code and the object; nothing else may be on the standard output.
fn object(folder: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.current_dir(folder).args(args).output().expect("resy runs");
    let object = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        panic!("{args:?}: {error}: {}{complaint}", String::from_utf8_lossy(&output.stdout))
    });
    (output.status.code(), object)
}

/// The commands with `--json`, applied to a file.
fn calls(file: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["check", "--json", file],
        vec!["check", "--format", "json", file],
        vec!["assume", "--json", "--module", "P", file],
        vec!["spin", "--json", "--module", "P", file],
        vec!["lts", "--json", file],
        vec!["recheck", "--json", file],
        vec!["recheck", "--json", "ok.cert", file],
        vec!["contract", "init", "--json", "--force", file],
        vec!["contract", "verify", "--json", "--contract", "ok.contract", file],
    ]
}

fn scratch() -> Scratch {
    let scratch = Scratch::new("json").expect("a folder");
    let folder = scratch.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("ok.pml", "byte x; active proctype P() { x = 300; assert(x < 2) }\n");
    write("fine.pml", "byte x; active proctype P() { x = 1; assert(x < 2) }\n");
    write("wrong.pml", "byte x;\nactive proctype P() {\n  x = yy + 1\n}\n");
    write("wrong.lts", "P = (a -> Q).\nR = (b -> R.\n");
    write("wrong.net", "network\nnonsense A\n");
    let made = object(
        folder,
        &["check", "--json", "--without", "end-states", "--certificate", "ok.cert", "fine.pml"],
    );
    assert_eq!(made.0, Some(0), "{}", made.1);
    let made = object(folder, &["contract", "init", "--json", "-o", "ok.contract", "fine.pml"]);
    assert_eq!(made.0, Some(0), "{}", made.1);
    scratch
}

#[test]
fn a_model_with_errors_gives_an_object() {
    let scratch = scratch();
    for file in ["wrong.pml", "wrong.net", "wrong.lts", "no_such.pml"] {
        for call in calls(file) {
            let (code, object) = object(scratch.path(), &call);
            assert_eq!(code, Some(2), "{call:?}: {object}");
            assert_eq!(object["verdict"], "error", "{call:?}: {object}");
            assert_eq!(object["schema"], "resy/1", "{call:?}: {object}");
            let diagnostics = object["diagnostics"].as_array().expect("a list");
            let is_error = |d: &Value| d["severity"] == "error" && d["message"].is_string();
            assert!(diagnostics.iter().any(is_error), "{call:?}: {object}");
        }
        let (_, object) = object(scratch.path(), &["check", "--json", file]);
        assert_eq!(object["complete"], false, "{object}");
        assert_eq!((&object["properties"], &object["not_checked"]), (&json!([]), &json!([])));
    }
}

#[test]
fn a_diagnostic_has_its_place() {
    let scratch = scratch();
    let (_, object) = object(scratch.path(), &["check", "--json", "wrong.pml"]);
    let one = &object["diagnostics"][0];
    assert_eq!((&one["code"], &one["severity"]), (&"E0301".into(), &"error".into()), "{one}");
    assert_eq!(one["file"], "wrong.pml", "{one}");
    assert_eq!((&one["line"], &one["column"]), (&3.into(), &7.into()), "{one}");
    assert_eq!(one["span"]["end_line"], 3, "{one}");
    assert_eq!(one["span"]["end_column"], 9, "{one}");
    assert!(one["notes"].is_array() && one.get("help").is_some(), "{one}");
    let (_, object) = self::object(scratch.path(), &["check", "--json", "wrong.lts"]);
    let one = &object["diagnostics"][0];
    assert_eq!(one["file"], "wrong.lts", "{one}");
    assert!(one["line"].is_number() && one["code"].is_string() && one["span"].is_object(), "{one}");
    let (_, object) = self::object(scratch.path(), &["check", "--json", "wrong.net"]);
    let one = &object["diagnostics"][0];
    assert_eq!((&one["file"], &one["line"]), (&"wrong.net".into(), &2.into()), "{one}");
}

/// Good answers say what there was to say, too.
#[test]
fn warnings_are_in_the_answer() {
    let scratch = scratch();
    let folder = scratch.path();
    let truncated = |object: &Value| {
        let diagnostics = object["diagnostics"].as_array().expect("a list").clone();
        diagnostics.iter().any(|d| d["code"] == "W0302" && d["severity"] == "warning")
    };
    for call in calls("ok.pml").into_iter().filter(|call| call[0] != "recheck" || call.len() > 3) {
        let (_, object) = object(folder, &call);
        assert!(truncated(&object), "{call:?}: {object}");
    }
    let (_, quiet) = object(folder, &["check", "-q", "--json", "ok.pml"]);
    assert!(!truncated(&quiet) && quiet["diagnostics"].is_array(), "{quiet}");
    let (_, fine) = object(folder, &["recheck", "--json", "ok.cert"]);
    assert_eq!(
        (&fine["verdict"], &fine["diagnostics"]),
        (&"accepted".into(), &Value::Array(vec![]))
    );
}

/// A call that is wrong, and one that is out of reach.
#[test]
fn every_end_is_an_object() {
    let scratch = scratch();
    let folder = scratch.path();
    let wrong: [&[&str]; 5] = [
        &["check", "--json", "--no-such-option", "ok.pml"],
        &["check", "--json", "--property", "nothing", "ok.pml"],
        &["assume", "--json", "ok.pml"],
        &["check", "--json", "--engine", "network", "--plain", "ok.pml"],
        &["contract", "init", "--json", "-o", "-", "ok.pml"],
    ];
    for call in wrong {
        let (code, object) = object(folder, call);
        assert_eq!((code, &object["verdict"]), (Some(2), &"error".into()), "{call:?}: {object}");
        assert!(object["diagnostics"][0]["message"].is_string(), "{call:?}: {object}");
    }
    let wide = "int x; active proctype P() { do :: x++ od }\nactive proctype Q() { do :: assert(x >= 0) od }\n";
    fs::write(folder.join("wide.pml"), wide).expect("a file");
    let (code, object) = object(folder, &["lts", "--json", "--budget", "10", "wide.pml"]);
    assert_eq!((code, &object["verdict"]), (Some(3), &"unknown".into()), "{object}");
    let assume = ["assume", "--json", "--module", "P", "--budget", "10", "wide.pml"];
    let (code, object) = self::object(folder, &assume);
    assert_eq!((code, &object["verdict"]), (Some(3), &"undecided".into()), "{object}");
    assert!(object["reason"].is_string(), "{object}");
}

/// Code scanning sees the same.
#[test]
fn sarif_has_the_diagnostics() {
    let scratch = scratch();
    let sarif = |file: &str| object(scratch.path(), &["check", "--format", "sarif", file]);
    let (code, log) = sarif("wrong.net");
    assert_eq!(code, Some(2));
    let run = &log["runs"][0];
    assert_eq!(run["results"][0]["level"], "error", "{log}");
    let (code, log) = sarif("no_such.pml");
    assert_eq!(code, Some(2));
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false, "{log}");
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error", "{log}");
    let (code, log) = sarif("ok.pml");
    assert_eq!(code, Some(1));
    let rules: Vec<&Value> = log["runs"][0]["results"].as_array().expect("a list").iter().collect();
    assert!(rules.iter().any(|result| result["ruleId"] == "W0302"), "{log}");
}
