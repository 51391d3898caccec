//! Shapes: where everything lies, for each list of living processes.

use super::{Field, Layout};
use resy_index::{Id, IndexVec, define_id};
use resy_system::{ChannelTypeId, ProctypeId};
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
    /// The channels; a channel's number is its position and one.
    pub channels: Vec<ChannelPlace>,
    /// The length of the vector.
    pub len: u32,
    /// The fields of all cells, in the order of [`State::cells`](resy_system::State::cells).
    pub cells: Vec<Field>,
    /// Where the leaves end into which the store cuts the vector.
    pub cuts: Vec<u32>,
    /// Where the globals, the process records and the channels end.
    sections: Vec<u32>,
    /// The shape without the youngest process.
    pub parent: Option<ShapeId>,
    children: Vec<Option<ShapeId>>,
}

/// All shapes met so far; the first has no process.
#[derive(Clone, Debug)]
pub struct Shapes {
    all: IndexVec<ShapeId, Shape>,
    /// The shape that [`Shapes::of`] found last: the next one is mostly the same.
    recent: ShapeId,
}

/// Neighbours are joined up to this length.
static JOIN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
    std::env::var("JOIN").ok().and_then(|v| v.parse().ok()).unwrap_or(0)
});
/// Leaves are not longer than this: a change costs hashing a whole leaf.
const SPLIT: u32 = 32;

impl Shapes {
    /// The shape without processes, from which all others grow.
    pub fn new(layout: &Layout) -> Shapes {
        let mut shape = Shape {
            proctypes: Vec::new(),
            processes: Vec::new(),
            channels: Vec::new(),
            len: 0,
            cells: Vec::new(),
            cuts: Vec::new(),
            sections: Vec::new(),
            parent: None,
            children: vec![None; layout.proctypes.len()],
        };
        shape.append(layout, &layout.globals);
        let mut all = IndexVec::new();
        let recent = all.push(shape);
        Shapes { all, recent }
    }

    /// No shapes at all: a place holder.
    pub(crate) fn none() -> Shapes {
        Shapes { all: IndexVec::new(), recent: ShapeId::from_index(0) }
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
        next.append(layout, &layout.proctypes[proctype]);
        let child = self.all.push(next);
        self.all[shape].children[proctype.index()] = Some(child);
        child
    }

    /// The shape of a vector.
    pub fn of(&mut self, layout: &Layout, vector: &[u8]) -> ShapeId {
        let n = layout.count.width.load(vector, layout.count.offset) as usize;
        let recent = &self.all[self.recent];
        let same = recent.proctypes.len() == n
            && recent
                .proctypes
                .iter()
                .zip(&recent.processes)
                .all(|(&proctype, &at)| layout.proctype_at(vector, at) == proctype);
        if !same {
            let mut shape = self.empty();
            for _ in 0..n {
                let proctype = layout.proctype_at(vector, self.all[shape].len);
                shape = self.with(layout, shape, proctype);
            }
            self.recent = shape;
        }
        self.recent
    }
}

impl Index<ShapeId> for Shapes {
    type Output = Shape;
    fn index(&self, id: ShapeId) -> &Shape {
        &self.all[id]
    }
}

impl Shape {
    /// Appends a record and its channels.
    fn append(&mut self, layout: &Layout, frame: &super::FrameLayout) {
        let at = self.len;
        let place = |f: &Field| Field { offset: at + f.offset, width: f.width };
        self.cells.extend(frame.cells.iter().map(place));
        self.len += frame.len;
        self.sections.push(self.len);
        for &id in &frame.channels {
            self.append_channel(layout, id);
        }
        self.cuts = cuts(&self.sections, self.len);
    }

    fn append_channel(&mut self, layout: &Layout, id: ChannelTypeId) {
        let channel = &layout.channels[id];
        let at = self.len;
        self.channels.push(ChannelPlace { at, ty: id.index() as u32, capacity: channel.capacity });
        self.cells.push(Field { offset: at, width: layout.length });
        for slot in 0..channel.capacity {
            let base = at + layout.length.bytes() + slot * channel.stride;
            let place = |f: &Field| Field { offset: base + f.offset, width: f.width };
            self.cells.extend(channel.fields.iter().map(place));
        }
        self.len += channel.len;
        if channel.capacity > 0 {
            self.sections.push(self.len);
        }
    }
}

/// Cuts a vector into leaves: one for each section, but short neighbours are joined
/// and long sections are split.
fn cuts(sections: &[u32], len: u32) -> Vec<u32> {
    let mut cuts: Vec<u32> = Vec::new();
    let mut start = 0;
    for (i, &end) in sections.iter().enumerate() {
        if sections.get(i + 1).is_some_and(|&next| next - start <= *JOIN) {
            continue;
        }
        let parts = (end - start).div_ceil(SPLIT);
        cuts.extend((1..=parts).map(|part| start + (end - start) * part / parts));
        start = end;
    }
    if start < len {
        cuts.push(len);
    }
    cuts
}
