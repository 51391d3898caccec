//! The documentation: its examples run, its table of codes is complete.

use resy_promela::Code;
use std::path::Path;
use std::process::Command;

/// Set for the process that runs the examples.
const CHILD: &str = "RESY_TEST_DOCS_CHILD";

/// The examples name files from the root of the repository, and trycmd runs them in the current
/// folder, which all threads share: so they run in a process of their own.
#[test]
fn the_examples_of_the_command_line_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    if std::env::var_os(CHILD).is_none() {
        // Some of them write files there.
        std::fs::create_dir_all(Path::new(root).join("target")).expect("a folder");
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "docs::the_examples_of_the_command_line_run", "--nocapture"])
            .env(CHILD, "1")
            .current_dir(root)
            .output()
            .expect("this program runs");
        let (told, complained) = (&output.stdout, &output.stderr);
        let told = [String::from_utf8_lossy(told), String::from_utf8_lossy(complained)].concat();
        return assert!(output.status.success(), "{told}");
    }
    trycmd::TestCases::new()
        .register_bin("resy", trycmd::cargo::cargo_bin!("resy"))
        // Charts use box drawing characters in this locale.
        .env("LC_ALL", "C.UTF-8")
        // Small models are decided by the search, on a busy machine too.
        .env("RESY_HEAD_START", "2000")
        .case("docs/abstraction.md")
        .case("docs/cli.md")
        .case("docs/contracts.md")
        .case("docs/counterexamples.md")
        .case("docs/engines.md")
        .case("docs/errors.md")
        .case("docs/fsp.md")
        .case("docs/learning.md")
        .case("docs/liveness.md")
        .case("docs/lts.md")
        .case("docs/reports.md")
        .case("docs/requirements.md")
        .case("docs/tutorial.md");
}

#[test]
fn every_code_is_explained() {
    let text = include_str!("../../../../docs/diagnostics.md");
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|c| c.as_str())
        .filter(|c| !text.contains(&format!("| {c} |")))
        .collect();
    assert!(missing.is_empty(), "not in docs/diagnostics.md: {missing:?}");
}

/// The table of contents names every chapter, and every link between the chapters leads somewhere.
#[test]
fn the_book_is_whole() {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let lists = ["README.md", "SUMMARY.md"];
    let contents = lists.map(|list| std::fs::read_to_string(docs.join(list)).expect("a list"));
    for entry in std::fs::read_dir(docs).expect("the book").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".md") || lists.contains(&&*name) {
            continue;
        }
        for (list, contents) in lists.iter().zip(&contents) {
            assert!(contents.contains(&format!("({name})")), "{name} is not in {list}");
        }
    }
    let readme = docs.join("../README.md");
    let chapters = std::fs::read_dir(docs).expect("the book").flatten().map(|e| e.path());
    for chapter in chapters.chain([readme]).filter(|p| p.extension().is_some_and(|e| e == "md")) {
        let text = std::fs::read_to_string(&chapter).expect("a chapter");
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (target, _) in targets {
            let file = target.split('#').next().unwrap_or_default();
            let is_path = !file.is_empty() && !file.starts_with("http") && !file.contains(' ');
            let path = chapter.parent().expect("a folder").join(file);
            assert!(!is_path || path.exists(), "{}: no {target}", chapter.display());
        }
    }
}
