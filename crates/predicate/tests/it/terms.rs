//! Normal forms and texts of terms.

use crate::derivations::random_interpretation;
use resy_index::random::SplitMix;
use resy_symbolic::{DataValue, Evaluation, Interpretation, Rational, Sort, Terms};
use resy_testkit::queries::{QueryKind, RandomQueries};
use rustc_hash::FxHashMap;

#[test]
fn a_comparison_and_its_negation_are_one_atom() {
    let mut terms = Terms::new();
    let (x, zero) = (terms.fresh("x", Sort::Integer), terms.number(0));
    let (positive, at_most) = (terms.greater(x, zero), terms.at_most(x, zero));
    assert_eq!(positive, terms.not(at_most));
    let (one, twice) = (terms.number(1), terms.scale(Rational::integer(2), x));
    assert_eq!(terms.at_least(x, one), positive);
    assert_eq!(terms.at_least(twice, one), positive);
    assert_eq!(terms.less(zero, twice), positive);
    let r = terms.fresh("r", Sort::Rational);
    let (less, at_least) = (terms.less(r, one), terms.at_least(r, one));
    assert_eq!(less, terms.not(at_least));
}

#[test]
fn texts_are_like_promela() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Integer), terms.fresh("y", Sort::Integer));
    let a = terms.fresh("a", Sort::IntegerArray);
    let one = terms.number(1);
    let next = terms.add(y, one);
    let less = terms.at_most(x, next);
    assert_eq!(terms.text(less), "x <= y + 1");
    let stored = terms.store(a, x, next);
    let read = terms.select(stored, y);
    let differs = terms.not_equal(read, x);
    assert_eq!(terms.text(differs), "x != a[x := y + 1][y]");
    let either = terms.or(&[less, differs]);
    assert_eq!(terms.text(either), "x <= y + 1 || x != a[x := y + 1][y]");
    let half = terms.divide(next, 2).unwrap();
    let greater = terms.greater(half, x);
    assert_eq!(terms.text(greater), "x < (y + 1)/2");
}

#[test]
fn substitution_is_simultaneous() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::Integer), terms.declare("y", Sort::Integer));
    let (tx, ty) = (terms.symbol(x), terms.symbol(y));
    let less = terms.less(tx, ty);
    let swapped = terms.substitute(less, &FxHashMap::from_iter([(x, ty), (y, tx)]));
    assert_eq!(swapped, terms.less(ty, tx));
    let equal = terms.substitute(less, &FxHashMap::from_iter([(x, ty)]));
    assert_eq!(terms.as_truth(equal), Some(false));
}

#[test]
fn quotients_are_truncated() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Integer);
    let tx = terms.symbol(x);
    let (quotient, remainder) = (terms.divide(tx, -3).unwrap(), terms.remainder(tx, -3).unwrap());
    for value in -10..=10i128 {
        let mut known = Interpretation::default();
        known.set(x, DataValue::Number(value.into()));
        let is = |number: i128| Some(DataValue::Number(number.into()));
        assert_eq!(terms.evaluate(quotient, &known), is(value / -3));
        assert_eq!(terms.evaluate(remainder, &known), is(value % -3));
    }
}

/// One memory for many interpretations and terms gives what each gives by itself.
#[test]
fn evaluation_with_memory_is_evaluation() {
    let mut random = SplitMix(11);
    let mut n_true = 0;
    for kind in QueryKind::ALL {
        let mut queries = RandomQueries::new(kind);
        let mut evaluation = Evaluation::default();
        for seed in 0..20 {
            let scope = queries.scope(seed);
            for _ in 0..5 {
                let known = random_interpretation(&mut random, &queries.terms);
                let mut under = evaluation.under(&known);
                for &formula in scope.assertions.iter().chain(&scope.literals) {
                    let own = queries.terms.holds(formula, &known);
                    assert_eq!(under.holds(&queries.terms, formula), own, "{kind:?}, {seed}");
                    n_true += usize::from(own == Some(true));
                }
            }
        }
    }
    assert!(n_true > 1000, "{n_true}");
}
