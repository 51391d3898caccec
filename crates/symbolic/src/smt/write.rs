//! Terms as SMT-LIB 2 text. Each subterm is a definition of its own, so that shared subterms are
//! written once and nothing is nested deeply.

use crate::rational::Rational;
use crate::terms::{LinearSum, Relation, Sort, SymbolId, Term, TermId, Terms};

/// A whole script with one `check-sat`: whether the hypotheses have a common model.
pub fn smt_script(terms: &Terms, hypotheses: &[TermId]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    for symbol in terms.symbols_in(hypotheses) {
        text.push_str(&declaration(terms, symbol));
    }
    for part in terms.closure(hypotheses) {
        text.push_str(&definition(terms, part));
    }
    for &hypothesis in hypotheses {
        text.push_str(&format!("(assert {})\n", term_name(hypothesis)));
    }
    text.push_str("(check-sat)\n");
    text
}

pub(crate) fn symbol_name(symbol: SymbolId) -> String {
    format!("{symbol:?}")
}

pub(super) fn term_name(id: TermId) -> String {
    format!("{id:?}")
}

pub(super) fn declaration(terms: &Terms, symbol: SymbolId) -> String {
    let sort = sort_name(terms.declaration(symbol).sort);
    format!("(declare-fun {} () {sort})\n", symbol_name(symbol))
}

/// The definition of a term by its parts, which must be defined before.
pub(super) fn definition(terms: &Terms, id: TermId) -> String {
    let (name, sort) = (term_name(id), sort_name(terms.sort(id)));
    if let Term::Difference(a, b) = *terms.term(id) {
        let (a, b) = (term_name(a), term_name(b));
        return format!(
            "(declare-fun {name} () {sort})\n\
             (assert (=> (= (select {a} {name}) (select {b} {name})) (= {a} {b})))\n"
        );
    }
    format!("(define-fun {name} () {sort} {})\n", body(terms, id))
}

pub(crate) fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Boolean => "Bool",
        Sort::Integer => "Int",
        Sort::Rational => "Real",
        Sort::IntegerArray => "(Array Int Int)",
        Sort::RationalArray => "(Array Int Real)",
    }
}

fn body(terms: &Terms, id: TermId) -> String {
    let name = term_name;
    let sort = terms.sort(id);
    let cast = |part: TermId| cast(terms, part, sort);
    match terms.term(id) {
        Term::Boolean(value) => value.to_string(),
        Term::Symbol(symbol) => symbol_name(*symbol),
        Term::Not(inner) => format!("(not {})", name(*inner)),
        Term::And(parts) => {
            let parts: Vec<String> = parts.iter().map(|&part| name(part)).collect();
            format!("(and {})", parts.join(" "))
        }
        Term::If(a, b, c) => format!("(ite {} {} {})", name(*a), cast(*b), cast(*c)),
        Term::Sum(sum) => sum_text(terms, sum, sort),
        Term::Compare(relation, sum, bound) => comparison(terms, *relation, sum, *bound),
        Term::Select(a, i) => format!("(select {} {})", name(*a), name(*i)),
        Term::Store(a, i, v) => {
            let value = crate::smt::write::cast(terms, *v, sort.element().unwrap_or(sort));
            format!("(store {} {} {value})", name(*a), name(*i))
        }
        Term::SameArray(a, b) => format!("(= {} {})", name(*a), name(*b)),
        // Declared, not defined; and never inside a quantifier: only the embedded procedure makes it.
        Term::Difference(..) => "0".to_owned(),
        Term::TruncatedQuotient(a, divisor) => {
            let (a, divisor) = (name(*a), number((*divisor).into(), Sort::Integer));
            format!("(ite (>= {a} 0) (div {a} {divisor}) (- (div (- {a}) {divisor})))")
        }
        Term::Product(a, b) => format!("(* {} {})", cast(*a), cast(*b)),
        Term::Overflow(a, b) => format!("(+ {} {})", cast(*a), cast(*b)),
        Term::Exists(symbols, inner) => quantified(terms, symbols, *inner),
    }
}

/// `inner`, in which terms have their names, behind local definitions of these terms.
pub(crate) fn let_text(terms: &Terms, roots: &[TermId], inner: &str) -> String {
    let parts = terms.closure(roots);
    let mut text = String::new();
    for &part in &parts {
        text.push_str(&format!("(let (({} {})) ", term_name(part), body(terms, part)));
    }
    text + inner + &")".repeat(parts.len())
}

/// The body's subterms become local definitions, which hide the global ones.
fn quantified(terms: &Terms, symbols: &[SymbolId], inner: TermId) -> String {
    let mut text = String::from("(exists (");
    for &symbol in symbols {
        let sort = sort_name(terms.declaration(symbol).sort);
        text.push_str(&format!("({} {sort})", symbol_name(symbol)));
    }
    text.push(')');
    let parts = terms.closure(&[inner]);
    for &part in &parts {
        text.push_str(&format!(" (let (({} {}))", term_name(part), body(terms, part)));
    }
    text.push_str(&format!(" {}{})", term_name(inner), ")".repeat(parts.len())));
    text
}

/// The term, converted if an integer stands where a rational is expected.
fn cast(terms: &Terms, id: TermId, sort: Sort) -> String {
    match (terms.sort(id), sort) {
        (Sort::Integer, Sort::Rational) => format!("(to_real {})", term_name(id)),
        _ => term_name(id),
    }
}

fn comparison(terms: &Terms, relation: Relation, sum: &LinearSum, bound: Rational) -> String {
    let is_integral = sum.summands.iter().all(|&(part, _)| terms.sort(part) == Sort::Integer);
    let sort = if is_integral { Sort::Integer } else { Sort::Rational };
    let operator = match relation {
        Relation::AtMost => "<=",
        Relation::Less => "<",
        Relation::Equal => "=",
    };
    format!("({operator} {} {})", sum_text(terms, sum, sort), number(bound, sort))
}

fn sum_text(terms: &Terms, sum: &LinearSum, sort: Sort) -> String {
    let mut parts = Vec::new();
    for &(part, coefficient) in &sum.summands {
        let term = cast(terms, part, sort);
        if coefficient == Rational::ONE {
            parts.push(term);
        } else {
            parts.push(format!("(* {} {term})", number(coefficient, sort)));
        }
    }
    if !sum.constant.is_zero() || parts.is_empty() {
        parts.push(number(sum.constant, sort));
    }
    if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
}

fn number(value: Rational, sort: Sort) -> String {
    let decimal = if sort == Sort::Integer { "" } else { ".0" };
    let size = value.numerator().unsigned_abs();
    let text = if value.is_integer() {
        format!("{size}{decimal}")
    } else {
        format!("(/ {size}.0 {}.0)", value.denominator())
    };
    if value.signum() < 0 { format!("(- {text})") } else { text }
}
