//! From an element to the location where control really stops.
//!
//! Jumps and meeting points are passed over, except that control does not pass
//! over the end of an atomic sequence: there it stops at the jump itself.

use super::flow::{Destination, ElementId, Flow, Kind};
use super::symbols::Symbols;
use crate::source::Span;
use resy_system::Command;

/// Spin gives up on longer chains of jumps.
const MAX_HOPS: usize = 500;

/// A flow graph with the means to follow its jumps.
pub(super) struct Hunter<'a> {
    pub symbols: &'a Symbols,
}

/// Why a jump leads nowhere.
pub(super) enum Lost {
    /// There is no such label.
    NoLabel(Span, String),
    /// The jumps go round in a circle.
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

    /// Where control stops when it comes to `from`, out of an element that keeps
    /// control or not.
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
    /// Blocks end where what follows them begins.
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

    /// Takes out of an option what spin takes out: `skip`s that follow a `skip`
    /// or a `printf` and have no label.
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
