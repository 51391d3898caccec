//! The value of an expression in a state, as one process sees it.

use crate::command::Pattern;
use crate::expr::{BinaryOp, Expr, Place, Probe, Scope, UnaryOp};
use crate::interpreter::Options;
use crate::message::Offer;
use crate::state::State;
use crate::system::{ProctypeId, System};
use crate::violation::ViolationKind;
use resy_index::Id;
use std::cell::RefCell;

/// The result of an evaluation; an error ends the run.
pub(crate) type Value<T = i32> = Result<T, ViolationKind>;

/// `enabled` may ask about a process whose guard asks `enabled` in turn; every
/// level multiplies the questions. (Spin goes on until its stack is full.)
const MAX_ENABLED_DEPTH: u32 = 4;

/// The pid of somebody who looks at a state from outside: a claim.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// A state as one process sees it while it looks for a move.
#[derive(Copy, Clone)]
pub(crate) struct View<'a> {
    pub system: &'a System,
    pub options: &'a Options,
    pub state: &'a State,
    /// The process that looks.
    pub pid: usize,
    /// Whether no process can move otherwise.
    pub timeout: bool,
    /// Whether an edge before this one could be taken, so that `else` cannot.
    pub moved: bool,
    /// The message that a rendezvous partner offers.
    pub offer: Option<&'a Offer>,
    /// The pids that the `run`s of the expression have given, in their order.
    pub runs: &'a RefCell<Vec<i32>>,
    /// What went wrong without ending the run.
    pub notes: &'a RefCell<Vec<ViolationKind>>,
    pub enabled_depth: u32,
}

