//! Names of labels and states that a person can relate to the source.
//!
//! A label is named after its processes and what is done to shared objects, with the values: `P:
//! x:=2`, `S>R: q!3`. A state of a process is named after its line and its variables.

use crate::cut::{Cut, PartId, Role};
use crate::label::signature::StepStage;
use crate::step::reply::{DEAD, join, messages};
use crate::step::request::{Exchange, Reply, Request};
use resy_system::{BinaryOp, Cell, CellType, Expr, FieldQuery, MessageQuery, Offer, UnaryOp};
use std::rc::Rc;

/// The name of the steps with these stages.
pub fn action_name(cut: &Cut<'_>, stages: &[StepStage<'_>]) -> String {
    let actors: Vec<&str> =
        stages.iter().map(|stage| cut.parts[stage.part].name.as_str()).collect();
    let mut what: Vec<String> =
        stages.iter().filter_map(|stage| Some(offer_name(cut, stage.offer?))).collect();
    if let Some(last) = stages.last() {
        what.extend(exchanges(cut, last.log));
        what.extend(last.faults.iter().map(|kind| format!("error: {kind}")));
    }
    let actors = actors.join(">");
    if what.is_empty() { actors } else { format!("{actors}: {}", what.join("; ")) }
}

/// The names of the local states of a component, in their order.
pub fn state_names<'v>(
    cut: &Cut<'_>,
    id: PartId,
    locals: impl IntoIterator<Item = &'v [i32]>,
) -> impl Iterator<Item = String> {
    let part = &cut.parts[id];
    let own = part.process.map(|_| format!("{}.", part.name));
    let cell_name = |&cell: &Cell| {
        let name = cut.cell_name(cell);
        own.as_ref().and_then(|own| name.strip_prefix(own)).map(str::to_owned).unwrap_or(name)
    };
    let cells: Vec<String> = part.cells.iter().map(cell_name).collect();
    locals.into_iter().map(move |local| state_name(cut, id, &cells, local))
}

/// The name of a local state of a component whose cells have these names.
fn state_name(cut: &Cut<'_>, id: PartId, cells: &[String], local: &[i32]) -> String {
    let part = &cut.parts[id];
    match part.role {
        Role::Plain => {}
        Role::Last => return format!("_last={}", local[0]),
        Role::Ends(_) => return format!("{} from {}", local[1], local[0]),
        Role::Slot(chan, _) => {
            let fields = &cut.system().channel_types[cut.channels[chan].ty].fields;
            return message_name(cut, fields, local);
        }
        Role::Trace if local[1] != 0 => return "trace violated".to_owned(),
        Role::Trace => return format!("trace at {}", local[0]),
        Role::Claim(claim) => return claim_name(cut, claim, local),
    }
    let mut name = String::new();
    let mut word = |parts: [&str; 3]| {
        name.push_str(if name.is_empty() { "" } else { ", " });
        parts.into_iter().for_each(|part| name.push_str(part));
    };
    let mut at = 0;
    if let Some(pid) = part.process {
        word([&location_name(cut, pid, local[0]), "", ""]);
        at = 1;
    }
    for ((&cell, text), &value) in part.cells.iter().zip(cells).zip(&local[at..]) {
        word([text, "=", &value_name(cut, cell, value)]);
    }
    for &chan in &part.channels {
        let channel = cut.channels[chan];
        let fields = &cut.system().channel_types[channel.ty].fields;
        let inside = messages(local, channel).map(|m| message_name(cut, fields, m));
        let inside = inside.collect::<Vec<_>>().join(" ");
        word([&cut.channel_name(chan), "", &format!("[{inside}]")]);
    }
    name
}

