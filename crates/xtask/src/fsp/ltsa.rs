//! LTSA as a program: its classes, and a few lines of Java around them.

use super::rows::LtsaRow;
use crate::args::TaskFailure;
use crate::tidy::workspace_root;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROGRAM: &str = include_str!("Ltsa.java");

/// What LTSA answers to these rows, each within a number of seconds.
pub(super) fn ask(
    jars: &Path,
    folder: &Path,
    rows: &[LtsaRow],
    seconds: u64,
) -> Result<Vec<LtsaRow>, TaskFailure> {
    let path = compiled(&jars.canonicalize()?)?;
    let mut answered = Vec::new();
    while answered.len() < rows.len() {
        let before = answered.len();
        let mut child = Command::new("java")
            .args(["-Xmx2g", "-cp", &path, "Ltsa", &seconds.to_string()])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let questions: String = rows[before..].iter().map(LtsaRow::as_question).collect();
        if let Some(mut input) = child.stdin.take() {
            // It may end early, after a row that takes too long.
            std::thread::spawn(move || input.write_all(questions.as_bytes()));
        }
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        answered.extend(text.lines().filter_map(LtsaRow::parse));
        if answered.len() == before {
            return Err(TaskFailure::new("LTSA does not answer: is java installed?"));
        }
    }
    Ok(answered)
}

/// The class path with the compiled program.
fn compiled(jars: &Path) -> Result<String, TaskFailure> {
    let folder: PathBuf = workspace_root().join("target/ltsa");
    std::fs::create_dir_all(&folder)?;
    let source = folder.join("Ltsa.java");
    std::fs::write(&source, PROGRAM)?;
    let library = format!("{0}/ltsa.jar:{0}/ltl2buchi.jar", jars.display());
    let status = Command::new("javac")
        .args(["-nowarn", "-cp", &library, "-d"])
        .args([&folder, &source])
        .status()
        .map_err(|error| TaskFailure::new(format!("javac: {error}")))?;
    match status.success() {
        true => Ok(format!("{}:{library}", folder.display())),
        false => Err(TaskFailure::new("the program around LTSA does not compile")),
    }
}
