//! Clusters: components composed, with what nobody else can see hidden, reduced.
//!
//! A cluster is made of a component or of two clusters, its *concrete* system. What is kept of that
//! is what proofs and runs need: which states it has, and where each went.

use resy_automata::bisimulation::branching;
use resy_automata::lts::{ActionId, Alphabet, Lts, StateId};
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::{TooLarge, product};
use resy_automata::quotient::Quotient;
use resy_certificate::{NodeId, Of, Tuples};
use resy_index::{Id, IndexVec};

/// Some components as one small system.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// What it is made of; a product of two clusters, with its reachable states.
    pub of: Of,
    /// The actions of the concrete system that are internal from here on.
    pub hidden: Alphabet,
    /// Which concrete states are one.
    pub partition: Partition,
    /// The quotient.
    pub lts: Lts,
}

/// All clusters ever made, children before their parents, and which of them live: those that are part of
/// no other.
#[derive(Clone, Debug)]
pub(super) struct Forest<'n> {
    pub network: &'n Network,
    pub clusters: IndexVec<NodeId, Cluster>,
    lives: IndexVec<NodeId, bool>,
    /// The living clusters that have an action, youngest last.
    owners: IndexVec<ActionId, Vec<NodeId>>,
    watched: IndexVec<ActionId, bool>,
}

impl<'n> Forest<'n> {
    /// A cluster for each component.
    pub(super) fn new(network: &'n Network) -> Self {
        let mut owners: IndexVec<ActionId, Vec<NodeId>> =
            network.actions.iter().map(|_| Vec::new()).collect();
        for (id, component) in network.components.iter_enumerated() {
            let id = Id::from_index(id.index());
            component.lts.alphabet().iter().for_each(|action| owners[action].push(id));
        }
        let mut watched: IndexVec<ActionId, bool> = network.actions.iter().map(|_| false).collect();
        let seen = network.monitor.iter().flat_map(|monitor| monitor.lts.alphabet().iter());
        seen.for_each(|action| watched[action] = true);
        let lives = network.components.iter().map(|_| true).collect();
        let mut forest = Self { network, clusters: IndexVec::new(), lives, owners, watched };
        for (id, component) in network.components.iter_enumerated() {
            let hidden = forest.internal(&[Id::from_index(id.index())], [&component.lts]);
            let leaf = reduced(Of::Component(id), &component.lts, hidden);
            forest.clusters.push(leaf);
        }
        forest
    }

    /// The product of two living clusters, unless it exceeds the limit on the way.
    pub(super) fn joined(&self, pair: [NodeId; 2], limit: usize) -> Result<Cluster, TooLarge> {
        let systems = pair.map(|id| &self.clusters[id].lts);
        let product = product(&systems, limit)?;
        let mut tuples = Tuples::new(2);
        product.lts.states().for_each(|state| tuples.push(&product.tuples[state]));
        let hidden = self.internal(&pair, systems);
        Ok(reduced(Of::Product(pair.to_vec(), tuples), &product.lts, hidden))
    }

    /// Puts a cluster in the place of those that it is made of.
    pub(super) fn push(&mut self, cluster: Cluster) -> NodeId {
        let id = self.clusters.next_id();
        let Of::Product(parts, _) = &cluster.of else { unreachable!("components are there") };
        for &part in parts {
            self.lives[part] = false;
            for action in self.clusters[part].lts.alphabet().iter() {
                self.owners[action].retain(|&owner| owner != part);
            }
        }
        cluster.lts.alphabet().iter().for_each(|action| self.owners[action].push(id));
        self.lives.push(true);
        self.clusters.push(cluster);
        id
    }

    /// Whether a cluster is part of no other.
    pub(super) fn lives(&self, id: NodeId) -> bool {
        self.lives[id]
    }

    /// The clusters that are part of no other.
    pub(super) fn living(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.clusters.ids().filter(|&id| self.lives(id))
    }

    /// The living clusters that have an action, youngest last.
    pub(super) fn owners(&self, action: ActionId) -> &[NodeId] {
        &self.owners[action]
    }

    /// Whether the monitor has an action.
    pub(super) fn is_watched(&self, action: ActionId) -> bool {
        self.watched[action]
    }

    /// The actions of some clusters that nobody else has.
    fn internal<'l>(&self, ids: &[NodeId], systems: impl IntoIterator<Item = &'l Lts>) -> Alphabet {
        let actions = systems.into_iter().flat_map(|lts| lts.alphabet().iter());
        let own = |owner: &NodeId| ids.contains(owner);
        actions.filter(|&a| !self.watched[a] && self.owners[a].iter().all(own)).collect()
    }
}

/// Branching bisimulation is a congruence for everything that a safety property can see.
fn reduced(of: Of, concrete: &Lts, hidden: Alphabet) -> Cluster {
    let concrete = concrete.hiding(&hidden);
    let quotient = Quotient::contracting(&concrete, branching(&concrete));
    let partition = quotient.partition().clone();
    Cluster { of, hidden, partition, lts: quotient.into_lts() }
}

impl Cluster {
    /// The state that stands for a concrete one.
    pub(super) fn state_of(&self, concrete: StateId) -> StateId {
        Id::from_index(self.partition.block_of(concrete).index())
    }

    /// States and transitions.
    pub(super) fn size(&self) -> usize {
        self.lts.n_states() + self.lts.n_transitions()
    }
}
