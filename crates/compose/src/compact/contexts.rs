//! Contexts: the classes of the environment's parts with the state of the monitor, numbered when they are met.
//!
//! A part that was not split takes part in everything and has no class. An action that changes no context and is
//! refused in none is *free*: the module takes it alone. So a station with fifty customers, one of which has been
//! split, has as many contexts as with two. The steps of a context are computed once, whatever stands for the module.

use super::world::{MODULE, World};
use resy_automata::lts::{ActionId, Label, Rows, StateId};
use resy_index::Id;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::ops::Range;

/// The number of a context.
pub(super) type ContextId = u32;

/// The context of all errors.
pub(super) const ERROR: ContextId = ContextId::MAX;

/// The classes of the parts that were split, and the state of the monitor, in one number.
type Code = u128;

/// Room for so many contexts at first: what is allocated for them stays below a kilobyte, which allocators give fast.
const FEW_CONTEXTS: usize = 28;
const FEW_IDS: usize = 14;

/// A step out of a context.
#[derive(Copy, Clone, Debug)]
pub(super) struct ContextMove {
    /// The action, or the part that takes an internal step.
    pub by: Mover,
    /// The module's letter, if it takes part.
    pub letter: Option<usize>,
    pub target: ContextId,
}

/// What moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Mover {
    Action(ActionId),
    /// An internal step of a piece.
    Internal(usize),
}

/// A step of the environment and the monitor.
struct Step {
    by: Mover,
    letter: Option<usize>,
    /// The pieces that were split and take part, with their letters.
    takers: Vec<(usize, usize)>,
    is_watched: bool,
}

/// The contexts for the present classes of the environment.
pub(super) struct Contexts {
    steps: Vec<Step>,
    /// For each class of a piece that was split, the steps that are looked for there; last, those of no piece.
    led: Rows<usize>,
    /// For each piece, where its classes begin in `led`, its position in a code, and its mask.
    fields: Vec<Option<(usize, u32, Code)>>,
    monitor_at: u32,
    ids: FxHashMap<Code, ContextId>,
    codes: Vec<Code>,
    /// For each context that was left, its moves.
    rows: Vec<Option<(u32, u32)>>,
    /// The numbers of their steps, with the targets.
    moves: Vec<(u32, ContextId)>,
    /// Room for the moves of one context.
    found: Vec<(usize, Code)>,
    /// For each letter of the module, whether it is free or private; those that are, and the internal one.
    pub is_alone: Vec<bool>,
    pub alone: Vec<usize>,
}

impl Contexts {
    /// No context yet but the first; none if a number is too short for all classes.
    pub(super) fn new(world: &World<'_>) -> Option<Self> {
        let (mut at, mut n_led) = (0, 0);
        let mut fields = vec![None];
        for piece in &world.pieces[1..] {
            fields.push(piece.is_split().then(|| {
                let bits = usize::BITS - (piece.n_classes() - 1).leading_zeros();
                let field = (n_led, at, (1 << bits) - 1);
                at += bits;
                n_led += piece.n_classes();
                field
            }));
        }
        let bits = usize::BITS - world.monitor.n_states().leading_zeros();
        if at + bits > Code::BITS {
            return None;
        }
        let (steps, is_alone) = steps(world);
        let letters = 0..=is_alone.len();
        let alone = letters.filter(|&l| is_alone.get(l).is_none_or(|&alone| alone)).collect();
        let led = led(world, &steps, &fields, n_led);
        let ids = FxHashMap::with_capacity_and_hasher(FEW_IDS, FxBuildHasher);
        let (codes, rows) = (Vec::with_capacity(FEW_CONTEXTS), Vec::with_capacity(FEW_CONTEXTS));
        let (moves, found) = (Vec::with_capacity(4 * FEW_CONTEXTS), Vec::new());
        let monitor_at = at;
        let mut contexts = Self {
            steps,
            led,
            fields,
            monitor_at,
            ids,
            codes,
            rows,
            moves,
            found,
            is_alone,
            alone,
        };
        let mut first = contexts.with_monitor(0, world.monitor.initial());
        for (i, piece) in world.pieces.iter().enumerate().skip(1) {
            first = contexts.with_class(first, i, piece.class_of(piece.lts().initial()));
        }
        contexts.number(world, first);
        Some(contexts)
    }

