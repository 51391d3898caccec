//! Generalised Büchi automata with marks on the edges.
//!
//! A run is accepted if it meets every mark infinitely often; without marks,
//! every infinite run is. Marks on edges instead of sets of states, as in
//! Couvreur, *On-the-fly verification of linear temporal logic* (1999), give
//! smaller automata, and the product of two automata needs no copies.

use super::FormulaTooLarge;
use super::label::LiteralSet;
use resy_index::{IndexVec, define_id};
use std::collections::{BTreeMap, BTreeSet};

mod components;

define_id!(
    /// A state of an automaton.
    pub struct BuchiStateId,
    "q"
);

/// An edge, which reads one letter.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuchiEdge {
    /// The letters it reads.
    pub label: LiteralSet,
    /// The target state.
    pub target: BuchiStateId,
    /// Bit `i`: it has mark `i`.
    pub marks: u64,
}

/// A generalised Büchi automaton over valuations.
#[derive(Clone, Debug, Default)]
pub struct BuchiAutomaton {
    /// The initial states.
    pub initial: Vec<BuchiStateId>,
    /// The edges out of every state.
    pub edges: IndexVec<BuchiStateId, Vec<BuchiEdge>>,
    /// The marks that an accepted run meets infinitely often.
    pub marks: u64,
}

/// The maximal number of states of a product.
const MAX_PRODUCT: usize = 1 << 17;

impl BuchiAutomaton {
    /// The component of every state, and for each component whether its edges have all marks. (Every label is
    /// satisfiable, so that labels are irrelevant.)
    fn accepting(&self) -> (IndexVec<BuchiStateId, usize>, Vec<bool>) {
        let component = self.components();
        let n_components = component.iter().map(|c| c + 1).max().unwrap_or(0);
        let mut met = vec![None; n_components];
        for (id, edges) in self.edges.iter_enumerated() {
            for edge in edges.iter().filter(|e| component[e.target] == component[id]) {
                *met[component[id]].get_or_insert(0) |= edge.marks;
            }
        }
        let accepting = met.iter().map(|m| m.is_some_and(|m| m & self.marks == self.marks));
        (component, accepting.collect())
    }

    /// For each state the number of its strongly connected component, if an accepted run can stay there for ever.
    pub fn accepting_components(&self) -> IndexVec<BuchiStateId, Option<usize>> {
        let (component, accepting) = self.accepting();
        component.iter().map(|&number| accepting[number].then_some(number)).collect()
    }

