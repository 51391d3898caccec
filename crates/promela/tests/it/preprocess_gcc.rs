//! The preprocessor against its oracle: `gcc -E` on the same text must give the
//! same tokens, the same line ends between them, and fail on the same texts.
//!
//! `RESY_ORACLE_CASES` and `RESY_ORACLE_SEED` set the number of random programs
//! and the first seed; `RESY_ORACLE_FILES` names files to compare in addition.

mod cases;
mod generate;
mod oracle;

use oracle::compare;
use std::path::Path;

#[test]
fn written_cases_agree_with_gcc() {
    for case in cases::CASES {
        if let Err(difference) = compare(case, Path::new(".")) {
            panic!("{difference}");
        }
    }
}

#[test]
fn random_programs_agree_with_gcc() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("RESY_ORACLE_SEED", 1);
    for seed in first..first + number("RESY_ORACLE_CASES", 300) {
        let program = generate::program(seed);
        if let Err(difference) = compare(&program, Path::new(".")) {
            panic!("RESY_ORACLE_SEED={seed}\n{difference}");
        }
    }
}

#[test]
fn named_files_agree_with_gcc() {
    let names = std::env::var("RESY_ORACLE_FILES").unwrap_or_default();
    let mut differences = Vec::new();
    for name in names.split_whitespace() {
        let path = Path::new(name);
        let bytes = std::fs::read(path).expect("a readable file");
        let text = String::from_utf8_lossy(&bytes);
        if let Err(difference) = compare(&text, path.parent().unwrap_or(Path::new("."))) {
            differences.push(format!("{name}: {difference}"));
        }
    }
    let shown = &differences[..differences.len().min(5)];
    assert!(differences.is_empty(), "{} files differ\n{}", differences.len(), shown.join("\n\n"));
}
