//! The exchanges of a step, expressed in terms of the state before the step.
//!
//! A step of the module must not block midway, so all its conditions are tested before its first effect.
//! A condition that follows a write is rewritten: after `x = x + 1` a test of `x` becomes a test of `x +
//! 1` truncated to its type, and after a send a channel has one more message.

use super::refusal::RewriteObstacle;
use super::vocabulary::{Vocabulary, truncated};
use resy_network::{Exchange, Reply, Request, symbol};
use resy_system::{BinaryOp, Cell, CellType, Expr, FieldQuery, MessageQuery};
use std::collections::BTreeMap;

/// A step expressed in terms of the state before it.
#[derive(Debug, Default)]
pub struct Foresight {
    /// The conditions, each of which is an expression.
    pub guards: Vec<String>,
    /// The effects, in order.
    pub effects: Vec<Effect>,
    /// Whether a condition is unsatisfiable.
    pub impossible: bool,
    /// The number of events that a trace observes.
    pub n_events: usize,
    cells: BTreeMap<Cell, Now>,
    channels: BTreeMap<usize, Changed>,
}

/// A statement with an effect.
#[derive(Debug)]
pub struct Effect {
    /// The statement.
    pub text: String,
    /// The condition under which the statement is enabled, if it can block.
    pub waits_for: Option<String>,
}

/// The value of a cell after a write.
#[derive(Debug)]
enum Now {
    Is(i32),
    Expr(String),
}

/// The changes of a channel within the step.
#[derive(Debug, Default)]
struct Changed {
    /// The messages that were appended.
    appended: Vec<Vec<i32>>,
    /// The number of messages that were inserted in order.
    sorted: usize,
    removed: usize,
    /// The number of messages before the step, if it was read.
    len: Option<i32>,
    /// The receive statement of the message that was found, and its poll expression.
    found: Option<(String, String)>,
}

impl Changed {
    fn is_touched(&self) -> bool {
        !self.appended.is_empty() || self.sorted > 0 || self.removed > 0
    }

    fn growth(&self) -> i32 {
        (self.appended.len() + self.sorted) as i32 - self.removed as i32
    }
}

impl Foresight {
    /// Adds the next exchange.
    pub fn see(
        &mut self,
        words: &Vocabulary<'_>,
        exchange: &Exchange,
    ) -> Result<(), RewriteObstacle> {
        let yes = exchange.reply == Reply::Bool(true);
        let as_said = |op: BinaryOp| if yes { op } else { op.negated() };
        match (&exchange.request, &exchange.reply) {
            (Request::Load(cell), Reply::Number(value)) => {
                self.compare(words, *cell, BinaryOp::Eq, *value)
            }
            (Request::Test(cell, op, value), _) => self.compare(words, *cell, as_said(*op), *value),
            (Request::Store(cell, value), _) => self.store(words, *cell, *value),
            (Request::Compute(cell, _, value), _) => self.compute(words, *cell, value),
            (Request::Len(chan), Reply::Number(len)) => {
                self.compare_len(words, *chan, BinaryOp::Eq, *len)
            }
            (Request::TestLen(chan, op, len), _) => {
                self.compare_len(words, *chan, as_said(*op), *len)
            }
            (Request::Find(chan, wish), Reply::Message(found)) => {
                self.find(words, *chan, wish, found.as_deref())
            }
            (Request::Slot(chan, slot), Reply::Message(message)) => {
                self.look_at(words, *chan, *slot, message.as_deref())
            }
            (Request::Insert(chan, message, sorted_by), _) => {
                self.insert(words, *chan, message, sorted_by.as_deref())
            }
            (Request::Remove(chan, _), _) | (Request::RemoveSlot(chan, 0), _) => self.remove(*chan),
            (Request::Event(..), _) => {
                self.n_events += 1;
                Ok(())
            }
            // The claim stays in the program and observes the step itself.
            (Request::Claim(_), _) => Ok(()),
            (Request::RemoveSlot(..), _) => Err(RewriteObstacle::InsideChannel),
            (Request::Clear(_), _) => Err(RewriteObstacle::Death),
            (Request::Last | Request::SetLast(_), _) => Err(RewriteObstacle::Counted),
            (
                Request::Head(_)
                | Request::Push(_)
                | Request::Pop(_)
                | Request::Shrink(_)
                | Request::Put(..)
                | Request::Free(..),
                _,
            ) => Err(RewriteObstacle::Pieces),
            _ => Err(RewriteObstacle::Remote),
        }
    }

