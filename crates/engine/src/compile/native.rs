//! The boundary to machine code: the memory that both sides use, the functions that compiled code calls,
//! and the calls of compiled functions. All `unsafe` code of the compiler is here.
#![expect(unsafe_code, reason = "compiled step functions are called through pointers")]

use super::frames::Templates;
use crate::steps::Record;
use crate::vector::{ChannelPlace, Layout, ShapeId, Shapes};
use cranelift_codegen::ir::{Type, types};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use resy_index::{Id, IndexVec};
use resy_system::ProctypeId;
use std::mem::offset_of;

/// The result of a compiled function that needs the interpreter, for example to report an error.
pub const BAIL: i32 = -1;

/// A compiled function: context, state, the start of the process's record, pid,
/// and whether `timeout` holds. Returns 0 or [`BAIL`].
pub type StepFn = unsafe extern "C" fn(*mut Context, *const u8, u64, u32, u32) -> i32;

/// A compiled function that advances a process in a vector: its arguments are those of a [`StepFn`]. The
/// result is an [`Advance`](super::advance::Advance).
pub type AdvanceFn = unsafe extern "C" fn(*mut Context, *mut u8, u64, u32, u32) -> i32;

/// A compiled function for the propositions: writes a bit set, and returns whether one failed.
pub type ValuationFn = unsafe extern "C" fn(*mut Context, *const u8, *mut u64) -> i32;

/// The memory that compiled code and Rust code both use. Compiled code accesses the first part at fixed
/// offsets.
#[repr(C)]
pub struct Context {
    /// The slot that the next successor is written to.
    pub next: *mut u8,
    /// The start of all slots.
    pub slots: *mut u8,
    /// The record of the next successor.
    pub record: *mut Record,
    /// The number of bytes of a vector, rounded up to a multiple of 16.
    pub len: u64,
    /// The number of bytes from one slot to the next.
    pub slot: u64,
    /// The start of each process's record.
    pub processes: *const u32,
    /// The channels.
    pub channels: *const ChannelPlace,
    /// The number of channels.
    pub n_channels: u32,
    /// The number of the shape.
    pub shape: u32,
    /// The shape of the successor being written.
    pub next_shape: u32,
    /// The number of the channel of a rendezvous that is being offered.
    pub offer_chan: i32,
    /// The start of the sender's record.
    pub sender_at: u32,
    /// The location that the sender moves to.
    pub sender_target: u32,
    /// The sender and its edge.
    pub sender: [u16; 2],
    /// The number of the sender's edge.
    pub sender_edge: u32,
    /// The number of fields that are offered.
    pub n_values: u32,
    /// The number of processes.
    pub n_processes: u32,
    /// The fields of a message, or the arguments of a `run`.
    pub values: [i32; MAX_VALUES],
    /// The numbers of the edges along which a process was advanced in place.
    pub ahead: [u32; MAX_AHEAD],
    /// Whether the listeners of the present state are known.
    pub listening: bool,
    /// The data of the functions below.
    pub inner: *mut Inner,
}

// SAFETY: its pointers lead to memory of the `Compiled` that owns it and of a buffer, and are set anew before each call
// of a compiled function, by the thread that calls it.
unsafe impl Send for Context {}

impl Context {
    /// A context without a state.
    pub fn new() -> Context {
        Context {
            next: std::ptr::null_mut(),
            slots: std::ptr::null_mut(),
            record: std::ptr::null_mut(),
            len: 0,
            slot: 0,
            processes: std::ptr::null(),
            channels: std::ptr::null(),
            n_channels: 0,
            shape: 0,
            next_shape: 0,
            offer_chan: 0,
            sender_at: 0,
            sender_target: 0,
            sender: [0; 2],
            sender_edge: 0,
            n_values: 0,
            n_processes: 0,
            values: [0; MAX_VALUES],
            ahead: [0; MAX_AHEAD],
            listening: false,
            inner: std::ptr::null_mut(),
        }
    }
}

/// Messages and argument lists with more values are left to the interpreter.
pub const MAX_VALUES: usize = 64;

