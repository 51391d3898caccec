//! The signature of a label: all its exchanges, as text.
//!
//! The name of a label is for people and omits what they would not miss. A signature omits nothing:
//! two classes of steps of a cut have the same signature only if they are the same class. It refers
//! to processes, variables and channels by name, so that a label can be found again in a program
//! that has changed elsewhere.

use crate::cut::support::Item;
use crate::cut::{Cut, PartId, Role};
use crate::step::request::{Exchange, Reply, Request};
use resy_system::{Cell, CellRef, Expr, MessageQuery, Offer, Scope, ViolationKind};
use std::rc::Rc;

/// What one process contributes to a step: all of it, or everything up to a send.
#[derive(Copy, Clone)]
pub struct StepStage<'c> {
    /// The process.
    pub part: PartId,
    /// The message that it offers.
    pub offer: Option<&'c Offer>,
    /// The exchanges up to this point, sorted by component.
    pub log: &'c [Rc<Exchange>],
    /// Whether an error leaves no next state.
    pub fails: bool,
    /// The violations.
    pub faults: &'c [ViolationKind],
    /// If it offers a message, the items that it has changed.
    pub touched: &'c [Item],
}

/// The signature of the steps with these stages.
pub fn signature(cut: &Cut<'_>, stages: &[StepStage<'_>]) -> String {
    let stages: Vec<String> = stages.iter().map(|stage| stage_text(cut, stage)).collect();
    stages.join(" > ")
}

fn stage_text(cut: &Cut<'_>, stage: &StepStage<'_>) -> String {
    let mut words = vec![part(cut, stage.part)];
    words.extend(stage.log.iter().map(|exchange| exchange_text(cut, exchange)));
    words.extend(stage.faults.iter().map(|kind| format!("fault {kind:?}")));
    words.extend(stage.fails.then(|| "fails".to_owned()));
    words.extend(stage.offer.map(|offer| format!("offers {}", offer_text(cut, offer))));
    words.extend(stage.touched.iter().map(|item| format!("touches {}", item_text(cut, item))));
    words.join("; ")
}

/// A component: its name, and whether it only watches. A claim may have the name of a variable.
fn part(cut: &Cut<'_>, id: PartId) -> String {
    let part = &cut.parts[id];
    match part.role {
        Role::Trace | Role::Claim(_) => format!("watcher {:?}", part.name),
        _ => format!("{:?}", part.name),
    }
}

fn exchange_text(cut: &Cut<'_>, exchange: &Exchange) -> String {
    let Exchange { part: id, request, reply, .. } = exchange;
    format!("{} {} = {}", part(cut, *id), request_text(cut, request), reply_text(cut, reply))
}

fn request_text(cut: &Cut<'_>, request: &Request) -> String {
    let cell = |c: &Cell| cell_text(cut, *c);
    let chan = |c: &usize| channel_text(cut, *c);
    match request {
        Request::Load(c) => format!("load {}", cell(c)),
        Request::Test(c, op, value) => format!("test {} {op:?} {value}", cell(c)),
        Request::Store(c, value) => format!("store {} {value}", cell(c)),
        Request::Compute(c, place, value) => compute_text(&cell(c), place, value),
        Request::Alive => "alive".to_owned(),
        Request::Runs => "runs".to_owned(),
        Request::Born(proctype) => {
            format!("born {:?}", cut.system().proctypes[*proctype].name)
        }
        Request::Location => "location".to_owned(),
        Request::TestLocation(op, at) => format!("location {op:?} {at}"),
        Request::Len(c) => format!("len {}", chan(c)),
        Request::TestLen(c, op, value) => format!("len {} {op:?} {value}", chan(c)),
        Request::Slot(c, slot) => format!("slot {} {slot}", chan(c)),
        Request::Find(c, wish) => format!("find {} {}", chan(c), wish_text(wish)),
        Request::Insert(c, message, sorted) => {
            format!("insert {} {message:?} {sorted:?}", chan(c))
        }
        Request::Remove(c, wish) => format!("remove {} {}", chan(c), wish_text(wish)),
        Request::RemoveSlot(c, slot) => format!("remove slot {} {slot}", chan(c)),
        Request::Head(c) => format!("head {}", chan(c)),
        Request::Push(c) => format!("push {}", chan(c)),
        Request::Pop(c) => format!("pop {}", chan(c)),
        Request::Shrink(c) => format!("shrink {}", chan(c)),
        Request::Put(c, slot, message) => format!("put {} {slot} {message:?}", chan(c)),
        Request::Free(c, slot) => format!("free {} {slot}", chan(c)),
        Request::Clear(c) => format!("clear {}", chan(c)),
        Request::Ready(offer, known) => {
            let known: Vec<String> = known.iter().map(|e| exchange_text(cut, e)).collect();
            format!("ready {} given [{}]", offer_text(cut, offer), known.join(", "))
        }
        Request::Stuck(known) => {
            let known: Vec<String> = known.iter().map(|e| exchange_text(cut, e)).collect();
            format!("stuck given [{}]", known.join(", "))
        }
        Request::Last => "last".to_owned(),
        Request::SetLast(pid) => format!("set last {pid}"),
        Request::Event(send, c, message) => {
            format!("{} {} {message:?}", if *send { "sent" } else { "received" }, chan(c))
        }
        Request::Claim(changes) => format!("claim {changes:?}"),
    }
}

