//! The mistakes of beginners, each with what resy says to it, word for word.
//!
//! Beside `models/beginner/x.pml` stands `x.stderr`. After a change of the words, `UPDATE=1 cargo test -p resy-cli --test it beginner`
//! writes them anew, to be read before they are kept.

use std::path::{Path, PathBuf};
use std::process::Command;

fn mistakes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/beginner");
    let entries = std::fs::read_dir(folder).expect("the folder of the mistakes").flatten();
    let paths = entries.map(|entry| entry.path());
    let mut models: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "pml")).collect();
    models.sort();
    models
}

/// What resy says to a model, and its exit code.
fn said(model: &Path) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["check", "--color", "never"])
        .arg(model.file_name().expect("a name"))
        .current_dir(model.parent().expect("a folder"))
        .output()
        .expect("resy runs");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
}

#[test]
fn every_mistake_gets_its_words() {
    let models = mistakes();
    assert!(models.len() >= 40, "only {} models", models.len());
    let mut wrong = Vec::new();
    for model in &models {
        let (words, _) = said(model);
        let expected = model.with_extension("stderr");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &words).expect("a file");
        }
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        if words != expected {
            wrong.push(format!("{}\nexpected:\n{expected}\nfound:\n{words}", model.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A code, the place with a mark, and help. Errors end with 2, warnings go on.
#[test]
fn the_words_have_a_code_a_mark_and_help() {
    for model in mistakes() {
        let (words, code) = said(&model);
        let name = model.display();
        let is_error = words.contains("error[E");
        assert!(is_error || words.contains("warning[W"), "{name}: no code\n{words}");
        assert_eq!(is_error, code == Some(2), "{name}: {code:?}\n{words}");
        assert!(words.matches("error[E").count() <= 1, "{name}: one mistake, one error\n{words}");
        for part in [" --> ", "^", "  = help: "] {
            assert!(words.contains(part), "{name}: no `{part}`\n{words}");
        }
    }
}
