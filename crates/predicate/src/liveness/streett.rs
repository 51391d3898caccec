//! Is there a cycle that keeps every requirement? Strongly connected components, decomposed again.
//!
//! A component is discarded if it lacks a mark of the automaton, or if a just action is enabled in all
//! its states and taken on none of its edges. If a compassionate action is enabled somewhere in it and
//! taken nowhere, the states where it is enabled are removed; if a ranking falls on some edges and rises
//! on none, the edges on which it falls are removed; the rest is decomposed again. What is left contains
//! a cycle that keeps all requirements.

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

/// A component of a decomposition, and why it has no cycle that keeps all requirements.
pub(crate) struct FairPart {
    pub states: Vec<usize>,
    /// The edges inside.
    pub edges: Vec<usize>,
    pub reason: DecomposedReason,
}

/// Why a component has no cycle that keeps all requirements. Edges lead from a part to itself or to an earlier one.
pub(crate) enum DecomposedReason {
    /// No edge is inside.
    NoEdge,
    /// No edge inside has this mark.
    NoMark(u32),
    /// A just action is enabled in all states and taken on no edge.
    Just(usize),
    /// A compassionate action is taken on no edge; the states where it is enabled, and the parts of the rest.
    Compassionate(usize, Vec<usize>, Vec<FairPart>),
    /// A ranking rises on no edge; the edges on which it falls, and the parts of the rest.
    Rank(usize, Vec<usize>, Vec<FairPart>),
}

/// A component with a cycle that keeps all requirements: its edges. `None` if there is none.
pub(crate) fn fair_component(
    n_states: usize,
    edges: &[FairEdge],
    marks: u64,
    requirements: &mut dyn CycleRequirements,
) -> Option<Vec<usize>> {
    let all: Vec<usize> = (0..edges.len()).collect();
    decompose(n_states, edges, &all, &vec![true; n_states], marks, requirements).err()
}

/// The parts of a graph without a cycle that keeps all requirements; `None` if there is such a cycle.
pub(crate) fn decomposition(
    n_states: usize,
    edges: &[FairEdge],
    marks: u64,
    requirements: &mut dyn CycleRequirements,
) -> Option<Vec<FairPart>> {
    let all: Vec<usize> = (0..edges.len()).collect();
    decompose(n_states, edges, &all, &vec![true; n_states], marks, requirements).ok()
}

/// The parts of some edges between living states, or the edges of a component with a cycle that keeps all requirements.
fn decompose(
    n_states: usize,
    edges: &[FairEdge],
    subset: &[usize],
    alive: &[bool],
    marks: u64,
    requirements: &mut dyn CycleRequirements,
) -> Result<Vec<FairPart>, Vec<usize>> {
    let mut parts = Vec::new();
    for (states, component) in components(n_states, edges, subset, alive) {
        let met = component.iter().fold(0, |met, &e| met | edges[e].marks);
        let reason = if component.is_empty() {
            DecomposedReason::NoEdge
        } else if met & marks != marks {
            DecomposedReason::NoMark((marks & !met).trailing_zeros())
        } else {
            match judge(&states, &component, requirements) {
                Judged::Fair => return Err(component),
                Judged::Discarded(action) => DecomposedReason::Just(action),
                Judged::WithoutStates(action, removed) => {
                    let mut alive = vec![false; n_states];
                    states.iter().for_each(|&s| alive[s] = true);
                    removed.iter().for_each(|&s| alive[s] = false);
                    let rest = decompose(n_states, edges, &component, &alive, marks, requirements)?;
                    DecomposedReason::Compassionate(action, removed, rest)
                }
                Judged::WithoutEdges(rank, removed) => {
                    let mut alive = vec![false; n_states];
                    states.iter().for_each(|&s| alive[s] = true);
                    let rest: Vec<usize> =
                        component.iter().copied().filter(|e| !removed.contains(e)).collect();
                    let rest = decompose(n_states, edges, &rest, &alive, marks, requirements)?;
                    DecomposedReason::Rank(rank, removed, rest)
                }
            }
        };
        parts.push(FairPart { states, edges: component, reason });
    }
    Ok(parts)
}

enum Judged {
    Fair,
    Discarded(usize),
    WithoutStates(usize, Vec<usize>),
    WithoutEdges(usize, Vec<usize>),
}

fn judge(
    states: &[usize],
    component: &[usize],
    requirements: &mut dyn CycleRequirements,
) -> Judged {
    for action in 0..requirements.n_just() {
        let is_taken = component.iter().any(|&e| requirements.is_taken(false, action, e));
        if !is_taken && states.iter().all(|&s| requirements.is_enabled(false, action, s)) {
            return Judged::Discarded(action);
        }
    }
    for action in 0..requirements.n_compassionate() {
        if component.iter().any(|&e| requirements.is_taken(true, action, e)) {
            continue;
        }
        let enabled = states.iter().copied();
        let enabled: Vec<usize> =
            enabled.filter(|&s| requirements.is_enabled(true, action, s)).collect();
        if !enabled.is_empty() {
            return Judged::WithoutStates(action, enabled);
        }
    }
    for rank in 0..requirements.n_ranks() {
        let falling: Vec<usize> =
            component.iter().copied().filter(|&e| requirements.falls(rank, e)).collect();
        if !falling.is_empty() && !component.iter().any(|&e| requirements.rises(rank, e)) {
            return Judged::WithoutEdges(rank, falling);
        }
    }
    Judged::Fair
}

/// The strongly connected components of some edges between living states, each as its states and the edges inside:
/// an edge leads to its own component or an earlier one. (Tarjan 1972, with a stack of its own.)
fn components(
    n_states: usize,
    edges: &[FairEdge],
    subset: &[usize],
    alive: &[bool],
) -> Vec<(Vec<usize>, Vec<usize>)> {
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
    let mut found = vec![(Vec::new(), Vec::new()); n_components];
    for state in (0..n_states).filter(|&s| alive[s]) {
        found[component[state]].0.push(state);
    }
    for &e in out.iter().flatten() {
        let (source, target) = (component[edges[e].source], component[edges[e].target]);
        if source == target {
            found[source].1.push(e);
        }
    }
    found
}
