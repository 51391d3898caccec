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
        let edges = edges(parts, &systems);
        let mut group_of: FxHashMap<Vec<OutlineEdge>, usize> = FxHashMap::default();
        let mut members: Vec<Vec<ActionId>> = Vec::new();
        let mut builders: Vec<LtsBuilder> =
            systems.iter().map(|lts| LtsBuilder::with_states(lts.n_states())).collect();
        let mut alphabets = vec![Vec::new(); systems.len()];
        for of_action in edges.chunk_by(|a, b| a.0 == b.0) {
            let does: Vec<OutlineEdge> = of_action.iter().map(|e| e.1).collect();
            if does.iter().all(|(_, from, to)| from == to) {
                continue;
            }
            let group = *group_of.entry(does.clone()).or_insert(members.len());
            if group == members.len() {
                members.push(Vec::new());
                let label = Label::Visible(Id::from_index(group));
                for (system, from, to) in does {
                    builders[system as usize].add_transition(from, label, to);
                    alphabets[system as usize].push(Id::from_index(group));
                }
            }
            members[group].push(of_action[0].0);
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

/// The transitions of all systems by possible actions, sorted by action.
fn edges(parts: &Parts<'_>, systems: &[&Lts]) -> Vec<(ActionId, OutlineEdge)> {
    let mut edges = Vec::new();
    for (system, lts) in (0..).zip(systems) {
        let visible = lts.transitions().filter_map(|(s, l, t)| Some((l.action()?, s, t)));
        let possible = visible.filter(|t| parts.is_possible(t.0));
        edges.extend(possible.map(|(action, from, to)| (action, (system, from, to))));
    }
    edges.sort_unstable();
    edges
}
