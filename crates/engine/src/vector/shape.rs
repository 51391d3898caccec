//! Shapes: the positions of everything in a vector, for each list of living processes.

use super::{HEADER, Layout, VectorField};
use crate::tree::Plan;
use resy_index::{Id, IndexVec, define_id};
use resy_system::{ChannelTypeId, MAX_CELLS, MAX_CHANNELS, ProctypeId};
use std::ops::Index;

define_id!(
    /// A list of living proctypes.
    pub struct ShapeId,
    "shape"
);

/// A channel of a shape.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ChannelPlace {
    /// Its first byte.
    pub at: u32,
    /// The number of its type.
    pub ty: u32,
    /// The number of its slots.
    pub capacity: u32,
}

/// The vectors with one list of living proctypes.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The proctypes, by pid.
    pub proctypes: Vec<ProctypeId>,
    /// The first byte of each process's record, by pid.
    pub processes: Vec<u32>,
    /// The channels; the number of a channel is its position plus one.
    pub channels: Vec<ChannelPlace>,
    /// The length of the vector.
    pub len: u32,
    /// The fields of all cells, in the order of [`State::cells`](resy_system::State::cells).
    pub cells: Vec<VectorField>,
    /// How the store folds the vector.
    pub plan: Plan,
    /// The ends of the leaves; the first leaf contains the header.
    pub cuts: Vec<u32>,
    /// The shape without the youngest process.
    pub parent: Option<ShapeId>,
    children: Vec<Option<ShapeId>>,
}

/// All shapes found so far; the first has no process.
#[derive(Clone, Debug)]
pub struct Shapes {
    all: IndexVec<ShapeId, Shape>,
    learned: Option<Learned>,
}

/// The greatest length of a leaf of the globals: short, so that a learned tree can put each near related
/// leaves.
const GLOBALS: u32 = 4;
/// The greatest length of other leaves: a change costs hashing a whole leaf.
const LEAF: u32 = 16;

impl Shapes {
    /// The shape without processes, from which all others grow.
    pub fn new(layout: &Layout) -> Shapes {
        let mut shape = Shape {
            proctypes: Vec::new(),
            processes: Vec::new(),
            channels: Vec::new(),
            len: 0,
            cells: Vec::new(),
            plan: Plan::balanced(&[0]),
            cuts: Vec::new(),
            parent: None,
            children: vec![None; layout.proctypes.len()],
        };
        shape.append(layout, &layout.globals, GLOBALS);
        shape.plan = Plan::balanced(&shape.cuts);
        let mut all = IndexVec::new();
        all.push(shape);
        Shapes { all, learned: None }
    }

    /// No shapes: a placeholder.
    pub(crate) fn none() -> Shapes {
        Shapes { all: IndexVec::new(), learned: None }
    }

    /// The number of shapes.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none, as in a placeholder.
    pub fn is_empty(&self) -> bool {
        self.all.len() == 0
    }

    /// The shape without processes.
    pub fn empty(&self) -> ShapeId {
        ShapeId::from_index(0)
    }

    /// The shape with one more process.
    pub fn with(&mut self, layout: &Layout, shape: ShapeId, proctype: ProctypeId) -> ShapeId {
        if let Some(child) = self.all[shape].children[proctype.index()] {
            return child;
        }
        let mut next = self.all[shape].clone();
        next.parent = Some(shape);
        next.children.fill(None);
        next.proctypes.push(proctype);
        next.processes.push(next.len);
        next.append(layout, &layout.proctypes[proctype], LEAF);
        next.plan = plan(&next.cuts, self.learned.as_ref());
        let child = self.all.push(next);
        self.all[shape].children[proctype.index()] = Some(child);
        child
    }

    /// How the shapes were made, in the order of their numbers: for each but the first, the shape it was
    /// made from and the proctype that was added.
    pub fn made(&self) -> Vec<(u32, u32)> {
        let step = |s: &Shape| {
            let (from, last) = (s.parent?, s.proctypes.last()?);
            Some((from.index() as u32, last.index() as u32))
        };
        self.all.iter().filter_map(step).collect()
    }

    /// Whether one of the two is a clone of the other: the same shapes with the same numbers, folded in the same way.
    pub fn is_clone_of(&self, other: &Shapes) -> bool {
        let mut both = self.all.iter().zip(other.all.iter());
        self.len() == other.len() && both.all(|(a, b)| a.plan.is_clone_of(&b.plan))
    }

    /// Makes shapes in the same way as before, so that they get the same numbers. Invalid proctypes are
    /// skipped.
    pub fn make(&mut self, layout: &Layout, made: &[(u32, u32)]) {
        for &(from, proctype) in made {
            let (from, proctype) = (from as usize, proctype as usize);
            if from < self.all.len() && proctype < layout.proctypes.len() {
                let proctype = ProctypeId::from_index(proctype);
                self.with(layout, ShapeId::from_index(from), proctype);
            }
        }
    }

    /// The learned tree: the ends of its leaves, and how they are joined.
    pub fn learned(&self) -> Option<(&[u32], &[[u32; 2]])> {
        self.learned.as_ref().map(|l| (l.cuts.as_slice(), l.joins.as_slice()))
    }

    /// Folds all vectors from now on with a tree that was learned before.
    pub fn recall(&mut self, cuts: Vec<u32>, joins: Vec<[u32; 2]>) {
        let learned = Learned { cuts, joins };
        for shape in self.all.iter_mut() {
            shape.plan = plan(&shape.cuts, Some(&learned));
        }
        self.learned = Some(learned);
    }

