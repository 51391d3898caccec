//! Every model of the repository through the compositional engines, against its truth.
//!
//! An engine may say that it does not know, never something else. How often it does not know is
//! counted, so that silence cannot pass for success. What holds has a certificate that is accepted.

use resy_testkit::fixtures::{Fixture, fixtures};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Runs resy and reads its JSON; nothing if it has none to give.
fn resy(fixture: &Fixture, arguments: &[&str]) -> (i32, Option<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let (name, options) = arguments.split_first().expect("a command");
    command.arg(name).arg(&fixture.path).args(options);
    command.args(fixture.defines.iter().map(|define| format!("-D{define}")));
    let output = command.args(["--json", "-q"]).output().expect("resy runs");
    let json = serde_json::from_slice(&output.stdout).ok();
    (output.status.code().unwrap_or(101), json)
}

/// The verdicts on a model, by property.
fn verdicts(report: &Value) -> BTreeMap<String, String> {
    let properties = report["properties"].as_array().into_iter().flatten();
    let word = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    properties.map(|p| (word(&p["name"]), word(&p["verdict"]))).collect()
}

/// What the truth says of a property; an assertion of spin's is also a runtime error of ours.
fn differs(truth: &str, property: &str, found: &BTreeMap<String, String>) -> bool {
    let is = |name: &str, verdict: &str| found.get(name).is_some_and(|v| v == verdict);
    match property {
        "assertions" if truth == "fails" => is("assertions", "holds") && is("runtime", "holds"),
        "assertions" => is("assertions", "fails") || is("runtime", "fails"),
        _ if truth == "fails" => is(property, "holds"),
        _ => is(property, "fails"),
    }
}

#[test]
fn the_requirement_engine_agrees_with_the_truth_of_every_model() {
    agrees_with_the_truth("requirement", 40);
}

#[test]
fn the_network_engine_agrees_with_the_truth_of_every_model() {
    agrees_with_the_truth("network", 50);
}

