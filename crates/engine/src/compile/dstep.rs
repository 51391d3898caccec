//! `d_step`: a program of its own, executed on the successor to its end.

use super::command::TakenEdge;
use super::emit::Emit;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use resy_system::{Command, DStep, DStepGuard, Expr, Instruction};

/// After this many iterations the interpreter decides whether it terminates.
const MAX_ROUNDS: i64 = 100_000;

impl Emit<'_, '_> {
    /// Executes the instructions and continues at the end. Blocking is an error, and errors are reported by
    /// the interpreter.
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

    /// Counts the iterations of loops; after too many the interpreter takes over.
    fn count_down(&mut self, left: Variable) {
        let count = self.b.use_var(left);
        let count = self.b.ins().iadd_imm_s(count, -1);
        self.b.def_var(left, count);
        let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, 0);
        self.require_or_bail(more);
    }

    /// Whether a `d_step` can start.
    pub fn start_d_step(&mut self, guard: &DStepGuard, no: Block, taken: Option<TakenEdge<'_>>) {
        match guard {
            DStepGuard::Always => {}
            DStepGuard::Else => {
                if let Some(taken) = taken {
                    let moved = self.b.use_var(taken.moved);
                    let not = self.b.ins().bxor_imm_u(moved, 1);
                    self.require(not, no);
                }
            }
            DStepGuard::AnyOf(commands) => {
                let start = self.b.create_block();
                for command in commands {
                    let other = self.b.create_block();
                    self.possible(command, other);
                    self.b.ins().jump(start, &[]);
                    self.b.switch_to_block(other);
                }
                self.b.ins().jump(no, &[]);
                self.b.switch_to_block(start);
            }
        }
    }

    /// Continues if a command is enabled, otherwise jumps to `no`; nothing is changed.
    fn possible(&mut self, command: &Command, no: Block) {
        match command {
            Command::Guard(Expr::Run { .. }) => {}
            Command::Guard(expr) => {
                let truth = self.holds(expr);
                self.require(truth, no);
            }
            Command::Send { chan, .. } => {
                let chan = self.channel(chan);
                if !self.options.loss {
                    let full = self.channel_full(chan);
                    let free = self.b.ins().bxor_imm_u(full, 1);
                    self.require(free, no);
                }
            }
            Command::Receive { chan, random, peek, patterns } => {
                let chan = self.channel(chan);
                let done = self.b.create_block();
                self.by_type(chan, patterns.len(), |emit, _, channel| {
                    if channel.capacity == 0 {
                        let to = if *peek { emit.bail } else { no };
                        emit.b.ins().jump(to, &[]);
                        return;
                    }
                    emit.find_message(chan, channel, *random, patterns, no);
                    emit.b.ins().jump(done, &[]);
                });
                self.b.switch_to_block(done);
            }
            Command::DStep(d_step) => self.start_d_step(&d_step.guard, no, None),
            Command::Exit => {
                self.b.ins().jump(self.bail, &[]);
                let unreachable = self.b.create_block();
                self.b.switch_to_block(unreachable);
            }
            _ => {}
        }
    }
}
