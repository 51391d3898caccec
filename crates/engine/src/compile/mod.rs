//! Compiled steps: the commands of a system as machine code.
//!
//! When the search starts, two functions per proctype are compiled with Cranelift: the steps of a process,
//! and its answers to a rendezvous. They read a state vector and write each successor into a slot of a
//! buffer, guards before effects, without allocation. A third function takes the further steps inside an
//! `atomic` while there is no choice. Whatever is rare or goes wrong (an error, a failed assertion,
//! priorities) is left to the interpreter: the function *bails*, what it has written is discarded, and the
//! steps of the process are interpreted. Every error is therefore defined once, and compiled code handles
//! only the usual case.

mod advance;
mod channel;
mod chunks;
mod command;
mod dstep;
mod emit;
mod expr;
mod facts;
mod frames;
mod message;
mod native;
mod proctype;
mod translate;

use crate::steps::{Interpreted, Record, Stepper, Successors};
use crate::vector::{Layout, Shape, ShapeId, Shapes};
use advance::Advance;
use native::{BAIL, Context, Inner, StepFn, ValuationFn};
use resy_index::Id;
use resy_system::{Command, Control, Edge, Expr, Interpreter, State, System};

/// Steps made by compiled code.
pub struct Compiled<'a> {
    /// The interpreter, for what is not compiled.
    slow: Interpreted<'a>,
    inner: Box<Inner>,
    context: Box<Context>,
    valuation: Option<ValuationFn>,
    uses_timeout: bool,
    /// The number of successors that one process can have.
    fan_out: FanOut,
    /// The most bytes that a `run` can add to a vector.
    growth: usize,
    /// While the next slot and record are before these addresses, there is room for the successors of one more
    /// process.
    room: (usize, usize),
    /// The calls for a state of each shape, as far as they are known.
    drivers: Vec<Option<Driver>>,
    /// The state, padded so that it can be read in pieces of 16 bytes.
    state: Vec<u8>,
    /// Owns the memory of the code.
    _code: translate::CompiledCode,
}

/// The most bytes reserved for the successors of one process; beyond that they are interpreted.
const MOST_ROOM: usize = 1 << 26;

/// The calls of compiled functions for a state of one shape.
struct Driver {
    /// The function and the start of the record of each process, the youngest first.
    calls: Vec<(StepFn, u32)>,
    /// The number of successors that the state can have.
    most: usize,
    /// The number of bytes of a slot, and whether there can be room for all successors at once.
    slot: usize,
    fits: bool,
}

/// If the successors of a state take at most this many bytes, there is room for all of them before the first call.
const ROOM_AT_ONCE: usize = 1 << 18;

/// The number of successors that one process can have: an edge has one, but the offer of a rendezvous may
/// be accepted by every other process.
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

    /// The most successors of one of `n` processes.
    fn most(&self, n: usize) -> usize {
        self.edges + self.sends * self.receives * n
    }
}

