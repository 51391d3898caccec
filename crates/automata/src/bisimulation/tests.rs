//! The fast algorithm against the definitions, and the laws of quotients.

use super::*;
use crate::lts::LtsBuilder;
use crate::network::Network;
use crate::product::{Safety, product, reaches_error};
use crate::testing::{any_lts, any_network, lts};
use proptest::prelude::*;

/// Systems of many kinds: sparse and dense, with few internal steps and many.
fn any_kind() -> impl Strategy<Value = Lts> {
    prop_oneof![
        any_lts(8, 0..4, 1),
        any_lts(8, 0..3, 3),
        any_lts(12, 0..2, 2),
        any_lts(14, 0..2, 1),
        any_lts(6, 1..3, 3),
        many_taus(12),
    ]
}

/// Systems in which three of four steps are internal.
fn many_taus(n: usize) -> impl Strategy<Value = Lts> {
    let step = (0..n, prop_oneof![3 => Just(0usize), 1 => 1..3usize], 0..n);
    let forward = |(a, l, b): (usize, usize, usize)| if a < b { (a, l, b) } else { (b, l, a) };
    (prop::collection::vec(step, 0..3 * n), any::<bool>()).prop_map(move |(steps, acyclic)| {
        let steps: Vec<_> =
            steps.into_iter().map(|s| if acyclic { forward(s) } else { s }).collect();
        lts(n, &steps, &[])
    })
}

/// Both systems side by side; the states of the second come after those of the first.
fn side_by_side(a: &Lts, b: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(a.n_states() + b.n_states());
    let shift = |state: crate::lts::StateId| Id::from_index(a.n_states() + state.index());
    a.transitions().for_each(|(s, l, t)| builder.add_transition(s, l, t));
    b.transitions().for_each(|(s, l, t)| builder.add_transition(shift(s), l, shift(t)));
    builder.finish(a.initial(), a.alphabet().union(b.alphabet()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn strong_is_what_the_definition_says(lts in any_kind()) {
        prop_assert_eq!(strong(&lts), naive::strong(&lts));
    }

    #[test]
    fn branching_is_what_the_definition_says(lts in any_kind()) {
        prop_assert_eq!(branching(&lts), naive::branching(&lts));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn larger_systems_too(lts in prop_oneof![any_lts(60, 0..4, 2), many_taus(40)]) {
        prop_assert_eq!(strong(&lts), naive::strong(&lts));
        prop_assert_eq!(branching(&lts), naive::branching(&lts));
    }

    #[test]
    fn quotients_are_bisimilar_and_minimal(lts in any_kind()) {
        prop_assert!(strong(&lts).refines(&branching(&lts)));
        let quotient = Quotient::of(&lts, strong(&lts));
        prop_assert!(naive::strong(quotient.lts()).is_discrete());
        prop_assert_eq!(quotient.lts().alphabet(), lts.alphabet());
        let both = naive::strong(&side_by_side(&lts, quotient.lts()));
        let contracted = Quotient::contracting(&lts, branching(&lts));
        prop_assert!(naive::branching(contracted.lts()).is_discrete());
        let both_contracted = naive::branching(&side_by_side(&lts, contracted.lts()));
        for state in lts.states() {
            let twin = |q: &Quotient| Id::from_index(lts.n_states() + q.state_of(state).index());
            prop_assert_eq!(both.block_of(state), both.block_of(twin(&quotient)));
            let (here, there) = (state, twin(&contracted));
            prop_assert_eq!(both_contracted.block_of(here), both_contracted.block_of(there));
        }
    }

    #[test]
    fn components_can_be_replaced_by_their_quotients(network in any_network()) {
        let reduced = |reduce: &dyn Fn(&Lts) -> Lts| {
            let mut network: Network = network.clone();
            for component in network.components.iter_mut() {
                component.lts = reduce(&component.lts);
            }
            matches!(reaches_error(&network, 1000), Safety::Safe { .. })
        };
        let safe = reduced(&Lts::clone);
        prop_assert_eq!(reduced(&|l| Quotient::of(l, strong(l)).into_lts()), safe);
        prop_assert_eq!(reduced(&|l| Quotient::contracting(l, branching(l)).into_lts()), safe);
    }

    #[test]
    fn products_of_quotients_are_bisimilar(a in any_lts(4, 0..4, 2), b in any_lts(4, 0..4, 2)) {
        let small = |l: &Lts| Quotient::contracting(l, branching(l)).into_lts();
        let whole = product(&[&a, &b], 1000).unwrap().lts;
        let part = product(&[&small(&a), &small(&b)], 1000).unwrap().lts;
        let both = naive::branching(&side_by_side(&whole, &part));
        let initial = Id::from_index(whole.n_states() + part.initial().index());
        prop_assert_eq!(both.block_of(whole.initial()), both.block_of(initial));
    }
}

#[test]
fn milners_examples() {
    // a.(b + c) and a.b + a.c differ; a.τ.b is a.b, but τ.a + b is not a + b.
    let choice =
        lts(7, &[(0, 1, 1), (1, 2, 2), (1, 3, 2), (3, 1, 4), (3, 1, 5), (4, 2, 6), (5, 3, 6)], &[]);
    let partition = branching(&choice);
    assert_ne!(partition.block_of(Id::from_index(0)), partition.block_of(Id::from_index(3)));
    let late = lts(4, &[(0, 0, 1), (0, 2, 2), (1, 1, 2), (3, 1, 2), (3, 2, 2)], &[]);
    let partition = branching(&late);
    assert_ne!(partition.block_of(Id::from_index(0)), partition.block_of(Id::from_index(3)));
    let inert = lts(5, &[(0, 1, 1), (1, 0, 2), (2, 2, 3), (4, 1, 2), (3, 0, 3)], &[]);
    let partition = branching(&inert);
    assert_eq!(partition.block_of(Id::from_index(0)), partition.block_of(Id::from_index(4)));
    assert_eq!((partition.n_blocks(), strong(&inert).n_blocks()), (3, 5));
}

#[test]
fn who_is_asked_may_say_no() {
    let steps: Vec<_> = (0..30).map(|i| (i, 1 + i % 2, i + 1)).collect();
    let chain = lts(31, &steps, &[]);
    let mut asked = 0;
    let all = branching_while(&chain, || {
        asked += 1;
        true
    });
    assert_eq!(all, Some(naive::branching(&chain)));
    for n in 0..asked {
        let mut left = n;
        let go_on = || {
            left -= i32::from(left > 0);
            left > 0
        };
        assert_eq!(branching_while(&chain, go_on), None);
    }
}