/// The most steps that are taken in place in one call.
pub const MAX_AHEAD: usize = 256;

/// Offsets that compiled code uses.
pub mod at {
    use super::{Context, offset_of};
    macro_rules! offsets {
        ($($name:ident = $field:ident),* $(,)?) => {
            $(pub const $name: i32 = offset_of!(Context, $field) as i32;)*
        };
    }
    offsets! {
        NEXT = next, SLOTS = slots, RECORD = record, LEN = len, SLOT = slot,
        PROCESSES = processes, CHANNELS = channels, N_CHANNELS = n_channels, SHAPE = shape,
        NEXT_SHAPE = next_shape, OFFER_CHAN = offer_chan, SENDER_AT = sender_at,
        SENDER_TARGET = sender_target, SENDER = sender, SENDER_EDGE = sender_edge, N_VALUES = n_values, N_PROCESSES = n_processes, VALUES = values,
        AHEAD = ahead,
    }
}

/// The functions of a proctype.
#[derive(Copy, Clone)]
pub struct Functions {
    /// Its own steps.
    pub step: StepFn,
    /// Its answers to an offer.
    pub accept: StepFn,
    /// Its steps in place, if there are any.
    pub advance: Option<AdvanceFn>,
}

/// The data of the functions that compiled code calls.
pub struct Inner {
    /// The layout of the vectors.
    pub layout: Layout,
    /// The shapes found so far.
    pub shapes: Shapes,
    /// The compiled functions.
    pub functions: IndexVec<ProctypeId, Functions>,
    /// For each location, whether it has a receive that may accept an offer.
    pub accepts: IndexVec<ProctypeId, Vec<bool>>,
    /// The processes of the present state that can accept an offer.
    pub listeners: Vec<Listener>,
    /// The templates of new processes.
    pub templates: Templates,
    /// The most processes that a state may have; beyond that the interpreter decides.
    pub max_processes: usize,
}

/// Calls the step function of one process, whose record starts at `at`.
///
/// The caller has set up the context for the state: its slots have room for all successors that one process
/// can have, `state` can be read in pieces of 16 bytes, and the tables of the shape are set.
#[inline]
pub fn step(
    function: StepFn,
    context: &mut Context,
    state: &[u8],
    at: u32,
    pid: usize,
    timeout: bool,
) -> i32 {
    // SAFETY: the function was compiled for this signature and layout; it writes to the slots and records
    // that the caller has reserved.
    unsafe { function(context, state.as_ptr(), u64::from(at), pid as u32, u32::from(timeout)) }
}

/// Calls the function that advances a process in `vector`, where its record starts at `at`. The tables of
/// the vector's shape must be set.
pub fn advance(
    function: AdvanceFn,
    context: &mut Context,
    vector: &mut [u8],
    at: u32,
    pid: usize,
) -> i32 {
    // SAFETY: the function was compiled for this signature and layout; it writes to the
    // vector and to the context only.
    unsafe { function(context, vector.as_mut_ptr(), u64::from(at), pid as u32, 0) }
}

/// Calls the function for the propositions.
pub fn valuation(context: &mut Context, function: ValuationFn, state: &[u8]) -> Option<u64> {
    let mut bits = 0;
    // SAFETY: as for `step`; the function writes to `bits` only.
    let result = unsafe { function(context, state.as_ptr(), &mut bits) };
    (result != BAIL).then_some(bits)
}

/// Frees the memory of compiled code.
pub fn free(module: JITModule) {
    // SAFETY: called when the `Compiled` that runs the code is dropped.
    unsafe { module.free_memory() }
}

/// A type of compiled functions.
///
/// # Safety
///
/// `Self` is the type of pointers to `extern "C"` functions with parameters of the types [`PARAMS`](Self::PARAMS)
/// that return an `i32`, and `from_address` returns the pointer with that address.
pub unsafe trait CompiledFn: Copy {
    /// The types of the parameters in machine code.
    const PARAMS: &'static [Type];

