//! The syntax tree to a system: resolves names and builds the control flow.
//!
//! The bodies become flow graphs in the order of the text ([`flow`], [`build`]),
//! because spin numbers statements in that order and because a reference to a
//! label of another process may change that process's graph. Only then are the
//! graphs turned into tables of edges ([`table`], [`flatten`]).

mod atomic;
mod build;
mod check;
mod claims;
mod declare;
mod dstep;
mod escape;
mod exclusive;
mod expr;
mod flatten;
mod flow;
mod hunt;
mod io;
mod loops;
mod message;
mod refs;
mod size;
mod symbols;
mod table;
mod types;
mod units;
mod warn;

use crate::ast;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};
use flow::{Destination, Flow, Kind as ElementKind};
use resy_index::IndexVec;
use resy_system::{CellInit, Command, Expr, Frame, ProctypeId, System};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbols::{BlockPath, SymbolId, Symbols, TypedefId};

/// The system of a program; `None` if there are errors.
pub fn lower(program: &ast::Program, map: &SourceMap, diags: &mut Diagnostics) -> Option<System> {
    let mut lowerer = Lowerer::new(map, diags);
    lowerer.program(program);
    if !lowerer.diags.has_errors() && !lowerer.diags.is_stopped() {
        lowerer.check_size();
    }
    let system = lowerer.system;
    if diags.has_errors() || diags.is_stopped() {
        return None;
    }
    debug_assert_eq!(resy_system::validate(&system), Ok(()));
    Some(system)
}

/// Names that every program has.
fn predefined(name: &str) -> bool {
    matches!(name, "_" | "_p" | "_pid" | "_nr_pr" | "_last" | "_priority")
}

/// A `run`, to be checked when all proctypes are known.
struct RunSite {
    proctype: ProctypeId,
    n: Option<usize>,
    name: ast::Name,
    /// Each argument's place, and whether it is a variable.
    args: Vec<(Span, bool)>,
}

/// What the program uses, beyond what the system records.
#[derive(Default)]
struct Uses {
    enabled: bool,
}

/// A finished body, waiting for its table.
struct Body {
    flow: Flow,
    frame: Frame,
    /// For every cell of a parameter: whether it is an `mtype`.
    params: Vec<bool>,
}

/// The state of lowering a program.
struct Lowerer<'a> {
    map: &'a SourceMap,
    diags: &'a mut Diagnostics,
    system: System,
    symbols: Symbols,
    typedefs: IndexVec<TypedefId, types::Typedef>,
    typedefs_by_name: FxHashMap<Rc<str>, TypedefId>,
    mtype_values: FxHashMap<Rc<str>, i32>,
    proctypes_by_name: FxHashMap<Rc<str>, ProctypeId>,
    /// The context of names of every proctype read so far.
    context_of: FxHashMap<ProctypeId, u32>,
    global_init: Vec<(u8, Vec<CellInit>)>,
    runs: Vec<RunSite>,
    field_counts: Vec<(usize, Span)>,
    /// The field types of the channels that are declared with `of { … }`.
    carried: FxHashMap<SymbolId, Vec<ast::TypeName>>,
    /// Jumps: the body, the label's name and the place.
    jumps: Vec<(usize, SymbolId, Span)>,
    remote_labels: Vec<(ProctypeId, Rc<str>)>,
    ends: exclusive::ChannelEnds,
    uses: Uses,
    /// The bodies read so far; their position is the context of their names.
    flows: Vec<Body>,
    /// Spin's number of the next statement.
    next_id: u32,

    // The body being read.
    context: Option<u32>,
    blocks: BlockPath,
    n_blocks: u32,
    frame: Frame,
    params: Vec<bool>,
    flow: Flow,
    /// Whether no statement has been read: declarations are not steps here.
    at_top: bool,
    in_d_step: u32,
    in_claim: bool,
    in_trace: bool,
    trace_sends: Vec<Expr>,
    trace_receives: Vec<Expr>,
}

impl<'a> Lowerer<'a> {
    fn new(map: &'a SourceMap, diags: &'a mut Diagnostics) -> Self {
        Self {
            map,
            diags,
            system: System::default(),
            symbols: Symbols::default(),
            typedefs: IndexVec::new(),
            typedefs_by_name: FxHashMap::default(),
            mtype_values: FxHashMap::default(),
            proctypes_by_name: FxHashMap::default(),
            context_of: FxHashMap::default(),
            global_init: Vec::new(),
            runs: Vec::new(),
            field_counts: Vec::new(),
            carried: FxHashMap::default(),
            jumps: Vec::new(),
            remote_labels: Vec::new(),
            ends: exclusive::ChannelEnds::default(),
            uses: Uses::default(),
            flows: Vec::new(),
            next_id: 0,
            context: None,
            blocks: Vec::new(),
            n_blocks: 0,
            frame: Frame::default(),
            params: Vec::new(),
            flow: Flow::new(),
            at_top: true,
            in_d_step: 0,
            in_claim: false,
            in_trace: false,
            trace_sends: Vec::new(),
            trace_receives: Vec::new(),
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::new(code, span, message));
    }

    fn mark_used(&mut self, id: SymbolId) {
        let symbol = &mut self.symbols.table[id];
        (symbol.read, symbol.written) = (true, true);
    }

    /// The location of a label in another body. A jump with such a label gets a `skip` before
    /// it: otherwise control would never be at the label.
    fn remote_location(&mut self, proctype: ProctypeId, label: &str) -> Option<i32> {
        self.remote_labels.push((proctype, label.into()));
        let context = *self.context_of.get(&proctype)?;
        let flow = match self.flows.get_mut(context as usize) {
            Some(body) => &mut body.flow,
            None => &mut self.flow,
        };
        let named = |destination: Destination| match destination {
            Destination::Label(symbol) => &*self.symbols.table[symbol].name == label,
            Destination::Break(_) => false,
        };
        let at = flow.labels.iter().find(|l| named(l.destination))?.element;
        let element = &flow.elements[at];
        if let ElementKind::Goto(destination) = element.kind {
            let (next, text, span) = (element.next, element.text.clone(), element.span);
            let kind = ElementKind::Goto(destination);
            let jump = flow.new_element(kind, text, span, &mut self.next_id);
            let flags = flow.elements[at].clone();
            flow.elements[jump].next = next;
            flow.elements[jump].atomic = flags.atomic;
            flow.elements[jump].last_atomic = flags.last_atomic;
            flow.elements[jump].in_d_step = flags.in_d_step;
            flow.elements[at].kind = ElementKind::Command(Command::Skip);
            flow.elements[at].text = "skip".into();
            flow.elements[at].next = Some(jump);
            for sequence in flow.sequences.iter_mut() {
                if sequence.last == Some(at) {
                    sequence.last = Some(jump);
                }
                if sequence.extent == Some(at) {
                    sequence.extent = Some(jump);
                }
            }
        }
        Some(flow.elements[at].number as i32)
    }
}
