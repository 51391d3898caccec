//! One path from a control state to the next: the statements of a step, to the end of its `atomic`.
//!
//! The rules are those of the interpreter: an `else` is possible if no earlier edge is, an escape of
//! an `unless` comes before what it escapes from, `timeout` holds if no process can move, and a
//! process inside an `atomic` keeps control while it can move. Each of these conditions is tested on
//! the symbolic state, so that it becomes a part of the guard: nothing is approximated here.

use super::memory::{SymbolicContext, SymbolicMemory};
use resy_system::{
    Attempt, Command, Control, Edge, Expr, Interpreter, Memory, Move, SourcePlace, Step, Value,
    Violation, ViolationKind,
};

/// A block with more steps is refused: it loops.
const MOST_STEPS: usize = 500;

/// A path that was walked.
pub(crate) struct Walked<'c> {
    pub moves: Vec<(Move, Option<Move>)>,
    pub violations: Vec<Violation>,
    /// The state after it; `None` if a violation ended the run.
    pub memory: Option<SymbolicMemory<'c>>,
    pub texts: Vec<String>,
}

impl<'c> Walked<'c> {
    /// A path without a step of a process.
    pub fn standing(memory: SymbolicMemory<'c>, text: &str) -> Self {
        let (moves, violations) = (Vec::new(), Vec::new());
        Self { moves, violations, memory: Some(memory), texts: vec![text.to_owned()] }
    }
}

/// Walks along the choices of a path.
pub(crate) struct Walker<'w, 'c> {
    pub interpreter: &'w Interpreter<'w>,
    pub context: &'c SymbolicContext<'c>,
    /// The place of the statement that was tried last.
    pub source: SourcePlace,
}

