//! Clusters: components composed, with what nobody else can see hidden, reduced.
//!
//! A cluster is made of a component or of two clusters, its *concrete* system. What is kept of that
//! is what proofs and runs need: which states it has, and where each went.

use super::actions::{Actions, Alike, cluster, without};
use crate::cone::Cone;
use crate::patience::Patience;
use resy_automata::bisimulation::branching_while;
use resy_automata::lts::{Alphabet, Lts, StateId};
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::product_while;
use resy_automata::quotient::Quotient;
use resy_certificate::{NodeId, Of, TupleList};
use resy_index::{Id, IndexVec};
use std::borrow::Cow;

/// Some components as one small system.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// What it is made of; a product of two clusters, with its reachable states.
    pub of: Of,
    /// The actions of the concrete system that are internal from here on.
    pub hidden: Alphabet,
    /// The others of which nobody outside could tell which one is taken.
    pub alike: Alike,
    /// Those that nobody needs from here on.
    doubles: Alphabet,
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
    pub actions: Actions,
    lives: IndexVec<NodeId, bool>,
}

impl<'n> Forest<'n> {
    /// A cluster for each component, reduced as long as there is patience. Those that do not matter do not live.
    pub(super) fn new(network: &'n Network, cone: &Cone, patience: &Patience<'_>) -> Self {
        let actions = Actions::new(network, cone);
        let lives = cone.components.iter().copied().collect();
        let mut forest = Self { network, clusters: IndexVec::new(), actions, lives };
        for (id, component) in network.components.iter_enumerated() {
            let node = forest.clusters.next_id();
            if !forest.lives(node) {
                forest.clusters.push(bystander(Of::Component(id), &component.lts));
                continue;
            }
            let (of, lts) = (Of::Component(id), forest.actions.lean(&component.lts));
            let leaf = forest.reduced(of.clone(), &[node], &lts, patience);
            let leaf = leaf.unwrap_or_else(|| unreduced(of, &lts));
            // The next one may rely on how this one is now: runs are unfolded the other way round.
            forest.actions.remove(cluster(node), &component.lts);
            forest.enter(leaf);
        }
        forest
    }

    /// The product of two living clusters, reduced. None if it exceeds the limit on the way, or patience is over.
    pub(super) fn joined(
        &self,
        pair: [NodeId; 2],
        limit: usize,
        patience: &Patience<'_>,
    ) -> Option<Cluster> {
        let systems = pair.map(|id| self.actions.lean(&self.clusters[id].lts));
        let systems = systems.each_ref().map(|lts| &**lts);
        let product = product_while(&systems, |n_states| n_states <= limit && patience.lasts())?;
        let mut tuples = TupleList::new(2);
        product.lts.states().for_each(|state| tuples.push(&product.tuples[state]));
        self.reduced(Of::Product(pair.to_vec(), tuples), &pair, &product.lts, patience)
    }

    /// Puts a cluster in the place of those that it is made of.
    pub(super) fn push(&mut self, made: Cluster) -> NodeId {
        let Of::Product(parts, _) = &made.of else { unreachable!("components are there") };
        for &part in parts {
            self.lives[part] = false;
            self.actions.remove(cluster(part), &self.clusters[part].lts);
        }
        self.lives.push(true);
        self.enter(made)
    }

    fn enter(&mut self, made: Cluster) -> NodeId {
        self.actions.drop_doubles(&made.doubles);
        self.actions.add(cluster(self.clusters.next_id()), &made.lts);
        self.clusters.push(made)
    }

    /// Whether a cluster is part of no other, and matters.
    pub(super) fn lives(&self, id: NodeId) -> bool {
        self.lives[id]
    }

    /// The clusters that are part of no other, and matter.
    pub(super) fn living(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.clusters.ids().filter(|&id| self.lives(id))
    }

    /// The cluster that takes the place of some. Branching bisimulation is a congruence for everything
    /// that a safety property can see.
    fn reduced(
        &self,
        of: Of,
        parts: &[NodeId],
        concrete: &Lts,
        patience: &Patience<'_>,
    ) -> Option<Cluster> {
        let hidden = self.actions.internal(parts, concrete.alphabet());
        let concrete = concrete.hiding(&hidden);
        let alike = self.actions.alike(parts, concrete.alphabet());
        let seen = match alike.is_empty() {
            true => Cow::Borrowed(&concrete),
            false => Cow::Owned(concrete.relabelled(Alphabet::default(), |label| alike.of(label))),
        };
        let partition = branching_while(&seen, || patience.lasts())?;
        let lts = Quotient::contracting(&concrete, partition.clone()).into_lts();
        let doubles = alike.doubles(&lts);
        let lts = without(&lts, |action| doubles.contains(action)).into_owned();
        Some(Cluster { of, hidden, alike, doubles, partition, lts })
    }
}

/// A component as it is.
fn unreduced(of: Of, lts: &Lts) -> Cluster {
    let partition = Partition::discrete(lts.n_states());
    let (hidden, doubles) = Default::default();
    Cluster { of, hidden, alike: Alike::default(), doubles, partition, lts: lts.clone() }
}

/// A component that does not matter takes part in everything, always.
fn bystander(of: Of, concrete: &Lts) -> Cluster {
    let partition = Partition::single(concrete.n_states());
    let lts = Quotient::of(concrete, partition.clone()).into_lts();
    let (hidden, doubles) = Default::default();
    Cluster { of, hidden, alike: Alike::default(), doubles, partition, lts }
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
