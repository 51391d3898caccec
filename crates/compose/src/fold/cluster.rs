//! Clusters: composed components, with internal actions hidden, reduced.
//!
//! A cluster is made of a component or of two clusters, its *concrete* system. Of that, it keeps
//! what proofs and runs need: the states, and the partition.

use super::Keeping;
use super::actions::{Actions, Alike, cluster, without};
use super::past::reached_with;
use crate::cancellation::Cancellation;
use crate::cone::Cone;
use resy_automata::bisimulation::branching_while;
use resy_automata::lts::{Alphabet, Lts, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_automata::partition::Partition;
use resy_automata::product::product_while;
use resy_automata::quotient::Quotient;
use resy_automata::words::{backwards, same_words_while};
use resy_certificate::{NodeId, Of, TupleList};
use resy_index::{Id, IndexVec};
use std::borrow::Cow;

/// Some components as one small system.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The concrete system: a component, or a product of two clusters with its reachable states.
    pub of: Of,
    /// The actions of the concrete system that are internal from here on.
    pub hidden: Alphabet,
    /// Visible actions that other owners cannot distinguish.
    pub alike: Alike,
    /// Actions that are no longer needed.
    doubles: Alphabet,
    /// The partition of the concrete states.
    pub partition: Partition,
    /// The quotient.
    pub lts: Lts,
}

/// All clusters so far, children before their parents. A cluster is alive if it is relevant and not
/// part of another one.
#[derive(Clone, Debug)]
pub(super) struct Forest<'n> {
    pub network: &'n Network,
    pub clusters: IndexVec<NodeId, Cluster>,
    pub actions: Actions,
    lives: IndexVec<NodeId, bool>,
    /// A component that stays as it is, and is in no other cluster.
    kept: Option<NodeId>,
    keeping: Keeping,
}

impl<'n> Forest<'n> {
    /// One cluster per component, reduced unless cancelled. Clusters of irrelevant components are
    /// not alive.
    pub(super) fn new(
        network: &'n Network,
        kept: Option<ComponentId>,
        keeping: Keeping,
        cone: &Cone,
        cancellation: &Cancellation<'_>,
    ) -> Self {
        let actions = Actions::new(network, cone);
        let lives = cone.components.iter().copied().collect();
        let kept = kept.map(|id| Id::from_index(id.index()));
        let mut forest = Self { network, clusters: IndexVec::new(), actions, lives, kept, keeping };
        for (id, component) in network.components.iter_enumerated() {
            let node = forest.clusters.next_id();
            if !forest.lives(node) {
                forest.clusters.push(bystander(Of::Component(id), &component.lts));
                continue;
            }
            let (of, lts) = (Of::Component(id), forest.actions.lean(&component.lts));
            if forest.kept == Some(node) {
                let leaf = unreduced(of, &lts);
                forest.actions.remove(cluster(node), &component.lts);
                forest.enter(leaf);
                continue;
            }
            let leaf = forest.reduced(of.clone(), &[node], &lts, cancellation);
            let leaf = leaf.unwrap_or_else(|| unreduced(of, &lts));
            // Later clusters may rely on the reduced form of earlier ones, because runs are
            // unfolded in the opposite order.
            forest.actions.remove(cluster(node), &component.lts);
            forest.enter(leaf);
        }
        forest
    }

    /// The product of two living clusters, reduced. `None` if the product exceeds `limit`, or if
    /// cancelled.
    pub(super) fn joined(
        &self,
        pair: [NodeId; 2],
        limit: usize,
        cancellation: &Cancellation<'_>,
    ) -> Option<Cluster> {
        let systems = pair.map(|id| self.actions.lean(&self.clusters[id].lts));
        let systems = systems.each_ref().map(|lts| &**lts);
        let go_on = |n_states| n_states <= limit && cancellation.goes_on();
        let product = match self.module_of_pasts() {
            Some(module) => reached_with(&module, systems, go_on)?,
            None => product_while(&systems, go_on)?,
        };
        let mut tuples = TupleList::new(2);
        product.lts.states().for_each(|state| tuples.push(&product.tuples[state]));
        self.reduced(Of::Product(pair.to_vec(), tuples), &pair, &product.lts, cancellation)
    }

    /// Replaces the clusters that a cluster is made of.
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

    /// Whether a cluster is relevant and not part of another one.
    pub(super) fn lives(&self, id: NodeId) -> bool {
        self.lives[id]
    }

    /// The module, if clusters are cut to what is reached together with it.
    fn module_of_pasts(&self) -> Option<Cow<'_, Lts>> {
        let module = self.kept.filter(|_| self.keeping == Keeping::Pasts)?;
        Some(self.actions.lean(&self.clusters[module].lts))
    }

    /// Whether a cluster may become part of another one.
    pub(super) fn may_join(&self, id: NodeId) -> bool {
        self.kept != Some(id)
    }

    /// The living clusters.
    pub(super) fn living(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.clusters.ids().filter(|&id| self.lives(id))
    }

    /// The cluster that replaces some: the concrete system with internal actions hidden, with fewer
    /// states.
    fn reduced(
        &self,
        of: Of,
        parts: &[NodeId],
        concrete: &Lts,
        cancellation: &Cancellation<'_>,
    ) -> Option<Cluster> {
        let hidden = self.actions.internal(parts, concrete.alphabet());
        let concrete = concrete.hiding(&hidden);
        let alike = self.actions.alike(parts, concrete.alphabet());
        let seen = match alike.is_empty() {
            true => Cow::Borrowed(&concrete),
            false => Cow::Owned(concrete.relabelled(Alphabet::default(), |label| alike.of(label))),
        };
        let go_on = || cancellation.goes_on();
        let partition = match self.keeping {
            Keeping::Words => same_words_while(&seen, go_on)?,
            Keeping::Futures => branching_while(&seen, go_on)?,
            Keeping::Pasts => branching_while(&backwards(&seen), go_on)?,
        };
        let lts = Quotient::contracting(&concrete, partition.clone()).into_lts();
        let doubles = alike.doubles(&lts);
        let lts = without(&lts, |action| doubles.contains(action)).into_owned();
        Some(Cluster { of, hidden, alike, doubles, partition, lts })
    }
}

/// The cluster of a component that has not been reduced.
fn unreduced(of: Of, lts: &Lts) -> Cluster {
    let partition = Partition::discrete(lts.n_states());
    let (hidden, doubles) = Default::default();
    Cluster { of, hidden, alike: Alike::default(), doubles, partition, lts: lts.clone() }
}

/// The cluster of an irrelevant component, which always takes part in everything.
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

    /// What it took to make it: the states of the concrete system, and the transitions that are left.
    pub(super) fn cost(&self) -> usize {
        self.partition.n_states() + self.lts.n_transitions()
    }

    /// States and transitions.
    pub(super) fn size(&self) -> usize {
        self.lts.n_states() + self.lts.n_transitions()
    }
}
