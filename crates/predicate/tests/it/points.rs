//! Law A1: approximations by points lie on their side of the formula, on random formulas.

use resy_index::random::SplitMix;
use resy_predicate::{Embedded, Polarity, approximate, points_of};
use resy_symbolic::{Solver, SolverAnswer, Sort, TermId, Terms};

fn atom(random: &mut SplitMix, terms: &mut Terms, variables: &[TermId]) -> TermId {
    let (x, y) = (variables[random.below(2)], variables[random.below(2)]);
    let number = terms.number(random.below(7) as i128 - 3);
    let right = if random.below(2) == 0 { number } else { terms.add(y, number) };
    match random.below(3) {
        0 => terms.at_most(x, right),
        1 => terms.greater(x, right),
        _ => terms.equal(x, right),
    }
}

fn formula(random: &mut SplitMix, terms: &mut Terms, variables: &[TermId], depth: usize) -> TermId {
    if depth == 0 {
        return atom(random, terms, variables);
    }
    let a = formula(random, terms, variables, depth - 1);
    let b = formula(random, terms, variables, depth - 1);
    match random.below(4) {
        0 => terms.not(a),
        1 => terms.and(&[a, b]),
        _ => terms.or(&[a, b]),
    }
}

#[test]
fn an_approximation_lies_on_its_side() {
    let n_cases = std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    for seed in 0..n_cases {
        let (mut random, mut terms) = (SplitMix(seed), Terms::new());
        // What a solver has learned is about the terms of one table.
        let mut solver = Embedded::new();
        let variables = [terms.fresh("x", Sort::Integer), terms.fresh("y", Sort::Integer)];
        let basis: Vec<TermId> =
            (0..2).map(|_| atom(&mut random, &mut terms, &variables)).collect();
        let points = points_of(&mut terms, &basis);
        let formula = formula(&mut random, &mut terms, &variables, 3);
        let context = atom(&mut random, &mut terms, &variables);
        for polarity in [Polarity::Above, Polarity::Below] {
            let found = approximate(&mut terms, &mut solver, &points, polarity, context, formula);
            let (premise, conclusion) = match polarity {
                Polarity::Above => (formula, found),
                Polarity::Below => (found, formula),
            };
            let opposite = terms.not(conclusion);
            let query = terms.and(&[context, premise, opposite]);
            let is_valid = terms.as_truth(query) == Some(false)
                || matches!(solver.check(&mut terms, &[query]), SolverAnswer::Unsatisfiable(_));
            let words = format!("seed {seed}: {} of {}", terms.text(found), terms.text(formula));
            assert!(is_valid, "{polarity:?}, {words}");
        }
    }
}

/// The example of the printed contexts: `x > 0 || x > 5` from below, with the predicate `x > 0`.
#[test]
fn a_disjunction_from_below_is_no_tautology() {
    let mut solver = Embedded::new();
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Integer);
    let (zero, five) = (terms.number(0), terms.number(5));
    let (b, more) = (terms.greater(x, zero), terms.greater(x, five));
    let (points, either) = (points_of(&mut terms, &[b]), terms.or(&[b, more]));
    let context = terms.truth(true);
    let below = approximate(&mut terms, &mut solver, &points, Polarity::Below, context, either);
    assert_eq!(terms.text(below), terms.text(b));
}
