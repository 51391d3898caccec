//! Terms in the words of Promela: `x <= y + 1 && a[i] != 0`. A changed array is `a[i := v]`.

use super::{LinearSum, Relation, Sort, Term, TermId, Terms};
use crate::rational::Rational;
use rustc_hash::FxHashMap;

/// Longer texts of subterms are elided: shared subterms would make a text of exponential length.
const LONGEST: usize = 4096;

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

type Text = (String, Binding);

impl Terms {
    /// The term in Promela-like words.
    pub fn text(&self, id: TermId) -> String {
        let mut texts: FxHashMap<TermId, Text> = FxHashMap::default();
        for part in self.closure(&[id]) {
            let mut text = self.text_of(part, &texts);
            if text.0.len() > LONGEST && part != id {
                text = ("…".to_owned(), Binding::Atom);
            }
            texts.insert(part, text);
        }
        texts.remove(&id).map(|text| text.0).unwrap_or_default()
    }

    /// Whether the text of a formula is a condition of Promela: it can be put back as an annotation.
    pub fn is_condition(&self, id: TermId) -> bool {
        let is_promela = |part: TermId| match self.term(part) {
            // A message in a channel has no name in Promela.
            Term::Symbol(symbol) => !self.declaration(*symbol).name.contains("message["),
            Term::Store(..) | Term::SameArray(..) | Term::Difference(..) => false,
            Term::Exists(..) | Term::Overflow(..) => false,
            _ => true,
        };
        self.closure(&[id]).into_iter().all(is_promela) && !self.text(id).contains('…')
    }

    fn text_of(&self, id: TermId, texts: &FxHashMap<TermId, Text>) -> Text {
        let plain = |part: &TermId| texts[part].0.as_str();
        let inside = |part: &TermId, binding| bracketed(&texts[part], binding);
        match self.term(id) {
            Term::Boolean(value) => (value.to_string(), Binding::Atom),
            Term::Symbol(symbol) => (self.declaration(*symbol).name.clone(), Binding::Atom),
            Term::Not(inner) => self.text_of_negation(*inner, texts),
            Term::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| inside(p, Binding::And)).collect();
                (parts.join(" && "), Binding::And)
            }
            Term::If(a, b, c) => {
                let (a, b, c) = (plain(a), plain(b), plain(c));
                (format!("({a} -> {b} : {c})"), Binding::Atom)
            }
            Term::Sum(sum) => (sum_text(&sum.summands, sum.constant, texts), Binding::Sum),
            Term::Compare(relation, sum, bound) => {
                let operator = match relation {
                    Relation::AtMost => "<=",
                    Relation::Less => "<",
                    Relation::Equal => "==",
                };
                self.comparison(sum, operator, *bound, texts)
            }
            Term::Select(a, i) => {
                (format!("{}[{}]", inside(a, Binding::Atom), plain(i)), Binding::Atom)
            }
            Term::Store(a, i, v) => {
                let array = inside(a, Binding::Atom);
                (format!("{array}[{} := {}]", plain(i), plain(v)), Binding::Atom)
            }
            Term::SameArray(a, b) => (format!("{} == {}", plain(a), plain(b)), Binding::Compare),
            Term::Difference(a, b) => {
                (format!("difference({}, {})", plain(a), plain(b)), Binding::Atom)
            }
            Term::TruncatedQuotient(a, divisor) => {
                (format!("{}/{divisor}", inside(a, Binding::Atom)), Binding::Product)
            }
            Term::Product(a, b) => {
                let (a, b) = (inside(a, Binding::Atom), inside(b, Binding::Atom));
                (format!("{a}*{b}"), Binding::Product)
            }
            Term::Overflow(a, b) => {
                let (a, b) = (inside(a, Binding::Product), inside(b, Binding::Product));
                (format!("{a} + {b}"), Binding::Sum)
            }
            Term::Exists(symbols, body) => {
                let names = symbols.iter().map(|&s| self.declaration(s).name.as_str());
                let names: Vec<&str> = names.collect();
                (format!("exists({}: {})", names.join(", "), plain(body)), Binding::Atom)
            }
        }
    }

    fn text_of_negation(&self, inner: TermId, texts: &FxHashMap<TermId, Text>) -> Text {
        match self.term(inner) {
            Term::Compare(relation, sum, bound) => {
                let operator = match relation {
                    Relation::AtMost => ">",
                    Relation::Less => ">=",
                    Relation::Equal => "!=",
                };
                self.comparison(sum, operator, *bound, texts)
            }
            Term::SameArray(a, b) => {
                (format!("{} != {}", texts[a].0, texts[b].0), Binding::Compare)
            }
            Term::And(parts) => {
                let negated = |part: &TermId| match *self.term(*part) {
                    Term::Not(positive) => bracketed(&texts[&positive], Binding::Or),
                    _ => bracketed(&self.text_of_negation(*part, texts), Binding::Or),
                };
                let parts: Vec<String> = parts.iter().map(negated).collect();
                (parts.join(" || "), Binding::Or)
            }
            _ => (format!("!{}", bracketed(&texts[&inner], Binding::Atom)), Binding::Atom),
        }
    }

    /// `sum operator bound`, with negative summands on the other side.
    fn comparison(
        &self,
        sum: &LinearSum,
        operator: &str,
        bound: Rational,
        texts: &FxHashMap<TermId, Text>,
    ) -> Text {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &(part, coefficient) in &sum.summands {
            match (coefficient.signum() > 0, coefficient.negate()) {
                (true, _) => left.push((part, coefficient)),
                (false, Some(positive)) => right.push((part, positive)),
                (false, None) => return (format!("… {operator} {bound}"), Binding::Compare),
            }
        }
        let is_integral = sum.summands.iter().all(|&(part, _)| self.sort(part) == Sort::Integer);
        // Of integers, x <= y - 1 is better known as x < y.
        let (operator, bound) = match operator {
            "<=" if is_integral && is_minus_one(bound) && !right.is_empty() => {
                ("<", Rational::ZERO)
            }
            ">" if is_integral && is_minus_one(bound) => (">=", Rational::ZERO),
            _ => (operator, bound),
        };
        let left = sum_text(&left, Rational::ZERO, texts);
        let right = sum_text(&right, bound, texts);
        (format!("{left} {operator} {right}"), Binding::Compare)
    }
}

fn is_minus_one(number: Rational) -> bool {
    number == Rational::integer(-1)
}

/// The text, in brackets unless its operator binds more tightly, or as much and is associative.
fn bracketed((text, binding): &Text, outer: Binding) -> String {
    if *binding >= outer { text.clone() } else { format!("({text})") }
}

fn sum_text(
    summands: &[(TermId, Rational)],
    constant: Rational,
    texts: &FxHashMap<TermId, Text>,
) -> String {
    let mut text = String::new();
    for (part, coefficient) in summands {
        let size = coefficient.to_string();
        let size = size.trim_start_matches('-');
        push_sign(&mut text, coefficient.signum());
        match size {
            "1" => text.push_str(&bracketed(&texts[part], Binding::Product)),
            // `2*(x/3)` is not `2*x/3`.
            _ => text.push_str(&format!("{size}*{}", bracketed(&texts[part], Binding::Atom))),
        }
    }
    if !constant.is_zero() || text.is_empty() {
        push_sign(&mut text, constant.signum());
        text.push_str(constant.to_string().trim_start_matches('-'));
    }
    text
}

fn push_sign(text: &mut String, sign: i128) {
    text.push_str(match (text.is_empty(), sign < 0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    });
}
