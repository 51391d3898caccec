//! Deadlocks without the product: systems are composed two at a time, and each result is made smaller.
//!
//! Actions that no other system has become internal, and the result is reduced by branching bisimulation with explicit
//! divergence. That is a congruence for composition and hiding, and keeps whether a state without steps can be reached
//! (van Glabbeek, Luttik, Trčka: *Branching bisimilarity with explicit divergence*, 2009). Without divergence it would
//! not: a state that only repeats internal steps would become one without steps.
//!
//! A deadlock of what is left is followed back through all reductions to a run of the systems ([`run`]).
//!
//! Which pair is composed next is decided as in the folding of networks: a new system is tried with a few neighbours, and
//! the pair is taken whose result is smallest relative to the larger part.

mod run;

use super::{Entered, Explorer, ProductSearch, ProductStep, product_while, search_deadlock_while};
use super::{Product, Tuples};
use crate::bisimulation::{branching_while, tau_cycles};
use crate::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use crate::partition::Partition;
use crate::quotient::Quotient;
use resy_index::Id;

/// The number of neighbours of a new system that are tried.
const TRIALS: usize = 4;

/// What is known of a product whose systems were composed one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// A run to a state without steps, if one can be reached.
    pub deadlock: Option<Vec<ProductStep>>,
    /// The number of states of all products that were built.
    pub n_states: usize,
}

/// Whether the product of some systems has a deadlock; no product of two may have more states than `largest`. `None` if
/// `go_on`, which is told the number of states built so far, says no.
pub fn deadlock_while(
    systems: &[Lts],
    largest: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<Compressed> {
    compressed_while(systems, &Alphabet::default(), largest, go_on)?.search()
}

/// The parts that are left when systems are composed and reduced, and the number of states of all products that were built.
/// The `kept` actions stay visible: the product of the parts has the properties of the branching time that the product of
/// the systems has. Whether one of these actions can always be reached again is such a property.
pub fn parts_while(
    systems: &[Lts],
    kept: &Alphabet,
    largest: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<(Vec<Lts>, usize)> {
    let compression = compressed_while(systems, kept, largest, go_on)?;
    let left: Vec<usize> = compression.living().collect();
    let parts = left.iter().map(|&id| compression.parts[id].reduced.clone()).collect();
    Some((parts, compression.n_states))
}

/// Systems composed as far as the products are small enough.
fn compressed_while<'g>(
    systems: &[Lts],
    kept: &'g Alphabet,
    largest: usize,
    go_on: &'g mut dyn FnMut(usize) -> bool,
) -> Option<Compression<'g>> {
    let last = systems.iter().filter_map(|lts| lts.alphabet().last()).max();
    let divergence = Id::from_index(last.map_or(0, |last| last.index() + 1));
    let parts = Vec::with_capacity(systems.len());
    let is_alive = vec![true; systems.len()];
    let mut compression = Compression {
        parts,
        is_alive,
        kept,
        divergence,
        trials: Vec::new(),
        largest,
        n_states: 0,
        go_on,
    };
    for (id, lts) in systems.iter().enumerate() {
        let others = systems.iter().enumerate().filter(|&(other, _)| other != id);
        let others = others.map(|(_, lts)| lts.alphabet()).chain([kept]);
        let hidden = unshared(lts.alphabet(), others);
        let part = compression.part(Origin::System(id), lts.clone(), hidden)?;
        compression.parts.push(part);
    }
    for id in 0..systems.len() {
        compression.try_neighbours(id)?;
    }
    while let Some(best) = compression.best() {
        best.pair.iter().for_each(|&id| compression.is_alive[id] = false);
        compression.parts.push(best.part);
        compression.is_alive.push(true);
        compression.try_neighbours(compression.parts.len() - 1)?;
    }
    Some(compression)
}

/// The actions of an alphabet that no other one has.
fn unshared<'a>(alphabet: &Alphabet, others: impl Iterator<Item = &'a Alphabet>) -> Alphabet {
    let others: Vec<&Alphabet> = others.collect();
    let is_shared = |action| others.iter().any(|other| other.contains(action));
    alphabet.iter().filter(|&action| !is_shared(action)).collect()
}

/// A system, or the product of two parts.
struct Part {
    origin: Origin,
    /// With all actions.
    whole: Lts,
    /// The actions that no other part has, and that are not kept.
    hidden: Alphabet,
    /// The classes of states; each is a state of `reduced`.
    classes: Partition,
    /// Without what is hidden, and one state for each class.
    reduced: Lts,
}

/// What a part consists of.
enum Origin {
    /// The system with this number.
    System(usize),
    /// The reduced parts with these numbers, and their states for each state of the product.
    Pair([usize; 2], Tuples),
}

struct Compression<'g> {
    parts: Vec<Part>,
    /// For each part, whether it has not become part of another.
    is_alive: Vec<bool>,
    /// Actions that stay visible.
    kept: &'g Alphabet,
    /// An action that no system has.
    divergence: ActionId,
    trials: Vec<Trial>,
    largest: usize,
    n_states: usize,
    go_on: &'g mut dyn FnMut(usize) -> bool,
}

