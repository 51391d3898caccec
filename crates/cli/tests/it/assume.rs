//! `resy assume` from outside: what it writes, and how it ends.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name)
}

fn assume(name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.arg("assume").arg(model(name)).args(arguments);
    command.output().expect("resy runs")
}

fn json(name: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = assume(name, &[arguments, &["--json"]].concat());
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (output.status.code(), report)
}

fn complaint(name: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = assume(name, arguments);
    assert!(output.stdout.is_empty(), "nothing is promised");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("resy-assume-{}-{name}", std::process::id()))
}

const USER: [&str; 2] = ["--module", "User[0]"];

#[test]
fn the_result_is_the_contract_of_the_command_line() {
    let refine = [&USER[..], &["--method", "refine"]].concat();
    let (exit, report) = json("mutex/peterson.pml", &refine);
    assert_eq!(exit, Some(0));
    assert_eq!(report["verdict"], "holds");
    assert_eq!(report["interrupted"], false);
    assert_eq!(report["module"], serde_json::json!(["User[0]"]));
    assert_eq!(report["module_states"], 7);
    assert_eq!(report["requirement_states"], 4);
    assert_eq!(report["method"], "refine");
    assert_eq!(report["counterexample"], Value::Null);
    for key in ["schema", "file", "environment", "property", "components", "seconds"] {
        assert!(!report[key].is_null(), "{key} is missing");
    }
}

#[test]
fn the_default_is_merged_and_says_what_is_known() {
    let (exit, report) = json("mutex/peterson.pml", &USER);
    assert_eq!(exit, Some(0));
    assert_eq!(report["quality"], "smallest");
    assert_eq!(report["canonical"], false);
    assert_eq!(report["method"], "product");
    assert_eq!((&report["requirement_states"], &report["image_states"]), (&4.into(), &4.into()));
    let (exit, report) = json("violated/naive_mutex.pml", &USER);
    assert_eq!((exit, &report["quality"]), (Some(1), &Value::Null));
    assert!(report["counterexample"]["steps"].is_array());
}

#[test]
fn every_process_has_a_requirement() {
    let (exit, report) = json("mutex/peterson.pml", &["--all"]);
    assert_eq!(exit, Some(0));
    let all = report["requirements"].as_array().expect("a list");
    let modules: Vec<&Value> = all.iter().map(|one| &one["module"][0]).collect();
    assert_eq!(modules, ["User[0]", "User[1]"]);
    assert!(all.iter().all(|one| one["quality"] == "smallest"));
}

