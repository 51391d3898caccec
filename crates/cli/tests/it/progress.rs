//! `--progress json` writes progress for programs; without it, nothing is written.

use resy_testkit::scratch::Scratch;
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

/// The fields of a line about something, beside `elapsed` and `bytes`.
fn fields(about: &str) -> &'static [&'static str] {
    match about {
        "search" => &["states", "states_per_second", "transitions", "frontier", "depth"],
        "refinement" => &["steps", "classes", "contexts"],
        "folding" => &["clusters", "states"],
        "components" | "product" => &["states"],
        "improvement" => &["left"],
        "preparation" => &[],
        other => panic!("nobody knows of `{other}`"),
    }
}

/// What a line is about; it has its fields.
fn about(line: &Value) -> &str {
    let about = line["progress"].as_str().expect("a word");
    for field in fields(about).iter().chain(&["elapsed", "bytes"]) {
        assert!(line[field].is_number(), "{field}: {line}");
    }
    about
}

/// What the lines are about, in order.
fn told_about(lines: &[Value]) -> Vec<&str> {
    elapsed_grows(lines);
    lines.iter().map(about).collect()
}

/// A team takes up the search of one, and tells in the middle of rounds, which are long.
#[test]
fn a_search_tells_programs() {
    let large = "bench/models/leader_ring.pml";
    for n_threads in ["1", "2"] {
        let call = ["check", "--engine", "monolithic", "--plain", "-q", "--timeout", "4", "-DN=6"];
        let output =
            resy(&[&call[..], &["--threads", n_threads, "--progress", "json", large]].concat());
        let lines = lines(&output);
        assert!(lines.len() >= 3, "of four seconds: {lines:?}");
        assert!(told_about(&lines).iter().all(|&about| about == "search"), "{lines:?}");
        let states: Vec<u64> = lines.iter().filter_map(|l| l["states"].as_u64()).collect();
        assert!(states.is_sorted() && states[0] < states[2], "{states:?}");
    }
}

#[test]
fn what_is_not_a_search_tells_programs() {
    let family = |name: &str| format!("bench/families/{name}.pml");
    let (locks, bits) = (family("lock_server"), family("alternating_bit"));
    let (small, net) = ("examples/lock.pml", "docs/examples/buffer.net");
    let contract = ["contract", "init", "-q", "-o", "-"];
    let network = ["check", small, "--engine", "network", "--without", "end-states"];
    for (call, about) in [
        (&["assume", small, "--method", "refine", "--module", "Server"][..], &["refinement"][..]),
        (&[&network[..], &["--method", "refinement"]].concat(), &["refinement"]),
        (&[&network[..], &["--method", "folding"]].concat(), &["folding"]),
        (&["check", net, "--engine", "monolithic"], &["product"]),
        (&["check", net, "--engine", "network", "--method", "folding"], &["folding"]),
        (&["lts", &locks, "-DN=64", "--property", "exclusive"], &["components"]),
        (&[&contract[..], &[small]].concat(), &["refinement", "improvement", "product"]),
        (&[&contract[..], &[&bits, "-DN=3"]].concat(), &["refinement", "folding", "improvement"]),
    ] {
        let output = resy(&[call, &["--progress", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{call:?}");
        let lines = lines(&output);
        let told = told_about(&lines);
        for wanted in about {
            assert!(told.contains(wanted), "{call:?}: {wanted} is not among {told:?}");
        }
        let has_size = lines.iter().any(|line| line["requirement"].is_number());
        assert_eq!(has_size, call[0] == "assume", "{lines:?}");
    }
}

/// A model that takes long to read.
#[test]
fn reading_tells_programs() {
    let scratch = Scratch::new("progress").expect("a folder");
    let file = scratch.path().join("long.pml");
    let lines_of_text = "  x = x + 1;\n".repeat(600_000);
    let model = format!("int x; active proctype P() {{\n{lines_of_text}}}\n");
    std::fs::write(&file, model).expect("a file");
    let file = file.display().to_string();
    let output = resy(&["check", "-q", "--json", "--timeout", "0.9", "--progress", "json", &file]);
    assert_eq!(output.status.code(), Some(3), "it takes longer than a second");
    // The last line says why it ended.
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("the time limit was reached while it was read"), "{told}");
    let line = told.lines().find(|line| line.starts_with('{')).expect("a line of progress");
    let line: Value = serde_json::from_str(line).expect("an object");
    assert_eq!(about(&line), "preparation");
}

/// Standard error is no terminal here.
#[test]
fn who_does_not_ask_is_told_nothing() {
    let network = ["--engine", "network", "--without", "end-states"];
    let engines = [&["--engine", "monolithic", "--plain"][..], &network, &[]];
    for engine in engines {
        let call = [&["check", "examples/lock.pml"], engine].concat();
        let output = resy(&call);
        assert!(output.stderr.is_empty(), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for call in [
        &["assume", "examples/lock.pml", "--module", "Server"][..],
        &["lts", "examples/lock.pml"],
        &["check", "docs/examples/buffer.net"],
        &["contract", "init", "docs/examples/buffer.net", "-o", "-"],
    ] {
        let output = resy(call);
        assert!(output.stderr.is_empty(), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