    /// The class of a piece in a context.
    pub(super) fn class(&self, context: ContextId, piece: usize) -> usize {
        self.class_in(self.codes[context as usize], piece)
    }

    /// The classes that a piece may have after a step by a label: one, unless the step leads to the error.
    pub(super) fn classes_after(
        &self,
        world: &World<'_>,
        (before, after): (ContextId, ContextId),
        piece: usize,
        label: Label,
    ) -> Vec<usize> {
        if after != ERROR {
            return vec![self.class(after, piece)];
        }
        let piece_at = &world.pieces[piece];
        let letter = match label {
            Label::Visible(action) => piece_at.letter(action),
            Label::Tau => Some(piece_at.internal()),
        };
        match letter.filter(|_| piece_at.is_split()) {
            Some(letter) => piece_at.moves.targets(letter, self.class(before, piece)).collect(),
            None => vec![0],
        }
    }

    /// Whether the module takes a step with this label alone.
    pub(super) fn is_silent(&self, world: &World<'_>, label: Label) -> bool {
        let letter = label.action().and_then(|action| world.letter(action));
        letter.is_none_or(|letter| self.is_alone[letter])
    }

    /// The moves out of a context, by their numbers; those of the module come last, in the order of its letters.
    pub(super) fn leave(&mut self, world: &World<'_>, context: ContextId) -> Range<usize> {
        if let Some((from, to)) = self.rows[context as usize] {
            return from as usize..to as usize;
        }
        let code = self.codes[context as usize];
        let mut found = std::mem::take(&mut self.found);
        let none = self.led.len() - 1;
        self.append(world, code, none, &mut found);
        for piece in 1..self.fields.len() {
            if let Some((first, ..)) = self.fields[piece] {
                self.append(world, code, first + self.class_in(code, piece), &mut found);
            }
        }
        found.sort_unstable_by_key(|&(step, _)| (self.steps[step].letter, step));
        let from = self.moves.len();
        let number = |n: usize| u32::try_from(n).expect("fewer than u32::MAX moves");
        for (step, target) in found.drain(..) {
            let is_joint = self.steps[step].letter.is_some();
            let target = self.number(world, target);
            if let Some(target) = target.filter(|&target| target != context || is_joint) {
                self.moves.push((number(step), target));
            }
        }
        self.found = found;
        let range = from..self.moves.len();
        self.rows[context as usize] = Some((number(range.start), number(range.end)));
        range
    }

    /// The moves out of a context that was left before.
    pub(super) fn known(&self, context: ContextId) -> Range<usize> {
        let (from, to) = self.rows[context as usize].unwrap_or_default();
        from as usize..to as usize
    }

    /// A move.
    pub(super) fn at(&self, number: usize) -> ContextMove {
        let (step, target) = self.moves[number];
        let Step { by, letter, .. } = self.steps[step as usize];
        ContextMove { by, letter, target }
    }

