//! The product, visited breadth-first by several hosts.
//!
//! A host expands some of the states that it owns, and the successors that belong to others are sent to them. A level is
//! over when no host has a state of it that is not expanded.

use super::super::gathered::Condition;
use super::super::product::Product;
use super::super::turns::{HowFar, Look, VisitedExtent};
use super::Stopped;
use crate::flat::{FlatStore, Offset};
use crate::search::Task;
use crate::search::workers::exchange::{Exchange, pack, unpack};
use crate::tree::hash_of_vector;
use crate::vector::body;
use resy_system::{Fairness, LivenessClaim};

/// The number of states that a host expands between two exchanges.
pub(super) const TURN: usize = 1 << 14;
/// The number of states that are inserted together.
const BATCH: usize = 256;

/// What hosts tell each other in the word of an exchange, beside a number.
const ABANDONS: u64 = 1 << 63;

/// Hosts that visit the states of a product.
pub(in super::super) struct HostExplorers<'e> {
    pub(super) flat: FlatStore,
    pub(super) product: Product<'e>,
    exchange: Exchange,
    condition: Condition,
    /// The most bytes of the store.
    most: usize,
    /// The number of states that are expanded, and the offset of the next one.
    n_expanded: usize,
    next: Offset,
    /// The number of states up to the end of the present level, and its distance from the initial states.
    level_end: usize,
    depth: u64,
    transitions: u64,
    /// The states of all hosts, as it was known at the end of a level.
    n_all: usize,
    transitions_of_all: u64,
    /// For each component of the automaton the marks that edges inside of it have met, if there are any edges.
    met: Vec<Option<u64>>,
    /// What is sent to each host next.
    pub(super) out: Vec<Vec<u8>>,
}

impl<'e> HostExplorers<'e> {
    /// Hosts at the initial states of a product; gives the connections back if there is no flat store.
    pub fn new(
        task: &'e Task<'e>,
        claim: &'e LivenessClaim,
        fairness: Fairness,
        exchange: Exchange,
    ) -> Result<Self, Exchange> {
        let (Ok(product), Some(flat)) = (Product::new(task, claim, fairness), FlatStore::new())
        else {
            return Err(exchange);
        };
        let components = claim.accepting_components();
        let n_components = components.iter().flatten().max().map_or(0, |last| last + 1);
        let next = flat.first();
        let out = vec![Vec::new(); exchange.n()];
        let mut explorers = Self {
            flat,
            product,
            exchange,
            condition: Condition { marks: claim.marks(), fairness },
            most: task.store.most(&task.limits),
            n_expanded: 0,
            next,
            level_end: 0,
            depth: 0,
            transitions: 0,
            n_all: 0,
            transitions_of_all: 0,
            met: vec![None; n_components],
            out,
        };
        // Each host knows the initial states, and takes its own.
        explorers.product.find_initial(None);
        explorers.take_targets();
        explorers.out.iter_mut().for_each(Vec::clear);
        explorers.flat.insert_staged(|_, _| {});
        explorers.level_end = explorers.flat.len();
        Ok(explorers)
    }

    pub(super) fn condition(&self) -> Condition {
        self.condition
    }

