//! `for` and `select`: spin unfolds them into assignments and a `do`.

use super::Lowerer;
use super::build::Place;
use super::flow::{Destination, Node, NodeKind, SequenceId};
use super::symbols::{Kind, Type};
use crate::ast::{self, Block, Expr as AstExpr, ForRange, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::print;
use crate::source::Span;
use resy_system::{self as sys, BinaryOp, CellType, Command, Expr, Pattern, Scope};
use std::rc::Rc;

/// A `select` between literals up to this far apart is an `if`.
const WIDEST_IF: i64 = 32;

impl Lowerer<'_> {
    pub(super) fn for_loop(
        &mut self,
        var: &VarRef,
        range: &ForRange,
        body: &Block,
        span: Span,
    ) -> Option<Node> {
        let exit = self.push_break();
        let node = match range {
            ForRange::Between(from, to) => self.for_between(var, from, to, body, exit, span),
            ForRange::In(over) => self.for_in(var, over, body, exit, span),
        };
        if node.is_none() {
            self.flow.breaks.retain(|&b| b != exit);
        }
        node
    }

    fn for_between(
        &mut self,
        var: &VarRef,
        from: &AstExpr,
        to: &AstExpr,
        body: &Block,
        exit: u32,
        span: Span,
    ) -> Option<Node> {
        if let (Some(a), Some(b)) = (self.constant_value(from), self.constant_value(to))
            && a > b
        {
            self.error(Code::Constant, span, format!("the range {a} .. {b} is empty"));
        }
        let index = self.loop_index(var);
        let bounds = [print::expr(from), print::expr(to)];
        let (from, to) = (self.expr(from), self.expr(to));
        self.count_up(index?, &print::var_ref(var), (from?, to?), &bounds, body, exit, span)
    }

    /// `for (x in a)` over an array, or over the messages of a channel.
    fn for_in(
        &mut self,
        var: &VarRef,
        over: &VarRef,
        body: &Block,
        exit: u32,
        span: Span,
    ) -> Option<Node> {
        // The type of the index distinguishes them: an array of channels is an array.
        if let [part] = &var.parts[..]
            && let Some(Type::Struct(_)) = self.find_variable(&part.name).map(|v| v.ty)
        {
            return self.for_messages(var, over, body, exit, span);
        }
        let target = self.read(over)?;
        let Some(len) = target.whole_array else {
            let message = format!("`{}` is not an array", print::var_ref(over));
            self.error(Code::Type, over.span, message);
            return None;
        };
        let index = self.loop_index(var)?;
        let bounds = [0, len as i32 - 1];
        let range = (Expr::Const(bounds[0]), Expr::Const(bounds[1]));
        let bounds = bounds.map(|bound| bound.to_string());
        self.count_up(index, &print::var_ref(var), range, &bounds, body, exit, span)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one loop")]
    fn count_up(
        &mut self,
        index: sys::CellRef,
        name: &str,
        (from, to): (Expr, Expr),
        [first, last]: &[String; 2],
        body: &Block,
        exit: u32,
        span: Span,
    ) -> Option<Node> {
        self.store(&index, from, format!("{name} = {first}"), span);
        let test = compare(BinaryOp::Le, &index, to);
        self.flow.open_sequence();
        self.add_node(Node::command(Command::Guard(test), format!("{name} <= {last}"), span));
        self.loop_body(body);
        let body = self.close_loop(&index, name, span)?;
        Some(self.loop_node(body, Some(()), exit, span))
    }

    /// `for (m in q)`: every message is taken out and put back.
    fn for_messages(
        &mut self,
        var: &VarRef,
        over: &VarRef,
        body: &Block,
        exit: u32,
        span: Span,
    ) -> Option<Node> {
        let message = self.write(var)?;
        let carried = self.find_variable(&over.parts[0].name).and_then(|v| v.record);
        if over.parts.len() > 1 || carried.is_none_or(|id| message.ty != Type::Struct(id)) {
            let message = "the index must have the type of the channel's messages";
            let hint = "declare the channel here as `[n] of { T }` with n > 0 and one `typedef` T";
            self.diags.push(Diagnostic::new(Code::Type, over.span, message).hint(hint));
            return None;
        }
        let cells = self.cells(message, var.span)?;
        let chan = self.chan(over)?;
        let index = self.message_counter(span)?;
        self.store(&index, Expr::Const(0), "message = 0".into(), span);
        self.flow.open_sequence();
        let len = Expr::Len(Box::new(chan.clone()));
        let test = compare(BinaryOp::Lt, &index, len);
        let over = print::var_ref(over);
        self.add_node(Node::command(Command::Guard(test), format!("message < len({over})"), span));
        let receive = Command::Receive {
            chan: chan.clone(),
            random: false,
            peek: false,
            patterns: cells.iter().cloned().map(Pattern::Bind).collect(),
        };
        let var = print::var_ref(var);
        self.add_node(Node::command(receive, format!("{over}?{var}"), span));
        let args = cells.into_iter().map(Expr::Load).collect();
        let send = Command::Send { chan, sorted: false, args };
        self.add_node(Node::command(send, format!("{over}!{var}"), span));
        self.loop_body(body);
        let body = self.close_loop(&index, "message", span)?;
        Some(self.loop_node(body, Some(()), exit, span))
    }

    fn loop_body(&mut self, body: &Block) {
        self.enter_block();
        self.at_top = false;
        self.steps(body);
        self.leave_block();
    }

    /// `select (x : a .. b)`.
    pub(super) fn select(
        &mut self,
        var: &VarRef,
        from: &AstExpr,
        to: &AstExpr,
        literal: bool,
        span: Span,
    ) -> Option<Node> {
        if literal {
            let (from, to) = (self.constant_value(from)?, self.constant_value(to)?);
            return self.select_literal(var, from, to, span);
        }
        let name = print::var_ref(var);
        let index = self.loop_index(var);
        let [first, last] = [from, to].map(print::expr);
        let (from, to) = (self.expr(from), self.expr(to));
        let index = index?;
        self.store(&index, from?, format!("{name} = {first}"), span);
        self.flow.open_sequence();
        let test = compare(BinaryOp::Lt, &index, to?);
        self.add_node(Node::command(Command::Guard(test), format!("{name} < {last}"), span));
        let exit = self.push_break();
        let body = self.close_loop(&index, &name, span)?;
        Some(self.loop_node(body, None, exit, span))
    }

    fn select_literal(&mut self, var: &VarRef, from: i64, to: i64, span: Span) -> Option<Node> {
        let name = print::var_ref(var);
        let index = self.loop_index(var)?;
        if from > to {
            self.error(Code::Constant, span, format!("the range {from} .. {to} is empty"));
            return None;
        }
        if to - from <= WIDEST_IF {
            let mut options = Vec::new();
            for value in from..=to {
                self.flow.open_sequence();
                self.store(&index, Expr::Const(value as i32), format!("{name} = {value}"), span);
                options.push(self.close(Place::Option, span)?);
            }
            return Some(Node { kind: NodeKind::If(options), text: "select".into(), span });
        }
        self.store(&index, Expr::Const(from as i32), format!("{name} = {from}"), span);
        let exit = self.push_break();
        self.flow.open_sequence();
        let test = compare(BinaryOp::Lt, &index, Expr::Const(to as i32));
        self.add_node(Node::command(Command::Guard(test), format!("{name} < {to}"), span));
        let up = self.close_loop(&index, &name, span)?;
        let leave = self.leave(None, exit, span)?;
        Some(Node { kind: NodeKind::Do(vec![up, leave], exit), text: "select".into(), span })
    }

    /// The index of a loop: a plain variable.
    fn loop_index(&mut self, var: &VarRef) -> Option<sys::CellRef> {
        let target = self.write(var)?;
        if target.ty.is_chan() || target.whole_array.is_some() || var.parts.len() > 1 {
            let message = format!("`{}` cannot be an index", print::var_ref(var));
            self.error(Code::Type, var.span, message);
            return None;
        }
        self.mark_read(&var.parts[0].name);
        self.scalar(target, var.span)
    }

    fn store(&mut self, place: &sys::CellRef, value: Expr, text: String, span: Span) {
        self.add_node(Node::command(Command::Assign(place.clone(), value), text, span));
    }

    /// The increment at the end of a loop's body, which it closes.
    fn close_loop(&mut self, index: &sys::CellRef, name: &str, span: Span) -> Option<SequenceId> {
        let one = Box::new(Expr::Const(1));
        let sum = Expr::Binary(BinaryOp::Add, Box::new(Expr::Load(index.clone())), one);
        self.store(index, sum, format!("{name}++"), span);
        self.close(Place::Free, span)
    }

    /// The `do` of a loop: in spin the exit is the first option.
    fn loop_node(
        &mut self,
        body: SequenceId,
        with_else: Option<()>,
        exit: u32,
        span: Span,
    ) -> Node {
        let leave = self.leave(with_else, exit, span);
        let mut options: Vec<_> = leave.into_iter().chain([body]).collect();
        if with_else.is_some() {
            options.reverse();
        }
        Node { kind: NodeKind::Do(options, exit), text: "do".into(), span }
    }

    /// `else -> break`, or `break` alone.
    fn leave(&mut self, with_else: Option<()>, exit: u32, span: Span) -> Option<SequenceId> {
        self.flow.open_sequence();
        if with_else.is_some() {
            self.add_node(Node::command(Command::Else, "else".into(), span));
        }
        let kind = NodeKind::Goto(Destination::Break(exit));
        self.add_node(Node { kind, text: "break".into(), span });
        self.close(Place::Free, span)
    }

    /// The hidden counter of a loop over messages: one for each block.
    fn message_counter(&mut self, span: Span) -> Option<sys::CellRef> {
        let path: Vec<String> = self.blocks.iter().map(u32::to_string).collect();
        let name: Rc<str> = format!("_for_message_{}", path.join("_")).into();
        let id = self.symbols.mention(&name, self.context, &self.blocks, span);
        if let Kind::Variable(v) = &self.symbols.table[id].kind {
            return Some(sys::CellRef::cell(v.scope, v.offset, CellType::Byte));
        }
        let cell = CellType::Byte;
        let ty =
            Type::Basic { cell, in_message: cell, is_chan: false, is_bool: false, mtype: None };
        let mut frame = std::mem::take(&mut self.frame);
        let offset = self.allocate(&mut frame, &name, (&ty, None), false, span);
        self.frame = frame;
        let (offset, scope) = (offset?, Scope::Local);
        self.symbols.table[id].kind = Kind::Variable(super::symbols::Variable {
            scope,
            offset,
            ty,
            array: None,
            constant: None,
            record: None,
        });
        self.mark_used(id);
        Some(sys::CellRef::cell(scope, offset, cell))
    }

    fn mark_read(&mut self, name: &ast::Name) {
        if let Some(id) = self.symbols.find(&name.text, self.context, &self.blocks) {
            self.symbols.table[id].read = true;
        }
    }
}

fn compare(op: BinaryOp, index: &sys::CellRef, bound: Expr) -> Expr {
    Expr::Binary(op, Box::new(Expr::Load(index.clone())), Box::new(bound))
}
