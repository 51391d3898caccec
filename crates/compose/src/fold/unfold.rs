//! Runs of a folded network as runs of the original.
//!
//! From the youngest cluster to the oldest, its moves are replaced by moves of its parts. A state of a quotient
//! stands for states that can all do what it does, perhaps after internal steps that do not
//! leave it. What the others do stays where it is: the steps that are put in concern nobody
//! else.

use super::Folded;
use super::cluster::Cluster;
use super::replay::{is_run, path};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_certificate::{NodeId, Of};
use resy_index::{Id, IndexVec};

/// A move of the clusters that are to be replaced, and of the parts of those that have been.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ClusterMove {
    /// A component has the number of its cluster.
    Internal(NodeId),
    Action(ActionId),
}

/// The states of clusters after each of their moves.
type Paths = IndexVec<NodeId, Vec<StateId>>;
/// Steps of a concrete system, and where they lead.
type Way = Vec<(ProductStep, Vec<StateId>)>;

impl Folded<'_> {
    /// A run of the original network that does what a run of the folded one does. None if
    /// the steps are no run of the folded network into the error state.
    pub fn unfold(&self, run: &[ProductStep]) -> Option<Vec<ProductStep>> {
        let unfolded = |step: &ProductStep| match *step {
            ProductStep::Tau(cluster) => Some(ClusterMove::Internal(*self.roots.get(cluster)?)),
            ProductStep::Action(action) => Some(ClusterMove::Action(action)),
        };
        // Those who do not matter may refuse what does not matter.
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
        is_run(self.original, &steps).then_some(steps)
    }

    /// The moves with those of one cluster replaced by moves of its parts, whose paths are found
    /// on the way.
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
            // Who has one state needs no path.
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
    /// What the move is for a cluster that takes part in it.
    fn label_in(self, id: NodeId, lts: &Lts) -> Option<Label> {
        match self {
            Self::Internal(who) => (who == id).then_some(Label::Tau),
            Self::Action(action) => {
                lts.alphabet().contains(action).then_some(Label::Visible(action))
            }
        }
    }

    /// When all clusters have been replaced, only components make moves.
    fn step(self) -> ProductStep {
        match self {
            Self::Internal(leaf) => ProductStep::Tau(Id::from_index(leaf.index())),
            Self::Action(action) => ProductStep::Action(action),
        }
    }
}

/// What a cluster is made of, as a system to walk in.
struct Concrete<'a> {
    cluster: &'a Cluster,
    explorer: Explorer<'a>,
    /// None for a component.
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

    /// What a step is for the others.
    fn label_of(&self, step: ProductStep) -> Label {
        match step.label() {
            Label::Visible(action) if self.cluster.hidden.contains(action) => Label::Tau,
            label => self.cluster.alike.of(label),
        }
    }

    /// A shortest way from a state by internal steps that do not leave its class, and then by a label, or one
    /// that is as good, into the class `target`.
    fn way(&self, from: &[StateId], label: Label, target: StateId) -> Option<Way> {
        let (class, label) = (self.class_of(from)?, self.cluster.alike.of(label));
        if label == Label::Tau && class == target {
            return Some(Vec::new());
        }
        let mut found = Tuples::new(from.len());
        found.insert(from);
        // For each state but the first: the number of the one before, and the step.
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
