//! Forged abstractions: each breaks one obligation of the checker about maps, products and nodes, and no other.
//!
//! The abstraction leaves nothing of the error, so that the rest of the proof is right: a checker that forgets the
//! obligation accepts it.

use super::evidence::{Liar, MAX_TUPLES, component, list};
use resy::SplitMix;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::product::{Explorer, ProductStep};
use resy_certificate::{About, Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths, TupleList};
use resy_index::{Id, IndexVec};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the forgeries, each with the obligation that it breaks.
pub const ABSTRACTIONS: [(&str, &str); 10] = [
    ("a map whose steps lead elsewhere", "steps"),
    ("an image that starts elsewhere", "start"),
    ("an image with more actions", "alphabet"),
    ("a map of the first states", "total"),
    ("a map to states that are not there", "total"),
    ("a product that starts elsewhere", "product-start"),
    ("a product that is not closed", "product-closed"),
    ("a product with a component twice", "tree"),
    ("a component beside its image", "tree"),
    ("tuples of states that are not there", "tuples"),
];

/// Nodes, roots, and what the roots stand for.
struct Forged {
    nodes: IndexVec<NodeId, Node>,
    roots: Vec<NodeId>,
    systems: Vec<Lts>,
}

/// The evidence with this forgery, if the network has a place for it.
pub fn evidence(liar: &Liar<'_>, name: &str, random: &mut SplitMix) -> Option<ProofEvidence> {
    let forged = match name {
        "a map whose steps lead elsewhere" => images(liar, |lts| Some(elsewhere(liar, lts))),
        "an image that starts elsewhere" => images(liar, |lts| Some(other_start(liar, lts))),
        "an image with more actions" => more_actions(liar),
        "a map of the first states" => images(liar, |lts| first_states(liar, lts)),
        "a map to states that are not there" => images(liar, |lts| {
            let map = lts.states().map(|state| Id::from_index(state.index() + 1_000));
            Some((map.collect(), liar.innocent(lts)))
        }),
        "a product that starts elsewhere" => starts_elsewhere(liar, random),
        "a product that is not closed" => not_closed(liar),
        "a product with a component twice" => twice(liar),
        "a component beside its image" => beside(liar),
        _ => Some(Forged::honest(liar)),
    }?;
    let mut states = liar.states(&forged.systems)?;
    if name == "tuples of states that are not there" {
        states.push(vec![Id::from_index(1_000_000); forged.systems.len() + 1]);
    }
    let invariant = list(states.iter(), forged.systems.len() + 1);
    let proofs = vec![Proof { roots: forged.roots, about: About::All, invariant }];
    Some(ProofEvidence { nodes: forged.nodes, proofs })
}

impl Forged {
    /// Every component stands for itself.
    fn honest(liar: &Liar<'_>) -> Self {
        let components = &liar.network.components;
        Self {
            nodes: (0..components.len()).map(component).collect(),
            roots: (0..components.len()).map(Id::from_index).collect(),
            systems: components.iter().map(|c| c.lts.clone()).collect(),
        }
    }

    /// One node in the place of all components.
    fn product(liar: &Liar<'_>, tuples: &[Vec<StateId>], lts: Lts) -> Self {
        let mut forged = Self::honest(liar);
        let children = forged.roots.clone();
        let list = list(tuples.iter(), children.len());
        let node = Node { of: Of::Product(children, list), map: Map::Identity };
        let root = forged.nodes.push(node);
        (forged.roots, forged.systems) = (vec![root], vec![lts]);
        forged
    }
}

/// Images of the components that take part in errors.
fn images(liar: &Liar<'_>, forge: impl Fn(&Lts) -> Option<(RunLengths, Lts)>) -> Option<Forged> {
    let mut forged = Forged::honest(liar);
    for (i, system) in forged.systems.iter_mut().enumerate() {
        if !liar.guilty.iter().any(|action| system.alphabet().contains(action)) {
            continue;
        }
        let (map, image) = forge(system)?;
        forged.nodes[Id::from_index(i)].map = Map::Image(map, image.clone());
        *system = image;
    }
    Some(forged)
}

fn identity(n_states: usize) -> RunLengths {
    (0..n_states).map(Id::from_index).collect()
}