    /// The number of this host, and the number of hosts.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.exchange.me(), self.exchange.n())
    }

    pub(super) fn exchange(&mut self) -> &mut Exchange {
        &mut self.exchange
    }

    /// Closes the connections.
    pub fn end(self, in_order: bool) {
        self.exchange.end(in_order);
    }

    /// The size of what was visited, by all hosts as far as it is known; the memory is that of this one.
    pub fn extent(&self) -> VisitedExtent {
        VisitedExtent {
            states: self.n_all.max(self.flat.len()),
            waiting: self.flat.len() - self.n_expanded,
            transitions: self.transitions_of_all.max(self.transitions),
            depth: self.depth,
            memory: self.flat.memory(),
        }
    }

    /// The host that a state belongs to.
    pub(super) fn owner(state: &[u8], n_hosts: usize) -> usize {
        (((hash_of_vector(body(state)) >> 32) * n_hosts as u64) >> 32) as usize
    }

    /// Sends a word and what is to be sent.
    pub(super) fn exchange_words(
        &mut self,
        word: u64,
        look: &mut Look<'_>,
    ) -> Result<(Vec<u64>, Vec<Vec<u8>>), Stopped> {
        let extent = self.extent();
        look(extent)?;
        let received = self.exchange.exchange(word, &mut self.out, &mut || look(extent))?;
        Ok((received.words, received.bytes))
    }

    /// The sum of a number over all hosts.
    pub(super) fn sum(&mut self, number: u64, look: &mut Look<'_>) -> Result<u64, Stopped> {
        Ok(self.exchange_words(number, look)?.0.iter().sum())
    }

    /// For each component of the automaton whether the edges inside of it have all marks.
    pub(super) fn accepting(&mut self, look: &mut Look<'_>) -> Result<Vec<bool>, Stopped> {
        let mut accepting = Vec::new();
        for number in 0..self.met.len() {
            let met = self.met[number];
            let marks = self.exchange_words(met.unwrap_or(0), look)?.0;
            let n_with_edges = self.sum(u64::from(met.is_some()), look)?;
            let missing = self.condition.marks & !marks.iter().fold(0, |all, marks| all | marks);
            accepting.push(n_with_edges > 0 && missing == 0);
        }
        Ok(accepting)
    }

    /// Visits states until there are so many on all hosts.
    pub fn explore(&mut self, enough: usize, look: &mut Look<'_>) -> Result<HowFar, Stopped> {
        loop {
            let fine = self.expand();
            let rest = (self.level_end - self.n_expanded) as u64;
            let word = if fine { rest } else { ABANDONS };
            let (words, received) = self.exchange_words(word, look)?;
            if words.iter().any(|word| word & ABANDONS != 0) {
                return Ok(HowFar::Abandoned);
            }
            if !received.iter().all(|bytes| self.take_received(bytes)) {
                // The others learn it with the next word.
                self.most = 0;
            }
            if words.iter().all(|&rest| rest == 0) {
                self.n_all = self.sum(self.flat.len() as u64, look)? as usize;
                self.transitions_of_all = self.sum(self.transitions, look)?;
                let waiting = (self.flat.len() - self.n_expanded) as u64;
                if self.sum(waiting, look)? == 0 {
                    return Ok(HowFar::All);
                }
                (self.level_end, self.depth) = (self.flat.len(), self.depth + 1);
                if self.n_all >= enough {
                    return Ok(HowFar::Enough);
                }
            }
        }
    }

    /// Expands some states of the level; `false` if one of them is a violation, or if there is no room.
    fn expand(&mut self) -> bool {
        for _ in 0..TURN.min(self.level_end - self.n_expanded) {
            let state = self.flat.get(self.next);
            self.next += state.len().div_ceil(8) as Offset;
            self.n_expanded += 1;
            if !self.product.expand_meeting(state, &mut self.met) {
                return false;
            }
            self.transitions += self.product.edges.len() as u64;
            self.take_targets();
            if self.flat.n_staged() >= BATCH && !self.flat.insert_staged(|_, _| {}) {
                return false;
            }
        }
        let has_room = self.flat.insert_staged(|_, _| {}) && self.flat.has_room();
        has_room && self.flat.memory() < self.most
    }

    /// Stages the targets of the edges that were found that belong to this host, and packs the others.
    fn take_targets(&mut self) {
        let (me, n) = (self.exchange.me(), self.exchange.n());
        for (_, target) in self.product.targets() {
            match Self::owner(target, n) {
                owner if owner == me => self.flat.stage(target),
                owner => pack(&mut self.out[owner], target),
            }
        }
    }

    /// Inserts the states that another host has sent; `false` if there is no room.
    fn take_received(&mut self, mut bytes: &[u8]) -> bool {
        let mut vector = Vec::new();
        while let Some(state) = unpack(&mut bytes) {
            self.adopt(state, &mut vector);
            self.flat.stage(&vector);
            if self.flat.n_staged() >= BATCH && !self.flat.insert_staged(|_, _| {}) {
                return false;
            }
        }
        self.flat.insert_staged(|_, _| {})
    }

    /// A state of another host, as this one stores it.
    pub(super) fn adopt(&mut self, state: &[u8], vector: &mut Vec<u8>) {
        vector.clear();
        vector.extend_from_slice(state);
        let (layout, shapes) = self.product.expander.stepper.layout_and_shapes();
        shapes.adopt(layout, vector);
    }
}
