//! Requests and replies: what components exchange within one step.
//!
//! A step is run by one process, its *driver*. What the driver needs from another component it asks
//! for by a [`Request`]; the [`Reply`] depends on that component's present local state. All
//! exchanges of a step together are its label: every participant can decide from its own local
//! state whether it agrees.

use crate::cut::PartId;
use resy_system::{BinaryOp, Cell, CellRef, Expr, MessageQuery, Offer, ProctypeId};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;

/// A question of the driver to another component, or an order to change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Request {
    /// The value of a cell.
    Load(Cell),
    /// Whether a comparison of a cell with a number holds.
    Test(Cell, BinaryOp, i32),
    /// Stores a value.
    Store(Cell, i32),
    /// Stores the value of an expression whose only variable is the cell, at this place.
    Compute(Cell, CellRef, Expr),
    /// Whether the process is alive.
    Alive,
    /// The number of the proctype that the process runs, plus 1; 0 if it is dead.
    Runs,
    /// The process begins to run a proctype.
    Born(ProctypeId),
    /// The location of the process; 0 if it is dead.
    Location,
    /// Whether a comparison of the process's location with a number holds.
    TestLocation(BinaryOp, i32),
    /// The number of messages in a channel.
    Len(usize),
    /// Whether a comparison of a channel's length with a number holds.
    TestLen(usize, BinaryOp, i32),
    /// The message in a slot of a channel.
    Slot(usize, usize),
    /// The message that a receive would take from a channel.
    Find(usize, MessageQuery),
    /// Inserts a message into a channel; sorted by the second list, if there is one.
    Insert(usize, Vec<i32>, Option<Vec<i32>>),
    /// Removes the message that a receive takes from a channel.
    Remove(usize, MessageQuery),
    /// Removes the message in a slot of a channel.
    RemoveSlot(usize, usize),
    /// The slot of the oldest message of a channel in pieces.
    Head(usize),
    /// A message was appended to a channel in pieces.
    Push(usize),
    /// The oldest message was removed from a channel in pieces.
    Pop(usize),
    /// The youngest message was removed from a channel in pieces.
    Shrink(usize),
    /// Writes a message into a slot of a channel in pieces.
    Put(usize, usize, Vec<i32>),
    /// Empties a slot of a channel in pieces.
    Free(usize, usize),
    /// Empties a channel whose process has died.
    Clear(usize),
    /// Whether the process is ready to accept an offer, given what other components have replied.
    Ready(Offer, ExchangeLog),
    /// Whether the process cannot move, given what other components have replied.
    Stuck(ExchangeLog),
    /// The process that moved last.
    Last,
    /// Sets the process that moved last.
    SetLast(i32),
    /// An event that the trace watches: a send (or receive), its channel and message.
    Event(bool, usize, Vec<i32>),
    /// The conditions of a claim whose values may have changed, with these values.
    Claim(Vec<(u32, bool)>),
}

/// The reply of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// The request was carried out.
    Done,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(i32),
    /// A message, if there is one; fields that are not read are 0.
    Message(Option<Vec<i32>>),
    /// The answer depends on the reply of this component to this request.
    Depends(PartId, Box<Request>),
}

/// The exchanges of a step, in their order.
pub type ExchangeLog = Vec<Rc<Exchange>>;

/// A request with its reply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exchange {
    /// The hash of the rest: logs are compared and hashed often, exchanges are created once.
    hash: u64,
    /// The component that replies.
    pub part: PartId,
    /// The request.
    pub request: Request,
    /// The reply.
    pub reply: Reply,
}

impl Exchange {
    /// A request to a component, with its reply.
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
    /// Whether the request may change the component, so that earlier replies are no longer valid.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::Store(..)
                | Self::Compute(..)
                | Self::Insert(..)
                | Self::Remove(..)
                | Self::RemoveSlot(..)
                | Self::Clear(_)
                | Self::Born(_)
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
