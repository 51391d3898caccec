//! Folding: a network becomes a smaller one, two components at a time.
//!
//! ```text
//! while some pair of clusters can be composed within the limit:
//!     choose the pair by which the network grows least
//!     compose the two, hide what no other owner has, reduce to fewer states with the same words
//! ```
//!
//! A safety property observes words only, so that the network of the remaining clusters, with the
//! same monitor, has the same verdict. Its runs are [unfolded](Folded::unfold) to runs of the
//! original network, and its proofs become [proofs](Folded::evidence) about it. Where abstraction
//! refinement would have to count tokens or messages, as in rings and pipelines, folding abstracts
//! from them by hiding. Irrelevant components are left out, and actions that no other owner can
//! distinguish are merged.

mod actions;
mod check;
mod cluster;
mod order;
mod past;
mod proof;
mod replay;
mod turns;
mod unfold;

pub(crate) use check::decide;
pub use check::{FoldOutcome, FoldStage, check};
pub use turns::fold;

use crate::cancellation::Cancellation;
use crate::cone::Cone;
use cluster::{Cluster, Forest};
use order::{NextPair, PairOrder};
use resy_automata::network::{Component, ComponentId, Network};
use resy_automata::partition::Partition;
use resy_certificate::contract::PremisePart;
use resy_certificate::{NodeId, Of};
use resy_index::{Id, IndexVec};
use std::borrow::Cow;
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

/// What the states of a class have in common.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// What they can do, or how they are reached, in turns: the cluster keeps its words. This
    /// preserves safety.
    Words,
    /// What they can do.
    Futures,
    /// The words by which they are reached. Clusters may be cut to what is reached together with a
    /// module: then runs cannot be unfolded, and there are no proofs.
    Pasts,
}

/// What is folded.
#[derive(Clone, Debug)]
pub(crate) struct FoldScope {
    /// A component that stays as it is: a module.
    pub kept: Option<ComponentId>,
    pub keeping: Keeping,
    /// Irrelevant components are left out.
    pub cone: Cone,
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
    original: Cow<'n, Network>,
    /// Children before their parents.
    clusters: IndexVec<NodeId, Cluster>,
    /// The remaining clusters, as components.
    roots: IndexVec<ComponentId, NodeId>,
    cone: Cone,
}

/// A folding that can be interrupted and resumed.
pub(crate) struct Folding<'n> {
    forest: Forest<'n>,
    order: PairOrder,
    kept: Option<ComponentId>,
    cone: Cone,
    progress: FoldProgress,
    /// Whether it was cancelled while the components were being reduced.
    is_cancelled: bool,
}

impl<'n> Folding<'n> {
    /// One reduced cluster per component, around a component that stays as it is: a module. Its
    /// actions stay visible; actions by which it has the same transitions may be alike.
    pub(crate) fn start(
        network: &'n Network,
        kept: Option<ComponentId>,
        limits: FoldLimits,
        go_on: impl FnMut(&FoldProgress) -> bool,
    ) -> Self {
        let scope = FoldScope { kept, keeping: Keeping::Words, cone: Cone::of(network) };
        Self::within(network, scope, limits, go_on)
    }

    /// One reduced cluster per component of a scope.
    pub(crate) fn within(
        network: &'n Network,
        scope: FoldScope,
        limits: FoldLimits,
        mut go_on: impl FnMut(&FoldProgress) -> bool,
    ) -> Self {
        let FoldScope { kept, keeping, cone } = scope;
        let n_clusters = cone.components.iter().filter(|&&matters| matters).count();
        let progress = FoldProgress { n_clusters, n_states: 0 };
        let cancellation = Cancellation::new(|| go_on(&progress));
        let forest = Forest::new(network, kept, keeping, &cone, &cancellation);
        let is_cancelled = cancellation.is_cancelled();
        let order = PairOrder::new(&forest, limits.product, None);
        Self { forest, order, kept, cone, progress, is_cancelled }
    }

