//! `resy contract`: what is written, and what becomes of changed models.

use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn resy(args: &[&str]) -> Output {
    let resy = Command::new(env!("CARGO_BIN_EXE_resy")).current_dir(ROOT).args(args).output();
    resy.expect("resy runs")
}

/// The exit code and what is printed.
fn answer(args: &[&str]) -> (Option<i32>, String) {
    let output = resy(args);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn json(args: &[&str]) -> Value {
    serde_json::from_slice(&resy(args).stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"))
}

/// A folder with a copy of a model and its contract.
struct Kept {
    folder: Scratch,
    model: String,
}

impl Kept {
    fn new(model: &str, options: &[&str]) -> Self {
        let folder = Scratch::new("contract").expect("a folder");
        let kind = Path::new(model).extension().and_then(|kind| kind.to_str()).expect("a file");
        let copy = folder.path().join(format!("model.{kind}"));
        std::fs::copy(Path::new(ROOT).join(model), &copy).expect("a model");
        let kept = Self { folder, model: copy.display().to_string() };
        let (code, said) = answer(&[&["contract", "init", "-q", &kept.model], options].concat());
        assert_eq!(code, Some(0), "{model}: {said}");
        kept
    }

    fn contract(&self) -> PathBuf {
        self.folder.path().join("model.contract")
    }

    fn change(&self, from: &str, to: &str) {
        let text = std::fs::read_to_string(&self.model).expect("a model");
        assert!(text.contains(from), "{from}");
        std::fs::write(&self.model, text.replacen(from, to, 1)).expect("a model");
    }

    fn verify(&self, options: &[&str]) -> (Option<i32>, String) {
        answer(&[&["contract", "verify", "-q", &self.model], options].concat())
    }

    /// The processes that break their contracts.
    fn broken(&self, options: &[&str]) -> Vec<String> {
        let found = json(&[&["contract", "verify", "-q", "--json", &self.model], options].concat());
        let processes = found["processes"].as_array().cloned().unwrap_or_default();
        let breaks = processes.iter().filter(|p| p["status"] == "breaks");
        breaks.map(|p| p["name"].as_str().expect("a name").to_owned()).collect()
    }
}

#[test]
fn the_example_of_the_documentation_is_up_to_date() {
    let found = std::fs::read_to_string(Path::new(ROOT).join("docs/examples/lock.contract"));
    let (_, expected) = answer(&["contract", "init", "docs/examples/lock.pml", "-o", "-"]);
    assert!(
        found.unwrap_or_default() == expected,
        "docs/examples/lock.contract should be:\n{expected}"
    );
}

#[test]
fn unchanged_models_keep_their_contracts() {
    for model in [
        "models/mutex/peterson.pml",
        "models/mutex/token_ring.pml",
        "models/protocols/lock_server.pml",
        "models/protocols/alternating_bit.pml",
        "models/case_studies/production_cell.pml",
        "models/case_studies/workflow.pml",
    ] {
        let kept = Kept::new(model, &[]);
        for options in [&[][..], &["--all"]] {
            let (code, said) = kept.verify(options);
            assert_eq!(code, Some(0), "{model}: {said}");
            assert!(!said.contains("changed)") && said.contains("unchanged"), "{model}: {said}");
        }
        // Lines that are not code change nothing.
        let text = std::fs::read_to_string(&kept.model).expect("a model");
        std::fs::write(&kept.model, format!("/* new\nlines */\n{text}")).expect("a model");
        let (code, said) = kept.verify(&[]);
        assert!(code == Some(0) && !said.contains("changed)"), "{model}: {said}");
    }
}

#[test]
fn broken_case_studies_name_the_process() {
    for (model, culprits) in [
        ("mutual_exclusion", &["First", "Second"][..]),
        ("elevator", &["Controller"]),
        ("workflow", &["Office"]),
        ("production_cell", &["Robot"]),
    ] {
        let kept = Kept::new(&format!("models/case_studies/{model}.pml"), &[]);
        assert_eq!(kept.broken(&["-DBROKEN"]), culprits, "{model}");
        let (code, said) = kept.verify(&["-DBROKEN"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("{}  ", culprits[0])) && said.contains("BREAKS"), "{said}");
    }
}

/// Abstractions that would have to count: the requirements are joined, two at a time.
#[test]
fn pipelines_and_trees_have_contracts() {
    for (family, n, property) in [
        ("alternating_bit", "-DN=3", "assertions"),
        ("two_phase_commit", "-DN=6", "atomic_commit"),
        ("arbiter_tree", "-DN=12", "exclusive"),
    ] {
        let model = format!("bench/families/{family}.pml");
        let kept = Kept::new(&model, &[n, "--property", property]);
        let text = std::fs::read_to_string(kept.contract()).expect("a contract");
        assert!(text.contains("\n  join\n"), "{family}");
        let (code, said) = kept.verify(&["--all"]);
        assert_eq!(code, Some(0), "{family}: {said}");
        let culprits = kept.broken(&["-DBROKEN"]);
        assert_eq!(culprits.len(), 1, "{family}: {culprits:?}");
    }
}

#[test]
fn changes_of_a_network_of_automata() {
    let kept = Kept::new("docs/examples/buffer.net", &[]);
    let (code, said) = kept.verify(&[]);
    assert_eq!((code, said.matches("unchanged").count()), (Some(0), 3), "{said}");

    // A receiver without a pause.
    kept.change(
        "  des (0, 2, 2)\n  (0, accept, 1)\n  (1, i, 0)\n",
        "  des (0, 1, 1)\n  (0, accept, 0)\n",
    );
    let (code, said) = kept.verify(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Receiver  keeps its contract (changed)"), "{said}");

    // A buffer that takes another message when it is full.
    let (before, after) = ("(1, accept, 0)\n  states", "(1, accept, 0)\n  (1, put, 1)\n  states");
    kept.change(before, after);
    kept.change("component Buffer\n  des (0, 2, 2)", "component Buffer\n  des (0, 3, 2)");
    let (code, said) = kept.verify(&[]);
    assert_eq!((code, kept.broken(&[])), (Some(1), vec!["Buffer".to_owned()]), "{said}");
    assert!(said.contains("takes part in `put` after `put`"), "{said}");
    assert_eq!(answer(&["check", "-q", &kept.model]).0, Some(1));

    let kept = Kept::new("docs/examples/buffer.net", &[]);
    kept.change("component Receiver", "component Other");
    let (code, said) = kept.verify(&[]);
    assert!(code == Some(1) && said.contains("`Other` is new"), "{said}");
    let (code, said) = answer(&["contract", "init", &kept.model, "--property", "x", "-o", "-"]);
    assert!(code == Some(2) && said.contains("is its monitor"), "{said}");
}

#[test]
fn changes_of_a_lock_server() {
    let kept = Kept::new("models/protocols/lock_server.pml", &[]);
    // A client that does not always use what it was lent, and a server with a pause.
    kept.change("in_use = true;\n", "if :: skip :: in_use = true fi;\n");
    kept.change("grant[user] ! true;", "skip; grant[user] ! true;");
    let (code, said) = kept.verify(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("keeps its contract (changed)").count(), 3, "{said}");
    assert_eq!(answer(&["check", "-q", "--engine", "monolithic", &kept.model]).0, Some(0));

    // A server that grants without waiting for the release.
    let kept = Kept::new("models/protocols/lock_server.pml", &[]);
    kept.change("grant[user] ! true;\n", "grant[user] ! true; goto end_free;\n");
    let (code, said) = kept.verify(&[]);
    // The grant happens under a new label, which the contract of the client does not know either.
    let culprits = ["Client[1]".to_owned(), "Server".to_owned()];
    assert_eq!((code, kept.broken(&[])), (Some(1), culprits.to_vec()), "{said}");
    assert_eq!(answer(&["check", "-q", "--engine", "monolithic", &kept.model]).0, Some(1));
}

#[test]
fn what_else_may_change_is_refused() {
    for (from, to, reason) in [
        ("active proctype Server", "active [2] proctype Server", "is new"),
        ("active [2] proctype", "active proctype", "is new"),
        ("active proctype Server", "proctype Server", "is missing"),
        ("bool in_use;", "bool in_use; ltl p { [] !in_use }", "its properties are"),
    ] {
        let kept = Kept::new("models/protocols/lock_server.pml", &[]);
        kept.change(from, to);
        let (code, said) = kept.verify(&[]);
        assert_eq!((code, said.contains(reason)), (Some(1), true), "{to}: {said}");
        let found = json(&["contract", "verify", "-q", "--json", &kept.model]);
        assert_eq!(found["verdict"], "refused", "{found}");
    }
    // What a variable is, its operations say.
    let kept = Kept::new("models/protocols/lock_server.pml", &[]);
    kept.change("bool in_use;", "bool in_use = true;");
    assert_eq!(kept.verify(&[]).0, Some(1));
    // An operation that is new to others.
    let kept = Kept::new("models/protocols/lock_server.pml", &[]);
    kept.change("byte user;", "byte user; in_use = false;");
    let (code, said) = kept.verify(&[]);
    assert_eq!(
        (code, said.contains("which the contract does not know")),
        (Some(1), true),
        "{said}"
    );
}

#[test]
fn no_contract_without_a_proof() {
    let scratch = Scratch::new("contract").expect("a folder");
    let file = scratch.path().join("x.contract").display().to_string();
    for (model, code, reason) in [
        ("models/case_studies/sliding_window.pml", 1, "the property fails"),
        ("models/protocols/pipeline_sieve.pml", 3, "components are bounded by what occurs"),
        ("docs/examples/overflow.net", 1, "the property fails"),
        ("no such file.pml", 2, "cannot read"),
    ] {
        let (found, said) = answer(&["contract", "init", "-q", model, "-o", &file]);
        assert!(!Path::new(&file).exists(), "{model}");
        assert_eq!((found, said.contains(reason)), (Some(code), true), "{model}: {said}");
    }
    let (code, said) = answer(&[
        "contract",
        "init",
        "-q",
        "models/mutex/bakery.pml",
        "-o",
        &file,
        "--timeout",
        "0",
    ]);
    assert_eq!((code, said.contains("time or memory ran out")), (Some(3), true), "{said}");
    let late = "models/protocols/pipeline_sieve.pml";
    let unknown = json(&["contract", "init", "-q", "--json", late, "-o", &file]);
    assert_eq!(unknown["verdict"], "unknown");
    let failed = json(&[
        "contract",
        "init",
        "-q",
        "--json",
        "models/case_studies/sliding_window.pml",
        "-o",
        &file,
    ]);
    assert_eq!(failed["verdict"], "fails");
    assert!(!failed["counterexample"]["steps"].as_array().expect("steps").is_empty());
}

#[test]
fn settings_are_noted() {
    let kept =
        Kept::new("models/case_studies/mutual_exclusion.pml", &["-DN=2", "--property", "trace"]);
    let text = std::fs::read_to_string(kept.contract()).expect("a contract");
    assert!(
        text.contains("\nsetting define N=2\n") && text.contains("\nproperty trace\n"),
        "{text}"
    );
    kept.change("mtype =", "#ifndef N\n#error N is missing\n#endif\nmtype =");
    assert_eq!(kept.verify(&[]).0, Some(0));
    kept.change("#ifndef N", "#if N != 3");
    assert_eq!(kept.verify(&[]).0, Some(2));
    assert_eq!(kept.verify(&["-DN=3"]).0, Some(0));
}

#[test]
fn a_contract_is_replaced_only_by_force() {
    let kept = Kept::new("models/mutex/peterson.pml", &[]);
    let (code, said) = answer(&["contract", "init", "-q", &kept.model]);
    assert_eq!((code, said.contains("--force")), (Some(2), true), "{said}");
    let first = std::fs::read_to_string(kept.contract()).expect("a contract");
    assert_eq!(answer(&["contract", "init", "-q", "--force", &kept.model]).0, Some(0));
    assert_eq!(std::fs::read_to_string(kept.contract()).expect("a contract"), first);
}

#[test]
fn damage_is_told_by_line() {
    let kept = Kept::new("models/mutex/peterson.pml", &[]);
    let text = std::fs::read_to_string(kept.contract()).expect("a contract");
    for (from, to, code, reason) in [
        ("resy contract 1", "resy contract 2", 2, "line 1: expected `resy contract 1`"),
        ("\nend\n", "\n", 2, "expected `end`"),
        ("  sealed ", "  sealed x", 2, "16 hexadecimal digits"),
        ("-> 1\n", "-> 99\n", 2, "has no state `99`"),
        ("-> error\n", "-> 0\n", 1, "the property is not that of the contract"),
        ("\nactions\n", "\nactions\n  nobody\n", 2, "nothing identifies `nobody`"),
    ] {
        assert!(text.contains(from), "{from} is not in\n{text}");
        std::fs::write(kept.contract(), text.replace(from, to)).expect("a file");
        let (found, said) = kept.verify(&[]);
        assert_eq!((found, said.contains(reason)), (Some(code), true), "{to}: {said}");
    }
    std::fs::remove_file(kept.contract()).expect("it was there");
    let (code, said) = kept.verify(&[]);
    assert_eq!((code, said.contains("resy contract init")), (Some(2), true), "{said}");
    assert_eq!(answer(&["contract", "verify", "-"]).0, Some(2));
}

#[test]
fn a_contract_says_what_it_covers() {
    let scratch = Scratch::new("contract").expect("a folder");
    let model = scratch.path().join("model.pml").display().to_string();
    let text = "byte x; active proctype P() { assert(x == 0) } active proctype Q() { x == 5 }\n";
    std::fs::write(&model, text).expect("a model");
    assert_eq!(answer(&["check", "-q", &model]).0, Some(1), "it deadlocks");
    let (code, said) = answer(&["contract", "init", "-q", &model]);
    assert_eq!(code, Some(0), "{said}");
    let first = said.lines().next().unwrap_or_default();
    assert!(first.starts_with("covers assertions, runtime; not covered: end-states ("), "{said}");
    let written = std::fs::read_to_string(model.replace(".pml", ".contract")).expect("a contract");
    assert!(written.contains("not covered: end-states ("), "{written}");
    let found = json(&["contract", "init", "-q", "--json", "--force", &model]);
    assert_eq!(found["covers"], serde_json::json!(["assertions", "runtime"]));
    assert_eq!(found["not_covered"][0]["name"], "end-states");
}

/// A counter without a bound: an answer soon, without any limit from the user.
#[test]
fn a_process_that_grows_is_unknown() {
    let scratch = Scratch::new("contract").expect("a folder");
    let model = scratch.path().join("model.pml").display().to_string();
    let text = "bit busy; active proctype P() { int n; do :: n < 3 -> n++ :: busy = 0 od }
active proctype Q() { do :: assert(busy == 0) od }\n";
    std::fs::write(&model, text).expect("a model");
    assert_eq!(answer(&["contract", "init", "-q", &model]).0, Some(0));
    let file = model.replace(".pml", ".contract");
    let written = std::fs::read_to_string(&file).expect("a contract");
    std::fs::write(&model, text.replace("n < 3 -> ", "")).expect("a model");
    // Contracts of earlier versions do not say how large the components were.
    let older = written.lines().filter(|line| !line.starts_with("setting largest "));
    let older = older.map(|line| format!("{line}\n")).collect::<String>();
    assert_ne!(older, written);
    for contract in [written, older] {
        std::fs::write(&file, contract).expect("a contract");
        let (code, said) = answer(&["contract", "verify", "-q", &model]);
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains("component `P` has too many local states"), "{said}");
        assert!(said.contains("driven by `P.n`"), "{said}");
    }
}

/// The file chooses the properties and the macros, so the user is told.
#[test]
fn verify_says_what_the_contract_is_about() {
    let folder = Scratch::new("contract").expect("a folder");
    let model = folder.path().join("model.pml").display().to_string();
    let text = "byte x; ltl small { [] (x < N) }\n\
                active proctype P() { do :: x < 2 -> x++ :: x > 0 -> x-- od }\n\
                active proctype Q() { do :: assert(x < 5) od }\n";
    std::fs::write(&model, text).expect("a model");
    let init = ["contract", "init", "-q", "-D", "N=3", "--property", "assertions", &model];
    let (code, said) = answer(&init);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = answer(&["contract", "verify", "-q", &model]);
    assert_eq!(code, Some(0), "{said}");
    let first = said.lines().next().expect("a line");
    assert!(first.starts_with("the contract covers assertions; not covered: "), "{first}");
    for part in ["runtime (the contract", "small (the contract", "end-states (", "the macro N=3"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(!said.contains("--"), "no option of another command: {said}");
    let object = json(&["contract", "verify", "-q", "--json", &model]);
    assert_eq!(object["covers"], serde_json::json!(["assertions"]), "{object}");
    assert_eq!(object["defines"], serde_json::json!(["N=3"]), "{object}");
    let not_covered = object["not_covered"].as_array().expect("a list");
    assert!(not_covered.iter().any(|other| other["name"] == "small"), "{object}");
}
