//! The flow graph of a body: elements in sequences, numbered as spin numbers them.
//!
//! Spin builds its control-flow graph while it parses, and numbers every element
//! when it is made: compound statements after their parts, two elements for an
//! `if` (the selection and a meeting point after it), three for a `do`. State
//! counts do not depend on the numbers, but trails, `pc_value` and remote
//! references do, and so does our comparison with `pan -d`. So the graph is built
//! here in the same order: a statement becomes a [`Node`] first, with its inner
//! sequences already complete, and elements when it is added to a sequence.

use super::symbols::SymbolId;
use crate::source::Span;
use resy_index::{IndexVec, define_id};
use resy_system::Command;
use rustc_hash::{FxHashMap, FxHashSet};

define_id!(
    /// An element of a flow graph.
    pub(super) struct ElementId,
    "e"
);
define_id!(
    /// A sequence of elements.
    pub(super) struct SequenceId,
    "s"
);

/// The target of a jump: a label of the text, or the point behind a loop.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Destination {
    Label(SymbolId),
    Break(u32),
}

/// A statement whose parts are built, but which has no elements of its own yet.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Command(Command),
    Goto(Destination),
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>, u32),
    Unless(SequenceId, SequenceId),
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
    Labelled(SymbolId, Box<Node>),
}

impl Node {
    pub fn command(command: Command, text: String, span: Span) -> Self {
        Self { kind: NodeKind::Command(command), text, span }
    }
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Command(Command),
    Goto(Destination),
    /// The meeting point after a selection or an `unless`; before a loop.
    Dot,
    /// The point behind a loop.
    LoopEnd,
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>),
    Unless(SequenceId, SequenceId),
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
    /// The end of the body.
    End,
}

/// An element: a point of control and what happens there.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: Kind,
    /// Spin's state number, within the body.
    pub number: u32,
    /// Spin's statement number, within the program.
    pub id: u32,
    pub next: Option<ElementId>,
    /// Control is kept after the element: it is inside an `atomic`.
    pub atomic: bool,
    /// It is the last element of an `atomic`.
    pub last_atomic: bool,
    /// It is inside a `d_step`.
    pub in_d_step: bool,
    /// The escapes that are possible here, innermost first.
    pub escapes: Vec<SequenceId>,
    pub text: String,
    pub span: Span,
}

/// A sequence of elements, linked by `next`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element at the time when the text of the sequence ended;
    /// `last` may become a meeting point that follows.
    pub extent: Option<ElementId>,
}

/// A label with the element it marks.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub destination: Destination,
    pub element: ElementId,
}

/// The flow graph of one body, under construction and afterwards.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub elements: IndexVec<ElementId, Element>,
    pub sequences: IndexVec<SequenceId, Sequence>,
    /// The open sequences, innermost last.
    pub open: Vec<SequenceId>,
    pub labels: Vec<Label>,
    labels_of: FxHashMap<ElementId, Vec<usize>>,
    /// The loops around, innermost last.
    pub breaks: Vec<u32>,
    pub n_breaks: u32,
    /// The next element's number.
    pub next_number: u32,
    pub body: Option<SequenceId>,
    /// The statement numbers of every `d_step`: first and one past the last.
    pub d_steps: Vec<(u32, u32)>,
    /// The labels that mark states: `end…`, `accept…`, `progress…`.
    pub meaningful: FxHashSet<SymbolId>,
}

impl Flow {
    pub fn new() -> Self {
        Self { next_number: 1, ..Self::default() }
    }

    pub fn open_sequence(&mut self) {
        let id = self.sequences.push(Sequence::default());
        self.open.push(id);
    }

    /// Closes the innermost sequence; `None` if there is nothing in it.
    pub fn close_sequence(&mut self) -> Option<SequenceId> {
        let id = self.open.pop()?;
        let sequence = &mut self.sequences[id];
        sequence.extent = sequence.last;
        sequence.last.map(|_| id)
    }

    pub fn new_element(&mut self, kind: Kind, text: String, span: Span, id: &mut u32) -> ElementId {
        let element = self.elements.push(Element {
            kind,
            number: self.next_number,
            id: *id,
            next: None,
            atomic: false,
            last_atomic: false,
            in_d_step: false,
            escapes: Vec::new(),
            text,
            span,
        });
        self.next_number += 1;
        *id += 1;
        element
    }

    /// Adds a node to the innermost open sequence.
    pub fn add(&mut self, node: Node, id: &mut u32) -> ElementId {
        match node.kind {
            NodeKind::Labelled(symbol, inner) => {
                // A plain element is linked after its labels are attached.
                let mut innermost = *inner;
                let mut symbols = vec![symbol];
                while let NodeKind::Labelled(s, i) = innermost.kind {
                    symbols.push(s);
                    innermost = *i;
                }
                let compound = matches!(
                    innermost.kind,
                    NodeKind::If(_) | NodeKind::Do(..) | NodeKind::Unless(..)
                );
                let element = self.make(innermost, id);
                for symbol in symbols.into_iter().rev() {
                    self.set_label(Destination::Label(symbol), element);
                }
                if !compound {
                    self.link_here(element, id);
                }
                element
            }
            NodeKind::If(_) | NodeKind::Do(..) | NodeKind::Unless(..) => self.make(node, id),
            _ => {
                let element = self.make(node, id);
                self.link_here(element, id);
                element
            }
        }
    }

