//! Transition systems hold what was put in.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn s(i: usize) -> StateId {
    Id::from_index(i)
}

fn label(i: usize) -> Label {
    if i == 0 { Label::Tau } else { Label::Visible(Id::from_index(i - 1)) }
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(
        transitions in prop::collection::vec((0..5usize, 0..4usize, 0..5usize), 0..40),
    ) {
        let mut builder = LtsBuilder::with_states(5);
        for &(source, l, target) in &transitions {
            builder.add_transition(s(source), label(l), s(target));
        }
        let lts = builder.finish(s(2), Alphabet::default());
        let set: BTreeSet<_> =
            transitions.iter().map(|&(source, l, target)| (s(source), label(l), s(target))).collect();
        prop_assert_eq!(lts.n_states(), 5);
        prop_assert_eq!(lts.n_transitions(), set.len());
        prop_assert!(lts.transitions().eq(set.iter().copied()), "{:?}", lts);
        for (i, l) in (0..5).flat_map(|i| (0..4).map(move |l| (i, l))) {
            let by = lts.transitions_by(s(i), label(l));
            let same = set.iter().filter(|t| (t.0, t.1) == (s(i), label(l))).map(|t| (t.1, t.2));
            prop_assert!(by.iter().copied().eq(same));
        }
        let reverse = Reverse::of(&lts);
        let back: BTreeSet<_> = lts
            .states()
            .flat_map(|t| reverse.transitions_into(t).iter().map(move |&(l, s)| (s, l, t)))
            .collect();
        prop_assert_eq!(&back, &set);
        let used: BTreeSet<_> = set.iter().filter_map(|t| t.1.action()).collect();
        prop_assert!(lts.alphabet().iter().eq(used));
    }

    #[test]
    fn deterministic_means_one_transition_an_action(
        transitions in prop::collection::btree_set((0..3usize, 0..3usize, 0..3usize), 0..6),
    ) {
        let mut builder = LtsBuilder::with_states(3);
        for &(source, l, target) in &transitions {
            builder.add_transition(s(source), label(l), s(target));
        }
        let sources: BTreeSet<_> = transitions.iter().map(|t| (t.0, t.1)).collect();
        let expected = sources.len() == transitions.len() && transitions.iter().all(|t| t.1 != 0);
        prop_assert_eq!(builder.finish(s(0), Alphabet::default()).is_deterministic(), expected);
    }
}

#[test]
fn an_action_without_transitions_stays_in_the_alphabet() {
    let alphabet: Alphabet = [3, 1, 3].map(Id::from_index).into_iter().collect();
    let lts = Lts::idle(alphabet.clone());
    assert_eq!(lts.alphabet(), &alphabet);
    assert_eq!(lts.alphabet().len(), 2);
    assert_eq!(lts.reachable().0, lts);
}

#[test]
fn hidden_actions_become_internal() {
    let mut builder = LtsBuilder::with_states(2);
    builder.add_transition(s(0), label(1), s(1));
    builder.add_transition(s(0), label(2), s(1));
    let lts = builder.finish(s(0), [5].map(Id::from_index).into_iter().collect());
    let hidden = lts.hiding(&[0, 5].map(Id::from_index).into_iter().collect());
    assert_eq!(hidden.transitions_from(s(0)), [(Label::Tau, s(1)), (label(2), s(1))]);
    assert!(hidden.alphabet().iter().eq([Id::from_index(1)]));
}

#[test]
fn what_cannot_be_reached_goes() {
    let mut builder = LtsBuilder::with_states(4);
    for (source, target) in [(2, 1), (1, 2), (0, 2), (3, 3)] {
        builder.add_transition(s(source), label(1), s(target));
    }
    let (part, old) = builder.finish(s(2), Alphabet::default()).reachable();
    assert_eq!((part.n_states(), part.n_transitions(), part.initial()), (2, 2, s(0)));
    assert_eq!(old, [s(2), s(1)]);
}
