//! Whether the product of a graph and an automaton has a violating cycle: its components, in one depth-first pass over
//! numbers (Couvreur 1999), as in the search without the graph.
//!
//! Only states of the automaton are visited whose component has met all marks, and a component of the automaton at a time. If
//! each of its edges has all marks and fairness does not matter, any cycle is a violation: then no candidates are needed.

use super::super::turns::{Look, VisitedExtent};
use super::Stopped;
use super::chunk::SystemExplorer;
use super::edges::EdgesToKeep;
use super::graph::SystemGraph;
use super::kinds::TooMany;
use super::numbers::StateNumber;
use super::reading::elements;
use crate::flat::FlatStore;
use crate::tree::cpu::prefetch;
use resy_system::Fairness;

/// The order of a state that was not visited yet.
const NEW: u32 = 0;
/// The order of a state that is in no component any more.
const DONE: u32 = u32::MAX;
/// The number of steps between two looks at the limits.
const STEPS: u32 = 1 << 14;

/// Why it is not known whether there is a violating cycle.
pub(super) enum Undecided {
    Stopped(Stopped),
    /// There are more states or edges than numbers.
    TooLarge,
}

impl From<Stopped> for Undecided {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// An edge of the automaton inside a component.
#[derive(Copy, Clone)]
struct InsideEdge {
    /// The rank of the state that it leads to.
    target: u32,
    marks: u64,
}

/// The automaton, as far as violating cycles go: its states have *ranks*.
struct WantedPart {
    /// The states by rank.
    states: Vec<usize>,
    /// For each class and rank the edges inside the component.
    inside: Vec<Vec<InsideEdge>>,
    /// For each rank whether every cycle in its component is a violation.
    is_plain: Vec<bool>,
}

impl WantedPart {
    fn of(graph: &SystemGraph<'_>) -> Self {
        let states: Vec<usize> = elements(graph.wanted).collect();
        let rank = |state: u32| states.iter().position(|&s| s == state as usize);
        let reader = &graph.reader;
        let mut inside = Vec::new();
        for reading in reader.readings() {
            for &state in &states {
                let edges = reading.edges[state].iter().filter(|edge| reader.stays(state, edge));
                let edges = edges.filter_map(|edge| {
                    Some(InsideEdge { target: rank(edge.target)? as u32, marks: edge.marks })
                });
                inside.push(if reading.is_barrier { Vec::new() } else { edges.collect() });
            }
        }
        let all = graph.condition.marks;
        let is_unfair = graph.condition.fairness == Fairness::None;
        let lacks = |rank: usize| {
            let lists = inside.iter().skip(rank).step_by(states.len());
            lists.flatten().any(|edge| all & !edge.marks != 0)
        };
        let component = |rank: usize| reader.components[states[rank]];
        let is_plain = |rank: usize| {
            let mut same = (0..states.len()).filter(|&other| component(other) == component(rank));
            is_unfair && !same.any(lacks)
        };
        let is_plain = (0..states.len()).map(is_plain).collect();
        Self { is_plain, states, inside }
    }
}

/// A state on the path.
struct PathNode {
    node: u32,
    /// The edge of the system that is followed next, and the edge of the automaton that it is followed with.
    edge: u32,
    choice: u32,
}

/// A candidate for a component: the order of its first state, what it has, and the edge that leads to it.
struct Candidate {
    order: u32,
    gathered: u64,
    via: u64,
}

/// A search for components.
struct ComponentSearch<'s, 'e> {
    flat: &'s FlatStore,
    lead: &'s mut SystemExplorer<'e>,
    graph: &'s mut SystemGraph<'e>,
    automaton: WantedPart,
    /// What a violating cycle has.
    all: u64,
    order: Vec<u32>,
    n_entered: u32,
    path: Vec<PathNode>,
    candidates: Vec<Candidate>,
    /// The entered states that are not done.
    live: Vec<u32>,
    is_plain: bool,
    found: Vec<StateNumber>,
    kept: EdgesToKeep,
    contributions: Vec<u64>,
}

/// Whether there is a violating cycle.
pub(super) fn has_cycle<'e>(
    flat: &FlatStore,
    lead: &mut SystemExplorer<'e>,
    graph: &mut SystemGraph<'e>,
    extent: VisitedExtent,
    look: &mut Look<'_>,
) -> Result<bool, Undecided> {
    let automaton = WantedPart::of(graph);
    let n_nodes = graph.numbers.len() * automaton.states.len();
    if n_nodes >= DONE as usize {
        return Err(Undecided::TooLarge);
    }
    let mut search = ComponentSearch {
        all: lead.bits.all(),
        order: vec![NEW; n_nodes],
        flat,
        lead,
        graph,
        automaton,
        n_entered: 0,
        path: Vec::new(),
        candidates: Vec::new(),
        live: Vec::new(),
        is_plain: false,
        found: Vec::new(),
        kept: EdgesToKeep::default(),
        contributions: Vec::new(),
    };
    search.run(extent, look)
}

impl ComponentSearch<'_, '_> {
    fn run(&mut self, extent: VisitedExtent, look: &mut Look<'_>) -> Result<bool, Undecided> {
        let mut n_steps = 0;
        for from in 0..self.graph.numbers.len() as StateNumber {
            let set = self.graph.kinds.get(from).set & self.graph.wanted;
            for state in elements(set) {
                let rank = self.automaton.states.partition_point(|&other| other < state);
                self.is_plain = self.automaton.is_plain[rank];
                if self.order[self.node(from, rank as u32) as usize] == NEW {
                    self.enter(from, rank as u32, 0)?;
                }
                while let Some(is_violation) = self.step()? {
                    n_steps += 1;
                    if n_steps == STEPS {
                        n_steps = 0;
                        look(VisitedExtent { memory: extent.memory + self.memory(), ..extent })?;
                    }
                    if is_violation {
                        return Ok(true);
                    }
                }
            }
            n_steps += 1;
            if n_steps >= STEPS {
                n_steps = 0;
                look(VisitedExtent { memory: extent.memory + self.memory(), ..extent })?;
            }
        }
        Ok(false)
    }

