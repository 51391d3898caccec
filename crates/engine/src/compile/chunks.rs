//! Large proctypes are compiled in chunks.
//!
//! The compiler's time and memory grow faster than the size of a function: the values of a function with n
//! blocks are tables of n entries. A generated model with 10,000 statements in one process took a gigabyte,
//! one with 100,000 all memory there was. A chunk is a range of locations with few edges. If there are several, the
//! function of the proctype only calls that of the chunk.

use super::emit::Emit;
use cranelift_codegen::ir::{FuncRef, InstBuilder};
use cranelift_frontend::Switch;
use resy_system::Proctype;
use std::ops::Range;

/// A function has code for at most this many edges. A location with more is left to the interpreter.
pub const MOST_EDGES: usize = 256;

/// The locations of a proctype in ranges, each with at most [`MOST_EDGES`] edges or a single location.
pub fn chunks(proctype: &Proctype) -> Vec<Range<usize>> {
    let (mut chunks, mut start, mut n_edges) = (Vec::new(), 0, 0);
    for (at, edges) in proctype.edges.iter().enumerate() {
        if at > start && n_edges + edges.len() > MOST_EDGES {
            chunks.push(start..at);
            (start, n_edges) = (at, 0);
        }
        n_edges += edges.len();
    }
    chunks.push(start..proctype.edges.len());
    chunks
}

impl Emit<'_, '_> {
    /// Calls the function of the chunk that the location is in.
    pub fn dispatch_function(&mut self, chunks: &[Range<usize>], callees: &[FuncRef]) {
        let (record, field) = (self.record(), self.layout.location);
        let location = self.load(field.width, record, field.offset);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for chunk in chunks {
            let block = self.b.create_block();
            blocks.push(block);
            chunk.clone().for_each(|at| switch.set_entry(at as u128, block));
        }
        switch.emit(self.b, location, self.bail);
        let args = [self.context, self.state, self.record_at, self.pid, self.timeout];
        for (&block, &callee) in blocks.iter().zip(callees) {
            self.b.switch_to_block(block);
            let call = self.b.ins().call(callee, &args);
            let result = self.b.inst_results(call)[0];
            self.b.ins().return_(&[result]);
        }
        self.b.switch_to_block(self.bail);
        let bail = self.int(super::native::BAIL);
        self.b.ins().return_(&[bail]);
    }
}