#[test]
fn a_stopped_refinement_leaves_something_sound() {
    let file = scratch("steps.aut");
    let path = file.to_str().expect("text");
    let stop = ["--steps", "3", "-o", path];
    let (exit, report) = json("mutex/peterson.pml", &[&USER[..], &stop].concat());
    assert_eq!((exit, &report["interrupted"]), (Some(3), &Value::Bool(true)));
    assert_eq!(report["refinements"], 3);
    let written = std::fs::read_to_string(&file).expect("the requirement so far");
    assert!(written.starts_with("des ("), "{written}");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn each_refinement_is_a_row() {
    let file = scratch("trace.csv");
    let rows = ["--trace-csv", file.to_str().expect("text")];
    let (_, report) = json("mutex/peterson.pml", &[&USER[..], &rows].concat());
    let text = std::fs::read_to_string(&file).expect("the rows");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("step,classes,requirement,elapsed"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() as u64, report["refinements"].as_u64().expect("a number") + 1);
    let last = rows.last().expect("a row");
    assert_eq!(last[2], report["requirement_states"].to_string());
    let _ = std::fs::remove_file(&file);
}

#[test]
fn a_violated_property_has_a_run_and_one_state_is_enough() {
    let call = ["--module", "User[0]", "--minimize"];
    let (exit, report) = json("violated/naive_mutex.pml", &call);
    assert_eq!((exit, &report["verdict"]), (Some(1), &Value::from("fails")));
    assert_eq!(report["requirement_states"], 1);
    let steps = report["counterexample"]["steps"].as_array().expect("a run");
    assert!(steps.iter().all(|step| step["statement"].is_string()));
}

#[test]
fn every_format_is_written() {
    for extension in ["pml", "aut", "fsp", "dot", "svg", "html", "json"] {
        let file = scratch(&format!("requirement.{extension}"));
        let output = ["-o", file.to_str().expect("text")];
        let (exit, _) =
            json("protocols/lock_server.pml", &[&["--module", "Server"][..], &output].concat());
        assert_eq!(exit, Some(0), "{extension}");
        assert!(std::fs::metadata(&file).is_ok_and(|data| data.len() > 100), "{extension}");
        let _ = std::fs::remove_file(&file);
    }
}

#[test]
fn wrong_calls_are_told_what_is_wrong() {
    let (exit, text) = complaint("mutex/peterson.pml", &["--module", "Usr"]);
    assert_eq!(exit, Some(2));
    assert!(text.contains("no module `Usr`") && text.contains("User[0], User[1]"), "{text}");
    let (exit, text) = complaint("mutex/peterson.pml", &["--module", "User"]);
    assert!(exit == Some(2) && text.contains("whole"), "{text}");
    let (exit, text) = complaint("mutex/peterson.pml", &[]);
    assert!(exit == Some(2) && text.contains("--module"), "{text}");
    let (exit, text) =
        complaint("mutex/peterson.pml", &[&USER[..], &["--property", "end-states"]].concat());
    assert!(exit == Some(2) && text.contains("end-states"), "{text}");
    let live = ["--ltl", "<> (turn == 1)", "--property", "formula"];
    let (exit, text) = complaint("mutex/peterson.pml", &[&USER[..], &live].concat());
    assert!(exit == Some(2) && text.contains("`formula`"), "{text}");
    let (exit, text) = complaint("mutex/peterson.pml", &[&USER[..], &["-o", "x.docx"]].concat());
    assert!(exit == Some(2) && text.contains(".html"), "{text}");
    let (exit, text) = complaint("processes/priority_functions.pml", &["--module", "init"]);
    assert!(exit == Some(3) && text.contains("priority_functions.pml:9"), "{text}");
}

#[test]
fn an_interrupt_loses_nothing() {
    let file = scratch("interrupted.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.arg("assume").arg(model("mutex/bakery.pml")).args([
        "--module",
        "Customer[2]",
        "--method",
        "refine",
        "--json",
    ]);
    command.arg("-o").arg(&file).stdout(std::process::Stdio::piped());
    let child = command.spawn().expect("resy runs");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(report["interrupted"], true);
    assert!(std::fs::metadata(&file).is_ok(), "a sound requirement");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn the_requirement_of_the_definition_is_the_same_by_every_method() {
    let of = |words: &[&str]| {
        let (exit, report) = json("mutex/peterson.pml", &[&USER[..], words].concat());
        assert_eq!(exit, Some(0), "{words:?}");
        assert_eq!(report["canonical"], true, "{words:?}");
        (report["requirement_states"].clone(), report["requirement_transitions"].clone())
    };
    let refined = of(&["--method", "refine"]);
    assert_eq!(refined, of(&["--canonical"]));
    assert_eq!(refined, of(&["--method", "exact"]));
    assert_eq!(refined, of(&["--method", "fold"]));
    let (exit, words) =
        complaint("mutex/peterson.pml", &[&USER[..], &["--canonical", "--minimize"]].concat());
    assert_eq!(exit, Some(2));
    assert!(words.contains("cannot be used with"), "{words}");
}

/// A limit leaves the best result so far, with every method.
#[test]
fn a_limit_leaves_something_sound() {
    let customer = ["--module", "Customer[2]", "--timeout", "0.2"];
    for words in [&[][..], &["--canonical"], &["--method", "fold"]] {
        let (exit, report) = json("mutex/bakery.pml", &[&customer[..], words].concat());
        assert_eq!(exit, Some(3), "{words:?}");
        assert_eq!(report["interrupted"], true, "{words:?}");
        assert_eq!(report["canonical"], false, "{words:?}");
        let n_states = report["requirement_states"].as_u64().expect("a number");
        assert!((1..=report["module_states"].as_u64().unwrap()).contains(&n_states), "{words:?}");
    }
}

#[test]
fn a_module_of_several_processes() {
    let (exit, report) = json("protocols/lock_server.pml", &["--module", "Client[0],Server"]);
    assert_eq!((exit, &report["verdict"]), (Some(0), &"holds".into()));
    assert_eq!(report["module"], serde_json::json!(["Client[0]", "Server"]));
    assert_ne!(report["quality"], "undecided");
}