fn reply_text(cut: &Cut<'_>, reply: &Reply) -> String {
    match reply {
        Reply::Done => "done".to_owned(),
        Reply::Bool(answer) => answer.to_string(),
        Reply::Number(value) => value.to_string(),
        Reply::Message(message) => format!("{message:?}"),
        Reply::Depends(id, request) => {
            format!("depends on {} {}", part(cut, *id), request_text(cut, request))
        }
    }
}

/// The cell is the only variable of the expression, so that its place adds only the type.
fn compute_text(cell: &str, place: &CellRef, value: &Expr) -> String {
    let plain = CellRef::cell(Scope::Global, 0, place.cell);
    format!("compute {cell} {:?} {:?}", place.cell, value.with_place(place, &plain))
}

fn wish_text(MessageQuery { random, fields }: &MessageQuery) -> String {
    format!("{}{fields:?}", if *random { "any " } else { "" })
}

fn offer_text(cut: &Cut<'_>, Offer { chan, message }: &Offer) -> String {
    format!("{} {message:?}", channel_text(cut, *chan))
}

fn item_text(cut: &Cut<'_>, item: &Item) -> String {
    match *item {
        Item::Cell(cell) => cell_text(cut, cell),
        Item::Channel(chan) => channel_text(cut, chan),
        Item::Process(pid) => format!("process {:?}", cut.process_name(pid)),
        Item::Last => "last".to_owned(),
    }
}

/// The variable of a cell, and the cell's index in it. Blocks may declare a name again; therefore
/// the text counts the declarations of the same name before it.
fn cell_text(cut: &Cut<'_>, cell: Cell) -> String {
    let (frame, owner, offset) = match cell {
        Cell::Global(offset) => (&cut.system().globals, String::new(), offset),
        Cell::Local(pid, offset) => {
            let frame = &cut.system().proctypes[cut.proctypes[pid as usize]].frame;
            (frame, format!("{:?}.", cut.process_name(pid as usize)), offset)
        }
    };
    if let Some(counter) = cut.counter_of(cell).filter(|&counter| counter != cell) {
        return format!("{owner}share of {}", cell_text(cut, counter));
    }
    let holds = |v: &resy_system::Variable| (v.offset..v.offset + v.n_cells).contains(&offset);
    let Some(at) = frame.variables.iter().position(holds) else {
        return format!("{owner}cell {offset}");
    };
    let variable = &frame.variables[at];
    let again = frame.variables[..at].iter().filter(|v| v.name == variable.name).count();
    format!("{owner}{:?}.{again}.{}", variable.name, offset - variable.offset)
}

/// A channel, by the variable that declares it.
fn channel_text(cut: &Cut<'_>, chan: usize) -> String {
    match cut.channel_cell(chan) {
        Some(cell) => format!("channel {}", cell_text(cut, cell)),
        None => format!("channel number {chan}"),
    }
}
