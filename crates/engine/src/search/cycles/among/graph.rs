//! The part of a product that may have violating cycles, as a graph of which each host has its own states.
//!
//! What an edge contributes is the same word as in the graph of [threads](super::super::rounds). The number of a state of
//! another host is asked for once, when the graph is built.

use super::super::edge_bits::EdgeBits;
use super::super::turns::{Look, VisitedExtent};
use super::Stopped;
use super::explore::{HostExplorers, TURN};
use super::places::{NOWHERE, Places};
use crate::flat::Offset;
use crate::search::workers::exchange::{pack, unpack};

/// The graph: the states of this host, with their edges.
pub(super) struct SharedGraph {
    pub n_states: usize,
    /// What a violating cycle has.
    pub all: u64,
    /// Where the edges of each state begin, and the end of all.
    starts: Vec<usize>,
    edges: Vec<SharedEdge>,
}

/// An edge to a state of some host.
#[derive(Copy, Clone)]
pub(super) struct SharedEdge {
    pub host: u32,
    /// Its number there.
    pub target: u32,
    /// What the edge contributes.
    pub mask: u64,
}

impl SharedGraph {
    /// The graph of a product, all of whose states are visited, with the components that are `wanted`. `None` if there
    /// are more processes than fit.
    pub fn build(
        explorers: &mut HostExplorers<'_>,
        wanted: &[bool],
        look: &mut Look<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let condition = explorers.condition();
        let n_here = explorers.product.most_processes() as u64;
        let n_processes = explorers.exchange_words(n_here, look)?.0.into_iter().max();
        let n_processes = n_processes.unwrap_or(0) as usize;
        let Some(bits) = EdgeBits::of(condition.marks, condition.fairness, n_processes) else {
            return Ok(None);
        };
        let offsets = candidates(explorers, wanted, look)?;
        let places = Places::of(&explorers.flat, &offsets);
        let mut graph =
            Self { n_states: offsets.len(), all: bits.all(), starts: vec![0], edges: Vec::new() };
        let mut rest = &offsets[..];
        loop {
            let (now, later) = rest.split_at(rest.len().min(TURN));
            rest = later;
            let edges = graph.add(explorers, now, &places, bits);
            let asked = explorers.exchange_words(rest.len() as u64, look)?;
            for (host, questions) in asked.1.iter().enumerate() {
                explorers.out[host] = answers(explorers, &places, questions);
            }
            let memory = explorers.extent().memory + places.memory() + graph.memory();
            let mut look = |extent| look(VisitedExtent { memory, ..extent });
            let (_, answers) = explorers.exchange_words(0, &mut look)?;
            graph.fill_in(edges, &answers);
            if asked.0.iter().all(|&n_left| n_left == 0) {
                return Ok(Some(graph));
            }
        }
    }

    /// The memory taken by the edges and by what rounds note of the states, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<usize>() * self.starts.capacity()
            + size_of::<SharedEdge>() * self.edges.capacity()
            + 14 * self.n_states
    }

    /// The edges out of a state.
    pub fn edges(&self, state: u32) -> &[SharedEdge] {
        &self.edges[self.starts[state as usize]..self.starts[state as usize + 1]]
    }

    /// Expands some states, and asks the other hosts for the numbers of theirs. The edges, of which these numbers are not
    /// known yet, with the number of edges of each state.
    fn add(
        &mut self,
        explorers: &mut HostExplorers<'_>,
        states: &[Offset],
        places: &Places,
        bits: EdgeBits,
    ) -> Vec<Vec<SharedEdge>> {
        let (me, n_hosts) = explorers.place();
        let HostExplorers { flat, product, out, .. } = explorers;
        let edges_of = |&offset: &Offset| {
            let state = flat.get(offset);
            let component = product.component_of(state);
            let enabled = product.expand_state(state).enabled.first_word();
            let mut edges = Vec::new();
            for (edge, target) in product.targets() {
                if Some(edge.component) != component {
                    continue;
                }
                let mask = bits.of_edge(product.labels.get(edge.label), enabled);
                let host = HostExplorers::owner(target, n_hosts);
                let mut number = NOWHERE;
                if host == me {
                    let found = flat.find(target).and_then(|offset| places.number(offset));
                    let Some(found) = found else { continue };
                    number = found;
                } else {
                    pack(&mut out[host], target);
                }
                edges.push(SharedEdge { host: host as u32, target: number, mask });
            }
            edges
        };
        states.iter().map(edges_of).collect()
    }

    /// Adds edges, with the numbers that the other hosts have answered, each in the order of the questions. What is not
    /// in the graph is left out.
    fn fill_in(&mut self, states: Vec<Vec<SharedEdge>>, answers: &[Vec<u8>]) {
        let mut answers: Vec<_> = answers.iter().map(|bytes| bytes.as_chunks().0.iter()).collect();
        for edges in states {
            for mut edge in edges {
                if edge.target == NOWHERE {
                    let answer = answers[edge.host as usize].next();
                    edge.target = answer.map_or(NOWHERE, |&bytes| u32::from_le_bytes(bytes));
                }
                if edge.target != NOWHERE {
                    self.edges.push(edge);
                }
            }
            self.starts.push(self.edges.len());
        }
    }
}

/// The numbers of states that another host asks for.
fn answers(explorers: &mut HostExplorers<'_>, places: &Places, mut questions: &[u8]) -> Vec<u8> {
    let (mut answers, mut vector) = (Vec::new(), Vec::new());
    while let Some(state) = unpack(&mut questions) {
        explorers.adopt(state, &mut vector);
        let found = explorers.flat.find(&vector).and_then(|offset| places.number(offset));
        answers.extend_from_slice(&found.unwrap_or(NOWHERE).to_le_bytes());
    }
    answers
}

/// The states of this host that may be on violating cycles.
fn candidates(
    explorers: &mut HostExplorers<'_>,
    wanted: &[bool],
    look: &mut Look<'_>,
) -> Result<Vec<Offset>, Stopped> {
    let mut found = Vec::new();
    let mut offset = explorers.flat.first();
    for number in 0..explorers.flat.len() {
        if number % TURN == 0 {
            look(explorers.extent())?;
        }
        let HostExplorers { flat, product, .. } = explorers;
        let state = flat.get(offset);
        let component = product.component_of(state);
        if component.is_some_and(|number| wanted[number as usize]) {
            found.push(offset);
        }
        offset += state.len().div_ceil(8) as Offset;
    }
    Ok(found)
}
