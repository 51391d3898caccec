//! From text to certificates of abstractions.

use super::evidence::{
    AbstractStep, AbstractValuation, CycleComponent, CycleEvidence, CycleReason, DataCertificate,
    DataEvidence, WrittenDerivation,
};
use crate::text::{CertificateLines, Malformed, read_origin};
use resy_index::{Id, Interest};
use resy_symbolic::derivation::{Axiom, Derivation, DerivationStep};
use resy_symbolic::{FairAction, LinearSum, Rational, Relation, Sort, Term, TermExcerpt, TermId};
use std::str::FromStr;

/// The first line.
pub(super) const VERSION: &str = "resy abstraction 1";

/// Components nested more deeply are not read.
const DEEPEST: usize = 200;

/// Whether a text begins like a certificate of an abstraction.
pub fn is_of_data(text: &str) -> bool {
    text.starts_with(VERSION)
}

/// The certificates of abstractions that a text describes, one after the other. An error also if the interest is lost.
pub fn read_data(text: &str, interest: &Interest) -> Result<Vec<DataCertificate>, Malformed> {
    let mut lines = CertificateLines::new(text, interest);
    let mut found = vec![read_one(&mut lines)?];
    while lines.has_more() {
        found.push(read_one(&mut lines)?);
    }
    lines.end()?;
    Ok(found)
}

fn read_one(lines: &mut CertificateLines<'_>) -> Result<DataCertificate, Malformed> {
    lines.exactly(VERSION)?;
    let origin = read_origin(lines)?;
    let n_symbols = lines.count("symbols")?;
    let symbols = lines.many(n_symbols, |lines| match lines.next()?.split_once(' ') {
        Some((sort, name)) => Ok((lines.unescaped(name)?, read_sort(lines, sort)?)),
        None => lines.fails("expected a sort and a name"),
    })?;
    let terms = read_terms(lines)?;
    let predicates = read_list(lines, "predicates")?;
    let ranks = read_list(lines, "ranks")?;
    let n_controls = lines.count("controls")?;
    let controls = lines.many(n_controls, |lines| {
        let line = lines.next()?;
        lines.words(line)?.into_iter().map(|word| read_valuation(lines, word)).collect()
    })?;
    let cycles = match lines.after("cycles")? {
        "0" => None,
        "1" => Some(read_cycles(lines)?),
        _ => return lines.fails("expected `cycles 0` or `cycles 1`"),
    };
    let evidence = DataEvidence { symbols, terms, predicates, ranks, controls, cycles };
    let n_derivations = lines.count("derivations")?;
    let derivations = lines.many(n_derivations, read_derivation)?;
    lines.exactly("end")?;
    Ok(DataCertificate { origin, evidence, derivations })
}

const SORTS: [(Sort, &str); 5] = [
    (Sort::Boolean, "boolean"),
    (Sort::Integer, "integer"),
    (Sort::Rational, "rational"),
    (Sort::IntegerArray, "integers"),
    (Sort::RationalArray, "rationals"),
];

/// The word of a sort.
pub(super) fn sort_word(sort: Sort) -> &'static str {
    SORTS.iter().find(|(other, _)| *other == sort).map_or("none", |(_, word)| word)
}

fn read_sort(lines: &CertificateLines<'_>, word: &str) -> Result<Sort, Malformed> {
    match SORTS.iter().find(|(_, other)| *other == word) {
        Some(&(sort, _)) => Ok(sort),
        None => lines.fails(format!("`{word}` is no sort")),
    }
}

fn read_valuation(
    lines: &CertificateLines<'_>,
    word: &str,
) -> Result<AbstractValuation, Malformed> {
    let digits = word.strip_prefix('=').map(str::bytes);
    let Some(digits) = digits.filter(|d| d.clone().all(|b| b == b'0' || b == b'1')) else {
        return lines.fails("a valuation is `=` and digits 0 and 1");
    };
    Ok(digits.map(|digit| digit == b'1').collect())
}

fn read_list(lines: &mut CertificateLines<'_>, word: &str) -> Result<Vec<usize>, Malformed> {
    let rest = lines.after(word)?;
    items(lines, rest)
}

fn items<T: FromStr + ToString>(
    lines: &CertificateLines<'_>,
    line: &str,
) -> Result<Vec<T>, Malformed> {
    lines.words(line)?.into_iter().map(|word| lines.number(word)).collect()
}

