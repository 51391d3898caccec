//! Reduces a program to one property.
//!
//! A requirement is synthesised for one property and need not preserve what other properties depend on.
//! Spin always checks the trace of a program, and rejects a claim that refers to a missing label, so the
//! other properties are removed from the text.

use super::body::ProgramText;
use super::refusal::RewriteObstacle;
use resy_promela::ast::{Claim, Ltl, Unit};
use std::ops::Range;

/// The property that is kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Watched<'a> {
    /// The violations of single steps, such as assertions; they have no declaration.
    Steps,
    /// The event trace.
    Trace,
    /// The claim with this name: a never claim or a formula.
    Claim(&'a str),
}

/// The program without its other properties. Line numbers do not change.
pub fn with_one_property(text: &str, watched: Watched<'_>) -> Result<String, RewriteObstacle> {
    let text = &match watched {
        Watched::Steps => text.to_owned(),
        Watched::Trace | Watched::Claim(_) => without_assertions(text)?,
    };
    let source = ProgramText::read(text)?;
    let mut out = text.clone();
    let mut n_formulas = 0;
    for unit in source.units() {
        let (range, keep) = match unit {
            Unit::Never(claim) => {
                // At most one never claim is unnamed.
                let name = claim.name.as_ref().map_or("never_0", |name| &name.text);
                (claim_range(&source, claim)?, watched == Watched::Claim(name))
            }
            Unit::Trace(trace) => (claim_range(&source, trace)?, watched == Watched::Trace),
            Unit::Ltl(ltl) => {
                let name = ltl_name(ltl, n_formulas);
                n_formulas += 1;
                (ltl_range(&source, ltl)?, watched == Watched::Claim(&name))
            }
            _ => continue,
        };
        if !keep {
            let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
            let blanks: String = text[range.clone()].chars().map(blank).collect();
            // A multi-byte character becomes one blank; blanks are appended to keep offsets unchanged.
            let missing = range.len() - blanks.len();
            out.replace_range(range, &(blanks + &" ".repeat(missing)));
        }
    }
    Ok(out)
}

/// The program in which assertions are replaced by `skip`. Spin's flag `-A` cannot be used instead,
/// because the claim that spin generates for a formula has assertions of its own.
fn without_assertions(text: &str) -> Result<String, RewriteObstacle> {
    let source = ProgramText::read(text)?;
    let mut claims = Vec::new();
    for unit in source.units() {
        if let Unit::Never(claim) | Unit::Trace(claim) = unit {
            claims.push(claim_range(&source, claim)?);
        }
    }
    let mut out = text.to_owned();
    for found in assertions(text) {
        if !claims.iter().any(|claim| claim.contains(&found.start)) {
            let blanks = found.len() - "skip".len();
            out.replace_range(found, &format!("skip{}", " ".repeat(blanks)));
        }
    }
    Ok(out)
}

/// The ranges of assertions, from the keyword to the closing parenthesis.
fn assertions(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            byte if is_word(byte) => {
                let start = at;
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                if &text[start..at] == "assert" {
                    let end = end_of_parentheses(bytes, at);
                    found.push(start..end);
                    at = end;
                }
            }
            _ => at += 1,
        }
    }
    found
}

fn end_of_string(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn end_of_parentheses(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

fn ltl_name(ltl: &Ltl, number: usize) -> String {
    ltl.name.as_ref().map_or_else(|| format!("ltl_{number}"), |name| name.text.to_string())
}

fn claim_range(source: &ProgramText<'_>, claim: &Claim) -> Result<Range<usize>, RewriteObstacle> {
    let (word, body) = (source.range(claim.span)?, source.range(claim.body.span)?);
    Ok(word.start..body.end)
}

/// From the keyword to the closing brace; a formula contains no braces.
fn ltl_range(source: &ProgramText<'_>, ltl: &Ltl) -> Result<Range<usize>, RewriteObstacle> {
    let word = source.range(ltl.span)?;
    let end = source.text()[word.start..].find('}').ok_or(RewriteObstacle::Text)?;
    Ok(word.start..word.start + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "byte x;
inline check(a) { assert (a == (1)); x = 0 }
active proctype P() { printf(\"assert(x) \\\"\"); assert(x == 0); x = 1 }
never { do :: assert(x < 2) od }
trace { do :: q!1 od }
ltl p { [] (x < 2) }
";

    #[test]
    fn other_properties_are_gone() {
        let text = TEXT.replacen("byte x;", "byte x; chan q = [1] of { byte };", 1);
        let left = |watched| with_one_property(&text, watched).expect("a program");
        let steps = left(Watched::Steps);
        assert!(!steps.contains("never") && !steps.contains("trace") && !steps.contains("ltl"));
        assert!(steps.contains("assert (a == (1))") && steps.contains("assert(x == 0)"));
        let formula = left(Watched::Claim("p"));
        assert!(formula.contains("ltl p { [] (x < 2) }") && !formula.contains("never"));
        // Assertions become `skip`, but not inside strings.
        assert!(formula.contains("{ skip             ; x = 0 }"), "{formula}");
        assert!(formula.contains("skip          ; x = 1 }"), "{formula}");
        assert!(formula.contains("assert(x) "), "{formula}");
        let claim = left(Watched::Claim("never_0"));
        assert!(claim.contains("never { do :: assert(x < 2) od }") && !claim.contains("ltl"));
        assert!(left(Watched::Trace).contains("trace { do"));
        assert_eq!(steps.lines().count(), text.lines().count());
    }
}
