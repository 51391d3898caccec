//! `resy spin`: what it hands over, what it says about it, and what it leaves behind.

use resy_testkit::fixtures::{fixtures, models_dir};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(models_dir()).arg("spin").args(args);
    command
}

fn resy(args: &[&str]) -> Output {
    command(args).output().expect("resy runs")
}

fn json(output: &Output) -> Value {
    let complaint = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {complaint}"))
}

fn file(folder: &Scratch, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

fn property<'j>(json: &'j Value, name: &str) -> &'j Value {
    let properties = json["properties"].as_array().expect("a list");
    properties.iter().find(|p| p["name"] == name).unwrap_or_else(|| panic!("no {name}: {json}"))
}

#[test]
fn a_smaller_model_is_handed_over() {
    let args = ["mutex/semaphore_channel.pml", "--module", "Semaphore", "--always", "--json"];
    let output = resy(&args);
    assert_eq!(output.status.code(), Some(0));
    let json = json(&output);
    let assertions = property(&json, "assertions");
    assert_eq!(
        (&assertions["verdict"], &assertions["decided_by"]),
        (&"holds".into(), &"spin".into())
    );
    let number = |value: &Value| value.as_u64().expect("a number");
    assert!(number(&assertions["requirement_states"]) < number(&assertions["module_states"]));
    let states = |when: &str| number(&assertions[when]["states"]);
    assert!(states("after") < states("before"), "{assertions}");
    assert_eq!(json["not_checked"][0]["name"], "end-states");
}

