//! Hints for mistakes that people make often.

use super::words::{Kind, Kw, Lex};
use crate::token::Punct;

/// A hint for a token that should not stand where it does.
pub(super) fn for_token(lex: &Lex, expected: &str) -> Option<String> {
    let hint = match &lex.kind {
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
        _ => return None,
    };
    Some(hint.to_string())
}

/// How loops are written.
pub(super) const WHILE: &str =
    "Promela has no `while`: write `do :: condition -> … :: else -> break od`";

/// A hint for `word something`, where a separator was expected.
pub(super) fn for_statement(word: &str, next: &Lex) -> Option<String> {
    match (word, &next.kind) {
        ("while", _) => Some(WHILE.to_string()),
        ("else", _) => None,
        (_, Kind::Punct(Punct::LParen)) => {
            Some(format!("no inline `{word}` has been defined before this place"))
        }
        (_, Kind::Name(_)) => Some(format!("`{word}` is not a type declared before this place")),
        _ => None,
    }
}