    /// The number of contexts.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The targets of the steps of a row of `led`.
    fn append(&self, world: &World<'_>, code: Code, row: usize, found: &mut Vec<(usize, Code)>) {
        'steps: for &step in self.led.row(row) {
            let Step { by, ref takers, is_watched, .. } = self.steps[step];
            let first = found.len();
            match by {
                Mover::Action(action) if is_watched => {
                    let label = Label::Visible(action);
                    let after = world.monitor.transitions_by(self.monitor_in(code), label).iter();
                    found.extend(after.map(|&(_, to)| (step, self.with_monitor(code, to))));
                }
                _ => found.push((step, code)),
            }
            for &(piece, letter) in takers {
                let class = self.class_in(code, piece);
                let moves = &world.pieces[piece].moves;
                let end = found.len();
                for to in moves.targets(letter, class) {
                    for i in first..end {
                        found.push((step, self.with_class(found[i].1, piece, to)));
                    }
                }
                if found.len() == end {
                    found.truncate(first);
                    continue 'steps;
                }
                found.drain(first..end);
            }
        }
    }

    /// The number of a code; none if the property is settled there.
    fn number(&mut self, world: &World<'_>, code: Code) -> Option<ContextId> {
        let state = self.monitor_in(code);
        if state == world.error {
            return Some(ERROR);
        }
        if !world.is_dangerous[state.index()] {
            return (self.codes.is_empty()).then(|| self.new_id(code));
        }
        match self.ids.get(&code) {
            Some(&id) => Some(id),
            None => Some(self.new_id(code)),
        }
    }

    fn new_id(&mut self, code: Code) -> ContextId {
        let id = ContextId::try_from(self.codes.len()).expect("fewer than u32::MAX contexts");
        self.ids.insert(code, id);
        self.codes.push(code);
        self.rows.push(None);
        id
    }

    fn class_in(&self, code: Code, piece: usize) -> usize {
        self.fields[piece].map_or(0, |(_, at, mask)| (code >> at & mask) as usize)
    }

    fn with_class(&self, code: Code, piece: usize, class: usize) -> Code {
        let Some((_, at, mask)) = self.fields[piece] else { return code };
        code & !(mask << at) | (class as Code) << at
    }

    fn monitor_in(&self, code: Code) -> StateId {
        Id::from_index((code >> self.monitor_at) as usize)
    }

    fn with_monitor(&self, code: Code, state: StateId) -> Code {
        code & !(Code::MAX << self.monitor_at) | (state.index() as Code) << self.monitor_at
    }
}

/// All steps for the present classes, and for each letter of the module whether it takes it alone.
fn steps(world: &World<'_>) -> (Vec<Step>, Vec<bool>) {
    let split: Vec<usize> =
        (1..world.pieces.len()).filter(|&piece| world.pieces[piece].is_split()).collect();
    let module = world.pieces[MODULE].lts().alphabet();
    let mut letters = module.iter().enumerate().peekable();
    let mut is_alone = vec![true; module.len()];
    let mut steps = Vec::new();
    for index in 0..world.changes.len() {
        let action: ActionId = Id::from_index(index);
        let letter = letters.next_if(|&(_, own)| own == action).map(|(letter, _)| letter);
        let mut changes = world.changes[index];
        let mut takers = Vec::new();
        for &piece in &split {
            let moves = &world.pieces[piece].moves;
            let Some(own) = world.pieces[piece].letter(action) else { continue };
            if !moves.is_identity(own) {
                changes |= !moves.changes_nothing(own);
                takers.push((piece, own));
            }
        }
        if world.is_impossible[index] {
            // No run has it; the module must not take it alone.
            letter.into_iter().for_each(|letter| is_alone[letter] = false);
        } else if changes || letter.is_some() && !takers.is_empty() {
            let is_watched = world.monitor.alphabet().contains(action);
            letter.into_iter().for_each(|letter| is_alone[letter] = false);
            steps.push(Step { by: Mover::Action(action), letter, takers, is_watched });
        }
    }
    for &piece in &split {
        let internal = world.pieces[piece].internal();
        if !world.pieces[piece].moves.changes_nothing(internal) {
            let (by, takers) = (Mover::Internal(piece), vec![(piece, internal)]);
            steps.push(Step { by, letter: None, takers, is_watched: false });
        }
    }
    (steps, is_alone)
}

/// The steps by the classes of their first takers, and last those without a taker.
fn led(
    world: &World<'_>,
    steps: &[Step],
    fields: &[Option<(usize, u32, Code)>],
    n_led: usize,
) -> Rows<usize> {
    let mut entries: Vec<(usize, usize)> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let Some(&(piece, letter)) = step.takers.first() else {
            entries.push((n_led, number));
            continue;
        };
        let first = fields[piece].map_or(0, |field| field.0);
        let moves = &world.pieces[piece].moves;
        let able = (0..moves.n_classes()).filter(|&c| moves.targets(letter, c).next().is_some());
        entries.extend(able.map(|class| (first + class, number)));
    }
    Rows::collect(n_led + 1, || entries.iter().copied())
}
