//! `d_step`: from a part of the flow graph to a program.

use super::flow::{ElementId, Kind, SequenceId};
use super::table::Table;
use crate::diagnostic::{Code, Diagnostic};
use resy_system::{Choice, Command, DStep, DStepGuard, Expr, Instruction};
use rustc_hash::FxHashMap;

/// A program under construction: instructions, and where each element starts.
#[derive(Default)]
struct Program {
    code: Vec<Instruction>,
    starts: FxHashMap<ElementId, usize>,
    todo: Vec<ElementId>,
}

impl Table<'_> {
    /// The command of a `d_step` element.
    pub(super) fn d_step(&mut self, id: ElementId, body: SequenceId) -> Option<Command> {
        let first = self.flow.sequences[body].first?;
        let guard = self.d_step_guard(first);
        let mut program = Program::default();
        program.code.push(Instruction::Jump(0));
        let entry = self.start_of(&mut program, Some(first));
        program.code[0] = Instruction::Jump(entry);
        while let Some(element) = program.todo.pop() {
            self.instructions(&mut program, element);
        }
        let source = self.place(self.flow.elements[id].span);
        Some(Command::DStep(Box::new(DStep { guard, code: program.code, source })))
    }

    /// Where an element's instructions start; they are made later.
    fn start_of(&mut self, program: &mut Program, element: Option<ElementId>) -> usize {
        let inside = element.filter(|&e| self.flow.elements[e].in_d_step);
        let Some(element) = inside else {
            program.code.push(Instruction::End);
            return program.code.len() - 1;
        };
        *program.starts.entry(element).or_insert_with(|| {
            program.code.push(Instruction::End);
            program.todo.push(element);
            program.code.len() - 1
        })
    }

    fn instructions(&mut self, program: &mut Program, id: ElementId) {
        let at = program.starts[&id];
        let element = self.flow.elements[id].clone();
        let source = self.place(element.span);
        program.code[at] = match element.kind {
            Kind::Command(command) => {
                self.check_d_step(&command, element.span);
                let next = self.start_of(program, element.next);
                Instruction::Run { command, next, source }
            }
            Kind::If(options) | Kind::Do(options) => {
                let choices = options.into_iter().filter_map(|o| self.choice_of(program, o));
                Instruction::Choose(choices.collect(), source)
            }
            Kind::Goto(destination) => {
                let target = self.hunter.resolve(&self.flow, destination);
                if target.is_none_or(|t| !self.flow.elements[t].in_d_step) {
                    let message = "a jump out of the d_step";
                    self.diags.push(Diagnostic::new(Code::DStep, element.span, message));
                }
                Instruction::Jump(self.start_of(program, target))
            }
            Kind::Block(body) | Kind::Atomic(body) | Kind::DStep(body) => {
                if let Some(last) = self.flow.sequences[body].last {
                    self.flow.elements[last].next = element.next;
                }
                let first = self.flow.sequences[body].first;
                Instruction::Jump(self.start_of(program, first))
            }
            Kind::Unless(main, _) => {
                let message = "`unless` inside a d_step has no effect";
                self.diags.push(Diagnostic::new(Code::DStep, element.span, message));
                let first = self.flow.sequences[main].first;
                Instruction::Jump(self.start_of(program, first))
            }
            Kind::Dot | Kind::LoopEnd => Instruction::Jump(self.start_of(program, element.next)),
            Kind::End => Instruction::End,
        };
    }

    fn choice_of(&mut self, program: &mut Program, option: SequenceId) -> Option<Choice> {
        let first = self.flow.sequences[option].first?;
        let element = self.flow.elements[first].clone();
        match element.kind {
            Kind::Command(Command::Else) => {
                let next = self.start_of(program, element.next);
                Some(Choice { guard: None, next })
            }
            Kind::Command(command) => {
                self.check_d_step(&command, element.span);
                let next = self.start_of(program, element.next);
                Some(Choice { guard: Some(command), next })
            }
            _ => Some(Choice { guard: None, next: self.start_of(program, Some(first)) }),
        }
    }

    /// When the `d_step` can start: what spin makes of its first statement.
    fn d_step_guard(&mut self, first: ElementId) -> DStepGuard {
        let any_of = |commands: Vec<Command>| match commands[..] {
            [] => DStepGuard::Always,
            _ => DStepGuard::AnyOf(commands),
        };
        match self.flow.elements[first].kind.clone() {
            Kind::If(options) => any_of(self.guards(&options)),
            Kind::Dot => {
                match self.flow.elements[first].next.map(|n| &self.flow.elements[n].kind) {
                    Some(Kind::Do(options)) => {
                        let options = options.clone();
                        any_of(self.guards(&options))
                    }
                    _ => DStepGuard::Always,
                }
            }
            Kind::Block(body) | Kind::Atomic(body) => match self.flow.sequences[body].first {
                Some(inner) => self.d_step_guard(inner),
                None => DStepGuard::Always,
            },
            Kind::Command(Command::Else) => DStepGuard::Else,
            Kind::Command(
                command @ (Command::Guard(_) | Command::Send { .. } | Command::Receive { .. }),
            ) => DStepGuard::AnyOf(vec![command]),
            _ => DStepGuard::Always,
        }
    }

    /// The first statements of options that spin tests.
    fn guards(&self, options: &[SequenceId]) -> Vec<Command> {
        let mut out = Vec::new();
        for &option in options {
            let Some(first) = self.flow.sequences[option].first else { continue };
            let start = self.hunter.start(&self.flow, first);
            match &self.flow.elements[start].kind {
                Kind::If(inner) | Kind::Do(inner) => out.extend(self.guards(inner)),
                Kind::Block(body) => {
                    let first = self.flow.sequences[*body].first;
                    if let Some(Kind::If(inner)) = first.map(|e| &self.flow.elements[e].kind) {
                        out.extend(self.guards(inner));
                    }
                }
                Kind::Command(
                    command @ (Command::Else
                    | Command::Skip
                    | Command::Guard(_)
                    | Command::Send { .. }
                    | Command::Receive { .. }),
                ) => out.push(command.clone()),
                _ => {}
            }
        }
        out
    }

    fn check_d_step(&mut self, command: &Command, span: crate::Span) {
        let mut bad = None;
        command.walk(&mut |e| match e {
            Expr::Run { .. } => bad = Some("`run` cannot stand in a d_step"),
            Expr::RemoteLoad { .. } | Expr::RemoteLocation { .. } => {
                bad = Some("a remote reference cannot stand in a d_step");
            }
            _ => {}
        });
        if let Some(message) = bad {
            self.diags.push(Diagnostic::new(Code::DStep, span, message));
        }
    }
}
