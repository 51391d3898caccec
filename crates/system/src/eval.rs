//! The value of an expression in a state, for one process.

use crate::command::Pattern;
use crate::expr::{BinaryOp, CellRef, Expr, Probe, Scope, UnaryOp};
use crate::interpreter::Options;
use crate::memory::{Cell, Memory, Value};
use crate::message::Offer;
use crate::system::{ProctypeId, System};
use crate::violation::ViolationKind;
use resy_index::Id;
use std::cell::RefCell;

/// The guard of a process that `enabled` tests may contain `enabled` itself, and every level
/// multiplies the work. (Spin recurses until its stack overflows.)
const MAX_ENABLED_DEPTH: u32 = 4;

/// The pid of an observer that is no process: a claim.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// A state from the point of view of one process that looks for a possible edge.
pub(crate) struct View<'a, M> {
    pub system: &'a System,
    pub options: &'a Options,
    pub memory: &'a M,
    /// The process.
    pub pid: usize,
    /// Whether no process can move otherwise.
    pub timeout: bool,
    /// Whether an edge before this one could be taken, so that `else` cannot.
    pub moved: bool,
    /// The message that a rendezvous partner offers.
    pub offer: Option<&'a Offer>,
    /// The pids of the processes that the `run`s of the expression have created, in order.
    pub runs: &'a RefCell<Vec<i32>>,
    /// Violations that do not end the run.
    pub notes: &'a RefCell<Vec<ViolationKind>>,
    pub enabled_depth: u32,
}

impl<M> Copy for View<'_, M> {}

