//! What a counterexample is shown as, and that it stays one.

use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn resy(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("resy runs");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("resy ends")
}

fn text(args: &[&str]) -> (Option<i32>, String) {
    let output = resy(args, "");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(args).1).unwrap_or_else(|e| panic!("{args:?}: {e}"))
}

/// The violated properties: name, reason, number of steps.
fn violated(args: &[&str]) -> Vec<(String, String, usize)> {
    let result = json(args);
    let properties = result["properties"].as_array().expect("a list").clone();
    let violated = properties.into_iter().filter(|p| p["verdict"] == "fails");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let length = |p: &Value| p["counterexample"]["steps"].as_array().expect("steps").len();
    violated.map(|p| (word(&p["name"]), word(&p["reason"]), length(&p))).collect()
}

/// The canonical run of a property is not longer than the one that was found, and replays. Of several violated
/// properties, others may be found first.
fn shorter(fixture: &Fixture) -> Tally {
    let mut tally = Tally::default();
    if !fixture.verdicts.iter().any(|(_, verdict)| verdict == "fails") {
        return tally;
    }
    let scratch = Scratch::new("shorter").expect("a folder");
    let trail = scratch.path().join("trail");
    let trail = trail.to_str().expect("UTF-8");
    let mut args =
        vec!["check", "--json", "-q", "--engine", "monolithic", "--dfs", "--trail", trail];
    let defines: Vec<String> = fixture.defines.iter().map(|d| format!("-D{d}")).collect();
    args.extend(defines.iter().map(String::as_str));
    args.push(fixture.path.to_str().expect("UTF-8"));
    let (as_found, shorter) = (violated(&[&args[..], &["--as-found"]].concat()), violated(&args));
    assert_eq!(as_found.is_empty(), shorter.is_empty());
    for short in &shorter {
        let Some(found) = as_found.iter().find(|found| found.0 == short.0) else { continue };
        assert!(short.2 <= found.2, "{} became {}", found.2, short.2);
        tally.count("shorter", usize::from(short.2 < found.2));
    }
    // Some errors are met by looking for steps: no step of the run shows them.
    let is_step = |name: &str| ["assertions", "end-states", "trace"].contains(&name);
    if shorter.first().is_some_and(|(name, ..)| is_step(name)) {
        let path = fixture.path.to_str().expect("UTF-8");
        let mut args = vec!["simulate", "-q", "--trail", trail, path];
        args.extend(defines.iter().map(String::as_str));
        assert_eq!(text(&args).0, Some(1), "it replays to its violation");
        tally.count("replayed", 1);
    }
    tally
}

static SHORTER: PerModel<Tally> = PerModel::new(shorter);
resy_testkit::each_model!(the_canonical_run_is_short_and_replays, crate::counterexamples::case);

fn case(fixture: &Fixture) {
    SHORTER.assert_right(fixture);
}

#[test]
fn enough_runs_become_shorter() {
    let total = SHORTER.total();
    let (n_shorter, n_replayed) = (total.n("shorter"), total.n("replayed"));
    assert!(n_shorter >= 8, "only {n_shorter} runs became shorter");
    assert!(n_replayed >= 30, "only {n_replayed} runs were replayed");
}

#[test]
fn runs_of_assume_and_spin_are_made_shorter_too() {
    let scratch = Scratch::new("shorter").expect("a folder");
    let trail = scratch.path().join("trail");
    let trail = trail.to_str().expect("UTF-8");
    let length = |told: &Value| told["counterexample"]["steps"].as_array().map_or(0, Vec::len);
    let assume = |more: &[&str]| {
        let call = ["assume", "-q", "--json", "violated/two_phase_late_flag.pml"];
        let how = ["--method", "refine", "--module", "Participant"];
        length(&json(&[&call[..], &how, more].concat()))
    };
    let (found, shorter) = (assume(&["--as-found"]), assume(&[]));
    assert!(0 < shorter && shorter < found, "assume: {found} became {shorter}");

    let model = "violated/abp_without_bit.pml";
    let spin = |more: &[&str]| {
        let call = ["spin", "-q", "--json", "--always", "--trail", trail, model];
        length(&json(&[&call[..], &["--module", "Sender"], more].concat())["properties"][0])
    };
    let (found, shorter) = (spin(&["--as-found"]), spin(&[]));
    assert!(0 < shorter && shorter < found, "spin: {found} became {shorter}");
    let (code, _) = text(&["simulate", "-q", "--trail", trail, model]);
    assert_eq!(code, Some(1), "it replays to its violation");
}

