//! Folding: a network becomes a smaller one, two components at a time.
//!
//! Two clusters are composed, what nobody else can see of the result is hidden, and the rest is reduced
//! modulo branching bisimulation, which a safety property does not notice. What is left
//! is a network of a few clusters with the same monitor and the same verdict. Its runs are
//! [unfolded](Folded::unfold) to runs of the original network, and its proofs become
//! [proofs](Folded::evidence) about it. Where abstraction refinement has to count how many tokens or messages
//! are on the way, as in rings and pipelines, folding forgets them.

mod check;
mod cluster;
mod order;
mod proof;
mod replay;
mod unfold;

pub use check::{Checked, Stage, check};

use cluster::{Cluster, Forest};
use order::{Next, Order};
use resy_automata::network::{Component, ComponentId, Network};
use resy_certificate::{NodeId, Of};
use resy_index::IndexVec;

/// How large things may become.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The states of a product of two clusters, before it is reduced.
    pub product: usize,
}

impl Default for Limits {
    /// Larger products take seconds to be reduced.
    fn default() -> Self {
        Self { product: 300_000 }
    }
}

/// How far folding is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of clusters.
    pub n_clusters: usize,
    /// The states of the largest product so far.
    pub n_states: usize,
}

/// A folded network, and how it came about.
#[derive(Clone, Debug)]
pub struct Folded<'n> {
    /// Clusters in the place of components; the actions and the monitor are those of the original.
    pub network: Network,
    /// The largest product on the way, in states.
    pub n_states: usize,
    original: &'n Network,
    /// Children before their parents.
    clusters: IndexVec<NodeId, Cluster>,
    /// The clusters that are left, as components.
    roots: IndexVec<ComponentId, NodeId>,
}

/// Folds a network until no product of two clusters fits in the limit, or `go_on` says no.
pub fn fold(network: &Network, limits: Limits, go_on: impl FnMut(&Progress) -> bool) -> Folded<'_> {
    Folded::new(joined(network, limits, go_on))
}

fn joined(
    network: &Network,
    limits: Limits,
    mut go_on: impl FnMut(&Progress) -> bool,
) -> Forest<'_> {
    let mut forest = Forest::new(network);
    let mut order = Order::new(&forest, limits.product);
    let (mut n_clusters, mut n_states) = (network.components.len(), 0);
    while go_on(&Progress { n_clusters, n_states }) {
        let Some(next) = order.next(&forest) else { break };
        match next {
            Next::Try(pair) => {
                let Ok(cluster) = forest.joined(pair, order.limit(&forest, pair)) else { continue };
                n_states = n_states.max(cluster.partition.n_states());
                order.note(&forest, pair, cluster);
            }
            Next::Join(pair) => {
                let (kept, limit) = (order.kept(pair), order.limit(&forest, pair));
                let made = || forest.joined(pair, limit).ok();
                let Some(cluster) = kept.or_else(made) else { continue };
                let id = forest.push(cluster);
                order.add(&forest, id);
                n_clusters -= 1;
            }
        }
    }
    forest
}

impl<'n> Folded<'n> {
    fn new(forest: Forest<'n>) -> Self {
        let original = forest.network;
        let roots: IndexVec<ComponentId, NodeId> = forest.living().collect();
        let clusters = forest.clusters;
        let component = |&root: &NodeId| Component {
            name: name(original, &clusters, root),
            lts: clusters[root].lts.clone(),
            state_names: IndexVec::new(),
        };
        let components = roots.iter().map(component).collect();
        let monitor = original.monitor.clone();
        let network =
            Network { components, monitor, module: Vec::new(), actions: original.actions.clone() };
        let n_states = clusters.iter().map(|cluster| cluster.partition.n_states()).max();
        Self { network, n_states: n_states.unwrap_or_default(), original, clusters, roots }
    }

    /// The components in each cluster of the folded network, in order.
    pub fn members(&self) -> IndexVec<ComponentId, Vec<ComponentId>> {
        self.roots.iter().map(|&root| members(&self.clusters, root)).collect()
    }
}

/// A cluster is called after its first component.
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
