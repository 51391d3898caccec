//! Statements to nodes of the flow graph.

use super::Lowerer;
use super::flow::{Destination, Kind as ElementKind, Node, NodeKind, SequenceId};
use super::symbols::Kind;
use crate::ast::{self, Block, BlockItem, Stmt, StmtKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::print;
use crate::source::Span;
use resy_system::{Command, Expr};

/// The construct that a sequence belongs to. A label on its first statement is refused in most
/// constructs.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Place {
    Escape,
    Guarded,
    Atomic,
    DStep,
    Block,
    Option,
    Free,
}

impl Lowerer<'_> {
    /// Adds the items of a block to the innermost open sequence.
    pub(super) fn steps(&mut self, block: &Block) {
        for step in &block.steps {
            match step {
                BlockItem::Decl(decl) => self.declare_locals(decl),
                BlockItem::Exclusive { send, channels, .. } => {
                    for channel in channels {
                        self.claim_end(channel, *send);
                    }
                }
                BlockItem::Stmt(stmt) => {
                    if let Some(node) = self.statement(stmt) {
                        self.add_node(node);
                    }
                    self.at_top = false;
                }
            }
        }
    }

    /// Adds a node to the innermost open sequence.
    pub(super) fn add_node(&mut self, node: Node) {
        self.flow.add(node, &mut self.next_id);
    }

    /// A block in braces, as a sequence of its own.
    pub(super) fn braces(&mut self, block: &Block, place: Place) -> Option<SequenceId> {
        self.enter_block();
        let sequence = self.sequence(block, place);
        self.leave_block();
        sequence
    }

    pub(super) fn enter_block(&mut self) {
        self.n_blocks += 1;
        self.blocks.push(self.n_blocks);
    }

    pub(super) fn leave_block(&mut self) {
        self.blocks.pop();
    }

    /// The items of a block as a sequence, in the surrounding scope.
    fn sequence(&mut self, block: &Block, place: Place) -> Option<SequenceId> {
        self.flow.open_sequence();
        self.at_top = false;
        self.steps(block);
        self.close(place, block.span)
    }

    /// Closes the innermost sequence and checks the label of its first element.
    pub(super) fn close(&mut self, place: Place, span: Span) -> Option<SequenceId> {
        let Some(id) = self.flow.close_sequence() else {
            if !self.diags.has_errors() {
                self.error(Code::Structure, span, "a sequence needs at least one statement");
            }
            return None;
        };
        let first = self.flow.sequences[id].first.filter(|&e| self.flow.has_label(e));
        if let Some(first) = first {
            let span = self.flow.elements[first].span;
            self.check_first_label(place, span);
        }
        Some(id)
    }

    fn check_first_label(&mut self, place: Place, span: Span) {
        let (what, hint) = match place {
            Place::Free => return,
            Place::Option => {
                let message = "a label at the start of an option marks no state of its own";
                let hint = "put the label before the `if` or `do`";
                self.diags.push(Diagnostic::new(Code::Suspicious, span, message).hint(hint));
                return;
            }
            Place::Escape => ("an escape", "the start of an escape cannot be jumped to"),
            Place::Guarded => ("an unless", "write `label: { statement unless statement }`"),
            Place::Atomic => ("an atomic", "write `label: atomic { … }`"),
            Place::DStep => ("a d_step", "write `label: d_step { … }`"),
            Place::Block => ("a block", "write `label: { … }`"),
        };
        let message = format!("a label cannot stand at the start of {what}");
        self.diags.push(Diagnostic::new(Code::Label, span, message).hint(hint));
    }

    /// A statement; its inner sequences are complete afterwards.
    pub(super) fn statement(&mut self, stmt: &Stmt) -> Option<Node> {
        if !self.diags.go_on() {
            return None;
        }
        let span = stmt.span;
        let command = |command, text| Some(Node::command(command, text, span));
        let node = |kind, text: &str| Some(Node { kind, text: text.into(), span });
        match &stmt.kind {
            StmtKind::Labelled(name, inner) => self.labelled(name, inner.as_deref(), span),
            StmtKind::Unless(main, escape) => self.unless(main, escape, span),
            StmtKind::Expr(e) => self.condition(e, span),
            StmtKind::Assign(r, e) => {
                let text = format!("{} = {}", print::var_ref(r), print::expr(e));
                self.assign(r, Some(e), 0, text, span)
            }
            StmtKind::Increment(r) => {
                self.assign(r, None, 1, format!("{}++", print::var_ref(r)), span)
            }
            StmtKind::Decrement(r) => {
                self.assign(r, None, -1, format!("{}--", print::var_ref(r)), span)
            }
            StmtKind::Send { chan, sorted, args } => self.send(chan, *sorted, args, span),
            StmtKind::Receive { chan, random, peek, args } => {
                self.receive(chan, *random, *peek, args, span)
            }
            StmtKind::Printf(format, args) => {
                let parts = self.printf(format, args, span)?;
                command(Command::Print(parts), format!("printf(\"{format}\")"))
            }
            StmtKind::Printm(e) => {
                let part = self.printm(e)?;
                command(Command::Print(vec![part]), format!("printm({})", print::expr(e)))
            }
            StmtKind::Assert(e) => {
                let text = print::expr(e);
                let value = self.expr(e)?;
                command(Command::Assert(value, text.clone()), format!("assert({text})"))
            }
            StmtKind::Else => command(Command::Else, "else".into()),
            StmtKind::SetPriority(pid, priority) => {
                self.system.uses_priority = true;
                let text = format!("set_priority({}, {})", print::expr(pid), print::expr(priority));
                let (pid, priority) = (self.expr(pid), self.expr(priority));
                command(Command::SetPriority(pid?, priority?), text)
            }
            StmtKind::Atomic(block) => {
                let body = self.braces(block, Place::Atomic)?;
                self.flow.make_atomic(body, false);
                node(NodeKind::Atomic(body), "atomic")
            }
            StmtKind::DStep(block) => self.d_step(block, span),
            StmtKind::Block(block) => {
                node(NodeKind::Block(self.braces(block, Place::Block)?), "{ … }")
            }
            StmtKind::InlineCall { body, .. } => self.statement(body),
            StmtKind::If(options) => {
                let options = self.options(options, span)?;
                node(NodeKind::If(options), "if")
            }
            StmtKind::Do(options) => {
                let exit = self.push_break();
                let options = self.options(options, span)?;
                node(NodeKind::Do(options, exit), "do")
            }
            StmtKind::For { var, range, body } => self.for_loop(var, range, body, span),
            StmtKind::Select { var, from, to, literal } => {
                self.select(var, from, to, *literal, span)
            }
            StmtKind::Goto(name) => {
                let symbol = self.label_symbol(name)?;
                let text = format!("goto {}", name.text);
                self.jumps.push((self.flows.len(), symbol, name.span));
                node(NodeKind::Goto(Destination::Label(symbol)), &text)
            }
            StmtKind::Break => match self.flow.breaks.last() {
                Some(&exit) => node(NodeKind::Goto(Destination::Break(exit)), "break"),
                None => {
                    self.diags.push(break_outside_a_loop(span));
                    None
                }
            },
        }
    }

    pub(super) fn push_break(&mut self) -> u32 {
        let exit = self.flow.n_breaks;
        self.flow.n_breaks += 1;
        self.flow.breaks.push(exit);
        exit
    }

    fn labelled(&mut self, name: &ast::Name, inner: Option<&Stmt>, span: Span) -> Option<Node> {
        let symbol = self.label_symbol(name);
        let inner = match inner {
            Some(stmt) => self.statement(stmt)?,
            None => Node::command(Command::Skip, "skip".into(), span),
        };
        let symbol = symbol?;
        if ["end", "accept", "progress"].iter().any(|p| name.text.starts_with(p)) {
            self.flow.meaningful.insert(symbol);
        }
        let taken = self.flow.labels.iter().any(|l| l.destination == Destination::Label(symbol));
        if taken {
            let message = format!("label `{}` is declared twice", name.text);
            self.error(Code::Redeclared, name.span, message);
        }
        self.symbols.table[symbol].span = name.span;
        Some(Node { kind: NodeKind::Labelled(symbol, Box::new(inner)), text: String::new(), span })
    }

    /// The entry of a label's name.
    fn label_symbol(&mut self, name: &ast::Name) -> Option<super::symbols::SymbolId> {
        let id = self.symbols.mention(&name.text, self.context, &self.blocks, name.span);
        match self.symbols.table[id].kind {
            Kind::Mentioned | Kind::Label => {
                self.symbols.table[id].kind = Kind::Label;
                Some(id)
            }
            _ => {
                let message = format!("`{}` is not a label", name.text);
                self.error(Code::Type, name.span, message);
                None
            }
        }
    }

    /// An expression as a statement.
    fn condition(&mut self, e: &ast::Expr, span: Span) -> Option<Node> {
        let value = self.expr(e)?;
        let mut runs = 0;
        value.walk(&mut |e| runs += usize::from(matches!(e, Expr::Run { .. })));
        if runs > 0 && !matches!(value, Expr::Run { .. }) {
            self.error(Code::Type, e.span, "`run` cannot be part of a larger condition");
            return None;
        }
        let command = match value {
            Expr::Const(1) => Command::Skip,
            value => Command::Guard(value),
        };
        Some(Node::command(command, print::expr(e), span))
    }

    fn assign(
        &mut self,
        r: &ast::VarRef,
        value: Option<&ast::Expr>,
        step: i32,
        text: String,
        span: Span,
    ) -> Option<Node> {
        if let [part] = &r.parts[..]
            && super::predefined(&part.name.text)
        {
            return self.assign_predefined(&part.name, value, text, span);
        }
        self.check_assignment(r, value);
        let target = self.write(r);
        let place = target.and_then(|t| {
            if t.ty.is_chan() && value.is_none() {
                self.error(Code::Type, span, "a channel is not a number");
            }
            self.scalar(t, r.span)
        });
        let value = match value {
            Some(e) => {
                let value = self.expr(e)?;
                if let Some(place) = &place {
                    self.warn_truncated(place.cell, &value, e.span);
                }
                value
            }
            None => {
                let op =
                    if step > 0 { resy_system::BinaryOp::Add } else { resy_system::BinaryOp::Sub };
                let old = Expr::Load(place.clone()?);
                Expr::Binary(op, Box::new(old), Box::new(Expr::Const(1)))
            }
        };
        Some(Node::command(Command::Assign(place?, value), text, span))
    }

    fn assign_predefined(
        &mut self,
        name: &ast::Name,
        value: Option<&ast::Expr>,
        text: String,
        span: Span,
    ) -> Option<Node> {
        let value = value.map(|e| self.expr(e));
        match (&*name.text, value) {
            ("_priority", Some(value)) => {
                self.system.uses_priority = true;
                Some(Node::command(Command::SetPriority(Expr::Pid, value?), text, span))
            }
            ("_", Some(value)) => {
                Some(Node::command(Command::Assign(Self::nowhere(), value?), text, span))
            }
            _ => {
                let message = format!("`{}` cannot be assigned", name.text);
                self.error(Code::Type, name.span, message);
                None
            }
        }
    }

    fn d_step(&mut self, block: &Block, span: Span) -> Option<Node> {
        let first_id = self.next_id;
        self.in_d_step += 1;
        let body = self.braces(block, Place::DStep);
        self.in_d_step -= 1;
        let body = body?;
        self.flow.make_atomic(body, true);
        self.flow.d_steps.push((first_id, self.next_id));
        Some(Node { kind: NodeKind::DStep(body), text: "d_step".into(), span })
    }

    /// The options of a selection; `else` is moved to the end, where spin tries it.
    fn options(&mut self, options: &[Block], span: Span) -> Option<Vec<SequenceId>> {
        let mut sequences = Vec::new();
        for option in options {
            let sequence = self.sequence(option, Place::Option)?;
            if !self.in_claim {
                self.flow.prune_skips(sequence);
            }
            sequences.push(sequence);
        }
        let is_else = |lowerer: &Self, s: &SequenceId| {
            let first = lowerer.flow.sequences[*s].first.map(|e| &lowerer.flow.elements[e]);
            first.is_some_and(|e| matches!(e.kind, ElementKind::Command(Command::Else)))
        };
        let (elses, mut others): (Vec<_>, Vec<_>) =
            sequences.into_iter().partition(|s| is_else(self, s));
        let at = |&s: &SequenceId| Some(self.flow.elements[self.flow.sequences[s].first?].span);
        if let [first, second, ..] = &elses.iter().filter_map(at).collect::<Vec<_>>()[..] {
            let message = "a selection has more than one `else`";
            let diagnostic = Diagnostic::new(Code::Structure, *second, message)
                .label("the second one")
                .related(*first, "the first one")
                .hint("`else` is taken when no other option can be; write conditions for the rest");
            self.diags.push(diagnostic);
        }
        if !elses.is_empty() {
            self.check_else_beside_io(&others, span);
        }
        others.extend(elses);
        Some(others)
    }

    /// `else` beside a send or receive is a warning, and an error after an `xr` or `xs`.
    fn check_else_beside_io(&mut self, options: &[SequenceId], span: Span) {
        let io = options.iter().filter_map(|&s| self.flow.sequences[s].first).find(|&e| {
            let ElementKind::Command(command) = &self.flow.elements[e].kind else { return false };
            match command {
                Command::Send { .. } | Command::Receive { .. } => true,
                Command::Guard(e) => e.any(|e| matches!(e, Expr::Probe(..))),
                _ => false,
            }
        });
        let Some(element) = io else { return };
        let message = "`else` stands beside a send or receive";
        let io = self.flow.elements[element].span;
        let diagnostic = match self.ends.any_claimed() {
            true => {
                let message = format!("{message} in a program with `xr` or `xs`");
                let hint = "spin refuses it: drop the claims `xr` and `xs`, or test with `q?[…]`";
                Diagnostic::new(Code::Refused, span, message).related(io, "this one").hint(hint)
            }
            false => Diagnostic::new(Code::ElseBesideIo, span, message)
                .related(io, "this may block for a moment only")
                .hint("a rendezvous receive never keeps `else` from being taken"),
        };
        self.diags.push(diagnostic);
    }
}

fn break_outside_a_loop(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Structure, span, "`break` outside a loop")
        .label("there is no `do` or `for` around this")
        .hint("an option of `if` that does nothing more needs no `break`")
}