    /// The same with one cluster that grows from a seed; no other clusters are composed.
    fn around(&self, seed: NodeId, limits: FoldLimits) -> Self {
        let order = PairOrder::new(&self.forest, limits.product, Some(seed));
        let (forest, cone) = (self.forest.clone(), self.cone.clone());
        Self { forest, order, cone, ..*self }
    }

    /// The number of clusters that are relevant and not part of another one.
    fn n_living(&self) -> usize {
        self.forest.living().count()
    }

    /// Joins clusters until no product of two fits the limit; whether that is reached before the
    /// budget, in states and transitions of products, is spent, or `go_on` cancels.
    pub(crate) fn run(
        &mut self,
        budget: usize,
        mut go_on: impl FnMut(&FoldProgress) -> bool,
    ) -> bool {
        if self.is_cancelled {
            return false;
        }
        let progress = Cell::new(self.progress);
        let cancellation = Cancellation::new(|| go_on(&progress.get()));
        let is_done = join(&mut self.forest, &mut self.order, budget, &progress, &cancellation);
        drop(cancellation);
        self.progress = progress.get();
        is_done
    }

    /// The network of the present clusters.
    pub(crate) fn folded(self) -> Folded<'n> {
        Folded::new(self.forest, self.kept, self.cone)
    }
}

/// Joins clusters; whether no pair is left.
fn join(
    forest: &mut Forest<'_>,
    order: &mut PairOrder,
    budget: usize,
    progress: &Cell<FoldProgress>,
    cancellation: &Cancellation<'_>,
) -> bool {
    let mut work = 0;
    while work <= budget && cancellation.goes_on_now() {
        let Some(next) = order.next(forest) else { return true };
        let FoldProgress { n_clusters, n_states } = progress.get();
        match next {
            NextPair::Try(pair) => {
                let limit = order.limit(forest, pair.ids);
                let made = forest.joined(pair.ids, limit, cancellation);
                work += made.as_ref().map_or(limit, Cluster::cost);
                if cancellation.is_cancelled() {
                    order.put_back(pair);
                }
                let Some(made) = made else { continue };
                let n_states = n_states.max(made.partition.n_states());
                progress.set(FoldProgress { n_clusters, n_states });
                order.note(forest, pair, made);
            }
            NextPair::Join(pair) => {
                let (kept, limit) = (order.kept(pair), order.limit(forest, pair));
                let made = || {
                    work += limit;
                    forest.joined(pair, limit, cancellation)
                };
                let made = kept.or_else(made);
                if made.is_none() && cancellation.is_cancelled() {
                    order.put_back_best(pair);
                }
                let Some(made) = made else { continue };
                let id = forest.push(made);
                order.add(forest, id);
                progress.set(FoldProgress { n_clusters: n_clusters - 1, n_states });
            }
        }
    }
    false
}

impl<'n> Folded<'n> {
    fn new(forest: Forest<'n>, kept: Option<ComponentId>, cone: Cone) -> Self {
        let original = forest.network;
        // Keep an irrelevant component only if otherwise the monitor alone has its action.
        let is_left = |&id: &NodeId| match &forest.clusters[id].of {
            Of::Component(of) if Some(*of) == kept => true,
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
        let (n_states, original) = (n_states.unwrap_or_default(), Cow::Borrowed(original));
        Self { network, n_states, original, clusters, roots, cone }
    }

    /// The same with a network of its own.
    pub(crate) fn into_owned(self) -> Folded<'static> {
        let original = Cow::Owned(self.original.into_owned());
        Folded { original, ..self }
    }

    /// The component of the folded network that is the component with this number of the original.
    pub(crate) fn component(&self, id: ComponentId) -> Option<ComponentId> {
        let is_it = |&root: &NodeId| self.clusters[root].of == Of::Component(id);
        self.roots.iter().position(is_it).map(Id::from_index)
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
