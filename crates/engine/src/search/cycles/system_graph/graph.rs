//! The product as sets: with each state of the system the states of the automaton that are reached.
//!
//! A set may grow after the state was expanded. What is new in it is handed on along the edges then, which are kept or found
//! again.
//!
//! A cycle comes back: one of its edges leads to a state that is not later in the store. In a component of the automaton without
//! such an edge no cycle is looked for: a model that only counts up has none.

use super::super::gathered::Condition;
use super::edges::{EdgesToKeep, KeptEdges};
use super::kinds::{Kind, Kinds, NewKind, TooMany, UNREAD};
use super::numbers::{Numbers, StateNumber};
use super::reading::{ClassId, Reader, Reading, elements};
use crate::flat::FlatStore;

/// A state with states of the automaton whose steps were not taken with it yet.
#[derive(Copy, Clone, Debug)]
pub(super) struct Item {
    pub state: StateNumber,
    pub set: u64,
}

/// The graph of a system, and what a claim's automaton does in it.
pub(super) struct SystemGraph<'a> {
    pub numbers: Numbers,
    pub kinds: Kinds,
    pub edges: KeptEdges,
    pub reader: Reader<'a>,
    pub condition: Condition,
    /// For each component of the automaton the marks that edges inside of it have met, if there are any edges.
    met: Vec<Option<u64>>,
    /// The states of the automaton that were left inside their component by an edge to a state that is not later.
    back: u64,
    /// The states of the automaton in components that have met all marks: edges are kept for them.
    complete: u64,
    /// Those of them in components that have such an edge.
    pub wanted: u64,
    /// States that were expanded before the sets grew.
    pub grown: Vec<Item>,
    /// States before this one are expanded, or will be.
    pub next: StateNumber,
    /// The states and edges of the product.
    pub n_states: usize,
    pub transitions: u64,
}

/// What a thread has found, beside what it has added to the graph itself.
#[derive(Default)]
pub(super) struct Steps {
    n_states: usize,
    transitions: u64,
    back: u64,
    grown: Vec<Item>,
    kept: EdgesToKeep,
    /// What is known of some states, for which there was no number.
    late: Vec<(StateNumber, Kind)>,
}

impl<'a> SystemGraph<'a> {
    /// A graph without states, which several threads change or one.
    pub fn new(
        reader: Reader<'a>,
        condition: Condition,
        n_components: usize,
        is_shared: bool,
    ) -> Self {
        Self {
            numbers: Numbers::default(),
            kinds: Kinds::new(is_shared),
            edges: KeptEdges::new(),
            reader,
            condition,
            met: vec![None; n_components],
            back: 0,
            complete: 0,
            wanted: 0,
            grown: Vec::new(),
            next: 0,
            n_states: 0,
            transitions: 0,
        }
    }

    /// Makes room for the states of a store.
    pub fn make_room(&mut self, flat: &FlatStore) {
        self.numbers.add_new(flat);
        self.kinds.make_room(self.numbers.len());
    }

    /// Whether the edges of a state of this class are kept.
    #[inline]
    pub fn keeps(&self, state: StateNumber, reading: &Reading) -> bool {
        self.complete != 0
            && self.kinds.get(state).set & self.complete != 0
            && !reading.is_barrier
            && self.edges.first(state).is_none()
    }

    /// The class of states with these facts, before the steps of an item with so many edges are taken.
    pub fn read(&mut self, item: Item, facts: u64, n_edges: usize) -> ClassId {
        let class = self.reader.class(facts);
        if n_edges > 0 {
            self.meet(item.set, class);
        }
        class
    }

    /// Takes the steps of an item, whose state has these edges and is of this class. What they contribute is given if the edges
    /// are to be kept under fairness.
    pub fn take_steps(
        &self,
        item: Item,
        class: ClassId,
        targets: &[StateNumber],
        contributions: Option<&[u64]>,
        steps: &mut Steps,
    ) {
        let reading = self.reader.reading(class);
        let after = self.count(item, reading, targets.len(), steps);
        self.add(item.state, Kind { set: 0, class }, steps);
        let mut is_back = false;
        for &target in targets {
            is_back |= target <= item.state;
            self.add(target, Kind { set: after, class: UNREAD }, steps);
        }
        steps.back |= if is_back { item.set & reading.inside } else { 0 };
        if let Some(contributions) = contributions.filter(|_| self.keeps(item.state, reading)) {
            steps.kept.add(item.state, targets, contributions);
        }
    }

