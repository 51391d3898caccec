//! What is known of each state of a system, as one small number: its class, and the states of the automaton that are reached
//! with it.
//!
//! What is known only grows, and several threads may add to it. New kinds are few, and one thread makes them.

use super::numbers::StateNumber;
use super::reading::ClassId;
use crate::tree::cpu::prefetch;
use hashbrown::HashMap;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// The class of a state that was not expanded yet.
pub(super) const UNREAD: ClassId = ClassId::MAX;

/// What is known of a state.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The states of the automaton that are reached with it.
    pub set: u64,
    pub class: ClassId,
}

impl Kind {
    /// What is known of a state of which both are known.
    fn and(self, other: Self) -> Self {
        let class = if self.class == UNREAD { other.class } else { self.class };
        Self { set: self.set | other.set, class }
    }
}

/// What is known of the states of a store, by their numbers.
pub(super) struct Kinds {
    of: Vec<AtomicU16>,
    /// Whether several threads change it.
    is_shared: bool,
    all: Vec<Kind>,
    numbers: HashMap<Kind, u16>,
}

/// There are more kinds of states than numbers.
pub(super) struct TooMany;

/// A kind that has no number yet.
pub(super) struct NewKind(pub Kind);

impl Kinds {
    pub fn new(is_shared: bool) -> Self {
        let nothing = Kind { set: 0, class: UNREAD };
        let numbers = HashMap::from([(nothing, 0)]);
        Self { of: Vec::new(), is_shared, all: vec![nothing], numbers }
    }

    #[inline]
    pub fn get(&self, state: StateNumber) -> Kind {
        self.all[usize::from(self.of[state as usize].load(Relaxed))]
    }

    /// Starts to fetch what is known of a state.
    #[inline]
    pub fn fetch(&self, state: StateNumber) {
        prefetch(&self.of[state as usize]);
    }

    /// Adds to what is known of a state; the states of the automaton that are new with it.
    #[inline]
    pub fn add(&self, state: StateNumber, more: Kind) -> Result<u64, NewKind> {
        loop {
            let old = self.of[state as usize].load(Relaxed);
            let known = self.all[usize::from(old)];
            let both = known.and(more);
            if both == known {
                return Ok(0);
            }
            let Some(&new) = self.numbers.get(&both) else { return Err(NewKind(both)) };
            if self.exchange(state, old, new) {
                return Ok(both.set & !known.set);
            }
        }
    }

    #[inline]
    fn exchange(&self, state: StateNumber, old: u16, new: u16) -> bool {
        let of = &self.of[state as usize];
        if self.is_shared {
            return of.compare_exchange(old, new, Relaxed, Relaxed).is_ok();
        }
        of.store(new, Relaxed);
        true
    }

    /// Gives a kind a number.
    pub fn enter(&mut self, kind: Kind) -> Result<(), TooMany> {
        if !self.numbers.contains_key(&kind) {
            let number = u16::try_from(self.all.len()).map_err(|_| TooMany)?;
            self.all.push(kind);
            self.numbers.insert(kind, number);
        }
        Ok(())
    }

    /// Makes room for so many states.
    pub fn make_room(&mut self, n_states: usize) {
        if self.of.len() < n_states {
            self.of.resize_with(n_states, AtomicU16::default);
        }
    }

    pub fn memory(&self) -> usize {
        self.of.capacity() * size_of::<AtomicU16>()
    }
}
