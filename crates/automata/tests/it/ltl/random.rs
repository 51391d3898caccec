//! Random formulas against the definitions.

use super::common::Lasso;
use proptest::prelude::*;
use resy_automata::ltl::{BadPrefixes, SafetyClass, TemporalFormula, classify, translate};

fn any_formula(propositions: u32) -> impl Strategy<Value = TemporalFormula> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(TemporalFormula::Bool),
        8 => (0..propositions).prop_map(TemporalFormula::Prop),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let one = inner.clone().prop_map(Box::new);
        let two = (one.clone(), one.clone());
        prop_oneof![
            one.clone().prop_map(TemporalFormula::Not),
            one.clone().prop_map(TemporalFormula::Next),
            one.clone().prop_map(TemporalFormula::Always),
            one.prop_map(TemporalFormula::Eventually),
            two.clone().prop_map(|(a, b)| TemporalFormula::And(a, b)),
            two.clone().prop_map(|(a, b)| TemporalFormula::Or(a, b)),
            two.clone().prop_map(|(a, b)| TemporalFormula::Implies(a, b)),
            two.clone().prop_map(|(a, b)| TemporalFormula::Equiv(a, b)),
            two.clone().prop_map(|(a, b)| TemporalFormula::Until(a, b)),
            two.clone().prop_map(|(a, b)| TemporalFormula::WeakUntil(a, b)),
            two.prop_map(|(a, b)| TemporalFormula::Release(a, b)),
        ]
    })
}

fn word(propositions: u32, n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0..1u64 << propositions, n)
}

fn lasso(propositions: u32) -> impl Strategy<Value = Lasso> {
    (word(propositions, 0..5), word(propositions, 1..5))
        .prop_map(|(stem, cycle)| Lasso { stem, cycle })
}

/// All words over `1 << propositions` letters of a length.
fn words(propositions: u32, length: usize) -> impl Iterator<Item = Vec<u64>> {
    let letters = 1u64 << propositions;
    (0..letters.pow(length as u32)).map(move |n| {
        let digit = |i: usize| n / letters.pow(i as u32) % letters;
        (0..length).map(digit).collect()
    })
}

/// Whether some lasso `prefix stem cycle^ω` of bounded size satisfies the formula.
fn can_be_saved(formula: &TemporalFormula, prefix: &[u64], propositions: u32) -> bool {
    let mut sizes = (0..=2).flat_map(|stem| (1..=2).map(move |cycle| (stem, cycle)));
    sizes.any(|(stem, cycle)| {
        words(propositions, stem + cycle).any(|word| {
            let stem = [prefix, &word[..stem]].concat();
            Lasso { cycle: word[word.len() - cycle..].to_vec(), stem }.satisfies(formula)
        })
    })
}

fn run(monitor: &BadPrefixes, word: &[u64]) -> u64 {
    word.iter().fold(monitor.initial(), |set, &letter| monitor.step(set, letter))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// A word is accepted iff it satisfies the formula.
    #[test]
    fn automata_accept_what_formulas_say(f in any_formula(3), lasso in lasso(3)) {
        let automaton = translate(&f).expect("a small formula");
        let both = automaton.product(&lasso.automaton()).expect("a small product");
        prop_assert_eq!(!both.is_empty(), lasso.satisfies(&f));
    }

    /// The language of a formula and that of its negation share no word.
    #[test]
    fn a_formula_and_its_negation_are_disjoint(f in any_formula(3)) {
        let no = translate(&TemporalFormula::Not(Box::new(f.clone()))).expect("a small formula");
        let both = translate(&f).expect("a small formula").product(&no);
        prop_assert!(both.expect("a small product").is_empty());
    }

    /// A word violates a safety formula iff some prefix of it is bad; once bad, a
    /// word stays bad, and the propositions not looked at make no difference.
    #[test]
    fn violations_have_bad_prefixes(f in any_formula(3), lasso in lasso(3)) {
        let Ok(SafetyClass::Safety(monitor)) = classify(&f) else { return Ok(()) };
        let (mut set, mut at_cycle) = (run(&monitor, &lasso.stem), Vec::new());
        while !at_cycle.contains(&set) {
            at_cycle.push(set);
            for &letter in &lasso.cycle {
                let seen = letter & monitor.looks_at(set);
                prop_assert_eq!(monitor.step(set, letter), monitor.step(set, seen));
                let next = monitor.step(set, letter);
                prop_assert!(!monitor.is_bad(set) || monitor.is_bad(next));
                set = next;
            }
        }
        prop_assert_eq!(monitor.is_bad(set), !lasso.satisfies(&f));
    }

    /// After a settled set no word is bad.
    #[test]
    fn what_is_settled_stays_settled(f in any_formula(3), before in word(3, 0..6), after in word(3, 0..12)) {
        let Ok(SafetyClass::Safety(monitor)) = classify(&f) else { return Ok(()) };
        let set = run(&monitor, &before);
        if monitor.is_settled(set) {
            prop_assert!(monitor.can_settle());
            let end = after.iter().fold(set, |set, &letter| monitor.step(set, letter));
            prop_assert!(!monitor.is_bad(end));
        }
    }
}

