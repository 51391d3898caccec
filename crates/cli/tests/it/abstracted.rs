//! `resy abstract`: programs with unbounded data, their verdicts, and how the command ends.

use resy_testkit::fixtures::models_dir;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    models_dir().join("unbounded").join(format!("{name}.pml"))
}

fn resy(name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.arg("abstract").arg(model(name)).args(arguments);
    command.output().expect("resy runs")
}

fn json(name: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = resy(name, &[arguments, &["--json"]].concat());
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (output.status.code(), report)
}

/// A text in a file of its own.
fn scratch(name: &str, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("resy-abstract-{}-{name}", std::process::id()));
    std::fs::write(&file, text).expect("the file can be written");
    file
}

fn complaint(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let file = scratch(name, text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.arg("abstract").arg(&file).args(arguments).output().expect("resy runs");
    std::fs::remove_file(file).expect("the file is there");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The rows of a truth: model, property, fairness, verdict.
fn truth(folder: &str) -> Vec<[String; 4]> {
    let text =
        std::fs::read_to_string(models_dir().join("unbounded").join(folder).join("truth.tsv"));
    let text = text.expect("the truth can be read");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    rows.map(|line| row(line).try_into().expect("four columns")).collect()
}

#[test]
fn every_row_of_the_truth_is_decided_or_open_and_never_wrong() {
    for [name, property, fairness, verdict] in truth("") {
        let mut arguments = vec!["--property", &property, "--timeout", "60"];
        if ["weak", "strong"].contains(&fairness.as_str()) {
            arguments.extend(["--fair", &fairness]);
        }
        let (exit, report) = json(&name, &arguments);
        let found = report["verdict"].as_str().expect("a verdict");
        let what = format!("{name} {property} {fairness}: {report:#}");
        match verdict.as_str() {
            "holds" => assert_eq!((found, exit), ("holds", Some(0)), "{what}"),
            "fails" => {
                assert_eq!((found, exit), ("fails", Some(1)), "{what}");
                let run = &report["properties"][0]["counterexample"];
                assert!(run["steps"].as_array().is_some_and(|steps| !steps.is_empty()), "{what}");
            }
            // Not proved without what it needs.
            "open" => assert_ne!(found, "holds", "{what}"),
            other => panic!("a verdict `{other}`"),
        }
    }
}

/// What is true of the programs that were written as users write them, and is not proved.
const UNDECIDED: [(&str, &str); 2] = [("clients", "assertions"), ("queue", "assertions")];

#[test]
fn programs_as_users_write_them_are_decided() {
    for [name, property, fairness, verdict] in truth("users") {
        let is_open = UNDECIDED.contains(&(name.as_str(), property.as_str()));
        let limit = if is_open { "2" } else { "300" };
        let fairness = if fairness == "-" { "none" } else { &fairness };
        let arguments = ["--property", &property, "--fair", fairness, "--timeout", limit];
        let (_, report) = json(&format!("users/{name}"), &arguments);
        let found = report["verdict"].as_str().expect("a verdict");
        let what = format!("{name} {property} {fairness}: {report:#}");
        match is_open {
            true => assert_eq!((verdict.as_str(), found), ("holds", "unknown"), "{what}"),
            false => assert_eq!(found, verdict, "{what}"),
        }
    }
}

#[test]
fn the_published_bases_are_enough() {
    for (name, property) in [
        ("bakery", "mutex"),
        ("fischer", "mutex"),
        ("abp", "prefix"),
        ("brp", "prefix"),
        ("brp", "reports"),
    ] {
        let basis = models_dir().join("unbounded").join(format!("{name}.basis"));
        let basis = basis.to_str().expect("a path");
        let call = ["--property", property, "--predicates", basis, "--fixed-basis"];
        let (exit, report) = json(name, &call);
        assert_eq!(exit, Some(0), "{name}: {report:#}");
        let predicates = report["properties"][0]["predicates"].as_array().expect("a list");
        assert!(predicates.iter().all(|p| p["source"] == "given"), "{name}: {report:#}");
        assert_eq!(report["refinements"], 0);
    }
}

#[test]
fn a_verdict_says_that_it_is_about_unbounded_data() {
    let output = resy("bakery", &["--property", "mutex"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("mutex        holds for unbounded data"), "{text}");
    assert!(text.contains("unbounded: y1, y2; the program"), "{text}");
    assert!(text.contains("assumed: nothing"), "{text}");
    let output = resy("fischer", &["--property", "mutex"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("assumed: 0 < lower && lower <= upper && upper < 2 * lower"), "{text}");
}

#[test]
fn end_states_are_not_checked_and_make_the_total_unknown() {
    let (exit, report) = json("further/bounded_buffer", &[]);
    assert_eq!(exit, Some(3));
    assert_eq!(report["not_checked"][0]["name"], "end-states");
    assert_eq!(report["complete"], false);
    let (exit, report) = json("further/bounded_buffer", &["--without", "end-states"]);
    assert_eq!((exit, &report["complete"]), (Some(0), &true.into()));
    assert_eq!(report["unbounded"], serde_json::json!(["SIZE", "in", "out"]));
    assert_eq!(report["assumed"], serde_json::json!(["SIZE >= 1"]));
    for key in ["schema", "command", "file", "solver", "queries", "refinements", "stats"] {
        assert!(!report[key].is_null(), "{key} is missing");
    }
}

#[test]
fn wrong_annotations_are_errors_with_their_places() {
    let cases = [
        (
            "int x; /*@ unbouned x */ active proctype P() { x++ }",
            "there is no annotation `unbouned`",
            "1:12",
        ),
        (
            "int xx; /*@ unbounded xy */ active proctype P() { xx++ }",
            "there is no variable `xy`; did you mean `xx`?",
            "1:23",
        ),
        (
            "int x;\n/*@ unbounded x; predicate x > z */\nactive proctype P() { x++ }",
            "`z` is not declared",
            "2:32",
        ),
        ("int x;\n/*@ parameter x > 0 */\nactive proctype P() { x++ }", "`x` is assigned", "2:15"),
        (
            "int x;\n/*@ unbounded x; just L */\nactive proctype P() { x++ }",
            "there is no label `L`",
            "2:23",
        ),
        (
            "int x, c; /*@ unbounded x; clock c */ active proctype P() { x = c }",
            "the clock `c` is stored",
            "",
        ),
        (
            "int x; /*@ unbounded x; predicate [] (x > 0) */ active proctype P() { x++ }",
            "no temporal operators",
            "1:35",
        ),
    ];
    for (n, (text, message, place)) in cases.into_iter().enumerate() {
        let (exit, told) = complaint(&format!("wrong{n}.pml"), text, &[]);
        assert_eq!(exit, Some(2), "{text}: {told}");
        assert!(told.contains(message), "{text}: {told}");
        assert!(told.contains(place), "{text}: {told}");
    }
    let text = "int x; active proctype P() { x++ }";
    let (exit, told) = complaint("none.pml", text, &[]);
    assert!(exit == Some(2) && told.contains("no variable is unbounded"), "{told}");
    let (exit, told) =
        complaint("solver.pml", text, &["--unbounded", "x", "--solver", "no-such-solver"]);
    assert!(exit == Some(2) && told.contains("no-such-solver"), "{told}");
}

#[test]
fn what_is_out_of_reach_is_unknown_with_its_place() {
    let text = "int x; /*@ unbounded x */\nactive proctype P() {\n  d_step { do :: x < 100 -> x++ :: else -> break od };\n  assert(x >= 100)\n}";
    let file = scratch("loop.pml", text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command
        .arg("abstract")
        .arg(&file)
        .args(["--property", "assertions"])
        .output()
        .expect("resy runs");
    std::fs::remove_file(file).expect("the file is there");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains(":3: a step that loops on unbounded data"), "{told}");
}

#[test]
fn limits_are_obeyed() {
    let (exit, report) = json("brp", &["--property", "prefix", "--timeout", "0"]);
    assert_eq!(exit, Some(3), "{report:#}");
    assert_eq!(report["verdict"], "unknown");
}

/// Runs another command on a file, for its JSON object.
fn other(command: &str, file: &std::path::Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let mut resy = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = resy.arg(command).arg(file).args(arguments).arg("--json").output();
    let output = output.expect("resy runs");
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (output.status.code(), report)
}

#[test]
fn what_is_written_has_the_states_of_the_abstraction_and_its_verdict() {
    for (name, property) in [
        ("bakery", "mutex"),
        ("countdown", "assertions"),
        ("further/mesi", "coherent"),
        ("further/readers_writers", "exclusive"),
    ] {
        let base = scratch(&name.replace('/', "-"), "");
        for (extension, arguments) in [
            ("pml", &["--property", "assertions", "--engine", "monolithic", "--plain"][..]),
            ("net", &["--engine", "monolithic"]),
        ] {
            let file = base.with_extension(extension);
            let path = file.to_str().expect("a path");
            let (exit, report) = json(name, &["--property", property, "-o", path]);
            assert_eq!(exit, Some(0), "{name}: {report:#}");
            // Where the program may start in several ways, there is one state before them.
            let text = std::fs::read_to_string(&file).expect("the file was written");
            let has_start = text.contains("\ninit\n") || text.contains("before the start");
            let states = report["stats"]["states"].as_u64().expect("a number");
            let states = states + u64::from(has_start);
            let (exit, checked) = other("check", &file, arguments);
            let found = (exit, checked["stats"]["states"].as_u64());
            assert_eq!(found, (Some(0), Some(states)), "{name}, .{extension}: {checked:#}");
            std::fs::remove_file(file).expect("the file was written");
        }
        std::fs::remove_file(base).expect("the file is there");
    }
}

#[test]
fn a_violation_of_the_abstraction_is_one_of_what_is_written() {
    let base = scratch("coarse", "");
    for (extension, property) in [("pml", &["--property", "assertions"][..]), ("net", &[])] {
        let file = base.with_extension(extension);
        let path = file.to_str().expect("a path");
        let (exit, _) = json("bakery", &["--property", "mutex", "--fixed-basis", "-o", path]);
        assert_eq!(exit, Some(3), "without predicates nothing is known");
        let (exit, report) = other("check", &file, property);
        assert_eq!(exit, Some(1), ".{extension}: {report:#}");
        std::fs::remove_file(file).expect("the file was written");
    }
    for extension in ["svg", "html", "dot", "aut"] {
        let file = base.with_extension(extension);
        let path = file.to_str().expect("a path");
        assert_eq!(json("bakery", &["--property", "mutex", "-o", path]).0, Some(0));
        let text = std::fs::read_to_string(&file).expect("the file was written");
        let says = match extension {
            "aut" => "des (",
            _ => "y1 &lt;= y2",
        };
        let plain = says.replace("&lt;", "<");
        assert!(text.contains(says) || text.contains(&plain), ".{extension}: {text}");
        std::fs::remove_file(file).expect("the file was written");
    }
    std::fs::remove_file(base).expect("the file is there");
}

#[test]
fn spin_accepts_the_abstraction_as_a_program() {
    let base = scratch("for-spin", "");
    let file = base.with_extension("pml");
    let path = file.to_str().expect("a path");
    assert_eq!(json("further/ticket", &["--property", "assertions", "-o", path]).0, Some(0));
    let output = Command::new("spin").args(["-o3", "-u50", path]).output().expect("spin runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !said.contains("Error"), "{said}");
    std::fs::remove_file(file).expect("the file was written");
    std::fs::remove_file(base).expect("the file is there");
}

#[test]
fn a_certificate_is_written_and_checked_again() {
    let base = scratch("certified", "");
    let file = base.with_extension("cert");
    let path = file.to_str().expect("a path");
    let arguments = ["--without", "end-states", "--certificate", path];
    let (exit, report) = json("bakery", &arguments);
    assert_eq!(exit, Some(0), "{report:#}");
    let covers = report["certificate"]["covers"].as_array().expect("what it covers");
    assert!(covers.iter().any(|name| name == "access1") && covers.len() > 3, "{covers:?}");
    for arguments in [&[][..], &["--solver", "z3"]] {
        let (exit, report) = other("recheck", &file, arguments);
        assert_eq!((exit, report["verdict"].as_str()), (Some(0), Some("accepted")), "{report:#}");
    }
    let text = std::fs::read_to_string(&file).expect("the certificate");
    let damaged = text.replacen("clause -\n", "clause 0\n", 1);
    assert_ne!(text, damaged);
    std::fs::write(&file, damaged).expect("it can be written");
    let (exit, report) = other("recheck", &file, &[]);
    assert_eq!((exit, report["verdict"].as_str()), (Some(1), Some("rejected")), "{report:#}");
    std::fs::write(&file, &text[..text.len() / 2]).expect("it can be written");
    assert_eq!(other("recheck", &file, &[]).0, Some(2));
    std::fs::remove_file(&file).expect("the file was written");
    std::fs::remove_file(base).expect("the file is there");
    let (exit, report) = json("bakery_broken", &["--property", "mutex", "--certificate", path]);
    assert_eq!((exit, &report["certificate"]), (Some(1), &Value::Null));
}

#[test]
fn check_suggests_abstraction_where_a_variable_keeps_growing() {
    let mut resy = Command::new(env!("CARGO_BIN_EXE_resy"));
    let call = ["--property", "mutex", "--timeout", "0.2", "--engine", "monolithic"];
    let output = resy.arg("check").arg(model("bakery")).args(call).output().expect("resy runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("--unbounded y1,y2"), "{said}");
    let file = model("bakery").display().to_string();
    let words = [&["check", &file][..], &call, &["--json"]].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_resy")).args(words).output().expect("resy runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["growing"], serde_json::json!(["y1", "y2"]), "{report:#}");
}

#[test]
fn the_basis_of_a_report_can_be_put_back() {
    for (name, property) in [
        ("further/ticket", "assertions"),
        ("everyday/parity", "assertions"),
        ("everyday/overflow", "equal"),
    ] {
        let output = resy(name, &["--property", property]);
        let text = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("/*@ predicate")).collect();
        assert!(!lines.is_empty(), "{text}");
        let basis = scratch(&format!("{}.basis", name.replace('/', "-")), &lines.join("\n"));
        let path = basis.to_str().expect("a path");
        let call = ["--property", property, "--predicates", path, "--fixed-basis"];
        let (exit, report) = json(name, &call);
        std::fs::remove_file(&basis).expect("the file is there");
        assert_eq!((exit, &report["refinements"]), (Some(0), &Value::from(0)), "{report:#}");
    }
}

#[test]
fn contradictory_assumptions_prove_nothing() {
    let text = "int x; /*@ unbounded x; assume x >= 2 */\nactive proctype P() { assert(x == 7) }\n";
    let file = scratch("contradictory.pml", text);
    let (exit, report) = other("abstract", &file, &["--property", "assertions"]);
    std::fs::remove_file(&file).expect("the file is there");
    assert_eq!((exit, &report["verdict"]), (Some(3), &Value::from("unknown")), "{report:#}");
    let reason = report["properties"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("contradict what is assumed: x >= 2"), "{reason}");
}

#[test]
fn findings_in_conditions_are_shown_in_the_program() {
    let text = "int x;\n/*@ unbounded x; predicate x > */\nactive proctype P() { x++ }\n";
    let (exit, said) = complaint("early.pml", text, &[]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("found the end of the annotation"), "{said}");
    assert!(said.contains("2 | /*@ unbounded x; predicate x > */"), "{said}");
    let text = "int x;\n/*@ unbounded x; predicate y > 0 */\nactive proctype P() { x++ }\n";
    let (exit, said) = complaint("undeclared.pml", text, &[]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("2 | /*@ unbounded x; predicate y > 0 */"), "{said}");
    assert!(!said.contains("included from"), "{said}");
}
