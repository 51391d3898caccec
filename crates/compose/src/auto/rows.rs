//! A proof from rows: the pairs that are reached with contexts that are not abstracted further.
//!
//! ```text
//! R     the reached pairs
//! M_F   joins states with equal rows of R
//! lean  joins classes with equal rows of the greatest good set within the reached contexts
//! ```
//!
//! The contexts are those of the environment as it is, or of the folded environment, whose verdict
//! with every image of the module is the same. So an error of a trial is final, and no path has to
//! be replayed.

use super::budget::{Polls, Round};
use super::clash::Clashes;
use super::contexts::ContextSystems;
use super::domain::{Domain, Leaving};
use super::lean::{equal_rows, greatest};
use super::merge::{Mergeable, Trial, joining};
use super::pairs::{Closing, Pairs};
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// A good set, and what is known of the module's states.
pub(super) struct RowProof<'p, 's, 'g> {
    module: &'p Lts,
    classes: Partition,
    pairs: Pairs<'s>,
    /// Of the module's states.
    clashes: Clashes,
    /// Of the classes and groups.
    class_clashes: Clashes,
    round: Round,
    polls: &'p mut Polls<'g>,
}

impl<'p, 's, 'g> RowProof<'p, 's, 'g> {
    /// The proof of a module with contexts, within a budget, or why there is none.
    pub(super) fn new(
        systems: &'s ContextSystems,
        module: &'p Lts,
        budget: usize,
        round: Round,
        polls: &'p mut Polls<'g>,
    ) -> Result<Self, Closing> {
        if systems.fails_at_once() {
            return Err(Closing::Error);
        }
        let reached = Pairs::reached(systems, module, budget, polls)?;
        let (mut classes, clashes) = classes(systems, module, &reached, round);
        let image = Quotient::of(module, classes.clone());
        // It stays within the contexts that are reached. If it is cancelled, the module itself is
        // proved all the same.
        let pairs = Pairs::reached(systems, image.lts(), usize::MAX, polls).unwrap_or_else(|_| {
            classes = Partition::discrete(module.n_states());
            reached
        });
        let class_clashes = clashes.of_classes(&classes);
        Ok(Self { module, classes, pairs, clashes, class_clashes, round, polls })
    }
}

impl RowProof<'_, '_, '_> {
    /// Which classes of a merged partition are reached.
    pub(super) fn reached(&self, partition: &Partition) -> Vec<bool> {
        let mut reached = vec![false; partition.n_blocks()];
        for state in self.module.states() {
            let group = self.pairs.group(self.classes.block_of(state).index());
            reached[partition.block_of(state).index()] |= !self.pairs.row(group).is_empty();
        }
        reached
    }
}

/// The classes to begin with, and the clashes, as far as the budget allows.
fn classes(
    systems: &ContextSystems,
    module: &Lts,
    reached: &Pairs<'_>,
    round: Round,
) -> (Partition, Clashes) {
    let (n_states, rows) = (module.n_states(), equal_rows(module, reached));
    let tuples = &reached.contexts().tuples;
    let is_affordable = n_states.saturating_mul(tuples.len()) <= round.labels();
    let domain = is_affordable.then(|| Domain::of(systems, tuples, round.labels())).flatten();
    let Some(domain) = domain else { return (rows, Clashes::unknown(n_states)) };
    let can_err = domain.can_err(module, systems, Leaving::Nothing);
    let clashes = Clashes::of(n_states, reached, &can_err);
    (greatest(systems, module, rows, &domain), clashes)
}

impl Mergeable for RowProof<'_, '_, '_> {
    fn module(&self) -> &Lts {
        self.module
    }

    fn classes(&self) -> &Partition {
        &self.classes
    }

    fn join(&mut self, class: usize, group: usize) -> Trial {
        if self.class_clashes.clash(class, group) {
            return Trial::Refused(None);
        }
        let trial = self.pairs.join(class, group, self.round.trial(), self.polls);
        if trial == Trial::Joined {
            self.class_clashes.join(class, group);
        }
        trial
    }

    fn are_clashing(&self, one: StateId, other: StateId) -> bool {
        self.clashes.are_clashing(one, other)
    }

    fn are_apart(&mut self, one: StateId, other: StateId) -> bool {
        let joined = joining(self.module.n_states(), one, other);
        let image = Quotient::of(self.module, joined);
        self.pairs.closing_of(image.lts(), self.round.trial(), self.polls) == Closing::Error
    }
}
