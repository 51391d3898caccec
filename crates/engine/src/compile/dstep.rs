//! `d_step`: a program of its own, run on the successor to its end.

use super::emit::Emit;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use resy_system::{DStep, Instruction};

/// After so many rounds the interpreter decides whether it ends.
const MAX_ROUNDS: i64 = 100_000;

impl Emit<'_, '_> {
    /// Runs the instructions; goes on at the end. Blocking is an error, and errors
    /// are told by the interpreter.
    pub fn d_step(&mut self, d_step: &DStep) {
        let blocks: Vec<Block> = d_step.code.iter().map(|_| self.b.create_block()).collect();
        let end = self.b.create_block();
        let left = self.b.declare_var(types::I64);
        let limit = self.b.ins().iconst(types::I64, MAX_ROUNDS);
        self.b.def_var(left, limit);
        self.b.ins().jump(blocks[0], &[]);
        for (i, (instruction, &block)) in d_step.code.iter().zip(&blocks).enumerate() {
            self.b.switch_to_block(block);
            match instruction {
                Instruction::Run { command, next, .. } => {
                    self.attempt(command, self.bail, None);
                    if *next <= i {
                        self.count_down(left);
                    }
                    self.b.ins().jump(blocks[*next], &[]);
                }
                Instruction::Choose(options, _) => {
                    self.count_down(left);
                    for option in options {
                        let other = self.b.create_block();
                        if let Some(command) = &option.guard {
                            self.attempt(command, other, None);
                        }
                        self.b.ins().jump(blocks[option.next], &[]);
                        self.b.switch_to_block(other);
                    }
                    self.b.ins().jump(self.bail, &[]);
                }
                Instruction::Jump(next) => {
                    self.count_down(left);
                    self.b.ins().jump(blocks[*next], &[]);
                }
                Instruction::End => {
                    self.b.ins().jump(end, &[]);
                }
            }
        }
        self.b.switch_to_block(end);
    }

    /// Counts the rounds of loops; after too many the interpreter decides.
    fn count_down(&mut self, left: Variable) {
        let count = self.b.use_var(left);
        let count = self.b.ins().iadd_imm_s(count, -1);
        self.b.def_var(left, count);
        let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, 0);
        self.require_or_bail(more);
    }
}