fn read_cycles(lines: &mut CertificateLines<'_>) -> Result<CycleEvidence, Malformed> {
    let initial = read_list(lines, "initial")?;
    let n_states = lines.count("steps")?;
    let steps = lines.many(n_states, |lines| {
        let line = lines.next()?;
        lines.words(line)?.into_iter().map(|word| read_step(lines, word)).collect()
    })?;
    let n_known = lines.count("known")?;
    let known = lines.many(n_known, |lines| {
        let [state, proposition, value] = words(lines)?;
        let value = read_bit(lines, value)?;
        Ok((lines.number(state)?, lines.number(proposition)?, value))
    })?;
    let n_enabled = lines.count("enabled")?;
    let enabled = lines.many(n_enabled, |lines| {
        let [action, state] = words(lines)?;
        Ok((read_action(lines, action)?, lines.number(state)?))
    })?;
    let ranked = |lines: &mut CertificateLines<'_>, word: &str| {
        let n = lines.count(word)?;
        lines.many(n, |lines| {
            let [rank, state, step] = words(lines)?;
            Ok((lines.number(rank)?, lines.number(state)?, read_step(lines, step)?))
        })
    };
    let falling = ranked(lines, "falling")?;
    let not_rising = ranked(lines, "not-rising")?;
    let components = read_components(lines, DEEPEST)?;
    Ok(CycleEvidence { initial, steps, known, enabled, falling, not_rising, components })
}

fn words<'t, const N: usize>(lines: &mut CertificateLines<'t>) -> Result<[&'t str; N], Malformed> {
    let line = lines.next()?;
    let words = lines.words(line)?;
    words.try_into().or_else(|_| lines.fails(format!("expected {N} words")))
}

fn read_bit(lines: &CertificateLines<'_>, word: &str) -> Result<bool, Malformed> {
    match word {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => lines.fails("expected 0 or 1"),
    }
}

fn read_step(lines: &CertificateLines<'_>, word: &str) -> Result<AbstractStep, Malformed> {
    match word.split_once('>') {
        Some((command, target)) => {
            Ok(AbstractStep { command: lines.number(command)?, target: lines.number(target)? })
        }
        None => lines.fails("a step is a command, `>`, and a state"),
    }
}

fn read_action(lines: &CertificateLines<'_>, word: &str) -> Result<FairAction, Malformed> {
    let parts: Vec<&str> = word.split(':').collect();
    match parts[..] {
        [pid] => Ok(FairAction::Process(lines.number(pid)?)),
        [pid, proctype, location] => Ok(FairAction::Statement(
            lines.number(pid)?,
            Id::from_index(lines.number::<u16>(proctype)?.into()),
            Id::from_index(lines.number::<u16>(location)?.into()),
        )),
        _ => lines.fails("an action is a pid, or a pid, a proctype and a location"),
    }
}

fn read_components(
    lines: &mut CertificateLines<'_>,
    depth: usize,
) -> Result<Vec<CycleComponent>, Malformed> {
    let n_components = lines.count("components")?;
    if depth == 0 {
        return lines.fails("components are nested too deeply");
    }
    lines.many(n_components, |lines| {
        let line = lines.next()?;
        let pair = |word: &str| match word.split_once('.') {
            Some((state, claim)) => Ok((lines.number(state)?, lines.number(claim)?)),
            None => lines.fails("expected a state and one of the claim"),
        };
        let states = lines.words(line)?.into_iter().map(pair).collect::<Result<_, _>>()?;
        let line = lines.next()?;
        let reason = match (line, line.split_once(' ')) {
            ("no-edge", _) => CycleReason::NoEdge,
            (_, Some(("no-mark", mark))) => CycleReason::NoMark(lines.number(mark)?),
            (_, Some(("just", action))) => CycleReason::Just(read_action(lines, action)?),
            (_, Some(("compassionate", action))) => {
                let action = read_action(lines, action)?;
                CycleReason::Compassionate(action, read_components(lines, depth - 1)?)
            }
            (_, Some(("rank", rank))) => {
                CycleReason::Rank(lines.number(rank)?, read_components(lines, depth - 1)?)
            }
            _ => return lines.fails("expected the reason of a component"),
        };
        Ok(CycleComponent { states, reason })
    })
}

fn read_terms(lines: &mut CertificateLines<'_>) -> Result<TermExcerpt, Malformed> {
    let n_terms = lines.count("terms")?;
    Ok(TermExcerpt { terms: lines.many(n_terms, read_term)? })
}

fn read_term(lines: &mut CertificateLines<'_>) -> Result<Term, Malformed> {
    let line = lines.next()?;
    let words = lines.words(line)?;
    let id = |word: &str| read_id(lines, word);
    let relation = |word: &str| match word {
        "at-most" => Relation::AtMost,
        "less" => Relation::Less,
        _ => Relation::Equal,
    };
    Ok(match words[..] {
        ["true"] => Term::Boolean(true),
        ["false"] => Term::Boolean(false),
        ["symbol", n] => Term::Symbol(Id::from_index(lines.number::<u32>(n)? as usize)),
        ["not", a] => Term::Not(id(a)?),
        ["and", ref parts @ ..] => {
            Term::And(parts.iter().map(|p| id(p)).collect::<Result<_, _>>()?)
        }
        ["if", a, b, c] => Term::If(id(a)?, id(b)?, id(c)?),
        ["sum", constant, ref rest @ ..] => Term::Sum(read_sum(lines, constant, rest)?),
        [word @ ("at-most" | "less" | "equal"), bound, ref rest @ ..] => {
            let sum = read_sum(lines, "0", rest)?;
            Term::Compare(relation(word), sum, read_rational(lines, bound)?)
        }
        ["select", a, b] => Term::Select(id(a)?, id(b)?),
        ["store", a, b, c] => Term::Store(id(a)?, id(b)?, id(c)?),
        ["same", a, b] => Term::SameArray(id(a)?, id(b)?),
        ["difference", a, b] => Term::Difference(id(a)?, id(b)?),
        ["quotient", a, divisor] => Term::TruncatedQuotient(id(a)?, lines.number(divisor)?),
        _ => return lines.fails("expected a term"),
    })
}

