//! The actions of clusters: their owners, and their effects.
//!
//! Two actions of a cluster are *alike* if the same other owners have both, with the same
//! transitions: no other owner can distinguish them. The cluster may then be reduced as if they
//! were one action. For example, readers that increment a common counter, each by its own action,
//! become one cluster that knows how many they are. When a run is unfolded, the cluster may have to
//! take the other action, and all owners follow.
//!
//! If the cluster itself has the same transitions for both, one of them is a *double*: whatever is
//! done by it can be done by the other, and its transitions are dropped.

use crate::cone::Cone;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_certificate::NodeId;
use resy_index::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// An owner of actions: a living cluster, youngest last, or the monitor.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Owner {
    Cluster(NodeId),
    Monitor,
}

/// An owner of an action, and the first of its actions with the same transitions.
type Role = (Owner, ActionId);

/// The actions of a network whose components are being replaced by clusters.
#[derive(Clone, Debug)]
pub(super) struct Actions {
    /// For each action, its relevant owners in order.
    roles: IndexVec<ActionId, Vec<Role>>,
    /// The inverse of `roles`.
    same: FxHashMap<Role, Vec<ActionId>>,
    is_double: IndexVec<ActionId, bool>,
    /// Whether an action changes the state of a relevant component or of the monitor.
    matters: IndexVec<ActionId, bool>,
    /// Whether an irrelevant component has the action.
    is_overheard: IndexVec<ActionId, bool>,
}

/// For actions of a cluster, the label that is equivalent to them: the first action of a group of
/// alike ones, or the internal one.
#[derive(Clone, Debug, Default)]
pub(super) struct Alike(FxHashMap<ActionId, Label>);

/// A cluster with actions that are alike to those of another cluster.
pub(super) struct Sibling {
    pub id: NodeId,
    /// The owner that both share actions with.
    pub hub: Owner,
}

impl Actions {
    /// The actions of the components; a component has the number of its cluster.
    pub(super) fn new(network: &Network, cone: &Cone) -> Self {
        let no = || network.actions.iter().map(|_| false).collect();
        let mut actions = Self {
            roles: network.actions.iter().map(|_| Vec::new()).collect(),
            same: FxHashMap::default(),
            is_double: no(),
            matters: cone.actions.clone(),
            is_overheard: no(),
        };
        for (id, component) in network.components.iter_enumerated() {
            match cone.components[id] {
                true => actions.add(cluster(Id::from_index(id.index())), &component.lts),
                false => {
                    component.lts.alphabet().iter().for_each(|a| actions.is_overheard[a] = true)
                }
            }
        }
        if let Some(monitor) = &network.monitor {
            actions.add(Owner::Monitor, &monitor.lts);
        }
        actions
    }

    /// Adds an owner.
    pub(super) fn add(&mut self, owner: Owner, lts: &Lts) {
        for (action, first) in effects(lts) {
            let roles = &mut self.roles[action];
            roles.insert(roles.partition_point(|role| role.0 < owner), (owner, first));
            self.same.entry((owner, first)).or_default().push(action);
        }
    }

    /// Removes an owner.
    pub(super) fn remove(&mut self, owner: Owner, lts: &Lts) {
        for action in lts.alphabet().iter() {
            let of_owner = self.roles[action].extract_if(.., |role| role.0 == owner);
            of_owner.for_each(|role| drop(self.same.remove(&role)));
        }
    }

    /// Marks actions as doubles.
    pub(super) fn drop_doubles(&mut self, doubles: &Alphabet) {
        doubles.iter().for_each(|action| self.is_double[action] = true);
    }

