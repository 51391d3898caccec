//! What components say to each other within one step.
//!
//! A step is run by one process, its *driver*. What it needs from another component
//! it asks for by a [`Request`], and the [`Reply`] is what that component says in its
//! present local state. All exchanges of a step together are its label: every
//! component that takes part can tell from its own state alone whether it agrees.

use crate::cut::PartId;
use resy_system::{BinaryOp, Cell, Expr, Offer, Place, Wish};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;

/// What a driver asks of another component, or tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// The value of a cell.
    Load(Cell),
    /// Whether a cell compares so with a number.
    Test(Cell, BinaryOp, i32),
    /// Stores a value.
    Store(Cell, i32),
    /// Stores the value of an expression in which the cell, as this place, is the only variable.
    Compute(Cell, Place, Expr),
    /// Whether the process lives.
    Alive,
    /// Where the process stands; 0 if it is dead.
    Location,
    /// Whether the number of the process's location compares so with a number.
    TestLocation(BinaryOp, i32),
    /// The number of messages in a channel.
    Len(usize),
    /// Whether the number of messages in a channel compares so with a number.
    TestLen(usize, BinaryOp, i32),
    /// The message in a slot of a channel.
    Slot(usize, usize),
    /// The message in a channel that a receive would take.
    Find(usize, Wish),
    /// Puts a message into a channel; sorted by the second, if there is one.
    Insert(usize, Vec<i32>, Option<Vec<i32>>),
    /// Takes a message out of a channel.
    Remove(usize, Wish),
    /// Takes the message of a slot out of a channel.
    RemoveSlot(usize, usize),
    /// Which slot of a channel in pieces holds the oldest message.
    Head(usize),
    /// A message was put behind the last one of a channel in pieces.
    Push(usize),
    /// The oldest message was taken out of a channel in pieces.
    Pop(usize),
    /// The youngest message was taken out of a channel in pieces.
    Shrink(usize),
    /// Puts a message into a slot of a channel in pieces.
    Put(usize, usize, Vec<i32>),
    /// Takes the message out of a slot of a channel in pieces.
    Free(usize, usize),
    /// Empties a channel whose process has died.
    Clear(usize),
    /// Whether the process stands ready to accept an offer, given what it had to ask others.
    Ready(Offer, ExchangeLog),
    /// The process that moved last.
    Last,
    /// Says who moved last.
    SetLast(i32),
    /// An event that the trace watches: a send (or receive), its channel and message.
    Event(bool, usize, Vec<i32>),
    /// The conditions of a claim that may have changed, with their values.
    Claim(Vec<(u32, bool)>),
}

/// What a component replies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// It was done.
    Done,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(i32),
    /// A message, if there is one; fields that nobody looks at are 0.
    Message(Option<Vec<i32>>),
    /// The answer depends on what another component says to this.
    Depends(PartId, Box<Request>),
}

/// The exchanges of a step, in their order.
pub type ExchangeLog = Vec<Rc<Exchange>>;

/// A request with its reply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exchange {
    /// Logs are compared and hashed all the time, exchanges are made once.
    hash: u64,
    /// The component that replies.
    pub part: PartId,
    /// What it was asked.
    pub request: Request,
    /// What it said.
    pub reply: Reply,
}

impl Exchange {
    /// A component is asked and replies.
    pub fn new(part: PartId, request: Request, reply: Reply) -> Self {
        let hash = FxBuildHasher.hash_one((part, &request, &reply));
        Self { hash, part, request, reply }
    }
}

impl Hash for Exchange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Request {
    /// Whether it may change the component, so that later questions are new ones.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::Store(..)
                | Self::Compute(..)
                | Self::Insert(..)
                | Self::Remove(..)
                | Self::RemoveSlot(..)
                | Self::Clear(_)
                | Self::Push(_)
                | Self::Pop(_)
                | Self::Shrink(_)
                | Self::Put(..)
                | Self::Free(..)
                | Self::SetLast(_)
                | Self::Event(..)
                | Self::Claim(_)
        )
    }
}
