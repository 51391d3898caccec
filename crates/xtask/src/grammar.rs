//! The TextMate grammars of the extension for editors, from the keyword tables of the front ends.
//!
//! An editor colours a text with them before the language server answers. Words come from the tables, so that a
//! keyword cannot be forgotten; the lists here only say which of them are types, constants or functions.

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Reserved words of Promela that name types, or change one.
const TYPES: &[&str] = &[
    "bit", "bool", "byte", "chan", "hidden", "int", "local", "mtype", "pid", "short", "show",
    "typedef", "unsigned",
];
/// Reserved words of Promela that are values.
const VALUES: &[&str] = &["false", "np_", "skip", "timeout", "true"];
/// Reserved words of Promela that are called.
const FUNCTIONS: &[&str] = &[
    "assert",
    "empty",
    "enabled",
    "eval",
    "full",
    "get_priority",
    "len",
    "nempty",
    "nfull",
    "pc_value",
    "printf",
    "printm",
    "select",
    "set_priority",
];
/// Variables that every process has.
const PREDEFINED: &[&str] = &["_", "_last", "_nr_pr", "_pid", "_priority"];
/// Keywords of FSP that are processes.
const PROCESSES: &[&str] = &["END", "ERROR", "STOP"];

/// The task `grammar`: writes both grammars.
pub fn run(_: &TaskArgs) -> Result<bool, TaskFailure> {
    for (path, text) in grammars() {
        std::fs::write(&path, text)?;
        println!("written: {}", path.display());
    }
    Ok(true)
}

/// The files of the grammars and what belongs into them.
fn grammars() -> [(PathBuf, String); 2] {
    let folder = workspace_root().join("editors/vscode/syntaxes");
    let printed = |grammar: &Value| format!("{grammar:#}\n");
    [
        (folder.join("promela.tmLanguage.json"), printed(&promela())),
        (folder.join("fsp.tmLanguage.json"), printed(&fsp())),
    ]
}

/// The reserved words of Promela that are in none of the lists.
fn statements() -> Vec<&'static str> {
    let lists = [TYPES, VALUES, FUNCTIONS].concat();
    resy_promela::parse::reserved_words().filter(|word| !lists.contains(word)).collect()
}

/// A pattern that matches one of the words.
fn any_of(words: &[&str]) -> String {
    let mut words = words.to_vec();
    words.sort_unstable();
    format!("\\b({})\\b", words.join("|"))
}

fn colour(scope: &str, pattern: &str) -> Value {
    json!({ "name": scope, "match": pattern })
}

/// A keyword and the name that it declares or refers to.
fn named(pattern: &str, keyword: &str, name: &str) -> Value {
    json!({ "match": pattern, "captures": { "1": { "name": keyword }, "2": { "name": name } } })
}

fn comments(language: &str) -> [Value; 2] {
    [
        colour(&format!("comment.line.double-slash.{language}"), "//.*$"),
        json!({ "name": format!("comment.block.{language}"), "begin": "/\\*", "end": "\\*/" }),
    ]
}

fn promela() -> Value {
    let mut patterns = comments("promela").to_vec();
    patterns.extend(directives());
    patterns.push(json!({
        "name": "string.quoted.double.promela",
        "begin": "\"",
        "end": "\"",
        "patterns": [
            colour("constant.character.escape.promela", "\\\\."),
            colour("constant.other.placeholder.promela", "%[cdeoux]"),
        ],
    }));
    patterns.push(colour("string.quoted.single.promela", "'(\\\\.|[^'\\\\])'"));
    patterns.push(formula());
    patterns.extend(declarations());
    patterns.push(named(
        "^\\s*([A-Za-z_][A-Za-z_0-9]*)\\s*(:)(?!:)",
        "entity.name.label.promela",
        "punctuation.separator.label.promela",
    ));
    patterns.extend(words());
    json!({
        "name": "Promela",
        "scopeName": "source.promela",
        "fileTypes": ["pml", "promela", "prom"],
        "patterns": patterns,
    })
}