    /// The system without the transitions by doubles.
    pub(super) fn lean<'l>(&self, lts: &'l Lts) -> Cow<'l, Lts> {
        without(lts, |action| self.is_double[action])
    }

    /// The relevant owners of an action outside some clusters, in order.
    fn others<'a>(
        &'a self,
        action: ActionId,
        but: &'a [NodeId],
    ) -> impl Iterator<Item = Role> + 'a {
        let is_other = |role: &Role| !matches!(role.0, Owner::Cluster(id) if but.contains(&id));
        self.roles[action].iter().copied().filter(is_other)
    }

    /// The living clusters that have an action, youngest first.
    pub(super) fn owners(&self, action: ActionId) -> impl Iterator<Item = NodeId> + '_ {
        self.roles[action].iter().rev().filter_map(|role| match role.0 {
            Owner::Cluster(id) => Some(id),
            Owner::Monitor => None,
        })
    }

    /// Whether an action has at most two owners.
    pub(super) fn is_between_two(&self, action: ActionId) -> bool {
        self.roles[action].len() <= 2
    }

    /// The actions that no owner outside some clusters has.
    pub(super) fn internal(&self, ids: &[NodeId], alphabet: &Alphabet) -> Alphabet {
        let is_internal = |&action: &ActionId| {
            !self.is_overheard[action] && self.others(action, ids).next().is_none()
        };
        alphabet.iter().filter(is_internal).collect()
    }

    /// The actions that are alike for the owners outside some clusters. An action without relevant
    /// owners outside is internal for the reduction; it is not hidden if an irrelevant component
    /// has it, because certificates know no cone.
    pub(super) fn alike(&self, ids: &[NodeId], alphabet: &Alphabet) -> Alike {
        let mut first: FxHashMap<(bool, Vec<Role>), ActionId> = FxHashMap::default();
        let mut alike = Alike::default();
        for action in alphabet.iter().filter(|&action| !self.is_double[action]) {
            let others: Vec<Role> = self.others(action, ids).collect();
            if others.is_empty() {
                alike.0.insert(action, Label::Tau);
                continue;
            }
            // An irrelevant action may be refused by an irrelevant component.
            let first = *first.entry((self.matters[action], others)).or_insert(action);
            if first != action {
                alike.0.insert(action, Label::Visible(first));
            }
        }
        alike
    }

    /// Partners with actions that are alike to actions of this cluster for all other owners; at
    /// most `limit` per action.
    pub(super) fn siblings(
        &self,
        id: NodeId,
        alphabet: &Alphabet,
        is_partner: &impl Fn(NodeId) -> bool,
        limit: usize,
    ) -> Vec<Sibling> {
        let mut known: FxHashSet<(bool, Vec<Role>)> = FxHashSet::default();
        let mut found = Vec::new();
        for action in alphabet.iter().filter(|&action| !self.is_double[action]) {
            let others: Vec<Role> = self.others(action, &[id]).collect();
            let Some(&hub) = others.first() else { continue };
            if !known.insert((self.matters[action], others.clone())) {
                continue;
            }
            let matters = |&a: &ActionId| self.matters[a] == self.matters[action];
            // Every role leads to the same actions, in the same order; the rarest one to the fewest others.
            let rarest = others.iter().map(|role| &self.same[role]).min_by_key(|same| same.len());
            let there = rarest.into_iter().flatten().copied().filter(|&a| !self.is_double[a]);
            let there = there.filter(matters).filter_map(|a| self.one_more(a, &others));
            let partners = there.filter(|&other| is_partner(other)).take(limit);
            found.extend(partners.map(|id| Sibling { id, hub: hub.0 }));
        }
        found
    }

    /// The cluster that has an action in addition to exactly these roles.
    fn one_more(&self, action: ActionId, others: &[Role]) -> Option<NodeId> {
        let roles = &self.roles[action];
        if roles.len() != others.len() + 1 {
            return None;
        }
        let at = roles.iter().zip(others).take_while(|(a, b)| a == b).count();
        match roles[at].0 {
            Owner::Cluster(id) if roles[at + 1..] == others[at..] => Some(id),
            _ => None,
        }
    }
}

impl Alike {
    /// The label that is equivalent to this one.
    pub(super) fn of(&self, label: Label) -> Label {
        let other = label.action().and_then(|action| self.0.get(&action));
        other.copied().unwrap_or(label)
    }

    /// Whether no two actions are alike.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The actions of a system that are alike to an earlier one and have the same transitions.
    pub(super) fn doubles(&self, lts: &Lts) -> Alphabet {
        if self.is_empty() {
            return Alphabet::default();
        }
        let mut known = FxHashSet::default();
        let is_known = |&(action, first): &(ActionId, ActionId)| {
            !known.insert((self.of(Label::Visible(action)), first))
        };
        effects(lts).into_iter().filter(is_known).map(|(action, _)| action).collect()
    }
}

/// The system without the transitions of some actions; the alphabet stays.
pub(super) fn without(lts: &Lts, is_out: impl Fn(ActionId) -> bool) -> Cow<'_, Lts> {
    let stays = |label: Label| !label.action().is_some_and(&is_out);
    if lts.transitions().all(|(_, label, _)| stays(label)) {
        return Cow::Borrowed(lts);
    }
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions().filter(|t| stays(t.1)) {
        builder.add_transition(source, label, target);
    }
    Cow::Owned(builder.finish(lts.initial(), lts.alphabet().clone()))
}

/// A cluster as an owner.
pub(super) fn cluster(id: NodeId) -> Owner {
    Owner::Cluster(id)
}

/// The actions of a system, each with the first action that has the same transitions.
fn effects(lts: &Lts) -> Vec<(ActionId, ActionId)> {
    let visible = lts.transitions().filter_map(|(s, label, t)| Some((label.action()?, s, t)));
    let mut transitions: Vec<(ActionId, StateId, StateId)> = visible.collect();
    transitions.sort_unstable();
    let mut rest = &transitions[..];
    let mut first: FxHashMap<Vec<(StateId, StateId)>, ActionId> = FxHashMap::default();
    let mut effects = Vec::with_capacity(lts.alphabet().len());
    for action in lts.alphabet().iter() {
        let (own, others) = rest.split_at(rest.partition_point(|t| t.0 <= action));
        rest = others;
        let effect = own.iter().map(|t| (t.1, t.2)).collect();
        effects.push((action, *first.entry(effect).or_insert(action)));
    }
    effects
}
