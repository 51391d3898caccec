//! The documentation: its examples run, its table of codes is complete.

use resy_promela::Code;

#[test]
fn the_examples_of_the_command_line_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the root of the repository");
    trycmd::TestCases::new()
        .register_bin("resy", trycmd::cargo::cargo_bin!("resy"))
        // Charts have box drawing where the locale knows it.
        .env("LC_ALL", "C.UTF-8")
        // Whoever is asked on a busy machine, small models are decided by the search.
        .env("RESY_HEAD_START", "2000")
        .case("docs/cli.md")
        .case("docs/contracts.md")
        .case("docs/counterexamples.md")
        .case("docs/engines.md")
        .case("docs/lts.md")
        .case("docs/reports.md")
        .case("docs/requirements.md");
}

#[test]
fn every_code_is_explained() {
    let text = include_str!("../../../docs/diagnostics.md");
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|c| c.as_str())
        .filter(|c| !text.contains(&format!("| {c} |")))
        .collect();
    assert!(missing.is_empty(), "not in docs/diagnostics.md: {missing:?}");
}
