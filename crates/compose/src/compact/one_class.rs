//! Some parts of the network as they are, and the others as one class each.
//!
//! Often a part of the environment proves the property alone, whatever the module does. If not, the word of the error that is
//! found is one that the environment can follow: no assumption of one state will do. The other way round, if the module
//! needs no environment, there is no reason to look at that; and otherwise a small one may as well be kept as it is.
//! Nothing is abstracted and no table is made; a few contexts are visited.

use super::world::World;
use crate::sides::{Fallible, Polled, Word};
use resy_automata::lts::{ActionId, Label, StateId};
use resy_index::Id;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::ops::Range;

/// Room for so many contexts at first.
const FEW_CONTEXTS: usize = 14;

/// More contexts are not visited.
const MAX_CONTEXTS: usize = 500;

/// Whether some parts are safe with one class of each other.
pub(super) enum OneClass {
    /// They are.
    Safe,
    /// A word of the interface that they can follow into an error.
    Error(Word),
    /// They have too many contexts.
    Unknown,
}

/// A state of the environment's parts and of the monitor, in one number.
type Code = u128;

/// A context that was found: the one before it, and the action between them.
struct ReachedContext {
    code: Code,
    before: usize,
    action: Option<ActionId>,
}

/// Where parts have their states in a code; the monitor comes first.
struct Layout {
    parts: Range<usize>,
    fields: Vec<(u32, Code)>,
}

/// The place of the monitor.
const MONITOR: usize = 0;

/// Visits contexts of these parts until the property is decided, or they are too many.
pub(super) fn one_class(
    world: &World<'_>,
    parts: Range<usize>,
    polled: &dyn Polled,
) -> Fallible<OneClass> {
    let Some(layout) = Layout::of(world, parts.clone()) else { return Ok(OneClass::Unknown) };
    let by_others = |&action: &ActionId| {
        let is_watched = world.changes[action.index()] && is_possible(world, action);
        is_watched && !parts.clone().any(|piece| world.has(piece, action))
    };
    let by_others: Vec<ActionId> = world.monitor.alphabet().iter().filter(by_others).collect();
    let code = layout.first(world);
    let mut seen: FxHashSet<Code> =
        FxHashSet::with_capacity_and_hasher(FEW_CONTEXTS, FxBuildHasher);
    seen.insert(code);
    let mut found = Vec::with_capacity(FEW_CONTEXTS);
    found.push(ReachedContext { code, before: usize::MAX, action: None });
    let (mut next, mut steps) = (0, Vec::new());
    while next < found.len() {
        polled.poll()?;
        steps.clear();
        layout.leave(world, found[next].code, &by_others, &mut steps);
        for &(action, code) in &steps {
            let state = layout.state(code, MONITOR);
            if state == world.error {
                return Ok(OneClass::Error(word(world, &found, next, action)));
            }
            if world.is_dangerous[state.index()] && seen.insert(code) {
                found.push(ReachedContext { code, before: next, action });
            }
        }
        next += 1;
        if found.len() > MAX_CONTEXTS {
            return Ok(OneClass::Unknown);
        }
    }
    Ok(OneClass::Safe)
}

/// Whether every owner of an action takes it somewhere.
fn is_possible(world: &World<'_>, action: ActionId) -> bool {
    !world.is_impossible[action.index()]
}

impl Layout {
    /// The places of all states; none if a number is too short.
    fn of(world: &World<'_>, parts: Range<usize>) -> Option<Self> {
        let mut at = 0;
        let sizes = world.pieces[parts.clone()].iter().map(|piece| piece.lts().n_states());
        let mut fields = Vec::with_capacity(1 + parts.len());
        for n_states in std::iter::once(world.monitor.n_states()).chain(sizes) {
            let bits = usize::BITS - n_states.leading_zeros();
            if at + bits > Code::BITS {
                return None;
            }
            fields.push((at, (1 << bits) - 1));
            at += bits;
        }
        Some(Self { parts, fields })
    }

    /// The initial states.
    fn first(&self, world: &World<'_>) -> Code {
        let first = self.with(0, MONITOR, world.monitor.initial());
        let parts = (1..).zip(&world.pieces[self.parts.clone()]);
        parts.fold(first, |code, (i, piece)| self.with(code, i, piece.lts().initial()))
    }

    /// The piece in a place after the monitor's.
    fn piece(&self, place: usize) -> usize {
        self.parts.start + place - 1
    }

    /// The state in a place.
    fn state(&self, code: Code, place: usize) -> StateId {
        let (at, mask) = self.fields[place];
        Id::from_index((code >> at & mask) as usize)
    }

    fn with(&self, code: Code, place: usize, state: StateId) -> Code {
        let (at, mask) = self.fields[place];
        code & !(mask << at) | (state.index() as Code) << at
    }

    /// The steps out of a context; the first part that has an action looks for the others.
    fn leave(
        &self,
        world: &World<'_>,
        code: Code,
        by_others: &[ActionId],
        steps: &mut Vec<(Option<ActionId>, Code)>,
    ) {
        for &action in by_others {
            self.watch(world, action, code, steps);
        }
        for i in 1..self.fields.len() {
            let lts = world.pieces[self.piece(i)].lts();
            for &(label, to) in lts.transitions_from(self.state(code, i)) {
                let after = self.with(code, i, to);
                let Label::Visible(action) = label else {
                    steps.push((None, after));
                    continue;
                };
                if world.is_private(label) {
                    steps.push((label.action(), after));
                } else if is_possible(world, action)
                    && !(1..i).any(|earlier| world.has(self.piece(earlier), action))
                {
                    self.join(world, action, (i, after), steps);
                }
            }
        }
    }

    /// The steps by an action that a part has taken: the later parts and the monitor follow.
    fn join(
        &self,
        world: &World<'_>,
        action: ActionId,
        (first, code): (usize, Code),
        steps: &mut Vec<(Option<ActionId>, Code)>,
    ) {
        let begin = steps.len();
        steps.push((Some(action), code));
        for i in (first + 1..self.fields.len()).filter(|&i| world.has(self.piece(i), action)) {
            let end = steps.len();
            for at in begin..end {
                let from = steps[at].1;
                let lts = world.pieces[self.piece(i)].lts();
                let targets = lts.transitions_by(self.state(from, i), Label::Visible(action));
                steps.extend(targets.iter().map(|&(_, to)| (Some(action), self.with(from, i, to))));
            }
            steps.drain(begin..end);
        }
        if world.monitor.alphabet().contains(action) {
            let end = steps.len();
            for at in begin..end {
                let from = steps[at].1;
                self.watch(world, action, from, steps);
            }
            steps.drain(begin..end);
        }
    }

    /// The steps of the monitor by an action.
    fn watch(
        &self,
        world: &World<'_>,
        action: ActionId,
        code: Code,
        steps: &mut Vec<(Option<ActionId>, Code)>,
    ) {
        let label = Label::Visible(action);
        let targets = world.monitor.transitions_by(self.state(code, MONITOR), label);
        steps.extend(targets.iter().map(|&(_, to)| (Some(action), self.with(code, MONITOR, to))));
    }
}

/// The actions of a path that the module shares.
fn word(
    world: &World<'_>,
    found: &[ReachedContext],
    mut at: usize,
    last: Option<ActionId>,
) -> Word {
    let mut word = Word::from_iter(last);
    while let Some(ReachedContext { before, action, .. }) = found.get(at) {
        word.extend(*action);
        at = *before;
    }
    word.retain(|&action| {
        world.letter(action).is_some() && !world.is_private(Label::Visible(action))
    });
    word.reverse();
    word
}
