//! Sorts of ids, by unification: places whose values are compared with each other, or copied from one to the other,
//! have the same sort.

use resy_index::{Id, IndexVec, define_id};
use resy_system::{CellType, ProctypeId};
use std::collections::BTreeSet;

define_id!(
    /// A place that holds values: a variable, an index of an array, a field of a message, the pid of a proctype.
    pub(super) struct PlaceId,
    "place"
);

/// What is known of all places of one sort.
#[derive(Clone, Debug)]
pub(super) struct SortFacts {
    /// Why its values are plain numbers, if they are.
    pub plain: Option<String>,
    /// Values that statements name, and that are therefore not interchangeable with others.
    pub named: BTreeSet<i32>,
    /// The values that all of its places can hold.
    pub least: i32,
    /// The greatest of them.
    pub greatest: i32,
    /// Whether some place can hold more.
    pub is_uneven: bool,
    /// The least length of the arrays that it is an index of.
    pub len: Option<u32>,
    /// The proctypes whose pids are of this sort.
    pub pids: Vec<ProctypeId>,
    /// The number of places.
    pub n_places: usize,
    /// Whether it has places that hold channels.
    pub is_chan: bool,
    /// If so, the fields of their messages, as far as they are used.
    pub fields: Vec<PlaceId>,
}

impl SortFacts {
    fn new(ty: Option<CellType>) -> Self {
        let (least, greatest) = ty.map_or((i32::MIN, i32::MAX), range);
        Self {
            plain: None,
            named: BTreeSet::new(),
            least,
            greatest,
            is_uneven: false,
            len: None,
            pids: Vec::new(),
            n_places: usize::from(ty.is_some()),
            is_chan: ty == Some(CellType::Chan),
            fields: Vec::new(),
        }
    }

    fn absorb(&mut self, other: SortFacts) -> Vec<(PlaceId, PlaceId)> {
        self.plain = self.plain.take().or(other.plain);
        self.named.extend(other.named);
        let both_typed = self.n_places > 0 && other.n_places > 0;
        let differ = (self.least, self.greatest) != (other.least, other.greatest);
        self.is_uneven |= other.is_uneven || both_typed && differ;
        self.least = self.least.max(other.least);
        self.greatest = self.greatest.min(other.greatest);
        self.len = match (self.len, other.len) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, two) => one.or(two),
        };
        self.pids.extend(other.pids);
        if both_typed && self.is_chan != other.is_chan {
            self.plain.get_or_insert_with(|| "channels and numbers are mixed".to_owned());
        }
        self.n_places += other.n_places;
        self.is_chan |= other.is_chan;
        let pairs = self.fields.iter().copied().zip(other.fields.iter().copied()).collect();
        let known = self.fields.len().min(other.fields.len());
        self.fields.extend(other.fields.into_iter().skip(known));
        pairs
    }
}

/// The values that a cell can hold.
pub(super) fn range(ty: CellType) -> (i32, i32) {
    match ty {
        CellType::Unsigned(bits @ 0..=30) => (0, (1 << bits) - 1),
        CellType::Byte | CellType::Mtype => (0, 0xff),
        CellType::Chan => (0, 0xffff),
        CellType::Short => (i16::MIN.into(), i16::MAX.into()),
        CellType::Unsigned(_) | CellType::Int => (i32::MIN, i32::MAX),
    }
}

/// All places, with their sorts.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    parents: IndexVec<PlaceId, PlaceId>,
    facts: IndexVec<PlaceId, SortFacts>,
}

impl Sorts {
    /// A new place, with a sort of its own. An index of an array and a pid have no type.
    pub fn place(&mut self, ty: Option<CellType>) -> PlaceId {
        let id = PlaceId::from_index(self.parents.len());
        self.parents.push(id);
        self.facts.push(SortFacts::new(ty));
        id
    }

    /// The place that stands for the sort of a place.
    pub fn root(&self, mut id: PlaceId) -> PlaceId {
        while self.parents[id] != id {
            id = self.parents[id];
        }
        id
    }

    /// The places that stand for a sort.
    pub fn roots(&self) -> impl Iterator<Item = PlaceId> {
        self.parents.iter_enumerated().filter(|(id, parent)| id == *parent).map(|(id, _)| id)
    }

    pub fn facts(&self, id: PlaceId) -> &SortFacts {
        &self.facts[self.root(id)]
    }

    pub fn facts_mut(&mut self, id: PlaceId) -> &mut SortFacts {
        let root = self.root(id);
        &mut self.facts[root]
    }

    /// Makes two sorts one, and those of the fields of their channels.
    pub fn unify(&mut self, a: PlaceId, b: PlaceId) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a != b {
                self.parents[b] = a;
                let other = std::mem::replace(&mut self.facts[b], SortFacts::new(None));
                todo.extend(self.facts[a].absorb(other));
            }
        }
    }

    /// The values of this sort are plain numbers, for this reason.
    pub fn make_plain(&mut self, id: PlaceId, why: impl FnOnce() -> String) {
        self.facts_mut(id).plain.get_or_insert_with(why);
    }

    /// A field of the messages of channels that a place holds.
    pub fn field(&mut self, chan: PlaceId, i: usize) -> PlaceId {
        while self.facts(chan).fields.len() <= i {
            let field = self.place(None);
            self.facts_mut(chan).fields.push(field);
        }
        self.facts(chan).fields[i]
    }
}
