//! Sends, receives and printing.

use super::Lowerer;
use super::flow::Node;
use crate::ast::{self, ExprKind, RecvArg, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::print;
use crate::source::Span;
use resy_system::{Command, Expr, Pattern, PrintPart};

impl Lowerer<'_> {
    pub(super) fn send(
        &mut self,
        chan: &VarRef,
        sorted: bool,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Node> {
        let op = if sorted { "!!" } else { "!" };
        let text = format!("{}{op}{}", print::var_ref(chan), print::args(args));
        if self.in_trace {
            let patterns = self.send_events(args);
            return self.event(true, chan, patterns, text, span);
        }
        self.use_end(chan, true);
        let (channel, fields) = (chan, args);
        let (chan, args) = (self.chan(chan), self.flat_args(args));
        let (chan, args) = (chan?, args?);
        self.check_message(channel, args.len(), fields.iter(), span);
        if args.iter().any(|a| a.any(|e| matches!(e, Expr::Run { .. }))) {
            self.error(Code::Type, span, "`run` cannot stand in a message");
        }
        self.check_fields(args.len(), span);
        Some(Node::command(Command::Send { chan, sorted, args }, text, span))
    }

    pub(super) fn receive(
        &mut self,
        chan: &VarRef,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        span: Span,
    ) -> Option<Node> {
        let op = if random { "??" } else { "?" };
        let (open, close) = if peek { ("<", ">") } else { ("", "") };
        let text = format!("{}{op}{open}{}{close}", print::var_ref(chan), print::recv_args(args));
        let patterns = self.patterns(args);
        if self.in_trace {
            return self.event(false, chan, patterns, text, span);
        }
        self.use_end(chan, false);
        if self.in_d_step == 0 {
            self.check_double(args);
        }
        let values = args.iter().filter_map(|arg| match arg {
            RecvArg::Const(e) | RecvArg::Eval(e) => Some(e),
            RecvArg::Var(_) => None,
        });
        let is_plain = values.clone().count() == args.len();
        if let Some(patterns) = &patterns {
            let values = values.take(if is_plain { args.len() } else { 0 });
            self.check_message(chan, patterns.len(), values, span);
        }
        let chan = self.chan(chan);
        let command = Command::Receive { chan: chan?, random, peek, patterns: patterns? };
        Some(Node::command(command, text, span))
    }

    /// A statement of a `trace`.
    fn event(
        &mut self,
        send: bool,
        chan: &VarRef,
        patterns: Option<Vec<Pattern>>,
        text: String,
        span: Span,
    ) -> Option<Node> {
        let chan = self.chan(chan)?;
        let watched = if send { &mut self.trace_sends } else { &mut self.trace_receives };
        watched.push(chan.clone());
        let command = Command::Event { send, chan, patterns: patterns? };
        Some(Node::command(command, text, span))
    }

    /// In a trace the constants of a send are compared, names are not.
    fn send_events(&mut self, args: &[ast::Expr]) -> Option<Vec<Pattern>> {
        let pattern = |arg: &ast::Expr| match arg.kind {
            ExprKind::Number(_) | ExprKind::Mtype(_) => Some(Pattern::Match(self.expr(arg)?)),
            _ => Some(Pattern::Bind(Self::nowhere())),
        };
        args.iter().map(pattern).collect()
    }

    /// The fields of a receive or poll, with structures flattened.
    pub(super) fn patterns(&mut self, args: &[RecvArg]) -> Option<Vec<Pattern>> {
        let mut out = Vec::new();
        let mut ok = true;
        for arg in args {
            match arg {
                RecvArg::Const(e) | RecvArg::Eval(e) => match self.expr(e) {
                    Some(value) => out.push(Pattern::Match(value)),
                    None => ok = false,
                },
                RecvArg::Var(r) => match self.bindings(r) {
                    Some(patterns) => out.extend(patterns),
                    None => ok = false,
                },
            }
        }
        ok.then_some(out)
    }

    fn bindings(&mut self, r: &VarRef) -> Option<Vec<Pattern>> {
        let name = &r.parts[0].name;
        if &*name.text == "_" {
            return Some(vec![Pattern::Bind(Self::nowhere())]);
        }
        if super::predefined(&name.text) {
            let message = format!("`{}` cannot be received into", name.text);
            self.error(Code::Type, name.span, message);
            return None;
        }
        let target = self.write(r)?;
        Some(self.cells(target, r.span)?.into_iter().map(Pattern::Bind).collect())
    }

    /// `q?x,x` is an error for plain variables, outside a `d_step`.
    fn check_double(&mut self, args: &[RecvArg]) {
        let mut seen: Vec<&str> = Vec::new();
        for arg in args {
            if let RecvArg::Var(r) = arg
                && let [part] = &r.parts[..]
                && part.index.is_none()
                && &*part.name.text != "_"
            {
                if seen.contains(&&*part.name.text) {
                    let message = format!("`{}` receives two fields", part.name.text);
                    self.error(Code::Type, part.name.span, message);
                }
                seen.push(&part.name.text);
            }
        }
    }

    /// A message with more fields than every channel is an error; a message that does not fit
    /// its own channel is a violation at run time.
    fn check_fields(&mut self, n: usize, span: Span) {
        self.field_counts.push((n, span));
    }

    /// The pieces of a `printf`.
    pub(super) fn printf(
        &mut self,
        format: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Vec<PrintPart>> {
        let mut values = Vec::new();
        for arg in args {
            let subtype = self.mtype_of(arg);
            values.push((self.expr(arg)?, subtype));
        }
        let mut values = values.into_iter();
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(other) => text.push(other),
                    None => text.push('\\'),
                },
                '%' => {
                    let Some(directive) = chars.next() else { break };
                    if directive == '%' {
                        text.push('%');
                        continue;
                    }
                    let Some((value, subtype)) = values.next() else {
                        let message = "too few arguments for the format";
                        let hint = "each `%d`, `%e` or the like in the text stands for a value";
                        self.diags.push(Diagnostic::new(Code::Arity, span, message).hint(hint));
                        return None;
                    };
                    parts.push(PrintPart::Text(std::mem::take(&mut text)));
                    parts.push(match directive {
                        'c' => PrintPart::Char(value),
                        'e' => PrintPart::Mtype(value, subtype),
                        'u' => PrintPart::Unsigned(value),
                        'x' => PrintPart::Hex(value),
                        'o' => PrintPart::Octal(value),
                        _ => PrintPart::Decimal(value),
                    });
                }
                _ => text.push(c),
            }
        }
        parts.push(PrintPart::Text(text));
        Some(parts)
    }

    pub(super) fn printm(&mut self, e: &ast::Expr) -> Option<PrintPart> {
        let subtype = self.mtype_of(e);
        Some(PrintPart::Mtype(self.expr(e)?, subtype))
    }

    /// The `mtype` subtype that an expression's value belongs to.
    fn mtype_of(&mut self, e: &ast::Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Var(r) => {
                let variable = self.find_variable(&r.parts[0].name)?;
                match variable.ty {
                    super::symbols::Type::Basic { mtype: Some(subtype), .. } => {
                        subtype.map(|s| s.to_string())
                    }
                    _ => None,
                }
            }
            ExprKind::Mtype(name) => {
                let declared =
                    self.system.mtypes.iter().find(|m| m.names.iter().any(|n| **n == *name.text));
                declared.and_then(|m| m.subtype.clone())
            }
            _ => None,
        }
    }
}
