//! Smaller than canonical: merge classes further while the property is still proved.
//!
//! The canonical requirement serves proofs and disproofs alike. For a network that satisfies
//! its property less will do: any image of the module with which it still does. To find
//! a smallest one is hard; here classes join groups greedily, each the first group that
//! takes it. A group that has refused a class once need not be asked again when it has grown, because
//! an image of an image can only do more. So at the end no two groups could be joined.

use crate::requirement::{Conclusion, Requirement};
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// A requirement that is no larger, and is still an image of the module. `proves` says whether
/// the environment with a system in the module's place satisfies the property; it may give up and
/// say no, which costs size only, and nothing at all ends the search for a smaller one. For a violated property one state is enough.
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

/// The best of a few orders in which classes can be asked to join.
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
    // At first each state is a group of its own; a group has the number of its first state.
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
