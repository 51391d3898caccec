//! The commands of the README work in a fresh clone.

use resy_testkit::scratch::Scratch;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The commands of the README that need nothing but the repository.
fn commands() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("README.md")).expect("the README");
    let call = |line: &str| line.strip_prefix("    cargo run --release -- ").map(str::to_owned);
    let words = |line: String| line.split_whitespace().map(str::to_owned).collect();
    text.lines().filter_map(call).map(words).collect()
}

#[test]
fn the_commands_of_the_readme_work_and_make_its_picture() {
    let commands = commands();
    assert!(commands.len() >= 2, "{commands:?}");
    let scratch = Scratch::new("readme").expect("a folder");
    let mut pictures = 0;
    for command in commands {
        // Files that it writes go elsewhere.
        let words = command.iter().map(|word| match Path::new(word).extension() {
            Some(e) if e == "svg" => scratch.path().join(word).display().to_string(),
            _ => word.clone(),
        });
        let output = Command::new(env!("CARGO_BIN_EXE_resy"))
            .args(words)
            .current_dir(ROOT)
            .output()
            .expect("resy runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {complaint}");
        for name in command.iter().filter(|word| word.ends_with(".svg")) {
            let made = std::fs::read_to_string(scratch.path().join(name)).expect("a picture");
            let shown = Path::new(ROOT).join("docs/images").join(name);
            if std::env::var_os("UPDATE").is_some() {
                std::fs::write(&shown, &made).expect("a file");
            }
            let shown = std::fs::read_to_string(shown).expect("the picture of the README");
            assert_eq!(made, shown, "docs/images/{name} is out of date; UPDATE=1 makes it anew");
            pictures += 1;
        }
    }
    assert_eq!(pictures, 1, "the README has one picture");
}
