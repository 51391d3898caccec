//! Merging: join classes of the module while the proof holds.
//!
//! ```text
//! for each class, for each group so far:
//!     if two of their states clash: no
//!     if the joined image permits a word by which an earlier trial has failed: no
//!     try the proof with the class in the group
//!     it succeeds: the class belongs to the group
//!     it fails: the environment has a run into the error; no, for good
//! ```
//!
//! A group that has refused a class need not be asked again when it has grown, because an image of
//! an image can only do more. So at the end no two groups can be joined, unless a trial was given
//! up. A trial that is given up counts as a refusal, and is reported.
//!
//! A trial fails by a run of the environment with an image of the module. The environment's part of it
//! does not depend on the image: every other image that permits the same word fails as well.

use super::Quality;
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The outcome of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// The property holds with the joined class.
    Joined,
    /// The property fails with the joined class: by a word, if it is known.
    Refused(Option<Refutation>),
    /// The budget of the trial is spent.
    GivenUp,
    /// The budget of all trials is spent.
    Spent,
    /// The whole computation was cancelled.
    Cancelled,
}

/// Actions of the module with which the environment can err.
pub(super) type Refutation = Vec<ActionId>;

/// A proof that can be tried with coarser images of the module.
pub(super) trait Mergeable {
    /// The module.
    fn module(&self) -> &Lts;

    /// The partition of the module by which it was proved.
    fn classes(&self) -> &Partition;

    /// Tries to put a class into a group, which has the number of its first class.
    fn join(&mut self, class: usize, group: usize) -> Trial;

    /// Whether two states of the module are known to clash, without a search.
    fn are_clashing(&self, _one: StateId, _other: StateId) -> bool {
        false
    }

    /// Whether no sound image of the module joins these two of its states.
    fn are_apart(&mut self, one: StateId, other: StateId) -> bool;
}

/// The result of merging.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// The partition of the module.
    pub partition: Partition,
    pub quality: Quality,
    pub is_cancelled: bool,
}

/// Joins classes as far as possible.
pub(super) fn merge(proof: &mut dyn Mergeable) -> Merged {
    let classes = proof.classes().clone();
    let mut group_of: Vec<usize> = Vec::new();
    let mut groups: Vec<usize> = Vec::new();
    let (mut is_complete, mut is_cancelled) = (true, false);
    let image = Quotient::of(proof.module(), classes.clone()).into_lts();
    let mut refutations: Vec<Refutation> = Vec::new();
    'classes: for class in 0..classes.n_blocks() {
        for &group in &groups {
            let tried: Vec<usize> =
                group_of.iter().copied().chain(class..classes.n_blocks()).collect();
            let joined = || Quotient::of(&image, with(&tried, class, group)).into_lts();
            if !refutations.is_empty() && permits_one(&joined(), &refutations) {
                continue;
            }
            match proof.join(class, group) {
                Trial::Joined => {
                    group_of.push(group);
                    continue 'classes;
                }
                Trial::Refused(word) => refutations.extend(word),
                Trial::GivenUp => is_complete = false,
                Trial::Spent => {
                    is_complete = false;
                    break 'classes;
                }
                Trial::Cancelled => {
                    is_cancelled = true;
                    break 'classes;
                }
            }
        }
        groups.push(class);
        group_of.push(class);
    }
    group_of.extend(group_of.len()..classes.n_blocks());
    let partition = classes.then(&Partition::by_keys(group_of));
    let quality = match is_complete && !is_cancelled {
        false => Quality::Proved,
        true if reaches_bound(proof, &partition) => Quality::Smallest,
        true => Quality::Irreducible,
    };
    Merged { partition, quality, is_cancelled }
}

/// At most so many states of a class are tried as its representative.
const CANDIDATES: usize = 8;
/// With more classes only known clashes are looked at.
const MAX_SEARCHED: usize = 64;
/// At most so many pairs of states are compared by a search.
const MAX_COMPARED: usize = 4_000;

/// Whether a lower bound on the states of all sound images is reached: as many states of the module
/// as there are classes, no two of which a sound image joins. Of two classes that cannot be joined
/// nothing more has to be shown: there is only one image with one state.
fn reaches_bound(proof: &mut dyn Mergeable, partition: &Partition) -> bool {
    if partition.n_blocks() <= 2 {
        return true;
    }
    let (members, is_searched) = (partition.members(), partition.n_blocks() <= MAX_SEARCHED);
    let mut n_compared = 0;
    let mut chosen: Vec<StateId> = Vec::new();
    for class in 0..partition.n_blocks() {
        let candidates = || members.row(class).iter().copied().take(CANDIDATES);
        let is_known = |state: &StateId| chosen.iter().all(|&c| proof.are_clashing(c, *state));
        let found = candidates().find(is_known).or_else(|| {
            let mut are_apart = |one: StateId, other: StateId| {
                n_compared += 1;
                proof.are_clashing(one, other)
                    || (n_compared <= MAX_COMPARED && proof.are_apart(one, other))
            };
            let is_apart = |&state: &StateId| chosen.iter().all(|&other| are_apart(other, state));
            candidates().filter(|_| is_searched).find(is_apart)
        });
        match found {
            Some(state) => chosen.push(state),
            None => return false,
        }
    }
    true
}

/// Whether a system permits one of these words, with internal steps in between.
fn permits_one(lts: &Lts, words: &[Refutation]) -> bool {
    words.iter().any(|word| {
        let mut now = closed(lts, vec![lts.initial()]);
        for &action in word {
            let label = Label::Visible(action);
            let next = now.iter().flat_map(|&state| lts.transitions_by(state, label));
            now = closed(lts, next.map(|t| t.1).collect());
        }
        !now.is_empty()
    })
}

/// The states that are reached from these by internal steps.
fn closed(lts: &Lts, mut states: Vec<StateId>) -> Vec<StateId> {
    let mut is_in = vec![false; lts.n_states()];
    states.retain(|state| !std::mem::replace(&mut is_in[state.index()], true));
    let mut next = 0;
    while let Some(&state) = states.get(next) {
        for &(_, to) in lts.transitions_by(state, Label::Tau) {
            if !std::mem::replace(&mut is_in[to.index()], true) {
                states.push(to);
            }
        }
        next += 1;
    }
    states
}

/// The partition of `n` classes in which one is in a group.
pub(super) fn with(group_of: &[usize], class: usize, group: usize) -> Partition {
    let group = |i: usize| if i == class { group } else { group_of[i] };
    Partition::by_keys((0..group_of.len()).map(group))
}

/// The partition of `n` states that joins two of them.
pub(super) fn joining(n: usize, one: StateId, other: StateId) -> Partition {
    let key = |state: usize| if state == other.index() { one.index() } else { state };
    Partition::by_keys((0..n).map(key))
}
