//! From transitions of the system to edges of the product: one edge of the automaton goes with each. And the transitions alone.

use super::gathered::EdgeLabel;
use super::labels::{LabelId, Labels};
use super::pids::PidSet;
use super::product::ProductEdge;
use super::states::ProductStates;
use crate::search::ample::{Attempt, Proviso};
use crate::search::expander::{Arrivals, Moves, TransitionMoves};
use crate::tree::TreePath;
use crate::vector::Shape;
use resy_system::{ClaimEdge, Outcome};

/// Receives the transitions of the system, and makes edges of the product of them.
pub(super) struct Sink<'s, N> {
    /// Where the targets are staged, if they are to be stored; else they are listed.
    pub states: Option<&'s mut ProductStates>,
    pub targets: &'s mut Vec<u8>,
    pub path: &'s TreePath,
    pub scratch: &'s mut Vec<u8>,
    pub claim_edges: &'s [ClaimEdge],
    pub components: &'s [u32],
    /// The labels, unless they depend on the processes that move.
    pub claim_labels: &'s [LabelId],
    pub stutters: bool,
    pub labels: &'s mut Labels,
    pub edges: &'s mut Vec<ProductEdge>,
    pub enabled: PidSet,
    pub before_attempt: usize,
    /// The number of states that were staged before those of the expanded state.
    pub n_staged: usize,
    /// The place of the automaton's state in a vector, if it has more than one.
    pub field: Option<(u32, u32)>,
    pub note: N,
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Sink<'_, N> {
    fn is_fair(&self) -> bool {
        self.claim_labels.is_empty()
    }

    #[inline]
    fn add(&mut self, vector: &[u8], shape: &Shape, moves: Option<TransitionMoves<'_>>) {
        let mut movers = PidSet::default();
        if let (true, Some(moves)) = (self.is_fair(), moves) {
            moves.movers().for_each(|pid| movers.insert(pid));
        }
        if self.field.is_some() {
            self.scratch.clear();
            self.scratch.extend_from_slice(vector);
        }
        for (at, edge) in self.claim_edges.iter().enumerate() {
            let target = match self.field {
                Some((at, n)) => {
                    let bytes = u64::from(edge.target).to_le_bytes();
                    let here = &mut self.scratch[at as usize..(at + n) as usize];
                    here.copy_from_slice(&bytes[..n as usize]);
                    &self.scratch[..]
                }
                None => vector,
            };
            let label = match self.claim_labels.get(at) {
                Some(&label) => label,
                None => {
                    let movers = movers.clone();
                    self.labels.number(EdgeLabel { movers, ..EdgeLabel::of_marks(edge.marks) })
                }
            };
            (self.note)(target, label, moves);
            let start = self.targets.len() as u32;
            match &mut self.states {
                Some(states) => states.stage(self.path, target, &shape.plan),
                None => self.targets.extend_from_slice(target),
            }
            let end = self.targets.len() as u32;
            let component = self.components[edge.target as usize];
            self.edges.push(ProductEdge { start, end, label, component });
        }
    }
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Arrivals for Sink<'_, N> {
    #[inline]
    fn arrive(&mut self, vector: &[u8], shape: &Shape, moves: TransitionMoves<'_>) {
        self.add(vector, shape, Some(moves));
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn enabled(&mut self, pid: usize) {
        if self.is_fair() {
            self.enabled.insert(pid);
        }
    }

    fn stuck(&mut self, vector: &[u8], shape: &Shape) {
        if self.stutters {
            self.add(vector, shape, None);
        }
    }
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Attempt for Sink<'_, N> {
    fn begin(&mut self) {
        self.before_attempt = self.edges.len();
    }

    /// The order of the search does not matter: see [`Proviso::Forward`].
    fn satisfies(&mut self, _: Proviso) -> bool {
        self.edges.len() > self.before_attempt
    }

    fn withdraw(&mut self) {
        let kept = self.edges.get(self.before_attempt).map(|edge| edge.start as usize);
        self.targets.truncate(kept.unwrap_or(self.targets.len()));
        self.edges.truncate(self.before_attempt);
        let n = self.n_staged + self.before_attempt;
        self.states.iter_mut().for_each(|states| states.truncate_staged(n));
    }
}

/// Receives the transitions of the system, whose targets are passed on.
pub(super) struct SystemSink<N> {
    /// Whether the processes that move are noted, and those that are enabled: pids below 64, as bits.
    is_fair: bool,
    pub enabled: u64,
    stutters: bool,
    n_edges: usize,
    before_attempt: usize,
    note: N,
}

impl<N: FnMut(&[u8], u64)> SystemSink<N> {
    pub fn new(is_fair: bool, stutters: bool, note: N) -> Self {
        Self { is_fair, enabled: 0, stutters, n_edges: 0, before_attempt: 0, note }
    }
}

/// A pid as a bit of a word, if it is one.
fn bit(pid: usize) -> u64 {
    if pid < 64 { 1 << pid } else { 0 }
}

impl<N: FnMut(&[u8], u64)> Arrivals for SystemSink<N> {
    #[inline]
    fn arrive(&mut self, vector: &[u8], _: &Shape, moves: TransitionMoves<'_>) {
        self.n_edges += 1;
        let movers = match self.is_fair {
            true => moves.movers().fold(0, |movers, pid| movers | bit(pid)),
            false => 0,
        };
        (self.note)(vector, movers);
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn enabled(&mut self, pid: usize) {
        self.enabled |= if self.is_fair { bit(pid) } else { 0 };
    }

    fn stuck(&mut self, vector: &[u8], _: &Shape) {
        if self.stutters {
            (self.note)(vector, 0);
        }
    }
}

impl<N: FnMut(&[u8], u64)> Attempt for SystemSink<N> {
    fn begin(&mut self) {
        self.before_attempt = self.n_edges;
    }

    /// The order of the search does not matter: see [`Proviso::Forward`].
    fn satisfies(&mut self, _: Proviso) -> bool {
        self.n_edges > self.before_attempt
    }

    /// An attempt is withdrawn only if it has no transitions.
    fn withdraw(&mut self) {}
}
