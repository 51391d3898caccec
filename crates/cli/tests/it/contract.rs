//! The contract of the command line: exit codes, JSON, limits, trails.

use resy_testkit::fixtures::models_dir;
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

fn code(args: &[&str]) -> i32 {
    resy(args).status.code().expect("resy exits by itself")
}

fn json(args: &[&str]) -> Value {
    let output = resy(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"))
}

#[test]
fn exit_codes_tell_the_verdict() {
    assert_eq!(code(&["check", "-q", "mutex/peterson.pml"]), 0);
    assert_eq!(code(&["check", "-q", "violated/lock_order.pml"]), 1);
    assert_eq!(code(&["check", "-q", "refused/c_code.pml"]), 2);
    assert_eq!(code(&["check", "-q", "no such file"]), 2);
    assert_eq!(code(&["check", "-q", "--nonsense", "mutex/peterson.pml"]), 2);
    assert_eq!(code(&["check", "-q", "--timeout", "-1", "mutex/peterson.pml"]), 2);
    assert_eq!(code(&["check", "-q", "--timeout", "0", "protocols/sliding_window.pml"]), 3);
}

#[test]
fn json_is_the_object_of_the_contract_and_nothing_else() {
    let result = json(&["check", "--json", "--exhaustive", "violated/both_kinds.pml"]);
    assert_eq!(result["schema"], "resy/1");
    assert_eq!(result["command"], "check");
    assert_eq!(result["verdict"], "fails");
    assert_eq!(result["complete"], true);
    let verdict = |name: &str| {
        let properties = result["properties"].as_array().expect("a list");
        properties.iter().find(|p| p["name"] == name).expect("the property").clone()
    };
    for (name, kind) in [("assertions", "assertion"), ("end-states", "end-state")] {
        let property = verdict(name);
        assert_eq!((&property["kind"], &property["verdict"]), (&kind.into(), &"fails".into()));
        assert_eq!(property["engine"], "monolithic");
        assert!(!property["counterexample"]["steps"].as_array().expect("steps").is_empty());
    }
    assert_eq!(verdict("runtime")["counterexample"], Value::Null);
    for key in ["states", "transitions", "depth", "seconds", "peak_bytes"] {
        assert!(result["stats"][key].is_number(), "{key}");
    }
}

#[test]
fn the_monitor_of_a_network_is_a_safety_property() {
    let result = json(&["check", "--json", "../docs/examples/overflow.net"]);
    let property = &result["properties"][0];
    assert_eq!((&property["name"], &property["kind"]), (&"monitor".into(), &"safety".into()));
}

/// The library says it in words, the command names its option.
#[test]
fn end_states_are_referred_to_the_search() {
    let options = ["check", "--engine", "requirement", "mutex/peterson.pml"];
    let output = resy(&options);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("the search of all states checks it") && !out.contains("--"), "{out}");
    assert!(err.contains("`--engine monolithic` decides end states"), "{err}");
}

#[test]
fn what_is_not_checked_is_listed() {
    let network = ["--engine", "requirement", "mutex/peterson_ltl.pml"];
    let result = json(&[&["check", "--json", "-q"], &network[..]].concat());
    assert_eq!(result["complete"], false);
    assert!(!result["not_checked"].as_array().expect("a list").is_empty());
    let code = code(&[&["check", "-q", "--property", "served"], &network[..]].concat());
    assert_eq!(code, 3, "a claim that is asked for and not decided is unknown");
}

#[test]
fn limits_give_unknown_with_what_was_covered() {
    let result = json(&[
        "check",
        "--json",
        "-q",
        "--plain",
        "--memory",
        // The program itself takes 18 to 21 MB, as the system maps its file.
        "28M",
        "../bench/models/peterson_n.pml",
    ]);
    assert_eq!(result["verdict"], "unknown");
    assert_eq!(result["complete"], false);
    assert!(result["stats"]["states"].as_u64() > Some(10));
    assert!(result["properties"][0]["reason"].as_str().is_some());
}