/// The system with one more state, which does everything but err.
fn with_refuge(liar: &Liar<'_>, lts: &Lts, is_left: bool, starts_there: bool) -> Lts {
    let refuge: StateId = Id::from_index(lts.n_states());
    let mut builder = LtsBuilder::with_states(lts.n_states() + 1);
    for (source, label, target) in lts.transitions() {
        builder.add_transition(source, label, if is_left { refuge } else { target });
    }
    builder.add_transition(refuge, Label::Tau, refuge);
    for action in lts.alphabet().iter().filter(|&action| !liar.guilty.contains(action)) {
        builder.add_transition(refuge, Label::Visible(action), refuge);
    }
    let initial = if starts_there { refuge } else { lts.initial() };
    builder.finish(initial, lts.alphabet().clone())
}

/// Each state has the labels that it should have, but all transitions lead to the refuge.
fn elsewhere(liar: &Liar<'_>, lts: &Lts) -> (RunLengths, Lts) {
    (identity(lts.n_states()), with_refuge(liar, lts, true, false))
}

fn other_start(liar: &Liar<'_>, lts: &Lts) -> (RunLengths, Lts) {
    (identity(lts.n_states()), with_refuge(liar, lts, false, true))
}

/// Every image has all guilty actions, so that those that lack one refuse it.
fn more_actions(liar: &Liar<'_>) -> Option<Forged> {
    let mut forged = Forged::honest(liar);
    for (i, system) in forged.systems.iter_mut().enumerate() {
        let alphabet: Alphabet = system.alphabet().iter().chain(liar.guilty.iter()).collect();
        let mut builder = LtsBuilder::with_states(system.n_states());
        system.transitions().for_each(|(from, label, to)| builder.add_transition(from, label, to));
        let image = builder.finish(system.initial(), alphabet);
        forged.nodes[Id::from_index(i)].map =
            Map::Image(identity(system.n_states()), image.clone());
        *system = image;
    }
    Some(forged)
}

/// The states before the first one that can err.
fn first_states(liar: &Liar<'_>, lts: &Lts) -> Option<(RunLengths, Lts)> {
    let errs = |state: StateId| errs(liar, lts.transitions_from(state));
    let n_states = lts.states().position(errs)?;
    let is_kept = |state: StateId| state.index() < n_states;
    is_kept(lts.initial()).then_some(())?;
    let mut builder = LtsBuilder::with_states(n_states);
    for (from, label, to) in lts.transitions().filter(|t| is_kept(t.0) && is_kept(t.2)) {
        builder.add_transition(from, label, to);
    }
    Some((identity(n_states), builder.finish(lts.initial(), lts.alphabet().clone())))
}

fn errs(liar: &Liar<'_>, transitions: &[(Label, StateId)]) -> bool {
    let mut actions = transitions.iter().filter_map(|(label, _)| label.action());
    actions.any(|action| liar.guilty.contains(action))
}

/// A set of tuples without the initial one, closed under steps, in which nothing errs.
fn starts_elsewhere(liar: &Liar<'_>, random: &mut SplitMix) -> Option<Forged> {
    let systems: Vec<&Lts> = liar.network.components.iter().map(|c| &c.lts).collect();
    let explorer = Explorer::new(systems.clone());
    let start = explorer.initial();
    for _ in 0..40 {
        let any = systems.iter().map(|lts| Id::from_index(random.below(lts.n_states()))).collect();
        let Some(graph) = Graph::explored(&explorer, any, |_| true) else { continue };
        let is_innocent = !graph
            .steps
            .iter()
            .any(|(_, label, _)| label.action().is_some_and(|action| liar.guilty.contains(action)));
        if is_innocent && !graph.tuples.contains(&start) {
            return Some(Forged::product(liar, &graph.tuples, graph.lts(&systems)));
        }
    }
    None
}

/// The tuples that cannot err at once; steps to others are not there.
fn not_closed(liar: &Liar<'_>) -> Option<Forged> {
    let systems: Vec<&Lts> = liar.network.components.iter().map(|c| &c.lts).collect();
    let explorer = Explorer::new(systems.clone());
    let cannot_err = |tuple: &[StateId]| {
        let mut is_safe = true;
        explorer.successors(tuple, |step, _| {
            is_safe &= !matches!(step, ProductStep::Action(a) if liar.guilty.contains(a));
        });
        is_safe
    };
    let start = explorer.initial();
    cannot_err(&start).then_some(())?;
    let graph = Graph::explored(&explorer, start, cannot_err)?;
    Some(Forged::product(liar, &graph.tuples, graph.lts(&systems)))
}