    fn require(&mut self, guard: String) {
        if !self.guards.contains(&guard) {
            self.guards.push(guard);
        }
    }

    fn decide(&mut self, holds: bool) {
        self.impossible |= !holds;
    }

    fn compare(
        &mut self,
        words: &Vocabulary<'_>,
        cell: Cell,
        op: BinaryOp,
        value: i32,
    ) -> Result<(), RewriteObstacle> {
        let text = match self.cells.get(&cell) {
            Some(Now::Is(now)) => {
                let holds = op.compares(*now, value);
                self.decide(holds);
                return Ok(());
            }
            Some(Now::Expr(text)) => text.clone(),
            None => words.cell(cell)?,
        };
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if words.cell_type(cell) == CellType::Chan && !equality {
            return Err(RewriteObstacle::Unwritable);
        }
        let value = match equality && !self.cells.contains_key(&cell) {
            true => words.value_of(cell, value)?,
            false => words.value(words.cell_type(cell), value)?,
        };
        self.require(format!("{text} {} {value}", symbol(op)));
        Ok(())
    }

    fn store(
        &mut self,
        words: &Vocabulary<'_>,
        cell: Cell,
        value: i32,
    ) -> Result<(), RewriteObstacle> {
        let text = format!("{} = {}", words.cell(cell)?, words.value_of(cell, value)?);
        self.effects.push(Effect { text, waits_for: None });
        self.cells.insert(cell, Now::Is(value));
        Ok(())
    }

    fn compute(
        &mut self,
        words: &Vocabulary<'_>,
        cell: Cell,
        value: &Expr,
    ) -> Result<(), RewriteObstacle> {
        let name = words.cell(cell)?;
        let before = match self.cells.get(&cell) {
            Some(Now::Is(now)) => words.value(words.cell_type(cell), *now)?,
            Some(Now::Expr(text)) => text.clone(),
            None => name.clone(),
        };
        let now = truncated(words.cell_type(cell), &words.expr(value, &before)?);
        let text = format!("{name} = {}", words.expr(value, &name)?);
        self.effects.push(Effect { text, waits_for: None });
        self.cells.insert(cell, Now::Expr(now));
        Ok(())
    }

    fn compare_len(
        &mut self,
        words: &Vocabulary<'_>,
        chan: usize,
        op: BinaryOp,
        len: i32,
    ) -> Result<(), RewriteObstacle> {
        let name = words.channel(chan)?;
        let changed = self.channels.entry(chan).or_default();
        let before = len - changed.growth();
        if op == BinaryOp::Eq {
            changed.len = Some(before);
        }
        let capacity = words.capacity(chan);
        match op {
            // No channel can have this number of messages.
            BinaryOp::Eq if !(0..=capacity).contains(&before) => self.decide(false),
            BinaryOp::Ne if !(0..=capacity).contains(&before) => {}
            _ => self.require(len_test(&name, op, before, capacity)),
        }
        Ok(())
    }