/// `p W q` is settled by the first `q`, and an invariant never is.
#[test]
fn weak_until_is_settled() {
    let (p, q) = (Box::new(TemporalFormula::Prop(0)), Box::new(TemporalFormula::Prop(1)));
    let Ok(SafetyClass::Safety(until)) = classify(&TemporalFormula::WeakUntil(p.clone(), q)) else {
        panic!("a safety formula")
    };
    assert!(!until.is_settled(run(&until, &[0b01])));
    assert!(until.is_settled(run(&until, &[0b01, 0b10])));
    let Ok(SafetyClass::Safety(always)) = classify(&TemporalFormula::Always(p)) else {
        panic!("a safety formula")
    };
    assert!(!always.can_settle());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A prefix is bad iff no small lasso that continues it satisfies the formula.
    #[test]
    fn bad_prefixes_cannot_be_saved(f in any_formula(2), prefix in word(2, 0..5)) {
        let Ok(SafetyClass::Safety(monitor)) = classify(&f) else { return Ok(()) };
        let saved = can_be_saved(&f, &prefix, 2);
        if monitor.is_bad(run(&monitor, &prefix)) {
            prop_assert!(!saved);
        } else if !saved {
            // The size of the lassos may be too small: ask the automaton.
            let steps = Lasso { stem: prefix.clone(), cycle: vec![0] }.automaton();
            let open = open_end(steps, prefix.len());
            let both = translate(&f).expect("small").product(&open).expect("small");
            prop_assert!(!both.is_empty());
        }
    }

    /// A formula called liveness has a violation all of whose prefixes can be saved.
    #[test]
    fn liveness_has_a_violation_without_bad_prefix(f in any_formula(1)) {
        let Ok(SafetyClass::Liveness) = classify(&f) else { return Ok(()) };
        let mut sizes = (0..=3).flat_map(|stem| (1..=3).map(move |cycle| (stem, cycle)));
        let witness = |lasso: &Lasso| {
            let rounds = [&lasso.stem[..], &lasso.cycle, &lasso.cycle].concat();
            !lasso.satisfies(&f) && (0..=rounds.len()).all(|n| can_be_saved(&f, &rounds[..n], 1))
        };
        let found = sizes.any(|(stem, cycle)| {
            words(1, stem + cycle).any(|word| {
                witness(&Lasso { stem: word[..stem].to_vec(), cycle: word[stem..].to_vec() })
            })
        });
        prop_assert!(found);
    }
}

/// A lasso automaton whose end, after `n` letters, allows anything.
fn open_end(
    mut automaton: resy_automata::ltl::BuchiAutomaton,
    n: usize,
) -> resy_automata::ltl::BuchiAutomaton {
    let end = resy_index::Id::from_index(n);
    for edge in &mut automaton.edges[end] {
        edge.label = resy_automata::ltl::LiteralSet::ANY;
    }
    automaton
}
