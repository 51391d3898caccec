//! The outline: a network reduced to the parts that have been split.
//!
//! Actions with the same effect on all these parts and on the monitor form one *group*; actions
//! that change none of them are left out. For example, a server with a thousand clients, of which
//! two have been split, has as many groups as with three clients.

use super::parts::Parts;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Rows, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// The quotients of the parts that have been split, and the monitor.
pub(super) struct Outline {
    /// The parts that have been split.
    pub parts: Vec<usize>,
    /// Their quotients, then the monitor; actions are group numbers.
    pub systems: Vec<Lts>,
    /// For each group, its actions.
    pub groups: Rows<ActionId>,
    /// The monitor's error state.
    pub error: StateId,
}

/// A transition by an action: system, source, target.
type OutlineEdge = (u32, StateId, StateId);

impl Outline {
    /// The outline for the present partitions.
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let monitor = parts.monitor();
        let quotients = parts.quotients().values().map(|quotient| quotient.lts());
        let systems: Vec<&Lts> = quotients.chain([&monitor.lts]).collect();
        let last = systems.len() - 1;
        let edges = edges(parts, &systems[..last]);
        let (effects, changes) = (parts.effects(), parts.effects().changes());
        let mut group_of: FxHashMap<(usize, &[OutlineEdge]), usize> = FxHashMap::default();
        let mut members: Vec<Vec<ActionId>> = Vec::new();
        let mut builders: Vec<LtsBuilder> =
            systems.iter().map(|lts| LtsBuilder::with_states(lts.n_states())).collect();
        let mut alphabets = vec![Vec::new(); systems.len()];
        let possible = (0..edges.len()).filter(|&a| parts.is_possible(Id::from_index(a)));
        for action in possible {
            let (does, effect) = (edges.row(action), effects.of_action[action]);
            if !changes[effect] && does.iter().all(|(_, from, to)| from == to) {
                continue;
            }
            let group = *group_of.entry((effect, does)).or_insert(members.len());
            if group == members.len() {
                members.push(Vec::new());
                let label = Label::Visible(Id::from_index(group));
                for &(system, from, to) in does {
                    builders[system as usize].add_transition(from, label, to);
                    alphabets[system as usize].push(Id::from_index(group));
                }
                for &(from, to) in effects.by(action) {
                    builders[last].add_transition(from, label, to);
                    alphabets[last].push(Id::from_index(group));
                }
            }
            members[group].push(Id::from_index(action));
        }
        let mut reduced = Vec::with_capacity(systems.len());
        for ((lts, mut builder), alphabet) in systems.iter().zip(builders).zip(alphabets) {
            let internal = lts.transitions().filter(|t| t.1 == Label::Tau && t.0 != t.2);
            internal.for_each(|(from, label, to)| builder.add_transition(from, label, to));
            reduced.push(builder.finish(lts.initial(), alphabet.into_iter().collect::<Alphabet>()));
        }
        let mut groups = Rows::new();
        members.into_iter().for_each(|actions| groups.push(actions));
        let split = parts.quotients().keys().copied().collect();
        Self { parts: split, systems: reduced, groups, error: monitor.error }
    }

    /// The number of transitions of all systems.
    pub(super) fn n_transitions(&self) -> usize {
        self.systems.iter().map(Lts::n_transitions).sum()
    }

    /// The concrete alternatives of a step of the outline: actions, or an internal step of one
    /// part.
    pub(super) fn ways(&self, step: ProductStep) -> Ways<'_> {
        match step {
            ProductStep::Tau(system) => Ways::Internal(self.parts[system.index()]),
            ProductStep::Action(group) => Ways::Actions(self.groups.row(group.index())),
        }
    }

    /// The class of a part in a context, if the part has been split.
    pub(super) fn class(&self, context: &[StateId], part: usize) -> Option<StateId> {
        self.parts.binary_search(&part).ok().map(|system| context[system])
    }
}

/// See [`Outline::ways`].
pub(super) enum Ways<'a> {
    Internal(usize),
    Actions(&'a [ActionId]),
}

/// For each action, if it is possible, the transitions of all systems by it, in order.
fn edges(parts: &Parts<'_>, systems: &[&Lts]) -> Rows<OutlineEdge> {
    Rows::collect(parts.n_actions(), || {
        (0..).zip(systems).flat_map(|(system, lts)| {
            let visible = lts.transitions().filter_map(|(s, l, t)| Some((l.action()?, s, t)));
            let possible = visible.filter(|t| parts.is_possible(t.0));
            possible.map(move |(action, from, to)| (action.index(), (system, from, to)))
        })
    })
}
