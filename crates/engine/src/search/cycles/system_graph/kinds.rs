//! What is known of each state of a system, as one number: its class, and the states of the automaton that are reached with it.

use super::reading::ClassId;
use crate::flat::{FlatStore, Offset};
use hashbrown::HashMap;

/// The class of a state that was not expanded yet.
pub(super) const UNREAD: ClassId = ClassId::MAX;

/// What is known of a state.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The states of the automaton that are reached with it.
    pub set: u64,
    pub class: ClassId,
}

/// What is known of the states of a flat store. Their offsets are divided by two to the power of `shift`: a state has at least
/// so many words.
pub(super) struct Kinds {
    of: Vec<u16>,
    shift: u32,
    all: Vec<Kind>,
    numbers: HashMap<Kind, u16>,
}

/// There are more kinds of states than numbers.
pub(super) struct TooMany;

impl Kinds {
    pub fn new() -> Self {
        let nothing = Kind { set: 0, class: UNREAD };
        Self {
            of: Vec::new(),
            shift: 0,
            all: vec![nothing],
            numbers: HashMap::from([(nothing, 0)]),
        }
    }

    #[inline]
    pub fn place(&self, offset: Offset) -> usize {
        (offset >> self.shift) as usize
    }

    /// The number of places up to the last state.
    pub fn n_places(&self) -> usize {
        self.of.len()
    }

    #[inline]
    pub fn get(&self, offset: Offset) -> Kind {
        self.at(self.place(offset))
    }

    #[inline]
    pub fn at(&self, place: usize) -> Kind {
        self.all[self.of[place] as usize]
    }

    #[inline]
    pub fn set(&mut self, offset: Offset, kind: Kind) -> Result<(), TooMany> {
        let place = self.place(offset);
        let number = match self.numbers.get(&kind) {
            Some(&number) => number,
            None => {
                let number = u16::try_from(self.all.len()).map_err(|_| TooMany)?;
                self.all.push(kind);
                self.numbers.insert(kind, number);
                number
            }
        };
        self.of[place] = number;
        Ok(())
    }

    /// Makes room for all states of a store, whose lengths may be shorter than before: `divided` is called with the old shift
    /// and the new one, before anything is known of the new states.
    pub fn make_room(&mut self, flat: &FlatStore, end: Offset, divided: impl FnOnce(u32, u32)) {
        let n_words = flat.shapes().iter().map(|(_, length)| length.div_ceil(8)).min();
        let shift = n_words.unwrap_or(1).max(1).ilog2();
        if shift != self.shift {
            let old = std::mem::replace(&mut self.shift, shift);
            divided(old, shift);
            self.of = divide_again(&self.of, 0, flat, end, old, shift);
        }
        let n = (end >> self.shift) as usize + 1;
        if self.of.len() < n {
            self.of.resize(n, 0);
        }
    }

    pub fn memory(&self) -> usize {
        self.of.capacity() * size_of::<u16>()
    }
}

/// A table by offsets, when these are divided by less.
pub(super) fn divide_again<T: Copy>(
    table: &[T],
    nothing: T,
    flat: &FlatStore,
    end: Offset,
    old: u32,
    new: u32,
) -> Vec<T> {
    let mut divided = Vec::new();
    if table.is_empty() {
        return divided;
    }
    divided.resize((end >> new) as usize + 1, nothing);
    let mut offset = flat.first();
    while offset < end {
        let Some(&entry) = table.get((offset >> old) as usize) else { break };
        divided[(offset >> new) as usize] = entry;
        offset = flat.after(offset);
    }
    divided
}
