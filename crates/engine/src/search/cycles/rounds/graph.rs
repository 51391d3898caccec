//! The part of a product that may have violating cycles, as a graph in memory.
//!
//! Its states are those in which the automaton is in a component whose edges have all marks, without the barriers. Edges
//! that lead out of the component are left out. What an edge contributes to a cycle is one word: the marks of the
//! automaton, and for each process whether the edge is fair to it, because it moves or is not enabled before.

use super::super::gathered::EdgeLabel;
use super::explore::{BATCH, ProductExplorer, ProductExplorers, share};
use super::{Look, Stopped, VisitedExtent};
use crate::flat::{Candidates, FlatStore, Offset};
use hashbrown::HashMap;
use resy_system::Fairness;

/// The number of states of a block.
pub(super) const BLOCK: usize = 4096;
/// The number of blocks between two looks at the limits.
const BLOCKS: usize = 64;
/// A place without a state.
pub(in super::super) const NOWHERE: u32 = u32::MAX;

/// The graph.
pub(super) struct CycleGraph {
    pub n_states: usize,
    /// What a violating cycle has.
    pub all: u64,
    /// The edges, by blocks of states.
    pub blocks: Vec<EdgeBlock>,
}

/// The edges out of [`BLOCK`] states.
#[derive(Default)]
pub(super) struct EdgeBlock {
    /// Where the edges of each state begin, and the end of all.
    pub starts: Vec<u32>,
    pub targets: Vec<u32>,
    /// What each edge contributes, as a number in the palette.
    pub kinds: Vec<u16>,
    pub palette: Vec<u64>,
}

impl CycleGraph {
    /// The graph of a product, all of whose states are visited, with the components that are `wanted`. `None` if it has
    /// more states, processes or kinds of edges than fit.
    pub fn build(
        explorers: &mut ProductExplorers<'_>,
        wanted: &[bool],
        look: &mut Look<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let (condition, extent) = (explorers.condition(), explorers.extent());
        let (flat, pool, members) = explorers.parts();
        let n_processes = members.first_mut().map_or(0, |lead| lead.product.most_processes());
        let bits = EdgeBits::of(condition.marks, condition.fairness, n_processes);
        let Some(bits) = bits else { return Ok(None) };
        let mut offsets: Vec<Offset> = Vec::new();
        for first in (0..flat.len()).step_by(BLOCK * BLOCKS) {
            look(VisitedExtent { memory: extent.memory + 4 * offsets.capacity(), ..extent })?;
            let n_jobs = (flat.len() - first).div_ceil(BLOCK).min(BLOCKS);
            let lists = share(pool, members, n_jobs, |member, job| {
                let start = first + job * BLOCK;
                member.candidates(flat, start, BLOCK.min(flat.len() - start), wanted)
            });
            lists.iter().for_each(|list| offsets.extend_from_slice(list));
        }
        let places = Places::of(flat, &offsets);
        let mut graph = Self { n_states: offsets.len(), all: bits.all(), blocks: Vec::new() };
        for states in offsets.chunks(BLOCK * BLOCKS) {
            let memory = extent.memory + places.memory() + 4 * offsets.len() + graph.memory();
            look(VisitedExtent { memory, ..extent })?;
            let n_jobs = states.len().div_ceil(BLOCK);
            let blocks = share(pool, members, n_jobs, |member, job| {
                let end = states.len().min((job + 1) * BLOCK);
                member.edges_of(flat, &states[job * BLOCK..end], &places, bits)
            });
            match blocks.into_iter().collect::<Option<Vec<_>>>() {
                Some(blocks) => graph.blocks.extend(blocks),
                None => return Ok(None),
            }
        }
        Ok(Some(graph))
    }

    /// The memory taken by the edges and by what rounds note of the states, in bytes.
    pub fn memory(&self) -> usize {
        let edges = self.blocks.iter().map(|b| 4 * b.starts.len() + 6 * b.targets.len());
        edges.sum::<usize>() + 14 * self.n_states
    }

    /// The edges out of a state: the target, and what it contributes.
    #[inline]
    pub fn edges(&self, state: u32) -> impl Iterator<Item = (u32, u64)> {
        let block = &self.blocks[state as usize / BLOCK];
        let at = state as usize % BLOCK;
        let edges = block.starts[at] as usize..block.starts[at + 1] as usize;
        let kinds = block.kinds[edges.clone()].iter();
        let masks = kinds.map(|&kind| block.palette[kind as usize]);
        block.targets[edges].iter().copied().zip(masks)
    }
}

/// How marks and processes become bits of a word.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct EdgeBits {
    marks: u64,
    /// The bit of the first process, and a bit for each; none if fairness does not matter.
    first: u32,
    processes: u64,
}

