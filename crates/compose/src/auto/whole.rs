//! The network with the module as its first component, and the way back to the network as it is.
//!
//! A module of several components is their product here. A module that can refuse nothing that
//! matters is represented by its image with one state, which is requirement enough.

use crate::cone::Cone;
use crate::split::{Split, SplitPart};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::{Component, ComponentId, Network};
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;
use resy_automata::words::path;
use resy_certificate::{Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths, TupleList};
use resy_index::{Id, IndexVec};

/// A network whose first component is the module.
pub(crate) struct Whole<'a> {
    pub network: Network,
    split: &'a Split,
    /// The states of the module that are states of the first component.
    start: Partition,
    /// For each action, whether it matters; `None` if the module does.
    matters: Option<IndexVec<ActionId, bool>>,
}

impl<'a> Whole<'a> {
    /// The whole of a split of a network.
    pub(super) fn new(network: &Network, split: &'a Split) -> Self {
        let mut whole = Self::as_it_is(network, split);
        let (cone, module) = (Cone::of(&whole.network), &split.module.lts);
        if !cone.components[module_id()] {
            whole.start = Partition::single(module.n_states());
            let image = Quotient::of(module, whole.start.clone()).into_lts();
            whole.network.components[module_id()].lts = image;
            whole.matters = Some(cone.actions);
        }
        whole
    }

    /// The whole with an image of the module in its place; with the module, if none is given.
    pub(super) fn from(image: Option<&Partition>, network: &Network, split: &'a Split) -> Self {
        let mut whole = Self::new(network, split);
        if let Some(image) = image.filter(|_| whole.matters.is_none()) {
            whole.start = image.clone();
            let lts = Quotient::of(&split.module.lts, image.clone()).into_lts();
            whole.network.components[module_id()].lts = lts;
        }
        whole
    }

    /// The whole with the module as it is, whether it matters or not.
    pub(crate) fn as_it_is(network: &Network, split: &'a Split) -> Self {
        let component = |part: &SplitPart| Component {
            name: network.components[part.components[0]].name.clone(),
            lts: part.lts.clone(),
            state_names: IndexVec::new(),
        };
        let parts = [&split.module].into_iter().chain(&split.environment);
        let whole = Network {
            actions: network.actions.clone(),
            components: parts.map(component).collect(),
            monitor: Some(split.monitor.clone()),
            module: Vec::new(),
        };
        let start = Partition::discrete(split.module.lts.n_states());
        Self { network: whole, split, start, matters: None }
    }

    /// The module, or its image with one state.
    pub(super) fn module(&self) -> &Lts {
        &self.network.components[module_id()].lts
    }

    /// The states of the module, as a partition by the states of the first component.
    pub(super) fn start(&self) -> &Partition {
        &self.start
    }

    /// A run of the whole as a run of the network as it is.
    pub(crate) fn run(&self, steps: &[ProductStep]) -> Vec<ProductStep> {
        let matters = |step: &ProductStep| match (&self.matters, *step) {
            (None, _) => true,
            (Some(matters), ProductStep::Action(action)) => matters[action],
            (Some(_), ProductStep::Tau(component)) => component != module_id(),
        };
        let steps: Vec<ProductStep> = steps.iter().copied().filter(matters).collect();
        let parts: Vec<&SplitPart> =
            [&self.split.module].into_iter().chain(&self.split.environment).collect();
        let mut internal: Vec<std::vec::IntoIter<Option<ProductStep>>> = parts
            .iter()
            .enumerate()
            .map(|(i, part)| internal_steps(i, part, &steps).into_iter())
            .collect();
        let original = |step: ProductStep| match step {
            ProductStep::Action(_) => Some(step),
            ProductStep::Tau(component) => internal[component.index()].next().flatten(),
        };
        steps.into_iter().filter_map(original).collect()
    }

    /// Evidence about the whole, with an image of the module as its first component, as evidence
    /// about the network as it is.
    pub(super) fn evidence(
        &self,
        evidence: &ProofEvidence,
        partition: &Partition,
        image: &Lts,
    ) -> ProofEvidence {
        let mut nodes: IndexVec<NodeId, Node> = IndexVec::new();
        let mut ids: IndexVec<NodeId, NodeId> = IndexVec::new();
        for node in &evidence.nodes {
            let map = node.map.clone();
            let (of, map) = match &node.of {
                Of::Product(children, tuples) => {
                    let children = children.iter().map(|&child| ids[child]).collect();
                    (Of::Product(children, tuples.clone()), map)
                }
                Of::Component(id) if *id == module_id() => {
                    (concrete(&self.split.module, &mut nodes), map_of_module(map, partition, image))
                }
                Of::Component(id) => {
                    (concrete(&self.split.environment[id.index() - 1], &mut nodes), map)
                }
            };
            ids.push(nodes.push(Node { of, map }));
        }
        let proofs = evidence.proofs.iter().map(|proof| Proof {
            roots: proof.roots.iter().map(|&root| ids[root]).collect(),
            ..proof.clone()
        });
        ProofEvidence { nodes, proofs: proofs.collect() }
    }
}

/// A map of an image of the module as a map of the module.
fn map_of_module(map: Map, partition: &Partition, image: &Lts) -> Map {
    if partition.is_discrete() {
        return map;
    }
    let states = (0..partition.n_states()).map(Id::from_index);
    let first = states.map(|state| partition.block_of(state).index());
    match map {
        Map::Identity => Map::Image(first.map(Id::from_index).collect(), image.clone()),
        Map::Image(map, image) => {
            let map: Vec<StateId> = map.iter().collect();
            Map::Image(first.map(|state| map[state]).collect::<RunLengths>(), image)
        }
    }
}

/// The component that is the module.
pub(crate) fn module_id() -> ComponentId {
    Id::from_index(0)
}

/// The system of a part: its component, or the product of its components.
fn concrete(part: &SplitPart, nodes: &mut IndexVec<NodeId, Node>) -> Of {
    if let [component] = part.components[..] {
        return Of::Component(component);
    }
    let leaf = |&component| Node { of: Of::Component(component), map: Map::Identity };
    let children: Vec<NodeId> = part.components.iter().map(|c| nodes.push(leaf(c))).collect();
    let mut tuples = TupleList::new(children.len());
    part.lts.states().for_each(|state| tuples.push(&part.members(state)));
    Of::Product(children, tuples)
}

/// The internal steps of a part in a run, as steps of its components; `None` for a step that changes
/// nothing.
fn internal_steps(
    number: usize,
    part: &SplitPart,
    steps: &[ProductStep],
) -> Vec<Option<ProductStep>> {
    let own = steps.iter().filter_map(|step| match *step {
        ProductStep::Tau(component) => (component.index() == number).then_some(Label::Tau),
        ProductStep::Action(action) => {
            part.lts.alphabet().contains(action).then_some(Label::Visible(action))
        }
    });
    let word: Vec<Label> = own.collect();
    if let [component] = part.components[..] {
        let n_internal = word.iter().filter(|label| **label == Label::Tau).count();
        return vec![Some(ProductStep::Tau(component)); n_internal];
    }
    let states = path(&part.lts, word.iter().copied(), None).unwrap_or_default();
    let before = [part.lts.initial()].into_iter().chain(states.iter().copied());
    let moves = word.iter().zip(before.zip(states.iter().copied()));
    let internal = moves.filter(|(label, _)| **label == Label::Tau);
    internal.map(|(_, (from, to))| part.who_moved(from, to).map(ProductStep::Tau)).collect()
}
