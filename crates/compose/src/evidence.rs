//! Evidence: why a property holds, as proofs that `resy-certificate` can check.
//!
//! Given partitions of the module and of the environment's parts such that the abstract product
//! cannot reach the error, the proof consists of the quotients and the reachable states of their
//! product. A part with a single class that has a transition for each of its actions is omitted; in
//! a large network this applies to most parts.

mod counted;

use crate::obligations::restricted;
use crate::refine::RefineOutcome;
use crate::requirement::Requirement;
use crate::split::{Split, SplitPart};
use resy_automata::lts::{Lts, StateId};
use resy_automata::network::Monitor;
use resy_automata::partition::Partition;
use resy_automata::product::{Explorer, Tuples as Found};
use resy_automata::quotient::Quotient;
use resy_certificate::{About, Map, Node, NodeId, Of, Proof, ProofEvidence, TupleList, dangerous};
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};

/// The proof from a requirement: the module is mapped to it. The environment is abstracted as
/// during synthesis, if that suffices: refinement shows that the abstract environment is safe with
/// the module, not with the coarser requirement. Otherwise the environment is kept as it is. `None`
/// if neither is a proof within `limit` states of the inductive set.
pub fn of_requirement(
    split: &Split,
    requirement: &Requirement,
    limit: usize,
) -> Option<ProofEvidence> {
    of_requirement_while(split, requirement, limit, &mut || true)
}

