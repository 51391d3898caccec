//! The steps of a few states: what they lead to is found first, and added to the graph when it is stored.

use super::super::edge_bits::EdgeBits;
use super::super::product::Product;
use super::graph::{Item, Steps, SystemGraph};
use super::numbers::StateNumber;
use super::reading::{ClassId, Reader};
use crate::flat::{Candidates, FlatStore, Offset, Sieve};

/// The number of successors that are looked up together.
pub(super) const BATCH: usize = 256;

/// An item, and where its state is stored.
#[derive(Copy, Clone)]
pub(super) struct PlacedItem {
    pub item: Item,
    pub offset: Offset,
}

/// One of the threads.
pub(super) struct SystemExplorer<'e> {
    pub product: Product<'e>,
    pub reader: Reader<'e>,
    pub sieve: Sieve,
    pub bits: EdgeBits,
}

/// Steps that were found.
#[derive(Default)]
pub(super) struct FoundSteps {
    items: Vec<FoundItem>,
    /// The offsets of the targets of all edges, and then their numbers.
    pub targets: Vec<Offset>,
    contributions: Vec<u64>,
}

/// The steps of an item.
struct FoundItem {
    item: Item,
    facts: u64,
    class: ClassId,
    n_edges: u32,
    /// Whether the edges may be kept: what they contribute is known.
    may_keep: bool,
    n_contributions: u32,
}

impl FoundSteps {
    /// Gives the targets numbers, and the states their classes, when all are stored. One thread does the latter.
    pub fn read(&mut self, graph: &mut SystemGraph<'_>) {
        for found in &mut self.items {
            found.class = graph.read(found.item, found.facts, found.n_edges as usize);
        }
    }

    /// Adds the steps to the graph.
    pub fn add_to(&mut self, graph: &SystemGraph<'_>, steps: &mut Steps) {
        for target in &mut self.targets {
            *target = graph.numbers.of(*target);
            graph.kinds.fetch(*target);
        }
        let (mut targets, mut contributions) = (&self.targets[..], &self.contributions[..]);
        for found in &self.items {
            let (first, rest): (&[StateNumber], _) = targets.split_at(found.n_edges as usize);
            let (those, others) = contributions.split_at(found.n_contributions as usize);
            let known = found.may_keep.then_some(those);
            graph.take_steps(found.item, found.class, first, known, steps);
            (targets, contributions) = (rest, others);
        }
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.targets.clear();
        self.contributions.clear();
    }
}

impl SystemExplorer<'_> {
    /// Finds the steps of an item, whose state has these facts, and stages their targets; `false` if the state is a violation.
    #[inline]
    pub fn find_steps(
        &mut self,
        item: Item,
        facts: u64,
        graph: &SystemGraph<'_>,
        found: &mut FoundSteps,
        mut stage: impl FnMut(&mut Sieve, &[u8]),
    ) -> bool {
        let Self { product, reader, sieve, bits } = self;
        let class = reader.class(facts);
        let reading = reader.reading(class);
        if reading.violated & item.set != 0 {
            return false;
        }
        // Which processes move matters only if the edges are kept.
        let is_fair = bits.is_fair() && graph.keeps(item.state, reading);
        let may_keep = is_fair || !bits.is_fair();
        let (mut n_edges, n_before) = (0, found.contributions.len());
        if reading.movable & item.set != 0 {
            let enabled = product.step_system(is_fair, |target, movers| {
                stage(sieve, target);
                n_edges += 1;
                if is_fair {
                    found.contributions.push(movers);
                }
            });
            let contributions = found.contributions[n_before..].iter_mut();
            contributions.for_each(|movers| *movers = bits.of_moves(*movers, enabled));
        }
        let n_contributions = (found.contributions.len() - n_before) as u32;
        let class = ClassId::MAX;
        found.items.push(FoundItem { item, facts, class, n_edges, may_keep, n_contributions });
        true
    }

    /// Finds the steps of the items of a chunk.
    pub fn expand_chunk(
        &mut self,
        chunk: &mut SystemChunk,
        flat: &FlatStore,
        graph: &SystemGraph<'_>,
        items: &[PlacedItem],
        n_shapes: usize,
    ) {
        for &PlacedItem { item, offset } in items {
            let facts = self.product.facts_of(flat.get(offset));
            let found = &mut chunk.found;
            let stage = |sieve: &mut Sieve, target: &[u8]| sieve.stage(flat, target, 0);
            if !facts.is_some_and(|facts| self.find_steps(item, facts, graph, found, stage)) {
                chunk.is_violated = true;
                break;
            }
            if self.sieve.n_staged() >= BATCH {
                chunk.look_up(flat, &mut self.sieve);
            }
            if self.product.expander.stepper.shapes().len() != n_shapes {
                chunk.is_cut = true;
                break;
            }
        }
        chunk.look_up(flat, &mut self.sieve);
    }
}

/// What the states of a chunk lead to.
#[derive(Default)]
pub(super) struct SystemChunk {
    pub found: FoundSteps,
    /// What was not in the store: for each of these 0 is among the targets.
    pub fresh: Candidates,
    pub steps: Steps,
    pub is_violated: bool,
    /// Whether a state of a new shape was met.
    pub is_cut: bool,
}

impl SystemChunk {
    fn look_up(&mut self, flat: &FlatStore, sieve: &mut Sieve) {
        let Self { found, fresh, .. } = self;
        sieve.sift(flat, fresh, |offset| found.targets.push(offset.unwrap_or(0)));
    }

    /// Adds the steps to the graph, after what was new was merged into the store.
    pub fn add_to(&mut self, flat: &FlatStore, fresh: &Candidates, graph: &SystemGraph<'_>) {
        let new = self.found.targets.iter_mut().filter(|target| **target == 0);
        new.enumerate().for_each(|(number, target)| *target = flat.offset_of(fresh, number));
        self.found.add_to(graph, &mut self.steps);
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.found.clear();
        self.fresh.clear();
        (self.is_violated, self.is_cut) = (false, false);
    }
}
