//! Interpolants of random contradictions: another solver says whether they lie between the two sides.

use resy_index::random::SplitMix;
use resy_predicate::{Embedded, interpolant};
use resy_symbolic::{SmtProcess, Solver, SolverAnswer, SymbolId, TermId, Terms};
use resy_testkit::queries::{QueryKind, RandomQueries};
use std::collections::BTreeSet;

fn symbols(terms: &Terms, formulas: &[TermId]) -> BTreeSet<SymbolId> {
    terms.symbols_in(formulas).into_iter().collect()
}

/// How many contradictions of a kind have an interpolant, and of how many a clause belongs to neither side.
fn law(kind: QueryKind, n_scopes: u64) -> (usize, usize) {
    let mut queries = RandomQueries::new(kind);
    let mut z3 = SmtProcess::start("z3").expect("z3 starts");
    let (mut found, mut neither) = (0, 0);
    for seed in 0..n_scopes {
        let scope = queries.scope(seed);
        let query = queries.query(&scope);
        let hypotheses: Vec<TermId> = scope.assertions.iter().chain(&query).copied().collect();
        let terms = &mut queries.terms;
        let mut embedded = Embedded::new();
        hypotheses.iter().for_each(|&formula| embedded.assert(formula));
        let SolverAnswer::Unsatisfiable(refutation) = embedded.check(terms, &[]) else { continue };
        let derivation = refutation.derivation.expect("the embedded procedure has derivations");
        let mut random = SplitMix(seed);
        for _ in 0..3 {
            let (left, right): (Vec<TermId>, Vec<TermId>) =
                hypotheses.iter().partition(|_| random.below(2) == 0);
            let Some(between) = interpolant(terms, &derivation, &left, &right) else {
                neither += 1;
                continue;
            };
            found += 1;
            let what = || format!("{kind:?}, seed {seed}: {}", terms.text(between));
            let common: BTreeSet<SymbolId> =
                symbols(terms, &left).intersection(&symbols(terms, &right)).copied().collect();
            assert!(symbols(terms, &[between]).is_subset(&common), "{}", what());
            let what = what();
            let outside = terms.not(between);
            let beyond: Vec<TermId> = left.iter().copied().chain([outside]).collect();
            assert!(z3.refutes(terms, &beyond), "the left does not imply {what}");
            let both: Vec<TermId> = right.iter().copied().chain([between]).collect();
            assert!(z3.refutes(terms, &both), "the right does not contradict {what}");
        }
    }
    (found, neither)
}

#[test]
fn interpolants_lie_between_the_two_sides() {
    let n_cases = std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for kind in QueryKind::ALL {
        let (found, neither) = law(kind, n_cases);
        println!("{kind:?}: {found} interpolants, {neither} without");
        assert!(found > neither / 4, "{kind:?}: {found} interpolants, {neither} without");
    }
}

#[test]
fn what_only_the_left_has_cancels_out() {
    let mut terms = Terms::new();
    let [x, y, d, n] =
        ["x", "y", "d", "n"].map(|name| terms.fresh(name, resy_symbolic::Sort::Integer));
    let moved = terms.subtract(n, d);
    let left = [terms.equal(x, moved), terms.equal(y, d)];
    let zero = terms.number(0);
    let right = [terms.at_most(x, zero), terms.less(y, n)];
    let hypotheses = [left, right].concat();
    let mut embedded = Embedded::new();
    hypotheses.iter().for_each(|&formula| embedded.assert(formula));
    let SolverAnswer::Unsatisfiable(refutation) = embedded.check(&mut terms, &[]) else {
        panic!("it is contradictory")
    };
    let derivation = refutation.derivation.expect("a derivation");
    let between = interpolant(&mut terms, &derivation, &left, &right).expect("an interpolant");
    let sum = terms.add(x, y);
    let expected = terms.at_least(sum, n);
    assert_eq!(terms.text(between), terms.text(expected));
}