    /// The shape of a vector of this search, or of its first bytes.
    #[inline]
    pub fn of(&self, layout: &Layout, vector: &[u8]) -> ShapeId {
        let VectorField { offset, width } = layout.shape;
        ShapeId::from_index(width.load(vector, offset) as usize)
    }

    /// Adopts a vector of another search: finds its shape and writes the number into the vector.
    pub fn adopt(&mut self, layout: &Layout, vector: &mut [u8]) -> ShapeId {
        let n = layout.count.width.load(vector, layout.count.offset) as usize;
        let claimed = self.of(layout, vector);
        if self.fits(layout, claimed, n, vector) {
            return claimed;
        }
        let mut shape = self.empty();
        for _ in 0..n {
            let proctype = layout.proctype_at(vector, self.all[shape].len);
            shape = self.with(layout, shape, proctype);
        }
        layout.shape.width.store(vector, layout.shape.offset, shape.index() as i32);
        shape
    }

    /// Whether a vector with so many processes has a shape. Searches that began alike give most shapes the same numbers.
    fn fits(&self, layout: &Layout, shape: ShapeId, n: usize, vector: &[u8]) -> bool {
        let Some(Shape { proctypes, processes, len, .. }) = self.all.get(shape) else {
            return false;
        };
        let mut each = processes.iter().zip(proctypes);
        proctypes.len() == n
            && vector.len() == *len as usize
            && each.all(|(&at, &proctype)| layout.proctype_at(vector, at) == proctype)
    }

    /// Folds all vectors from now on with a tree learned from vectors of one shape.
    pub fn learn(&mut self, shape: ShapeId, joins: Vec<[u32; 2]>) {
        self.recall(self.all[shape].cuts.clone(), joins);
    }
}

/// A tree over the leaves of one shape.
#[derive(Clone, Debug)]
struct Learned {
    cuts: Vec<u32>,
    joins: Vec<[u32; 2]>,
}

/// A plan for leaves that end at `cuts`: the learned tree, as far as the leaves are the same.
fn plan(cuts: &[u32], learned: Option<&Learned>) -> Plan {
    let Some(learned) = learned else { return Plan::balanced(cuts) };
    let common = cuts.iter().zip(&learned.cuts).take_while(|(a, b)| a == b).count();
    let n = cuts.len();
    let mut joins: Vec<[u32; 2]> = Vec::new();
    let mut join = |a: Option<u32>, b: Option<u32>| match (a, b) {
        (Some(a), Some(b)) => {
            joins.push([a, b]);
            Some((n + joins.len() - 1) as u32)
        }
        (one, other) => one.or(other),
    };
    let known = |leaf: usize| (leaf < common).then_some(leaf as u32);
    let mut clusters: Vec<Option<u32>> = (0..learned.cuts.len()).map(known).collect();
    for &[a, b] in &learned.joins {
        let cluster = join(clusters[a as usize], clusters[b as usize]);
        clusters.push(cluster);
    }
    let mut row: Vec<Option<u32>> = (common..n).map(|leaf| Some(leaf as u32)).collect();
    while row.len() > 1 {
        row = row.chunks(2).map(|pair| join(pair[0], pair.get(1).copied().flatten())).collect();
    }
    join(clusters.last().copied().flatten(), row.first().copied().flatten());
    Plan::joined(cuts, &joins)
}

impl Index<ShapeId> for Shapes {
    type Output = Shape;
    fn index(&self, id: ShapeId) -> &Shape {
        &self.all[id]
    }
}

impl Shape {
    /// Whether states of this size are not supported.
    pub fn is_too_large(&self) -> bool {
        self.cells.len() as u64 > MAX_CELLS || self.channels.len() as u64 > MAX_CHANNELS
    }

    /// Appends a record and its channels, cut into leaves of at most this many bytes.
    fn append(&mut self, layout: &Layout, frame: &super::FrameLayout, longest: u32) {
        let at = self.len;
        let place = |f: &VectorField| VectorField { offset: at + f.offset, width: f.width };
        self.cells.extend(frame.cells.iter().map(place));
        self.len += frame.len;
        self.cut(longest);
        for &id in &frame.channels {
            self.append_channel(layout, id);
        }
        self.cut(LEAF);
    }

    fn append_channel(&mut self, layout: &Layout, id: ChannelTypeId) {
        let channel = &layout.channels[id];
        let at = self.len;
        self.channels.push(ChannelPlace { at, ty: id.index() as u32, capacity: channel.capacity });
        self.cells.push(VectorField { offset: at, width: layout.length });
        for slot in 0..channel.capacity {
            let base = at + layout.length.bytes() + slot * channel.stride;
            let place = |f: &VectorField| VectorField { offset: base + f.offset, width: f.width };
            self.cells.extend(channel.fields.iter().map(place));
        }
        self.len += channel.len;
        if channel.capacity > 0 {
            self.cut(LEAF);
        }
    }

    /// Ends a leaf here; a long one is split. The first leaf contains the whole header.
    fn cut(&mut self, longest: u32) {
        let start = self.cuts.last().copied().unwrap_or(0);
        let head = if start == 0 { (HEADER as u32).min(self.len) } else { 0 };
        if head > 0 {
            self.cuts.push(head);
        }
        let start = start + head;
        let len = u64::from(self.len - start);
        let parts = len.div_ceil(longest.into());
        self.cuts.extend((1..=parts).map(|i| start + (len * i / parts) as u32));
    }
}