impl EdgeBits {
    /// For so many processes; `None` if there are too many.
    pub fn of(marks: u64, fairness: Fairness, n_processes: usize) -> Option<Self> {
        let first = u64::BITS - marks.leading_zeros();
        if fairness == Fairness::None {
            return Some(Self { marks, first: 0, processes: 0 });
        }
        let fits = n_processes < (u64::BITS - first) as usize;
        fits.then(|| Self { marks, first, processes: (1 << n_processes) - 1 })
    }

    /// What an edge contributes out of a state in which these processes are enabled.
    pub fn of_edge(self, label: &EdgeLabel, enabled: u64) -> u64 {
        let fair = (label.movers.first_word() | !enabled) & self.processes;
        label.marks & self.marks | fair << self.first
    }

    /// What a cycle must have to be a violation.
    pub fn all(self) -> u64 {
        self.marks | self.processes << self.first
    }
}

/// The number of each state of a graph, by its offset in the store.
pub(in super::super) struct Places {
    /// Offsets are divided by two to the power of this: a state has at least so many words.
    shift: u32,
    numbers: Vec<u32>,
}

impl Places {
    pub fn of(flat: &FlatStore, offsets: &[Offset]) -> Self {
        let n_words = flat.shapes().iter().map(|(_, length)| length.div_ceil(8)).min();
        let shift = n_words.unwrap_or(1).max(1).ilog2();
        let n = offsets.last().map_or(0, |&last| (last >> shift) as usize + 1);
        let mut numbers = vec![NOWHERE; n];
        for (number, &offset) in offsets.iter().enumerate() {
            numbers[(offset >> shift) as usize] = number as u32;
        }
        Self { shift, numbers }
    }

    #[inline]
    pub fn number(&self, offset: Offset) -> Option<u32> {
        let number = self.numbers.get((offset >> self.shift) as usize).copied();
        number.filter(|&number| number != NOWHERE)
    }

    pub fn memory(&self) -> usize {
        4 * self.numbers.len()
    }
}

impl ProductExplorer<'_> {
    /// The states of a range that may be on violating cycles.
    fn candidates(
        &mut self,
        flat: &FlatStore,
        start: usize,
        n: usize,
        wanted: &[bool],
    ) -> Vec<Offset> {
        let mut found = Vec::new();
        let mut offset = flat.locate(start as u32);
        for _ in 0..n {
            let state = flat.get(offset);
            if self.product.component_of(state).is_some_and(|number| wanted[number as usize]) {
                found.push(offset);
            }
            offset += state.len().div_ceil(8) as Offset;
        }
        found
    }

    /// The edges of some states; `None` if they have too many kinds.
    fn edges_of(
        &mut self,
        flat: &FlatStore,
        states: &[Offset],
        places: &Places,
        bits: EdgeBits,
    ) -> Option<EdgeBlock> {
        let mut block = EdgeBlock { starts: vec![0], ..EdgeBlock::default() };
        let mut kinds: HashMap<u64, u16> = HashMap::new();
        // The edges that are looked up: the state, by its number in the block, and what they contribute.
        let mut waiting: Vec<(u32, u16)> = Vec::new();
        for (number, &offset) in states.iter().enumerate() {
            let state = flat.get(offset);
            let component = self.product.component_of(state);
            let enabled = self.product.expand_state(state).enabled.first_word();
            let Self { product, sieve } = self;
            for (edge, target) in product.targets() {
                if Some(edge.component) != component {
                    continue;
                }
                let mask = bits.of_edge(product.labels.get(edge.label), enabled);
                let next = kinds.len();
                let kind = *kinds.entry(mask).or_insert_with(|| {
                    block.palette.push(mask);
                    next as u16
                });
                waiting.push((number as u32, kind));
                sieve.stage(flat, target, 0);
            }
            if sieve.n_staged() >= BATCH {
                self.look_up(flat, places, &mut waiting, &mut block);
            }
            if kinds.len() > usize::from(u16::MAX) - 4 * BATCH {
                return None;
            }
        }
        self.look_up(flat, places, &mut waiting, &mut block);
        let end = block.targets.len() as u32;
        block.starts.resize(states.len() + 1, end);
        Some(block)
    }

    /// Adds the edges that wait, if their targets are in the graph.
    fn look_up(
        &mut self,
        flat: &FlatStore,
        places: &Places,
        waiting: &mut Vec<(u32, u16)>,
        block: &mut EdgeBlock,
    ) {
        let mut edges = waiting.drain(..);
        // All states are stored: nothing is new.
        let mut fresh = Candidates::default();
        self.sieve.sift(flat, &mut fresh, |offset| {
            let Some((state, kind)) = edges.next() else { return };
            block
                .starts
                .resize(block.starts.len().max(state as usize + 1), block.targets.len() as u32);
            if let Some(target) = offset.and_then(|offset| places.number(offset)) {
                block.targets.push(target);
                block.kinds.push(kind);
            }
        });
    }
}
