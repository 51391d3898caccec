//! Smaller than canonical: merge classes while the property is still proved.
//!
//! The canonical requirement serves proofs and disproofs alike. If the property holds, any image of
//! the module with which it still holds suffices. Finding a smallest one is hard. Here classes are
//! added to groups greedily, each to the first group that accepts it. A group that has refused a
//! class need not be asked again when it has grown, because an image of an image can only do more.
//! Therefore no two of the final groups could be merged.

use crate::requirement::{Conclusion, Requirement};
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// A requirement that is no larger, and still an image of the module. `proves` decides whether the
/// environment with a given system in the module's place satisfies the property. It may answer
/// `false` to save time, which only costs size; `None` ends the search. If the property is
/// violated, one state suffices.
pub fn minimize(
    module: &Lts,
    requirement: &Requirement,
    mut proves: impl FnMut(&Lts) -> Option<bool>,
) -> Requirement {
    let n_states = requirement.lts().n_states();
    let merged = match requirement.verdict {
        Conclusion::Fails(_) => Partition::single(n_states),
        Conclusion::Interrupted => Partition::discrete(n_states),
        Conclusion::Holds => smallest(requirement.lts(), &mut proves),
    };
    let partition = requirement.quotient.partition().then(&merged);
    Requirement::new(module, partition, requirement.verdict.clone())
        .with_environment(requirement.environment.clone())
}

/// The smallest result over a few orders of the classes.
pub(crate) fn smallest(lts: &Lts, proves: &mut impl FnMut(&Lts) -> Option<bool>) -> Partition {
    let there: Vec<StateId> = lts.states().collect();
    let back = there.iter().rev().copied().collect();
    let orders: [Vec<StateId>; 2] = [there, back];
    let partitions = orders.iter().map(|order| greedy(lts, order, proves));
    partitions.min_by_key(Partition::n_blocks).expect("there are orders")
}

fn greedy(
    lts: &Lts,
    order: &[StateId],
    proves: &mut impl FnMut(&Lts) -> Option<bool>,
) -> Partition {
    // Initially each state is its own group; a group has the number of its first state.
    let mut group_of: Vec<usize> = (0..lts.n_states()).collect();
    let mut groups: Vec<usize> = Vec::new();
    'states: for state in order.iter().map(|state| state.index()) {
        for &group in &groups {
            group_of[state] = group;
            match proves(Quotient::of(lts, Partition::by_keys(&group_of)).lts()) {
                Some(true) => continue 'states,
                Some(false) => {}
                None => {
                    group_of[state] = state;
                    break 'states;
                }
            }
        }
        group_of[state] = state;
        groups.push(state);
    }
    Partition::by_keys(group_of)
}
