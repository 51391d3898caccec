//! Components outside the cone of influence may be left out: the verdict stays the same, both ways.

mod common;

use common::{Random, is_safe, network};
use proptest::prelude::*;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Network};
use resy_compose::cone::{bystander, cone};
use resy_index::Id;

/// A component that watches some actions, in every state, and also has the last action.
fn spectator(random: &mut Random, watched: &[ActionId], last: ActionId) -> Lts {
    let n_states = 1 + random.below(3);
    let mut builder = LtsBuilder::with_states(n_states);
    let any = |random: &mut Random| -> StateId { Id::from_index(random.below(n_states)) };
    for state in (0..n_states).map(Id::from_index) {
        for &action in watched {
            let to = any(random);
            builder.add_transition(state, Label::Visible(action), to);
        }
    }
    // Not in every state, perhaps.
    let (from, to) = (any(random), any(random));
    builder.add_transition(from, Label::Visible(last), to);
    let alphabet: Alphabet = watched.iter().copied().chain([last]).collect();
    builder.finish(Id::from_index(0), alphabet)
}

/// The network with two spectators, which have an action of their own.
fn with_spectators(network: &Network, random: &mut Random) -> Network {
    let mut wider = network.clone();
    let own = wider.actions.push(Action { name: "between spectators".to_owned() });
    for name in ["first", "second"] {
        let watched: Vec<ActionId> =
            network.actions.ids().filter(|_| random.below(2) == 0).collect();
        let lts = spectator(random, &watched, own);
        let state_names = Default::default();
        wider.components.push(Component { name: name.to_owned(), lts, state_names });
    }
    wider
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(1000)))]

    #[test]
    fn what_does_not_matter_may_be_left_out(seed in any::<u64>(), size in 1..=6usize) {
        let network = network(seed, size);
        let wider = with_spectators(&network, &mut Random::new(seed));
        let matters = cone(&wider);
        let n = network.components.len();
        prop_assert!(wider.components.ids().skip(n).all(|id| !matters[id]), "spectators never do");
        prop_assert_eq!(&matters.iter().copied().collect::<Vec<_>>()[..n], &cone(&network).iter().copied().collect::<Vec<_>>()[..]);
        let mut without = wider.clone();
        for id in wider.components.ids().filter(|&id| !matters[id]) {
            without.components[id].lts = bystander(&wider.components[id].lts);
        }
        prop_assert_eq!(is_safe(&wider), is_safe(&network));
        prop_assert_eq!(is_safe(&without), is_safe(&network));
    }
}
