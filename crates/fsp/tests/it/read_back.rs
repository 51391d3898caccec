//! Reading back what `resy_automata::text::fsp` writes gives the same network: components that
//! are strongly bisimilar, with the same alphabets.

use crate::bisimilar::{Marked, bisimilar};
use crate::composed::composed;
use proptest::prelude::*;
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::text::fsp;
use resy_automata::{Label, Lts, LtsBuilder};
use resy_index::{Id, IndexVec};

const N_ACTIONS: usize = 3;

/// Source, label (0 is internal), target.
type Edges = Vec<(usize, usize, usize)>;

fn lts(edges: &Edges, extra: usize) -> Lts {
    let mut builder = LtsBuilder::with_states(4);
    for &(source, label, target) in edges {
        let label = label.checked_sub(1).map_or(Label::Tau, |i| Label::Visible(Id::from_index(i)));
        builder.add_transition(Id::from_index(source), label, Id::from_index(target));
    }
    builder.finish(Id::from_index(0), [Id::from_index(extra)].into_iter().collect())
}

fn edges(labels: std::ops::Range<usize>) -> impl Strategy<Value = Edges> {
    prop::collection::vec((0..4usize, labels, 0..4usize), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::random::cases()))]
    #[test]
    fn what_is_written_is_read_back(
        components in prop::collection::vec((edges(0..N_ACTIONS + 1), 0..N_ACTIONS), 1..4),
        good in edges(1..N_ACTIONS + 1),
    ) {
        let actions: IndexVec<_, _> =
            (0..N_ACTIONS).map(|i| Action { name: format!("a{i}") }).collect();
        let parts = components.iter().enumerate().map(|(i, (edges, extra))| Component {
            name: format!("P{i}"),
            lts: lts(edges, *extra),
            state_names: IndexVec::new(),
        });
        let monitor = Monitor::of_good_words(&lts(&good, 0), IndexVec::new()).ok();
        let network = Network::new(actions, parts.collect(), monitor, Vec::new());
        let text = fsp::write(&network);
        let read = composed(&text, "NETWORK");
        prop_assert_eq!(read.components.len(), network.systems().len(), "{}", text);
        let names = |actions: &IndexVec<_, Action>| -> Vec<String> {
            actions.iter().map(|a| a.name.clone()).collect()
        };
        let (old, new) = (names(&network.actions), names(&read.actions));
        let components = read.components.iter().zip(&read.errors);
        for (i, (before, (after, error))) in network.systems().iter().zip(components).enumerate() {
            let is_monitor = i == network.components.len();
            let expected = network.monitor.as_ref().filter(|_| is_monitor).map(|m| m.error);
            let before = Marked { lts: before, names: &old, error: expected };
            let after = Marked { lts: &after.lts, names: &new, error: *error };
            prop_assert!(bisimilar(&before, &after), "{}", text);
        }
    }
}
