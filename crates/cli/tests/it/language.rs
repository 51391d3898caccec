//! The table of the language: what it calls supported is accepted, and keeps its meaning in canonical layout.

use resy_testkit::scratch::Scratch;
use std::path::Path;
use std::process::{Command, Output};

/// The rows of the table: construct, status, example.
fn rows() -> Vec<[String; 3]> {
    let text = include_str!("../../../../docs/language.md");
    let cells = |line: &str| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        <[String; 3]>::try_from(cells.get(1..4)?.to_vec()).ok()
    };
    let is_row = |row: &[String; 3]| !row[0].starts_with("---") && row[0] != "construct";
    text.lines().filter(|line| line.starts_with('|')).filter_map(cells).filter(is_row).collect()
}

/// An example as a whole model.
fn model(example: &str) -> String {
    if example.contains("proctype ") || example.contains("init {") {
        return example.to_owned();
    }
    format!(
        "byte x, y; bool b; byte a[3]; chan q = [2] of {{ byte }}; chan r = [0] of {{ byte }};\n\
         active proctype P() {{ {example} }}\n"
    )
}

fn resy(words: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy")).args(words).arg(file).output().expect("resy runs")
}

/// States, transitions and verdicts.
fn meaning(file: &Path) -> Result<String, String> {
    let output =
        resy(&["check", "--plain", "--exhaustive", "--json", "--engine", "monolithic"], file);
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let value: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let assertions = &value["properties"][0];
    if assertions["verdict"] == "fails" {
        return Err(assertions.to_string());
    }
    Ok(format!(
        "{} {} {}",
        value["verdict"], value["stats"]["states"], value["stats"]["transitions"]
    ))
}

#[test]
fn what_is_called_supported_is() {
    let scratch = Scratch::new("language").expect("a folder");
    let (file, neat) = (scratch.path().join("row.pml"), scratch.path().join("neat.pml"));
    let mut wrong = Vec::new();
    let mut n_examples = 0;
    for [construct, status, example] in rows() {
        let Some(example) = example.strip_prefix('`').and_then(|e| e.strip_suffix('`')) else {
            let is_named = status.starts_with("no") || status.starts_with("refused");
            assert!(is_named || construct.contains('#') || construct.contains("-D"), "{construct}");
            continue;
        };
        n_examples += 1;
        std::fs::write(&file, model(example)).expect("a file");
        std::fs::write(&neat, resy(&["fmt"], &file).stdout).expect("a file");
        match (meaning(&file), meaning(&neat)) {
            (Ok(before), Ok(after)) if before == after => {}
            (before, after) => wrong.push(format!("{construct}: {example}\n{before:?}\n{after:?}")),
        }
    }
    assert!(n_examples > 45, "only {n_examples} examples");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
