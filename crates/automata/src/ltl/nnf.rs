//! Negation normal form, with equal subformulas shared.
//!
//! Negations stand before propositions only; `U` and `V` are the only temporal
//! operators beside `X`. A formula and its negation are built together from the
//! bottom up, so that nested `<->` do not double the work at each level.

use super::TooLarge;
use super::formula::Formula;
use resy_index::{IndexVec, define_id};
use std::collections::BTreeMap;

define_id!(
    /// A subformula.
    pub(crate) struct NodeId,
    "f"
);

/// A subformula in negation normal form.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    Bool(bool),
    Literal(u32, bool),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
}

/// The subformulas that have been met.
#[derive(Default)]
pub(crate) struct Nodes {
    nodes: IndexVec<NodeId, Node>,
    ids: BTreeMap<Node, NodeId>,
}

impl Nodes {
    pub fn get(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    /// The formula and its negation.
    pub fn add(&mut self, formula: &Formula) -> Result<(NodeId, NodeId), TooLarge> {
        Ok(match formula {
            Formula::Bool(b) => (self.node(Node::Bool(*b)), self.node(Node::Bool(!b))),
            Formula::Prop(p) if *p >= u64::BITS => return Err(TooLarge::Propositions),
            Formula::Prop(p) => {
                (self.node(Node::Literal(*p, true)), self.node(Node::Literal(*p, false)))
            }
            Formula::Not(a) => {
                let (yes, no) = self.add(a)?;
                (no, yes)
            }
            Formula::And(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.and(a, b), self.or(not_a, not_b))
            }
            Formula::Or(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.or(a, b), self.and(not_a, not_b))
            }
            Formula::Implies(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.or(not_a, b), self.and(a, not_b))
            }
            Formula::Equiv(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                let (both, neither) = (self.and(a, b), self.and(not_a, not_b));
                let (one, other) = (self.and(a, not_b), self.and(not_a, b));
                (self.or(both, neither), self.or(one, other))
            }
            Formula::Next(a) => {
                let (a, not_a) = self.add(a)?;
                (self.next(a), self.next(not_a))
            }
            Formula::Always(a) => {
                let (a, not_a) = self.add(a)?;
                (self.release(None, a), self.until(None, not_a))
            }
            Formula::Eventually(a) => {
                let (a, not_a) = self.add(a)?;
                (self.until(None, a), self.release(None, not_a))
            }
            Formula::Until(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.until(Some(a), b), self.release(Some(not_a), not_b))
            }
            Formula::Release(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.release(Some(a), b), self.until(Some(not_a), not_b))
            }
            Formula::WeakUntil(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                let (either, neither) = (self.or(a, b), self.and(not_a, not_b));
                (self.release(Some(b), either), self.until(Some(not_b), neither))
            }
        })
    }

    fn node(&mut self, node: Node) -> NodeId {
        *self.ids.entry(node).or_insert_with(|| self.nodes.push(node))
    }

    fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.get(a), self.get(b)) {
            (Node::Bool(true), _) => b,
            (_, Node::Bool(true)) => a,
            (Node::Bool(false), _) => a,
            (_, Node::Bool(false)) => b,
            _ if a == b => a,
            _ => self.node(Node::And(a.min(b), a.max(b))),
        }
    }

    fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.get(a), self.get(b)) {
            (Node::Bool(false), _) => b,
            (_, Node::Bool(false)) => a,
            (Node::Bool(true), _) => a,
            (_, Node::Bool(true)) => b,
            _ if a == b => a,
            _ => self.node(Node::Or(a.min(b), a.max(b))),
        }
    }

    fn next(&mut self, a: NodeId) -> NodeId {
        match self.get(a) {
            Node::Bool(_) => a,
            _ => self.node(Node::Next(a)),
        }
    }

    /// `a U b`; `<> b` without `a`.
    fn until(&mut self, a: Option<NodeId>, b: NodeId) -> NodeId {
        let a = a.unwrap_or_else(|| self.node(Node::Bool(true)));
        match (self.get(a), self.get(b)) {
            (_, Node::Bool(_)) | (Node::Bool(false), _) => b,
            (_, Node::Until(inner, _)) if inner == a => b,
            _ => self.node(Node::Until(a, b)),
        }
    }

    /// `a V b`; `[] b` without `a`.
    fn release(&mut self, a: Option<NodeId>, b: NodeId) -> NodeId {
        let a = a.unwrap_or_else(|| self.node(Node::Bool(false)));
        match (self.get(a), self.get(b)) {
            (_, Node::Bool(_)) | (Node::Bool(true), _) => b,
            (_, Node::Release(inner, _)) if inner == a => b,
            _ => self.node(Node::Release(a, b)),
        }
    }
}
