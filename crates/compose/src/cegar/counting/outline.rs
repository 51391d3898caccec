//! The outline with counters: a group of parts is reduced to how many are in which class.
//!
//! A group with *k* classes becomes *k* counters, systems with the states 0, 1, …, number of members. A
//! *way* is what an action does to the quotients, the monitor and the counters: if a member of a
//! group takes part, it moves from a class to a class, and the counter of the first must not be 0.
//! Actions that do the same, usually those of all members, are one way. The context of the parts'
//! classes is the tuple of the counters, so that every run of the network is a path of ways: identities are forgotten, and
//! sums are kept.

use super::super::outline::Outline;
use super::Counted;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Rows, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};

/// The outline of counted parts, and what its groups of actions mean.
pub(super) struct CountedOutline {
    /// The quotients of the parts that are not counted, the counters, the monitor; the actions are
    /// ways.
    pub outline: Outline,
    /// The ways.
    pub ways: Vec<Way>,
    /// For each group with several classes, the system of its first counter.
    pub counters: Vec<usize>,
}

/// What several steps of the network have in common.
pub(super) struct Way {
    /// The moves of members, at most one for each group, in the order of the groups.
    pub moves: Vec<Move>,
    /// The steps.
    pub steps: Vec<ProductStep>,
}

/// A member of a group moves from a class to a class.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Move {
    pub group: usize,
    pub from: StateId,
    pub to: StateId,
}

/// A transition by an action of a system that is not counted: system, source, target.
type Edge = (u32, StateId, StateId);

/// The effect on the monitor, the transitions of the quotients, the moves.
type Effect = (usize, Vec<Edge>, Vec<Move>);

impl CountedOutline {
    /// The outline for the present groups and partitions.
    pub(super) fn of(counted: &Counted<'_>) -> Self {
        let parts = &counted.parts;
        let alone: Vec<usize> =
            parts.quotients().keys().copied().filter(|&p| counted.group_of(p).is_none()).collect();
        let mut drafts = Drafts::new(counted, &alone);
        let by_action = Transitions::of(counted, &alone);
        for action in (0..parts.n_actions()).map(Id::from_index) {
            if parts.is_possible(action) {
                drafts.add(action, &by_action);
            }
        }
        drafts.add_internal();
        drafts.finish(alone)
    }
}

/// The transitions of quotients by actions.
struct Transitions {
    /// Of the parts that are not counted.
    alone: Rows<Edge>,
    /// Of members of groups.
    moves: Rows<Move>,
}

impl Transitions {
    fn of(counted: &Counted<'_>, alone: &[usize]) -> Self {
        let parts = &counted.parts;
        let quotient = |part: usize| parts.quotients()[&part].lts();
        let edges = |lts: &Lts| -> Vec<(ActionId, StateId, StateId)> {
            let visible = lts.transitions().filter_map(|(s, l, t)| Some((l.action()?, s, t)));
            visible.filter(|t| parts.is_possible(t.0)).collect()
        };
        let n_actions = parts.n_actions();
        let alone = Rows::collect(n_actions, || {
            (0..).zip(alone).flat_map(|(system, &part)| {
                let edges = edges(quotient(part)).into_iter();
                edges.map(move |(action, from, to)| (action.index(), (system, from, to)))
            })
        });
        let split = || (0..).zip(&counted.groups).filter(|(_, group)| counted.n_classes(group) > 1);
        let moves = Rows::collect(n_actions, || {
            split().flat_map(|(group, members)| {
                let edges = members.iter().flat_map(|&member| edges(quotient(member)));
                edges.map(move |(action, from, to)| (action.index(), Move { group, from, to }))
            })
        });
        Self { alone, moves }
    }
}

/// The ways found so far.
struct Drafts<'c> {
    counted: &'c Counted<'c>,
    monitor_changes: Vec<bool>,
    numbers: FxHashMap<Effect, usize>,
    ways: Vec<(Effect, Vec<ProductStep>)>,
    n_alone: usize,
}

impl<'c> Drafts<'c> {
    fn new(counted: &'c Counted<'c>, alone: &[usize]) -> Self {
        let monitor_changes = counted.parts.effects().changes();
        let n_alone = alone.len();
        Self { counted, monitor_changes, numbers: FxHashMap::default(), ways: Vec::new(), n_alone }
    }

    /// Adds the ways of an action: one for each combination of moves of the members that take part.
    fn add(&mut self, action: ActionId, by_action: &Transitions) {
        let does = by_action.alone.row(action.index());
        let moves = by_action.moves.row(action.index());
        let effect = self.counted.parts.effects().of_action[action.index()];
        let changes = self.monitor_changes[effect] || does.iter().any(|(_, from, to)| from != to);
        let mut combinations: Vec<Vec<Move>> = vec![Vec::new()];
        for of_group in moves.chunk_by(|a, b| a.group == b.group) {
            let with = |before: &Vec<Move>| {
                let before = before.clone();
                of_group.iter().map(move |&next| [&before[..], &[next]].concat())
            };
            combinations = combinations.iter().flat_map(with).collect();
        }
        for moves in combinations {
            if changes || moves.iter().any(|m| m.from != m.to) {
                self.note((effect, does.to_vec(), moves), ProductStep::Action(action));
            }
        }
    }