    /// The function at an address.
    ///
    /// # Safety
    ///
    /// A function of this type starts at the address.
    unsafe fn from_address(address: *const u8) -> Self;
}

macro_rules! compiled_fn {
    ($name:ty, $params:expr) => {
        // SAFETY: pointers are 64 bits wide, as asserted below; the parameters are those of the type.
        unsafe impl CompiledFn for $name {
            const PARAMS: &'static [Type] = $params;

            unsafe fn from_address(address: *const u8) -> Self {
                // SAFETY: the caller guarantees that a function of this type starts here.
                unsafe { std::mem::transmute::<*const u8, $name>(address) }
            }
        }
    };
}

const _: () = assert!(size_of::<*const u8>() == 8, "compiled code has pointers of 64 bits");
compiled_fn!(StepFn, &[types::I64, types::I64, types::I64, types::I32, types::I32]);
compiled_fn!(AdvanceFn, &[types::I64, types::I64, types::I64, types::I32, types::I32]);
compiled_fn!(ValuationFn, &[types::I64, types::I64, types::I64]);

/// A finished function of a module.
///
/// # Panics
///
/// If the function was declared with another signature than `F`, or is not finished.
pub fn finished<F: CompiledFn>(module: &JITModule, id: FuncId) -> F {
    let declared = &module.declarations().get_function_decl(id).signature;
    let params: Vec<Type> = declared.params.iter().map(|p| p.value_type).collect();
    let returns: Vec<Type> = declared.returns.iter().map(|r| r.value_type).collect();
    assert_eq!((&*params, &*returns), (F::PARAMS, &[types::I32][..]), "the declared signature");
    // SAFETY: the module gives the address of a finished function, whose signature was compared. It stays
    // valid until the module is freed (`free`), by which time nothing calls it.
    unsafe { F::from_address(module.get_finalized_function(id)) }
}

/// A process at a location where it can accept an offer.
pub struct Listener {
    pid: u32,
    at: u32,
    accept: StepFn,
}

impl Inner {
    /// Finds the processes that can accept an offer in a state, the youngest first.
    fn listen(&mut self, shape: ShapeId, state: &[u8]) {
        let (location, shape) = (self.layout.location, &self.shapes[shape]);
        self.listeners.clear();
        for (pid, (&proctype, &at)) in
            shape.proctypes.iter().zip(&shape.processes).enumerate().rev()
        {
            let stands = location.width.load(state, at + location.offset) as usize;
            if self.accepts[proctype][stands] {
                let accept = self.functions[proctype].accept;
                self.listeners.push(Listener { pid: pid as u32, at, accept });
            }
        }
    }
}

/// Offers the message in the context to every other process, the youngest first. Returns whether any
/// accepted, or [`BAIL`].
pub extern "C" fn offer(context: *mut Context, state: *const u8, pid: u32) -> i32 {
    // SAFETY: called by compiled code with the context it was given; `inner` is not
    // borrowed elsewhere, and the functions called below only read it.
    let (inner, before) = unsafe { (&mut *(*context).inner, (*context).record) };
    // SAFETY: as above.
    if unsafe { !std::mem::replace(&mut (*context).listening, true) } {
        // SAFETY: as above; `state` has the bytes of its shape.
        let (shape, bytes) = unsafe {
            let shape = ShapeId::from_index((*context).shape as usize);
            (shape, std::slice::from_raw_parts(state, inner.shapes[shape].len as usize))
        };
        inner.listen(shape, bytes);
    }
    for listener in inner.listeners.iter().filter(|l| l.pid != pid) {
        // SAFETY: as in `step`; the reserved room includes the answers.
        let n =
            unsafe { (listener.accept)(context, state, u64::from(listener.at), listener.pid, 0) };
        if n == BAIL {
            return BAIL;
        }
    }
    // SAFETY: as above.
    i32::from(unsafe { (*context).record } != before)
}