/// Like [`of_requirement`]; `None` also if `go_on` cancels.
pub fn of_requirement_while(
    split: &Split,
    requirement: &Requirement,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<ProofEvidence> {
    let module = requirement.quotient.partition();
    let abstracted = Some(&requirement.environment).filter(|partitions| !partitions.is_empty());
    let abstracted = abstracted.and_then(|partitions| {
        Proofs::new(split, limit).until(&mut *go_on).one(module, partitions)
    });
    abstracted.or_else(|| Proofs::new(split, limit).until(go_on).one(module, &discrete(split)))
}

/// The proof from a check: the module is kept as it is, the environment is abstracted.
pub fn of_check(split: &Split, checked: &RefineOutcome, limit: usize) -> Option<ProofEvidence> {
    let mut proofs = Proofs::new(split, limit);
    proofs.add(&About::All, checked);
    proofs.evidence()
}

/// The proof without abstraction: the reachable states, at most `limit`.
pub fn as_it_is(split: &Split, limit: usize) -> Option<ProofEvidence> {
    as_it_is_while(split, limit, &mut || true)
}

/// Like [`as_it_is`]; `None` also if `go_on` cancels.
pub fn as_it_is_while(
    split: &Split,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<ProofEvidence> {
    let module = Partition::discrete(split.module.lts.n_states());
    Proofs::new(split, limit).until(go_on).one(&module, &discrete(split))
}

/// The proof with a partition of the module and one of each part of the environment. `None` if the
/// product of the quotients can reach the error, or has more than `limit` states.
pub fn proof(
    split: &Split,
    module: &Partition,
    environment: &[Partition],
    limit: usize,
) -> Option<ProofEvidence> {
    proof_while(split, module, environment, limit, &mut || true)
}

/// Like [`proof`]; `None` also if `go_on` cancels.
pub fn proof_while(
    split: &Split,
    module: &Partition,
    environment: &[Partition],
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<ProofEvidence> {
    Proofs::new(split, limit).until(go_on).one(module, environment)
}

/// Proofs of a split, each about some actions, with shared nodes.
pub struct Proofs<'a> {
    split: &'a Split,
    /// Whether a part has a transition for each of its actions; in the order of the environment.
    takes_all: Vec<bool>,
    evidence: ProofEvidence,
    /// For each component number, its nodes.
    known: FxHashMap<usize, Vec<NodeId>>,
    /// The remaining number of states of the inductive sets.
    left: usize,
    is_complete: bool,
    go_on: Box<dyn FnMut() -> bool + 'a>,
}

/// Asking takes as long as a few states.
const ASK_EVERY: usize = 64;

impl<'a> Proofs<'a> {
    /// No proofs yet; their inductive sets may have `limit` states in total.
    pub fn new(split: &'a Split, limit: usize) -> Self {
        Self {
            split,
            takes_all: split.environment.iter().map(|part| takes_all(&part.lts)).collect(),
            evidence: ProofEvidence::default(),
            known: FxHashMap::default(),
            left: limit,
            is_complete: true,
            go_on: Box::new(|| true),
        }
    }

    /// The same proofs; they are not complete if `go_on` cancels.
    #[must_use]
    pub fn until(self, go_on: impl FnMut() -> bool + 'a) -> Self {
        Self { go_on: Box::new(go_on), ..self }
    }

    /// The one proof with these partitions, about all actions.
    fn one(mut self, module: &Partition, environment: &[Partition]) -> Option<ProofEvidence> {
        self.add_with(&About::All, module, environment);
        self.evidence()
    }

    /// Adds the proof from a check that has excluded errors by these actions.
    pub fn add(&mut self, about: &About, checked: &RefineOutcome) {
        if let Some(counted) = &checked.counted {
            return self.add_counted(about, counted);
        }
        let module = Partition::discrete(self.split.module.lts.n_states());
        self.add_with(about, &module, &checked.partitions);
    }

    /// Adds a proof with these partitions; the product of the quotients must not reach the error.
    pub fn add_with(&mut self, about: &About, module: &Partition, environment: &[Partition]) {
        let split = self.split;
        let (mut roots, mut images) = (Vec::new(), Vec::new());
        // A module without components does nothing and needs no proof.
        let module = (!split.module.components.is_empty()).then_some((&split.module, module));
        let parts = split.environment.iter().zip(environment);
        let needed = parts.zip(&self.takes_all).filter(|((_, p), all)| p.n_blocks() > 1 || !**all);
        let needed: Vec<_> = module.into_iter().chain(needed.map(|(pair, _)| pair)).collect();
        for (part, partition) in needed {
            let image = Quotient::of(&part.lts, partition.clone());
            let of = self.concrete(part);
            roots.push(self.node(Node { of, map: map(&image) }));
            images.push(image.into_lts());
        }
        self.close(about, roots, &images);
    }

    /// Adds a proof with these roots and their images.
    fn close(&mut self, about: &About, roots: Vec<NodeId>, images: &[Lts]) {
        let monitor = restricted(&self.split.monitor, about);
        let images: Vec<&Lts> = images.iter().collect();
        let (left, go_on, mut n_asked) = (self.left, &mut self.go_on, 0_usize);
        let within = |n_states| {
            n_asked += 1;
            n_states <= left && (!n_asked.is_multiple_of(ASK_EVERY) || go_on())
        };
        match invariant(&monitor, &images, within) {
            None => self.is_complete = false,
            Some(invariant) => {
                self.left -= invariant.len();
                self.evidence.proofs.push(Proof { roots, about: about.clone(), invariant });
            }
        }
    }

    /// All proofs. `None` if one of them failed, or if the inductive sets have too many states.
    pub fn evidence(self) -> Option<ProofEvidence> {
        self.is_complete.then_some(self.evidence)
    }

    /// The system that a node for this part abstracts: its component, or a product of nodes.
    fn concrete(&mut self, part: &SplitPart) -> Of {
        if let [component] = part.components[..] {
            return Of::Component(component);
        }
        let leaf = |&component| Node { of: Of::Component(component), map: Map::Identity };
        let children: Vec<NodeId> = part.components.iter().map(|c| self.node(leaf(c))).collect();
        let mut tuples = TupleList::new(children.len());
        part.lts.states().for_each(|state| tuples.push(&part.members(state)));
        Of::Product(children, tuples)
    }

    /// The id of a node; an equal node of a component is reused.
    fn node(&mut self, node: Node) -> NodeId {
        let nodes = &mut self.evidence.nodes;
        let Of::Component(component) = node.of else { return nodes.push(node) };
        let known = self.known.entry(component.index()).or_default();
        let same = known.iter().copied().find(|&id| nodes[id] == node);
        same.unwrap_or_else(|| {
            known.push(nodes.next_id());
            nodes.push(node)
        })
    }
}

/// Whether every action of a system has a transition somewhere.
pub(crate) fn takes_all(lts: &Lts) -> bool {
    let taken = lts.transitions().filter_map(|(_, label, _)| label.action());
    taken.collect::<FxHashSet<_>>().len() == lts.alphabet().len()
}

fn map(image: &Quotient) -> Map {
    if image.partition().is_discrete() {
        return Map::Identity;
    }
    let states = (0..image.partition().n_states()).map(Id::from_index);
    Map::Image(states.map(|state| image.state_of(state)).collect(), image.lts().clone())
}

/// The reachable states of the images with the monitor, as far as the monitor can still err. `None`
/// if the error is reachable, or if `go_on(n_states)` cancels.
pub(crate) fn invariant(
    monitor: &Monitor,
    images: &[&Lts],
    mut go_on: impl FnMut(usize) -> bool,
) -> Option<TupleList> {
    let is_error = |state: &[StateId]| state.last() == Some(&monitor.error);
    let explorer = Explorer::new(images.iter().copied().chain([&monitor.lts]).collect());
    if is_error(&explorer.initial()) {
        return None;
    }
    let dangerous = dangerous(&monitor.lts, monitor.error);
    let is_settled = |state: &StateId| !dangerous[state.index()];
    let mut found = Found::new(images.len() + 1);
    found.insert(&explorer.initial());
    let mut next = 0;
    while next < found.len() {
        let state = found[Id::from_index(next)].to_vec();
        let mut errs = false;
        explorer.successors(&state, |_, to| {
            errs |= is_error(to);
            if !to.last().is_some_and(is_settled) {
                found.insert(to);
            }
        });
        if errs || !go_on(found.len()) {
            return None;
        }
        next += 1;
    }
    let mut tuples = TupleList::new(images.len() + 1);
    (0..found.len()).for_each(|i| tuples.push(&found[Id::from_index(i)]));
    Some(tuples)
}

fn discrete(split: &Split) -> Vec<Partition> {
    split.environment.iter().map(|part| Partition::discrete(part.lts.n_states())).collect()
}
