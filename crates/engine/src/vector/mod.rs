//! Packed state vectors: the position of every cell of a state in a string of bytes.
//!
//! A vector is a header (the number of processes, `_last`, the trace, the monitors), the globals and their
//! channels, and for each process a record (proctype, location, locals) followed by the channels that it
//! created. Widths follow from the types: a `bit` takes one byte, a `short` two. The order is that of the
//! cells of a [`State`](resy_system::State), so that only the youngest process is added and removed, at the
//! end.
//!
//! The positions depend only on the list of living proctypes: a [`Shape`]. There are few shapes, and
//! everything about them is computed once.

mod codec;
mod shape;

pub use shape::{ChannelPlace, Shape, ShapeId, Shapes};

use resy_index::{Id, IndexVec};
use resy_system::{CellType, ChannelTypeId, Frame, ProctypeId, System, channels_of};

/// The number of bytes of a field, and whether it is signed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// One unsigned byte.
    U8,
    /// Two bytes, unsigned.
    U16,
    /// Two bytes, signed.
    I16,
    /// Four bytes.
    I32,
}

impl Width {
    /// The narrowest width for numbers below `n`.
    pub fn for_count(n: usize) -> Width {
        match n {
            0..=0x100 => Width::U8,
            0x101..=0x1_0000 => Width::U16,
            _ => Width::I32,
        }
    }

    /// The width of a cell of this type.
    pub fn of(ty: CellType) -> Width {
        match ty {
            CellType::Unsigned(0..=8) | CellType::Byte | CellType::Mtype => Width::U8,
            CellType::Unsigned(9..=16) | CellType::Chan => Width::U16,
            CellType::Short => Width::I16,
            CellType::Unsigned(_) | CellType::Int => Width::I32,
        }
    }

    /// The number of bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Width::U8 => 1,
            Width::U16 | Width::I16 => 2,
            Width::I32 => 4,
        }
    }

    /// Reads a field.
    #[inline]
    pub fn load(self, vector: &[u8], at: u32) -> i32 {
        let at = at as usize;
        match self {
            Width::U8 => i32::from(vector[at]),
            Width::U16 => i32::from(u16::from_le_bytes([vector[at], vector[at + 1]])),
            Width::I16 => i32::from(i16::from_le_bytes([vector[at], vector[at + 1]])),
            Width::I32 => {
                i32::from_le_bytes([vector[at], vector[at + 1], vector[at + 2], vector[at + 3]])
            }
        }
    }

    /// Writes a field, truncated to its width.
    pub fn store(self, vector: &mut [u8], at: u32, value: i32) {
        let n = self.bytes() as usize;
        let at = at as usize;
        vector[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
    }
}

/// A field of a vector, or of a record in a vector.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct VectorField {
    /// Its first byte, relative to the start of the vector or record.
    pub offset: u32,
    /// Its width.
    pub width: Width,
}

/// The fields of one frame: of the globals, or of a process record.
#[derive(Clone, Debug)]
pub struct FrameLayout {
    /// The fields of the frame's cells, from the start of the record.
    pub cells: Vec<VectorField>,
    /// The length of the record without channels.
    pub len: u32,
    /// The channels that are created with the frame, in order.
    pub channels: Vec<ChannelTypeId>,
}

/// The fields of a channel of one type.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    /// The number of slots; 0 for rendezvous.
    pub capacity: u32,
    /// The fields of a message, from the start of its slot.
    pub fields: Vec<VectorField>,
    /// The types of the fields.
    pub types: Vec<CellType>,
    /// The number of bytes of a slot.
    pub stride: u32,
    /// The number of all bytes: the length field, then the slots.
    pub len: u32,
}

/// The number of bytes of the header that encode the shape.
pub const HEADER: usize = 6;

/// A vector without the part of its header that has a meaning in one search only. Two states are equal iff
/// these bytes are.
pub fn body(vector: &[u8]) -> &[u8] {
    &vector[HEADER..]
}