    /// Adds the internal moves of members.
    fn add_internal(&mut self) {
        let counted = self.counted;
        for (group, members) in counted.groups.iter().enumerate() {
            for &member in members {
                let Some(quotient) = counted.parts.quotients().get(&member) else { continue };
                let internal = quotient.lts().transitions().filter(|t| t.1 == Label::Tau);
                for (from, _, to) in internal.filter(|t| t.0 != t.2) {
                    let effect = (usize::MAX, Vec::new(), vec![Move { group, from, to }]);
                    self.note(effect, ProductStep::Tau(Id::from_index(member)));
                }
            }
        }
    }

    fn note(&mut self, effect: Effect, step: ProductStep) {
        let next = self.ways.len();
        let way = *self.numbers.entry(effect.clone()).or_insert(next);
        if way == next {
            self.ways.push((effect, Vec::new()));
        }
        self.ways[way].1.push(step);
    }

    fn finish(self, alone: Vec<usize>) -> CountedOutline {
        let (counted, parts) = (self.counted, &self.counted.parts);
        let quotients: Vec<&Lts> = alone.iter().map(|part| parts.quotients()[part].lts()).collect();
        let mut systems: Vec<SystemDraft> =
            quotients.iter().map(|lts| SystemDraft::new(lts.n_states(), lts.initial())).collect();
        let counters = Counters::of(counted, self.n_alone);
        systems.extend(
            counters.initial.iter().map(|&(n, now)| SystemDraft::new(n + 1, Id::from_index(now))),
        );
        let monitor = parts.monitor();
        let last = systems.len();
        systems.push(SystemDraft::new(monitor.lts.n_states(), monitor.lts.initial()));
        for (way, ((effect, does, moves), _)) in self.ways.iter().enumerate() {
            let label = Id::from_index(way);
            for &(system, from, to) in does {
                systems[system as usize].add(from, label, to);
            }
            for &m in moves {
                counters.add(&mut systems, m, label);
            }
            for &(from, to) in parts.effects().transitions.get(*effect).into_iter().flatten() {
                systems[last].add(from, label, to);
            }
        }
        for (system, lts) in systems.iter_mut().zip(quotients) {
            let internal = lts.transitions().filter(|t| t.1 == Label::Tau && t.0 != t.2);
            internal.for_each(|(from, label, to)| system.builder.add_transition(from, label, to));
        }
        let mut groups = Rows::new();
        self.ways.iter().for_each(|(_, steps)| {
            groups.push(steps.iter().filter_map(|step| step.label().action()));
        });
        let systems = systems.into_iter().map(SystemDraft::finish).collect();
        let outline = Outline { parts: alone, systems, groups, error: monitor.error };
        let ways = self.ways.into_iter().map(|((_, _, moves), steps)| Way { moves, steps });
        CountedOutline { outline, ways: ways.collect(), counters: counters.first }
    }
}

/// The counters of all groups with several classes.
struct Counters {
    /// For each group, the system of its first counter.
    first: Vec<usize>,
    /// For each counter, the number of members and its initial value.
    initial: Vec<(usize, usize)>,
}

impl Counters {
    fn of(counted: &Counted<'_>, n_before: usize) -> Self {
        let (mut first, mut initial) = (Vec::new(), Vec::new());
        for group in &counted.groups {
            first.push(n_before + initial.len());
            let n_classes = counted.n_classes(group);
            if n_classes < 2 {
                continue;
            }
            let mut counts = vec![0; n_classes];
            for &member in group {
                let initial = counted.parts.lts(member).initial();
                counts[counted.parts.class_of(member, initial).index()] += 1;
            }
            initial.extend(counts.into_iter().map(|count| (group.len(), count)));
        }
        Self { first, initial }
    }

    /// Adds a move to the counters of its classes.
    fn add(&self, systems: &mut [SystemDraft], m: Move, label: ActionId) {
        let first = self.first[m.group];
        let n_members = self.initial[first - (self.first[0])].0;
        let (from, to) = (first + m.from.index(), first + m.to.index());
        for n in 1..=n_members {
            let (some, less) = (Id::from_index(n), Id::from_index(n - 1));
            match from == to {
                true => systems[from].add(some, label, some),
                false => {
                    systems[from].add(some, label, less);
                    systems[to].add(less, label, some);
                }
            }
        }
    }
}

/// A system of the outline, with the ways that it takes part in.
struct SystemDraft {
    builder: LtsBuilder,
    initial: StateId,
    ways: FxHashSet<ActionId>,
}

impl SystemDraft {
    fn new(n_states: usize, initial: StateId) -> Self {
        Self { builder: LtsBuilder::with_states(n_states), initial, ways: FxHashSet::default() }
    }

    fn add(&mut self, from: StateId, way: ActionId, to: StateId) {
        self.builder.add_transition(from, Label::Visible(way), to);
        self.ways.insert(way);
    }

    fn finish(self) -> Lts {
        self.builder.finish(self.initial, self.ways.into_iter().collect::<Alphabet>())
    }
}
