//! The reachable product of transition systems.

mod compressed;
mod explorer;
pub mod naive;
mod preference;
mod safety;
mod search;
mod stubborn;
mod tuples;

pub use compressed::{Compressed, deadlock_while, parts_while};
pub use explorer::{Explorer, ProductStep};
pub use preference::Preference;
pub use safety::{
    ExplorationOrder, Safety, from_both_ends, oldest_first, reaches_error, reaches_error_while,
};
pub use search::{Entered, Explored, ProductRun, ProductSearch, search_while};
pub use stubborn::search_deadlock_while;
pub use tuples::Tuples;

use crate::lts::{Alphabet, Label, Lts, LtsBuilder};
use resy_index::Id;

/// A product has more states than the limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ProductTooLarge {
    /// The limit.
    pub limit: usize,
}

/// A product, with the component states of each state.
#[derive(Clone, Debug)]
pub struct Product {
    /// The reachable part; internal steps of all systems are `Tau`.
    pub lts: Lts,
    /// For each state of the product, the states of the systems.
    pub tuples: Tuples,
}

/// The reachable product of all systems, with at most `limit` states.
pub fn product(systems: &[&Lts], limit: usize) -> Result<Product, ProductTooLarge> {
    product_while(systems, |n_states| n_states <= limit).ok_or(ProductTooLarge { limit })
}

/// The reachable product of all systems; `None` if `go_on(n_states)`, which is called for each
/// state, cancels.
pub fn product_while(systems: &[&Lts], go_on: impl FnMut(usize) -> bool) -> Option<Product> {
    product_of_while(&Explorer::new(systems.to_vec()), go_on)
}

/// Like [`product_while`], with the steps that an explorer allows.
pub fn product_of_while(
    explorer: &Explorer<'_>,
    mut go_on: impl FnMut(usize) -> bool,
) -> Option<Product> {
    let systems = explorer.systems();
    let mut tuples = Tuples::new(systems.len());
    let mut builder = LtsBuilder::new();
    tuples.insert(&explorer.initial());
    builder.add_state();
    let mut next = 0;
    while next < tuples.len() {
        if !go_on(tuples.len()) {
            return None;
        }
        let source = Id::from_index(next);
        let state = tuples[source].to_vec();
        explorer.successors(&state, |step, successor| {
            let (target, new) = tuples.insert(successor);
            if new {
                builder.add_state();
            }
            builder.add_transition(source, step.label(), target);
        });
        next += 1;
    }
    let alphabet: Alphabet = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    Some(Product { lts: builder.finish(Id::from_index(0), alphabet), tuples })
}

impl ProductStep {
    /// The label of the step in the product.
    pub fn label(self) -> Label {
        match self {
            Self::Tau(_) => Label::Tau,
            Self::Action(action) => Label::Visible(action),
        }
    }
}

#[cfg(test)]
mod tests;