/// Creates a process at the end of the successor being written, with the arguments
/// in the context. Returns its pid, or [`BAIL`].
pub extern "C" fn create(context: *mut Context, proctype: u32) -> i32 {
    // SAFETY: called by compiled code with the context it was given; nothing else
    // borrows `inner` or the context meanwhile.
    let (context, inner) = unsafe { (&mut *context, &mut *(*context).inner) };
    let proctype = ProctypeId::from_index(proctype as usize);
    let before = ShapeId::from_index(context.next_shape as usize);
    let pid = inner.shapes[before].proctypes.len();
    if pid >= inner.max_processes {
        return BAIL;
    }
    let (at, n_channels) = (inner.shapes[before].len as usize, inner.shapes[before].channels.len());
    let after = inner.shapes.with(&inner.layout, before, proctype);
    let (len, is_large) = (inner.shapes[after].len as usize, inner.shapes[after].is_too_large());
    if len > context.slot as usize || is_large {
        return BAIL;
    }
    // SAFETY: the slot has `context.slot` bytes, which is at least `len`.
    let vector = unsafe { std::slice::from_raw_parts_mut(context.next, len) };
    inner.templates.fill(proctype, &mut vector[at..], n_channels, &context.values);
    let count = inner.layout.count;
    count.width.store(vector, count.offset, pid as i32 + 1);
    let shape = inner.layout.shape;
    shape.width.store(vector, shape.offset, after.index() as i32);
    context.next_shape = after.index() as u32;
    pid as i32
}

/// Removes the youngest process of the successor being written.
pub extern "C" fn exit(context: *mut Context) {
    // SAFETY: as in `create`.
    let (context, inner) = unsafe { (&mut *context, &*(*context).inner) };
    let before = &inner.shapes[ShapeId::from_index(context.next_shape as usize)];
    let Some(after) = before.parent else { return };
    let len = inner.shapes[after].len as usize;
    // SAFETY: the slot holds a vector of the longer shape.
    let vector = unsafe { std::slice::from_raw_parts_mut(context.next, len) };
    let count = inner.layout.count;
    count.width.store(vector, count.offset, before.proctypes.len() as i32 - 1);
    let shape = inner.layout.shape;
    shape.width.store(vector, shape.offset, after.index() as i32);
    context.next_shape = after.index() as u32;
}

/// Removes the message of a slot from the channel whose slots start at `first`.
pub extern "C" fn remove(first: *mut u8, slot: u32, stride: u32, capacity: u32) {
    let (from, size) = (slot as usize * stride as usize, capacity as usize * stride as usize);
    // SAFETY: compiled code passes the slots of a channel inside a successor.
    let slots = unsafe { std::slice::from_raw_parts_mut(first, size) };
    slots.copy_within(from + stride as usize.., from);
    slots[size - stride as usize..].fill(0);
}

/// Inserts the message in the context into a channel before the first greater one.
pub extern "C" fn insert_sorted(context: *mut Context, chan_at: u32, ty: u32) {
    // SAFETY: as in `create`.
    let (context, inner) = unsafe { (&mut *context, &*(*context).inner) };
    let ty = resy_system::ChannelTypeId::from_index(ty as usize);
    let channel = &inner.layout.channels[ty];
    let len_width = inner.layout.length;
    // SAFETY: the channel lies inside the successor being written.
    let bytes = unsafe {
        std::slice::from_raw_parts_mut(context.next.add(chan_at as usize), channel.len as usize)
    };
    let len = len_width.load(bytes, 0) as u32;
    let start = |slot: u32| len_width.bytes() + slot * channel.stride;
    let raw = &context.values[..channel.fields.len()];
    let greater = |slot: &u32| {
        let field = |f: &crate::vector::VectorField| f.width.load(bytes, start(*slot) + f.offset);
        raw.iter().copied().lt(channel.fields.iter().map(field))
    };
    let slot = (0..len).find(greater).unwrap_or(len);
    bytes.copy_within(start(slot) as usize..start(len) as usize, start(slot + 1) as usize);
    for ((field, ty), &value) in channel.fields.iter().zip(&channel.types).zip(raw) {
        field.width.store(bytes, start(slot) + field.offset, ty.truncate(value));
    }
    len_width.store(bytes, 0, len as i32 + 1);
}
