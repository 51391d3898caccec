//! From certificates of abstractions to text.

use super::evidence::{
    CycleComponent, CycleEvidence, CycleReason, DataCertificate, WrittenDerivation,
};
use super::read::{VERSION, sort_word};
use crate::text::{escaped, line, numbers, write_origin};
use resy_index::Id;
use resy_symbolic::derivation::{Axiom, DerivationStep};
use resy_symbolic::{FairAction, LinearSum, Relation, Term, TermExcerpt, TermId};
use std::fmt::Write as _;

/// The certificate as text.
pub fn write_data(certificate: &DataCertificate) -> String {
    let DataCertificate { origin, evidence, derivations } = certificate;
    let mut text = String::new();
    line(&mut text, VERSION);
    write_origin(&mut text, origin);
    line(&mut text, &format!("symbols {}", evidence.symbols.len()));
    for (name, sort) in &evidence.symbols {
        line(&mut text, &format!("{} {}", sort_word(*sort), escaped(name)));
    }
    terms(&mut text, &evidence.terms);
    text.push_str("predicates ");
    numbers(&mut text, &evidence.predicates);
    text.push_str("ranks ");
    numbers(&mut text, &evidence.ranks);
    line(&mut text, &format!("controls {}", evidence.controls.len()));
    for list in &evidence.controls {
        numbers(&mut text, list.iter().map(|values| valuation(values)));
    }
    line(&mut text, &format!("cycles {}", usize::from(evidence.cycles.is_some())));
    evidence.cycles.iter().for_each(|cycles| write_cycles(&mut text, cycles));
    line(&mut text, &format!("derivations {}", derivations.len()));
    for derivation in derivations {
        match derivation {
            None => line(&mut text, "open"),
            Some(derivation) => write_derivation(&mut text, derivation),
        }
    }
    line(&mut text, "end");
    text
}

/// `=` and a digit for each predicate.
fn valuation(values: &[bool]) -> String {
    let digits = values.iter().map(|&value| if value { '1' } else { '0' });
    std::iter::once('=').chain(digits).collect()
}

fn write_cycles(text: &mut String, cycles: &CycleEvidence) {
    text.push_str("initial ");
    numbers(text, &cycles.initial);
    line(text, &format!("steps {}", cycles.steps.len()));
    for steps in &cycles.steps {
        numbers(text, steps.iter().map(|step| format!("{}>{}", step.command, step.target)));
    }
    line(text, &format!("known {}", cycles.known.len()));
    for &(state, proposition, value) in &cycles.known {
        line(text, &format!("{state} {proposition} {}", u8::from(value)));
    }
    line(text, &format!("enabled {}", cycles.enabled.len()));
    for &(fair, state) in &cycles.enabled {
        line(text, &format!("{} {state}", action(fair)));
    }
    for (word, list) in [("falling", &cycles.falling), ("not-rising", &cycles.not_rising)] {
        line(text, &format!("{word} {}", list.len()));
        for (rank, state, step) in list {
            line(text, &format!("{rank} {state} {}>{}", step.command, step.target));
        }
    }
    write_components(text, &cycles.components);
}

fn write_components(text: &mut String, components: &[CycleComponent]) {
    line(text, &format!("components {}", components.len()));
    for CycleComponent { states, reason } in components {
        numbers(text, states.iter().map(|(state, claim)| format!("{state}.{claim}")));
        match reason {
            CycleReason::NoEdge => line(text, "no-edge"),
            CycleReason::NoMark(mark) => line(text, &format!("no-mark {mark}")),
            CycleReason::Just(fair) => line(text, &format!("just {}", action(*fair))),
            CycleReason::Compassionate(fair, rest) => {
                line(text, &format!("compassionate {}", action(*fair)));
                write_components(text, rest);
            }
            CycleReason::Rank(rank, rest) => {
                line(text, &format!("rank {rank}"));
                write_components(text, rest);
            }
        }
    }
}

fn action(action: FairAction) -> String {
    match action {
        FairAction::Process(pid) => format!("{pid}"),
        FairAction::Statement(pid, proctype, location) => {
            format!("{pid}:{}:{}", proctype.index(), location.index())
        }
    }
}

