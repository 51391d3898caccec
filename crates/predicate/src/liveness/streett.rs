//! Is there a cycle that keeps every requirement? Strongly connected components, decomposed again.
//!
//! A component is discarded if it lacks a mark of the automaton, or if a just action is enabled in all
//! its states and taken on none of its edges. If a compassionate action is enabled somewhere in it and
//! taken nowhere, the states where it is enabled are removed; if a ranking falls on some edges and rises
//! on none, the edges on which it falls are removed; the rest is decomposed again. What is left contains
//! a cycle that keeps all requirements.

use fixedbitset::FixedBitSet;

/// An edge of the graph.
#[derive(Clone, Debug)]
pub(crate) struct FairEdge {
    pub source: usize,
    pub target: usize,
    /// The marks that it has.
    pub marks: u64,
}

/// What a cycle must keep.
pub(crate) trait CycleRequirements {
    /// The number of just actions.
    fn n_just(&self) -> usize;
    /// The number of compassionate actions.
    fn n_compassionate(&self) -> usize;
    /// The number of rankings.
    fn n_ranks(&self) -> usize;
    /// Whether a just (`false`) or compassionate (`true`) action is certainly enabled in a state.
    fn is_enabled(&mut self, compassionate: bool, action: usize, state: usize) -> bool;
    /// Whether the action is taken on an edge.
    fn is_taken(&mut self, compassionate: bool, action: usize, edge: usize) -> bool;
    /// Whether a ranking certainly falls on an edge, from a value that is not negative.
    fn falls(&mut self, rank: usize, edge: usize) -> bool;
    /// Whether a ranking may rise on an edge.
    fn rises(&mut self, rank: usize, edge: usize) -> bool;
}

/// A component with a cycle that keeps all requirements: its edges. `None` if there is none.
pub(crate) fn fair_component(
    n_states: usize,
    edges: &[FairEdge],
    marks: u64,
    requirements: &mut dyn CycleRequirements,
) -> Option<Vec<usize>> {
    let all: Vec<usize> = (0..edges.len()).collect();
    let mut waiting = vec![(all, vec![true; n_states])];
    while let Some((subset, alive)) = waiting.pop() {
        for component in components(n_states, edges, &subset, &alive) {
            let met = component.iter().fold(0, |met, &e| met | edges[e].marks);
            if met & marks != marks {
                continue;
            }
            match judge(n_states, edges, &component, requirements) {
                Judged::Fair => return Some(component),
                Judged::Discarded => {}
                Judged::WithoutStates(removed) => {
                    let alive = (0..n_states).map(|s| !removed.contains(s)).collect();
                    waiting.push((component, alive));
                }
                Judged::WithoutEdges(removed) => {
                    let rest = component.into_iter().filter(|&e| !removed.contains(e)).collect();
                    waiting.push((rest, vec![true; n_states]));
                }
            }
        }
    }
    None
}

enum Judged {
    Fair,
    Discarded,
    WithoutStates(FixedBitSet),
    WithoutEdges(FixedBitSet),
}

fn judge(
    n_states: usize,
    edges: &[FairEdge],
    component: &[usize],
    requirements: &mut dyn CycleRequirements,
) -> Judged {
    let mut states: Vec<usize> = component.iter().map(|&e| edges[e].source).collect();
    states.sort_unstable();
    states.dedup();
    for action in 0..requirements.n_just() {
        let is_taken = component.iter().any(|&e| requirements.is_taken(false, action, e));
        if !is_taken && states.iter().all(|&s| requirements.is_enabled(false, action, s)) {
            return Judged::Discarded;
        }
    }
    for action in 0..requirements.n_compassionate() {
        if component.iter().any(|&e| requirements.is_taken(true, action, e)) {
            continue;
        }
        let mut removed = FixedBitSet::with_capacity(n_states);
        let enabled = states.iter().filter(|&&s| requirements.is_enabled(true, action, s));
        enabled.for_each(|&s| removed.insert(s));
        if !removed.is_clear() {
            return Judged::WithoutStates(removed);
        }
    }
    for rank in 0..requirements.n_ranks() {
        let mut removed = FixedBitSet::with_capacity(edges.len());
        let falling = component.iter().filter(|&&e| requirements.falls(rank, e));
        falling.for_each(|&e| removed.insert(e));
        if !removed.is_clear() && !component.iter().any(|&e| requirements.rises(rank, e)) {
            return Judged::WithoutEdges(removed);
        }
    }
    Judged::Fair
}

/// The strongly connected components of some edges between living states, each as its edges; those
/// without an edge are left out. (Tarjan 1972, with a stack of its own.)
fn components(
    n_states: usize,
    edges: &[FairEdge],
    subset: &[usize],
    alive: &[bool],
) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n_states];
    for &e in subset {
        if alive[edges[e].source] && alive[edges[e].target] {
            out[edges[e].source].push(e);
        }
    }
    const NONE: usize = usize::MAX;
    let (mut order, mut low) = (vec![NONE; n_states], vec![0; n_states]);
    let (mut component, mut n_components) = (vec![NONE; n_states], 0);
    let (mut stack, mut n_seen) = (Vec::new(), 0);
    for root in (0..n_states).filter(|&s| alive[s]) {
        if order[root] != NONE {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((state, next)) = calls.pop() {
            if next == 0 {
                (order[state], low[state]) = (n_seen, n_seen);
                n_seen += 1;
                stack.push(state);
            }
            if let Some(&e) = out[state].get(next) {
                calls.push((state, next + 1));
                let target = edges[e].target;
                if order[target] == NONE {
                    calls.push((target, 0));
                } else if component[target] == NONE {
                    low[state] = low[state].min(order[target]);
                }
                continue;
            }
            if low[state] == order[state] {
                while let Some(member) = stack.pop() {
                    component[member] = n_components;
                    if member == state {
                        break;
                    }
                }
                n_components += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[state]);
            }
        }
    }
    let mut found = vec![Vec::new(); n_components];
    for &e in out.iter().flatten() {
        let (source, target) = (component[edges[e].source], component[edges[e].target]);
        if source == target {
            found[source].push(e);
        }
    }
    found.retain(|edges: &Vec<usize>| !edges.is_empty());
    found
}
