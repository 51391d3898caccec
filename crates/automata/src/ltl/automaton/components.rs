//! Strongly connected components (Tarjan 1972), with an explicit stack.

use super::{BuchiAutomaton, BuchiStateId};
use resy_index::IndexVec;

const NEW: usize = usize::MAX;

impl BuchiAutomaton {
    /// The component of every state. They are numbered in the order in which
    /// Tarjan's algorithm ends them: an edge never leads to a greater number.
    pub(super) fn components(&self) -> IndexVec<BuchiStateId, usize> {
        let unknown =
            || -> IndexVec<BuchiStateId, usize> { self.edges.iter().map(|_| NEW).collect() };
        let (mut order, mut low, mut component) = (unknown(), unknown(), unknown());
        let (mut n_met, mut n_components) = (0, 0);
        let (mut open, mut path) = (Vec::new(), Vec::new());
        for root in self.edges.ids() {
            if order[root] == NEW {
                path.push((root, 0));
            }
            while let Some((state, next)) = path.last_mut() {
                let state = *state;
                if *next == 0 && order[state] == NEW {
                    (order[state], low[state]) = (n_met, n_met);
                    n_met += 1;
                    open.push(state);
                }
                if let Some(edge) = self.edges[state].get(*next) {
                    let target = edge.target;
                    if order[target] == NEW {
                        path.push((target, 0));
                        continue;
                    }
                    // Visited again after the target is done, or visited before.
                    if component[target] == NEW {
                        low[state] = low[state].min(low[target]);
                    }
                    *next += 1;
                    continue;
                }
                path.pop();
                if low[state] == order[state] {
                    while let Some(member) = open.pop() {
                        component[member] = n_components;
                        if member == state {
                            break;
                        }
                    }
                    n_components += 1;
                }
            }
        }
        component
    }
}