    /// Takes the steps of an item whose edges are kept; `false` if they are not.
    pub fn take_kept_steps(&mut self, item: Item, steps: &mut Steps) -> bool {
        let class = self.kinds.get(item.state).class;
        let Some(first) = self.edges.first(item.state).filter(|_| class != UNREAD) else {
            return false;
        };
        self.meet(item.set, class);
        let reading = self.reader.reading(class);
        let mut last = first;
        while !self.edges.get(last).is_last {
            last += 1;
        }
        let after = self.count(item, reading, (last - first) as usize + 1, steps);
        for number in first..=last {
            let target = self.edges.get(number).target;
            steps.back |= if target <= item.state { item.set & reading.inside } else { 0 };
            self.add(target, Kind { set: after, class: UNREAD }, steps);
        }
        true
    }

    /// Counts the edges of the product out of an item; where the automaton is after them.
    fn count(&self, item: Item, reading: &Reading, n_edges: usize, steps: &mut Steps) -> u64 {
        steps.transitions += (reading.n_edges(item.set) * n_edges) as u64;
        reading.after(item.set)
    }

    /// Adds to what is known of a state.
    #[inline]
    fn add(&self, state: StateNumber, more: Kind, steps: &mut Steps) {
        match self.kinds.add(state, more) {
            Ok(0) => {}
            Ok(new) => {
                steps.n_states += new.count_ones() as usize;
                if state < self.next {
                    steps.grown.push(Item { state, set: new });
                }
            }
            Err(NewKind(kind)) => steps.late.push((state, kind)),
        }
    }

    /// More states of the automaton are reached with a state.
    pub fn reach(&mut self, state: StateNumber, set: u64) -> Result<(), TooMany> {
        let mut steps = Steps::default();
        self.add(state, Kind { set, class: UNREAD }, &mut steps);
        self.settle(&mut steps)
    }

    /// Adds what a thread has found and could not add itself.
    pub fn settle(&mut self, steps: &mut Steps) -> Result<(), TooMany> {
        while let Some((state, kind)) = steps.late.pop() {
            self.kinds.enter(kind)?;
            self.add(state, kind, steps);
        }
        self.n_states += std::mem::take(&mut steps.n_states);
        self.transitions += std::mem::take(&mut steps.transitions);
        self.grown.append(&mut steps.grown);
        if steps.back & !self.back != 0 {
            self.back |= steps.back;
            self.find_wanted();
        }
        self.edges.keep(&mut steps.kept, self.numbers.len())
    }

    /// Edges out of a state of this class are taken with these states of the automaton.
    #[inline]
    fn meet(&mut self, set: u64, class: ClassId) {
        if set & !self.reader.reading(class).met != 0 {
            self.meet_new(set, class);
        }
    }

    /// Notes the marks that edges out of a class meet.
    #[cold]
    fn meet_new(&mut self, set: u64, class: ClassId) {
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
        self.find_wanted();
    }

    fn find_wanted(&mut self) {
        let (all, components) = (self.condition.marks, &self.reader.components);
        let comes_back =
            |component| elements(self.back).any(|state| components[state] == component);
        (self.complete, self.wanted) = (0, 0);
        for (state, &component) in components.iter().enumerate() {
            let met = self.met.get(component as usize).copied().flatten();
            if met.is_some_and(|met| all & !met == 0) {
                self.complete |= 1 << state;
                self.wanted |= u64::from(comes_back(component)) << state;
            }
        }
    }

    pub fn memory(&self) -> usize {
        self.numbers.memory()
            + self.kinds.memory()
            + self.edges.memory()
            + self.grown.capacity() * size_of::<Item>()
    }
}