/// The possible locations of a claim's monitor, and the conditions that hold.
fn claim_name(cut: &Cut<'_>, claim: usize, local: &[i32]) -> String {
    let bits = |set: u64| (0..u64::BITS).filter(move |bit| set >> bit & 1 == 1);
    let [valuation, set] = [join(local[0], local[1]), join(local[2], local[3])];
    let at: Vec<String> = bits(set).map(|location| location.to_string()).collect();
    let mut words = vec![format!("{} at {{{}}}", cut.claims[claim].monitor.name, at.join(","))];
    words.extend(bits(valuation).map(|number| cut.condition_name(claim, number)));
    words.join(", ")
}

/// A location's jump label, or else its line.
fn location_name(cut: &Cut<'_>, pid: usize, location: i32) -> String {
    if location == DEAD {
        return "dead".to_owned();
    }
    let (id, location) = cut.at(pid, location);
    let proctype = &cut.system().proctypes[id];
    if let Some((label, _)) = proctype.labels.iter().find(|(_, at)| *at == location) {
        return label.clone();
    }
    match proctype.edges[location].iter().map(|e| e.source.line).find(|&line| line > 0) {
        Some(line) => format!("line {line}"),
        None => "end".to_owned(),
    }
}

fn value_name(cut: &Cut<'_>, cell: Cell, value: i32) -> String {
    let system = cut.system();
    let (frame, offset) = match cell {
        Cell::Global(offset) => (&system.globals, offset),
        Cell::Local(pid, offset) => (&system.proctypes[cut.proctypes[pid as usize]].frame, offset),
    };
    let variable =
        frame.variables.iter().find(|v| (v.offset..v.offset + v.n_cells).contains(&offset));
    let ty = frame.cells.get(offset as usize).copied().unwrap_or(CellType::Int);
    typed_value(cut, ty, variable.and_then(|v| v.mtype.as_deref()), value)
}

fn typed_value(cut: &Cut<'_>, ty: CellType, subtype: Option<&str>, value: i32) -> String {
    match ty {
        CellType::Mtype => {
            let name = cut.system().mtype_name(subtype, value);
            name.map_or_else(|| value.to_string(), str::to_owned)
        }
        CellType::Chan if value >= 1 && (value as usize) <= cut.channels.len() => {
            cut.channel_name(value as usize - 1)
        }
        _ => value.to_string(),
    }
}

fn message_name(cut: &Cut<'_>, fields: &[CellType], message: &[i32]) -> String {
    let fields = fields.iter().zip(message);
    fields.map(|(&ty, &value)| typed_value(cut, ty, None, value)).collect::<Vec<_>>().join(",")
}

fn offer_name(cut: &Cut<'_>, offer: &Offer) -> String {
    let fields = &cut.system().channel_types[cut.channels[offer.chan].ty].fields;
    format!("{}!{}", cut.channel_name(offer.chan), message_name(cut, fields, &offer.message))
}

/// The exchanges, written as in Promela.
fn exchanges(cut: &Cut<'_>, log: &[Rc<Exchange>]) -> Vec<String> {
    let mut words = Vec::new();
    for (i, exchange) in log.iter().enumerate() {
        let of_part = |e: &&Rc<Exchange>| e.part == exchange.part;
        let next = log[i + 1..].iter().find(of_part);
        let is_prelude = match (&exchange.request, next.map(|e| &e.request)) {
            // A send asks first whether there is room, a receive what it would get.
            (Request::TestLen(chan, BinaryOp::Eq, _), Some(Request::Insert(other, ..))) => {
                chan == other && exchange.reply == Reply::Bool(false)
            }
            (Request::Find(chan, wish), Some(Request::Remove(other, same)))
                if chan == other && wish == same =>
            {
                words.push(receive_name(cut, *chan, wish, &exchange.reply, false));
                true
            }
            _ => false,
        };
        if !is_prelude {
            words.extend(exchange_name(cut, exchange));
        }
    }
    words
}

