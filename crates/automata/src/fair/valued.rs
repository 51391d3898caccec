//! A system with propositions: states paired with valuations.

use crate::lts::{Label, Lts, LtsBuilder, StateId};
use resy_index::Id;
use rustc_hash::FxHashMap;

/// A system in which every state has a valuation: that of the propositions after the steps that
/// lead to it.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The pairs that are reachable.
    pub lts: Lts,
    /// For each of its states, the valuation.
    pub valuations: Vec<u64>,
    /// For each of its states, the state of the system.
    pub states: Vec<StateId>,
}

impl Valued {
    /// The reachable pairs, from an initial valuation; `after` is the valuation after a step.
    /// `None` if `go_on(n_states)` cancels.
    pub fn of(
        lts: &Lts,
        initial: u64,
        after: impl Fn(Label, u64) -> u64,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let mut pairs = vec![(lts.initial(), initial)];
        let mut builder = LtsBuilder::new();
        let mut ids: FxHashMap<(StateId, u64), StateId> = FxHashMap::default();
        ids.insert(pairs[0], builder.add_state());
        let mut next = 0;
        while let Some(&(state, valuation)) = pairs.get(next) {
            if !go_on(pairs.len()) {
                return None;
            }
            for &(label, target) in lts.transitions_from(state) {
                let pair = (target, after(label, valuation));
                let target = *ids.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    builder.add_state()
                });
                builder.add_transition(Id::from_index(next), label, target);
            }
            next += 1;
        }
        Some(Self {
            lts: builder.finish(Id::from_index(0), lts.alphabet().clone()),
            valuations: pairs.iter().map(|pair| pair.1).collect(),
            states: pairs.iter().map(|pair| pair.0).collect(),
        })
    }
}