impl<'a> Compiled<'a> {
    /// Compiles a system; `None` if there is no compiler for this machine, if the system uses
    /// priorities, with which every step changes who may move, or if `go_on` does not permit it.
    pub fn new(
        interpreter: Interpreter<'a>,
        monitors: &[u32],
        conditions: &[Expr],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let system = interpreter.system();
        if system.uses_priority {
            return None;
        }
        let slow = Interpreted::new(interpreter, monitors);
        let layout = slow.layout.clone();
        let shapes = Shapes::new(&layout);
        let translated =
            translate::translate(&slow.interpreter, &layout, &shapes, conditions, go_on).ok()?;
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
            room: (0, 0),
            drivers: Vec::new(),
            state: Vec::new(),
            _code: translated.code,
        })
    }

    /// Sets the context up for a state and makes room for successors.
    fn set_up(&mut self, shape: ShapeId, out: &mut Successors) {
        self.context.inner = &mut *self.inner;
        let shape_id = shape;
        let shape = &self.inner.shapes[shape];
        let len = (shape.len as usize).next_multiple_of(16);
        let context = &mut *self.context;
        context.len = len as u64;
        context.slot = (len + self.growth).next_multiple_of(16) as u64;
        point_to(context, shape);
        context.shape = shape_id.index() as u32;
        self.make_room(out);
    }

    /// Makes room for the successors of a process; returns whether it is enough.
    fn make_room(&mut self, out: &mut Successors) -> bool {
        let context = &mut *self.context;
        let slot = context.slot as usize;
        let most = self.fan_out.most(context.n_processes as usize);
        // A division would cost as much as the rest of this function.
        let enough = most.saturating_mul(slot) <= MOST_ROOM;
        out.reserve(if enough { most } else { MOST_ROOM / slot }, slot);
        context.slots = out.bytes.as_mut_ptr();
        context.next = out.bytes[out.used..].as_mut_ptr();
        context.record = out.records[out.n..].as_mut_ptr();
        let slots = out.bytes.len().saturating_sub(most * slot);
        let records = out.records.len().saturating_sub(most);
        self.room =
            (out.bytes[slots..].as_ptr() as usize, out.records[records..].as_ptr() as usize);
        enough
    }

    /// The calls for a state of this shape.
    #[inline]
    fn driver(&mut self, shape: ShapeId) -> &Driver {
        let number = shape.index();
        if self.drivers.get(number).is_none_or(Option::is_none) {
            let driver = self.new_driver(shape);
            self.drivers.resize_with(self.drivers.len().max(number + 1), || None);
            self.drivers[number] = Some(driver);
        }
        self.drivers[number].as_ref().unwrap_or_else(|| unreachable!("it was entered"))
    }

    #[cold]
    fn new_driver(&self, shape: ShapeId) -> Driver {
        let places = &self.inner.shapes[shape];
        let n = places.proctypes.len();
        let call =
            |pid: usize| (self.inner.functions[places.proctypes[pid]].step, places.processes[pid]);
        let slot = ((places.len as usize).next_multiple_of(16) + self.growth).next_multiple_of(16);
        let most = self.fan_out.most(n).saturating_mul(n);
        let fits = most.saturating_mul(slot) <= ROOM_AT_ONCE;
        Driver { calls: (0..n).rev().map(call).collect(), most, slot, fits }
    }

    /// Computes the steps of all processes, with room for them all; returns the first process that was not asked,
    /// because it needs the interpreter.
    #[inline]
    fn ask_all(&mut self, shape: ShapeId, out: &mut Successors) -> usize {
        let &Driver { most, slot, fits, ref calls } = self.driver(shape);
        let n = calls.len();
        if !fits {
            self.set_up(shape, out);
            return n;
        }
        out.reserve(most, slot);
        let context = &mut *self.context;
        context.inner = &mut *self.inner;
        let places = &self.inner.shapes[shape];
        context.len = (places.len as u64).next_multiple_of(16);
        context.slot = slot as u64;
        point_to(context, places);
        context.shape = shape.index() as u32;
        context.slots = out.bytes.as_mut_ptr();
        context.next = out.bytes[out.used..].as_mut_ptr();
        context.record = out.records[out.n..].as_mut_ptr();
        let Some(Some(Driver { calls, .. })) = self.drivers.get(shape.index()) else { return n };
        for (i, &(step, at)) in calls.iter().enumerate() {
            let pid = n - 1 - i;
            let before = (context.next, context.record);
            if native::step(step, context, &self.state, at, pid, false) == BAIL {
                (context.next, context.record) = before;
                self.put_down(out);
                self.set_up(shape, out);
                return pid + 1;
            }
        }
        self.put_down(out);
        0
    }

    /// Computes the steps of one process.
    #[inline]
    fn ask(&mut self, pid: usize, timeout: bool, shape: ShapeId, out: &mut Successors) {
        let before = (self.context.next, self.context.record);
        if before.0 as usize >= self.room.0 || before.1 as usize >= self.room.1 {
            self.put_down(out);
            if !self.make_room(out) {
                return self.ask_slowly(pid, timeout, shape, out);
            }
        }
        let before = (self.context.next, self.context.record);
        let places = &self.inner.shapes[shape];
        let (at, step) = (places.processes[pid], self.inner.functions[places.proctypes[pid]].step);
        if native::step(step, &mut self.context, &self.state, at, pid, timeout) == BAIL {
            (self.context.next, self.context.record) = before;
            self.put_down(out);
            self.ask_slowly(pid, timeout, shape, out);
        }
    }

    /// Records in the buffer how far compiled code has filled it.
    fn put_down(&self, out: &mut Successors) {
        out.used = self.context.next as usize - self.context.slots as usize;
        let records = self.context.record as usize - out.records.as_ptr() as usize;
        out.n = records / size_of::<Record>();
    }

    #[cold]
    fn ask_slowly(&mut self, pid: usize, timeout: bool, shape: ShapeId, out: &mut Successors) {
        let state = self.unpack(&self.state, shape);
        let steps = self.slow.interpreter.steps_of(&state, pid, timeout);
        let len = self.inner.shapes[shape].len as usize;
        self.slow.write_with(&mut self.inner.shapes, &self.state[..len], steps, out);
        // The shapes and the buffer may have been reallocated.
        self.set_up(shape, out);
    }

    /// Copies the state; the bytes behind it are arbitrary.
    fn take_in(&mut self, vector: &[u8]) {
        let room = vector.len().next_multiple_of(16) + 16;
        if self.state.len() != room {
            self.state.resize(room, 0);
        }
        self.state[..vector.len()].copy_from_slice(vector);
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
        if let Control::Atomic(pid) = control {
            self.set_up(shape, out);
            self.ask(pid, false, shape, out);
            return self.put_down(out);
        }
        let before = out.n;
        let left = self.ask_all(shape, out);
        if left > 0 {
            (0..left).rev().for_each(|pid| self.ask(pid, false, shape, out));
            self.put_down(out);
        }
        if out.n == before && self.uses_timeout {
            let n = self.inner.shapes[shape].proctypes.len();
            self.set_up(shape, out);
            (0..n).rev().for_each(|pid| self.ask(pid, true, shape, out));
            self.put_down(out);
        }
    }

    fn advance(&mut self, i: usize, out: &mut Successors, edges: &mut Vec<u32>) {
        let record = &mut out.records[i];
        let Some(pid) = record.control.checked_sub(1).map(|pid| pid as usize) else { return };
        let places = &self.inner.shapes[record.shape()];
        let Some(function) = self.inner.functions[places.proctypes[pid]].advance else { return };
        let vector = &mut out.bytes[record.start as usize..(record.start + places.len) as usize];
        point_to(&mut self.context, places);
        let result =
            native::advance(function, &mut self.context, vector, places.processes[pid], pid);
        let Advance { n, leaves } = Advance::of(result);
        edges.extend_from_slice(&self.context.ahead[..n]);
        if leaves {
            record.control = 0;
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
        point_to(&mut self.context, &self.inner.shapes[shape]);
        native::valuation(&mut self.context, function, &self.state)
    }
}

/// Points the context to the tables of a shape.
fn point_to(context: &mut Context, shape: &Shape) {
    context.processes = shape.processes.as_ptr();
    context.channels = shape.channels.as_ptr();
    context.n_channels = shape.channels.len() as u32;
    context.n_processes = shape.proctypes.len() as u32;
}