/// The number of the shape of a vector, from its header.
#[inline]
pub(crate) fn shape_number(vector: &[u8]) -> u32 {
    vector[2..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The layout of the vectors of a system.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of processes.
    pub count: VectorField,
    /// The number of the shape, which has a meaning in one search only.
    pub shape: VectorField,
    /// `_last`, if the system uses it.
    pub last: Option<VectorField>,
    /// The location of the event trace.
    pub event: Option<VectorField>,
    /// The first byte of each monitor's set, and the number of its bytes.
    pub monitors: Vec<(u32, u32)>,
    /// The proctype of a process, in its record.
    pub proctype: VectorField,
    /// The location of a process, in its record.
    pub location: VectorField,
    /// The priority of a process, in its record.
    pub priority: Option<VectorField>,
    /// The length of a channel, at its start.
    pub length: Width,
    /// The globals, behind the header.
    pub globals: FrameLayout,
    /// The process records.
    pub proctypes: IndexVec<ProctypeId, FrameLayout>,
    /// The channels.
    pub channels: IndexVec<ChannelTypeId, ChannelLayout>,
}

impl Layout {
    /// The layout for `system`; `monitors` has the number of locations of each monitor.
    pub fn new(system: &System, monitors: &[u32]) -> Layout {
        let mut end = 0;
        let mut field = |width: Width| {
            let offset = end;
            end += width.bytes();
            VectorField { offset, width }
        };
        let count = field(Width::U16);
        let shape = field(Width::I32);
        let last = system.uses_last.then(|| field(Width::U16));
        let event = system.trace.is_some().then(|| field(Width::U16));
        let mut monitor_sets = Vec::new();
        for &n in monitors {
            let bytes = n.div_ceil(8);
            monitor_sets.push((end, bytes));
            end += bytes;
        }
        let globals = FrameLayout::new(&system.globals, end);
        let mut head = 0;
        let mut field = |width: Width| {
            let offset = head;
            head += width.bytes();
            VectorField { offset, width }
        };
        let n_locations = system.proctypes.iter().map(|p| p.edges.len()).max().unwrap_or(0);
        let proctype = field(Width::for_count(system.proctypes.len()));
        let location = field(Width::for_count(n_locations));
        let priority = system.uses_priority.then(|| field(Width::U8));
        let capacity = system.channel_types.iter().map(|c| c.capacity).max().unwrap_or(0);
        let length = Width::for_count(capacity as usize + 1);
        let proctypes = system.proctypes.iter().map(|p| FrameLayout::new(&p.frame, head)).collect();
        let channels = system.channel_types.iter().map(|c| ChannelLayout::new(c, length));
        Layout {
            count,
            shape,
            last,
            event,
            monitors: monitor_sets,
            proctype,
            location,
            priority,
            length,
            globals,
            proctypes: IndexVec::from_vec(proctypes),
            channels: IndexVec::from_vec(channels.collect()),
        }
    }

    /// The proctype of the record at `at`.
    pub fn proctype_at(&self, vector: &[u8], at: u32) -> ProctypeId {
        let VectorField { offset, width } = self.proctype;
        ProctypeId::from_index(width.load(vector, at + offset) as usize)
    }

    /// The set of a monitor.
    pub fn monitor(&self, vector: &[u8], monitor: usize) -> u64 {
        let (at, n) = self.monitors[monitor];
        let mut bytes = [0; 8];
        bytes[..n as usize].copy_from_slice(&vector[at as usize..(at + n) as usize]);
        u64::from_le_bytes(bytes)
    }

    /// Sets the set of a monitor.
    pub fn set_monitor(&self, vector: &mut [u8], monitor: usize, set: u64) {
        let (at, n) = self.monitors[monitor];
        vector[at as usize..(at + n) as usize].copy_from_slice(&set.to_le_bytes()[..n as usize]);
    }
}

impl FrameLayout {
    fn new(frame: &Frame, head: u32) -> FrameLayout {
        let mut len = head;
        let cells = frame.cells.iter().map(|&ty| next_field(&mut len, ty)).collect();
        FrameLayout { cells, len, channels: channels_of(frame).collect() }
    }
}

impl ChannelLayout {
    fn new(ty: &resy_system::ChannelType, length: Width) -> ChannelLayout {
        let mut stride = 0;
        let fields = ty.fields.iter().map(|&ty| next_field(&mut stride, ty)).collect();
        let len = length.bytes() + ty.capacity * stride;
        ChannelLayout { capacity: ty.capacity, fields, types: ty.fields.clone(), stride, len }
    }
}

fn next_field(end: &mut u32, ty: CellType) -> VectorField {
    let width = Width::of(ty);
    let offset = *end;
    *end += width.bytes();
    VectorField { offset, width }
}
