//! The definition of the command line is consistent, and its examples can be typed.

use super::Args;
use clap::{CommandFactory, Parser};

#[test]
fn the_definition_is_consistent() {
    Args::command().debug_assert();
}

/// The calls of the workflow for continuous integration.
#[test]
fn the_workflow_can_be_run() {
    let text = include_str!("../../../../docs/ci.md");
    let calls: Vec<&str> = text.lines().filter_map(|l| l.trim().strip_prefix("run: ")).collect();
    let ours: Vec<&str> = calls.iter().filter(|c| c.starts_with("resy ")).copied().collect();
    assert!(ours.len() >= 2, "{calls:?}");
    for call in ours {
        // The rest is the shell's.
        let words = call.split_whitespace().take_while(|word| *word != ">");
        assert!(Args::try_parse_from(words).is_ok(), "{call}");
    }
}

/// All commands, and the commands of commands.
fn commands(command: &clap::Command) -> Vec<&clap::Command> {
    let inner = command.get_subcommands().filter(|c| c.get_name() != "help");
    std::iter::once(command).chain(inner.flat_map(commands)).collect()
}

#[test]
fn every_command_has_an_example_that_can_be_typed() {
    let all = Args::command();
    let with_help = commands(&all);
    assert!(with_help.len() > 10, "only {} commands", with_help.len());
    for command in with_help {
        let name = command.get_name();
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.starts_with("Example"), "`{name}` has no example: {help}");
        let lines: Vec<&str> = help.lines().filter_map(|l| l.strip_prefix("  ")).collect();
        assert!(!lines.is_empty(), "`{name}` has no example: {help}");
        for line in lines {
            let parsed = Args::try_parse_from(line.split_whitespace());
            assert!(parsed.is_ok(), "{line}: {}", parsed.expect_err("it failed"));
            let files = line
                .split_whitespace()
                .filter(|word| word.starts_with("examples/") || word.starts_with("docs/"));
            for file in files {
                let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
                assert!(std::path::Path::new(&path).exists(), "{line}: no {file}");
            }
        }
    }
}
