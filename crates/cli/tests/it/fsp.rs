//! FSP through the command: LTSA's verdicts on the models of this repository, by every engine, with
//! certificates and runs.

use resy_testkit::fixtures::models_dir;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A row of the table of LTSA's verdicts.
struct Row {
    file: String,
    composite: String,
    verdict: String,
    states: u64,
    transitions: u64,
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(models_dir().join("fsp/truth.tsv")).expect("the table");
    let rows = table.lines().filter(|row| !row.starts_with('#')).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |i: usize| cells[i].parse().expect("a number");
        Row {
            file: cells[0].to_owned(),
            composite: cells[1].to_owned(),
            verdict: cells[2].to_owned(),
            states: number(3),
            transitions: number(4),
        }
    });
    rows.collect()
}

fn resy(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(args)
        .env("RESY_HEAD_START", "2000")
        .current_dir(models_dir().join("fsp"))
        .output()
        .expect("resy runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr));
    })
}

fn verdict_of<'a>(answer: &'a Value, name: &str) -> &'a str {
    let properties = answer["properties"].as_array().expect("properties");
    let found = properties.iter().find(|property| property["name"] == name);
    found.and_then(|property| property["verdict"].as_str()).unwrap_or("absent")
}

/// Whether some property of this kind fails, and that it has a run.
fn fails(answer: &Value, kind: &str) -> bool {
    let properties = answer["properties"].as_array().expect("properties");
    let mut failing = properties.iter().filter(|p| p["kind"] == kind && p["verdict"] == "fails");
    failing.any(|property| {
        assert!(property["counterexample"]["steps"].is_array(), "{property}");
        true
    })
}

#[test]
fn the_command_gives_ltsas_verdicts_and_numbers() {
    for Row { file, composite, verdict, states, transitions } in rows() {
        let output = resy(&["check", "-q", "--json", "--composite", &composite, &file]);
        let answer = json(&output);
        let (code, what) = (output.status.code(), format!("{file} {composite}: {answer}"));
        match verdict.as_str() {
            "ok" => {
                assert_eq!(code, Some(0), "{what}");
                // Here resy does not minimise: there are more states.
                if composite != "SMALLER" {
                    let stats = &answer["stats"];
                    assert_eq!(stats["states"], states, "{what}");
                    assert_eq!(stats["transitions"], transitions, "{what}");
                }
            }
            "violated" => assert!(code == Some(1) && fails(&answer, "safety"), "{what}"),
            "deadlock" => assert!(code == Some(1) && fails(&answer, "deadlock"), "{what}"),
            other => panic!("{other}"),
        }
    }
}

