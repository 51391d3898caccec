//! The checker of derivations: it accepts what the procedure gives, and nothing about hypotheses that
//! have a model, however the steps are changed.

use resy_index::random::SplitMix;
use resy_predicate::Embedded;
use resy_symbolic::derivation::{Axiom, Derivation, DerivationStep, axiom_clause, check};
use resy_symbolic::{
    DataValue, Interpretation, Rational, Solver, SolverAnswer, Sort, Term, TermId, Terms,
};
use resy_testkit::queries::{QueryKind, RandomQueries, damaged};

/// A refuted query: hypotheses, of which the last is needed, and the derivation.
struct Refuted {
    hypotheses: Vec<TermId>,
    derivation: Derivation,
}

/// Refuted queries whose cores are not empty.
fn refuted(queries: &mut RandomQueries, n_scopes: u64) -> Vec<Refuted> {
    let mut solver = Embedded::new();
    let mut found = Vec::new();
    for seed in 0..n_scopes {
        let scope = queries.scope(seed);
        solver.push();
        scope.assertions.iter().for_each(|&assertion| solver.assert(assertion));
        for _ in 0..5 {
            let query = queries.query(&scope);
            if let SolverAnswer::Unsatisfiable(refutation) =
                solver.check(&mut queries.terms, &query)
                && !refutation.core.is_empty()
                && let Some(derivation) = refutation.derivation
            {
                let hypotheses = scope.assertions.iter().chain(&refutation.core).copied().collect();
                found.push(Refuted { hypotheses, derivation });
            }
        }
        solver.pop();
    }
    found
}

/// Cores are minimal, so without one of their literals there is a model: nothing may be accepted.
#[test]
fn no_derivation_refutes_what_has_a_model() {
    let mut random = SplitMix(7);
    let mut n_tried = 0;
    for kind in QueryKind::ALL {
        let mut queries = RandomQueries::new(kind);
        for Refuted { mut hypotheses, derivation } in refuted(&mut queries, 20) {
            assert_eq!(check(&mut queries.terms, &hypotheses, &derivation), Ok(()));
            let dropped = hypotheses.pop();
            let mut solver = Embedded::new();
            let answer = solver.check(&mut queries.terms, &hypotheses);
            if !matches!(answer, SolverAnswer::Satisfiable(_)) {
                continue;
            }
            assert!(check(&mut queries.terms, &hypotheses, &derivation).is_err());
            for _ in 0..20 {
                let wrong = damaged(&mut random, &mut queries.terms, &derivation);
                let checked = check(&mut queries.terms, &hypotheses, &wrong);
                assert!(checked.is_err(), "{kind:?} without {dropped:?}: {wrong:?}");
                n_tried += 1;
            }
        }
    }
    assert!(n_tried > 1000, "{n_tried}");
}

/// Damage that cannot be right is rejected, whatever the hypotheses.
#[test]
fn each_kind_of_step_is_checked() {
    let mut n_kinds = [0; 4];
    for kind in QueryKind::ALL {
        let mut queries = RandomQueries::new(kind);
        for Refuted { hypotheses, derivation } in refuted(&mut queries, 10) {
            for number in 0..derivation.steps.len() {
                let mut damaged = derivation.clone();
                let which = match &mut damaged.steps[number] {
                    DerivationStep::Hypothesis(term) => {
                        *term = queries.terms.fresh("other", Sort::Boolean);
                        0
                    }
                    DerivationStep::Axiom(axiom) => {
                        // No axiom is about a number.
                        *axiom = Axiom::Conjunction(queries.terms.number(0));
                        1
                    }
                    DerivationStep::Linear(_, multipliers) => {
                        multipliers[0] = multipliers[0].plus(Rational::ONE).unwrap();
                        2
                    }
                    DerivationStep::Propagation(_, premises) => {
                        premises.insert(0, number);
                        3
                    }
                };
                n_kinds[which] += 1;
                let checked = check(&mut queries.terms, &hypotheses, &damaged);
                assert!(checked.is_err(), "{kind:?}: step {number} of {damaged:?}");
            }
            let mut shorter = derivation.clone();
            shorter.steps.pop();
            assert!(check(&mut queries.terms, &hypotheses, &shorter).is_err());
        }
    }
    assert!(n_kinds.iter().all(|&count| count > 20), "{n_kinds:?}");
}

