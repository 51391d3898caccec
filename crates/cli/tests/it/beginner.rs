//! The mistakes of beginners, each with what resy says to it, word for word.
//!
//! Beside `models/beginner/x.pml` stands `x.stderr`. After a change of the words, `UPDATE=1 cargo test -p resy-cli --test it beginner`
//! writes them anew, to be read before they are kept.

use resy_testkit::fixtures::models_dir;
use std::path::Path;
use std::process::Command;

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

resy_testkit::each_beginner!(gets_its_words, crate::beginner::has_its_words);
resy_testkit::each_beginner!(gets_a_code_a_mark_and_help, crate::beginner::gets_its_parts);

fn has_its_words(model: &Path) {
    let (words, _) = said(model);
    let expected = model.with_extension("stderr");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&expected, &words).expect("a file");
    }
    let expected = std::fs::read_to_string(expected).unwrap_or_default();
    assert_eq!(words, expected);
}

/// A code, the place with a mark, and help. Errors end with 2, warnings go on.
fn gets_its_parts(model: &Path) {
    let (words, code) = said(model);
    let is_error = words.contains("error[E");
    assert!(is_error || words.contains("warning[W"), "no code\n{words}");
    assert_eq!(is_error, code == Some(2), "{code:?}\n{words}");
    assert!(words.matches("error[E").count() <= 1, "one mistake, one error\n{words}");
    for part in [" --> ", "^", "  = help: "] {
        assert!(words.contains(part), "no `{part}`\n{words}");
    }
}

#[test]
fn there_are_many_mistakes() {
    let folder = std::fs::read_dir(models_dir().join("beginner")).expect("the folder").flatten();
    let n = folder.filter(|entry| entry.path().extension().is_some_and(|e| e == "pml")).count();
    assert!(n >= 40, "only {n} models");
}