#[test]
fn a_simulation_is_decided_by_its_seed() {
    let run = |seed: &str| resy(&["simulate", "--seed", seed, "mutex/bakery.pml"]).stdout;
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn interactive_choices_come_from_standard_input() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(["simulate", "-i", "-q", "mutex/peterson.pml"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("resy runs");
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(b"1\nfoo\ns\n2\nq\n").expect("resy reads");
    let output = child.wait_with_output().expect("resy ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("`foo` is not a choice"), "{text}");
    assert!(text.contains("    2 "), "two steps were taken: {text}");
    assert_eq!(output.status.code(), Some(0));
}

/// What `simulate -i` prints for these lines of input, and its exit code.
fn by_hand(model: &Path, input: &str) -> (String, Option<i32>) {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["simulate", "-i", "-q"])
        .arg(model)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("resy runs");
    // resy may end before it has read everything.
    let _ = child.stdin.as_mut().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("resy ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn interactive_steps_are_undone() {
    let scratch = Scratch::new("undo").expect("a folder");
    let model = scratch.path().join("m.pml");
    let text = "byte x;\nactive proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }\n";
    std::fs::write(&model, text).expect("a file");
    let (text, code) = by_hand(&model, "2\n1\nq\n");
    assert!(text.contains("assertion violated"), "{text}");
    assert!(text.contains("no step, u to undo"), "it stops at the failed assertion: {text}");
    assert_eq!(code, Some(1), "{text}");
    let (text, code) = by_hand(&model, "2\n1\nu\nu\nu\n1\n1\n");
    assert!(text.contains("back after step 1") && text.contains("back after step 0"), "{text}");
    assert!(text.contains("`u` is not a choice"), "there is nothing before the start: {text}");
    assert_eq!(code, Some(0), "the other choice is right: {text}");
}

#[test]
fn spin_replays_our_trails() {
    let scratch = Scratch::new("trail").expect("a folder");
    for name in ["lock_order", "double_leader", "assert_in_atomic", "assert_in_dstep"] {
        let model = models_dir().join("violated").join(format!("{name}.pml"));
        let trail = scratch.path().join(format!("{name}.trail"));
        let trail = trail.to_str().expect("a plain path");
        let model = model.to_str().expect("a plain path");
        assert_eq!(code(&["check", "-q", "--trail", trail, model]), 1);
        let replay = Command::new("spin")
            .current_dir(scratch.path())
            .args(["-t", "-k", trail, model])
            .output()
            .expect("spin is installed");
        let text = String::from_utf8_lossy(&replay.stdout);
        assert!(text.contains("trail ends after"), "{name}: {text}");
        assert!(!text.contains("not enabled") && !text.contains("step aborted"), "{name}: {text}");
        let ours = resy(&["simulate", "-q", "--trail", trail, model]);
        assert_eq!(ours.status.code(), Some(1), "{name}: our own replay ends in the violation");
    }
}

#[test]
fn a_wrong_trail_is_refused() {
    let scratch = Scratch::new("trail").expect("a folder");
    let trail = scratch.path().join("wrong.trail");
    for text in ["1:0:9999\n", "no trail\n", "-1:-1:-1\n1:0:9999\n"] {
        std::fs::write(&trail, text).expect("a file");
        let trail = trail.to_str().expect("a plain path");
        assert_eq!(code(&["simulate", "-q", "--trail", trail, "mutex/peterson.pml"]), 2, "{text}");
    }
}

/// A closed pipe is no error: the exit code is that of the verdict.
#[test]
fn a_closed_pipe_is_no_trouble() {
    let model = models_dir().join("violated/lock_order.pml");
    let model = model.to_str().expect("a plain path");
    let calls = [
        (&["check", "-v", model][..], Some(1)),
        (&["check", "--json", model], Some(1)),
        (&["simulate", "--seed", "1", model], None),
        (&["fmt", model], Some(0)),
        (&["man"], Some(0)),
        (&["completions", "bash"], Some(0)),
        (&["--help"], Some(0)),
        (&["check", "no-such-file.pml"], Some(2)),
    ];
    for (args, code) in calls {
        for both in [false, true] {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
            let errors = writer.try_clone().expect("a pipe");
            command.args(args).stdout(writer);
            if both {
                command.stderr(errors);
            } else {
                drop(errors);
                command.stderr(std::process::Stdio::piped());
            }
            drop(reader);
            let output = command.spawn().expect("resy runs").wait_with_output().expect("it ends");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!text.contains("panicked"), "{args:?}: {text}");
            assert!(code.is_none_or(|c| output.status.code() == Some(c)), "{args:?}: {output:?}");
            assert!(output.status.code().is_some_and(|c| c < 4), "{args:?}: {output:?}");
        }
    }
}