/// Every axiom about a term.
fn axioms(terms: &Terms, id: TermId, reads: &[TermId], indices: &[TermId]) -> Vec<Axiom> {
    let both = [true, false];
    match terms.term(id) {
        Term::And(parts) => {
            let parts = (0..parts.len()).map(|part| Axiom::Part(id, part));
            parts.chain([Axiom::Conjunction(id)]).collect()
        }
        Term::If(..) if terms.sort(id) == Sort::Boolean => {
            both.into_iter().flat_map(|h| both.map(|v| Axiom::Branch(id, h, v))).collect()
        }
        Term::If(..) => both.map(|holds| Axiom::Selected(id, holds)).to_vec(),
        Term::Compare(..) => (0..3).map(|which| Axiom::Equality(id, which)).collect(),
        Term::TruncatedQuotient(..) => (0..4).map(|which| Axiom::Division(id, which)).collect(),
        Term::Select(..) => {
            let congruences = reads.iter().map(|&other| Axiom::Congruence(id, other));
            let selected = both.map(|holds| Axiom::ReadSelected(id, holds));
            let written = [Axiom::ReadWritten(id), Axiom::ReadOther(id)];
            congruences.chain(selected).chain(written).collect()
        }
        Term::SameArray(..) => {
            let same = indices.iter().map(|&index| Axiom::SameElements(id, index));
            same.chain([Axiom::Differ(id)]).collect()
        }
        _ => Vec::new(),
    }
}

/// Small values of all variables.
pub fn random_interpretation(random: &mut SplitMix, terms: &Terms) -> Interpretation {
    let mut known = Interpretation::default();
    let mut small = |size: usize| Rational::integer(random.below(size) as i128 - size as i128 / 2);
    for (symbol, declared) in terms.symbols().iter_enumerated() {
        let value = match declared.sort {
            Sort::Boolean => DataValue::Boolean(small(2).is_zero()),
            Sort::Integer => DataValue::Number(small(9)),
            Sort::Rational => DataValue::Number(small(19).over(Rational::integer(3)).unwrap()),
            _ => {
                let mut array = resy_symbolic::ArrayValue::constant(small(3));
                (0..4).for_each(|_| array.set(small(7).numerator(), small(5)));
                DataValue::Array(array)
            }
        };
        known.set(symbol, value);
    }
    known
}

/// The axioms are what the checker believes: they hold under every interpretation.
#[test]
fn axioms_hold_by_the_definition_of_terms() {
    let mut random = SplitMix(3);
    let mut n_checked = 0;
    for kind in QueryKind::ALL {
        let mut queries = RandomQueries::new(kind);
        for seed in 0..15 {
            let scope = queries.scope(seed);
            let roots: Vec<TermId> =
                scope.assertions.iter().chain(&scope.literals).copied().collect();
            let closure = queries.terms.closure(&roots);
            let is_read = |id: &TermId| matches!(queries.terms.term(*id), Term::Select(..));
            let reads: Vec<TermId> = closure.iter().copied().filter(is_read).collect();
            let index = |id: &TermId| match *queries.terms.term(*id) {
                Term::Select(_, index) => Some(index),
                _ => None,
            };
            let indices: Vec<TermId> = reads.iter().filter_map(index).collect();
            for &id in &closure {
                for axiom in axioms(&queries.terms, id, &reads, &indices) {
                    let Some(clause) = axiom_clause(&mut queries.terms, &axiom) else { continue };
                    for _ in 0..4 {
                        let known = random_interpretation(&mut random, &queries.terms);
                        let values = queries.terms.evaluate_all(&clause, &known);
                        let holds = |term| values.get(term) == Some(&DataValue::Boolean(true));
                        assert!(clause.iter().any(holds), "{kind:?}, {axiom:?}");
                        n_checked += 1;
                    }
                }
            }
        }
    }
    assert!(n_checked > 5000, "{n_checked}");
}

/// Whether one linear clause with these multipliers is taken to refute two hypotheses.
fn refutes(terms: &mut Terms, hypotheses: [TermId; 2], multipliers: [i128; 2]) -> bool {
    let clause = hypotheses.map(|term| terms.not(term)).to_vec();
    let [first, second] = hypotheses.map(DerivationStep::Hypothesis);
    let linear = DerivationStep::Linear(clause, multipliers.map(Rational::integer).to_vec());
    let last = DerivationStep::Propagation(Vec::new(), vec![0, 1, 2]);
    let derivation = Derivation { steps: vec![first, second, linear, last] };
    check(terms, &hypotheses, &derivation).is_ok()
}

#[test]
fn multipliers_are_positive_and_only_integers_are_rounded() {
    let mut terms = Terms::new();
    let (x, r) = (terms.fresh("x", Sort::Integer), terms.fresh("r", Sort::Rational));
    let [zero, one] = [0, 1].map(|n| terms.number(n));
    let [at_most_one, at_most_none] = [one, zero].map(|bound| terms.at_most(x, bound));
    // `x - 1 <= 0` and `x <= 0`: their difference says `-1 <= 0`, its opposite would say `1 <= 0`.
    assert!(!refutes(&mut terms, [at_most_one, at_most_none], [1, -1]));
    assert!(!refutes(&mut terms, [at_most_one, at_most_none], [-1, 1]));
    assert!(!refutes(&mut terms, [at_most_one, at_most_none], [1, 0]));
    // Between 0 and 1 there is a fraction, and no integer.
    let fraction = [terms.greater(r, zero), terms.less(r, one)];
    assert!(!refutes(&mut terms, fraction, [1, 1]));
    let integer = [terms.greater(x, zero), terms.less(x, one)];
    assert!(refutes(&mut terms, integer, [1, 1]));
}