#[test]
fn what_is_decided_on_the_way_is_not_handed_over() {
    let output = resy(&["mutex/semaphore_channel.pml", "--module", "Semaphore"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("decided on the way") && !text.contains("end states"), "{text}");
}

#[test]
fn a_violation_is_a_run_of_the_model_itself() {
    let folder = Scratch::new("handover").expect("a folder");
    let trail = folder.path().join("run.trail");
    let trail = trail.display().to_string();
    let model = "violated/abp_without_bit.pml";
    let args = [model, "--module", "Sender", "--always", "--json", "--trail", &trail];
    let output = resy(&args);
    assert_eq!(output.status.code(), Some(1));
    let json = json(&output);
    let steps = property(&json, "assertions")["counterexample"]["steps"].as_array();
    assert!(steps.is_some_and(|steps| steps.len() > 3), "{json}");
    let mut simulate = Command::new(env!("CARGO_BIN_EXE_resy"));
    simulate.current_dir(models_dir()).args(["simulate", model, "--trail", &trail]);
    let replayed = simulate.output().expect("resy runs");
    let text = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert_eq!(replayed.status.code(), Some(1), "{text}");
    assert!(text.contains("assertion violated: v == last + 1"), "{text}");
}

#[test]
fn claims_keep_their_verdicts() {
    let folder = Scratch::new("handover").expect("a folder");
    let text = |order: &str| {
        format!(
            "byte x, y; chan q = [1] of {{ byte }};
             active proctype M() {{ do :: x == 0 -> {order} od }}
             active proctype E() {{ byte v; do :: q?v; y = 0; x = 0 od }}
             ltl p {{ [] (y <= x) }}"
        )
    };
    for (order, verdict) in [("x = 1; y = 1; q!1", "holds"), ("y = 1; x = 1; q!1", "fails")] {
        let model = file(&folder, "model.pml", &text(order));
        let output = resy(&[&model, "--module", "M", "--always", "--json", "--property", "p"]);
        let json = json(&output);
        let p = property(&json, "p");
        assert_eq!((&p["verdict"], &p["kept"]), (&verdict.into(), &Value::Null), "{json}");
        assert_eq!(p["counterexample"].is_null(), verdict == "holds");
    }
}

#[test]
fn a_module_that_cannot_be_written_is_kept() {
    let folder = Scratch::new("handover").expect("a folder");
    let text = "chan rv = [0] of { byte }; byte x;
active proctype M() { byte k; do :: k < 3 -> k++; atomic { x == 1 -> rv!3 } od }
active proctype E() { byte v; do :: rv?v; assert(x < 2) :: x = 1 :: x = 0 od }";
    let model = file(&folder, "model.pml", text);
    let output = resy(&[&model, "--module", "M", "--always", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let json = json(&output);
    let assertions = property(&json, "assertions");
    let kept = assertions["kept"].as_str().expect("a reason");
    assert!(kept.contains("model.pml:2") && kept.contains("`M>E: rv!3; x==1`"), "{kept}");
    assert_eq!(assertions["verdict"], "holds");
}

#[test]
fn nothing_is_left_behind_unless_it_is_kept() {
    let folder = Scratch::new("handover").expect("a folder");
    let inside = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let args = ["mutex/semaphore_channel.pml", "--module", "Semaphore", "--always"];
    let run = |more: &[&str]| {
        let output = command(&args).args(more).env("TMPDIR", folder.path()).output();
        String::from_utf8_lossy(&output.expect("resy runs").stdout).into_owned()
    };
    run(&[]);
    assert_eq!(inside(), 0);
    let text = run(&["--keep"]);
    assert_eq!(inside(), 1);
    let path = text.lines().find_map(|line| line.trim().strip_prefix("generated")).expect("a path");
    let generated = std::fs::read_to_string(path.trim()).expect("the generated model");
    assert!(generated.contains("; goto R"), "{generated}");
}

#[test]
fn without_spin_or_a_compiler_the_package_is_named() {
    let folder = Scratch::new("handover").expect("a folder");
    let args = ["mutex/semaphore_channel.pml", "--module", "Semaphore", "--always"];
    let complaint = || {
        let output = command(&args).env("PATH", folder.path()).output().expect("resy runs");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(complaint().contains("apt install spin"));
    file(&folder, "spin", "");
    assert!(complaint().contains("apt install gcc"));
}

#[test]
fn flags_are_handed_on() {
    let args = ["mutex/semaphore_channel.pml", "--module", "Semaphore", "--always", "--json"];
    let output = resy(&[&args[..], &["--", "-m3", "-DNOREDUCE"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let json = json(&output);
    assert_eq!(property(&json, "assertions")["after"]["complete"], false);
}

#[test]
fn a_time_limit_ends_spin_as_well() {
    let folder = Scratch::new("handover").expect("a folder");
    let text = "int a, b, c, d; byte x;
active proctype A() { do :: a = (a + 1) % 900 :: a = 0 od }
active proctype B() { do :: b = (b + 1) % 900 :: b = 0 od }
active proctype C() { do :: c = (c + 1) % 900 :: c = 0 od }
active proctype M() { byte k; do :: k < 9 -> k++; x = k :: k = 0 od }
active proctype E() { do :: assert(x < 10) od }";
    let model = file(&folder, "model.pml", text);
    let start = std::time::Instant::now();
    let args = [&model, "--module", "M", "--always", "--timeout", "4", "--property", "assertions"];
    let output = resy(&args);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn bad_calls_are_refused() {
    let complaint = |args: &[&str]| {
        let output = resy(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let model = "mutex/semaphore_channel.pml";
    assert!(complaint(&[model, "--module", "Nobody"]).contains("User[1]"));
    assert!(complaint(&[model, "--module", "Semaphore,User"]).contains("whole"));
    assert!(complaint(&[model]).contains("--module"));
    let threshold = ["--module", "Semaphore", "--threshold", "much"];
    assert!(complaint(&[&[model], &threshold[..]].concat()).contains("neither a number"));
}

/// Violated models, each with its first process as the module: spin sees the violation in what it is
/// given, and there is a run of the model.
#[test]
fn violated_models_stay_violated() {
    let fails = |verdicts: &[(String, String)]| {
        verdicts.iter().any(|(name, verdict)| name == "assertions" && verdict == "fails")
    };
    let mut found = 0;
    for fixture in fixtures().iter().filter(|f| fails(&f.verdicts)) {
        let Some(module) = first_process(&fixture.path) else { continue };
        let path = fixture.path.display().to_string();
        let mut args = vec![&path[..], "--module", &module, "--always", "--json"];
        args.extend(["--property", "assertions", "--timeout", "20"]);
        let defines: Vec<String> = fixture.defines.iter().map(|d| format!("-D{d}")).collect();
        args.extend(defines.iter().map(String::as_str));
        // Small models: a verifier that is optimised and has large tables takes longer to make than to run.
        args.extend(["--", "-O0", "-m100000", "-w18"]);
        let output = resy(&args);
        if output.status.code() == Some(2) {
            // The module is the whole program.
            continue;
        }
        let json = json(&output);
        let answer = property(&json, "assertions");
        if answer["reason"] == "the time limit was reached" {
            continue;
        }
        // Spin's verdict covers runtime errors, ours does not: it need not be the same kind.
        assert_eq!(answer["verdict"], "fails", "{}: {json}", fixture.name);
        assert!(!answer["counterexample"].is_null(), "{}", fixture.name);
        found += 1;
        if found == 6 {
            break;
        }
    }
    assert!(found >= 5, "only {found} models were handed over");
}

/// The first active proctype, as one process if it has several.
fn first_process(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with("active"))?;
    let name = line.split("proctype").nth(1)?.split('(').next()?.trim();
    Some(if line.contains('[') { format!("{name}[0]") } else { name.to_owned() })
}

#[test]
fn infinite_runs_are_asked_of_the_model_as_it_is() {
    let model =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/liveness/05_weak_not_strong.pml");
    let ask = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        command.args(["spin", model, "--module", "A", "--property", "served"]).args(words);
        let output = command.args(["--", "-O0"]).output().expect("resy can be run");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for fairness in ["none", "weak"] {
        let (code, text) = ask(&["--fair", fairness]);
        assert_eq!(code, Some(1), "{fairness}: {text}");
        assert!(text.contains("acceptance cycle") || text.contains("repeated for ever"), "{text}");
    }
    assert_eq!(ask(&["--fair", "strong"]).0, Some(3));
}

/// By definition the claim is violated; spin finds nothing.
#[test]
fn a_run_that_ends_is_not_missed_under_fairness() {
    let model =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/liveness/65_stutter_fair_two_procs.pml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.args(["spin", model, "--module", "A", "--property", "b", "--fair", "weak"]);
    let output = command.args(["--", "-O0"]).output().expect("resy can be run");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Spin's counter of fairness has room for ten processes, unless it is compiled again.
#[test]
fn many_processes_are_counted_under_fairness() {
    let folder = Scratch::new("many").expect("a folder");
    let model =
        file(&folder, "many.pml", "bit x; active [12] proctype A() { do :: x = 1 - x od }\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.args(["spin", "--module", "A[0]", "--property", "progress", "--fair", "weak", &model]);
    let output = command.args(["--", "-O0"]).output().expect("resy can be run");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
}
