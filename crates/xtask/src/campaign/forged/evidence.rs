//! Evidence that a liar writes: everything about the program is true, only the proof is not.
//!
//! The network of a violated program is derived as for an honest certificate. The proofs are those that
//! come nearest to one: all states that are reached without an error, abstractions that lack the
//! action by which the error is made, proofs about other actions, components left out.

use resy::{SplitMix, Subject};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_automata::product::Explorer;
use resy_certificate::program::{Made, origin, reduce, watched};
use resy_certificate::{
    About, Map, Node, NodeId, Of, Origin, Proof, ProofEvidence, RunLengths, TupleList, model, text,
};
use resy_index::{Id, IndexVec};
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, components};
use resy_system::{Interpreter, Options, select};
use std::collections::BTreeSet;

use super::abstractions::{self, ABSTRACTIONS};
use super::locals::{self, LOCALS};

/// Larger inductive sets are not written.
pub(super) const MAX_TUPLES: usize = 3_000;

/// The names of the forgeries, for the record.
pub const FORGERIES: [&str; 9] = [
    "states before the error",
    "without the last states",
    "first state only",
    "empty set",
    "about other actions",
    "about nothing",
    "no proof",
    "a component left out",
    "an image without the error",
];

/// Forged certificates of a program, each with the name of its forgery. None if the program is out of
/// the reach of components.
pub fn forged(subject: &Subject, random: &mut SplitMix) -> Vec<(&'static str, String)> {
    let forge = |origin: Origin, cut: &Cut<'_>, components: &Components| {
        let liar = Liar::new(&components.network)?;
        let written = |components: &Components, evidence| {
            text::write(&model::certify(origin.clone(), cut, components, evidence))
        };
        let mut all = Vec::new();
        for name in FORGERIES {
            let evidence = liar.evidence(name, random);
            all.extend(evidence.map(|evidence| (name, written(components, evidence))));
        }
        for (name, _) in ABSTRACTIONS {
            let evidence = abstractions::evidence(&liar, name, random);
            all.extend(evidence.map(|evidence| (name, written(components, evidence))));
        }
        for (name, _) in LOCALS {
            let Some(fewer) = locals::forged(components, &liar.guilty, name) else { continue };
            let Some(liar) = Liar::new(&fewer.network) else { continue };
            let evidence = liar.evidence(FORGERIES[0], random);
            all.extend(evidence.map(|evidence| (name, written(&fewer, evidence))));
        }
        Some(all)
    };
    with_components(subject, forge).flatten().unwrap_or_default()
}

/// Whether a program has few local states, so that engines decide it soon.
pub fn is_small(subject: &Subject) -> bool {
    with_components(subject, |_, _, _| ()).is_some()
}

/// Cuts a program as an engine would, within a small budget.
fn with_components<T>(
    subject: &Subject,
    then: impl FnOnce(Origin, &Cut<'_>, &Components) -> T,
) -> Option<T> {
    let Subject::Program(program) = subject else { return None };
    let selection = select(&program.system, None).ok()?;
    let sources = &program.sources;
    let made = Made { sources, only: None, without: &[], loss: false, reduced: true };
    let reduced = reduce(&program.system, &selection, &mut || true).expect("nothing ends it");
    let interpreter = Interpreter::new(&reduced, Options::default());
    let asked = NetworkSpec {
        manner: Manner::default(),
        properties: selection.properties.iter().filter_map(watched).collect(),
        monitors: selection.monitors.as_slice().to_vec(),
        budget: Budget { states: 400, labels: 600, attempts: 20_000 },
    };
    let (cut, components) = components(&interpreter, &asked, &mut |_| true).ok()?;
    let origin = origin(&made, &selection, &cut.manner, Vec::new());
    Some(then(origin, &cut, &components))
}

/// A network that reaches its error state, and the actions by which it does.
pub(super) struct Liar<'a> {
    pub network: &'a Network,
    error: StateId,
    pub guilty: Alphabet,
}

