//! A property given as an automaton over the labels that `resy lts` prints.

use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The lock is lent to nobody else before it is given back.
const TURNS: &str = r#"des (0, 4, 3)
(0, "Server>Client[0]: lent[0]!1", 1)
(1, "Client[0]>Server: desk!release,0", 0)
(0, "Server>Client[1]: lent[1]!1", 2)
(2, "Client[1]>Server: desk!release,1", 0)
"#;

/// It is lent to the first client, and never given back.
const KEPT: &str = r#"des (0, 1, 2)
(0, "Server>Client[0]: lent[0]!1", 1)
"#;

fn lock() -> PathBuf {
    models_dir().join("../examples/lock.pml")
}

/// Runs `resy COMMAND lock.pml --spec AUTOMATON` with further arguments.
fn run(command: &str, automaton: &str, more: &[&str]) -> Output {
    let scratch = Scratch::new("specification").expect("a folder");
    fs::write(scratch.path().join("it.aut"), automaton).expect("a file");
    let mut call = Command::new(env!("CARGO_BIN_EXE_resy"));
    call.current_dir(scratch.path()).arg(command).arg(lock()).args(["--spec", "it.aut"]);
    call.args(more).output().expect("resy runs")
}

fn object(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one object")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_components_are_watched() {
    let holds = run("check", TURNS, &["--json"]);
    assert_eq!((holds.status.code(), &object(&holds)["verdict"]), (Some(0), &"holds".into()));
    let any_number = "des (0, 1, 1)\n(0, \"Server>Client[0]: lent[0]!1\", 0)\n";
    let holds = run("check", any_number, &[]);
    assert_eq!(holds.status.code(), Some(0), "{}", said(&holds));
    let fails = run("check", KEPT, &["--json"]);
    let object = object(&fails);
    assert_eq!((fails.status.code(), &object["verdict"]), (Some(1), &"fails".into()));
    let steps = object["properties"][0]["counterexample"]["steps"].as_array().expect("a run");
    let lent = steps.iter().filter(|step| *step == "Server>Client[0]: lent[0]!1").count();
    assert_eq!((lent, steps.last()), (2, Some(&"Server>Client[0]: lent[0]!1".into())));
}

#[test]
fn a_requirement_and_a_certificate_are_about_the_automaton() {
    let output = run("assume", TURNS, &["--module", "Server", "--json"]);
    let object = object(&output);
    assert_eq!((output.status.code(), &object["requirement_states"]), (Some(0), &2.into()));
    assert_eq!(object["quality"], "smallest");
    let scratch = Scratch::new("specification").expect("a folder");
    let certificate = scratch.path().join("it.cert").display().to_string();
    let holds = run("check", TURNS, &["--certificate", &certificate]);
    assert_eq!(holds.status.code(), Some(0));
    let mut recheck = Command::new(env!("CARGO_BIN_EXE_resy"));
    let accepted = recheck.args(["recheck", &certificate]).output().expect("resy runs");
    assert_eq!(accepted.status.code(), Some(0), "{}", said(&accepted));
}

#[test]
fn what_is_no_monitor_is_refused() {
    let twice =
        KEPT.replace("(0, 1, 2)", "(0, 2, 2)") + "(0, \"Server>Client[0]: lent[0]!1\", 0)\n";
    for (automaton, word) in [
        (twice.as_str(), "it.aut:1: the monitor is not deterministic"),
        ("des (0, 1, 2)\n(0, a, 2)\n", "it.aut:2: "),
        ("nonsense", "it.aut:1: "),
    ] {
        let output = run("check", automaton, &[]);
        assert_eq!(output.status.code(), Some(2), "{automaton}");
        assert!(said(&output).contains(word), "{}", said(&output));
    }
    let unknown = run("check", &KEPT.replace("lent[0]", "lent[7]"), &[]);
    assert_eq!(unknown.status.code(), Some(0));
    let note = "no component has the monitor's action \"Server>Client[0]: lent[7]!1\"";
    assert!(said(&unknown).contains(note), "{}", said(&unknown));
}

#[test]
fn nothing_is_ignored_without_a_word() {
    for command in ["spin", "lts", "abstract"] {
        let module: &[&str] = if command == "spin" { &["--module", "Server"] } else { &[] };
        let output = run(command, TURNS, module);
        assert_eq!(output.status.code(), Some(2), "{command}: {}", said(&output));
    }
    let note = "only it.aut is checked: the model's own properties need a call without --spec";
    assert!(said(&run("check", TURNS, &[])).contains(note));
}
