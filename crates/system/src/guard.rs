//! Whether a command is possible, without executing it.

use crate::command::{Command, DStepGuard, Pattern};
use crate::eval::View;
use crate::expr::Expr;
use crate::memory::{Memory, Value};
use crate::violation::ViolationKind;

impl<M: Memory> View<'_, M> {
    /// Whether the process could run `command` now. In the middle of a
    /// rendezvous nothing but the matching receive is possible.
    pub fn possible(&self, command: &Command) -> Value<bool> {
        match command {
            Command::Receive { chan, random, peek, patterns } => {
                self.can_receive(chan, *random, *peek, patterns)
            }
            Command::DStep(d_step) => self.can_start(&d_step.guard),
            _ if self.offer.is_some() => Ok(false),
            Command::Skip
            | Command::Assign(..)
            | Command::Assert(..)
            | Command::Print(_)
            | Command::SetPriority(..) => Ok(true),
            Command::Else => Ok(!self.moved),
            Command::Guard(expr) => Ok(contains_run(expr) || self.holds(expr)?),
            Command::Send { chan, .. } => {
                let chan = self.channel(chan)?;
                Ok(self.options.loss || !self.is_full(chan)?)
            }
            Command::Exit => self.memory.is_youngest(self.pid),
            Command::Event { .. } => Ok(false),
        }
    }

    fn can_receive(
        &self,
        chan: &Expr,
        random: bool,
        peek: bool,
        patterns: &[Pattern],
    ) -> Value<bool> {
        let chan = self.channel(chan)?;
        match self.offer {
            Some(offer) => {
                Ok(!peek && offer.chan == chan && self.matches(&offer.message, patterns)?)
            }
            None if self.is_rendezvous(chan)? => {
                if peek {
                    self.notes.borrow_mut().push(ViolationKind::PollRendezvous);
                }
                Ok(false)
            }
            None => Ok(self.find_message(chan, random, patterns)?.is_some()),
        }
    }

    fn can_start(&self, guard: &DStepGuard) -> Value<bool> {
        match guard {
            DStepGuard::Always => Ok(self.offer.is_none()),
            DStepGuard::Else => Ok(self.offer.is_none() && !self.moved),
            DStepGuard::AnyOf(commands) => {
                // An `else` in the first selection counts as possible.
                let view = View { moved: false, ..*self };
                for command in commands {
                    if view.possible(command)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// Whether the expression starts a process.
pub(crate) fn contains_run(expr: &Expr) -> bool {
    match expr {
        Expr::Run { .. } => true,
        Expr::Const(_) | Expr::Load(_) => false,
        _ => expr.any(|e| matches!(e, Expr::Run { .. })),
    }
}
