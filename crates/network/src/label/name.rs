//! Names of labels that a person can relate to the source.
//!
//! A label is named after its processes and what is done to shared objects, with the values: `P:
//! x:=2`, `S>R: q!3`. What follows from the rest of a name is left out.

use super::value::{compared, message_name, value_name, wish_name};
use crate::cut::{Cut, Role};
use crate::label::implied::is_implied;
use crate::label::signature::StepStage;
use crate::step::request::{Exchange, Reply, Request};
use resy_system::{BinaryOp, Expr, MessageQuery, Offer, UnaryOp};
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
    let what = if what.is_empty() { "step".to_owned() } else { what.join("; ") };
    format!("{actors}: {what}")
}

fn offer_name(cut: &Cut<'_>, offer: &Offer) -> String {
    format!("{}!{}", cut.channel_name(offer.chan), message_name(cut, offer.chan, &offer.message))
}

/// The exchanges, written as in Promela.
fn exchanges(cut: &Cut<'_>, log: &[Rc<Exchange>]) -> Vec<String> {
    let mut words = Vec::new();
    for (i, exchange) in log.iter().enumerate() {
        let of_part = |e: &&Rc<Exchange>| e.part == exchange.part;
        let next = log[i + 1..].iter().find(of_part);
        let is_left_out = match (&exchange.request, next.map(|e| &e.request)) {
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
            _ => is_implied(log, i),
        };
        let word = if is_left_out { None } else { exchange_name(cut, exchange) };
        words.extend(word.filter(|word| !words.contains(word)));
    }
    words.extend(claims(cut, log));
    words
}

/// What the claims learn about the state after the step, unless the step's own values tell it.
fn claims(cut: &Cut<'_>, log: &[Rc<Exchange>]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for exchange in log {
        let (Request::Claim(changes), Role::Claim(claim)) =
            (&exchange.request, cut.parts[exchange.part].role)
        else {
            continue;
        };
        for &(number, holds) in changes {
            let word = cut.condition_text(claim, number, holds);
            if !words.contains(&word) && !cut.is_determined(claim, number, log) {
                words.push(word);
            }
        }
    }
    (!words.is_empty()).then(|| format!("then {}", words.join(" && ")))
}

fn exchange_name(cut: &Cut<'_>, exchange: &Exchange) -> Option<String> {
    let yes = exchange.reply == Reply::Bool(true);
    let process = &cut.parts[exchange.part].name;
    let answered = |op: BinaryOp| if yes { op } else { op.negated() };
    Some(match &exchange.request {
        Request::Load(cell) => {
            let Reply::Number(value) = exchange.reply else {
                return None;
            };
            format!("{}{}", cut.cell_name(*cell), compared(cut, *cell, BinaryOp::Eq, value))
        }
        Request::Test(cell, op, value) => {
            format!("{}{}", cut.cell_name(*cell), compared(cut, *cell, answered(*op), *value))
        }
        Request::Store(cell, value) => {
            format!("{}:={}", cut.cell_name(*cell), value_name(cut, *cell, *value))
        }
        Request::Compute(cell, _, value) => computed_name(&cut.cell_name(*cell), value),
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
        Request::TestLocation(op, at) => format!("{process}@{}{at}", symbol(answered(*op))),
        Request::Len(chan) => match exchange.reply {
            Reply::Number(len) => format!("len({})=={len}", cut.channel_name(*chan)),
            _ => return None,
        },
        Request::TestLen(chan, op, value) => len_name(cut, *chan, *op, *value, yes),
        Request::Slot(chan, slot) => match &exchange.reply {
            Reply::Message(Some(message)) => {
                let message = message_name(cut, *chan, message);
                format!("{}[{slot}]=={message}", cut.channel_name(*chan))
            }
            _ => format!("len({})<={slot}", cut.channel_name(*chan)),
        },
        Request::Find(chan, wish) => receive_name(cut, *chan, wish, &exchange.reply, true),
        Request::Insert(chan, message, sorted) => {
            let sign = if sorted.is_some() { "!!" } else { "!" };
            format!("{}{sign}{}", cut.channel_name(*chan), message_name(cut, *chan, message))
        }
        Request::Remove(..) => return None,
        Request::RemoveSlot(chan, slot) => format!("{}?[{slot}]", cut.channel_name(*chan)),
        Request::Put(chan, slot, message) => {
            let message = message_name(cut, *chan, message);
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
        Request::SetLast(_) | Request::Event(..) | Request::Claim(_) => return None,
    })
}

/// What a variable becomes, computed from what it was.
fn computed_name(name: &str, value: &Expr) -> String {
    match value {
        Expr::Binary(BinaryOp::Add, a, b) if is_old(a) && **b == Expr::Const(1) => {
            format!("{name}++")
        }
        Expr::Binary(BinaryOp::Sub, a, b) if is_old(a) && **b == Expr::Const(1) => {
            format!("{name}--")
        }
        value => format!("{name}:={}", expr_name(name, value)),
    }
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
    let found = match reply {
        Reply::Message(message) => message.as_deref(),
        _ => None,
    };
    let fields = wish_name(cut, chan, &wish.fields, found);
    let (sign, name) = (if wish.random { "??" } else { "?" }, cut.channel_name(chan));
    match (found, stays) {
        (None, _) => format!("no {name}{sign}[{fields}]"),
        (Some(_), true) => format!("{name}{sign}[{fields}]"),
        (Some(_), false) => format!("{name}{sign}{fields}"),
    }
}
