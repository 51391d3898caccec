//! From runs of a folded network to runs of the original.
//!
//! From the youngest cluster to the oldest, the word of a cluster, the visible actions in which it
//! takes part, is replaced by the steps of a path of its concrete system with this word, up to
//! internal steps and alike actions. There is one, because a cluster has the words of its concrete
//! system. The moves of the other clusters keep their places: the inserted steps involve no other
//! cluster.

use super::Folded;
use super::cluster::Cluster;
use super::replay::is_run;
use resy_automata::lts::{Label, StateId};
use resy_automata::network::ComponentId;
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_certificate::{NodeId, Of};
use resy_index::Id;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Folded<'_> {
    /// A run of the original network that corresponds to a run of the folded one. `None` if the
    /// steps are not a run of the folded network into the error state.
    pub fn unfold(&self, run: &[ProductStep]) -> Option<Vec<ProductStep>> {
        self.unfold_while(run, || true)
    }

    /// Like [`Folded::unfold`]; `None` also if `go_on` cancels.
    pub fn unfold_while(
        &self,
        run: &[ProductStep],
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Vec<ProductStep>> {
        // Irrelevant components may refuse irrelevant actions.
        let matters =
            |step: &&ProductStep| step.label().action().is_some_and(|a| self.cone.actions[a]);
        let mut moves: Vec<ProductStep> = run.iter().filter(matters).copied().collect();
        for id in (0..self.clusters.len()).rev().map(Id::from_index) {
            moves = self.replaced(id, &moves, &mut go_on)?;
        }
        is_run(&self.original, &moves).then_some(moves)
    }

    /// Replaces the moves of one cluster by moves of its parts. Internal moves of clusters are left
    /// out: a part finds its own.
    fn replaced(
        &self,
        id: NodeId,
        moves: &[ProductStep],
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<Vec<ProductStep>> {
        let concrete = Concrete::of(self, id);
        let letters: Vec<Option<Label>> = moves.iter().map(|&step| concrete.letter(step)).collect();
        let is_visible = |label: &Label| *label != Label::Tau;
        let word: Vec<Label> = letters.iter().flatten().copied().filter(is_visible).collect();
        let mut ways = concrete.path(&word, go_on)?.into_iter();
        let mut out = Vec::with_capacity(moves.len());
        for (&step, letter) in moves.iter().zip(letters) {
            match letter {
                None => out.push(step),
                Some(Label::Tau) => {}
                Some(Label::Visible(_)) => out.extend(ways.next()?),
            }
        }
        Some(out)
    }
}

/// The concrete system of a cluster.
struct Concrete<'a> {
    cluster: &'a Cluster,
    explorer: Explorer<'a>,
    /// The component, if it is not a product.
    leaf: Option<ComponentId>,
}

/// A state of a concrete system after some letters of a word.
struct Reached {
    state: StateId,
    n_letters: usize,
    /// The state before, as an index, and the step; `None` for the first.
    by: Option<(usize, ProductStep)>,
}

impl<'a> Concrete<'a> {
    fn of(folded: &'a Folded<'_>, id: NodeId) -> Self {
        let cluster = &folded.clusters[id];
        let (systems, leaf) = match &cluster.of {
            Of::Component(leaf) => (vec![&folded.original.components[*leaf].lts], Some(*leaf)),
            Of::Product(parts, _) => {
                (parts.iter().map(|&part| &folded.clusters[part].lts).collect(), None)
            }
        };
        Self { cluster, explorer: Explorer::new(systems), leaf }
    }

    /// What the cluster observes of a move of clusters: `None` if it takes no part, an internal
    /// label if the move can be left out.
    fn letter(&self, step: ProductStep) -> Option<Label> {
        let action = step.label().action()?;
        let takes_part = self.cluster.lts.alphabet().contains(action);
        takes_part.then(|| self.cluster.alike.of(step.label()))
    }

    /// The label of a step of the concrete system as other owners observe it.
    fn label_of(&self, step: ProductStep) -> Label {
        match step.label() {
            Label::Visible(action) if self.cluster.hidden.contains(action) => Label::Tau,
            label => self.cluster.alike.of(label),
        }
    }

    /// For each letter of a word the steps up to it, along a path from the initial state. States
    /// that are further along the word come first, and among them those with a shorter way.
    fn path(
        &self,
        word: &[Label],
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<Vec<Vec<ProductStep>>> {
        let initial = self.explorer.initial();
        let mut states = Tuples::new(initial.len());
        let mut known: FxHashSet<(usize, StateId)> = FxHashSet::default();
        let first = Reached { state: states.insert(&initial).0, n_letters: 0, by: None };
        known.insert((0, first.state));
        let mut reached = vec![first];
        let mut open = BinaryHeap::from([(0, Reverse(0))]);
        while let Some((n_letters, Reverse(at))) = open.pop() {
            if n_letters == word.len() {
                return Some(self.ways(&reached, at, word.len()));
            }
            if !go_on() {
                return None;
            }
            let state = states[reached[at].state].to_vec();
            self.explorer.successors(&state, |step, to| {
                let label = self.label_of(step);
                let n_letters = match label {
                    Label::Tau => n_letters,
                    _ if label == word[n_letters] => n_letters + 1,
                    _ => return,
                };
                let state = states.insert(to).0;
                if known.insert((n_letters, state)) {
                    open.push((n_letters, Reverse(reached.len())));
                    reached.push(Reached { state, n_letters, by: Some((at, step)) });
                }
            });
        }
        None
    }

    /// The steps of the way to a reached state, by letters; without the internal moves of parts,
    /// which find their own.
    fn ways(&self, reached: &[Reached], mut at: usize, n_letters: usize) -> Vec<Vec<ProductStep>> {
        let mut ways = vec![Vec::new(); n_letters];
        while let Some((before, step)) = reached[at].by {
            let step = match (step, self.leaf) {
                (ProductStep::Tau(_), None) => None,
                (ProductStep::Tau(_), Some(leaf)) => Some(ProductStep::Tau(leaf)),
                (ProductStep::Action(_), _) => Some(step),
            };
            ways[reached[before].n_letters].extend(step);
            at = before;
        }
        ways.iter_mut().for_each(|way| way.reverse());
        ways
    }
}
