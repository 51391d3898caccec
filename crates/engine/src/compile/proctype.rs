//! The two functions of a proctype: its own steps, and its answers to an offer.
//!
//! Each is a switch on the location, for a range of locations. At a location that is left to the interpreter,
//! the function bails at once.

use super::command::TakenEdge;
use super::emit::{Emit, flags};
use super::native::{BAIL, at};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;
use resy_index::Id;
use resy_system::{Command, DStepGuard, Edge, Expr, LocationId, Pattern, ProctypeId};
use std::ops::Range;

impl Emit<'_, '_> {
    /// The steps of a process at one of these locations.
    pub fn step_function(&mut self, proctype: ProctypeId, locations: &Range<usize>) {
        let done = self.b.create_block();
        self.each_location(proctype, locations, done, |emit, edges| {
            let moved = emit.b.declare_var(types::I8);
            let no = emit.b.ins().iconst(types::I8, 0);
            emit.b.def_var(moved, no);
            for (index, edge) in edges.iter().enumerate() {
                let after = emit.b.create_block();
                emit.edge(index, edge, moved, after);
                emit.b.switch_to_block(after);
            }
        });
        self.return_from(done);
    }

    /// The answers of a process at one of these locations to the offer in the context.
    pub fn accept_function(&mut self, proctype: ProctypeId, locations: &Range<usize>) {
        let done = self.b.create_block();
        self.each_location(proctype, locations, done, |emit, edges| {
            for (index, edge) in edges.iter().enumerate() {
                let after = emit.b.create_block();
                emit.answer(index, edge, after);
                emit.b.switch_to_block(after);
            }
        });
        self.return_from(done);
    }

    /// A switch on the location, with `body` for each of these that can be compiled; continues at `done`.
    fn each_location(
        &mut self,
        proctype: ProctypeId,
        locations: &Range<usize>,
        done: Block,
        mut body: impl FnMut(&mut Self, &[Edge]),
    ) {
        let system = self.system;
        if let Some(condition) = &system.proctypes[proctype].provided {
            if !super::facts::can_eval(condition) {
                self.b.ins().jump(self.bail, &[]);
                return;
            }
            let truth = self.holds(condition);
            self.require(truth, done);
        }
        let record = self.record();
        let field = self.layout.location;
        let location = self.load(field.width, record, field.offset);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for i in locations.clone() {
            if system.proctypes[proctype].edges[LocationId::from_index(i)].is_empty() {
                continue;
            }
            let slow = self.facts.slow[proctype][i];
            let block = if slow { self.bail } else { self.b.create_block() };
            switch.set_entry(i as u128, block);
            if !slow {
                blocks.push((block, LocationId::from_index(i)));
            }
        }
        switch.emit(self.b, location, done);
        for (block, at) in blocks {
            self.b.switch_to_block(block);
            self.vector = self.state;
            self.first_edge = self.facts.edges.first(proctype, at);
            body(self, &system.proctypes[proctype].edges[at]);
            self.b.ins().jump(done, &[]);
        }
    }

    fn return_from(&mut self, done: Block) {
        for (block, result) in [(done, 0), (self.bail, BAIL)] {
            self.b.switch_to_block(block);
            let result = self.int(result);
            self.b.ins().return_(&[result]);
        }
    }

    /// Accepts the offer by an edge if it matches.
    fn answer(&mut self, index: usize, edge: &Edge, after: Block) {
        self.vector = self.state;
        let (chan, patterns) = match &edge.command {
            Command::Receive { chan, peek: false, patterns, .. } => (chan, patterns),
            Command::DStep(d) if starts_with_receive(&d.guard) => {
                self.b.ins().jump(self.bail, &[]);
                return;
            }
            _ => {
                self.b.ins().jump(after, &[]);
                return;
            }
        };
        let values = self.fits(chan, patterns, after);
        let next = self.context_pointer(at::NEXT);
        let moved = self.b.declare_var(types::I8);
        self.begin(Some(TakenEdge { edge, index, next, moved }));
        self.move_sender(next);
        self.bind(patterns, &values);
        let sender = self.context_u32(at::SENDER);
        let partner = self.actor(self.pid, index);
        let numbers = [self.context_u32(at::SENDER_EDGE), self.edge_number(index)];
        self.finish(edge, next, [sender, partner], numbers);
        self.b.ins().jump(after, &[]);
    }

    /// Continues with the fields of the offer if channel and values match.
    fn fits(&mut self, chan: &Expr, patterns: &[Pattern], otherwise: Block) -> Vec<Value> {
        let id = self.eval(chan);
        let index = self.b.ins().iadd_imm_s(id, -1);
        let n = self.context_u32(at::N_CHANNELS);
        let there = self.b.ins().icmp(IntCC::UnsignedLessThan, index, n);
        self.require_or_bail(there);
        let offered = self.context_u32(at::OFFER_CHAN);
        let same = self.b.ins().icmp(IntCC::Equal, id, offered);
        self.require(same, otherwise);
        let n = self.context_u32(at::N_VALUES);
        let equal = self.b.ins().icmp_imm_s(IntCC::Equal, n, patterns.len() as i64);
        self.require_or_bail(equal);
        let value = |emit: &mut Self, i: usize| emit.context_u32(at::VALUES + 4 * i as i32);
        let values: Vec<Value> = (0..patterns.len()).map(|i| value(self, i)).collect();
        for (pattern, &value) in patterns.iter().zip(&values) {
            if let Pattern::Match(expr) = pattern {
                let wanted = self.eval(expr);
                let equal = self.b.ins().icmp(IntCC::Equal, wanted, value);
                self.require(equal, otherwise);
            }
        }
        values
    }

    fn move_sender(&mut self, next: Value) {
        let start = self.context_u32(at::SENDER_AT);
        let start = self.widen(start);
        let record = self.b.ins().iadd(next, start);
        let target = self.context_u32(at::SENDER_TARGET);
        let field = self.layout.location;
        self.store(field.width, record, field.offset, target);
    }

    /// The propositions, as bits of the number that the last argument points to.
    pub fn valuation_function(&mut self, propositions: &[Expr], result: Value) {
        let mut bits = self.b.ins().iconst(types::I64, 0);
        for (i, proposition) in propositions.iter().enumerate() {
            if !super::facts::can_eval(proposition) {
                let never = self.b.ins().iconst(types::I8, 0);
                self.require_or_bail(never);
                continue;
            }
            let truth = self.holds(proposition);
            let truth = self.b.ins().uextend(types::I64, truth);
            let bit = self.b.ins().ishl_imm_u(truth, i as i64);
            bits = self.b.ins().bor(bits, bit);
        }
        self.b.ins().store(flags(), bits, result, 0);
        let done = self.b.create_block();
        self.b.ins().jump(done, &[]);
        self.return_from(done);
    }
}

/// Whether a `d_step` can start by accepting an offer.
pub fn starts_with_receive(guard: &DStepGuard) -> bool {
    match guard {
        DStepGuard::AnyOf(commands) => {
            commands.iter().any(|c| matches!(c, Command::Receive { .. }))
        }
        DStepGuard::Always | DStepGuard::Else => false,
    }
}
