//! Every model of the repository through the compositional engines, against its truth.
//!
//! An engine may say that it does not know, never something else. How often it does not know is
//! counted, so that silence cannot pass for success; no clock has a part in it, so that the counts
//! are exact. What holds has a certificate that is accepted. A crash fails.

use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Runs resy; its exit code, and its JSON report if it writes one.
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

/// Whether a verdict contradicts the truth. Spin reports runtime errors as failed assertions.
fn differs(truth: &str, property: &str, found: &BTreeMap<String, String>) -> bool {
    let is = |name: &str, verdict: &str| found.get(name).is_some_and(|v| v == verdict);
    match property {
        "assertions" if truth == "fails" => is("assertions", "holds") && is("runtime", "holds"),
        "assertions" => is("assertions", "fails") || is("runtime", "fails"),
        _ if truth == "fails" => is(property, "holds"),
        _ => is(property, "fails"),
    }
}

/// A limit that no run reaches: a verdict that depends on the clock is an error.
const PATIENCE: [&str; 2] = ["--timeout", "300"];

/// What a report says that contradicts the truth, or is said without evidence.
fn examine(fixture: &Fixture, (exit, report): &(i32, Option<Value>)) -> Tally {
    let mut tally = Tally::default();
    let Some(report) = report else {
        tally.wrong(format!("exit {exit} without a report"));
        return tally;
    };
    let found = verdicts(report);
    for (property, truth) in &fixture.verdicts {
        if differs(truth, property, &found) {
            tally.wrong(format!("{property} {truth}, found {found:?}"));
        }
    }
    for property in report["properties"].as_array().into_iter().flatten() {
        let reason = property["reason"].as_str().unwrap_or_default();
        if reason.contains("time limit") || reason.contains("time or memory") {
            tally.wrong(format!("{} is not decided in time", property["name"]));
        }
        if property["verdict"] == "fails" && property["counterexample"].is_null() {
            tally.wrong(format!("{}: a violation without a run", property["name"]));
        }
    }
    let unsure = found.values().filter(|v| *v == "unknown").count();
    tally.count("decided properties", found.len() - unsure);
    let reason = report["properties"][0]["reason"].as_str().unwrap_or_default();
    // A program of one process has no environment.
    if unsure > 0 && reason != "the module is the whole network" {
        eprintln!("unknown: {reason}");
        tally.count("unknown models", 1);
    }
    tally
}

/// What an engine says of a model; what holds has a certificate that is accepted.
fn with_certificate(fixture: &Fixture, engine: &str) -> Tally {
    let scratch = Scratch::new(engine).expect("a folder");
    let file = scratch.path().join("certificate");
    let file = file.to_str().expect("a name that is text");
    let whole = ["check", "--engine", engine, "--without", "end-states"];
    let call = [&whole[..], &["--exhaustive", "--certificate", file]].concat();
    let answer = resy(fixture, &[&call[..], &PATIENCE].concat());
    let mut tally = examine(fixture, &answer);
    if std::fs::exists(file).expect("a readable folder") {
        tally.count("certificates", 1);
        let recheck = Command::new(env!("CARGO_BIN_EXE_resy")).args(["recheck", file]).output();
        if !recheck.expect("resy runs").status.success() {
            tally.wrong("the certificate is rejected");
        }
    }
    tally
}

static REQUIREMENT: PerModel<Tally> = PerModel::new(|f| with_certificate(f, "requirement"));
static NETWORK: PerModel<Tally> = PerModel::new(|f| with_certificate(f, "network"));
resy_testkit::each_model!(requirement, crate::compositional::requirement_agrees);
resy_testkit::each_model!(network, crate::compositional::network_agrees);

fn requirement_agrees(fixture: &Fixture) {
    REQUIREMENT.assert_right(fixture);
}

fn network_agrees(fixture: &Fixture) {
    NETWORK.assert_right(fixture);
}

/// What cannot be decided is so for a reason in the model (priorities, processes created late, ends of
/// runs, conditions of claims that may have no value, infinite runs that need fairness), never for lack of time: the
/// numbers are the same everywhere.
#[test]
fn so_many_models_are_not_known() {
    for (outcomes, certificates, unknown) in [(&REQUIREMENT, 203, 6), (&NETWORK, 282, 14)] {
        let total = outcomes.total();
        assert!(total.n("certificates") >= certificates, "{total:?}");
        assert_eq!(total.n("unknown models"), unknown, "{total:?}");
    }
}