fn read_id(lines: &CertificateLines<'_>, word: &str) -> Result<TermId, Malformed> {
    Ok(TermId::from_index(lines.number::<u32>(word)? as usize))
}

fn read_rational(lines: &CertificateLines<'_>, word: &str) -> Result<Rational, Malformed> {
    let (numerator, denominator) = word.split_once('/').unwrap_or((word, "1"));
    let rational = Rational::new(lines.number(numerator)?, lines.number(denominator)?);
    match rational.filter(|rational| rational.to_string() == word) {
        Some(rational) => Ok(rational),
        None => lines.fails(format!("`{word}` is no number in lowest terms")),
    }
}

/// `2*7`: twice the term 7.
fn read_multiple(
    lines: &CertificateLines<'_>,
    word: &str,
) -> Result<(TermId, Rational), Malformed> {
    match word.split_once('*') {
        Some((factor, id)) => Ok((read_id(lines, id)?, read_rational(lines, factor)?)),
        None => lines.fails("expected a number, `*`, and a term"),
    }
}

fn read_sum(
    lines: &CertificateLines<'_>,
    constant: &str,
    words: &[&str],
) -> Result<LinearSum, Malformed> {
    let summands = words.iter().map(|word| read_multiple(lines, word));
    let summands = summands.collect::<Result<_, _>>()?;
    Ok(LinearSum { summands, constant: read_rational(lines, constant)? })
}

fn read_derivation(
    lines: &mut CertificateLines<'_>,
) -> Result<Option<WrittenDerivation>, Malformed> {
    let line = lines.next()?;
    if line == "open" {
        return Ok(None);
    }
    let Some(n_steps) = line.strip_prefix("derivation ") else {
        return lines.fails("expected `derivation ...` or `open`");
    };
    let n_steps = lines.number(n_steps)?;
    let terms = read_terms(lines)?;
    let steps = lines.many(n_steps, read_derivation_step)?;
    Ok(Some(WrittenDerivation { terms, derivation: Derivation { steps } }))
}

fn read_derivation_step(lines: &mut CertificateLines<'_>) -> Result<DerivationStep, Malformed> {
    let line = lines.next()?;
    if let Some(clause) = line.strip_prefix("clause ") {
        let clause: Vec<u32> = items(lines, clause)?;
        let clause = clause.into_iter().map(|id| TermId::from_index(id as usize)).collect();
        return Ok(DerivationStep::Propagation(clause, read_list(lines, "by")?));
    }
    let words = lines.words(line)?;
    let (id, bit) = (|word: &str| read_id(lines, word), |word: &str| read_bit(lines, word));
    let axiom = match words[..] {
        ["given", a] => return Ok(DerivationStep::Hypothesis(id(a)?)),
        ["linear", ref rest @ ..] => {
            let pairs = rest.iter().map(|word| read_multiple(lines, word));
            let (clause, multipliers) = pairs.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            return Ok(DerivationStep::Linear(clause, multipliers));
        }
        ["part", a, part] => Axiom::Part(id(a)?, lines.number(part)?),
        ["conjunction", a] => Axiom::Conjunction(id(a)?),
        ["branch", a, holds, value] => Axiom::Branch(id(a)?, bit(holds)?, bit(value)?),
        ["selected", a, holds] => Axiom::Selected(id(a)?, bit(holds)?),
        ["equality", a, which] => Axiom::Equality(id(a)?, lines.number(which)?),
        ["read-written", a] => Axiom::ReadWritten(id(a)?),
        ["read-other", a] => Axiom::ReadOther(id(a)?),
        ["read-selected", a, holds] => Axiom::ReadSelected(id(a)?, bit(holds)?),
        ["congruence", a, b] => Axiom::Congruence(id(a)?, id(b)?),
        ["same-elements", a, b] => Axiom::SameElements(id(a)?, id(b)?),
        ["differ", a] => Axiom::Differ(id(a)?),
        ["division", a, which] => Axiom::Division(id(a)?, lines.number(which)?),
        _ => return lines.fails("expected a step of a derivation"),
    };
    Ok(DerivationStep::Axiom(axiom))
}
