//! The rank of each state: its row, counted from the top.
//!
//! Arrows that close a cycle of a depth-first traversal from the initial state point up, all others down,
//! which is easiest to read. In strongly connected graphs this can put all states into one long line;
//! then the distance from the initial state decides. A state gets the smallest rank that its arrows
//! allow, and then moves to where its arrows are shorter.

use super::Graph;
use super::layers::n_items;

/// The maximal number of passes that shorten arrows. More passes have little effect.
const MAX_PASSES: usize = 8;
/// The depth-first ranks are rejected if they need this many times more items than the breadth-first
/// ranks.
const MUCH: usize = 2;

/// The rank of each state, from 0 at the top. Only self-loops connect states of the same rank.
pub fn ranks(graph: &Graph) -> Vec<usize> {
    let deep = ranks_along(graph, &depth_first(graph));
    let wide = ranks_along(graph, &breadth_first(graph));
    if n_items(graph, &deep) > MUCH * n_items(graph, &wide) { wide } else { deep }
}

/// The ranks if all arrows that point forward in this order point down.
fn ranks_along(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let mut turns = vec![0; order.len()];
    order.iter().enumerate().for_each(|(turn, &state)| turns[state] = turn);
    let n_states = graph.boxes.len();
    let (mut above, mut below) = (vec![Vec::new(); n_states], vec![Vec::new(); n_states]);
    for &(from, to, _) in graph.arrows.iter().filter(|(from, to, _)| from != to) {
        let (upper, lower) = if turns[from] < turns[to] { (from, to) } else { (to, from) };
        above[lower].push(upper);
        below[upper].push(lower);
    }
    let mut ranks = vec![0; n_states];
    for &state in order {
        ranks[state] = above[state].iter().map(|&upper| ranks[upper] + 1).max().unwrap_or(0);
    }
    for _ in 0..MAX_PASSES {
        let before = ranks.clone();
        for &state in order.iter().rev() {
            let lowest = below[state].iter().map(|&lower| ranks[lower] - 1).min();
            let highest = above[state].iter().map(|&upper| ranks[upper] + 1).max().unwrap_or(0);
            match (below[state].len(), above[state].len(), lowest) {
                (down, up, Some(lowest)) if down > up => ranks[state] = lowest,
                (down, up, _) if down < up => ranks[state] = highest,
                _ => {}
            }
        }
        if ranks == before {
            break;
        }
    }
    let top = ranks.iter().copied().min().unwrap_or(0);
    ranks.into_iter().map(|rank| rank - top).collect()
}

/// The states in reverse postorder of a depth-first traversal. Only arrows to a state on the current path
/// point back.
fn depth_first(graph: &Graph) -> Vec<usize> {
    let targets = targets(graph);
    let mut seen = vec![false; targets.len()];
    let mut order = Vec::with_capacity(targets.len());
    for root in roots(graph) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, targets[root].iter())];
        while let Some((state, rest)) = path.last_mut() {
            match rest.next() {
                Some(&next) if std::mem::replace(&mut seen[next], true) => {}
                Some(&next) => path.push((next, targets[next].iter())),
                None => {
                    order.push(*state);
                    path.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

/// The states by distance from the root.
fn breadth_first(graph: &Graph) -> Vec<usize> {
    let targets = targets(graph);
    let mut seen = vec![false; targets.len()];
    let mut order = Vec::with_capacity(targets.len());
    for root in roots(graph) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut next = order.len();
        order.push(root);
        while let Some(&state) = order.get(next) {
            next += 1;
            let new = targets[state].iter().filter(|&&to| !std::mem::replace(&mut seen[to], true));
            order.extend(new);
        }
    }
    order
}

fn roots(graph: &Graph) -> impl Iterator<Item = usize> {
    [graph.initial].into_iter().chain(0..graph.boxes.len())
}

fn targets(graph: &Graph) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); graph.boxes.len()];
    graph.arrows.iter().for_each(|&(from, to, _)| targets[from].push(to));
    targets
}
