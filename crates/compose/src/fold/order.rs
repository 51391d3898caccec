//! Which two clusters to compose next.
//!
//! No formula knows in advance how small a product will be after hiding and reduction: a chain of
//! buffers is polynomial if it is composed from its source on, and exponential from the middle. So pairs
//! are tried, and the one is taken whose result is smallest compared to the larger of the two. To try all
//! pairs would cost too much: a new cluster is tried with a few neighbours, those with the smallest
//! estimated product, and among these with the smallest interface of the result. If nothing
//! grows it is taken at once.
//!
//! A product may at first have only a few times as many states as its parts together, and more when
//! nothing else is left: so no time is lost on products that are large, and what is good but
//! large does not have to wait for what is small but bad.
//!
//! *Siblings* share no action but will meet somebody, for whom they are alike: readers at their counter. They are
//! neighbours too, and as long as the result has no more states than whom they meet, it does not count as growth. So a
//! hundred readers become one with a hundred and one states, and the counter with its 1,024 values
//! is composed with them once.
//!
//! Tried instead, on rings, pipelines, trees and hubs: the growth of the whole network in states, and the growth
//! compared to both parts together. These build many clusters of the same size and then multiply them; in a ring of
//! 200 stations the largest product had 47,025 states and not 300.

use super::actions::Owner;
use super::cluster::{Cluster, Forest};
use resy_certificate::NodeId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many neighbours of a new cluster are tried at once.
const TRIALS: usize = 4;
/// How many owners of one action count as neighbours; an action of everybody makes no clique.
const NEIGHBOURS: usize = 8;
/// How many times as many states as its parts a product may have at first, and by how much this is
/// multiplied when nothing is left to do.
const PATIENCE: usize = 4;
/// A result as large as the larger part has this growth.
const NONE: usize = 1024;

type Pair = [NodeId; 2];

/// Two clusters, with what to expect of them; the better the less.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CandidatePair {
    /// The states of the product at most.
    n_states: usize,
    /// The actions that stay visible.
    interface: usize,
    pub ids: Pair,
    /// The states of whom they will meet, if they are siblings.
    hub: usize,
}

/// What to do next.
pub(super) enum NextPair {
    /// Compose two clusters to see what comes out.
    Try(CandidatePair),
    /// Compose two clusters: it is the best that is known.
    Join(Pair),
}

/// Pairs of clusters, in the order in which to compose them. Pairs with a part that is gone are
/// left out when they are found.
#[derive(Debug)]
pub(super) struct PairOrder {
    /// To be tried soon.
    fresh: Vec<CandidatePair>,
    /// By growth.
    tried: BinaryHeap<Reverse<(usize, Pair)>>,
    /// By estimate.
    untried: BinaryHeap<Reverse<CandidatePair>>,
    /// What came out of trials, as long as there is room.
    kept: FxHashMap<Pair, Cluster>,
    /// The states of all products that are kept.
    n_kept: usize,
    patience: usize,
    largest: usize,
}

impl PairOrder {
    /// All pairs of neighbours; products never have more states than `largest`.
    pub(super) fn new(forest: &Forest<'_>, largest: usize) -> Self {
        let mut order = Self {
            fresh: Vec::new(),
            tried: BinaryHeap::new(),
            untried: BinaryHeap::new(),
            kept: FxHashMap::default(),
            n_kept: 0,
            patience: PATIENCE,
            largest,
        };
        forest.living().for_each(|id| order.add(forest, id));
        // The last one is tried first.
        order.fresh.sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// What to do next; nothing if no pair fits in the largest limit.
    pub(super) fn next(&mut self, forest: &Forest<'_>) -> Option<NextPair> {
        let live = |pair: &Pair| pair.iter().all(|&id| forest.lives(id));
        loop {
            while self.tried.peek().is_some_and(|Reverse((_, pair))| !live(pair)) {
                self.tried.pop();
            }
            let grows = self.tried.peek().is_none_or(|&Reverse((growth, _))| growth > NONE);
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
            if self.patience >= self.largest {
                return None;
            }
            self.patience = self.patience.saturating_mul(PATIENCE);
            forest.living().for_each(|id| self.add(forest, id));
        }
    }

    /// The present limit on the product of a pair.
    pub(super) fn limit(&self, forest: &Forest<'_>, pair: Pair) -> usize {
        let n_states: usize = pair.iter().map(|&id| forest.clusters[id].lts.n_states()).sum();
        n_states.saturating_mul(self.patience).min(self.largest)
    }

    /// Takes note of what came out of a trial. It is kept if all that is kept has no more states than
    /// the largest product may have; otherwise it has to be made again.
    pub(super) fn note(&mut self, forest: &Forest<'_>, tried: CandidatePair, found: Cluster) {
        let (pair, sizes) = (tried.ids, tried.ids.map(|id| forest.clusters[id].size()));
        let larger = sizes[0].max(sizes[1]).max(tried.hub);
        let growth = found.size().saturating_mul(NONE).div_ceil(larger);
        self.tried.push(Reverse((growth, pair)));
        let n_kept = self.n_kept.saturating_add(found.partition.n_states());
        if n_kept <= self.largest {
            self.n_kept = n_kept;
            self.kept.insert(pair, found);
        }
    }

    /// What came out of a trial, if it was kept.
    pub(super) fn kept(&mut self, pair: Pair) -> Option<Cluster> {
        self.kept.remove(&pair)
    }

    /// Takes note of a new cluster: its pairs with older neighbours.
    pub(super) fn add(&mut self, forest: &Forest<'_>, id: NodeId) {
        self.kept.retain(|pair, _| pair.iter().all(|&id| forest.lives(id)));
        self.n_kept = self.kept.values().map(|cluster| cluster.partition.n_states()).sum();
        let mut pairs = neighbours(forest, id);
        let n = TRIALS.min(pairs.len());
        if n < pairs.len() {
            pairs.select_nth_unstable(n);
        }
        self.untried.extend(pairs.drain(n..).map(Reverse));
        // The last one is tried first.
        pairs.sort_unstable_by(|a, b| b.cmp(a));
        self.fresh.extend(pairs);
    }
}

/// The older clusters that share actions with one, and its older siblings.
fn neighbours(forest: &Forest<'_>, id: NodeId) -> Vec<CandidatePair> {
    let lts = &forest.clusters[id].lts;
    // How many actions both have, counted twice if nobody else has them: so much does the
    // interface lose. Then whom they will meet.
    let mut known: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
    for action in lts.alphabet().iter() {
        let lost = if forest.actions.is_between_two(action) { 2 } else { 1 };
        let older = forest.actions.owners(action).filter(|&owner| owner < id).take(NEIGHBOURS);
        older.for_each(|owner| known.entry(owner).or_default().0 += lost);
    }
    for sibling in forest.actions.siblings(id, lts.alphabet(), NEIGHBOURS) {
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
    known.into_iter().map(candidate).collect()
}
