//! `--progress json`: a program can follow; who does not ask is told nothing.

use serde_json::Value;
use std::process::{Command, Output};

fn resy(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(words)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("resy runs")
}

/// The lines on standard error, each a JSON object.
fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stderr);
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(parse).collect()
}

fn elapsed_grows(lines: &[Value]) {
    let elapsed: Vec<f64> =
        lines.iter().map(|l| l["elapsed"].as_f64().expect("a number")).collect();
    assert!(elapsed.windows(2).all(|pair| pair[0] < pair[1]), "{elapsed:?}");
}

#[test]
fn a_search_tells_programs() {
    let large = "bench/models/leader_ring.pml";
    // Several threads tell at the end of a round, and rounds are long.
    for (n_threads, n_lines) in [("1", 3), ("2", 1)] {
        let call = ["check", "--engine", "monolithic", "--plain", "-q", "--timeout", "3", "-DN=6"];
        let output =
            resy(&[&call[..], &["--threads", n_threads, "--progress", "json", large]].concat());
        let lines = lines(&output);
        assert!(lines.len() >= n_lines, "of three seconds: {lines:?}");
        elapsed_grows(&lines);
        for line in &lines {
            assert_eq!(line["progress"], "search");
            for field in
                ["states", "states_per_second", "transitions", "frontier", "depth", "bytes"]
            {
                assert!(line[field].is_number(), "{field}: {line}");
            }
        }
        let states: Vec<u64> = lines.iter().filter_map(|l| l["states"].as_u64()).collect();
        assert!(states.is_sorted(), "{states:?}");
    }
}

#[test]
fn a_refinement_tells_programs() {
    let assume = ["assume", "examples/lock.pml", "--module", "Server", "-q", "--progress", "json"];
    let network = ["check", "examples/lock.pml", "--engine", "network", "-q", "--progress", "json"];
    for call in [&assume[..], &network] {
        let output = resy(call);
        assert_eq!(output.status.code(), Some(0), "{call:?}");
        let lines = lines(&output);
        assert!(!lines.is_empty(), "{call:?}");
        elapsed_grows(&lines);
        for line in &lines {
            assert_eq!(line["progress"], "refinement");
            for field in ["steps", "classes", "contexts", "bytes"] {
                assert!(line[field].is_number(), "{field}: {line}");
            }
        }
        assert_eq!(lines[0]["requirement"].is_number(), call[0] == "assume", "{}", lines[0]);
    }
}

/// Standard error is no terminal here.
#[test]
fn who_does_not_ask_is_told_nothing() {
    let engines = [&["--engine", "monolithic", "--plain"][..], &["--engine", "network"], &[]];
    for engine in engines {
        let call = [&["check", "examples/lock.pml"], engine].concat();
        let output = resy(&call);
        assert!(output.stderr.is_empty(), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = resy(&["assume", "examples/lock.pml", "--module", "Server"]);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
