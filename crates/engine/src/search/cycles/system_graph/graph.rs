//! The product as sets: with each state of the system the states of the automaton that are reached.
//!
//! A set may grow after the state was expanded. What is new in it is handed on along the edges then, which are kept or found
//! again.

use super::super::gathered::Condition;
use super::edges::KeptEdges;
use super::kinds::{Kind, Kinds, TooMany, UNREAD};
use super::reading::{ClassId, Reader, elements};
use crate::flat::{FlatStore, Offset};

/// A state with states of the automaton whose steps were not taken with it yet.
#[derive(Copy, Clone, Debug)]
pub(super) struct Item {
    pub offset: Offset,
    pub set: u64,
}

/// The graph of a system, and what a claim's automaton does in it.
pub(super) struct SystemGraph<'a> {
    pub kinds: Kinds,
    pub edges: KeptEdges,
    pub reader: Reader<'a>,
    pub condition: Condition,
    /// For each component of the automaton the marks that edges inside of it have met, if there are any edges.
    met: Vec<Option<u64>>,
    /// The states of the automaton in components that have met all marks.
    pub wanted: u64,
    /// States that were expanded before the sets grew.
    pub grown: Vec<Item>,
    /// States before this offset are expanded, or will be.
    pub next: Offset,
    /// The states and edges of the product.
    pub n_states: usize,
    pub transitions: u64,
}

impl<'a> SystemGraph<'a> {
    pub fn new(reader: Reader<'a>, condition: Condition, n_components: usize) -> Self {
        Self {
            kinds: Kinds::new(),
            edges: KeptEdges::new(),
            reader,
            condition,
            met: vec![None; n_components],
            wanted: 0,
            grown: Vec::new(),
            next: 1,
            n_states: 0,
            transitions: 0,
        }
    }

    /// Makes room for all states of a store, which ends at this offset.
    pub fn make_room(&mut self, flat: &FlatStore, end: Offset) {
        let Self { kinds, edges, .. } = self;
        kinds.make_room(flat, end, |old, new| edges.divide_again(flat, end, old, new));
    }

    /// More states of the automaton are reached with a state.
    #[inline]
    pub fn reach(&mut self, offset: Offset, set: u64) -> Result<(), TooMany> {
        let known = self.kinds.get(offset);
        let new = set & !known.set;
        if new == 0 {
            return Ok(());
        }
        self.n_states += new.count_ones() as usize;
        if offset < self.next {
            self.grown.push(Item { offset, set: new });
        }
        self.kinds.set(offset, Kind { set: known.set | set, ..known })
    }

    /// The facts of a state are known.
    pub fn read(&mut self, offset: Offset, facts: u64) -> Result<ClassId, TooMany> {
        let class = self.reader.class(facts);
        let known = self.kinds.get(offset);
        if known.class == UNREAD {
            self.kinds.set(offset, Kind { class, ..known })?;
        }
        Ok(class)
    }

    /// Takes the steps of an item, whose state has these edges.
    pub fn take_steps(
        &mut self,
        item: Item,
        class: ClassId,
        targets: &[Offset],
        contributions: &[u64],
    ) -> Result<(), TooMany> {
        let after = self.count(item.set, class, targets.len());
        let reading = self.reader.reading(class);
        let place = self.kinds.place(item.offset);
        if self.kinds.get(item.offset).set & self.wanted != 0
            && !reading.is_barrier
            && self.edges.first(place).is_none()
            && !self.edges.keep(place, self.kinds.n_places(), targets, contributions)
        {
            return Err(TooMany);
        }
        targets.iter().try_for_each(|&target| self.reach(target, after))
    }

    /// Takes the steps of an item whose edges are kept; `false` if they are not.
    pub fn take_kept_steps(&mut self, item: Item) -> Result<bool, TooMany> {
        let (kind, place) = (self.kinds.get(item.offset), self.kinds.place(item.offset));
        let Some(first) = self.edges.first(place).filter(|_| kind.class != UNREAD) else {
            return Ok(false);
        };
        let mut number = first;
        while !self.edges.get(number).is_last {
            number += 1;
        }
        let after = self.count(item.set, kind.class, (number - first) as usize + 1);
        for number in first..=number {
            let target = self.edges.get(number).target;
            self.reach(target, after)?;
        }
        Ok(true)
    }

    /// Counts the edges of the product out of a state with some states of the automaton, and the marks that they meet; where
    /// the automaton is after them.
    fn count(&mut self, set: u64, class: ClassId, n_edges: usize) -> u64 {
        let reading = self.reader.reading(class);
        self.transitions += (reading.n_edges(set) * n_edges) as u64;
        let after = reading.after(set);
        if n_edges > 0 && set & !reading.met != 0 {
            self.meet(set, class);
        }
        after
    }

    #[cold]
    fn meet(&mut self, set: u64, class: ClassId) {
        let reader = &self.reader;
        for state in elements(set) {
            let component = reader.components[state];
            for edge in &reader.reading(class).edges[state] {
                if reader.stays(state, edge) {
                    *self.met[component as usize].get_or_insert(0) |= edge.marks;
                }
            }
        }
        self.reader.reading_mut(class).met |= set;
        let all = self.condition.marks;
        let is_wanted = |&component: &u32| {
            let met = self.met.get(component as usize).copied().flatten();
            met.is_some_and(|met| all & !met == 0)
        };
        let components = self.reader.components.iter().enumerate();
        let wanted = components.filter(|(_, component)| is_wanted(component));
        self.wanted = wanted.fold(0, |set, (state, _)| set | 1 << state);
    }

    pub fn memory(&self) -> usize {
        self.kinds.memory() + self.edges.memory() + self.grown.capacity() * size_of::<Item>()
    }
}