impl<'a> Liar<'a> {
    fn new(network: &'a Network) -> Option<Self> {
        let monitor = network.monitor.as_ref()?;
        let errors = monitor.lts.transitions().filter(|t| t.2 == monitor.error);
        let guilty: Alphabet = errors.filter_map(|(_, label, _)| label.action()).collect();
        Some(Self { network, error: monitor.error, guilty })
    }

    fn evidence(&self, name: &str, random: &mut SplitMix) -> Option<ProofEvidence> {
        let n = self.network.components.len();
        let mut nodes: IndexVec<NodeId, Node> = (0..n).map(component).collect();
        let mut roots: Vec<NodeId> = (0..n).map(Id::from_index).collect();
        let mut systems: Vec<Lts> = self.network.components.iter().map(|c| c.lts.clone()).collect();
        let others = || {
            let all = self.network.actions.ids();
            all.filter(|&a| !self.guilty.contains(a)).collect::<Alphabet>()
        };
        let mut about = About::All;
        match name {
            "about other actions" => about = About::Only(others()),
            "about nothing" => about = About::Only(Alphabet::default()),
            "a component left out" => {
                let out = random.below(n.max(1));
                roots.remove(out);
                systems.remove(out);
            }
            "an image without the error" => {
                let which = random.below(n.max(1));
                let image = self.innocent(&systems[which]);
                let mut map = RunLengths::default();
                map.push(Id::from_index(0), systems[which].n_states());
                nodes[Id::from_index(which)].map = Map::Image(map, image.clone());
                systems[which] = image;
            }
            _ => {}
        }
        let states = self.states(&systems)?;
        let invariant = match name {
            "empty set" => TupleList::new(systems.len() + 1),
            "first state only" => list(states.iter().take(1), systems.len() + 1),
            "without the last states" => {
                let keep = 1 + random.below(states.len());
                list(states.iter().take(keep), systems.len() + 1)
            }
            _ => list(states.iter(), systems.len() + 1),
        };
        let proofs = match name {
            "no proof" => Vec::new(),
            _ => vec![Proof { roots, about, invariant }],
        };
        Some(ProofEvidence { nodes, proofs })
    }

    /// The states that are reached before an error, in the order in which they are found.
    pub fn states(&self, systems: &[Lts]) -> Option<Vec<Vec<StateId>>> {
        let monitor = self.network.monitor.as_ref()?;
        let all: Vec<&Lts> = systems.iter().chain([&monitor.lts]).collect();
        let explorer = Explorer::new(all);
        let mut found = vec![explorer.initial()];
        let mut seen: BTreeSet<Vec<StateId>> = found.iter().cloned().collect();
        let mut next = 0;
        while let Some(state) = found.get(next).cloned() {
            explorer.successors(&state, |_, to| {
                if to.last() != Some(&self.error) && seen.insert(to.to_vec()) {
                    found.push(to.to_vec());
                }
            });
            if found.len() > MAX_TUPLES {
                return None;
            }
            next += 1;
        }
        Some(found)
    }

    /// One state that does everything but err.
    pub fn innocent(&self, lts: &Lts) -> Lts {
        let mut builder = LtsBuilder::with_states(1);
        let state: StateId = Id::from_index(0);
        builder.add_transition(state, Label::Tau, state);
        for action in lts.alphabet().iter().filter(|&a: &ActionId| !self.guilty.contains(a)) {
            builder.add_transition(state, Label::Visible(action), state);
        }
        builder.finish(state, lts.alphabet().clone())
    }
}

pub(super) fn component(index: usize) -> Node {
    Node { of: Of::Component(Id::from_index(index)), map: Map::Identity }
}

pub(super) fn list<'a>(tuples: impl Iterator<Item = &'a Vec<StateId>>, width: usize) -> TupleList {
    let mut list = TupleList::new(width);
    tuples.for_each(|tuple| list.push(tuple));
    list
}
