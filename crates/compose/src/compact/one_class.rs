//! The environment as it is, with the module as one class: often a part of the environment proves the property alone.
//!
//! Nothing is abstracted and no table is made; a few contexts are visited. If an error is found, its word is one that
//! the environment can follow: no assumption of one state will do.

use super::world::{MODULE, World};
use crate::sides::{Fallible, Polled, Word};
use resy_automata::lts::{ActionId, Label, StateId};
use resy_index::Id;
use rustc_hash::FxHashSet;

/// More contexts are not visited.
const MAX_CONTEXTS: usize = 500;

/// Whether the environment is safe with one class of the module.
pub(super) enum OneClass {
    /// It is.
    Safe,
    /// A word of the interface that the environment can follow into an error.
    Error(Word),
    /// It has too many contexts.
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
    fields: Vec<(u32, Code)>,
}

/// Visits contexts until the property is decided, or they are too many.
pub(super) fn one_class(world: &World<'_>, polled: &dyn Polled) -> Fallible<OneClass> {
    let Some(layout) = Layout::of(world) else { return Ok(OneClass::Unknown) };
    let watched = |action: &ActionId| world.changes[action.index()];
    let by_module: Vec<ActionId> = world.monitor.alphabet().iter().filter(watched).collect();
    let by_module: Vec<ActionId> = by_module
        .into_iter()
        .filter(|&action| {
            world.environment_of(action).next().is_none() && is_possible(world, action)
        })
        .collect();
    let code = layout.first(world);
    let mut seen: FxHashSet<Code> = FxHashSet::default();
    seen.insert(code);
    let mut found = vec![ReachedContext { code, before: usize::MAX, action: None }];
    let (mut next, mut steps) = (0, Vec::new());
    while next < found.len() {
        polled.poll()?;
        steps.clear();
        layout.leave(world, found[next].code, &by_module, &mut steps);
        for &(action, code) in &steps {
            let state = layout.state(code, MODULE);
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
    fn of(world: &World<'_>) -> Option<Self> {
        let mut at = 0;
        let parts = world.pieces[1..].iter().map(|piece| piece.lts().n_states());
        let mut fields = Vec::with_capacity(world.pieces.len());
        for n_states in std::iter::once(world.monitor.n_states()).chain(parts) {
            let bits = usize::BITS - n_states.leading_zeros();
            if at + bits > Code::BITS {
                return None;
            }
            fields.push((at, (1 << bits) - 1));
            at += bits;
        }
        Some(Self { fields })
    }

    /// The initial states.
    fn first(&self, world: &World<'_>) -> Code {
        let first = self.with(0, MODULE, world.monitor.initial());
        let parts = world.pieces.iter().enumerate().skip(1);
        parts.fold(first, |code, (i, piece)| self.with(code, i, piece.lts().initial()))
    }

    /// The state of a part; in the module's place, that of the monitor.
    fn state(&self, code: Code, piece: usize) -> StateId {
        let (at, mask) = self.fields[piece];
        Id::from_index((code >> at & mask) as usize)
    }

    fn with(&self, code: Code, piece: usize, state: StateId) -> Code {
        let (at, mask) = self.fields[piece];
        code & !(mask << at) | (state.index() as Code) << at
    }

    /// The steps out of a context; the first part that has an action looks for the others.
    fn leave(
        &self,
        world: &World<'_>,
        code: Code,
        by_module: &[ActionId],
        steps: &mut Vec<(Option<ActionId>, Code)>,
    ) {
        for &action in by_module {
            self.watch(world, action, code, steps);
        }
        for i in 1..world.pieces.len() {
            for &(label, to) in world.pieces[i].lts().transitions_from(self.state(code, i)) {
                let after = self.with(code, i, to);
                let Label::Visible(action) = label else {
                    steps.push((None, after));
                    continue;
                };
                if world.is_private(label) {
                    steps.push((label.action(), after));
                } else if is_possible(world, action)
                    && !(1..i).any(|earlier| world.has(earlier, action))
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
        for i in (first + 1..world.pieces.len()).filter(|&i| world.has(i, action)) {
            let end = steps.len();
            for at in begin..end {
                let from = steps[at].1;
                let lts = world.pieces[i].lts();
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
        let targets = world.monitor.transitions_by(self.state(code, MODULE), label);
        steps.extend(targets.iter().map(|&(_, to)| (Some(action), self.with(code, MODULE, to))));
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