#[test]
fn every_format_has_the_exit_code_of_the_verdict() {
    for format in ["text", "json", "sarif", "itf", "mermaid"] {
        let check = |model| text(&["check", "-q", "--format", format, model]);
        let (code, shown) = check("violated/lock_order.pml");
        assert!(code == Some(1) && !shown.is_empty(), "{format}");
        let (code, shown) = check("mutex/peterson.pml");
        assert_eq!(code, Some(0), "{format}");
        assert_eq!(shown.is_empty(), ["itf", "mermaid"].contains(&format), "{format}: {shown}");
        assert_eq!(check("refused/undeclared_variable.pml").0, Some(2), "{format}");
    }
}

#[test]
fn errors_in_the_model_are_results_of_sarif() {
    let args = ["check", "-q", "--format", "sarif"];
    let log = json(&[&args[..], &["refused/undeclared_variable.pml"]].concat());
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "E0301");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "refused/undeclared_variable.pml");
    assert!(place["region"]["startLine"].as_u64() > Some(0));
    // Standard input can be read once only.
    let model = "active proctype P() { x = 1 }\n";
    let output = resy(&[&args[..], &["-"]].concat(), model);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "E0301");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn charts_are_written_by_extension() {
    let scratch = Scratch::new("chart").expect("a folder");
    for (extension, start) in [("svg", "<svg"), ("mmd", "sequenceDiagram"), ("txt", " ")] {
        let file = scratch.path().join(format!("chart.{extension}"));
        let option = format!("--chart={}", file.display());
        let (code, shown) = text(&["check", "-q", &option, "violated/lock_order.pml"]);
        assert!(code == Some(1) && shown.contains("step  process"), "the table is still there");
        assert!(std::fs::read_to_string(file).expect("a chart").starts_with(start));
    }
    assert_eq!(text(&["check", "-q", "--chart=x.bmp", "violated/lock_order.pml"]).0, Some(2));
    let network = "../docs/examples/overflow.net";
    assert_eq!(text(&["check", "-q", "--chart", network]).0, Some(2), "it has no processes");
}

#[test]
fn terminals_that_know_ascii_only_get_nothing_else() {
    for (locale, is_ascii) in [("C", true), ("en_US.UTF-8", false)] {
        let output = Command::new(env!("CARGO_BIN_EXE_resy"))
            .current_dir(models_dir())
            .env("LC_ALL", locale)
            .args(["check", "-q", "--chart", "violated/vending_machine.pml"])
            .output()
            .expect("resy runs");
        assert_eq!(output.stdout.is_ascii(), is_ascii);
    }
}

#[test]
fn a_trail_is_walked_along_forwards_and_back() {
    let scratch = Scratch::new("stroll").expect("a folder");
    let trail = scratch.path().join("trail");
    let trail = trail.to_str().expect("UTF-8");
    let model = "violated/lock_order.pml";
    assert_eq!(text(&["check", "-q", "--trail", trail, model]).0, Some(1));
    let walk = |keys: &str| {
        let output = resy(&["simulate", "-i", "--trail", trail, model], keys);
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (code, shown) = walk("\np\np\n2\ns\nn\n4\nn\n9\nwhat\nq\n");
    assert_eq!(code, Some(1), "it ends as the run does");
    for expected in ["[0/4]     1 Q(1)", "[1/4]       the start", "this is the start", "b = 1"] {
        assert!(shown.contains(expected), "`{expected}` is not in {shown}");
    }
    for expected in
        ["[2/4]     3 P(0)", "this is the end", "there are 4 steps", "`what` means nothing"]
    {
        assert!(shown.contains(expected), "`{expected}` is not in {shown}");
    }
    assert_eq!(walk("").0, Some(1), "the end of the input is the end");
}
