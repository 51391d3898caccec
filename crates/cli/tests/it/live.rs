//! The families of `bench/live`: properties of infinite runs that a hundred processes satisfy without fairness.

use resy_testkit::bench_models::bench_dir;
use resy_testkit::scratch::Scratch;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const FAMILIES: [(&str, &str); 3] =
    [("philosophers", "progress"), ("token_ring", "progress"), ("buffers", "comes_out")];

fn resy(words: &[&str], file: &Path) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_resy")).args(words).arg(file).output();
    output.expect("resy can be run").status.code()
}

/// The JSON object of a call.
fn object(words: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_resy")).args(words).output();
    serde_json::from_slice(&output.expect("resy can be run").stdout).expect("one object")
}

/// Checks a family by an engine; the exit code.
fn check(family: (&str, &str), words: &[&str], engine: &str) -> Option<i32> {
    let file = bench_dir().join("live").join(family.0).with_extension("pml");
    let asked = ["check", "--property", family.1, "--engine", engine, "--timeout", "60"];
    resy(&[&asked[..], words].concat(), &file)
}

#[test]
fn a_hundred_processes_are_proved_with_certificates() {
    let scratch = Scratch::new("live").expect("a folder");
    for family in FAMILIES {
        let file = scratch.path().join(family.0);
        let certificate = file.to_str().expect("a name");
        let words = ["-DN=100", "--certificate", certificate];
        assert_eq!(check(family, &words, "network"), Some(0), "{}", family.0);
        assert_eq!(resy(&["recheck"], &file), Some(0), "{}", family.0);
    }
}

#[test]
fn a_certificate_names_what_it_does_not_cover() {
    let scratch = Scratch::new("covers").expect("a folder");
    let certificate = scratch.path().join("eats.cert");
    let certificate = certificate.to_str().expect("a name");
    let model = bench_dir().join("live/philosophers.pml");
    let model = model.to_str().expect("a name");
    let checked = object(&["check", "--json", "--certificate", certificate, model]);
    assert_eq!(checked["certificate"]["covers"], json!(["assertions", "runtime", "progress"]));
    assert_eq!(checked["certificate"]["does_not_cover"], json!(["end-states"]));
    let accepted = object(&["recheck", "--json", certificate]);
    assert_eq!(accepted["verdict"], "accepted");
    assert_eq!(accepted["property"], "assertions, runtime, progress");
    assert_eq!(accepted["certificates"][1]["verdict"], "accepted");
    // The changed module meets the requirement, of which `progress` says nothing.
    let changed = object(&["recheck", "--json", certificate, model]);
    assert_ne!(changed["verdict"], "accepted");
    assert_eq!(changed["certificates"][1]["verdict"], "unknown");
}

#[test]
fn the_search_says_the_same() {
    for family in FAMILIES {
        for n in ["-DN=2", "-DN=3"] {
            assert_eq!(check(family, &[n], "monolithic"), Some(0), "{} {n}", family.0);
        }
        for engine in ["monolithic", "auto"] {
            let broken = check(family, &["-DN=3", "-DBROKEN"], engine);
            assert_eq!(broken, Some(1), "{} {engine}", family.0);
        }
        for engine in ["network", "requirement"] {
            let broken = check(family, &["-DN=3", "-DBROKEN"], engine);
            assert_eq!(broken, Some(3), "{} {engine}: counting refutes nothing", family.0);
        }
    }
}

#[test]
fn the_race_proves_what_a_search_cannot() {
    for family in FAMILIES {
        assert_eq!(check(family, &["-DN=40"], "auto"), Some(0), "{}", family.0);
    }
}

/// Six counters have more states than fit into memory, and every infinite run violates the formula.
const COUNTERS: &str = "byte c[6]; bool done;
ltl stops { <> done }
active [6] proctype Count() { do :: c[_pid]++ od }";

/// The search of all states is soon out of memory. Components decide the end states.
#[test]
fn infinite_runs_do_not_wait_for_the_search_of_all_states() {
    let scratch = Scratch::new("beside").expect("a folder");
    let counters = scratch.path().join("counters.pml");
    std::fs::write(&counters, COUNTERS).expect("a file");
    let file = counters.to_str().expect("a name");
    let limits = ["--memory", "80M", "--timeout", "100"];
    let checked = object(&[&["check", "--json", file][..], &limits].concat());
    let properties = checked["properties"].as_array().expect("a list");
    let of = |name: &str| {
        let found = properties.iter().find(|p| p["name"] == name);
        found.map(|p| p["verdict"].clone()).expect("it is there")
    };
    assert_eq!((of("end-states"), of("stops")), ("holds".into(), "fails".into()));
}
