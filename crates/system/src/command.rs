//! What an edge does: its guard and its effect in one.

use crate::expr::{CellRef, Expr};
use crate::system::SourcePlace;

/// The command of an edge. Most commands can block; a blocked command changes nothing.
#[derive(Clone, Debug)]
pub enum Command {
    /// Always possible, changes nothing: `skip`, `goto`, the end of a selection.
    Skip,
    /// Possible iff no earlier edge in the list of the location is.
    Else,
    /// Possible iff the expression is not zero; a `run` in the expression takes effect.
    Guard(Expr),
    /// `place = value`.
    Assign(CellRef, Expr),
    /// `chan!args`, `chan!!args`.
    Send {
        /// The channel.
        chan: Expr,
        /// `!!`.
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `chan?…` and its variants.
    Receive {
        /// The channel.
        chan: Expr,
        /// `??`.
        random: bool,
        /// `?<…>`: the message stays.
        peek: bool,
        /// The fields.
        patterns: Vec<Pattern>,
    },
    /// `assert`.
    Assert(Expr, String),
    /// `printf`, `printm`.
    Print(Vec<PrintPart>),
    /// `set_priority(pid, priority)`.
    SetPriority(Expr, Expr),
    /// `d_step`.
    DStep(Box<DStep>),
    /// An event of a `trace`: a send or receive that has just happened.
    Event {
        /// A send; otherwise a receive.
        send: bool,
        /// The channel.
        chan: Expr,
        /// The fields; bound values are dropped.
        patterns: Vec<Pattern>,
    },
    /// The end of a process: possible for the youngest process only.
    Exit,
}

/// One field of a receive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// The field is stored in this variable, or dropped.
    Bind(CellRef),
    /// The field must have this value.
    Match(Expr),
}

/// A piece of what `printf` prints.
#[derive(Clone, Debug)]
pub enum PrintPart {
    /// Literal text.
    Text(String),
    /// `%d`.
    Decimal(Expr),
    /// `%u`.
    Unsigned(Expr),
    /// `%x`.
    Hex(Expr),
    /// `%o`.
    Octal(Expr),
    /// `%c`.
    Char(Expr),
    /// `%e` and `printm`: a value of this `mtype` by its name.
    Mtype(Expr, Option<String>),
}

/// A `d_step`: a program that runs to its end in one step.
#[derive(Clone, Debug)]
pub struct DStep {
    /// When it can start.
    pub guard: DStepGuard,
    /// Its instructions; it starts at the first.
    pub code: Vec<Instruction>,
    /// Its place in the source.
    pub source: SourcePlace,
}

/// When a `d_step` can start. Spin looks at the first statement only and, if
/// that is a selection, at those of its options that are conditions, sends or
/// receives: an option that starts with an assignment does not count.
#[derive(Clone, Debug)]
pub enum DStepGuard {
    /// At any time.
    Always,
    /// Where `else` could be taken.
    Else,
    /// When one of these commands is possible.
    AnyOf(Vec<Command>),
}

/// An instruction of a `d_step`.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// Runs a command and continues at `next`; a command that blocks is an error.
    Run {
        /// The command.
        command: Command,
        /// The next instruction.
        next: usize,
        /// Its place in the source.
        source: SourcePlace,
    },
    /// Takes the first possible option; it is an error if no option is possible.
    Choose(Vec<Choice>, SourcePlace),
    /// Continues at another instruction.
    Jump(usize),
    /// The end.
    End,
}

/// An option of a selection in a `d_step`.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The command that must be possible; `None` if the option starts with
    /// something that spin does not test (a block, another selection, a jump).
    pub guard: Option<Command>,
    /// The next instruction.
    pub next: usize,
}

impl Pattern {
    /// Calls `visit` on all expressions in it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Bind(place) => place.walk(visit),
            Self::Match(e) => e.walk(visit),
        }
    }
}

impl Command {
    /// Calls `visit` on all expressions in it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Skip | Self::Else | Self::Exit => {}
            Self::Guard(e) | Self::Assert(e, _) => e.walk(visit),
            Self::Assign(place, e) => {
                place.walk(visit);
                e.walk(visit);
            }
            Self::Send { chan, args, .. } => {
                chan.walk(visit);
                args.iter().for_each(|e| e.walk(visit));
            }
            Self::Receive { chan, patterns, .. } | Self::Event { chan, patterns, .. } => {
                chan.walk(visit);
                patterns.iter().for_each(|p| p.walk(visit));
            }
            Self::Print(parts) => parts.iter().for_each(|p| p.walk(visit)),
            Self::SetPriority(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Self::DStep(d) => d.walk(visit),
        }
    }
}

impl PrintPart {
    fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Text(_) => {}
            Self::Decimal(e)
            | Self::Unsigned(e)
            | Self::Hex(e)
            | Self::Octal(e)
            | Self::Char(e)
            | Self::Mtype(e, _) => e.walk(visit),
        }
    }
}

impl DStep {
    fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        if let DStepGuard::AnyOf(commands) = &self.guard {
            commands.iter().for_each(|c| c.walk(visit));
        }
        for instruction in &self.code {
            match instruction {
                Instruction::Run { command, .. } => command.walk(visit),
                Instruction::Choose(options, _) => {
                    options.iter().filter_map(|o| o.guard.as_ref()).for_each(|c| c.walk(visit));
                }
                Instruction::Jump(_) | Instruction::End => {}
            }
        }
    }
}
