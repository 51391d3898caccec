//! Folding that keeps pasts: the words by which a state is reached.
//!
//! A bisimulation of the [reversed system](resy_automata::words::backwards) keeps the language of every
//! state. Reversal commutes with composition and hiding, so that it is a congruence. Contexts that
//! are not reached together with the module have no labels: they are cut off. (In a folding that
//! keeps futures this would be unsound.)

use resy_automata::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::product::{Explorer, Product, ProductStep, Tuples, product_while};
use resy_index::Id;

/// The place of the module in a product with two clusters.
const MODULE: usize = 0;

/// The product of two clusters, as far as it is reached together with a module; `None` if
/// `go_on(n_states)` cancels.
pub(super) fn reached_with(
    module: &Lts,
    pair: [&Lts; 2],
    mut go_on: impl FnMut(usize) -> bool,
) -> Option<Product> {
    let alphabet: Alphabet = pair.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    if !alphabet.iter().any(|action| module.alphabet().contains(action)) {
        return product_while(&pair, go_on);
    }
    let explorer = Explorer::new(vec![module, pair[0], pair[1]]);
    let is_of_pair = |step: ProductStep| match step {
        ProductStep::Tau(system) => system.index() != MODULE,
        ProductStep::Action(action) => alphabet.contains(action),
    };
    let (mut all, mut tuples) = (Tuples::new(3), Tuples::new(2));
    let mut transitions: Vec<(StateId, Label, StateId)> = Vec::new();
    all.insert(&explorer.initial());
    tuples.insert(&explorer.initial()[MODULE + 1..]);
    let mut next = 0;
    while next < all.len() {
        // The states of the module are not what is limited.
        if !go_on(tuples.len().max(all.len() / module.n_states())) {
            return None;
        }
        let state = all[Id::from_index(next)].to_vec();
        let source = tuples.insert(&state[MODULE + 1..]).0;
        explorer.successors(&state, |step, to| {
            all.insert(to);
            let target = tuples.insert(&to[MODULE + 1..]).0;
            if is_of_pair(step) {
                transitions.push((source, step.label(), target));
            }
        });
        next += 1;
    }
    let mut builder = LtsBuilder::with_states(tuples.len());
    transitions.sort_unstable();
    transitions.dedup();
    for (source, label, target) in transitions {
        builder.add_transition(source, label, target);
    }
    let initial = Id::from_index(0);
    Some(Product { lts: builder.finish(initial, alphabet), tuples })
}