    /// Makes the elements of a node without labels.
    fn make(&mut self, node: Node, id: &mut u32) -> ElementId {
        let kind = match node.kind {
            NodeKind::If(options) => return self.make_if(options, node.text, node.span, id),
            NodeKind::Do(options, exit) => {
                return self.make_do(options, exit, node.text, node.span, id);
            }
            NodeKind::Unless(main, escape) => {
                return self.make_unless(main, escape, node.text, node.span, id);
            }
            NodeKind::Command(command) => Kind::Command(command),
            NodeKind::Goto(destination) => Kind::Goto(destination),
            NodeKind::Atomic(s) => Kind::Atomic(s),
            NodeKind::DStep(s) => Kind::DStep(s),
            NodeKind::Block(s) => Kind::Block(s),
            NodeKind::Labelled(..) => unreachable!("labels are taken off before"),
        };
        self.new_element(kind, node.text, node.span, id)
    }

    fn make_if(
        &mut self,
        options: Vec<SequenceId>,
        text: String,
        span: Span,
        id: &mut u32,
    ) -> ElementId {
        let choice = self.new_element(Kind::If(options.clone()), text, span, id);
        let meet = self.new_element(Kind::Dot, String::new(), span, id);
        options.iter().for_each(|&option| self.link(meet, option));
        self.link_here(choice, id);
        self.link_here(meet, id);
        choice
    }

    fn make_do(
        &mut self,
        options: Vec<SequenceId>,
        exit: u32,
        text: String,
        span: Span,
        id: &mut u32,
    ) -> ElementId {
        let choice = self.new_element(Kind::Do(options.clone()), text, span, id);
        let meet = self.new_element(Kind::Dot, String::new(), span, id);
        options.iter().for_each(|&option| self.link(meet, option));
        self.link_here(meet, id);
        let end = self.new_element(Kind::LoopEnd, String::new(), span, id);
        self.set_label(Destination::Break(exit), end);
        self.breaks.retain(|&b| b != exit);
        self.link_here(choice, id);
        self.link_here(end, id);
        choice
    }

    fn make_unless(
        &mut self,
        main: SequenceId,
        escape: SequenceId,
        text: String,
        span: Span,
        id: &mut u32,
    ) -> ElementId {
        let unless = self.new_element(Kind::Unless(main, escape), text, span, id);
        let meet = self.new_element(Kind::Dot, String::new(), span, id);
        self.link(meet, main);
        self.link(meet, escape);
        self.attach_escape(main, escape);
        self.link_here(unless, id);
        self.link_here(meet, id);
        unless
    }

    /// Links an element to the innermost open sequence. A jump with an end, accept or progress
    /// label gets a `skip` before it, which takes the label.
    fn link_here(&mut self, element: ElementId, id: &mut u32) {
        let here = *self.open.last().expect("statements stand in a sequence");
        if matches!(self.elements[element].kind, Kind::Goto(_)) && self.label_means(element) {
            let span = self.elements[element].span;
            let skip = Kind::Command(Command::Skip);
            let skip = self.new_element(skip, "skip".into(), span, id);
            self.move_label(element, skip);
            self.link(skip, here);
        }
        self.link(element, here);
    }

    fn link(&mut self, element: ElementId, sequence: SequenceId) {
        let last = self.sequences[sequence].last;
        match last {
            None => self.sequences[sequence].first = Some(element),
            Some(last) => self.elements[last].next = Some(element),
        }
        self.sequences[sequence].last = Some(element);
    }

    /// Links the element at the end of a body.
    pub fn link_end(&mut self, end: ElementId) {
        if let Some(&body) = self.open.last() {
            self.link(end, body);
        }
    }

    /// The outermost `d_step` around an element.
    pub fn d_step_of(&self, element: ElementId) -> Option<usize> {
        let id = self.elements[element].id;
        self.d_steps.iter().rposition(|&(first, end)| (first..end).contains(&id))
    }

    pub fn set_label(&mut self, destination: Destination, element: ElementId) {
        self.labels_of.entry(element).or_default().push(self.labels.len());
        self.labels.push(Label { destination, element });
    }

    pub fn has_label(&self, element: ElementId) -> bool {
        self.labels_of.get(&element).is_some_and(|l| !l.is_empty())
    }

    /// The labels of an element, newest first.
    pub fn labels_at(&self, element: ElementId) -> impl Iterator<Item = &Label> {
        let indices = self.labels_of.get(&element).map_or(&[][..], Vec::as_slice);
        indices.iter().rev().map(|&i| &self.labels[i])
    }

    fn label_means(&self, element: ElementId) -> bool {
        self.labels_at(element).any(|l| match l.destination {
            Destination::Label(symbol) => self.meaningful.contains(&symbol),
            Destination::Break(_) => false,
        })
    }

    fn move_label(&mut self, from: ElementId, to: ElementId) {
        if let Some(index) = self.labels_of.get_mut(&from).and_then(Vec::pop) {
            self.labels[index].element = to;
            self.labels_of.entry(to).or_default().push(index);
        }
    }
}
