//! Hints for mistakes that people make often.

use super::names::Names;
use super::words::{Kind, Kw, Lex};
use crate::similar::similar;
use crate::token::Punct;

/// A hint for a token that should not stand where it does.
pub(super) fn for_token(lex: &Lex, expected: &str) -> Option<String> {
    let hint = match &lex.kind {
        Kind::Punct(Punct::Assign) if expected == "a statement" => {
            "an assignment is written `x = …`; `x:` before a statement is a label"
        }
        Kind::Punct(Punct::Assign) => "`==` compares; an assignment is a statement of its own",
        Kind::Punct(Punct::BangBang) => {
            "`!!` is a sorted send; write `!(!x)` for a double negation"
        }
        Kind::Punct(Punct::Bang | Punct::Query | Punct::QueryQuery) => {
            "sends and receives are statements; `q?[m]` tests for a message"
        }
        Kind::Name(n) => return for_word(n),
        Kind::Punct(Punct::RBrace) if expected.contains("proctype") => "this `}` closes nothing",
        Kind::Kw(Kw::Else) => "`else` opens an option: `:: else -> …`",
        Kind::Kw(word) if expected.starts_with("the name of a variable") => {
            return Some(format!(
                "`{}` is a word of the language: choose another name",
                word.text()
            ));
        }
        Kind::Kw(Kw::Full | Kw::Nfull | Kw::Empty | Kw::Nempty) => PROBE,
        Kind::ProcName(n) => return Some(format!("`{n}` is the name of a proctype here")),
        Kind::InlineName(n) => {
            return Some(format!("`{n}` is an inline: it can be called as a statement only"));
        }
        Kind::Mtype(n, _) if expected.contains("name") => {
            return Some(format!("`{n}` is a constant of an `mtype` here"));
        }
        Kind::Punct(Punct::Comma) if expected.contains("`;`") => {
            "after a `}` or a whole declaration a new one needs `;` and its type"
        }
        _ => return None,
    };
    Some(hint.to_string())
}

/// Why `full` and its relatives may stand under `&&` and `||` only.
pub(super) const PROBE: &str =
    "`full`, `nfull`, `empty` and `nempty` can only be combined with `&&` and `||`";

/// A hint for a word that is a keyword elsewhere.
fn for_word(word: &str) -> Option<String> {
    let hint = match word {
        "and" => "write `&&`",
        "or" => "write `||`",
        "not" => "write `!`",
        "while" => WHILE,
        _ => return for_type(word),
    };
    Some(hint.to_string())
}

/// A hint for a type of another language.
fn for_type(word: &str) -> Option<String> {
    let ours = match word {
        "integer" | "Integer" | "Int" | "long" => "int",
        "boolean" | "Boolean" | "Bool" => "bool",
        "char" | "uint8_t" => "byte",
        "channel" | "Chan" => "chan",
        "enum" => "mtype",
        "struct" => "typedef",
        "process" | "function" | "void" => "proctype",
        "const" => "#define",
        "float" | "double" | "string" => {
            return Some(format!("Promela has no `{word}`: its types are small whole numbers"));
        }
        _ => return None,
    };
    Some(format!("in Promela this is `{ours}`"))
}

/// A hint for a temporal operator of another notation before its operand, as in `G (x < 10)`.
pub(super) fn for_operator(word: &str) -> Option<String> {
    let ours = match word {
        "G" | "A" | "AG" | "globally" => "[]",
        "F" | "E" | "AF" | "finally" => "<>",
        _ => return None,
    };
    Some(format!("write `{ours} (…)`: `[]` is always, `<>` eventually, `X` next, `U` until"))
}

/// How loops are written.
pub(super) const WHILE: &str = "write `do :: condition -> … :: else -> break od`";

/// What is wrong about `word something`, where a separator was expected, and a hint.
pub(super) fn for_statement(word: &str, next: &Lex, names: &Names) -> Option<(String, String)> {
    let with = |hint: String, more: Option<String>| match more {
        Some(more) => format!("{hint}; {more}"),
        None => hint,
    };
    match (word, &next.kind) {
        ("while", _) => Some(("Promela has no `while`".to_owned(), WHILE.to_owned())),
        ("else", _) => None,
        (_, Kind::Punct(Punct::LParen)) => {
            let hint = format!("no inline `{word}` has been defined before this place");
            let meant = similar(word, names.inlines()).map(|s| format!("did you mean `{s}`?"));
            Some((format!("`{word}` cannot be called"), with(hint, meant)))
        }
        (_, Kind::Name(_)) => {
            let hint = format!("`{word}` is not a type declared before this place");
            Some((format!("`{word}` cannot begin a declaration"), with(hint, for_type(word))))
        }
        _ => None,
    }
}