    /// The result of a search for a receivable message. Only the first message can be tested by value;
    /// `??` tells whether some message matches, but not which one is first.
    fn find(
        &mut self,
        words: &Vocabulary<'_>,
        chan: usize,
        wish: &MessageQuery,
        found: Option<&[i32]>,
    ) -> Result<(), RewriteObstacle> {
        let name = words.channel(chan)?;
        let changed = self.channels.entry(chan).or_default();
        if changed.is_touched() {
            return Err(RewriteObstacle::InsideChannel);
        }
        let wants = wish.fields.contains(&FieldQuery::Wanted);
        if wish.random && found.is_some() && wants && words.capacity(chan) > 1 {
            return Err(RewriteObstacle::InsideChannel);
        }
        let types = words.fields(chan);
        let mut fields = Vec::new();
        for (i, &ty) in types.iter().enumerate() {
            fields.push(match (wish.fields.get(i), found) {
                (Some(&FieldQuery::Is(value)), _) => words.field(ty, value)?,
                (Some(FieldQuery::Wanted), Some(message)) => words.field(ty, message[i])?,
                _ => "_".to_owned(),
            });
        }
        let (sign, fields) = (if wish.random { "??" } else { "?" }, fields.join(","));
        match found {
            Some(_) => {
                let poll = format!("{name}{sign}[{fields}]");
                changed.found = Some((format!("{name}{sign}{fields}"), poll.clone()));
                self.require(poll);
            }
            None => self.require(format!("!({name}{sign}[{fields}])")),
        }
        Ok(())
    }

    /// The message in a slot: the first one, or one that this step appended.
    fn look_at(
        &mut self,
        words: &Vocabulary<'_>,
        chan: usize,
        slot: usize,
        message: Option<&[i32]>,
    ) -> Result<(), RewriteObstacle> {
        let name = words.channel(chan)?;
        let changed = self.channels.entry(chan).or_default();
        let behind = changed.len.and_then(|len| (slot as i32).checked_sub(len));
        if let Some(Ok(new)) = behind.map(usize::try_from)
            && changed.sorted == 0
            && changed.removed == 0
            && new < changed.appended.len()
        {
            let holds = message == Some(&changed.appended[new][..]);
            self.decide(holds);
            return Ok(());
        }
        if slot > 0 || changed.is_touched() {
            return Err(RewriteObstacle::InsideChannel);
        }
        match message {
            Some(message) => {
                let fields = words.message(chan, message)?;
                let poll = format!("{name}?[{fields}]");
                changed.found = Some((format!("{name}?{fields}"), poll.clone()));
                self.require(poll);
            }
            None => self.require(format!("len({name}) == 0")),
        }
        Ok(())
    }

    fn insert(
        &mut self,
        words: &Vocabulary<'_>,
        chan: usize,
        message: &[i32],
        sorted_by: Option<&[i32]>,
    ) -> Result<(), RewriteObstacle> {
        let name = words.channel(chan)?;
        let capacity = words.capacity(chan);
        let changed = self.channels.entry(chan).or_default();
        // Sorted sends compare values before truncation to the field types.
        let (sign, sent) = match sorted_by {
            Some(raw) => ("!!", raw),
            None => ("!", message),
        };
        let text = format!("{name}{sign}{}", words.message(chan, sent)?);
        let waits_for = len_test(&name, BinaryOp::Ne, capacity - changed.growth(), capacity);
        match sorted_by {
            Some(_) => changed.sorted += 1,
            None => changed.appended.push(message.to_vec()),
        }
        let loses = words.cut().interpreter.options().loss;
        self.effects.push(Effect { text, waits_for: (!loses).then_some(waits_for) });
        Ok(())
    }

    fn remove(&mut self, chan: usize) -> Result<(), RewriteObstacle> {
        let changed = self.channels.entry(chan).or_default();
        if changed.is_touched() {
            return Err(RewriteObstacle::InsideChannel);
        }
        let (text, poll) = changed.found.take().ok_or(RewriteObstacle::InsideChannel)?;
        changed.removed += 1;
        self.effects.push(Effect { text, waits_for: Some(poll) });
        Ok(())
    }
}

/// A comparison of the number of messages in a channel.
fn len_test(name: &str, op: BinaryOp, len: i32, capacity: i32) -> String {
    match (op, len) {
        (BinaryOp::Ne, n) if n == capacity => format!("len({name}) < {capacity}"),
        (BinaryOp::Ne | BinaryOp::Gt, 0) => format!("len({name}) > 0"),
        _ => format!("len({name}) {} {len}", symbol(op)),
    }
}
