//! The product of a closure, and the state graph of a program, to be compared.

use resy_network::{ClassId, Closure, Cut, PartId, View};
use resy_system::{Interpreter, State};
use resy_testkit::naive::stored_successors;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// States and their successors.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub edges: BTreeMap<View, BTreeSet<View>>,
}

/// The state graph of a program, over the states in which no process holds control.
pub fn state_graph(interpreter: &Interpreter<'_>, cut: &Cut<'_>, limit: usize) -> Option<Graph> {
    let mut graph = Graph::default();
    let mut todo = VecDeque::from([cut.initial.clone()]);
    let mut seen: HashSet<State> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop_front() {
        if seen.len() > limit {
            return None;
        }
        let next: HashSet<State> = stored_successors(interpreter, &state).into_iter().collect();
        for state in &next {
            if seen.insert(state.clone()) {
                todo.push_back(state.clone());
            }
        }
        let next = next.iter().map(|s| View::of_state(cut, s)).collect();
        graph.edges.insert(View::of_state(cut, &state), next);
    }
    Some(graph)
}

/// The reachable product of the components of a closure.
pub fn product(closure: &Closure<'_>, cut: &Cut<'_>, limit: usize) -> Option<Graph> {
    let index = Index::new(closure);
    let first: Vec<u32> = closure.tables.iter().map(|table| table.states[0]).collect();
    let mut graph = Graph::default();
    let mut todo = VecDeque::from([first]);
    let mut seen: HashSet<Vec<u32>> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop_front() {
        if seen.len() > limit {
            return None;
        }
        let next = index.successors(closure, &state);
        let tuples = next.iter().map(|s| values(closure, cut, s)).collect();
        graph
            .edges
            .entry(values(closure, cut, &state))
            .or_insert_with(BTreeSet::new)
            .extend::<BTreeSet<View>>(tuples);
        for state in next {
            if seen.insert(state.clone()) {
                todo.push_back(state);
            }
        }
    }
    Some(graph)
}

fn values(closure: &Closure<'_>, cut: &Cut<'_>, state: &[u32]) -> View {
    let parts = cut.parts.ids().zip(state);
    let locals = parts.map(|(part, &number)| closure.tables[part].value(number).to_vec());
    View::of_locals(cut, locals.collect())
}

/// For each local state of a component, its successors.
type Ends = HashMap<u32, Vec<u32>>;

/// The moves of a class, by the local state of its driver, and of the others.
struct Index {
    drives: HashMap<(PartId, u32), Vec<(ClassId, u32)>>,
    others: HashMap<ClassId, Vec<(PartId, Ends)>>,
}

impl Index {
    fn new(closure: &Closure<'_>) -> Self {
        let (mut drives, mut others) = (HashMap::new(), HashMap::new());
        for (id, class) in closure.classes.iter_enumerated() {
            if class.offer.is_some() || class.fails {
                continue;
            }
            for &(start, end) in &class.moves {
                drives.entry((class.part, start)).or_insert_with(Vec::new).push((id, end));
            }
            let ends = class.ends.iter().map(|&(part, node)| {
                let mut moves = Ends::new();
                for &(start, end) in closure.tables[part].pairs(node) {
                    moves.entry(start).or_default().push(end);
                }
                (part, moves)
            });
            others.insert(id, ends.collect());
        }
        Self { drives, others }
    }

    fn successors(&self, closure: &Closure<'_>, state: &[u32]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        for (part, &local) in closure.tables.ids().zip(state) {
            for &(class, end) in self.drives.get(&(part, local)).into_iter().flatten() {
                let mut next = vec![state.to_vec()];
                set(&mut next, part, &[end]);
                for (other, moves) in &self.others[&class] {
                    let from = state[resy_index::Id::index(*other)];
                    set(&mut next, *other, moves.get(&from).map_or(&[], Vec::as_slice));
                }
                found.extend(next);
            }
        }
        found
    }
}

/// The transitions of a component from these states to these.
fn set(states: &mut Vec<Vec<u32>>, part: PartId, ends: &[u32]) {
    let old = std::mem::take(states);
    for state in old {
        for &end in ends {
            let mut next = state.clone();
            next[resy_index::Id::index(part)] = end;
            states.push(next);
        }
    }
}