    /// The states from which some word is accepted.
    pub fn live(&self) -> IndexVec<BuchiStateId, bool> {
        // Components are numbered in reverse topological order: the targets of an edge have been
        // decided before.
        let (component, mut alive) = self.accepting();
        let mut by_component: Vec<BuchiStateId> = self.edges.ids().collect();
        by_component.sort_by_key(|&id| component[id]);
        for id in by_component {
            alive[component[id]] |= self.edges[id].iter().any(|e| alive[component[e.target]]);
        }
        self.edges.ids().map(|id| alive[component[id]]).collect()
    }

    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        let live = self.live();
        !self.initial.iter().any(|&id| live[id])
    }

    /// The words that both accept.
    pub fn product(&self, other: &Self) -> Result<Self, FormulaTooLarge> {
        let shift = u64::BITS - self.marks.leading_zeros();
        if shift + u64::BITS - other.marks.leading_zeros() > u64::BITS {
            return Err(FormulaTooLarge::Eventualities);
        }
        // A shift by 64 would be a shift by 0; there is then nothing to shift.
        let shifted = |marks: u64| marks.checked_shl(shift).unwrap_or(0);
        let mut pairs = Numbering::default();
        let initial = self.initial.iter().flat_map(|&a| other.initial.iter().map(move |&b| (a, b)));
        let initial: Vec<BuchiStateId> = initial.map(|pair| pairs.id(pair)).collect();
        let mut edges = IndexVec::new();
        while let Some(&(a, b)) = pairs.items.get(edges.len()) {
            if edges.len() > MAX_PRODUCT {
                return Err(FormulaTooLarge::States);
            }
            let mut out = Vec::new();
            for x in &self.edges[a] {
                for y in &other.edges[b] {
                    if let Some(label) = x.label.and(y.label) {
                        let target = pairs.id((x.target, y.target));
                        out.push(BuchiEdge { label, target, marks: x.marks | shifted(y.marks) });
                    }
                }
            }
            edges.push(out);
        }
        Ok(Self { initial, edges, marks: self.marks | shifted(other.marks) })
    }

    /// The closure: all words of which every prefix can be continued to an
    /// accepted word. Its states are the live ones, it has no marks.
    pub fn closure(&self) -> Self {
        let live = self.live();
        let mut kept = Numbering::default();
        let initial = self.initial.iter().filter(|&&id| live[id]).map(|&id| kept.id(id)).collect();
        let mut edges = IndexVec::new();
        while let Some(&id) = kept.items.get(edges.len()) {
            let out = self.edges[id].iter().filter(|e| live[e.target]);
            let out: BTreeSet<BuchiEdge> =
                out.map(|e| BuchiEdge { target: kept.id(e.target), marks: 0, ..*e }).collect();
            edges.push(out.into_iter().collect());
        }
        Self { initial, edges, marks: 0 }
    }

    /// An automaton of the same language without the states from which no word is accepted.
    pub fn live_part(&self) -> Self {
        let live = self.live();
        let mut kept = Numbering::default();
        let initial = self.initial.iter().filter(|&&id| live[id]).map(|&id| kept.id(id)).collect();
        let mut edges = IndexVec::new();
        while let Some(&id) = kept.items.get(edges.len()) {
            let out = self.edges[id].iter().filter(|e| live[e.target]);
            edges.push(out.map(|e| BuchiEdge { target: kept.id(e.target), ..*e }).collect());
        }
        Self { initial, edges, marks: self.marks }
    }

    /// An automaton of the same language with bisimilar states merged.
    pub fn quotient(&self) -> Self {
        let mut block: IndexVec<BuchiStateId, BuchiStateId> =
            self.edges.iter().map(|_| id(0)).collect();
        let mut n_blocks = 1;
        loop {
            let mut signatures = Numbering::default();
            let signature = |s: BuchiStateId| -> (BuchiStateId, BTreeSet<BuchiEdge>) {
                let edges = self.edges[s].iter();
                (block[s], edges.map(|e| BuchiEdge { target: block[e.target], ..*e }).collect())
            };
            let finer = self.edges.ids().map(|s| signatures.id(signature(s))).collect();
            let n = signatures.items.len();
            block = finer;
            if n == n_blocks || n == 0 {
                break;
            }
            n_blocks = n;
        }
        let mut edges: IndexVec<BuchiStateId, Vec<BuchiEdge>> =
            (0..n_blocks).map(|_| Vec::new()).collect();
        for (s, out) in self.edges.iter_enumerated() {
            let out: BTreeSet<BuchiEdge> =
                out.iter().map(|e| BuchiEdge { target: block[e.target], ..*e }).collect();
            edges[block[s]] = out.into_iter().collect();
        }
        let initial: BTreeSet<BuchiStateId> = self.initial.iter().map(|&s| block[s]).collect();
        Self { initial: initial.into_iter().collect(), edges, marks: self.marks }
    }
}

pub(crate) fn id(index: usize) -> BuchiStateId {
    resy_index::Id::from_index(index)
}

/// Numbers items in the order in which they are met.
pub(crate) struct Numbering<T> {
    pub items: Vec<T>,
    ids: BTreeMap<T, BuchiStateId>,
}

impl<T: Ord + Clone> Numbering<T> {
    pub fn id(&mut self, item: T) -> BuchiStateId {
        *self.ids.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            id(self.items.len() - 1)
        })
    }
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ids: BTreeMap::new() }
    }
}
