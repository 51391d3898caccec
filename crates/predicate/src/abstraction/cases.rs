//! Preconditions without changed arrays and quotients.
//!
//! A read `store(a, i, v)[j]` is `v` where `i == j`, and `a[j]` elsewhere: the precondition is made of `i == j` and of both
//! cases. Where the written index equals a parameter it is replaced by it, so that the predicates of a position which stands
//! for all do not follow an index that moves. For a quotient `e / d` there are the linear bounds that it lies between. Otherwise
//! every round would nest one more write or quotient.

use resy_symbolic::{Rational, Relation, SymbolId, Term, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More cases of the formulas of one step are not made.
const MOST_CASES: usize = 64;

/// The atoms of formulas, by cases; those that have too many are left out.
pub(super) fn without_cases(
    terms: &mut Terms,
    parameters: &[SymbolId],
    formulas: &[TermId],
) -> Vec<TermId> {
    let mut done = BTreeSet::new();
    let mut seen: BTreeSet<TermId> = terms.atoms_in(formulas).into_iter().collect();
    let mut waiting: Vec<TermId> = seen.iter().copied().collect();
    while let Some(atom) = waiting.pop() {
        let Some(cases) = cases_of(terms, parameters, atom) else {
            done.insert(atom);
            continue;
        };
        for case in terms.atoms_in(&cases) {
            if seen.len() < MOST_CASES && seen.insert(case) {
                waiting.push(case);
            }
        }
    }
    done.into_iter().collect()
}

/// The cases of an outermost read of a changed array, or of an outermost quotient: where its index is a parameter, so is that
/// of the reads in what was written.
fn cases_of(terms: &mut Terms, parameters: &[SymbolId], atom: TermId) -> Option<Vec<TermId>> {
    for part in terms.closure(&[atom]).into_iter().rev() {
        match *terms.term(part) {
            Term::Select(array, index) => {
                if let Term::Store(inner, written, value) = *terms.term(array) {
                    let write = Write { inner, written, value };
                    return Some(read_cases(terms, parameters, atom, (part, index), write));
                }
            }
            Term::TruncatedQuotient(dividend, divisor) => {
                return quotient_cases(terms, atom, (part, dividend, divisor));
            }
            _ => {}
        }
    }
    None
}

struct Write {
    inner: TermId,
    written: TermId,
    value: TermId,
}

fn read_cases(
    terms: &mut Terms,
    parameters: &[SymbolId],
    atom: TermId,
    (read, index): (TermId, TermId),
    Write { inner, written, value }: Write,
) -> Vec<TermId> {
    let same = terms.equal(written, index);
    let hit = replaced(terms, atom, read, value);
    let hit = by_parameters(terms, parameters, &[same, hit]);
    let other = terms.select(inner, index);
    let missed = replaced(terms, atom, read, other);
    hit.into_iter().chain([same, missed]).collect()
}

fn replaced(terms: &mut Terms, formula: TermId, old: TermId, new: TermId) -> TermId {
    terms.rebuild(&[formula], |_, part| (part == old).then_some(new))[0]
}

/// The bounds of `e / d` in a comparison: with `e`, and with `e` moved by the largest remainder up and down.
fn quotient_cases(
    terms: &mut Terms,
    atom: TermId,
    (quotient, dividend, divisor): (TermId, TermId, i128),
) -> Option<Vec<TermId>> {
    let Term::Compare(relation, sum, bound) = terms.term(atom).clone() else { return None };
    let &(_, coefficient) = sum.summands.iter().find(|(part, _)| *part == quotient)?;
    let factor = Rational::integer(divisor.checked_abs()?);
    let (left, zero) = (terms.of_sum(sum), terms.number(0));
    let rest = replaced(terms, left, quotient, zero);
    let rest = terms.scale(factor, rest);
    let signed = if divisor < 0 { coefficient.negate()? } else { coefficient };
    let dividends = terms.scale(signed, dividend);
    let total = terms.add(rest, dividends);
    let bound = factor.times(bound)?;
    let slack = factor.minus(Rational::ONE)?.times(coefficient)?;
    let mut found = vec![terms.at_least(dividend, zero)];
    let relations = match relation {
        Relation::Equal => vec![Relation::AtMost, Relation::Less],
        other => vec![other],
    };
    for relation in relations {
        for moved in [bound, bound.plus(slack)?, bound.minus(slack)?] {
            let moved = terms.number(moved);
            found.push(terms.compare(relation, total, moved));
        }
    }
    Some(found)
}

/// The same formulas, where a variable that one of them says to equal a parameter is replaced by it in the others.
pub(super) fn by_parameters(
    terms: &mut Terms,
    parameters: &[SymbolId],
    formulas: &[TermId],
) -> Vec<TermId> {
    let mut all = formulas.to_vec();
    for number in 0..all.len() {
        let Some((symbol, value)) = solved(terms, parameters, all[number]) else { continue };
        let map: FxHashMap<SymbolId, TermId> = [(symbol, value)].into_iter().collect();
        for other in (0..all.len()).filter(|&other| other != number) {
            all[other] = terms.substitute(all[other], &map);
        }
    }
    all
}

/// For an equality `x == t` of a variable and a term of parameters these two.
fn solved(
    terms: &mut Terms,
    parameters: &[SymbolId],
    formula: TermId,
) -> Option<(SymbolId, TermId)> {
    let Term::Compare(Relation::Equal, sum, bound) = terms.term(formula).clone() else {
        return None;
    };
    let symbol_of = |terms: &Terms, part: TermId| match *terms.term(part) {
        Term::Symbol(symbol) => Some(symbol),
        _ => None,
    };
    let symbols: Option<Vec<SymbolId>> =
        sum.summands.iter().map(|&(part, _)| symbol_of(terms, part)).collect();
    let symbols = symbols?;
    let mut moving = symbols.iter().enumerate().filter(|(_, s)| !parameters.contains(s));
    let ((position, &symbol), None) = (moving.next()?, moving.next()) else { return None };
    if symbols.len() < 2 {
        return None;
    }
    let coefficient = sum.summands[position].1;
    if coefficient != Rational::ONE && coefficient.negate()? != Rational::ONE {
        return None;
    }
    // `c·x + rest == bound` with `c` being 1 or −1 says that `x` is `c·(bound − rest)`.
    let own = terms.symbol(symbol);
    let (left, right) = (terms.of_sum(sum), terms.number(bound));
    let own = terms.scale(coefficient, own);
    let rest = terms.subtract(left, own);
    let value = terms.subtract(right, rest);
    Some((symbol, terms.scale(coefficient, value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_index::random::SplitMix;
    use resy_symbolic::{ArrayValue, DataValue, Interpretation, Sort};

    /// Random comparisons of reads of changed arrays, over `x`, `y`, the parameter `k` and two arrays.
    struct RandomReads {
        random: SplitMix,
        terms: Terms,
        numbers: Vec<SymbolId>,
        arrays: Vec<SymbolId>,
    }

    impl RandomReads {
        fn new(seed: u64) -> Self {
            let mut terms = Terms::new();
            let numbers = ["x", "y", "k"].map(|name| terms.declare(name, Sort::Integer)).to_vec();
            let arrays = ["a", "b"].map(|name| terms.declare(name, Sort::IntegerArray)).to_vec();
            Self { random: SplitMix(seed), terms, numbers, arrays }
        }

        fn index(&mut self) -> TermId {
            let number = self.numbers[self.random.below(3)];
            let (own, offset) = (self.terms.symbol(number), self.random.below(3) as i128 - 1);
            let offset = self.terms.number(offset);
            self.terms.add(own, offset)
        }

        fn read(&mut self) -> TermId {
            let array = self.arrays[self.random.below(2)];
            let mut array = self.terms.symbol(array);
            for _ in 0..self.random.below(3) {
                let (at, value) = (self.index(), self.index());
                array = self.terms.store(array, at, value);
            }
            let at = self.index();
            self.terms.select(array, at)
        }

        fn atom(&mut self, with_quotients: bool) -> TermId {
            let mut left = self.read();
            if with_quotients && self.random.below(2) == 0 {
                let divisor = [2, 3, -2][self.random.below(3)];
                left = self.terms.divide(left, divisor).expect("not zero");
            }
            let right = if self.random.below(2) == 0 { self.read() } else { self.index() };
            match self.random.below(2) {
                0 => self.terms.equal(left, right),
                _ => self.terms.at_most(left, right),
            }
        }

        fn values(&mut self) -> Interpretation {
            let mut found = Interpretation::default();
            let mut number = || Rational::integer(self.random.below(4) as i128 - 1);
            for &symbol in &self.numbers {
                found.set(symbol, DataValue::Number(number()));
            }
            for &symbol in &self.arrays {
                let mut array = ArrayValue::default();
                (-3..4).for_each(|at| array.set(at, number()));
                found.set(symbol, DataValue::Array(array));
            }
            found
        }
    }

    #[test]
    fn cases_are_conditions_on_the_same_variables_without_writes_and_quotients() {
        for seed in 0..400 {
            let mut reads = RandomReads::new(seed);
            let formulas = [reads.atom(true), reads.atom(true)];
            let parameters = [reads.numbers[2]];
            let known = [reads.numbers.clone(), reads.arrays.clone()].concat();
            let cases = without_cases(&mut reads.terms, &parameters, &formulas);
            for &case in &cases {
                let text = reads.terms.text(case);
                assert_eq!(reads.terms.sort(case), Sort::Boolean, "seed {seed}: {text}");
                let symbols = reads.terms.symbols_in(&[case]);
                assert!(symbols.iter().all(|symbol| known.contains(symbol)), "seed {seed}: {text}");
                let is_left = |part: &TermId| {
                    matches!(reads.terms.term(*part), Term::Store(..) | Term::TruncatedQuotient(..))
                };
                assert!(!reads.terms.closure(&[case]).iter().any(is_left), "seed {seed}: {text}");
            }
        }
    }

    /// Values for which all cases are the same give the formula the same truth.
    #[test]
    fn cases_decide_what_they_are_made_of() {
        let mut n_shared = 0;
        for seed in 0..100 {
            let mut reads = RandomReads::new(1_000 + seed);
            let formula = reads.atom(false);
            let parameters = [reads.numbers[2]];
            let cases = without_cases(&mut reads.terms, &parameters, &[formula]);
            let mut truths: FxHashMap<Vec<Option<bool>>, Option<bool>> = FxHashMap::default();
            for _ in 0..300 {
                let values = reads.values();
                let key = cases.iter().map(|&case| reads.terms.holds(case, &values)).collect();
                let truth = reads.terms.holds(formula, &values);
                let known = *truths.entry(key).or_insert(truth);
                assert_eq!(known, truth, "seed {seed}: {}", reads.terms.text(formula));
                n_shared += 1;
            }
            n_shared -= truths.len();
        }
        assert!(n_shared > 1_000, "{n_shared}");
    }
}