impl<'a> View<'a> {
    /// The same state as another process sees it.
    pub fn of(self, pid: usize) -> View<'a> {
        View { pid, ..self }
    }

    /// The value of `expr`.
    pub fn eval(&self, expr: &Expr) -> Value {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, e) => unary(*op, self.eval(e)?),
            Expr::Binary(BinaryOp::And, a, b) => i32::from(self.holds(a)? && self.holds(b)?),
            Expr::Binary(BinaryOp::Or, a, b) => i32::from(self.holds(a)? || self.holds(b)?),
            Expr::Binary(op, a, b) => binary(*op, self.eval(a)?, self.eval(b)?)?,
            Expr::Cond(c, a, b) => self.eval(if self.holds(c)? { a } else { b })?,
            Expr::Run { .. } => self.runs.borrow_mut().pop().unwrap_or(1),
            Expr::Len(chan) => self.chan_len(self.channel(chan)?) as i32,
            Expr::Probe(probe, chan) => i32::from(self.probe(*probe, chan)?),
            Expr::Poll { chan, random, patterns } => self.poll(chan, *random, patterns)?,
            Expr::Enabled(pid) => i32::from(self.enabled(self.eval(pid)?)?),
            Expr::GetPriority(pid) => {
                let pid = self.eval(pid)?;
                self.process(pid).map_or(0, |p| i32::from(p.priority))
            }
            Expr::PcValue(pid) => {
                let pid = self.eval(pid)?;
                self.process(pid).map_or(0, |p| p.location.index() as i32)
            }
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(!self.at_progress()),
            Expr::Pid if self.pid == OUTSIDE => 0,
            Expr::Pid => self.pid as i32,
            Expr::ProcessCount => self.state.processes.len() as i32,
            Expr::Last => self.state.last as i32,
            Expr::Priority => {
                self.state.processes.get(self.pid).map_or(0, |p| i32::from(p.priority))
            }
            Expr::RemoteLocation { proctype, pid } => {
                let pid = self.remote(*proctype, pid.as_deref())?;
                self.process(pid).map_or(0, |p| p.location.index() as i32)
            }
            Expr::RemoteLoad { proctype, pid, place } => {
                let pid = self.remote(*proctype, pid.as_deref())?;
                match self.process(pid) {
                    Some(p) if p.proctype == *proctype => {
                        self.state.cells[p.base as usize + self.offset(place)?]
                    }
                    // A claim speaks about processes that come and go: spin reads 0.
                    None if self.pid == OUTSIDE => 0,
                    _ => return Err(ViolationKind::NoProcess(pid)),
                }
            }
        })
    }

    /// Whether `expr` is not zero.
    pub fn holds(&self, expr: &Expr) -> Value<bool> {
        Ok(self.eval(expr)? != 0)
    }

    fn load(&self, place: &Place) -> Value {
        Ok(self.address(place)?.map_or(0, |cell| self.state.cells[cell]))
    }

    /// The cell that `place` refers to; `None` for `_`.
    pub fn address(&self, place: &Place) -> Value<Option<usize>> {
        let base = match place.scope {
            Scope::Global => 0,
            Scope::Local => match self.state.processes.get(self.pid) {
                Some(process) => process.base as usize,
                None => return Err(ViolationKind::NoProcess(self.pid as i32)),
            },
            Scope::Nowhere => return Ok(None),
        };
        Ok(Some(base + self.offset(place)?))
    }

    fn offset(&self, place: &Place) -> Value<usize> {
        let mut offset = place.offset;
        for term in &place.indices {
            let index = self.eval(&term.index)?;
            match u32::try_from(index) {
                Ok(i) if i < term.len => offset += i * term.stride,
                _ => return Err(ViolationKind::Index(index, term.len)),
            }
        }
        Ok(offset as usize)
    }

    fn probe(&self, probe: Probe, chan: &Expr) -> Value<bool> {
        let chan = self.channel(chan)?;
        let (len, full) = (self.chan_len(chan), self.chan_full(chan));
        Ok(match probe {
            Probe::Full => full,
            Probe::NotFull => !full,
            Probe::Empty => len == 0,
            Probe::NotEmpty => len > 0,
        })
    }

    /// Whether a message could be received: 1, or for `??` with something to
    /// match the position of the message, counted from 1.
    fn poll(&self, chan: &Expr, random: bool, patterns: &[Pattern]) -> Value {
        let chan = self.channel(chan)?;
        if self.is_rendezvous(chan) {
            self.notes.borrow_mut().push(ViolationKind::PollRendezvous);
            return Ok(0);
        }
        let positional = random && patterns.iter().any(|p| matches!(p, Pattern::Match(_)));
        Ok(match self.find_message(chan, random, patterns)? {
            Some(slot) if positional => slot as i32 + 1,
            Some(_) => 1,
            None => 0,
        })
    }

    fn process(&self, pid: i32) -> Option<&crate::Process> {
        usize::try_from(pid).ok().and_then(|pid| self.state.processes.get(pid))
    }

    /// The process that a remote reference names: the given one, or the first
    /// of its proctype.
    fn remote(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Value {
        match pid {
            Some(pid) => self.eval(pid),
            None => {
                let first = self.state.processes.iter().position(|p| p.proctype == proctype);
                Ok(first.map_or(-1, |pid| pid as i32))
            }
        }
    }

    fn at_progress(&self) -> bool {
        self.state
            .processes
            .iter()
            .any(|p| self.system.proctypes[p.proctype].progress_locations[p.location])
    }

    /// Whether a process could take an edge, rendezvous partners left aside. Its
    /// `else` depends on whether the process that asks has moved: spin keeps one
    /// mark for both.
    pub fn enabled(&self, pid: i32) -> Value<bool> {
        if pid == self.pid as i32 || self.enabled_depth >= MAX_ENABLED_DEPTH {
            return Err(ViolationKind::EnabledOfSelf);
        }
        let Some(process) = self.process(pid) else {
            return Ok(false);
        };
        let view = View { pid: pid as usize, enabled_depth: self.enabled_depth + 1, ..*self };
        let edges = &self.system.proctypes[process.proctype].edges[process.location];
        for edge in edges {
            if view.possible(&edge.command)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn unary(op: UnaryOp, a: i32) -> i32 {
    match op {
        UnaryOp::Not => i32::from(a == 0),
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::BitNot => !a,
    }
}

fn binary(op: BinaryOp, a: i32, b: i32) -> Value {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Mod if b == 0 => return Err(ViolationKind::DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Mod => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        // C leaves amounts out of 0..32 open; we do what x86 does.
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Lt => i32::from(a < b),
        BinaryOp::Le => i32::from(a <= b),
        BinaryOp::Gt => i32::from(a > b),
        BinaryOp::Ge => i32::from(a >= b),
        BinaryOp::Eq => i32::from(a == b),
        BinaryOp::Ne => i32::from(a != b),
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
    })
}