/// Without deadlock, what LTSA finds ok holds, with a certificate that is accepted, and what it
/// finds violated fails with a run.
#[test]
fn components_decide_what_the_product_does() {
    let folder = std::env::temp_dir().join(format!("resy-fsp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (i, Row { file, composite, verdict, .. }) in rows().into_iter().enumerate() {
        let certificate = folder.join(format!("{i}.cert")).display().to_string();
        let call = ["check", "-q", "--json", "--without", "deadlock", "--engine", "network"];
        let more = ["--composite", &composite, "--certificate", &certificate, &file];
        let output = resy(&[&call[..], &more].concat());
        let answer = json(&output);
        let what = format!("{file} {composite}: {answer}");
        if verdict == "violated" {
            assert!(output.status.code() == Some(1) && fails(&answer, "safety"), "{what}");
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{what}");
        let checked = resy(&["recheck", &certificate]);
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn progress_and_assertions_are_checked_where_they_are_asked_for() {
    let ask = |args: &[&str]| {
        let call = ["check", "-q", "--json", "--exhaustive", "bridge.lts", "--composite"];
        json(&resy(&[&call[..], args].concat()))
    };
    assert_eq!(verdict_of(&ask(&["SAFE"]), "REDCROSS"), "absent");
    let all = ask(&["SAFE", "--all-properties"]);
    for name in ["REDCROSS", "BLUECROSS", "EXCLUSIVE", "CROSSES", "EXITS"] {
        assert_eq!(verdict_of(&all, name), "holds", "{all}");
    }
    let congested = ask(&["CONGESTED", "--all-properties"]);
    for (name, verdict) in
        [("REDCROSS", "fails"), ("EXCLUSIVE", "holds"), ("CROSSES", "fails"), ("EXITS", "holds")]
    {
        assert_eq!(verdict_of(&congested, name), verdict, "{congested}");
    }
    let properties = congested["properties"].as_array().expect("properties");
    let lasso = |name: &str| {
        let property = properties.iter().find(|property| property["name"] == name);
        property.expect("a property")["counterexample"].clone()
    };
    for name in ["REDCROSS", "CROSSES"] {
        let run = lasso(name);
        assert_eq!(run["loop_start"], 1, "{run}");
        assert_eq!(run["steps"].as_array().map(Vec::len), Some(5), "{run}");
    }
    let one = ask(&["CONGESTED", "--property", "REDCROSS"]);
    assert_eq!(verdict_of(&one, "REDCROSS"), "fails");
    assert_eq!(verdict_of(&one, "deadlock"), "absent");
}

#[test]
fn a_module_is_a_part_a_composite_or_all_copies_of_a_process() {
    for (module, members) in [("red:CONVOY", 4), ("red.1:CAR", 1), ("CAR", 4), ("BRIDGE", 1)] {
        let call = ["assume", "-q", "--json", "bridge.lts", "--composite", "SAFE"];
        let more = ["--property", "ONEWAY", "--module", module];
        let output = resy(&[&call[..], &more].concat());
        let answer = json(&output);
        assert_eq!(output.status.code(), Some(0), "{answer}");
        assert_eq!(answer["module"].as_array().map(Vec::len), Some(members), "{answer}");
        assert_eq!(answer["verdict"], "holds");
    }
    let unknown = resy(&["assume", "bridge.lts", "--composite", "SAFE", "--module", "CARR"]);
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(said.contains("there is no module `CARR`"), "{said}");
}

/// A certificate embeds the text; a changed module is checked against the requirement in it.
#[test]
fn a_changed_process_is_checked_against_its_requirement() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("resy-fsp-changed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let text = std::fs::read_to_string(models_dir().join("fsp/bridge.lts")).expect("the model");
    let write = |name: &str, text: &str| std::fs::write(Path::new(&file(name)), text);
    // The bridge may be stricter, and it may not forget the other colour.
    let strict = text.replace("when (b == 0) red", "when (b == 0 && r == 0) red");
    let careless = text.replace("when (b == 0) red", "when (b <= 1) red");
    assert!(strict != text && careless != text);
    for (name, text) in [("strict.lts", &strict), ("careless.lts", &careless)] {
        write(name, text).expect("a file");
    }
    let call = ["assume", "-q", "bridge.lts", "--composite", "SAFE", "--property", "ONEWAY"];
    let certificate = file("bridge.cert");
    let made = resy(&[&call[..], &["--module", "BRIDGE", "--certificate", &certificate]].concat());
    assert!(made.status.success(), "{made:?}");
    let recheck = |changed: &str| {
        resy(&["recheck", "-q", "--composite", "SAFE", &certificate, &file(changed)])
    };
    assert_eq!(recheck("strict.lts").status.code(), Some(0), "{:?}", recheck("strict.lts"));
    assert_eq!(recheck("careless.lts").status.code(), Some(1), "{:?}", recheck("careless.lts"));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn an_unknown_composite_is_told() {
    let output = resy(&["check", "bridge.lts", "--composite", "SAVE"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("`SAVE`") && said.contains("`SAFE`"), "{said}");
}

/// The mistakes of beginners, each with what resy says to it, word for word. `UPDATE=1` writes the words
/// anew, to be read before they are kept.
#[test]
fn beginners_get_their_words() {
    let folder = models_dir().join("fsp/beginner");
    let entries = std::fs::read_dir(&folder).expect("the folder").flatten();
    let models: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "lts"))
        .collect();
    assert!(models.len() >= 10, "only {} models", models.len());
    for model in models {
        let output = Command::new(env!("CARGO_BIN_EXE_resy"))
            .args(["check", "--color", "never"])
            .arg(model.file_name().expect("a name"))
            .current_dir(&folder)
            .output()
            .expect("resy runs");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_error = words.contains("error[E");
        assert_eq!(is_error, output.status.code() == Some(2), "{words}");
        for part in ["[", " --> ", "^", "  = help: "] {
            assert!(words.contains(part), "no `{part}`\n{words}");
        }
        let expected = model.with_extension("stderr");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &words).expect("a file");
        }
        assert_eq!(words, std::fs::read_to_string(expected).unwrap_or_default(), "{model:?}");
    }
}

/// What `resy lts` prints of an FSP model or a Promela model in FSP is read back: the same automata, and the
/// same verdicts.
#[test]
fn what_is_written_as_fsp_is_read_back() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("resy-fsp-back-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let back = folder.join("back.lts").display().to_string();
    let sizes = |args: &[&str]| -> Vec<Value> {
        let answer = json(&resy(&[&["lts", "-q", "--json"], args].concat()));
        let parts = answer["components"].as_array().expect("components").iter();
        let parts = parts.chain(Some(&answer["monitor"]).filter(|monitor| monitor.is_object()));
        parts.map(|c| serde_json::json!([c["states"], c["transitions"], c["actions"]])).collect()
    };
    let models = ["mutex/peterson", "protocols/lock_server", "channels/rendezvous"];
    let promela = models.iter().map(|name| models_dir().join(name).with_extension("pml"));
    for model in promela.filter(|path| path.exists()) {
        let model = model.display().to_string();
        let written = resy(&["lts", "-q", "--format", "fsp", &model]);
        std::fs::write(&back, &written.stdout).expect("a file");
        assert_eq!(sizes(&[&model]), sizes(&[&back]), "{model}");
    }
    for Row { file, composite, verdict, states, transitions } in rows() {
        let call = ["--composite", &composite, &file];
        let written = resy(&[&["lts", "-q", "--format", "fsp"][..], &call].concat());
        std::fs::write(&back, &written.stdout).expect("a file");
        assert_eq!(sizes(&call), sizes(&[&back]), "{file} {composite}");
        let answer = json(&resy(&["check", "-q", "--json", &back]));
        let what = format!("{file} {composite}: {answer}");
        match verdict.as_str() {
            "ok" if composite == "SMALLER" => {}
            "ok" => {
                assert_eq!(answer["verdict"], "holds", "{what}");
                let stats = &answer["stats"];
                assert_eq!(
                    (&stats["states"], &stats["transitions"]),
                    (&states.into(), &transitions.into()),
                    "{what}"
                );
            }
            "deadlock" => assert!(fails(&answer, "deadlock"), "{what}"),
            _ => assert!(fails(&answer, "safety"), "{what}"),
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_contract_of_processes_is_kept_and_broken() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("resy-fsp-contract-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let text = std::fs::read_to_string(models_dir().join("fsp/bridge.lts")).expect("the model");
    std::fs::write(file("same.lts"), &text).expect("a file");
    let careless = text.replace("when (b == 0) red", "when (b <= 1) red");
    std::fs::write(file("careless.lts"), careless).expect("a file");
    let contract = file("bridge.contract");
    let call = ["contract", "init", "-q", "bridge.lts", "--composite", "SAFE", "-o", &contract];
    let made = resy(&[&call[..], &["--property", "ONEWAY"]].concat());
    assert!(made.status.success(), "{made:?}");
    let verify = |name: &str| {
        let call = ["contract", "verify", "-q", "--composite", "SAFE", "--contract", &contract];
        resy(&[&call[..], &[&file(name)]].concat()).status.code()
    };
    assert_eq!((verify("same.lts"), verify("careless.lts")), (Some(0), Some(1)));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn models_are_laid_out_and_drawn() {
    for (model, expected) in [("bridge.lts", 0), ("buffer.lts", 0)] {
        let laid_out = resy(&["fmt", model]);
        assert_eq!(laid_out.status.code(), Some(expected));
        let again = resy(&["fmt", "--check", model]);
        let text = std::fs::read(models_dir().join("fsp").join(model)).expect("the model");
        assert_eq!(again.status.code(), Some(i32::from(laid_out.stdout != text)), "{model}");
    }
    let bad = resy(&["fmt", "beginner/missing_dot.lts"]);
    assert_eq!(bad.status.code(), Some(2));
    let drawn = resy(&["lts", "-q", "--format", "svg", "bridge.lts", "--composite", "SAFE"]);
    let picture = String::from_utf8_lossy(&drawn.stdout).into_owned();
    assert!(picture.contains("<svg") && picture.contains("red.1:CAR"), "{picture}");
    assert!(picture.contains("ONEWAY") && picture.contains("red.1.enter"));
}

/// The page and SARIF have the run, and where the property is defined.
#[test]
fn reports_show_the_trace_and_who_takes_part() {
    let page = std::env::temp_dir().join(format!("resy-fsp-{}.html", std::process::id()));
    let name = page.display().to_string();
    let call = ["check", "-q", "bridge.lts", "--composite", "UNSAFE"];
    let output = resy(&[&call[..], &["--report", &name]].concat());
    assert_eq!(output.status.code(), Some(1));
    let html = std::fs::read_to_string(&page).expect("the page");
    std::fs::remove_file(&page).expect("the page is ours");
    for part in ["Counterexample: ONEWAY", "blue.1.enter", "red.1:CAR", "who takes part"] {
        assert!(html.contains(part), "no {part}");
    }
    let log = json(&resy(&[&call[..], &["--format", "sarif"]].concat()));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "safety", "{log}");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 14, "{result}");
}

fn simulated(args: &[&str], input: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
        .arg("simulate")
        .args(args)
        .current_dir(models_dir().join("fsp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("resy runs");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Steps by number and by name, one back, the states.
#[test]
fn a_walk_goes_forwards_and_back() {
    let (code, said) = simulated(
        &["-i", "-q", "philosophers.lts", "--composite", "DINERS"],
        "phil.0.left.get\nu\n2\ns\nnowhere\nl\nq\n",
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("    1  phil.0.left.get") && said.contains("`nowhere` is not"), "{said}");
    assert!(said.matches("    1  phil.1.left.get").count() == 2, "{said}");
}

/// The run of every violation of a process or property can be walked again, to the same end.
#[test]
fn a_walk_takes_the_runs_of_violations() {
    let file = std::env::temp_dir().join(format!("resy-walk-{}", std::process::id()));
    let trail = file.display().to_string();
    for Row { file, composite, verdict, .. } in rows() {
        if verdict == "ok" {
            continue;
        }
        let call = ["check", "-q", &file, "--composite", &composite, "--trail", &trail];
        assert_eq!(resy(&call).status.code(), Some(1));
        let (code, said) =
            simulated(&["-q", &file, "--composite", &composite, "--trail", &trail], "");
        assert_eq!(code, Some(1), "{file} {composite}: {said}");
        let end = if verdict == "deadlock" { "deadlock" } else { "error: " };
        assert!(said.lines().any(|line| line.starts_with(end)), "{file} {composite}: {said}");
    }
    std::fs::remove_file(&file).expect("the file is ours");
}

/// A composite behind a formula; the verdicts are those of the jar of 2006.
#[test]
fn formulas_before_a_composite_have_ltsas_verdicts() {
    let call = ["check", "lift.lts", "--all-properties", "--exhaustive", "--json"];
    let answer = json(&resy(&call));
    for (name, verdict) in
        [("STILL", "fails"), ("SERVED", "holds"), ("UNTIL", "holds"), ("WEAK", "fails")]
    {
        assert_eq!(verdict_of(&answer, name), verdict, "{name}");
    }
}

/// One file of all automata, which can be read again.
#[test]
fn all_automata_are_one_file() {
    let file = std::env::temp_dir().join(format!("resy-one-{}.fsp", std::process::id()));
    let name = file.display().to_string();
    let call = ["lts", "-q", "bridge.lts", "--composite", "SAFE", "-o", &name];
    assert_eq!(resy(&call).status.code(), Some(0));
    let output = resy(&["check", &name, "--json"]);
    std::fs::remove_file(&file).expect("a file, and no folder");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Networks of automata can be walked through as well, whatever file they come from.
#[test]
fn a_network_is_walked_through() {
    let (code, said) =
        simulated(&["-i", "-q", "../../docs/examples/mutual_exclusion.net"], "1\nu\n1\ns\nq\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("choose 1-") && said.matches("    1  ").count() == 2, "{said}");
    let call = ["-q", "--seed", "7", "--steps", "4", "../../docs/examples/mutual_exclusion.net"];
    let (code, said) = simulated(&call, "");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(simulated(&call, "").1, said);
}

/// The product of a hundred philosophers is out of reach; the deadlock of their reduced composition is followed back.
#[test]
fn a_deadlock_of_many_processes_is_found_in_their_parts() {
    let text = std::fs::read_to_string(models_dir().join("fsp/philosophers.lts")).expect("a model");
    let folder = std::env::temp_dir().join(format!("resy-many-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("many.lts").display().to_string();
    std::fs::write(&file, text.replace("const N = 3", "const N = 60")).expect("it is ours");
    let trail = folder.join("trail").display().to_string();
    let call = ["check", "-q", &file, "--composite", "DINERS", "--property", "deadlock"];
    let output = resy(&[&call[..], &["--trail", &trail]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (code, said) = simulated(&["-q", &file, "--composite", "DINERS", "--trail", &trail], "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.lines().last() == Some("deadlock"), "{said}");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_seed_repeats_a_walk() {
    let call = ["-q", "--seed", "5", "--steps", "30", "bridge.lts", "--composite", "SAFE"];
    let (code, said) = simulated(&call, "");
    assert_eq!((code, said.lines().count()), (Some(0), 32), "{said}");
    assert_eq!(simulated(&call, "").1, said);
}

/// A property is no process, though it is a component of the network.
#[test]
fn every_process_has_a_requirement_and_no_property() {
    let model = models_dir().join("case_studies/io.lts");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.arg("assume").arg(model).arg("--all").output().expect("resy runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let modules = text.lines().filter_map(|line| line.strip_prefix("module "));
    assert_eq!(modules.count(), 2, "{text}");
}
