//! The folding order: which two clusters to compose next.
//!
//! The size of a product after hiding and reduction cannot be predicted: a chain of buffers is
//! polynomial if it is composed from its source on, and exponential from the middle. So pairs are
//! tried, and the one is taken by which the network grows least, in states and transitions. Trying
//! all pairs would be too expensive. A new cluster is tried with a few neighbours: those with the
//! smallest estimated product, and among these with the smallest interface of the result. A pair
//! whose result is not larger than the larger of the two is taken at once.
//!
//! At first, a product may only have a few times as many states as its parts together; the factor
//! is raised when no other pair is left. So no time is spent on large products early, and a large
//! product with a good result does not wait for small products with bad ones.
//!
//! *Siblings* share no action, but have actions that are alike for a third owner, their hub:
//! readers at their counter. They count as neighbours, and a result with no more states than the
//! hub does not count as growth. So a hundred readers become one cluster with a hundred and one
//! states, and the counter with its 1,024 values is composed with them once.
//!
//! Other measures were tried on rings, pipelines, trees and hubs. The growth relative to the larger
//! of the two lets a coordinator double with each of its channels, before any channel meets its
//! participant: 16 participants need a product of 99,423 states instead of 124. The size of the result
//! alone, or the growth over the larger part, build many clusters of the same size and then multiply
//! them: a ring of 200 stations needs 67,200 states instead of 3,200.

use super::actions::Owner;
use super::cluster::{Cluster, Forest};
use resy_certificate::NodeId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of neighbours of a new cluster that are tried at once.
const TRIALS: usize = 4;
/// The number of owners of an action that count as neighbours, so that an action of all components
/// does not create a clique.
const NEIGHBOURS: usize = 8;
/// The initial factor between the states of a product and those of its parts, and the factor by
/// which it is raised when no pair is left.
const FACTOR: usize = 4;
/// The scale of ratios of sizes.
const SCALE: usize = 1024;

type Pair = [NodeId; 2];

/// By how much a network grows if two clusters are composed; less is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Growth {
    /// The result is not larger than the larger of the two, or than their hub; its relative size.
    None(usize),
    /// How much larger than both together it is.
    By(usize),
}

/// A candidate pair of clusters with its estimates; smaller is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CandidatePair {
    /// An upper bound on the states of the product.
    n_states: usize,
    /// The actions that stay visible.
    interface: usize,
    pub ids: Pair,
    /// The states of the hub, if the pair are siblings.
    hub: usize,
}

/// The next action of the folding loop.
pub(super) enum NextPair {
    /// Compose two clusters to measure the result.
    Try(CandidatePair),
    /// Compose two clusters: the best known pair.
    Join(Pair),
}

/// Pairs of clusters, in the order in which to compose them. Pairs with a dead cluster are skipped
/// lazily.
#[derive(Debug)]
pub(super) struct PairOrder {
    /// To be tried next.
    fresh: Vec<CandidatePair>,
    /// Tried pairs, by growth.
    tried: BinaryHeap<Reverse<(Growth, Pair)>>,
    /// Untried pairs, by estimate.
    untried: BinaryHeap<Reverse<CandidatePair>>,
    /// The results of trials, as long as there is room.
    kept: FxHashMap<Pair, Cluster>,
    /// The total number of states of the kept products.
    n_kept: usize,
    factor: usize,
    largest: usize,
    /// The cluster that is part of every pair, if only one grows.
    growing: Option<NodeId>,
}

