//! From an element to the location where control stops.
//!
//! Jumps and meeting points are skipped, except at the end of an atomic sequence, where control
//! stops at the jump itself. (Spin calls this function `huntele`.)

use super::flow::{Destination, ElementId, Flow, Kind};
use super::symbols::Symbols;
use crate::source::Span;
use resy_system::Command;

/// The longest chain of jumps that spin follows.
const MAX_HOPS: usize = 500;

/// Follows the jumps of a flow graph.
pub(super) struct Hunter<'a> {
    pub symbols: &'a Symbols,
}

/// Why a jump has no target.
pub(super) enum Lost {
    /// There is no such label.
    NoLabel(Span, String),
    /// The jumps form a cycle.
    Circle(Span),
}

impl Hunter<'_> {
    /// The element that a label or loop exit marks: of the same block if there is
    /// one, else of a block around, else any in the body.
    pub fn resolve(&self, flow: &Flow, destination: Destination) -> Option<ElementId> {
        let Destination::Label(wanted) = destination else {
            let exit = flow.labels.iter().rev().find(|l| l.destination == destination);
            return exit.map(|l| l.element);
        };
        let wanted = &self.symbols.table[wanted];
        let mut best = None;
        for label in flow.labels.iter().rev() {
            let Destination::Label(symbol) = label.destination else { continue };
            let symbol = &self.symbols.table[symbol];
            if symbol.name != wanted.name {
                continue;
            }
            if symbol.blocks == wanted.blocks {
                return Some(label.element);
            }
            if wanted.blocks.starts_with(&symbol.blocks) || best.is_none() {
                best = Some(label.element);
            }
        }
        best
    }

    /// The element where control stops on its way from `from`. `atomic` says whether the
    /// previous element keeps control.
    pub fn hunt(&self, flow: &Flow, from: ElementId, atomic: bool) -> Result<ElementId, Lost> {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let element = &flow.elements[at];
            let next = match &element.kind {
                Kind::Goto(destination) => match self.resolve(flow, *destination) {
                    Some(target) if target == at => return Err(Lost::Circle(element.span)),
                    Some(target) => target,
                    None => return Err(self.no_label(element.span, *destination)),
                },
                Kind::Dot | Kind::LoopEnd => match element.next {
                    Some(next) => next,
                    None => return Ok(at),
                },
                Kind::Unless(main, _) => match flow.sequences[*main].first {
                    Some(first) => self.hunt(flow, first, atomic)?,
                    None => return Ok(at),
                },
                _ => return Ok(at),
            };
            if atomic && !flow.elements[next].atomic {
                return Ok(at);
            }
            at = next;
        }
        Err(Lost::Circle(flow.elements[from].span))
    }

    /// The element at which an option or a block starts.
    pub fn start(&self, flow: &Flow, first: ElementId) -> ElementId {
        let mut at = first;
        for _ in 0..MAX_HOPS {
            let next = match &flow.elements[at].kind {
                Kind::Dot => flow.elements[at].next,
                Kind::Unless(main, _) => flow.sequences[*main].first,
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    fn no_label(&self, span: Span, destination: Destination) -> Lost {
        let name = match destination {
            Destination::Label(symbol) => self.symbols.table[symbol].name.to_string(),
            Destination::Break(_) => "break".to_string(),
        };
        Lost::NoLabel(span, name)
    }
}

impl Flow {
    /// Links the last element of a block to the successor of the block.
    pub fn tie_loose_ends(&mut self) {
        let ids: Vec<ElementId> = self.elements.ids().collect();
        for id in ids {
            let element = &self.elements[id];
            let (Kind::Atomic(body) | Kind::Block(body) | Kind::DStep(body)) = element.kind else {
                continue;
            };
            let mut follow = element.next;
            while let Some(f) = follow
                && matches!(self.elements[f].kind, Kind::Dot)
            {
                follow = self.elements[f].next;
            }
            let Some(last) = self.sequences[body].last else { continue };
            if element.next.is_some() && self.elements[last].next.is_none() {
                self.elements[last].next = follow;
            }
        }
    }

    /// Removes the `skip`s of an option that spin removes: those without a label that follow a
    /// `skip` or a `printf`.
    pub fn prune_skips(&mut self, sequence: super::flow::SequenceId) {
        let (last, extent) = (self.sequences[sequence].last, self.sequences[sequence].extent);
        let mut before: Option<ElementId> = None;
        let mut at = self.sequences[sequence].first;
        let mut run = 0;
        while let Some(id) = at {
            let skip = matches!(self.elements[id].kind, Kind::Command(Command::Skip));
            let print = matches!(self.elements[id].kind, Kind::Command(Command::Print(_)));
            at = self.elements[id].next;
            run = if (skip || print) && !self.has_label(id) { run + 1 } else { 0 };
            if let Some(before) = before
                && run > 1
                && skip
                && Some(id) != last
                && Some(id) != extent
            {
                self.elements[before].next = at;
                continue;
            }
            before = Some(id);
        }
    }
}
