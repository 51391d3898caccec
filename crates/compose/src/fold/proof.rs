//! From proofs about a folded network to proofs about the original.
//!
//! The tree of clusters is placed below the proof's own tree. A certificate hides nothing: an
//! abstraction has the alphabet of what it stands for, and an internal action may stay within a
//! state but is not renamed. So all images are computed again, including the actions that the
//! clusters have hidden.

use super::Folded;
use super::cluster::Cluster;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_automata::product::{Explorer, Tuples as Numbers};
use resy_certificate::{Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths};
use resy_index::{Id, IndexVec};

/// A node without its image.
struct Draft {
    of: Of,
    /// For each concrete state its abstract state, and the number of abstract states; `None` for
    /// the identity.
    map: Option<(Vec<StateId>, usize)>,
}

impl Folded<'_> {
    /// Translates evidence about the folded network to evidence about the original one. `None` if
    /// it has more than `limit` transitions: a thousand readers can be counted, but each image has
    /// the actions of all of them.
    pub fn evidence(&self, evidence: &ProofEvidence, limit: usize) -> Option<ProofEvidence> {
        let mut drafts = self.drafts();
        let mut is_taken = vec![false; drafts.len()];
        let mut ids: IndexVec<NodeId, NodeId> = IndexVec::new();
        for node in &evidence.nodes {
            let mut id: NodeId = match &node.of {
                Of::Component(cluster) => self.roots[*cluster],
                Of::Product(parts, tuples) => {
                    let parts = parts.iter().map(|&part| ids[part]).collect();
                    drafts.push(Draft { of: Of::Product(parts, tuples.clone()), map: None });
                    Id::from_index(drafts.len() - 1)
                }
            };
            // Another proof may abstract the same cluster differently.
            let taken = is_taken.get_mut(id.index());
            if taken.is_some_and(|is_taken| std::mem::replace(is_taken, true)) {
                drafts.push(self.draft(&self.clusters[id]));
                id = Id::from_index(drafts.len() - 1);
            }
            if let Map::Image(map, image) = &node.map {
                drafts[id.index()].then(map, image.n_states());
            }
            ids.push(id);
        }
        let proof = |proof: &Proof| Proof {
            roots: proof.roots.iter().map(|&root| ids[root]).collect(),
            ..proof.clone()
        };
        let proofs = evidence.proofs.iter().map(proof).collect();
        Some(ProofEvidence { nodes: self.with_images(drafts, limit)?, proofs })
    }

    /// The nodes of the clusters; a node has the number of its cluster.
    fn drafts(&self) -> Vec<Draft> {
        self.clusters.iter().map(|cluster| self.draft(cluster)).collect()
    }

    fn draft(&self, cluster: &Cluster) -> Draft {
        let states = (0..cluster.partition.n_states()).map(Id::from_index);
        let map = states.map(|state| cluster.state_of(state)).collect();
        let is_abstract = !cluster.partition.is_discrete();
        Draft { of: cluster.of.clone(), map: is_abstract.then(|| (map, cluster.lts.n_states())) }
    }

    fn with_images(&self, drafts: Vec<Draft>, limit: usize) -> Option<IndexVec<NodeId, Node>> {
        // An action is hidden once, and no owner outside has it: one flag per action suffices.
        let mut hidden = vec![false; self.original.actions.len()];
        let mut images: Vec<Lts> = Vec::with_capacity(drafts.len());
        let mut left = limit;
        for (i, draft) in drafts.iter().enumerate() {
            let own = self
                .clusters
                .get(Id::from_index(i))
                .into_iter()
                .flat_map(|cluster| cluster.hidden.iter());
            own.for_each(|action| hidden[action.index()] = true);
            let concrete = concrete(&self.original, &draft.of, &images);
            left = left.checked_sub(concrete.n_transitions())?;
            let may_stay = |label: Label| label.action().is_none_or(|a| hidden[a.index()]);
            images.push(match &draft.map {
                None => concrete,
                Some((map, n_states)) => image(&concrete, map, *n_states, may_stay),
            });
        }
        let node = |(draft, image): (Draft, Lts)| {
            let map = draft.map.map(|(map, _)| Map::Image(RunLengths::from_iter(map), image));
            Node { of: draft.of, map: map.unwrap_or(Map::Identity) }
        };
        Some(drafts.into_iter().zip(images).map(node).collect())
    }
}

impl Draft {
    /// Composes the map with another one.
    fn then(&mut self, outer: &RunLengths, n_states: usize) {
        let outer: Vec<StateId> = outer.iter().collect();
        let map = match self.map.take() {
            None => outer,
            Some((inner, _)) => inner.iter().map(|state| outer[state.index()]).collect(),
        };
        self.map = Some((map, n_states));
    }
}

/// The system that a node abstracts, from the images of its parts.
fn concrete(network: &Network, of: &Of, images: &[Lts]) -> Lts {
    let (parts, tuples) = match of {
        Of::Component(component) => return network.components[*component].lts.clone(),
        Of::Product(parts, tuples) => (parts, tuples),
    };
    let systems: Vec<&Lts> = parts.iter().map(|&part| &images[part.index()]).collect();
    let alphabet = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    let explorer = Explorer::new(systems);
    let mut numbers = Numbers::new(parts.len());
    for tuple in tuples.iter() {
        numbers.insert(tuple);
    }
    let mut builder = LtsBuilder::with_states(numbers.len());
    for (i, tuple) in tuples.iter().enumerate() {
        explorer.successors(tuple, |step, to| {
            let target = numbers.find(to).expect("the states of a product are closed");
            builder.add_transition(Id::from_index(i), step.label(), target);
        });
    }
    let initial = numbers.find(&explorer.initial()).expect("a product has its initial state");
    builder.finish(initial, alphabet)
}

fn image(
    concrete: &Lts,
    map: &[StateId],
    n_states: usize,
    may_stay: impl Fn(Label) -> bool,
) -> Lts {
    let of = |state: StateId| map[state.index()];
    let mut builder = LtsBuilder::with_states(n_states);
    for (source, label, target) in concrete.transitions() {
        if of(source) != of(target) || !may_stay(label) {
            builder.add_transition(of(source), label, of(target));
        }
    }
    builder.finish(of(concrete.initial()), concrete.alphabet().clone())
}
