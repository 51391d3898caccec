//! From the flow graph to the table of edges.
//!
//! The graph is traversed in the order of the text. An element with one successor gives an
//! edge, a selection gives the list of the first elements of its options, which
//! [`super::flatten`] turns into edges.

use super::flow::{ElementId, Flow, Kind, SequenceId};
use super::hunt::{Hunter, Lost};
use super::{Lowerer, flatten};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::SourceMap;
use resy_index::{Id, IndexVec};
use resy_system::{Command, Edge, Expr, LocationId, SourcePlace};

/// The edges of a location, before selections are flattened.
#[derive(Clone, Debug, Default)]
pub(super) enum Row {
    /// No element has this number.
    #[default]
    None,
    /// One edge, with the starts of the escapes possible here.
    Edge(Edge, Vec<LocationId>),
    /// The edges of the locations in the list.
    Choice(Vec<LocationId>),
}

/// A table under construction.
pub(super) struct Table<'a> {
    pub flow: Flow,
    pub hunter: Hunter<'a>,
    pub map: &'a SourceMap,
    pub rows: IndexVec<LocationId, Row>,
    done: IndexVec<ElementId, bool>,
    pub lost: Vec<Lost>,
    pub diags: Vec<Diagnostic>,
    /// Whether to go on.
    pub interest: &'a mut Diagnostics,
}

/// The finished table: edges, and the locations with labels.
pub(super) struct Finished {
    pub start: LocationId,
    pub edges: IndexVec<LocationId, Vec<Edge>>,
    pub end_locations: IndexVec<LocationId, bool>,
    pub accept_locations: IndexVec<LocationId, bool>,
    pub progress_locations: IndexVec<LocationId, bool>,
    pub labels: Vec<(String, LocationId)>,
    pub end: LocationId,
}

impl Lowerer<'_> {
    /// The table of a finished flow graph.
    pub(super) fn table(&mut self, mut flow: Flow) -> Option<Finished> {
        flow.tie_loose_ends();
        let body = flow.body?;
        let rows = (0..flow.next_number).map(|_| Row::None).collect();
        let done = flow.elements.ids().map(|_| false).collect();
        let mut table = Table {
            flow,
            hunter: Hunter { symbols: &self.symbols },
            map: self.map,
            rows,
            done,
            lost: Vec::new(),
            diags: Vec::new(),
            interest: &mut *self.diags,
        };
        let first = table.flow.sequences[body].first?;
        let start = table.hunt(first, table.flow.elements[first].atomic);
        table.sequence(body);
        let finished = start.and_then(|start| flatten::finish(&mut table, start));
        let (lost, diags) = (table.lost, table.diags);
        for lost in lost {
            let diagnostic = match lost {
                Lost::NoLabel(span, name) => {
                    let message = format!("there is no label `{name}`");
                    let labels = self.symbols.table.iter().filter(|s| {
                        matches!(s.kind, super::symbols::Kind::Label) && *s.name != *name
                    });
                    let diagnostic = Diagnostic::new(Code::Jump, span, message);
                    match crate::similar::similar(&name, labels.map(|s| &*s.name)) {
                        Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
                        None => diagnostic
                            .hint(format!("write `{name}:` before the statement to go to")),
                    }
                }
                Lost::Circle(span) => {
                    Diagnostic::new(Code::Jump, span, "these jumps go round in a circle")
                }
            };
            self.diags.push(diagnostic);
        }
        diags.into_iter().for_each(|d| self.diags.push(d));
        finished
    }
}

