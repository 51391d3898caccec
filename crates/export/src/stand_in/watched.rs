//! A program with one property only.
//!
//! A requirement is made for a property, and says nothing about others: what they look at may be gone.
//! Spin checks the trace of a program in any case, and refuses a claim about a label that is not
//! there, so that the other properties must leave the text.

use super::body::Source;
use super::refusal::Why;
use resy_promela::ast::{Claim, Ltl, Unit};
use std::ops::Range;

/// The property that a program keeps.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Watched<'a> {
    /// What goes wrong in a step; it is not declared.
    Steps,
    /// The event trace.
    Trace,
    /// The claim of this name: a never claim or a formula.
    Claim(&'a str),
}

/// The program without its other properties. Lines stay where they are.
pub fn with_one_property(text: &str, watched: Watched<'_>) -> Result<String, Why> {
    let source = Source::read(text)?;
    let mut out = text.to_owned();
    let mut n_formulas = 0;
    for unit in source.units() {
        let (range, keep) = match unit {
            Unit::Never(claim) => {
                // Only one claim may be without a name.
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
            // Characters of several bytes become one blank: offsets must stay.
            let missing = range.len() - blanks.len();
            out.replace_range(range, &(blanks + &" ".repeat(missing)));
        }
    }
    Ok(out)
}

fn ltl_name(ltl: &Ltl, number: usize) -> String {
    ltl.name.as_ref().map_or_else(|| format!("ltl_{number}"), |name| name.text.to_string())
}

fn claim_range(source: &Source<'_>, claim: &Claim) -> Result<Range<usize>, Why> {
    let (word, body) = (source.range(claim.span)?, source.range(claim.body.span)?);
    Ok(word.start..body.end)
}

/// From the word to the brace; there are no braces in a formula.
fn ltl_range(source: &Source<'_>, ltl: &Ltl) -> Result<Range<usize>, Why> {
    let word = source.range(ltl.span)?;
    let end = source.text()[word.start..].find('}').ok_or(Why::Text)?;
    Ok(word.start..word.start + end + 1)
}