fn terms(text: &mut String, excerpt: &TermExcerpt) {
    line(text, &format!("terms {}", excerpt.terms.len()));
    excerpt.terms.iter().for_each(|term| line(text, &term_line(term)));
}

/// A term in one line; terms without a meaning for the checker are written so that it rejects them.
fn term_line(term: &Term) -> String {
    match term {
        Term::Boolean(value) => value.to_string(),
        Term::Symbol(symbol) => format!("symbol {}", symbol.index()),
        Term::Not(a) => format!("not {}", a.index()),
        Term::And(parts) => format!("and{}", parts.iter().map(spaced).collect::<String>()),
        Term::If(a, b, c) => format!("if{}{}{}", spaced(a), spaced(b), spaced(c)),
        Term::Sum(sum) => format!("sum {}{}", sum.constant, summands(sum)),
        Term::Compare(relation, sum, bound) => {
            let word = match relation {
                Relation::AtMost => "at-most",
                Relation::Less => "less",
                Relation::Equal => "equal",
            };
            format!("{word} {bound}{}", summands(sum))
        }
        Term::Select(a, b) => format!("select{}{}", spaced(a), spaced(b)),
        Term::Store(a, b, c) => format!("store{}{}{}", spaced(a), spaced(b), spaced(c)),
        Term::SameArray(a, b) => format!("same{}{}", spaced(a), spaced(b)),
        Term::Difference(a, b) => format!("difference{}{}", spaced(a), spaced(b)),
        Term::TruncatedQuotient(a, divisor) => format!("quotient{} {divisor}", spaced(a)),
        Term::Product(..) | Term::Overflow(..) | Term::Exists(..) => "none".to_owned(),
    }
}

fn spaced(id: &TermId) -> String {
    format!(" {}", id.index())
}

fn summands(sum: &LinearSum) -> String {
    let summand = |(term, coefficient): &(TermId, _)| format!(" {coefficient}*{}", term.index());
    sum.summands.iter().map(summand).collect()
}

fn write_derivation(text: &mut String, written: &WrittenDerivation) {
    let WrittenDerivation { terms: excerpt, derivation } = written;
    line(text, &format!("derivation {}", derivation.steps.len()));
    terms(text, excerpt);
    for step in &derivation.steps {
        match step {
            DerivationStep::Hypothesis(id) => line(text, &format!("given {}", id.index())),
            DerivationStep::Axiom(axiom) => line(text, &axiom_line(axiom)),
            DerivationStep::Linear(clause, multipliers) => {
                text.push_str("linear");
                for (id, multiplier) in clause.iter().zip(multipliers) {
                    let _ = write!(text, " {multiplier}*{}", id.index());
                }
                text.push('\n');
            }
            DerivationStep::Propagation(clause, premises) => {
                text.push_str("clause ");
                numbers(text, clause.iter().map(|id| id.index()));
                text.push_str("by ");
                numbers(text, premises);
            }
        }
    }
}

fn axiom_line(axiom: &Axiom) -> String {
    let bit = |value: bool| u8::from(value);
    match *axiom {
        Axiom::Part(a, part) => format!("part{} {part}", spaced(&a)),
        Axiom::Conjunction(a) => format!("conjunction{}", spaced(&a)),
        Axiom::Branch(a, holds, value) => {
            format!("branch{} {} {}", spaced(&a), bit(holds), bit(value))
        }
        Axiom::Selected(a, holds) => format!("selected{} {}", spaced(&a), bit(holds)),
        Axiom::Equality(a, which) => format!("equality{} {which}", spaced(&a)),
        Axiom::ReadWritten(a) => format!("read-written{}", spaced(&a)),
        Axiom::ReadOther(a) => format!("read-other{}", spaced(&a)),
        Axiom::ReadSelected(a, holds) => format!("read-selected{} {}", spaced(&a), bit(holds)),
        Axiom::Congruence(a, b) => format!("congruence{}{}", spaced(&a), spaced(&b)),
        Axiom::SameElements(a, b) => format!("same-elements{}{}", spaced(&a), spaced(&b)),
        Axiom::Differ(a) => format!("differ{}", spaced(&a)),
        Axiom::Division(a, which) => format!("division{} {which}", spaced(&a)),
    }
}
