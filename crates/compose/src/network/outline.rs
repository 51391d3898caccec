//! What is left of a network if only the parts that have been split are looked at.
//!
//! Actions that do the same to all of these parts and to the monitor are one, a *group*; those that change none
//! of them are left out. A server with a thousand clients, of which two matter, has as
//! many groups as it would have with three.

use super::parts::Parts;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Rows, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// The quotients of the parts that have been split, and the monitor.
pub(super) struct Outline {
    /// Which parts have been split.
    pub parts: Vec<usize>,
    /// Their quotients and the monitor; the actions are the numbers of the groups.
    pub systems: Vec<Lts>,
    /// For each group its actions, in the parts.
    pub groups: Rows<ActionId>,
    /// The monitor's error state.
    pub error: StateId,
}

/// A transition by an action: where, from, to.
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

    /// The ways to take a step: labels of parts. An internal one is of one part.
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

/// The transitions of all systems by actions that are possible, by action.
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
