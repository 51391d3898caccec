//! The families of `bench/live`: properties of infinite runs that a hundred processes satisfy without fairness.

use resy_testkit::bench_models::bench_dir;
use resy_testkit::scratch::Scratch;
use std::path::Path;
use std::process::Command;

const FAMILIES: [(&str, &str); 3] =
    [("philosophers", "progress"), ("token_ring", "progress"), ("buffers", "comes_out")];

fn resy(words: &[&str], file: &Path) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_resy")).args(words).arg(file).output();
    output.expect("resy can be run").status.code()
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
    assert_eq!(check(FAMILIES[0], &["-DN=40"], "auto"), Some(0));
}