impl<M> Clone for View<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Memory> View<'_, M> {
    /// The value of `expr`.
    pub fn eval(&self, expr: &Expr) -> Value {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(UnaryOp::Not, e) => i32::from(!self.holds(e)?),
            Expr::Unary(op, e) => self.memory.unary(*op, self.eval(e)?)?,
            Expr::Binary(BinaryOp::And, a, b) => i32::from(self.holds(a)? && self.holds(b)?),
            Expr::Binary(BinaryOp::Or, a, b) => i32::from(self.holds(a)? || self.holds(b)?),
            Expr::Binary(op, a, b) if op.is_comparison() => i32::from(self.compare(*op, a, b)?),
            Expr::Binary(op, a, b) => self.memory.binary(*op, self.eval(a)?, self.eval(b)?)?,
            Expr::Cond(c, a, b) => self.eval(if self.holds(c)? { a } else { b })?,
            Expr::Run { .. } => self.runs.borrow_mut().pop().unwrap_or(1),
            Expr::Len(chan) => self.memory.channel_len(self.channel(chan)?)? as i32,
            Expr::Probe(probe, chan) => i32::from(self.probe(*probe, chan)?),
            Expr::Poll { chan, random, patterns } => self.poll(chan, *random, patterns)?,
            Expr::Enabled(pid) => i32::from(self.enabled(self.eval(pid)?)?),
            Expr::GetPriority(pid) => match self.living(self.eval(pid)?)? {
                Some(pid) => i32::from(self.memory.priority(pid)?),
                None => 0,
            },
            Expr::PcValue(pid) => match self.living(self.eval(pid)?)? {
                Some(pid) => self.memory.location(pid)?.index() as i32,
                None => 0,
            },
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(!self.at_progress()?),
            Expr::Pid if self.pid == OUTSIDE => 0,
            Expr::Pid => self.pid as i32,
            Expr::ProcessCount => self.memory.n_processes()? as i32,
            Expr::Last => self.memory.last()?,
            Expr::Priority if self.pid == OUTSIDE => 0,
            Expr::Priority => i32::from(self.memory.priority(self.pid)?),
            Expr::RemoteLocation { proctype, pid } => {
                match self.living(self.remote(*proctype, pid.as_deref())?)? {
                    Some(pid) => self.memory.location(pid)?.index() as i32,
                    None => 0,
                }
            }
            Expr::RemoteLoad { proctype, pid, place } => {
                match self.remote_cell(*proctype, pid.as_deref(), place)? {
                    Some(cell) => self.memory.load(cell)?,
                    None => 0,
                }
            }
        })
    }

    /// Whether `expr` is not zero.
    pub fn holds(&self, expr: &Expr) -> Value<bool> {
        match expr {
            Expr::Unary(UnaryOp::Not, e) => Ok(!self.holds(e)?),
            Expr::Load(_) | Expr::RemoteLoad { .. } => {
                self.compare(BinaryOp::Ne, expr, &Expr::Const(0))
            }
            _ => self.memory.truth(self.eval(expr)?),
        }
    }

    /// A comparison. If one side is a single variable, the memory evaluates the comparison
    /// instead of returning the value: a component of a network then exchanges one bit with
    /// its owner instead of a number.
    fn compare(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Value<bool> {
        match (self.subject(a)?, b) {
            (Some(subject), _) => self.test(subject, op, self.eval(b)?),
            (
                None,
                Expr::Load(_)
                | Expr::RemoteLoad { .. }
                | Expr::RemoteLocation { .. }
                | Expr::Len(_),
            ) => {
                let value = self.eval(a)?;
                match self.subject(b)? {
                    Some(subject) => self.test(subject, op.flipped(), value),
                    None => self.memory.compare(op, value, self.eval(b)?),
                }
            }
            (None, _) => self.memory.compare(op, self.eval(a)?, self.eval(b)?),
        }
    }

    /// The single variable, length or location that an expression is the value of.
    fn subject(&self, expr: &Expr) -> Value<Option<Subject>> {
        Ok(match expr {
            Expr::Load(place) => self.address(place)?.map(Subject::Cell),
            Expr::RemoteLoad { proctype, pid, place } => {
                self.remote_cell(*proctype, pid.as_deref(), place)?.map(Subject::Cell)
            }
            Expr::RemoteLocation { proctype, pid } => {
                self.living(self.remote(*proctype, pid.as_deref())?)?.map(Subject::Location)
            }
            Expr::Len(chan) => Some(Subject::Len(self.channel(chan)?)),
            _ => None,
        })
    }

    fn test(&self, subject: Subject, op: BinaryOp, value: i32) -> Value<bool> {
        match subject {
            Subject::Cell(cell) => self.memory.test(cell, op, value),
            Subject::Location(pid) => self.memory.test_location(pid, op, value),
            Subject::Len(chan) => self.memory.test_len(chan, op, value),
        }
    }

    /// The expression with everything evaluated but what satisfies `kept`.
    pub fn partly(&self, expr: &Expr, kept: &dyn Fn(&Expr) -> bool) -> Value<Expr> {
        if !expr.any(kept) {
            return Ok(Expr::Const(self.eval(expr)?));
        }
        let part = |e: &Expr| self.partly(e, kept).map(Box::new);
        Ok(match expr {
            Expr::Unary(op, e) => Expr::Unary(*op, part(e)?),
            Expr::Binary(op, a, b) => Expr::Binary(*op, part(a)?, part(b)?),
            Expr::Cond(c, a, b) => Expr::Cond(part(c)?, part(a)?, part(b)?),
            whole if kept(whole) => whole.clone(),
            whole => Expr::Const(self.eval(whole)?),
        })
    }

    fn load(&self, place: &CellRef) -> Value {
        match self.address(place)? {
            Some(cell) => self.memory.load(cell),
            None => Ok(0),
        }
    }

    /// The cell that `place` refers to; `None` for `_`.
    pub fn address(&self, place: &CellRef) -> Value<Option<Cell>> {
        Ok(match place.scope {
            Scope::Global => Some(self.element(Cell::Global(place.offset), place)?),
            Scope::Local if self.pid == OUTSIDE => {
                return Err(ViolationKind::NoProcess(self.pid as i32));
            }
            Scope::Local => Some(self.element(Cell::Local(self.pid as u32, place.offset), place)?),
            Scope::Nowhere => None,
        })
    }

    /// The element that the indices of `place` select, `first` being that of index 0.
    fn element(&self, first: Cell, place: &CellRef) -> Value<Cell> {
        let mut offset = 0;
        for term in &place.indices {
            let index = self.eval(&term.index)?;
            if let Some(element) = self.memory.element(first, index)? {
                return Ok(element);
            }
            let index = self.memory.number(index)?;
            match u32::try_from(index) {
                Ok(i) if i < term.len => offset += i * term.stride,
                _ => return Err(ViolationKind::Index(index, term.len)),
            }
        }
        Ok(first.plus(offset))
    }

    fn probe(&self, probe: Probe, chan: &Expr) -> Value<bool> {
        let chan = self.channel(chan)?;
        match probe {
            Probe::Full => self.is_full(chan),
            Probe::NotFull => Ok(!self.is_full(chan)?),
            Probe::Empty => self.memory.test_len(chan, BinaryOp::Eq, 0),
            Probe::NotEmpty => self.memory.test_len(chan, BinaryOp::Gt, 0),
        }
    }

    /// Whether a message could be received: 1, or for `??` with something to
    /// match the position of the message, counted from 1.
    fn poll(&self, chan: &Expr, random: bool, patterns: &[Pattern]) -> Value {
        let chan = self.channel(chan)?;
        if self.is_rendezvous(chan)? {
            self.notes.borrow_mut().push(ViolationKind::PollRendezvous);
            return Ok(0);
        }
        if random && patterns.iter().any(|p| matches!(p, Pattern::Match(_))) {
            let found = self.find_by_slots(chan, random, patterns)?;
            return Ok(found.map_or(0, |found| found.slot as i32 + 1));
        }
        Ok(i32::from(self.find_message(chan, random, patterns)?.is_some()))
    }

    /// The process with this pid, if it lives.
    fn living(&self, pid: i32) -> Value<Option<usize>> {
        let Ok(pid) = usize::try_from(self.memory.number(pid)?) else {
            return Ok(None);
        };
        Ok(self.memory.proctype(pid)?.map(|_| pid))
    }

    /// The process that a remote reference names: the given one, or the first
    /// of its proctype.
    fn remote(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Value {
        match pid {
            Some(pid) => self.memory.number(self.eval(pid)?),
            None => Ok(self.memory.first_of(proctype)?.map_or(-1, |pid| pid as i32)),
        }
    }

    /// The cell of a remote reference. A claim may refer to a process that does not exist,
    /// and reads 0 then.
    fn remote_cell(
        &self,
        proctype: ProctypeId,
        pid: Option<&Expr>,
        place: &CellRef,
    ) -> Value<Option<Cell>> {
        let pid = self.remote(proctype, pid)?;
        let runs = match usize::try_from(pid) {
            Ok(pid) => self.memory.proctype(pid)?,
            Err(_) => None,
        };
        match runs {
            Some(runs) if runs == proctype => {
                self.element(Cell::Local(pid as u32, place.offset), place).map(Some)
            }
            None if self.pid == OUTSIDE => Ok(None),
            _ => Err(ViolationKind::NoProcess(pid)),
        }
    }

    fn at_progress(&self) -> Value<bool> {
        for pid in 0..self.memory.n_processes()? {
            if let Some(proctype) = self.memory.proctype(pid)? {
                let proctype = &self.system.proctypes[proctype];
                if proctype.progress_locations[self.memory.location(pid)?] {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a process could take an edge, ignoring rendezvous partners. Its `else` depends
    /// on whether the process that evaluates `enabled` had a possible edge: spin uses one flag
    /// for both.
    pub fn enabled(&self, pid: i32) -> Value<bool> {
        if pid == self.pid as i32 || self.enabled_depth >= MAX_ENABLED_DEPTH {
            return Err(ViolationKind::EnabledOfSelf);
        }
        let Some(pid) = self.living(pid)? else {
            return Ok(false);
        };
        let view = View { pid, enabled_depth: self.enabled_depth + 1, ..*self };
        let Some(proctype) = self.memory.proctype(pid)? else {
            return Ok(false);
        };
        for edge in &self.system.proctypes[proctype].edges[self.memory.location(pid)?] {
            if view.possible(&edge.command)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What the memory can compare with a number.
enum Subject {
    Cell(Cell),
    Location(usize),
    Len(usize),
}