fn directives() -> [Value; 2] {
    let word = "keyword.control.directive.promela";
    [
        named(
            "^\\s*(#\\s*(?:define|undef|ifdef|ifndef))\\s+([A-Za-z_][A-Za-z_0-9]*)",
            word,
            "entity.name.function.preprocessor.promela",
        ),
        colour(word, "^\\s*#\\s*[a-z]+"),
    ]
}

/// An `ltl` block: only in it are words operators.
fn formula() -> Value {
    let temporal: Vec<&str> = resy_promela::parse::TEMPORAL_WORDS.to_vec();
    let mut inside = comments("promela").to_vec();
    inside.push(colour("keyword.operator.word.promela", &any_of(&temporal)));
    inside.push(colour("keyword.operator.temporal.promela", "\\[\\]|<>|<->|->"));
    inside.extend(words());
    json!({
        "begin": "\\b(ltl)\\b(?:\\s+([A-Za-z_][A-Za-z_0-9]*))?\\s*(\\{)",
        "beginCaptures": {
            "1": { "name": "keyword.control.promela" },
            "2": { "name": "entity.name.function.promela" },
        },
        "end": "\\}",
        "patterns": inside,
    })
}

fn declarations() -> [Value; 3] {
    let name = "\\s+([A-Za-z_][A-Za-z_0-9]*)";
    let keyword = "keyword.control.promela";
    [
        named(&format!("\\b(proctype|D_proctype|run){name}"), keyword, "entity.name.type.promela"),
        named(&format!("\\b(inline){name}"), keyword, "entity.name.function.promela"),
        named(&format!("\\b(goto){name}"), keyword, "entity.name.label.promela"),
    ]
}

fn words() -> [Value; 7] {
    [
        colour("storage.type.promela", &any_of(TYPES)),
        colour("constant.language.promela", &any_of(VALUES)),
        colour("support.function.promela", &any_of(FUNCTIONS)),
        colour("keyword.control.promela", &any_of(&statements())),
        colour("variable.language.promela", &any_of(PREDEFINED)),
        colour("constant.numeric.promela", "\\b[0-9]+\\b"),
        colour(
            "keyword.operator.promela",
            "::|->|!!|\\?\\?|\\+\\+|--|&&|\\|\\||[=!<>]=|<<|>>|[-+*/%=!?<>&|^~@]",
        ),
    ]
}

fn fsp() -> Value {
    let keywords: Vec<&str> =
        resy_fsp::token::TokenKind::keywords().filter(|word| !PROCESSES.contains(word)).collect();
    let mut patterns = comments("fsp").to_vec();
    patterns.push(colour("constant.language.fsp", &any_of(PROCESSES)));
    patterns.push(colour("keyword.control.fsp", &any_of(&keywords)));
    patterns.push(colour("constant.numeric.fsp", "\\b[0-9]+\\b"));
    patterns.push(colour("entity.name.type.fsp", "\\b[A-Z][A-Za-z_0-9]*\\b"));
    patterns.push(colour("variable.other.fsp", "\\b[a-z_][A-Za-z_0-9]*\\b"));
    patterns.push(colour(
        "keyword.operator.fsp",
        "->|\\|\\||&&|\\.\\.|::|[=!<>]=|<<|>>|\\[\\]|<>|[-+*/%=!<>&|^@#\\\\]",
    ));
    json!({
        "name": "FSP",
        "scopeName": "source.fsp",
        "fileTypes": ["lts", "fsp"],
        "patterns": patterns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammars_are_current() {
        for (path, text) in grammars() {
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(written == text, "{}: run `xtask grammar`", path.display());
        }
    }

    #[test]
    fn the_lists_have_reserved_words_only() {
        for word in [TYPES, VALUES, FUNCTIONS].concat() {
            assert!(resy_promela::parse::is_reserved(word), "{word}");
        }
        for word in PROCESSES {
            assert!(resy_fsp::token::TokenKind::keyword(word).is_some(), "{word}");
        }
    }

    #[test]
    fn every_reserved_word_has_a_colour() {
        let grammar = promela().to_string();
        for word in resy_promela::parse::reserved_words() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(grammar.split(|c| !is_word(c)).any(|w| w == word), "{word}");
        }
    }
}