fn agrees_with_the_truth(engine: &str, most_unknown: usize) {
    let (mut decided, mut certified, mut unknown, mut wrong) = (0, 0, Vec::new(), Vec::new());
    let scratch = Scratch::new(engine).expect("a folder");
    let file = scratch.path().join("certificate");
    let file = file.to_str().expect("a name that is text");
    for fixture in fixtures() {
        let call = ["check", "--engine", engine, "--exhaustive", "--timeout", "1"];
        let call = [&call[..], &["--certificate", file]].concat();
        let (exit, report) = resy(&fixture, &call);
        if exit == 0 {
            certified += 1;
            let recheck = Command::new(env!("CARGO_BIN_EXE_resy")).args(["recheck", file]).output();
            if !recheck.expect("resy runs").status.success() {
                wrong.push(format!("{}: the certificate is rejected", fixture.name));
            }
        }
        let Some(report) = report else {
            wrong.push(format!("{}: exit {exit} without a report", fixture.name));
            continue;
        };
        let found = verdicts(&report);
        let unsure = found.values().filter(|v| *v == "unknown").count();
        decided += found.len() - unsure;
        let reason = report["properties"][0]["reason"].as_str().unwrap_or_default();
        // A program of one process has no environment.
        if unsure > 0 && reason != "the module is the whole network" {
            unknown.push(format!("{}: {reason}", fixture.name));
        }
        for (property, truth) in &fixture.verdicts {
            if differs(truth, property, &found) {
                wrong.push(format!("{}: {property} {truth}, found {found:?}", fixture.name));
            }
        }
        for property in report["properties"].as_array().into_iter().flatten() {
            if property["verdict"] == "fails" && property["counterexample"].is_null() {
                wrong.push(format!("{}: a violation without a run", fixture.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{decided} verdicts, not known in {}:\n{}", unknown.len(), unknown.join("\n"));
    assert!(certified >= 150, "only {certified} certificates");
    assert!(
        unknown.len() <= most_unknown,
        "{} are not known:\n{}",
        unknown.len(),
        unknown.join("\n")
    );
}

/// What a report says that contradicts the truth.
fn contradictions(fixture: &Fixture, report: &Value) -> Vec<String> {
    let found = verdicts(report);
    let wrong = fixture.verdicts.iter().filter(|(p, truth)| differs(truth, p, &found));
    wrong.map(|(p, truth)| format!("{}: {p} {truth}, {found:?}", fixture.name)).collect()
}

#[test]
fn each_method_of_the_network_engine_agrees_with_the_truth() {
    for method in ["refinement", "folding", "product"] {
        let (mut decided, mut wrong) = (0, Vec::new());
        for fixture in fixtures().iter().step_by(3) {
            let call = ["check", "--engine", "network", "--method", method, "--timeout", "1"];
            let (_, Some(report)) = resy(fixture, &call) else { continue };
            decided += verdicts(&report).values().filter(|verdict| *verdict != "unknown").count();
            wrong.extend(contradictions(fixture, &report));
        }
        assert!(wrong.is_empty(), "{method}:\n{}", wrong.join("\n"));
        assert!(decided > 100, "{method} has decided {decided} properties only");
    }
}

/// Abstractions of this take minutes, and its states are few; broken, a search by distance sees millions before the violation.
#[test]
fn what_has_few_states_is_decided() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/case_studies/workflow.pml");
    let engines = [&["network"][..], &["requirement", "--module", "Office"]];
    for (variant, code) in [("-DPARTICIPANTS=6", 0), ("-DBROKEN", 1)] {
        for engine in engines {
            let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
            command.args(["check", model, "-DPARTICIPANTS=6", variant, "--timeout", "60"]);
            let output = command.arg("--engine").args(engine).output().expect("resy runs");
            assert_eq!(output.status.code(), Some(code), "{variant} {engine:?}");
        }
    }
}

#[test]
fn a_method_that_the_engine_does_not_know_is_refused() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/mutex/peterson.pml");
    for (engine, method, known) in [
        ("requirement", "refinement", true),
        ("requirement", "folding", false),
        ("requirement", "product", false),
        ("monolithic", "product", false),
        ("network", "product", true),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        command.args(["check", model, "--engine", engine, "--method", method]);
        let output = command.output().expect("resy runs");
        let is_refused = output.status.code() == Some(2);
        assert_ne!(is_refused, known, "{engine} {method}: {:?}", output.status);
    }
}

/// All engines begin at once, and whoever is first decides.
#[test]
fn the_race_agrees_with_the_truth() {
    let mut wrong = Vec::new();
    for (i, fixture) in fixtures().iter().step_by(2).enumerate() {
        let threads = ["1", "2"][i % 2];
        let call = ["check", "--head-start", "0", "--exhaustive", "--threads", threads];
        let (exit, report) = resy(fixture, &call);
        let Some(report) = report else {
            wrong.push(format!("{}: exit {exit} without a report", fixture.name));
            continue;
        };
        wrong.extend(contradictions(fixture, &report));
        for property in report["properties"].as_array().into_iter().flatten() {
            if property["verdict"] == "unknown" {
                wrong.push(format!("{}: {} is not decided", fixture.name, property["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_methods_find_the_same_requirement() {
    let mut compared = 0;
    for fixture in fixtures().into_iter().step_by(6) {
        let (_, Some(model)) = resy(&fixture, &["lts", "--timeout", "1"]) else { continue };
        let components = model["components"].as_array().into_iter().flatten();
        let names = components.filter_map(|c| c["name"].as_str());
        for module in names.take(2) {
            let size = |method: &str| {
                let call = ["assume", "--module", module, "--method", method, "--timeout", "0.5"];
                let (exit, report) = resy(&fixture, &call);
                let report = report.filter(|r| r["interrupted"] == false)?;
                Some((exit, report["verdict"].clone(), report["requirement_states"].clone()))
            };
            let (Some(refined), Some(exact)) = (size("refine"), size("exact")) else { continue };
            assert_eq!(refined, exact, "{} {module}", fixture.name);
            compared += 1;
        }
    }
    assert!(compared >= 50, "only {compared} were compared");
}

#[test]
fn a_requirement_is_written_as_a_picture_and_as_a_page() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/mutex/peterson.pml");
    let write = |name: &str| {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        command.args(["assume", model, "--module", "User[0]", "-o"]).arg(&file);
        let output = command.output().expect("resy runs");
        (output, std::fs::read_to_string(&file).unwrap_or_default())
    };
    let (output, picture) = write("requirement.svg");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(picture.matches("<g class=\"state").count(), 4);
    let (output, page) = write("requirement.html");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(page.matches("<g class=\"state").count(), 4);
    assert!(page.contains(
        "<tr><th scope=\"row\">environment</th><td>User[1], want[0], want[1], turn</td></tr>"
    ));
    let (output, _) = write("requirement.png");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(".svg, .html"), "{said}");
}
