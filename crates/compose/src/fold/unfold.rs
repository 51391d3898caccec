//! From runs of a folded network to runs of the original.
//!
//! From the youngest cluster to the oldest, the moves of a cluster are replaced by moves of its
//! parts. A state of a quotient stands for states that can all do what it does, possibly after
//! internal steps within the class. The moves of the other clusters keep their places: the inserted
//! steps involve no other cluster.

use super::Folded;
use super::cluster::Cluster;
use super::replay::{is_run, path};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_certificate::{NodeId, Of};
use resy_index::{Id, IndexVec};

/// A move of clusters that are still to be replaced, or of parts of those that have been.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ClusterMove {
    /// An internal move; a component has the number of its cluster.
    Internal(NodeId),
    Action(ActionId),
}

/// For each cluster, its states after each of its moves.
type Paths = IndexVec<NodeId, Vec<StateId>>;
/// Steps of a concrete system, with their target states.
type Way = Vec<(ProductStep, Vec<StateId>)>;

impl Folded<'_> {
    /// A run of the original network that corresponds to a run of the folded one. `None` if the
    /// steps are not a run of the folded network into the error state.
    pub fn unfold(&self, run: &[ProductStep]) -> Option<Vec<ProductStep>> {
        let unfolded = |step: &ProductStep| match *step {
            ProductStep::Tau(cluster) => Some(ClusterMove::Internal(*self.roots.get(cluster)?)),
            ProductStep::Action(action) => Some(ClusterMove::Action(action)),
        };
        // Irrelevant components may refuse irrelevant actions.
        let matters =
            |step: &&ProductStep| step.label().action().is_none_or(|a| self.cone.actions[a]);
        let mut moves: Vec<ClusterMove> =
            run.iter().filter(matters).map(unfolded).collect::<Option<_>>()?;
        let mut paths: Paths = self.clusters.iter().map(|_| Vec::new()).collect();
        for &root in self.roots.iter() {
            let lts = &self.clusters[root].lts;
            paths[root] = path(lts, moves.iter().filter_map(|step| step.label_in(root, lts)))?;
        }
        for id in (0..self.clusters.len()).rev().map(Id::from_index) {
            moves = self.replaced(id, &moves, &mut paths)?;
        }
        let steps: Vec<ProductStep> = moves.into_iter().map(ClusterMove::step).collect();
        is_run(&self.original, &steps).then_some(steps)
    }

    /// Replaces the moves of one cluster by moves of its parts, and computes the paths of the
    /// parts.
    fn replaced(
        &self,
        id: NodeId,
        moves: &[ClusterMove],
        paths: &mut Paths,
    ) -> Option<Vec<ClusterMove>> {
        let lts = &self.clusters[id].lts;
        let concrete = Concrete::of(self, id);
        let mut targets = std::mem::take(&mut paths[id]).into_iter();
        let mut now = concrete.explorer.initial();
        let mut out = Vec::with_capacity(moves.len());
        for &step in moves {
            let Some(label) = step.label_in(id, lts) else {
                out.push(step);
                continue;
            };
            // A cluster with one state needs no path.
            let target = if lts.n_states() == 1 { lts.initial() } else { targets.next()? };
            for (step, to) in concrete.way(&now, label, target)? {
                out.push(match step {
                    ProductStep::Tau(i) => {
                        ClusterMove::Internal(*concrete.parts.get(i.index()).unwrap_or(&id))
                    }
                    ProductStep::Action(action) => ClusterMove::Action(action),
                });
                for (&part, &state) in concrete.parts.iter().zip(&to) {
                    if out.last()?.label_in(part, &self.clusters[part].lts).is_some() {
                        paths[part].push(state);
                    }
                }
                now = to;
            }
        }
        Some(out)
    }
}

impl ClusterMove {
    /// The label of the move in a cluster that takes part in it.
    fn label_in(self, id: NodeId, lts: &Lts) -> Option<Label> {
        match self {
            Self::Internal(owner) => (owner == id).then_some(Label::Tau),
            Self::Action(action) => {
                lts.alphabet().contains(action).then_some(Label::Visible(action))
            }
        }
    }

    /// The step of the network; all clusters have been replaced by components.
    fn step(self) -> ProductStep {
        match self {
            Self::Internal(leaf) => ProductStep::Tau(Id::from_index(leaf.index())),
            Self::Action(action) => ProductStep::Action(action),
        }
    }
}

/// The concrete system of a cluster.
struct Concrete<'a> {
    cluster: &'a Cluster,
    explorer: Explorer<'a>,
    /// Empty for a component.
    parts: &'a [NodeId],
    /// The numbers of the states of a product.
    numbers: Option<Tuples>,
}

impl<'a> Concrete<'a> {
    fn of(folded: &'a Folded<'_>, id: NodeId) -> Self {
        let cluster = &folded.clusters[id];
        match &cluster.of {
            Of::Component(component) => {
                let explorer = Explorer::new(vec![&folded.original.components[*component].lts]);
                Self { cluster, explorer, parts: &[], numbers: None }
            }
            Of::Product(parts, tuples) => {
                let systems = parts.iter().map(|&part| &folded.clusters[part].lts).collect();
                let mut numbers = Tuples::new(parts.len());
                for tuple in tuples.iter() {
                    numbers.insert(tuple);
                }
                let (explorer, numbers) = (Explorer::new(systems), Some(numbers));
                Self { cluster, explorer, parts, numbers }
            }
        }
    }

    /// The state of the cluster that stands for a concrete one.
    fn class_of(&self, state: &[StateId]) -> Option<StateId> {
        let concrete = match &self.numbers {
            None => *state.first()?,
            Some(numbers) => numbers.find(state)?,
        };
        Some(self.cluster.state_of(concrete))
    }

    /// The label of a step as other owners observe it.
    fn label_of(&self, step: ProductStep) -> Label {
        match step.label() {
            Label::Visible(action) if self.cluster.hidden.contains(action) => Label::Tau,
            label => self.cluster.alike.of(label),
        }
    }

    /// A shortest path from a state: internal steps within its class, then a step by the label, or
    /// an alike one, into the class `target`.
    fn way(&self, from: &[StateId], label: Label, target: StateId) -> Option<Way> {
        let (class, label) = (self.class_of(from)?, self.cluster.alike.of(label));
        if label == Label::Tau && class == target {
            return Some(Vec::new());
        }
        let mut found = Tuples::new(from.len());
        found.insert(from);
        // For each state but the first, the index of its predecessor and the step.
        let mut before: Vec<(usize, ProductStep)> = Vec::new();
        let mut next = 0;
        while next < found.len() {
            let state = found[Id::from_index(next)].to_vec();
            let mut last = None;
            self.explorer.successors(&state, |step, to| {
                let (by, into) = (self.label_of(step), self.class_of(to));
                if by == label && into == Some(target) {
                    last.get_or_insert_with(|| (step, to.to_vec()));
                } else if by == Label::Tau && into == Some(class) && found.insert(to).1 {
                    before.push((next, step));
                }
            });
            if let Some(last) = last {
                let mut way = vec![last];
                while next > 0 {
                    let (source, step) = before[next - 1];
                    way.push((step, found[Id::from_index(next)].to_vec()));
                    next = source;
                }
                way.reverse();
                return Some(way);
            }
            next += 1;
        }
        None
    }
}
