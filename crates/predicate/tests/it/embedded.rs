//! The embedded procedure: scopes, cores, integers, arrays, and when it does not know.

use resy_index::Interest;
use resy_predicate::Embedded;
use resy_symbolic::{
    Rational, Solver, SolverAnswer, SolverObstacle, Sort, TermId, Terms, derivation,
};

fn is_satisfiable(terms: &mut Terms, query: &[TermId]) -> bool {
    match Embedded::new().check(terms, query) {
        SolverAnswer::Satisfiable(model) => {
            assert!(query.iter().all(|&term| terms.holds(term, &model) == Some(true)));
            true
        }
        SolverAnswer::Unsatisfiable(refutation) => {
            let derivation = refutation.derivation.expect("a derivation");
            assert_eq!(derivation::check(terms, &refutation.core, &derivation), Ok(()));
            false
        }
        SolverAnswer::Unknown(obstacle) => panic!("unknown: {obstacle}"),
    }
}

#[test]
fn scopes_and_cores() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let (x, y) = (terms.fresh("x", Sort::Integer), terms.fresh("y", Sort::Integer));
    let zero = terms.number(0);
    let (less, greater) = (terms.less(x, y), terms.less(y, x));
    let positive = terms.greater(x, zero);
    solver.assert(less);
    let SolverAnswer::Unsatisfiable(found) = solver.check(&mut terms, &[positive, greater]) else {
        panic!("not refuted");
    };
    assert_eq!(found.core, [greater]);
    solver.push();
    solver.assert(greater);
    assert!(matches!(solver.check(&mut terms, &[]), SolverAnswer::Unsatisfiable(_)));
    solver.pop();
    assert!(matches!(solver.check(&mut terms, &[positive]), SolverAnswer::Satisfiable(_)));
    assert_eq!(solver.n_queries(), 3);
    let (yes, no) = (terms.truth(true), terms.truth(false));
    assert!(is_satisfiable(&mut terms, &[yes]));
    assert!(!is_satisfiable(&mut terms, &[yes, no]));
    let other = terms.not(less);
    assert!(!is_satisfiable(&mut terms, &[less, other]));
}

/// x == 2y and x == 2z + 1: splitting x alone would never end.
#[test]
fn parity_is_decided() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.fresh(name, Sort::Integer));
    let one = terms.number(1);
    let (even, twice) =
        (terms.scale(Rational::integer(2), y), terms.scale(Rational::integer(2), z));
    let odd = terms.add(twice, one);
    let (is_even, is_odd) = (terms.equal(x, even), terms.equal(x, odd));
    assert!(!is_satisfiable(&mut terms, &[is_even, is_odd]));
    let next = terms.add(x, one);
    let is_next_odd = terms.equal(next, odd);
    assert!(is_satisfiable(&mut terms, &[is_even, is_next_odd]));
}

#[test]
fn strict_bounds_of_rationals() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Rational), terms.fresh("y", Sort::Rational));
    let (zero, one) = (terms.number(0), terms.number(1));
    let facts = [terms.less(zero, x), terms.less(x, y), terms.less(y, one)];
    assert!(is_satisfiable(&mut terms, &facts));
    let back = terms.at_most(y, x);
    assert!(!is_satisfiable(&mut terms, &[facts[1], back]));
}

/// Two arrays that are equal up to one write are equal elsewhere.
#[test]
fn arrays_that_are_equal() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh("a", Sort::IntegerArray), terms.fresh("b", Sort::IntegerArray));
    let (i, j) = (terms.fresh("i", Sort::Integer), terms.fresh("j", Sort::Integer));
    let seven = terms.number(7);
    let written = terms.store(a, i, seven);
    let (same, at_j, of_b) = (terms.equal(written, b), terms.select(a, j), terms.select(b, j));
    let (elsewhere, differs) = (terms.not_equal(i, j), terms.not_equal(at_j, of_b));
    assert!(!is_satisfiable(&mut terms, &[same, elsewhere, differs]));
    assert!(is_satisfiable(&mut terms, &[same, differs]));
    let (other, equal) = (terms.not_equal(a, b), terms.equal(at_j, of_b));
    assert!(is_satisfiable(&mut terms, &[other, equal]));
}

#[test]
fn what_is_outside_the_fragment_is_named() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Integer), terms.fresh("y", Sort::Integer));
    let (product, seven) = (terms.multiply(x, y), terms.number(7));
    let is_seven = terms.equal(product, seven);
    let answer = Embedded::new().check(&mut terms, &[is_seven]);
    let SolverAnswer::Unknown(SolverObstacle::Fragment(term)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(terms.text(term), "x*y");
    // What does not depend on it is decided.
    let (less, more) = (terms.less(product, seven), terms.greater(product, seven));
    assert!(!is_satisfiable(&mut terms, &[less, more]));
}

#[test]
fn limits_are_unknown() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Integer);
    let seven = terms.number(7);
    let less = terms.less(x, seven);
    let mut solver = Embedded::new();
    solver.set_work(0);
    let answer = solver.check(&mut terms, &[less]);
    assert!(matches!(answer, SolverAnswer::Unknown(SolverObstacle::Budget)), "{answer:?}");
    solver.set_work(1000);
    assert!(matches!(solver.check(&mut terms, &[less]), SolverAnswer::Satisfiable(_)));
    let mut solver = Embedded::new();
    solver.set_interest(Interest::lasting_while(|| false));
    let answers: Vec<SolverAnswer> = (0..300).map(|_| solver.check(&mut terms, &[less])).collect();
    let last = answers.last().unwrap();
    assert!(matches!(last, SolverAnswer::Unknown(SolverObstacle::Cancelled)), "{last:?}");
    // Numbers at the end of the range.
    let (large, one) = (terms.number(i128::MAX), terms.number(1));
    let too_large = terms.add(large, one);
    let beyond = terms.greater(x, too_large);
    let answer = Embedded::new().check(&mut terms, &[beyond]);
    assert!(matches!(answer, SolverAnswer::Unknown(_)), "{answer:?}");
}