fn exchange_name(cut: &Cut<'_>, exchange: &Exchange) -> Option<String> {
    let yes = exchange.reply == Reply::Bool(true);
    let process = &cut.parts[exchange.part].name;
    let compared = |op: BinaryOp| symbol(if yes { op } else { op.negated() });
    Some(match &exchange.request {
        Request::Load(cell) => {
            let Reply::Number(value) = exchange.reply else {
                return None;
            };
            format!("{}=={}", cut.cell_name(*cell), value_name(cut, *cell, value))
        }
        Request::Test(cell, op, value) => {
            format!("{}{}{}", cut.cell_name(*cell), compared(*op), value_name(cut, *cell, *value))
        }
        Request::Store(cell, value) => {
            format!("{}:={}", cut.cell_name(*cell), value_name(cut, *cell, *value))
        }
        Request::Compute(cell, _, value) => {
            let name = cut.cell_name(*cell);
            match value {
                Expr::Binary(BinaryOp::Add, a, b) if is_old(a) && **b == Expr::Const(1) => {
                    format!("{name}++")
                }
                Expr::Binary(BinaryOp::Sub, a, b) if is_old(a) && **b == Expr::Const(1) => {
                    format!("{name}--")
                }
                value => format!("{name}:={}", expr_name(&name, value)),
            }
        }
        Request::Alive => format!("{}({process})", if yes { "alive" } else { "dead" }),
        Request::Runs => match exchange.reply {
            Reply::Number(0) => format!("dead({process})"),
            Reply::Number(_) => format!("alive({process})"),
            _ => return None,
        },
        Request::Born(_) => format!("run {process}"),
        Request::Location => match exchange.reply {
            Reply::Number(at) => at_name(cut, exchange, at),
            _ => return None,
        },
        Request::TestLocation(BinaryOp::Eq, at) if yes => at_name(cut, exchange, *at),
        Request::TestLocation(BinaryOp::Eq, at) => format!("!{}", at_name(cut, exchange, *at)),
        Request::TestLocation(op, at) => format!("{process}@{}{at}", compared(*op)),
        Request::Len(chan) => match exchange.reply {
            Reply::Number(len) => format!("len({})=={len}", cut.channel_name(*chan)),
            _ => return None,
        },
        Request::TestLen(chan, op, value) => len_name(cut, *chan, *op, *value, yes),
        Request::Slot(chan, slot) => match &exchange.reply {
            Reply::Message(Some(message)) => {
                let fields = &cut.system().channel_types[cut.channels[*chan].ty].fields;
                let message = message_name(cut, fields, message);
                format!("{}[{slot}]=={message}", cut.channel_name(*chan))
            }
            _ => format!("len({})<={slot}", cut.channel_name(*chan)),
        },
        Request::Find(chan, wish) => receive_name(cut, *chan, wish, &exchange.reply, true),
        Request::Insert(chan, message, sorted) => {
            let fields = &cut.system().channel_types[cut.channels[*chan].ty].fields;
            let sign = if sorted.is_some() { "!!" } else { "!" };
            format!("{}{sign}{}", cut.channel_name(*chan), message_name(cut, fields, message))
        }
        Request::Remove(..) => return None,
        Request::RemoveSlot(chan, slot) => format!("{}?[{slot}]", cut.channel_name(*chan)),
        Request::Put(chan, slot, message) => {
            let fields = &cut.system().channel_types[cut.channels[*chan].ty].fields;
            let message = message_name(cut, fields, message);
            format!("{}!{message} at {slot}", cut.channel_name(*chan))
        }
        Request::Free(chan, slot) => format!("{} frees {slot}", cut.channel_name(*chan)),
        Request::Head(_) | Request::Push(_) | Request::Pop(_) | Request::Shrink(_) => return None,
        Request::Clear(chan) => format!("{} dies", cut.channel_name(*chan)),
        Request::Ready(offer, _) => {
            let not = if yes { "" } else { "not " };
            format!("{process} {not}ready for {}", offer_name(cut, offer))
        }
        Request::Stuck(_) => match exchange.reply {
            Reply::Bool(stuck) => format!("{process} {}", if stuck { "waits" } else { "can move" }),
            _ => return None,
        },
        Request::Last => match exchange.reply {
            Reply::Number(last) => format!("_last=={last}"),
            _ => return None,
        },
        Request::SetLast(_) | Request::Event(..) => return None,
        Request::Claim(changes) => {
            let Role::Claim(claim) = cut.parts[exchange.part].role else { return None };
            let change = |&(number, holds): &(u32, bool)| {
                let truth = if holds { "" } else { " is false" };
                format!("{}{truth}", cut.condition_name(claim, number))
            };
            let changes: Vec<String> = changes.iter().map(change).collect();
            format!("{process}{{{}}}", changes.join(", "))
        }
    })
}

