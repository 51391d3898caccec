//! Quotients keep words, and the verdicts of networks.

use super::naive::have_same_words;
use super::*;
use crate::network::Network;
use crate::product::{Safety, product, reaches_error};
use crate::testing::{any_lts, any_network, lts};
use proptest::prelude::*;

fn reduced(lts: &Lts) -> Lts {
    Quotient::contracting(lts, same_words(lts)).into_lts()
}

fn is_safe(network: &Network) -> bool {
    matches!(reaches_error(network, usize::MAX), Safety::Safe { .. })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_quotient_has_the_same_words(
        lts in prop_oneof![any_lts(8, 0..3, 2), any_lts(12, 0..2, 2), any_lts(6, 0..4, 3)],
    ) {
        let smaller = reduced(&lts);
        prop_assert!(have_same_words(&lts, &smaller));
        prop_assert!(same_words(&smaller).is_discrete());
        prop_assert!(branching_while(&lts, || true).unwrap().refines(&same_words(&lts)));
    }

    #[test]
    fn a_network_of_quotients_has_the_same_verdict(network in any_network()) {
        let mut smaller = network.clone();
        smaller.components.iter_mut().for_each(|c| {
            c.lts = reduced(&c.lts);
        });
        prop_assert_eq!(is_safe(&smaller), is_safe(&network));
    }
}

/// A source that sends two marked messages among any number of others, and places for one message.
#[test]
fn a_pipeline_is_as_large_as_its_source() {
    // Actions are numbered by places and messages; zero is internal.
    let by = |place: usize, message: usize| 1 + 3 * place + message;
    let source: Vec<_> = (0..3)
        .flat_map(|sent| {
            [(sent, by(0, 0), sent), (sent, by(0, sent.min(1) + 1), (sent + 1).min(2))]
        })
        .filter(|&(sent, label, _)| sent < 2 || label == by(0, 0))
        .collect();
    let mut pipeline = lts(3, &source, &[]);
    for place in 0..5 {
        let steps = |m: usize| [(0, by(place, m), m + 1), (m + 1, by(place + 1, m), 0)];
        let one = lts(4, &(0..3).flat_map(steps).collect::<Vec<_>>(), &[]);
        let both = product(&[&pipeline, &one], 1000).unwrap().lts;
        let inner = (0..3).map(|m| Id::from_index(by(place, m) - 1)).collect();
        pipeline = reduced(&both.hiding(&inner));
        assert_eq!(pipeline.n_states(), 3, "place {place}");
    }
}

#[test]
fn words_are_told_apart() {
    let once = lts(2, &[(0, 1, 1)], &[]);
    let twice = lts(3, &[(0, 1, 1), (1, 0, 2), (2, 1, 1)], &[]);
    assert!(!have_same_words(&once, &twice) && !have_same_words(&twice, &once));
    assert!(have_same_words(&twice, &lts(1, &[(0, 1, 0)], &[])));
}

#[test]
fn a_path_follows_its_word() {
    let [a, b, c] = [0, 1, 2].map(Id::from_index);
    let system = lts(3, &[(0, 1, 1), (0, 1, 2), (2, 0, 1)], &[]);
    let [tau, one] = [Label::Tau, Label::Visible(Id::from_index(0))];
    assert_eq!(path(&system, [one, tau], None), Some(vec![c, b]));
    assert_eq!(path(&system, [one], Some(b)), Some(vec![b]));
    assert_eq!(path(&system, [one], Some(a)), None);
    assert_eq!(path(&system, [tau], None), None);
}

#[test]
fn who_is_asked_may_say_no() {
    assert!(same_words_while(&lts(3, &[(0, 1, 1), (1, 1, 2), (2, 2, 0)], &[]), || false).is_none());
}