/// Some tuples, and the steps between them.
struct Graph {
    tuples: Vec<Vec<StateId>>,
    steps: Vec<(usize, Label, usize)>,
}

impl Graph {
    /// The tuples that are reached from one through those that are kept; none if there are many.
    fn explored(
        explorer: &Explorer<'_>,
        start: Vec<StateId>,
        is_kept: impl Fn(&[StateId]) -> bool,
    ) -> Option<Self> {
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut graph = Self { tuples: vec![start], steps: Vec::new() };
        let mut next = 0;
        while let Some(from) = graph.tuples.get(next).cloned() {
            explorer.successors(&from, |step, to| {
                let label = match step {
                    ProductStep::Action(action) => Label::Visible(action),
                    ProductStep::Tau(_) => Label::Tau,
                };
                if !is_kept(to) {
                    return;
                }
                let new = graph.tuples.len();
                let number = *numbers.entry(to.to_vec()).or_insert(new);
                if number == new {
                    graph.tuples.push(to.to_vec());
                }
                graph.steps.push((next, label, number));
            });
            if graph.tuples.len() > MAX_TUPLES {
                return None;
            }
            next += 1;
        }
        Some(graph)
    }

    fn lts(&self, systems: &[&Lts]) -> Lts {
        let mut builder = LtsBuilder::with_states(self.tuples.len());
        for &(from, label, to) in &self.steps {
            builder.add_transition(Id::from_index(from), label, Id::from_index(to));
        }
        let alphabet = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
        builder.finish(Id::from_index(0), alphabet)
    }
}

/// For each action, how many components and monitors have it.
fn owners(liar: &Liar<'_>) -> BTreeMap<ActionId, usize> {
    let mut owners = BTreeMap::new();
    let actions = liar.network.systems().into_iter().flat_map(|lts| lts.alphabet().iter());
    actions.for_each(|action| *owners.entry(action).or_default() += 1);
    owners
}

/// One state that does everything but the actions that so many owners share, which are taken for internal.
fn deaf(lts: &Lts, is_left_out: impl Fn(ActionId) -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(1);
    let state: StateId = Id::from_index(0);
    for action in lts.alphabet().iter().filter(|&action| !is_left_out(action)) {
        builder.add_transition(state, Label::Visible(action), state);
    }
    builder.finish(state, lts.alphabet().clone())
}

/// A product of a component with itself, as often as there are owners of the guilty action: if each counts, nobody
/// else has it.
fn twice(liar: &Liar<'_>) -> Option<Forged> {
    let owners = owners(liar);
    let times: BTreeSet<usize> =
        liar.guilty.iter().filter_map(|action| owners.get(&action).copied()).collect();
    let (&times, 1) = (times.first()?, times.len()) else { return None };
    let mut forged = Forged::honest(liar);
    let has_all = |lts: &Lts| liar.guilty.iter().all(|action| lts.alphabet().contains(action));
    let which = forged.systems.iter().position(has_all).filter(|_| times <= 4)?;
    let lts = &forged.systems[which];
    let graph = {
        let explorer = Explorer::new(vec![lts; times]);
        let start = explorer.initial();
        Graph::explored(&explorer, start, |_| true)?
    };
    let image = deaf(lts, |action| owners.get(&action) == Some(&times));
    let mut map = RunLengths::default();
    map.push(Id::from_index(0), graph.tuples.len());
    let children = vec![Id::from_index(which); times];
    let tuples: TupleList = list(graph.tuples.iter(), times);
    let node = Node { of: Of::Product(children, tuples), map: Map::Image(map, image.clone()) };
    forged.roots[which] = forged.nodes.push(node);
    forged.systems[which] = image;
    Some(forged)
}

/// The image of a component that hides what only it has, beside the component: the image refuses what is hidden.
fn beside(liar: &Liar<'_>) -> Option<Forged> {
    let owners = owners(liar);
    let mut forged = Forged::honest(liar);
    for which in 0..forged.systems.len() {
        let lts = &forged.systems[which];
        let image = deaf(lts, |action| owners.get(&action) == Some(&1));
        let mut map = RunLengths::default();
        map.push(Id::from_index(0), lts.n_states());
        let of = Of::Component(Id::from_index(which));
        let node = forged.nodes.push(Node { of, map: Map::Image(map, image.clone()) });
        forged.roots.push(node);
        forged.systems.push(image);
    }
    Some(forged)
}