/// The one case that does not end in minutes: folding does not stop at a violation that is near.
const BEYOND: (&str, &str) = ("folding", "violated/lost_update");

fn by_method(fixture: &Fixture, method: &str) -> Tally {
    if (method, fixture.name.as_str()) == BEYOND {
        return Tally::default();
    }
    let call = ["check", "--engine", "network", "--method", method];
    examine(fixture, &resy(fixture, &[&call[..], &PATIENCE].concat()))
}

static REFINEMENT: PerModel<Tally> = PerModel::new(|f| by_method(f, "refinement"));
static FOLDING: PerModel<Tally> = PerModel::new(|f| by_method(f, "folding"));
static PRODUCT: PerModel<Tally> = PerModel::new(|f| by_method(f, "product"));
resy_testkit::each_model!(each_method, crate::compositional::methods_agree);

fn methods_agree(fixture: &Fixture) {
    for (method, outcomes) in
        [("refinement", &REFINEMENT), ("folding", &FOLDING), ("product", &PRODUCT)]
    {
        eprintln!("{method}");
        outcomes.assert_right(fixture);
    }
}

#[test]
fn so_many_properties_are_decided_by_each_method() {
    let decided = [&REFINEMENT, &FOLDING, &PRODUCT].map(|m| m.total().n("decided properties"));
    assert!(decided.iter().all(|n| *n >= 722), "{decided:?}");
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
            command.args(["--without", "end-states"]);
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

resy_testkit::each_model!(race, crate::compositional::race_agrees);

/// All engines begin at once, and the first one decides.
fn race_agrees(fixture: &Fixture) {
    let threads = ["1", "2"][fixture.name.len() % 2];
    let call = ["check", "--head-start", "0", "--exhaustive", "--threads", threads];
    let answer = resy(fixture, &call);
    examine(fixture, &answer).assert_right();
    for property in answer.1.iter().flat_map(|r| r["properties"].as_array()).flatten() {
        assert_ne!(property["verdict"], "unknown", "{} is not decided", property["name"]);
    }
}

/// Models whose requirements take minutes by one of the methods.
const LARGE: [&str; 8] = [
    "election/ring_max",
    "election/two_rounds",
    "mutex/bakery",
    "protocols/dining_tickets",
    "protocols/gossip",
    "protocols/producer_consumer",
    "puzzles/parallel_sort",
    "violated/lost_update",
];

/// Both methods find the same requirement of the first component.
fn both_methods(fixture: &Fixture) -> Tally {
    let mut tally = Tally::default();
    if LARGE.contains(&fixture.name.as_str()) {
        return tally;
    }
    let (exit, model) = resy(fixture, &["lts"]);
    let Some(model) = model else {
        assert!(matches!(exit, 2 | 3), "`resy lts` ends with {exit}");
        return tally;
    };
    let Some(module) = model["components"][0]["name"].as_str() else { return tally };
    let size = |method: &str| {
        let call = ["assume", "--module", module, "--method", method];
        let (exit, report) = resy(fixture, &call);
        assert!((0..=3).contains(&exit), "`resy assume` ends with {exit}");
        let report = report.filter(|r| r["interrupted"] == false)?;
        Some((exit, report["verdict"].clone(), report["requirement_states"].clone()))
    };
    if let (Some(refined), Some(exact)) = (size("refine"), size("exact")) {
        if refined != exact {
            tally.wrong(format!("{module}: {refined:?} by refinement, exact: {exact:?}"));
        }
        tally.count("compared", 1);
    }
    tally
}

static BOTH: PerModel<Tally> = PerModel::new(both_methods);
resy_testkit::each_model!(
    both_methods_find_the_same_requirement,
    crate::compositional::same_requirement
);

fn same_requirement(fixture: &Fixture) {
    BOTH.assert_right(fixture);
}

#[test]
fn so_many_requirements_are_compared() {
    let n = BOTH.total().n("compared");
    assert!(n >= 210, "only {n} requirements were compared");
}

#[test]
fn a_requirement_is_written_as_a_picture_and_as_a_page() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/mutex/peterson.pml");
    let write = |name: &str| {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        command
            .args(["assume", model, "--method", "refine", "--module", "User[0]", "-o"])
            .arg(&file);
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
