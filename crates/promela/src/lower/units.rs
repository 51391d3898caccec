//! The top-level parts of a program.

use super::build::Place;
use super::flow::{Flow, Kind as ElementKind};
use super::symbols::Kind;
use super::table::{Finished, place};
use super::{Body, Lowerer};
use crate::ast::{self, Block, Size, Unit};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use resy_index::Id;
use resy_system::{Frame, Instance, Proctype, ProctypeId};

/// The limit of spin's verifier.
const SPIN_PROCESSES: usize = 255;
/// The maximal number of initial processes; more are taken for a mistake.
const MAX_INSTANCES: i64 = 10_000;

/// A body whose table is still to be made.
enum Pending {
    Proctype { name: String, deterministic: bool, provided: Option<resy_system::Expr> },
    Never(String),
    Trace(bool),
}

impl Lowerer<'_> {
    pub(super) fn program(&mut self, program: &ast::Program) {
        self.system.files = self.map.files().map(|(_, f)| f.name.clone()).collect();
        self.name_proctypes(program);
        let mut pending = Vec::new();
        for unit in &program.units {
            if !self.diags.go_on() {
                return;
            }
            match unit {
                Unit::Decl(decl) => self.declare_globals(decl),
                Unit::Mtype(decl) => self.declare_mtype(decl),
                Unit::Typedef(decl) => self.declare_typedef(decl),
                Unit::Inline(_) => {}
                Unit::Proctype(p) => pending.push((self.read_proctype(p), p.name.span)),
                Unit::Init(init) => pending.push((self.read_init(init), init.span)),
                Unit::Never(claim) => pending.push((self.read_never(claim), claim.span)),
                Unit::Trace(claim) => pending.push((self.read_trace(claim), claim.span)),
                Unit::Ltl(ltl) => self.read_ltl(ltl),
            }
        }
        if self.diags.is_stopped() {
            return;
        }
        self.finish_globals();
        self.check_runs();
        self.check_fields_of_messages();
        self.warn_unused();
        self.warn_broken_claims();
        self.finish_bodies(pending);
        self.check_instances();
    }

    /// Numbers the proctypes in advance, so that a `run` may precede its proctype.
    fn name_proctypes(&mut self, program: &ast::Program) {
        let mut n = 0;
        for unit in &program.units {
            let name = match unit {
                Unit::Proctype(p) => &p.name,
                Unit::Init(_) => {
                    n += 1;
                    continue;
                }
                _ => continue,
            };
            let id = ProctypeId::from_index(n);
            n += 1;
            if self.proctypes_by_name.insert(name.text.clone(), id).is_some() {
                let message = format!("proctype `{}` is declared twice", name.text);
                self.error(Code::Redeclared, name.span, message);
            }
        }
    }

    fn read_proctype(&mut self, p: &ast::Proctype) -> Pending {
        let id = self.proctypes_by_name[&p.name.text];
        let symbol = self.symbols.mention(&p.name.text, None, &[], p.name.span);
        match self.symbols.table[symbol].kind {
            Kind::Mentioned | Kind::Proctype => {
                self.symbols.table[symbol].kind = Kind::Proctype;
            }
            _ => {
                let message = format!("`{}` is declared twice", p.name.text);
                self.error(Code::Redeclared, p.name.span, message);
            }
        }
        self.context_of.insert(id, self.flows.len() as u32);
        self.open_body();
        self.declare_params(&p.params);
        let provided = p.provided.as_ref().and_then(|e| {
            let condition = self.expr(e)?;
            self.check_provided(&condition, e.span);
            Some(condition)
        });
        self.read_body(&p.body);
        self.instances(id, p);
        let name = p.name.text.to_string();
        Pending::Proctype { name, deterministic: p.deterministic, provided }
    }

    fn read_init(&mut self, init: &ast::Init) -> Pending {
        let n = self.system.instances.len();
        let id = self.next_proctype();
        self.context_of.insert(id, self.flows.len() as u32);
        self.open_body();
        self.read_body(&init.body);
        let priority = self.priority(init.priority, init.span);
        self.system.instances.insert(n, Instance { proctype: id, priority });
        Pending::Proctype { name: ":init:".into(), deterministic: false, provided: None }
    }

    /// The id of the proctype being read: they come in order.
    fn next_proctype(&self) -> ProctypeId {
        let read = self.context_of.len();
        ProctypeId::from_index(read)
    }

    fn read_never(&mut self, claim: &ast::Claim) -> Pending {
        let default = format!("never_{}", self.system.claims.len());
        let name = claim.name.as_ref().map_or(default, |n| n.text.to_string());
        self.in_claim = true;
        self.open_body();
        self.read_body(&claim.body);
        self.in_claim = false;
        if self.flows.last().is_some_and(|b| !b.frame.cells.is_empty()) {
            self.error(Code::Declaration, claim.span, "a never claim cannot have variables");
        }
        Pending::Never(name)
    }

    fn read_trace(&mut self, claim: &ast::Claim) -> Pending {
        if self.system.trace.is_some() {
            self.error(Code::Redeclared, claim.span, "there is more than one trace");
        }
        self.in_trace = true;
        self.open_body();
        self.read_body(&claim.body);
        self.in_trace = false;
        Pending::Trace(claim.negated)
    }

    /// Starts a body: its names have a context of their own.
    fn open_body(&mut self) {
        self.context = Some(self.flows.len() as u32);
        self.blocks.clear();
        self.frame = Frame::default();
        self.params.clear();
        self.flow = Flow::new();
    }

    fn read_body(&mut self, block: &Block) {
        self.flow.open_sequence();
        self.enter_block();
        self.at_top = true;
        self.steps(block);
        self.leave_block();
        let span = Span { start: block.span.end.saturating_sub(1), ..block.span };
        let end = self.flow.new_element(ElementKind::End, "-end-".into(), span, &mut self.next_id);
        self.flow.link_end(end);
        self.flow.body = self.close(Place::Free, block.span);
        self.context = None;
        self.at_top = true;
        let flow = std::mem::take(&mut self.flow);
        let frame = std::mem::take(&mut self.frame);
        self.flows.push(Body { flow, frame, params: std::mem::take(&mut self.params) });
    }

    fn instances(&mut self, id: ProctypeId, p: &ast::Proctype) {
        let priority = self.priority(p.priority, p.name.span);
        let n = match &p.active {
            None => 0,
            Some(None) => 1,
            Some(Some(Size::Value(n, _))) => *n,
            Some(Some(Size::Name(name))) => {
                match self.find_variable(name).and_then(|v| v.constant) {
                    Some(n) => n,
                    None => {
                        let message = format!("`{}` has no constant value", name.text);
                        self.error(Code::Constant, name.span, message);
                        0
                    }
                }
            }
        };
        if n > MAX_INSTANCES {
            let message = format!("{n} processes are too many: the limit is {MAX_INSTANCES}");
            self.error(Code::Constant, p.name.span, message);
            return;
        }
        let instance = Instance { proctype: id, priority };
        self.system.instances.extend((0..n).map(|_| instance));
    }

    fn priority(&mut self, priority: Option<i64>, span: Span) -> i32 {
        let Some(p) = priority else { return 1 };
        self.system.uses_priority = true;
        if !(1..=255).contains(&p) {
            self.error(Code::Constant, span, "a priority must be 1 to 255");
            return 1;
        }
        p as i32
    }

    fn finish_bodies(&mut self, pending: Vec<(Pending, Span)>) {
        let bodies = std::mem::take(&mut self.flows);
        for ((pending, span), body) in pending.into_iter().zip(bodies) {
            if !self.diags.go_on() {
                return;
            }
            let Some(table) = self.table(body.flow) else { continue };
            let end = table.end;
            match pending {
                Pending::Proctype { name, deterministic, provided } => {
                    let p = self.make_proctype(name, table, body.frame, span);
                    self.system.proctypes.push(Proctype { deterministic, provided, ..p });
                }
                Pending::Never(name) => {
                    let automaton = self.make_proctype(name.clone(), table, body.frame, span);
                    self.add_never(name, automaton, span);
                }
                Pending::Trace(negated) => {
                    let automaton = self.make_proctype("trace".into(), table, body.frame, span);
                    self.add_trace(negated, automaton, end);
                }
            }
        }
    }

    fn make_proctype(&self, name: String, table: Finished, frame: Frame, span: Span) -> Proctype {
        Proctype {
            name,
            deterministic: false,
            frame,
            provided: None,
            start: table.start,
            edges: table.edges,
            end_locations: table.end_locations,
            accept_locations: table.accept_locations,
            progress_locations: table.progress_locations,
            labels: table.labels,
            source: place(self.map, span),
        }
    }

    /// Every `run` has as many arguments as its proctype has parameters.
    fn check_runs(&mut self) {
        for site in std::mem::take(&mut self.runs) {
            let Some(&context) = self.context_of.get(&site.proctype) else { continue };
            let params = self.flows[context as usize].params.clone();
            if let Some(n) = site.n
                && n != params.len()
            {
                let (name, wanted) = (&site.name.text, count(params.len(), "argument"));
                let message = format!("`{name}` takes {wanted}, not {n}");
                let mut diagnostic = Diagnostic::new(Code::Arity, site.name.span, message)
                    .label(format!("started with {} here", count(n, "argument")))
                    .hint("give one value for each parameter, in their order");
                if let Some(id) = self.symbols.find(name, None, &[]) {
                    let words = format!("it has {}", count(params.len(), "parameter"));
                    diagnostic = diagnostic.related(self.symbols.table[id].span, words);
                }
                self.diags.push(diagnostic);
            }
            for (&(span, is_variable), is_mtype) in site.args.iter().zip(params) {
                if is_mtype && is_variable {
                    let message = "spin passes only constants to an mtype parameter";
                    self.error(Code::Type, span, message);
                }
            }
        }
    }

    /// No message has more fields than the widest channel.
    fn check_fields_of_messages(&mut self) {
        let widest = self.system.channel_types.iter().map(|t| t.fields.len()).max().unwrap_or(0);
        for (n, span) in std::mem::take(&mut self.field_counts) {
            if n > widest {
                let message = format!("no channel has messages of {n} fields");
                self.error(Code::Arity, span, message);
            }
        }
    }

    fn check_instances(&mut self) {
        let n = self.system.instances.len();
        if n == 0 && !self.diags.has_errors() {
            let message = "the model has no process to start with";
            let proctypes = self.symbols.table.iter().filter(|s| matches!(s.kind, Kind::Proctype));
            let diagnostic = match proctypes.map(|s| s.span).min_by_key(|span| span.start) {
                Some(first) => Diagnostic::new(Code::Structure, first, message)
                    .label("nobody starts this")
                    .hint("write `active proctype`, or add an `init` that runs it"),
                None => Diagnostic::new(Code::Structure, Span::new(0, 0), message)
                    .hint("add an `init` or an `active proctype`"),
            };
            self.diags.push(diagnostic);
        }
        if n > SPIN_PROCESSES {
            let message = format!("{n} processes at the start: spin takes {SPIN_PROCESSES}");
            self.diags.push(Diagnostic::new(Code::SpinLimit, Span::new(0, 0), message));
        }
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
