//! Compiled steps: the commands of a system as machine code.
//!
//! For every proctype two functions are compiled with Cranelift, when the search
//! starts: the steps of a process, and its answers to a rendezvous. They read a state
//! vector, and write each successor into a slot of a buffer, guards before effects,
//! without allocation. Whatever is rare or goes wrong (an error, a failed assertion,
//! priorities) is left to the interpreter: a function that meets it *bails*, what
//! it has written is taken back, and the process is asked again the slow way. So
//! there is one definition of every error, and compiled code knows only the usual case.

mod channel;
mod command;
mod dstep;
mod emit;
mod expr;
mod facts;
mod frames;
mod native;
mod proctype;
mod translate;

use crate::steps::{Interpreted, Record, Stepper, Successors};
use crate::vector::{Layout, ShapeId, Shapes};
use native::{BAIL, Context, Inner, ValuationFn};
use resy_index::Id;
use resy_system::{Command, Control, Edge, Expr, Interpreter, State, System};

/// Steps made by compiled code.
pub struct Compiled<'a> {
    /// The interpreter, for what was not compiled.
    slow: Interpreted<'a>,
    inner: Box<Inner>,
    context: Box<Context>,
    valuation: Option<ValuationFn>,
    uses_timeout: bool,
    /// How many successors one process can have.
    fan_out: FanOut,
    /// The most that a `run` can add to a vector.
    growth: usize,
    /// The state, with room to be read in pieces.
    state: Vec<u8>,
    /// Keeps the code in memory.
    _code: translate::Code,
}

/// Room for more successors of one process is not made: the interpreter needs none.
const MOST_ROOM: usize = 1 << 26;

/// How many successors one process can have: an edge has one, but the offer of a
/// rendezvous may be accepted by everybody.
struct FanOut {
    edges: usize,
    /// The most sends and receives at one location, if there are rendezvous channels.
    sends: usize,
    receives: usize,
}

impl FanOut {
    fn of(system: &System) -> FanOut {
        let most = |counts: fn(&Command) -> bool| {
            let locations = system.proctypes.iter().flat_map(|p| p.edges.iter());
            let count = |edges: &Vec<Edge>| edges.iter().filter(|e| counts(&e.command)).count();
            locations.map(count).max().unwrap_or(0)
        };
        let rendezvous = system.channel_types.iter().any(|c| c.capacity == 0);
        let offers = if rendezvous { most(|c| matches!(c, Command::Send { .. })) } else { 0 };
        FanOut {
            edges: most(|_| true),
            sends: offers,
            receives: most(|c| matches!(c, Command::Receive { .. })),
        }
    }

    /// The most successors of one process among `n`.
    fn most(&self, n: usize) -> usize {
        self.edges + self.sends * self.receives * n
    }
}

impl<'a> Compiled<'a> {
    /// Compiles a system; `None` if this machine has no compiler or the system uses
    /// priorities, which change with every step who may move.
    pub fn new(
        interpreter: Interpreter<'a>,
        monitors: &[u32],
        conditions: &[Expr],
    ) -> Option<Self> {
        let system = interpreter.system();
        if system.uses_priority {
            return None;
        }
        let slow = Interpreted::new(interpreter, monitors);
        let layout = slow.layout.clone();
        let shapes = Shapes::new(&layout);
        let translated =
            translate::translate(&slow.interpreter, &layout, &shapes, conditions).ok()?;
        let longest = |p: &crate::vector::FrameLayout| {
            p.len + p.channels.iter().map(|&c| layout.channels[c].len).sum::<u32>()
        };
        let growth = layout.proctypes.iter().map(longest).max().unwrap_or(0) as usize;
        let inner = Box::new(Inner {
            functions: translated.functions,
            accepts: translated.accepts,
            listeners: Vec::new(),
            templates: frames::Templates::new(system, &layout),
            max_processes: 10_000,
            layout,
            shapes,
        });
        Some(Self {
            slow,
            inner,
            context: Box::new(Context::new()),
            valuation: translated.valuation,
            uses_timeout: translated.uses_timeout,
            fan_out: FanOut::of(system),
            growth,
            state: Vec::new(),
            _code: translated.code,
        })
    }

