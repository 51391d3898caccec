//! Which states lie on common cycles of internal steps: Tarjan's algorithm, without
//! recursion.

use crate::lts::{Label, Lts, StateId};
use crate::partition::Partition;
use resy_index::{Id, IndexVec};

/// A state that has not been seen.
const NEW: u32 = u32::MAX;
/// A state whose component is complete; larger than every number in use.
const DONE: u32 = u32::MAX - 1;

/// States are in one block if internal steps lead from each to the other.
pub fn partition(lts: &Lts) -> Partition {
    // `low[s]` is the lowest number that is known to be reachable from `s`; states are
    // numbered when they are first seen.
    let mut low: IndexVec<StateId, u32> = lts.states().map(|_| NEW).collect();
    let mut component: IndexVec<StateId, StateId> = lts.states().collect();
    let mut open: Vec<StateId> = Vec::new();
    let mut path: Vec<(StateId, u32, usize)> = Vec::new();
    let mut n_seen = 0;
    for root in lts.states() {
        if low[root] != NEW {
            continue;
        }
        path.push((root, n_seen, 0));
        while let Some((state, number, at)) = path.pop() {
            if at == 0 {
                low[state] = number;
                n_seen += 1;
                open.push(state);
            }
            let successor = lts.transitions_from(state).get(at).filter(|t| t.0 == Label::Tau);
            if let Some(&(_, target)) = successor {
                // A state is visited again when its successor is complete.
                if low[target] == NEW {
                    path.push((state, number, at + 1));
                    path.push((target, n_seen, 0));
                } else {
                    low[state] = low[state].min(low[target]);
                    path.push((state, number, at + 1));
                }
                continue;
            }
            if low[state] == number {
                while let Some(member) = open.pop() {
                    component[member] = state;
                    low[member] = DONE;
                    if member == state {
                        break;
                    }
                }
            } else if let Some(&(parent, ..)) = path.last() {
                low[parent] = low[parent].min(low[state]);
            }
        }
    }
    Partition::by_keys(lts.states().map(|state| component[state].index()))
}