/// Two parts that were composed, and the result.
struct Trial {
    pair: [usize; 2],
    /// The states of the result for each 1,024 of the larger part.
    growth: usize,
    part: Part,
}

impl Compression<'_> {
    /// The parts that are left.
    fn living(&self) -> impl Iterator<Item = usize> {
        (0..self.parts.len()).filter(|&id| self.is_alive[id])
    }

    /// A part modulo branching bisimulation with explicit divergence. While it is reduced, states on internal cycles
    /// have a visible step to themselves.
    fn part(&mut self, origin: Origin, whole: Lts, hidden: Alphabet) -> Option<Part> {
        let lts = whole.hiding(&hidden);
        let (cycles, divergence) = (tau_cycles::partition(&lts), Label::Visible(self.divergence));
        let is_on_cycle = |(source, label, target): (StateId, Label, StateId)| {
            let is_inside = cycles.block_of(source) == cycles.block_of(target);
            (label == Label::Tau && is_inside).then_some(source)
        };
        let mut builder = LtsBuilder::with_states(lts.n_states());
        for (source, label, target) in lts.transitions() {
            builder.add_transition(source, label, target);
        }
        for state in lts.transitions().filter_map(is_on_cycle) {
            builder.add_transition(state, divergence, state);
        }
        let marked = builder.finish(lts.initial(), lts.alphabet().clone());
        let classes = branching_while(&marked, || (self.go_on)(self.n_states))?;
        let quotient = Quotient::contracting(&marked, classes.clone()).into_lts();
        let reduced = quotient.relabelled(lts.alphabet().clone(), |label| match label {
            label if label == divergence => Label::Tau,
            label => label,
        });
        Some(Part { origin, whole, hidden, classes, reduced })
    }

    /// Composes a part with its smallest neighbours; `None` if that is cancelled.
    fn try_neighbours(&mut self, id: usize) -> Option<()> {
        if !self.is_alive[id] {
            return Some(());
        }
        let alphabet = self.parts[id].reduced.alphabet();
        let shares = |other: &Lts| other.alphabet().iter().any(|a| alphabet.contains(a));
        let others = self.living().filter(|&other| other != id);
        let mut others: Vec<(usize, usize)> = others
            .filter(|&other| shares(&self.parts[other].reduced))
            .map(|other| (self.parts[other].reduced.n_states(), other))
            .collect();
        others.sort_unstable();
        for (_, other) in others.into_iter().take(TRIALS) {
            let pair = [id.min(other), id.max(other)];
            if !self.trials.iter().any(|trial| trial.pair == pair) {
                self.compose(pair)?;
            }
        }
        Some(())
    }

    /// Composes two parts, unless the product is too large; `None` if that is cancelled.
    fn compose(&mut self, pair: [usize; 2]) -> Option<()> {
        let (mut is_cancelled, before, largest) = (false, self.n_states, self.largest);
        let [one, other] = pair.map(|id| &self.parts[id].reduced);
        let larger = one.n_states().max(other.n_states());
        let go_on = &mut *self.go_on;
        let product = product_while(&[one, other], |n_states| {
            is_cancelled = !go_on(before + n_states);
            !is_cancelled && n_states <= largest
        });
        let Some(Product { lts, tuples }) = product else {
            return (!is_cancelled).then_some(());
        };
        self.n_states += lts.n_states();
        let others = self.living().filter(|id| !pair.contains(id));
        let others = others.map(|id| self.parts[id].reduced.alphabet()).chain([self.kept]);
        let hidden = unshared(lts.alphabet(), others);
        let part = self.part(Origin::Pair(pair, tuples), lts, hidden)?;
        let growth = part.reduced.n_states() * 1024 / larger;
        self.trials.push(Trial { pair, growth, part });
        Some(())
    }

    /// The pair with the least growth.
    fn best(&mut self) -> Option<Trial> {
        let is_alive = &self.is_alive;
        self.trials.retain(|trial| trial.pair.iter().all(|&id| is_alive[id]));
        let least = (0..self.trials.len()).min_by_key(|&i| self.trials[i].growth)?;
        Some(self.trials.swap_remove(least))
    }

    /// Searches what is left.
    fn search(self) -> Option<Compressed> {
        let left: Vec<usize> = self.living().collect();
        let Self { parts, n_states, go_on, .. } = self;
        let explorer = Explorer::new(left.iter().map(|&id| &parts[id].reduced).collect());
        let leave = |_: &[StateId], n_steps| (n_steps == 0).then_some(());
        let mut seen = 0;
        let found = search_deadlock_while(
            &explorer,
            |_| Entered::Follow,
            leave,
            |explored| {
                seen = explored.n_states;
                go_on(n_states + seen)
            },
        )?;
        let n_states = n_states + seen;
        let deadlock = match found {
            ProductSearch::Complete(_) => None,
            ProductSearch::Found((), run) => {
                Some(run::unfolded(&parts, &left, &run, &mut || go_on(n_states))?)
            }
        };
        Some(Compressed { deadlock, n_states })
    }
}
