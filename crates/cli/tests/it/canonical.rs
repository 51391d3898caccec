//! The run that is shown is the same whichever engine finds the violation, with any number of threads, and while
//! other programs use the processor.

use resy_testkit::fixtures::models_dir;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Violated models: assertions, end states, claims, runtime errors, several of them.
const MODELS: [&str; 12] = [
    "violated/abp_without_bit",
    "violated/both_kinds",
    "violated/broken_sort",
    "violated/double_leader",
    "violated/lock_order",
    "violated/lost_update",
    "violated/missed_signal",
    "violated/naive_mutex",
    "violated/peterson_swapped",
    "violated/readers_see_torn_value",
    "violated/two_phase_late_flag",
    "violated/vending_machine",
];

/// Calls that answer for all properties at once: they show the same verdicts too.
const WHOLE: [&[&str]; 5] = [
    &["--head-start", "0", "--threads", "1"],
    &["--head-start", "0", "--threads", "2"],
    &["--engine", "monolithic", "--threads", "4", "--alone", "0"],
    &["--engine", "monolithic", "--dfs"],
    &["--engine", "monolithic", "--plain"],
];

/// Calls of the engines that do not decide end states.
const PARTS: [&[&str]; 2] = [
    &["--engine", "network", "--without", "end-states"],
    &["--engine", "requirement", "--without", "end-states"],
];

/// The verdict on each property, and the run of each that fails.
struct Shown {
    verdicts: BTreeMap<String, String>,
    runs: BTreeMap<String, Value>,
}

fn check(model: &str, words: &[&str]) -> Shown {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["check", "-q", "--json"])
        .args(words)
        .arg(models_dir().join(format!("{model}.pml")))
        .output()
        .expect("resy runs");
    let object: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{model} {words:?}: {e}: {output:?}"));
    let (mut verdicts, mut runs) = (BTreeMap::new(), BTreeMap::new());
    for property in object["properties"].as_array().expect("a list") {
        let name = property["name"].as_str().expect("a name").to_owned();
        verdicts.insert(name.clone(), property["verdict"].as_str().expect("a word").to_owned());
        let run = &property["counterexample"];
        if !run.is_null() {
            assert_eq!(run["canonical"], true, "{model} {words:?}: the model is small");
            runs.insert(name, run["steps"].clone());
        }
    }
    Shown { verdicts, runs }
}

#[test]
fn the_run_does_not_depend_on_who_finds_it() {
    let is_over = AtomicBool::new(false);
    let spin = || {
        while !is_over.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(spin);
        for model in MODELS {
            let first = check(model, &["--engine", "monolithic", "--threads", "1"]);
            assert!(!first.runs.is_empty(), "{model} is violated");
            for words in WHOLE {
                let shown = check(model, words);
                assert_eq!(shown.verdicts, first.verdicts, "{model} {words:?}");
                assert_eq!(shown.runs, first.runs, "{model} {words:?}");
            }
            for words in PARTS {
                for (property, run) in check(model, words).runs {
                    let other = first.runs.get(&property);
                    assert!(
                        other.is_none_or(|other| *other == run),
                        "{model} {words:?}: {property}"
                    );
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

/// A violation beyond the budget of transitions: only what is up to chance is marked.
#[test]
fn a_run_beyond_the_budget_is_marked() {
    let text = "byte a, b, c, d; active proctype P() { do :: a++ :: b++ :: c++ :: d++ :: \
                (a == 4 && b == 70 && c == 4 && d == 3) -> assert(false) od }";
    let scratch = resy_testkit::scratch::Scratch::new("canonical").expect("a folder");
    let file = scratch.path().join("far.pml");
    std::fs::write(&file, text).expect("a file");
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        command.args(["check", "--without", "end-states"]).args(words).arg(&file);
        command.output().expect("resy runs")
    };
    let canonical = |words: &[&str]| {
        let output = run(&[words, &["--json"]].concat());
        let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
        let properties = object["properties"].as_array().expect("a list").clone();
        let mut runs = properties.into_iter().map(|p| p["counterexample"].clone());
        let run = runs.find(|run| !run.is_null()).unwrap_or_else(|| panic!("{output:?}"));
        run["canonical"].as_bool()
    };
    assert_eq!(canonical(&["--engine", "monolithic", "--threads", "1"]), Some(true));
    assert_eq!(canonical(&["--as-found"]), Some(false));
    // Its methods race.
    assert_eq!(canonical(&["--engine", "network"]), Some(false));
    let shown = run(&["--head-start", "0"]);
    assert_eq!(shown.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("the run shown is not canonical"), "{shown}");
}