    /// Points the context to the state and makes room for the successors of a process.
    fn set_up(&mut self, shape: ShapeId, out: &mut Successors) {
        self.context.inner = &mut *self.inner;
        let shape_id = shape;
        let shape = &self.inner.shapes[shape];
        let n = shape.proctypes.len();
        let len = (shape.len as usize).next_multiple_of(16);
        let slot = (len + self.growth).next_multiple_of(16);
        let most = self.fan_out.most(n);
        let context = &mut *self.context;
        context.len = len as u64;
        context.slot = slot as u64;
        context.processes = shape.processes.as_ptr();
        context.channels = shape.channels.as_ptr();
        context.n_channels = shape.channels.len() as u32;
        context.n_processes = n as u32;
        context.shape = shape_id.index() as u32;
        out.reserve(most.min(MOST_ROOM / slot), slot);
        context.slots = out.bytes.as_mut_ptr();
        context.next = out.bytes[out.used..].as_mut_ptr();
        context.record = out.records[out.n..].as_mut_ptr();
    }

    /// Asks one process.
    fn ask(&mut self, pid: usize, timeout: bool, shape: ShapeId, out: &mut Successors) {
        let most = self.fan_out.most(self.context.n_processes as usize);
        if most * self.context.slot as usize > MOST_ROOM {
            return self.ask_slowly(pid, timeout, shape, out);
        }
        if out.reserve(most, self.context.slot as usize) {
            self.context.slots = out.bytes.as_mut_ptr();
            self.context.next = out.bytes[out.used..].as_mut_ptr();
            self.context.record = out.records[out.n..].as_mut_ptr();
        }
        let at = self.inner.shapes[shape].processes[pid];
        if native::step(&mut self.context, &self.state, at, pid, timeout) == BAIL {
            self.context.next = out.bytes[out.used..].as_mut_ptr();
            self.context.record = out.records[out.n..].as_mut_ptr();
            self.ask_slowly(pid, timeout, shape, out);
            return;
        }
        out.used = self.context.next as usize - self.context.slots as usize;
        out.n =
            (self.context.record as usize - out.records.as_ptr() as usize) / size_of::<Record>();
    }

    fn ask_slowly(&mut self, pid: usize, timeout: bool, shape: ShapeId, out: &mut Successors) {
        let state = self.unpack(&self.state, shape);
        let steps = self.slow.interpreter.steps_of(&state, pid, timeout);
        let len = self.inner.shapes[shape].len as usize;
        self.slow.write_with(&mut self.inner.shapes, &self.state[..len], steps, out);
        // Shapes may have moved, and so may the buffer.
        self.set_up(shape, out);
    }

    fn take_in(&mut self, vector: &[u8]) {
        self.state.clear();
        self.state.extend_from_slice(vector);
        self.state.resize(vector.len().next_multiple_of(16) + 16, 0);
    }
}

impl Stepper for Compiled<'_> {
    fn interpreter(&self) -> &Interpreter<'_> {
        &self.slow.interpreter
    }

    fn layout(&self) -> &Layout {
        &self.inner.layout
    }

    fn shapes(&mut self) -> &mut Shapes {
        &mut self.inner.shapes
    }

    fn expand(&mut self, vector: &[u8], shape: ShapeId, control: Control, out: &mut Successors) {
        self.take_in(vector);
        self.context.listening = false;
        self.set_up(shape, out);
        if let Control::Atomic(pid) = control {
            self.ask(pid, false, shape, out);
            return;
        }
        let before = out.n;
        let n = self.inner.shapes[shape].proctypes.len();
        (0..n).rev().for_each(|pid| self.ask(pid, false, shape, out));
        if out.n == before && self.uses_timeout {
            (0..n).rev().for_each(|pid| self.ask(pid, true, shape, out));
        }
    }

    fn layout_and_shapes(&mut self) -> (&Layout, &mut Shapes) {
        (&self.inner.layout, &mut self.inner.shapes)
    }

    fn unpack(&self, vector: &[u8], shape: ShapeId) -> State {
        let system = self.slow.interpreter.system();
        self.inner.layout.unpack(system, &self.inner.shapes[shape], vector)
    }

    fn valuation(&mut self, vector: &[u8], shape: ShapeId) -> Option<u64> {
        let function = self.valuation?;
        self.take_in(vector);
        let (places, context) = (&self.inner.shapes[shape], &mut *self.context);
        context.processes = places.processes.as_ptr();
        context.channels = places.channels.as_ptr();
        context.n_channels = places.channels.len() as u32;
        context.n_processes = places.proctypes.len() as u32;
        native::valuation(context, function, &self.state)
    }
}
