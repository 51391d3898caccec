//! Folding: a network becomes a smaller one, two components at a time.
//!
//! ```text
//! while some pair of clusters can be composed within the limit:
//!     choose the pair whose result grows least
//!     compose the two, hide what no other owner has, reduce modulo branching bisimulation
//! ```
//!
//! Branching bisimulation preserves safety, so that the network of the remaining clusters, with the
//! same monitor, has the same verdict. Its runs are [unfolded](Folded::unfold) to runs of the
//! original network, and its proofs become [proofs](Folded::evidence) about it. Where abstraction
//! refinement would have to count tokens or messages, as in rings and pipelines, folding abstracts
//! from them by hiding. Irrelevant components are left out, and actions that no other owner can
//! distinguish are merged.

mod actions;
mod check;
mod cluster;
mod order;
mod proof;
mod replay;
mod unfold;

pub use check::{FoldOutcome, FoldStage, check};

use crate::cancellation::Cancellation;
use crate::cone::Cone;
use cluster::{Cluster, Forest};
use order::{NextPair, PairOrder};
use resy_automata::network::{Component, ComponentId, Network};
use resy_automata::partition::Partition;
use resy_certificate::contract::PremisePart;
use resy_certificate::{NodeId, Of};
use resy_index::{Id, IndexVec};
use std::cell::Cell;

/// The limits of folding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FoldLimits {
    /// The maximal number of states of a product of two clusters, before reduction.
    pub product: usize,
}

/// The default is the limit with which alternating-bit pipelines of up to twelve links were decided
/// soonest. Eight links take 0.8 s; with half of it 2.3 s, because refinement has to do the rest;
/// with twice as much 9 s, because large products are multiplied all the same. One product of this
/// size takes a few tenths of a second.
impl Default for FoldLimits {
    fn default() -> Self {
        Self { product: 100_000 }
    }
}

/// The progress of folding.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldProgress {
    /// The number of clusters.
    pub n_clusters: usize,
    /// The states of the largest product so far.
    pub n_states: usize,
}

/// A folded network, with its clusters.
#[derive(Clone, Debug)]
pub struct Folded<'n> {
    /// The network of the remaining clusters; actions and monitor are those of the original.
    pub network: Network,
    /// The largest product on the way, in states.
    pub n_states: usize,
    original: &'n Network,
    /// Children before their parents.
    clusters: IndexVec<NodeId, Cluster>,
    /// The remaining clusters, as components.
    roots: IndexVec<ComponentId, NodeId>,
    cone: Cone,
}

/// Folds a network until no product of two clusters fits the limit, or `go_on` cancels.
pub fn fold(
    network: &Network,
    limits: FoldLimits,
    mut go_on: impl FnMut(&FoldProgress) -> bool,
) -> Folded<'_> {
    let cone = Cone::of(network);
    let n_clusters = cone.components.iter().filter(|&&matters| matters).count();
    let progress = Cell::new(FoldProgress { n_clusters, n_states: 0 });
    let cancellation = Cancellation::new(|| go_on(&progress.get()));
    let mut forest = Forest::new(network, &cone, &cancellation);
    join(&mut forest, limits, &progress, &cancellation);
    Folded::new(forest, cone)
}

fn join(
    forest: &mut Forest<'_>,
    limits: FoldLimits,
    progress: &Cell<FoldProgress>,
    cancellation: &Cancellation<'_>,
) {
    let mut order = PairOrder::new(forest, limits.product);
    while cancellation.goes_on_now()
        && let Some(next) = order.next(forest)
    {
        let FoldProgress { n_clusters, n_states } = progress.get();
        match next {
            NextPair::Try(pair) => {
                let limit = order.limit(forest, pair.ids);
                let Some(made) = forest.joined(pair.ids, limit, cancellation) else { continue };
                let n_states = n_states.max(made.partition.n_states());
                progress.set(FoldProgress { n_clusters, n_states });
                order.note(forest, pair, made);
            }
            NextPair::Join(pair) => {
                let (kept, limit) = (order.kept(pair), order.limit(forest, pair));
                let made = || forest.joined(pair, limit, cancellation);
                let Some(made) = kept.or_else(made) else { continue };
                let id = forest.push(made);
                order.add(forest, id);
                progress.set(FoldProgress { n_clusters: n_clusters - 1, n_states });
            }
        }
    }
}

impl<'n> Folded<'n> {
    fn new(forest: Forest<'n>, cone: Cone) -> Self {
        let original = forest.network;
        // Keep an irrelevant component only if otherwise the monitor alone has its action.
        let is_left = |&id: &NodeId| match &forest.clusters[id].of {
            Of::Component(of) if !cone.components[*of] => is_watched(original, *of),
            _ => forest.lives(id),
        };
        let roots: IndexVec<ComponentId, NodeId> = forest.clusters.ids().filter(is_left).collect();
        let Forest { clusters, actions, .. } = forest;
        let component = |&root: &NodeId| Component {
            name: name(original, &clusters, root),
            lts: actions.lean(&clusters[root].lts).into_owned(),
            state_names: IndexVec::new(),
        };
        let components = roots.iter().map(component).collect();
        let monitor = original.monitor.clone();
        let network =
            Network { components, monitor, module: Vec::new(), actions: original.actions.clone() };
        let n_states = clusters.iter().map(|cluster| cluster.partition.n_states()).max();
        Self { network, n_states: n_states.unwrap_or_default(), original, clusters, roots, cone }
    }

    /// The partition of each component.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &Partition> {
        let components = self.original.components.len();
        self.clusters.iter().take(components).map(|cluster| &cluster.partition)
    }

    /// The order of composition, in postfix notation.
    pub(crate) fn parts(&self) -> Vec<PremisePart> {
        let mut parts = Vec::new();
        let mut open: Vec<NodeId> = self.roots.iter().copied().collect();
        // Written from right to left and then reversed: operands come before their join.
        while let Some(id) = open.pop() {
            match &self.clusters[id].of {
                Of::Component(component) => parts.push(PremisePart::Clause(component.index())),
                Of::Product(pair, _) => {
                    parts.push(PremisePart::Joined);
                    open.extend(pair);
                }
            }
        }
        parts.reverse();
        parts
    }

    /// The components in each cluster of the folded network, in order; an irrelevant component is
    /// in none, or alone.
    pub fn members(&self) -> IndexVec<ComponentId, Vec<ComponentId>> {
        self.roots.iter().map(|&root| members(&self.clusters, root)).collect()
    }
}

/// Whether the monitor has actions of a component.
fn is_watched(network: &Network, id: ComponentId) -> bool {
    let alphabet = network.components[id].lts.alphabet();
    let mut watched = network.monitor.iter().flat_map(|monitor| monitor.lts.alphabet().iter());
    watched.any(|action| alphabet.contains(action))
}

/// A cluster is named after its first component.
fn name(network: &Network, clusters: &IndexVec<NodeId, Cluster>, root: NodeId) -> String {
    let members = members(clusters, root);
    let first = &network.components[members[0]].name;
    match members.len() {
        1 => first.clone(),
        n => format!("{first} and {} more", n - 1),
    }
}

fn members(clusters: &IndexVec<NodeId, Cluster>, root: NodeId) -> Vec<ComponentId> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        match &clusters[id].of {
            Of::Component(component) => found.push(*component),
            Of::Product(parts, _) => open.extend(parts),
        }
    }
    found.sort_unstable();
    found
}