impl PairOrder {
    /// All pairs of neighbours, or those with one cluster that grows; no product may have more
    /// states than `largest`.
    pub(super) fn new(forest: &Forest<'_>, largest: usize, growing: Option<NodeId>) -> Self {
        let mut order = Self {
            fresh: Vec::new(),
            tried: BinaryHeap::new(),
            untried: BinaryHeap::new(),
            kept: FxHashMap::default(),
            n_kept: 0,
            factor: FACTOR,
            largest,
            growing,
        };
        order.add_all(forest);
        // Popped from the end.
        order.fresh.sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// The next action; `None` if no pair fits the largest limit.
    pub(super) fn next(&mut self, forest: &Forest<'_>) -> Option<NextPair> {
        let live = |pair: &Pair| pair.iter().all(|&id| forest.lives(id));
        loop {
            while self.tried.peek().is_some_and(|Reverse((_, pair))| !live(pair)) {
                self.tried.pop();
            }
            let best = self.tried.peek().map(|&Reverse((growth, _))| growth);
            let grows = !matches!(best, Some(Growth::None(_)));
            let live = |candidate: &CandidatePair| live(&candidate.ids);
            if grows && let Some(next) = std::iter::from_fn(|| self.fresh.pop()).find(live) {
                return Some(NextPair::Try(next));
            }
            if let Some(Reverse((_, pair))) = self.tried.pop() {
                return Some(NextPair::Join(pair));
            }
            if let Some(next) = std::iter::from_fn(|| Some(self.untried.pop()?.0)).find(live) {
                return Some(NextPair::Try(next));
            }
            if self.factor >= self.largest {
                return None;
            }
            self.factor = self.factor.saturating_mul(FACTOR);
            self.add_all(forest);
        }
    }

    /// Puts a pair back that was to be tried when the folding was interrupted.
    pub(super) fn put_back(&mut self, pair: CandidatePair) {
        self.fresh.push(pair);
    }

    /// Puts a pair back that was to be composed when the folding was interrupted.
    pub(super) fn put_back_best(&mut self, pair: Pair) {
        self.tried.push(Reverse((Growth::None(0), pair)));
    }

    /// The present limit on the product of a pair.
    pub(super) fn limit(&self, forest: &Forest<'_>, pair: Pair) -> usize {
        let n_states: usize = pair.iter().map(|&id| forest.clusters[id].lts.n_states()).sum();
        n_states.saturating_mul(self.factor).min(self.largest)
    }

    /// Records the result of a trial. It is kept if all kept products together have no more states
    /// than the largest product may have; otherwise it has to be computed again.
    pub(super) fn note(&mut self, forest: &Forest<'_>, tried: CandidatePair, found: Cluster) {
        let (pair, sizes) = (tried.ids, tried.ids.map(|id| forest.clusters[id].size()));
        let larger = sizes[0].max(sizes[1]).max(tried.hub);
        let growth = match found.size() <= larger {
            true => Growth::None(found.size().saturating_mul(SCALE) / larger),
            false => Growth::By(found.size().saturating_sub(sizes[0] + sizes[1])),
        };
        self.tried.push(Reverse((growth, pair)));
        let n_kept = self.n_kept.saturating_add(found.partition.n_states());
        if n_kept <= self.largest {
            self.n_kept = n_kept;
            self.kept.insert(pair, found);
        }
    }

    /// The result of a trial, if it was kept.
    pub(super) fn kept(&mut self, pair: Pair) -> Option<Cluster> {
        self.kept.remove(&pair)
    }

    /// Adds the pairs of the present clusters.
    fn add_all(&mut self, forest: &Forest<'_>) {
        match self.growing {
            Some(id) => self.add(forest, id),
            None => forest.living().for_each(|id| self.add(forest, id)),
        }
    }

    /// Adds the pairs of a new cluster with its older neighbours. If one cluster grows, it is this
    /// one from here on, and all neighbours count.
    pub(super) fn add(&mut self, forest: &Forest<'_>, id: NodeId) {
        self.growing = self.growing.map(|_| id);
        self.kept.retain(|pair, _| pair.iter().all(|&id| forest.lives(id)));
        self.n_kept = self.kept.values().map(|cluster| cluster.partition.n_states()).sum();
        let grows = self.growing.is_some();
        let mut pairs = neighbours(forest, id, |other| other < id || grows && other != id);
        if grows {
            // One of several that have the same estimates, such as the workers at a queue.
            let estimates = |pair: &CandidatePair| (pair.n_states, pair.interface, pair.hub);
            pairs.sort_unstable();
            pairs.dedup_by_key(|pair| estimates(pair));
        }
        let n = TRIALS.min(pairs.len());
        if n < pairs.len() {
            pairs.select_nth_unstable(n);
        }
        self.untried.extend(pairs.drain(n..).map(Reverse));
        // Popped from the end.
        pairs.sort_unstable_by(|a, b| b.cmp(a));
        self.fresh.extend(pairs);
    }
}

/// The candidate pairs of a cluster with some others: those that share actions with it, and
/// siblings.
fn neighbours(
    forest: &Forest<'_>,
    id: NodeId,
    is_partner: impl Fn(NodeId) -> bool,
) -> Vec<CandidatePair> {
    if !forest.may_join(id) {
        return Vec::new();
    }
    let lts = &forest.clusters[id].lts;
    // For each neighbour, by how much the interface shrinks (a shared action counts twice if no
    // other owner has it), and the size of the hub.
    let mut known: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
    for action in lts.alphabet().iter() {
        let lost = if forest.actions.is_between_two(action) { 2 } else { 1 };
        let others = forest.actions.owners(action).filter(|&owner| is_partner(owner));
        others.take(NEIGHBOURS).for_each(|owner| known.entry(owner).or_default().0 += lost);
    }
    for sibling in forest.actions.siblings(id, lts.alphabet(), &is_partner, NEIGHBOURS) {
        let hub = match sibling.hub {
            Owner::Cluster(hub) => forest.clusters[hub].lts.n_states(),
            Owner::Monitor => 0,
        };
        let (lost, largest) = known.entry(sibling.id).or_default();
        (*lost, *largest) = (*lost + 1, hub.max(*largest));
    }
    let candidate = |(other, (lost, hub)): (NodeId, (usize, usize))| {
        let other_lts = &forest.clusters[other].lts;
        let n_states = lts.n_states().saturating_mul(other_lts.n_states());
        let interface = lts.alphabet().len() + other_lts.alphabet().len();
        let interface = interface.saturating_sub(lost);
        CandidatePair { n_states, interface, ids: [other, id], hub }
    };
    let known = known.into_iter().filter(|(other, _)| forest.may_join(*other));
    known.map(candidate).collect()
}
