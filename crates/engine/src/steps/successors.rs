//! The buffer that successors are written to.

use crate::vector::ShapeId;
use resy_index::Id;
use resy_system::{Control, Move, SourcePlace, Violation, ViolationKind};

/// One successor. The fields are narrow and in a fixed order because compiled code writes them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// The start of its vector in the buffer.
    pub start: u32,
    /// The number of its shape.
    pub shape: u32,
    /// The process that moves, and its edge.
    pub actor: [u16; 2],
    /// The receiver of a rendezvous and its edge; [`Record::NOBODY`] if there is none.
    pub partner: [u16; 2],
    /// The process that has control afterwards, plus one; 0 if all may move.
    pub control: u32,
    /// The [numbers](super::EdgeNumbers) of the edges of the mover and of the receiver; twice the mover's
    /// if there is no receiver.
    pub edges: [u32; 2],
}

impl Record {
    /// No partner.
    pub const NOBODY: u16 = u16::MAX;

    /// The move, and the move of the partner.
    pub fn moves(&self) -> (Move, Option<Move>) {
        let of = |[pid, edge]: [u16; 2]| Move { pid: pid.into(), edge: edge.into() };
        let partner = (self.partner[0] != Self::NOBODY).then(|| of(self.partner));
        (of(self.actor), partner)
    }

    /// The control afterwards.
    pub fn control(&self) -> Control {
        match self.control {
            0 => Control::Free,
            pid => Control::Atomic(pid as usize - 1),
        }
    }

    /// The shape of its vector.
    pub fn shape(&self) -> ShapeId {
        ShapeId::from_index(self.shape as usize)
    }
}

/// A violation found while looking for steps or taking one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The step in which it occurred; `None` for an edge that was not taken.
    pub step: Option<(Move, Option<Move>)>,
    /// The violation.
    pub violation: Violation,
}

/// Successors, with their vectors one after the other.
#[derive(Default)]
pub struct Successors {
    pub(crate) bytes: Vec<u8>,
    /// The records; those from `n` on are spare.
    pub(crate) records: Vec<Record>,
    pub(crate) n: usize,
    /// The number of bytes in use; those behind are spare.
    pub(crate) used: usize,
    /// The violations found.
    pub noted: Vec<Noted>,
}

impl Successors {
    /// An empty buffer.
    pub fn new() -> Successors {
        Successors::default()
    }

    /// Empties the buffer.
    pub fn clear(&mut self) {
        self.used = 0;
        self.n = 0;
        self.noted.clear();
    }

    /// The number of successors.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// A successor.
    pub fn record(&self, i: usize) -> Record {
        self.records[i]
    }

    /// The vector of a successor of length `len`.
    pub fn vector(&self, record: &Record, len: u32) -> &[u8] {
        &self.bytes[record.start as usize..(record.start + len) as usize]
    }

    /// The vector of a successor, mutable.
    pub fn vector_mut(&mut self, record: &Record, len: u32) -> &mut [u8] {
        &mut self.bytes[record.start as usize..(record.start + len) as usize]
    }

    /// Appends a successor. If the vectors together exceed four gigabytes, a violation is recorded: the
    /// states are too large.
    pub fn push(&mut self, mut record: Record, vector: &[u8]) {
        let end = self.used + vector.len();
        if u32::try_from(end).is_err() {
            let violation =
                Violation { kind: ViolationKind::TooLarge, source: SourcePlace::default() };
            return self.noted.push(Noted { step: Some(record.moves()), violation });
        }
        if self.bytes.len() < end {
            self.bytes.resize(end.next_power_of_two(), 0);
        }
        self.bytes[self.used..end].copy_from_slice(vector);
        record.start = self.used as u32;
        self.used = end;
        if self.records.len() == self.n {
            self.records.resize((2 * self.n).max(64), Record::default());
        }
        self.records[self.n] = record;
        self.n += 1;
    }

    /// Reserves room for `most` further successors in slots of this size.
    pub(crate) fn reserve(&mut self, most: usize, slot: usize) {
        let (bytes, records) = (self.used + (most + 1) * slot, self.n + most + 1);
        if self.bytes.len() < bytes {
            self.bytes.resize(bytes.next_power_of_two(), 0);
        }
        if self.records.len() < records {
            self.records.resize(records.next_power_of_two(), Record::default());
        }
    }
}