/// The location of a process: `P@label`.
fn at_name(cut: &Cut<'_>, exchange: &Exchange, at: i32) -> String {
    let part = &cut.parts[exchange.part];
    let label = part.process.map(|pid| cut.label(cut.proctypes[pid], at));
    format!("{}@{}", part.name, label.unwrap_or_else(|| at.to_string()))
}

fn is_old(expr: &Expr) -> bool {
    matches!(expr, Expr::Load(_))
}

/// An expression over one variable.
fn expr_name(variable: &str, expr: &Expr) -> String {
    let part = |e: &Expr| expr_name(variable, e);
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Unary(UnaryOp::Not, e) => format!("!{}", part(e)),
        Expr::Unary(UnaryOp::Neg, e) => format!("-{}", part(e)),
        Expr::Unary(UnaryOp::BitNot, e) => format!("~{}", part(e)),
        Expr::Binary(op, a, b) => format!("({}{}{})", part(a), symbol(*op), part(b)),
        Expr::Cond(c, a, b) => format!("({}->{}:{})", part(c), part(a), part(b)),
        _ => variable.to_owned(),
    }
}

/// The Promela symbol of an operator.
pub fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

fn len_name(cut: &Cut<'_>, chan: usize, op: BinaryOp, value: i32, yes: bool) -> String {
    let name = cut.channel_name(chan);
    let capacity = cut.system().channel_types[cut.channels[chan].ty].capacity as i32;
    match (op, value, yes) {
        (BinaryOp::Eq, 0, true) | (BinaryOp::Gt, 0, false) => format!("empty({name})"),
        (BinaryOp::Eq, 0, false) | (BinaryOp::Gt, 0, true) => format!("nempty({name})"),
        (BinaryOp::Eq, n, true) if n == capacity => format!("full({name})"),
        (BinaryOp::Eq, n, false) if n == capacity => format!("nfull({name})"),
        _ => format!("len({name}){}{value}", symbol(if yes { op } else { op.negated() })),
    }
}

/// A receive; in brackets if the message stays in the channel.
fn receive_name(
    cut: &Cut<'_>,
    chan: usize,
    wish: &MessageQuery,
    reply: &Reply,
    stays: bool,
) -> String {
    let types = &cut.system().channel_types[cut.channels[chan].ty].fields;
    let found = match reply {
        Reply::Message(message) => message.as_deref(),
        _ => None,
    };
    let field = |(i, (field, &ty)): (usize, (&FieldQuery, &CellType))| match (field, found) {
        (FieldQuery::Ignored, _) | (FieldQuery::Wanted, None) => "_".to_owned(),
        (FieldQuery::Is(value), _) => typed_value(cut, ty, None, *value),
        (FieldQuery::Wanted, Some(message)) => typed_value(cut, ty, None, message[i]),
    };
    let fields: Vec<String> = wish.fields.iter().zip(types).enumerate().map(field).collect();
    let (sign, name) = (if wish.random { "??" } else { "?" }, cut.channel_name(chan));
    match (found, stays) {
        (None, _) => format!("no {name}{sign}[{}]", fields.join(",")),
        (Some(_), true) => format!("{name}{sign}[{}]", fields.join(",")),
        (Some(_), false) => format!("{name}{sign}{}", fields.join(",")),
    }
}
