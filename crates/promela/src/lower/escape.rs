//! `unless`: its construction, and the escapes at each element.

use super::Lowerer;
use super::build::Place;
use super::flow::{ElementId, Flow, Kind, Node, NodeKind, SequenceId};
use crate::ast::Stmt;
use crate::source::Span;

impl Lowerer<'_> {
    /// `main unless escape`.
    pub(super) fn unless(&mut self, main: &Stmt, escape: &Stmt, span: Span) -> Option<Node> {
        let main = self.statement(main);
        // A `break` in the escape leaves the loop around the `unless`, not the guarded one.
        let own_loop = match main.as_ref().map(|n| &n.kind) {
            Some(NodeKind::Do(_, exit)) => Some(*exit),
            _ => None,
        };
        self.flow.breaks.retain(|&b| Some(b) != own_loop);
        let escape = self.statement(escape);
        self.flow.breaks.extend(own_loop);
        let (main, escape) = (main?, escape?);
        let escape = match escape.kind {
            NodeKind::Block(sequence) => sequence,
            _ => self.sequence_of(escape, Place::Escape)?,
        };
        let unless = |main| NodeKind::Unless(main, escape);
        let text = "unless".to_string();
        match main.kind {
            NodeKind::Block(sequence) => Some(Node { kind: unless(sequence), text, span }),
            NodeKind::Labelled(label, inner) => {
                // The label is lifted over the unless.
                let (body, wrap): (_, fn(SequenceId) -> NodeKind) = match inner.kind {
                    NodeKind::Block(s) => (s, NodeKind::Block),
                    NodeKind::Atomic(s) => (s, NodeKind::Atomic),
                    NodeKind::DStep(s) => (s, NodeKind::DStep),
                    kind => {
                        let inner = Box::new(Node { kind, ..*inner });
                        let node = Node { kind: NodeKind::Labelled(label, inner), ..main };
                        let sequence = self.sequence_of(node, Place::Guarded)?;
                        return Some(Node { kind: unless(sequence), text, span });
                    }
                };
                let node = Node { kind: unless(body), text: text.clone(), span };
                let outer = self.sequence_of(node, Place::Free)?;
                let inner = Box::new(Node { kind: wrap(outer), text, span });
                Some(Node { kind: NodeKind::Labelled(label, inner), ..main })
            }
            _ => {
                let sequence = self.sequence_of(main, Place::Guarded)?;
                Some(Node { kind: unless(sequence), text, span })
            }
        }
    }

    /// A sequence that consists of one node.
    fn sequence_of(&mut self, node: Node, place: Place) -> Option<SequenceId> {
        let span = node.span;
        self.flow.open_sequence();
        self.add_node(node);
        self.close(place, span)
    }
}

impl Flow {
    /// Makes `escape` possible at every element of `main`.
    pub(super) fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        let extent = self.sequences[main].extent;
        let mut at = self.sequences[main].first;
        while let Some(element) = at {
            self.escape_element(element, escape);
            if Some(element) == extent {
                break;
            }
            at = self.elements[element].next;
        }
    }

    fn escape_element(&mut self, element: ElementId, escape: SequenceId) {
        let inner = self.elements[element].escapes.clone();
        if inner.contains(&escape) {
            return;
        }
        // The inner escapes can be escaped from in turn.
        inner.into_iter().for_each(|s| self.attach_escape(s, escape));
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].kind.clone() {
            Kind::Unless(main, _) => self.attach_escape(main, escape),
            Kind::If(options) | Kind::Do(options) => {
                options.into_iter().for_each(|option| self.attach_escape(option, escape));
            }
            Kind::DStep(body) => {
                if let Some(first) = self.sequences[body].first {
                    self.escape_element(first, escape);
                }
            }
            Kind::Atomic(body) | Kind::Block(body) => self.attach_escape(body, escape),
            _ => {}
        }
    }
}