impl Table<'_> {
    pub fn location(&self, element: ElementId) -> LocationId {
        LocationId::from_index(self.flow.elements[element].number as usize)
    }

    pub fn place(&self, span: crate::Span) -> SourcePlace {
        place(self.map, span)
    }

    /// The location where control stops on its way from `element`.
    pub fn hunt(&mut self, element: ElementId, atomic: bool) -> Option<LocationId> {
        match self.hunter.hunt(&self.flow, element, atomic) {
            Ok(found) => Some(self.location(found)),
            Err(lost) => {
                self.lost.push(lost);
                None
            }
        }
    }

    fn sequence(&mut self, sequence: SequenceId) {
        let mut at = self.flow.sequences[sequence].first;
        while let Some(id) = at {
            if !self.interest.go_on() {
                return;
            }
            if !std::mem::replace(&mut self.done[id], true) {
                self.element(id);
            }
            // Read `last` after the element: a nested block may have changed it.
            if Some(id) == self.flow.sequences[sequence].last {
                break;
            }
            at = self.flow.elements[id].next;
        }
    }

    fn element(&mut self, id: ElementId) {
        match self.flow.elements[id].kind.clone() {
            Kind::Unless(main, _) => self.sequence(main),
            Kind::If(options) | Kind::Do(options) => self.choice(id, options),
            Kind::Atomic(body) | Kind::Block(body) => {
                self.open_body(id, body);
                if let Some(first) = self.flow.sequences[body].first {
                    let start = self.hunter.start(&self.flow, first);
                    let start = self.location(start);
                    let here = self.location(id);
                    self.rows[here] = Row::Choice(vec![start]);
                }
                self.sequence(body);
            }
            Kind::DStep(body) => {
                self.open_body(id, body);
                if let Some(command) = self.d_step(id, body) {
                    self.edge(id, command);
                }
            }
            Kind::Command(command) => self.edge(id, command),
            Kind::Goto(_) | Kind::Dot | Kind::LoopEnd => self.edge(id, Command::Skip),
            Kind::End => self.edge(id, Command::Exit),
        }
    }

    /// Prepares the body of a block before it is traversed.
    fn open_body(&mut self, id: ElementId, body: SequenceId) {
        let hunter = Hunter { symbols: self.hunter.symbols };
        self.flow.patch_jumps(body, &|flow, destination| hunter.resolve(flow, destination));
        if let Some(last) = self.flow.sequences[body].last {
            self.flow.elements[last].next = self.flow.elements[id].next;
        }
    }

    fn choice(&mut self, id: ElementId, options: Vec<SequenceId>) {
        let mut starts = Vec::new();
        for &option in &options {
            let Some(first) = self.flow.sequences[option].first else { continue };
            let start = self.hunter.start(&self.flow, first);
            let element = &self.flow.elements[start];
            let never = matches!(element.kind, Kind::Command(Command::Guard(Expr::Const(0))));
            if never && element.escapes.is_empty() {
                let message = "this option can never be taken";
                let diagnostic = Diagnostic::new(Code::Unreachable, element.span, message);
                self.diags.push(diagnostic.label("the condition is always false"));
            } else {
                starts.push(self.location(start));
            }
        }
        let here = self.location(id);
        self.rows[here] = Row::Choice(starts);
        options.into_iter().for_each(|option| self.sequence(option));
    }

    /// The edge of an element with one way out.
    fn edge(&mut self, id: ElementId, command: Command) {
        let element = &self.flow.elements[id];
        let (atomic, next) = (element.atomic, element.next);
        let target = match &element.kind {
            Kind::Goto(destination) => match self.hunter.resolve(&self.flow, *destination) {
                Some(target) => self.jump(id, target),
                // Hunting from the jump itself reports the missing label.
                None => self.hunt(id, atomic),
            },
            Kind::End => None,
            _ => next.and_then(|next| self.hunt(next, atomic)),
        };
        let element = &self.flow.elements[id];
        if target.is_none() && !matches!(command, Command::Exit) {
            return;
        }
        let edge = Edge {
            command,
            target,
            atomic,
            escape: None,
            resets: Vec::new(),
            id: element.id,
            text: element.text.clone(),
            source: self.place(element.span),
        };
        let escapes = if matches!(element.kind, Kind::Dot) { Vec::new() } else { self.escapes(id) };
        let here = self.location(id);
        self.rows[here] = Row::Edge(edge, escapes);
    }

    /// The target of a jump, which may not be inside a `d_step`.
    fn jump(&mut self, from: ElementId, target: ElementId) -> Option<LocationId> {
        if self.flow.d_step_of(from) != self.flow.d_step_of(target) {
            let span = self.flow.elements[from].span;
            let message = "a jump into a d_step";
            self.diags.push(Diagnostic::new(Code::DStep, span, message));
        }
        self.hunt(target, self.flow.elements[from].atomic)
    }

    /// The starts of the escapes at an element; the escapes are traversed too.
    fn escapes(&mut self, id: ElementId) -> Vec<LocationId> {
        let atomic = self.flow.elements[id].atomic;
        let sequences = self.flow.elements[id].escapes.clone();
        let firsts: Vec<ElementId> =
            sequences.iter().filter_map(|&s| self.flow.sequences[s].first).collect();
        let starts = firsts.into_iter().filter_map(|first| self.hunt(first, atomic)).collect();
        sequences.into_iter().for_each(|s| self.sequence(s));
        starts
    }
}

/// The place of a span in a file, outside of all expansions.
pub(super) fn place(map: &SourceMap, span: crate::Span) -> SourcePlace {
    let place = map.line_column(map.outermost(span));
    SourcePlace {
        file: place.file.index() as u32,
        line: place.line as u32,
        column: place.column as u32,
    }
}
