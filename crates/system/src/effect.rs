//! The effect of a command that is possible.

use crate::SourcePlace;
use crate::command::{Choice, Command, DStep, Instruction, Pattern, PrintPart};
use crate::eval::View;
use crate::expr::{CellRef, Expr};
use crate::guard::contains_run;
use crate::interpreter::Interpreter;
use crate::memory::{Memory, Value};
use crate::message::Offer;
use crate::violation::{Violation, ViolationKind};
use std::cell::RefCell;
use std::fmt::Write;

/// A `d_step` that executes more instructions than this counts as endless.
const MAX_DSTEP_INSTRUCTIONS: u32 = 1_000_000;

/// A command that a process is executing on a copy of the state.
pub(crate) struct Effect<'a, M> {
    pub interpreter: &'a Interpreter<'a>,
    pub memory: M,
    pub pid: usize,
    pub timeout: bool,
    pub offer: Option<&'a Offer>,
    /// Where the statement stands.
    pub source: SourcePlace,
    /// Violations that do not end the run.
    pub violations: Vec<Violation>,
    /// What was printed.
    pub output: String,
}

impl<M: Memory> Effect<'_, M> {
    /// Runs `f` with this process's view of the state, collecting its notes.
    fn look<T>(&mut self, f: impl FnOnce(&View<'_, M>) -> Value<T>) -> Value<T> {
        self.look_with(Vec::new(), f)
    }

    fn look_with<T>(
        &mut self,
        runs: Vec<i32>,
        f: impl FnOnce(&View<'_, M>) -> Value<T>,
    ) -> Value<T> {
        let (runs, notes) = (RefCell::new(runs), RefCell::default());
        let view = self.interpreter.view(&self.memory, self.pid, &runs, &notes);
        let result = f(&View { timeout: self.timeout, offer: self.offer, ..view });
        for kind in notes.into_inner() {
            self.note(kind);
        }
        result
    }

    pub fn note(&mut self, kind: ViolationKind) {
        self.violations.push(Violation { kind, source: self.source });
    }

    /// Executes a command that is possible.
    pub fn perform(&mut self, command: &Command) -> Value<()> {
        match command {
            Command::Skip | Command::Else | Command::Event { .. } => {}
            Command::Guard(expr) => {
                if contains_run(expr) {
                    self.eval(expr)?;
                }
            }
            Command::Assign(place, expr) => {
                if !self.update(place, expr)? {
                    let value = self.eval(expr)?;
                    self.store(place, value)?;
                }
            }
            Command::Send { chan, sorted, args } => self.send(chan, *sorted, args)?,
            Command::Receive { chan, random, peek, patterns } => {
                self.receive(chan, *random, *peek, patterns)?;
            }
            Command::Assert(expr, text) => {
                let value = self.eval(expr)?;
                if !self.memory.truth(value)? {
                    self.note(ViolationKind::Assertion(text.clone()));
                }
            }
            Command::Print(parts) => self.print(parts)?,
            Command::SetPriority(pid, priority) => self.set_priority(pid, priority)?,
            Command::DStep(d_step) => self.run_d_step(d_step)?,
            Command::Exit => self.memory.remove_youngest()?,
        }
        Ok(())
    }

    /// Evaluates an expression, starting the processes that it runs.
    fn eval(&mut self, expr: &Expr) -> Value {
        let mut runs = Vec::new();
        if contains_run(expr) {
            let mut pending = Vec::new();
            expr.walk(&mut |e| {
                if let Expr::Run { proctype, args, priority } = e {
                    pending.push((*proctype, args, *priority));
                }
            });
            for (proctype, args, priority) in pending {
                let args =
                    self.look(|v| args.iter().map(|e| v.eval(e)).collect::<Value<Vec<_>>>())?;
                runs.push(self.interpreter.create(&mut self.memory, proctype, &args, priority)?);
            }
            runs.reverse();
        }
        self.look_with(runs, |v| v.eval(expr))
    }

    /// Executes `x = f(x)` without loading `x`, if the memory computes such updates itself.
    fn update(&mut self, place: &CellRef, expr: &Expr) -> Value<bool> {
        let old = |e: &Expr| matches!(e, Expr::Load(other) if other == place);
        if !expr.any(old) || expr.can_fail() || contains_run(expr) {
            return Ok(false);
        }
        let Some(cell) = self.look(|v| v.address(place))? else {
            return Ok(false);
        };
        if !self.memory.computes(cell) {
            return Ok(false);
        }
        let value = self.look(|v| v.partly(expr, &old))?;
        self.memory.compute(cell, place, &value)?;
        Ok(true)
    }

    fn store(&mut self, place: &CellRef, value: i32) -> Value<()> {
        if let Some(cell) = self.look(|v| v.address(place))? {
            let value = self.memory.fit(place.cell, value)?;
            self.memory.store(cell, value)?;
        }
        Ok(())
    }

    fn send(&mut self, chan: &Expr, sorted: bool, args: &[Expr]) -> Value<()> {
        let (chan, full) = self.look(|v| {
            let chan = v.channel(chan)?;
            if v.is_rendezvous(chan)? {
                return Err(ViolationKind::RendezvousInDStep);
            }
            Ok((chan, v.is_full(chan)?))
        })?;
        let (message, raw) = self.look(|v| v.outgoing(chan, args))?;
        if !full {
            self.memory.insert(chan, &message, sorted.then_some(&raw))?;
            self.observe_send(chan)?;
        }
        Ok(())
    }

    fn receive(
        &mut self,
        chan: &Expr,
        random: bool,
        peek: bool,
        patterns: &[Pattern],
    ) -> Value<()> {
        let offer = self.offer;
        let (chan, n_fields) = self.look(|v| {
            let chan = v.channel(chan)?;
            Ok((chan, v.channel_type(chan)?.fields.len()))
        })?;
        let found = match offer {
            Some(_) => None,
            None => Some(self.look(|v| {
                v.find_message(chan, random, patterns)?.ok_or(ViolationKind::BlockedDStep)
            })?),
        };
        if patterns.len() > n_fields {
            return Err(ViolationKind::ReceiveFields(patterns.len(), n_fields));
        }
        if patterns.len() < n_fields && !peek {
            self.note(ViolationKind::ReceiveFields(patterns.len(), n_fields));
        }
        let message: &[i32] = match (&found, offer) {
            (Some((found, _)), _) => &found.message,
            (None, Some(offer)) => &offer.message,
            (None, None) => &[],
        };
        // One after the other: `q?i,a[i]` uses the new value of `i`.
        for (pattern, &field) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.store(place, field)?;
            }
        }
        if !peek {
            self.observe_receive(chan, offer.map(|offer| &offer.message[..]))?;
            if let Some((found, query)) = found {
                self.memory.remove(chan, query.as_ref(), &found)?;
            }
        }
        self.offer = None;
        Ok(())
    }

    fn print(&mut self, parts: &[PrintPart]) -> Value<()> {
        for part in parts {
            let (PrintPart::Decimal(e)
            | PrintPart::Unsigned(e)
            | PrintPart::Hex(e)
            | PrintPart::Octal(e)
            | PrintPart::Char(e)
            | PrintPart::Mtype(e, _)) = part
            else {
                if let PrintPart::Text(text) = part {
                    self.output.push_str(text);
                }
                continue;
            };
            let value = self.eval(e)?;
            let system = self.interpreter.system;
            // Writing to a string cannot fail.
            let _ = match part {
                PrintPart::Unsigned(_) => write!(self.output, "{}", value as u32),
                PrintPart::Hex(_) => write!(self.output, "{value:x}"),
                PrintPart::Octal(_) => write!(self.output, "{value:o}"),
                PrintPart::Char(_) => write!(self.output, "{}", char::from(value as u8)),
                PrintPart::Mtype(_, subtype) => {
                    match system.mtype_name(subtype.as_deref(), value) {
                        Some(name) => write!(self.output, "{name}"),
                        None => write!(self.output, "{value}"),
                    }
                }
                _ => write!(self.output, "{value}"),
            };
        }
        Ok(())
    }

    fn set_priority(&mut self, pid: &Expr, priority: &Expr) -> Value<()> {
        let (pid, priority) = (self.eval(pid)?, self.eval(priority)?);
        let (pid, priority) = (self.memory.number(pid)?, self.memory.number(priority)?);
        let Ok(pid) = usize::try_from(pid) else {
            return Ok(());
        };
        if self.memory.proctype(pid)?.is_none() {
            return Ok(());
        }
        match u8::try_from(priority) {
            Ok(value) if value > 0 => self.memory.set_priority(pid, value),
            _ => Err(ViolationKind::Priority(priority)),
        }
    }

    fn run_d_step(&mut self, d_step: &DStep) -> Value<()> {
        let mut at = 0;
        for _ in 0..MAX_DSTEP_INSTRUCTIONS {
            at = match &d_step.code[at] {
                Instruction::Run { command, next, source } => {
                    self.source = *source;
                    if !self.possible(command)? {
                        return Err(ViolationKind::BlockedDStep);
                    }
                    self.perform(command)?;
                    *next
                }
                Instruction::Choose(options, source) => {
                    self.source = *source;
                    self.choose(options)?
                }
                Instruction::Jump(next) => *next,
                Instruction::End => return Ok(()),
            };
        }
        Err(ViolationKind::EndlessDStep)
    }

    /// Takes the first possible option.
    fn choose(&mut self, options: &[Choice]) -> Value<usize> {
        for option in options {
            match &option.guard {
                None => return Ok(option.next),
                Some(command) if self.possible(command)? => {
                    self.perform(command)?;
                    return Ok(option.next);
                }
                Some(_) => {}
            }
        }
        Err(ViolationKind::BlockedDStep)
    }

    fn possible(&mut self, command: &Command) -> Value<bool> {
        self.look(|v| v.possible(command))
    }
}