    #[inline]
    fn node(&self, state: StateNumber, rank: u32) -> u32 {
        state * self.automaton.states.len() as u32 + rank
    }

    /// Follows one edge; `None` if the path is empty, and otherwise whether a violating cycle is closed.
    #[inline]
    fn step(&mut self) -> Result<Option<bool>, Undecided> {
        let n_ranks = self.automaton.states.len() as u32;
        let Some(top) = self.path.last_mut() else { return Ok(None) };
        let (state, rank) = (top.node / n_ranks, top.node % n_ranks);
        let class = self.graph.kinds.get(state).class;
        let inside = &self.automaton.inside[(class * n_ranks + rank) as usize];
        let Some(&InsideEdge { target, marks }) = inside.get(top.choice as usize) else {
            self.leave();
            return Ok(Some(false));
        };
        let edge = self.graph.edges.get(top.edge);
        if edge.is_last {
            top.choice += 1;
            top.edge = self.graph.edges.first(state).unwrap_or(0);
        } else {
            top.edge += 1;
        }
        let label = marks | edge.contribution;
        match self.order[self.node(edge.target, target) as usize] {
            NEW => self.enter(edge.target, target, label).map(|()| Some(false)),
            DONE => Ok(Some(false)),
            order => Ok(Some(self.close(order, label))),
        }
    }

    /// Extends the path by a state, if it has edges inside its component.
    fn enter(&mut self, state: StateNumber, rank: u32, via: u64) -> Result<(), Undecided> {
        let node = self.node(state, rank);
        let class = self.graph.kinds.get(state).class;
        let n_ranks = self.automaton.states.len() as u32;
        if self.automaton.inside[(class * n_ranks + rank) as usize].is_empty() {
            self.order[node as usize] = DONE;
            return Ok(());
        }
        let first = match self.graph.edges.first(state) {
            Some(first) => first,
            None => match self.expand_again(state)? {
                Some(first) => first,
                // There are no edges.
                None => {
                    self.order[node as usize] = DONE;
                    return Ok(());
                }
            },
        };
        self.n_entered += 1;
        self.order[node as usize] = self.n_entered;
        self.path.push(PathNode { node, edge: first, choice: 0 });
        if !self.is_plain {
            self.live.push(node);
            self.candidates.push(Candidate { order: self.n_entered, gathered: 0, via });
        }
        self.fetch(first, rank);
        Ok(())
    }

    /// Starts to fetch what is known of the targets of the edges from this one on.
    fn fetch(&self, mut number: u32, rank: u32) {
        loop {
            let edge = self.graph.edges.get(number);
            prefetch(&self.order[self.node(edge.target, rank) as usize]);
            if edge.is_last {
                return;
            }
            number += 1;
        }
    }

    /// Keeps the edges of a state, which were not kept when it was expanded; the number of the first one.
    fn expand_again(&mut self, state: StateNumber) -> Result<Option<u32>, Undecided> {
        let Self { flat, lead, graph, found, kept, contributions, .. } = self;
        let (SystemExplorer { product, bits, .. }, numbers) = (&mut **lead, &graph.numbers);
        product.load_state(flat.get(numbers.offset(flat, state)));
        found.clear();
        contributions.clear();
        let mut is_stored = true;
        let enabled = product.step_system(bits.is_fair(), |target, movers| {
            let target = flat.find(target);
            is_stored &= target.is_some();
            found.push(numbers.of(target.unwrap_or(flat.first())));
            if bits.is_fair() {
                contributions.push(movers);
            }
        });
        // All of them are stored.
        if !is_stored {
            return Err(Undecided::TooLarge);
        }
        contributions.iter_mut().for_each(|movers| *movers = bits.of_moves(*movers, enabled));
        kept.add(state, found, contributions);
        match graph.edges.keep(kept, graph.numbers.len()) {
            Ok(()) => Ok(graph.edges.first(state)),
            Err(TooMany) => Err(Undecided::TooLarge),
        }
    }

    /// An edge to a state of the path's candidates; whether there is a violation.
    fn close(&mut self, order: u32, label: u64) -> bool {
        if self.is_plain {
            return true;
        }
        let mut gathered = label;
        while let Some(joined) = self.candidates.pop_if(|candidate| candidate.order > order) {
            gathered |= joined.gathered | joined.via;
        }
        let Some(below) = self.candidates.last_mut() else { return false };
        below.gathered |= gathered;
        self.all & !below.gathered == 0
    }

    /// Shortens the path by a state whose edges are all followed.
    fn leave(&mut self) {
        let Some(PathNode { node, .. }) = self.path.pop() else { return };
        let order = self.order[node as usize];
        if self.is_plain {
            self.order[node as usize] = DONE;
        } else if self.candidates.pop_if(|candidate| candidate.order == order).is_some() {
            while let Some(state) = self.live.pop() {
                self.order[state as usize] = DONE;
                if state == node {
                    break;
                }
            }
        }
    }

    fn memory(&self) -> usize {
        self.order.len() * size_of::<u32>()
            + self.path.capacity() * size_of::<PathNode>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.live.capacity() * size_of::<u32>()
            + self.graph.memory()
    }
}
