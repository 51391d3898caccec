//! Symmetry and swarms as users see them.

use resy_testkit::fixtures::models_dir;
use std::process::{Command, Output};

fn check(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(models_dir()).args(["check", "-q", "--engine", "monolithic"]).args(args);
    command.output().expect("resy starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn processes_that_are_alike_are_named() {
    let output = text(&check(&["mutex/test_and_set.pml"]));
    assert!(output.contains("symmetry: 3 `User` alike"), "{output}");
    for option in ["--plain", "--no-symmetry", "--shortest"] {
        let output = text(&check(&[option, "mutex/test_and_set.pml"]));
        assert!(!output.contains("symmetry"), "{option}: {output}");
    }
}

#[test]
fn what_tells_processes_apart_is_said_on_demand() {
    let model = "../bench/models/fischer.pml";
    let why = "processes `Process` are told apart: `lock = _pid + 1`";
    let output = text(&check(&["-v", model]));
    assert!(output.contains(why), "{output}");
    assert!(!text(&check(&[model])).contains("told apart"));
}

/// All ways to have a number, with a violation whose run is replayed on the program.
#[test]
fn numbers_are_found_in_every_form() {
    for (file, name) in [("lock_server", "Client"), ("cache", "Cache"), ("mutex_queue", "Process")]
    {
        let file = format!("../bench/symmetry/{file}.pml");
        let output = check(&["-DN=3", "-DBROKEN", &file]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        let output = check(&["-DN=3", &file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let words = format!("symmetry: 3 `{name}` alike");
        assert!(text(&output).contains(&words), "{}", text(&output));
    }
}

#[test]
fn a_swarm_finds_a_violation_and_proves_nothing() {
    let violated = ["--swarm", "--seed", "5", "--as-found", "violated/lost_update.pml"];
    let output = check(&violated);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("seed 5"), "{}", text(&output));
    let lines = |output: &Output| -> Vec<String> {
        text(output).lines().filter(|line| !line.contains(" s, ")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&output), lines(&check(&violated)), "the same seed, another run");
    assert!(!text(&output).contains("no violation found"), "{}", text(&output));
    // Plans lead a directed search astray here: it has to leave time for the others.
    let astray = ["--swarm", "--as-found", "-DSHORT", "../bench/models/sliding_window.pml"];
    let output = check(&astray);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let output = check(&["--swarm", "mutex/peterson.pml"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(text(&output).contains("no violation found"), "{}", text(&output));
}
