//! The interface between the semantics and the storage of a state.
//!
//! The semantics is written once, over the trait [`Memory`]. A whole [`State`] implements
//! every query. A component of a network stores a part of the state: it answers queries about
//! that part, and ends the step with [`ViolationKind::Unanswered`] at a query about another
//! part, which the caller then sends to its owner.
//!
//! [`State`]: crate::State

use crate::expr::{BinaryOp, CellRef, Expr, UnaryOp};
use crate::interpreter::Interpreter;
use crate::layout::CellType;
use crate::message::Offer;
use crate::system::{ChannelTypeId, LocationId, ProctypeId, System};
use crate::violation::ViolationKind;

/// The result of a query; an error ends the step.
pub type Value<T = i32> = Result<T, ViolationKind>;

/// A cell of the state, by its position in its frame.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Of the globals.
    Global(u32),
    /// Of a process.
    Local(u32, u32),
}

impl Cell {
    /// The cell so many places further on.
    pub(crate) fn plus(self, offset: u32) -> Self {
        match self {
            Self::Global(first) => Self::Global(first + offset),
            Self::Local(pid, first) => Self::Local(pid, first + offset),
        }
    }
}

/// What a receive requires of one field of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldQuery {
    /// The field must have this value.
    Is(i32),
    /// The value of the field is needed.
    Wanted,
    /// The field is not used.
    Ignored,
}

/// The message that a receive searches for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageQuery {
    /// `??`: anywhere in the channel, not at its head only.
    pub random: bool,
    /// The requirements on the first fields.
    pub fields: Vec<FieldQuery>,
}

/// A message that a receive has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMessage {
    /// Its slot; 0 if the memory does not know it.
    pub slot: usize,
    /// Its fields; those that were ignored may be missing or 0.
    pub message: Vec<i32>,
}

/// The storage of a state.
///
/// The semantics handles values as *words*. In most memories a word is a number. A memory of
/// symbolic values has words that name terms: it defines the operators on them, and may take
/// both answers to a question about one, in different runs of a step.
pub trait Memory: Clone {
    /// The value of a unary operator other than `!`.
    fn unary(&self, op: UnaryOp, a: i32) -> Value {
        Ok(op.apply(a))
    }
    /// The value of a binary operator other than `&&`, `||` and the comparisons.
    fn binary(&self, op: BinaryOp, a: i32, b: i32) -> Value {
        op.apply(a, b)
    }
    /// Whether a comparison holds.
    fn compare(&self, op: BinaryOp, a: i32, b: i32) -> Value<bool> {
        Ok(op.compares(a, b))
    }
    /// Whether a word is not zero.
    fn truth(&self, word: i32) -> Value<bool> {
        Ok(word != 0)
    }
    /// The number that a word is: a pid, a channel, an index.
    fn number(&self, word: i32) -> Value {
        Ok(word)
    }
    /// What a cell of this type holds after storing a word.
    fn fit(&self, ty: CellType, word: i32) -> Value {
        Ok(ty.truncate(word))
    }
    /// The element of an array that the memory indexes itself, `first` being that of index 0.
    fn element(&self, _first: Cell, _index: i32) -> Value<Option<Cell>> {
        Ok(None)
    }

    /// The number of living processes; their pids are below it.
    fn n_processes(&self) -> Value<usize>;
    /// Whether this process lives and no process is younger.
    fn is_youngest(&self, pid: usize) -> Value<bool> {
        Ok(pid + 1 == self.n_processes()?)
    }
    /// What a process runs; `None` if there is no such process.
    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>>;
    /// Where a living process stands.
    fn location(&self, pid: usize) -> Value<LocationId>;
    /// Compares the location number of a living process with `value`.
    fn test_location(&self, pid: usize, op: BinaryOp, value: i32) -> Value<bool> {
        self.compare(op, resy_index::Id::index(self.location(pid)?) as i32, value)
    }
    /// The priority of a living process.
    fn priority(&self, pid: usize) -> Value<u8>;
    /// The first process of a proctype.
    fn first_of(&self, proctype: ProctypeId) -> Value<Option<usize>> {
        for pid in 0..self.n_processes()? {
            if self.proctype(pid)? == Some(proctype) {
                return Ok(Some(pid));
            }
        }
        Ok(None)
    }
    /// `_last`.
    fn last(&self) -> Value;

    /// The value of a cell.
    fn load(&self, cell: Cell) -> Value;
    /// Compares the value of a cell with `value`.
    fn test(&self, cell: Cell, op: BinaryOp, value: i32) -> Value<bool> {
        self.compare(op, self.load(cell)?, value)
    }

    /// The type of a channel by its position; `None` if there is no such channel.
    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>>;
    /// The number of messages in a channel.
    fn channel_len(&self, chan: usize) -> Value<usize>;
    /// Compares the number of messages in a channel with `value`.
    fn test_len(&self, chan: usize, op: BinaryOp, value: i32) -> Value<bool> {
        self.compare(op, self.channel_len(chan)? as i32, value)
    }
    /// The message in a slot, if the slot is in use; slot 0 has the oldest message.
    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>>;
    /// The message that a receive would take.
    fn find(&self, chan: usize, query: &MessageQuery) -> Value<Option<FoundMessage>>;
    /// Whether a process other than the sender can accept an offered message.
    fn is_welcome(
        &self,
        interpreter: &Interpreter<'_>,
        sender: usize,
        offer: &Offer,
    ) -> Value<bool>;

    /// Whether updates of this cell are computed where it is stored, by [`Memory::compute`],
    /// instead of loading its value.
    fn computes(&self, _cell: Cell) -> bool {
        false
    }
    /// Stores the value of an expression in which the old value of the cell is the only variable.
    fn compute(&mut self, _cell: Cell, _place: &CellRef, _value: &Expr) -> Value<()> {
        Err(ViolationKind::Unanswered)
    }
    /// Stores a value that fits the cell.
    fn store(&mut self, cell: Cell, value: i32) -> Value<()>;
    /// Puts a message into a channel that is not full: at the end, or before the first
    /// that is greater than `sorted_by`.
    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()>;
    /// Removes a message: the one that [`Memory::find`] returned for this query, or without a
    /// query the one in the slot.
    fn remove(
        &mut self,
        chan: usize,
        query: Option<&MessageQuery>,
        found: &FoundMessage,
    ) -> Value<()>;
    /// Moves a process.
    fn move_to(&mut self, pid: usize, location: LocationId) -> Value<()>;
    /// Changes a priority.
    fn set_priority(&mut self, pid: usize, priority: u8) -> Value<()>;
    /// Sets `_last`.
    fn set_last(&mut self, pid: usize) -> Value<()>;
    /// Adds a process with zeroed cells, and its channels.
    fn add_process(&mut self, system: &System, proctype: ProctypeId, priority: u8) -> Value<usize>;
    /// Adds a channel to the youngest process, or to the globals if there is none.
    fn add_channel(&mut self, system: &System, ty: ChannelTypeId) -> Value;
    /// Removes the youngest process with its channels.
    fn remove_youngest(&mut self) -> Value<()>;

    /// The location of the event trace.
    fn event(&self) -> Value<LocationId>;
    /// Moves the event trace.
    fn set_event(&mut self, location: LocationId) -> Value<()>;
    /// Reports an event that the trace watches. Returns `true` if the memory moves the trace
    /// and reports its violations itself.
    fn tell(&mut self, _send: bool, _chan: usize, _message: &[i32]) -> Value<bool> {
        Ok(false)
    }
}