impl<'c> Walker<'_, 'c> {
    /// The present path, beginning with an edge of a process; `None` if it cannot be taken.
    pub fn walk(
        &mut self,
        memory: SymbolicMemory<'c>,
        first: Move,
        timeout: bool,
    ) -> Value<Option<Walked<'c>>> {
        let mut walked =
            Walked { moves: Vec::new(), violations: Vec::new(), memory: None, texts: Vec::new() };
        if timeout && self.anyone_can_move(&memory)? {
            return Ok(None);
        }
        let Some(mut step) = self.take(&memory, first, timeout, &mut walked)? else {
            return Ok(None);
        };
        for _ in 0..MOST_STEPS {
            walked.moves.push((step.actor, step.partner));
            walked.violations.append(&mut step.violations);
            let Some((memory, control)) = step.next else { return Ok(Some(walked)) };
            let Control::Atomic(pid) = control else {
                return Ok(Some(Walked { memory: Some(memory), ..walked }));
            };
            step = match self.inside(&memory, pid, &mut walked)? {
                Some(Some(step)) => step,
                Some(None) => return Ok(Some(Walked { memory: Some(memory), ..walked })),
                None => return Ok(None),
            };
        }
        self.context.refuse("an atomic block that loops has no end that is known")
    }

    /// A step inside an `atomic`: `Some(None)` if the process has lost control, `None` if this choice
    /// is not possible.
    fn inside(
        &mut self,
        memory: &SymbolicMemory<'c>,
        pid: usize,
        walked: &mut Walked<'c>,
    ) -> Value<Option<Option<Step<SymbolicMemory<'c>>>>> {
        let n_edges = self.interpreter.edges_of(memory, pid)?.len();
        let choice = self.context.path.borrow_mut().choose(n_edges + 1);
        if choice == n_edges {
            return Ok((!self.can_move(memory, pid, false)?).then_some(None));
        }
        Ok(self.take(memory, Move { pid, edge: choice }, false, walked)?.map(Some))
    }

    /// Takes an edge; `None` if it is not possible.
    fn take(
        &mut self,
        memory: &SymbolicMemory<'c>,
        actor: Move,
        timeout: bool,
        walked: &mut Walked<'c>,
    ) -> Value<Option<Step<SymbolicMemory<'c>>>> {
        let edges = self.interpreter.edges_of(memory, actor.pid)?;
        let edge = &edges[actor.edge];
        self.source = edge.source;
        let mut notes = Vec::new();
        if !self.interpreter.may_move(memory, actor.pid, &mut notes) {
            return self.answered(notes).map(|()| None);
        }
        let Some(moved) = self.precedence(memory, actor, edges, timeout)? else { return Ok(None) };
        let attempt = self.interpreter.attempt(memory, actor, edge, moved, timeout, &mut notes);
        walked.violations.append(&mut notes);
        let step = match attempt {
            Attempt::Impossible => None,
            Attempt::Done(step) => Some(step),
            Attempt::Offers { offer, sender, violations } => {
                let n_processes = sender.n_processes()?;
                let others: Vec<usize> = (0..n_processes).filter(|&p| p != actor.pid).collect();
                let choice = self.context.path.borrow_mut().choose(others.len());
                let Some(&pid) = others.get(choice) else { return Ok(None) };
                let mut accepted = self.interpreter.accept(&sender, pid, &offer).steps;
                if accepted.is_empty() {
                    return Ok(None);
                }
                let choice = self.context.path.borrow_mut().choose(accepted.len());
                let mut step = accepted.swap_remove(choice);
                step.actor = actor;
                step.violations.splice(0..0, violations);
                Some(step)
            }
        };
        if let Some(step) = &step {
            self.answered(step.violations.clone())?;
            walked.texts.push(edge.text.clone());
        }
        Ok(step)
    }

    /// Whether an earlier edge is possible, where that matters; `None` if it forbids this one.
    fn precedence(
        &self,
        memory: &SymbolicMemory<'c>,
        actor: Move,
        edges: &[Edge],
        timeout: bool,
    ) -> Value<Option<bool>> {
        let (edge, earlier) = (&edges[actor.edge], &edges[..actor.edge]);
        for other in earlier.iter().filter(|e| e.escape.is_some() && e.escape != edge.escape) {
            if self.interpreter.could_take(memory, actor.pid, other, false, timeout)? {
                return Ok(None);
            }
        }
        let is_else = match &edge.command {
            Command::Else => true,
            Command::DStep(d_step) => matches!(d_step.guard, resy_system::DStepGuard::Else),
            _ => false,
        };
        if !is_else {
            return Ok(Some(false));
        }
        for other in earlier {
            if self.interpreter.could_take(memory, actor.pid, other, false, timeout)? {
                return Ok(None);
            }
        }
        Ok(Some(false))
    }

    /// Whether a process has a possible edge.
    fn can_move(&self, memory: &SymbolicMemory<'c>, pid: usize, timeout: bool) -> Value<bool> {
        let mut notes = Vec::new();
        if !self.interpreter.may_move(memory, pid, &mut notes) {
            return self.answered(notes).map(|()| false);
        }
        let mut could = false;
        for edge in self.interpreter.edges_of(memory, pid)? {
            // Without an earlier edge that is possible, an `else` is.
            could = self.interpreter.could_take(memory, pid, edge, could, timeout)?;
            if could {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some process can move without `timeout`.
    pub fn anyone_can_move(&self, memory: &SymbolicMemory<'c>) -> Value<bool> {
        for pid in 0..memory.n_processes()? {
            if self.can_move(memory, pid, false)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An error if the memory had no answer.
    fn answered(&self, violations: Vec<Violation>) -> Value<()> {
        let is_open = |violation: &Violation| violation.kind == ViolationKind::Unanswered;
        if violations.iter().any(is_open) { Err(ViolationKind::Unanswered) } else { Ok(()) }
    }
}

/// Whether what a command does may depend on `timeout`.
pub(crate) fn uses_timeout(edge: &Edge) -> bool {
    let mut found = false;
    edge.command.walk(&mut |expr| found |= matches!(expr, Expr::Timeout));
    found
}
