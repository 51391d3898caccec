//! Requirements joined pairwise.
//!
//! The product of all requirements of a proof may be exponential where the product of any two,
//! hidden and reduced, is small: pipelines, rings, trees. So a proof may say which two are
//! *joined*, repeatedly. A joined system replaces both. Actions of no other system become internal,
//! and states that appear equivalent are merged. The equivalence is not trusted: whichever states
//! are merged, the result can do everything that the systems could do before, and possibly more.

use super::{NotProved, PremisePart, Proved};
use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::partition::Partition;
use resy_automata::words::same_words;
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Cancellation is polled once per this number of states.
const PATIENCE: usize = 256;

/// Systems that together can do what the requirements of a proof can, as far as a monitor observes;
/// and the amount of work. Without joins these are the requirements.
pub fn folded<'a>(
    parts: &[PremisePart],
    requirement: impl Fn(usize) -> &'a Lts,
    monitor: &'a Lts,
    limit: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<(Vec<Cow<'a, Lts>>, Proved), NotProved> {
    let clauses = parts.iter().filter_map(|part| part.clause());
    let leaves: Vec<Cow<'a, Lts>> = clauses.map(|i| Cow::Borrowed(requirement(i))).collect();
    let mut looked_at = Proved::default();
    if !parts.contains(&PremisePart::Joined) {
        return Ok((leaves, looked_at));
    }
    let mut fold = Fold::default();
    fold.enter(Cow::Borrowed(monitor));
    let leaves: Vec<usize> = leaves.into_iter().map(|lts| fold.enter(lts)).collect();
    let leaves: Vec<usize> = leaves.into_iter().map(|leaf| fold.alone(leaf)).collect();
    let (mut leaves, mut stack) = (leaves.into_iter(), Vec::new());
    for part in parts {
        match part {
            PremisePart::Clause(_) => stack.extend(leaves.next()),
            PremisePart::Joined => {
                // A single system is joined already.
                let Some([a, b]) = stack.last_chunk().copied() else { continue };
                stack.truncate(stack.len() - 2);
                let before = looked_at.n_states;
                let go_on = &mut |n_states| before + n_states <= limit && go_on(before + n_states);
                let product = product([&fold.systems[&a], &fold.systems[&b]], go_on)?;
                looked_at.n_states += product.n_states();
                looked_at.n_steps += product.n_transitions();
                stack.push(fold.replace(&[a, b], &product));
            }
        }
    }
    let systems = stack.into_iter().filter_map(|id| fold.systems.remove(&id));
    Ok((systems.collect(), looked_at))
}

/// Systems in the process of being joined.
#[derive(Default)]
struct Fold<'a> {
    /// The remaining systems; a new one gets the next number.
    systems: FxHashMap<usize, Cow<'a, Lts>>,
    n_entered: usize,
    /// For each action, its systems in order; and for each of them the first action with the same
    /// transitions.
    holders: FxHashMap<ActionId, Vec<(usize, ActionId)>>,
}

impl<'a> Fold<'a> {
    fn enter(&mut self, lts: Cow<'a, Lts>) -> usize {
        let id = self.n_entered;
        for (action, first) in same(&lts) {
            self.holders.entry(action).or_default().push((id, first));
        }
        self.n_entered += 1;
        self.systems.insert(id, lts);
        id
    }

    /// Replaces some systems by their product, reduced.
    fn replace(&mut self, ids: &[usize], concrete: &Lts) -> usize {
        let smaller = self.smaller(ids, concrete);
        for action in concrete.alphabet().iter() {
            let holders = self.holders.entry(action).or_default();
            holders.retain(|holder| !ids.contains(&holder.0));
        }
        ids.iter().for_each(|id| drop(self.systems.remove(id)));
        self.enter(Cow::Owned(smaller))
    }

    fn alone(&mut self, id: usize) -> usize {
        let lts = self.systems[&id].clone();
        self.replace(&[id], &lts)
    }

    /// A system with fewer states that can do what `concrete`, the product of some systems, can.
    fn smaller(&self, ids: &[usize], concrete: &Lts) -> Lts {
        let others = |action: ActionId| {
            let all = self.holders.get(&action).into_iter().flatten().copied();
            all.filter(|holder| !ids.contains(&holder.0))
        };
        // Two actions are indistinguishable if all other systems have the same transitions for
        // both.
        let mut first: FxHashMap<Vec<(usize, ActionId)>, ActionId> = FxHashMap::default();
        let mut seen_as: FxHashMap<ActionId, Label> = FxHashMap::default();
        for action in concrete.alphabet().iter() {
            let others: Vec<(usize, ActionId)> = others(action).collect();
            let seen = match others.is_empty() {
                true => Label::Tau,
                false => Label::Visible(*first.entry(others).or_insert(action)),
            };
            seen_as.insert(action, seen);
        }
        let seen = |label: Label| label.action().map_or(label, |action| seen_as[&action]);
        let partition = same_words(&concrete.relabelled(Alphabet::default(), seen));
        image(concrete, &partition, |label| seen(label) == Label::Tau)
    }
}

/// For each action the first one that has the same transitions.
fn same(lts: &Lts) -> Vec<(ActionId, ActionId)> {
    let mut moves: FxHashMap<ActionId, Vec<(StateId, StateId)>> = FxHashMap::default();
    lts.alphabet().iter().for_each(|action| drop(moves.insert(action, Vec::new())));
    for (source, label, target) in lts.transitions() {
        let of_action = label.action().and_then(|action| moves.get_mut(&action));
        of_action.into_iter().for_each(|moves| moves.push((source, target)));
    }
    let mut first: FxHashMap<Vec<(StateId, StateId)>, ActionId> = FxHashMap::default();
    let actions = lts.alphabet().iter();
    actions.map(|a| (a, *first.entry(moves.remove(&a).unwrap_or_default()).or_insert(a))).collect()
}

/// The quotient by a partition. Internal actions become `Tau`, and are dropped where they stay in
/// their block.
fn image(concrete: &Lts, partition: &Partition, is_internal: impl Fn(Label) -> bool) -> Lts {
    let of = |state: StateId| Id::from_index(partition.block_of(state).index());
    let mut builder = LtsBuilder::with_states(partition.n_blocks());
    for (source, label, target) in concrete.transitions() {
        let (source, target) = (of(source), of(target));
        match is_internal(label) {
            true if source == target => {}
            true => builder.add_transition(source, Label::Tau, target),
            false => builder.add_transition(source, label, target),
        }
    }
    let alphabet = concrete.alphabet().iter().filter(|&a| !is_internal(Label::Visible(a)));
    builder.finish(of(concrete.initial()), alphabet.collect())
}

/// The product of two systems, unless `go_on(n_states)` cancels.
fn product(pair: [&Lts; 2], go_on: &mut dyn FnMut(usize) -> bool) -> Result<Lts, NotProved> {
    let joint = Joint::new(pair.to_vec());
    let mut numbers: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
    let mut found = vec![joint.initial()];
    numbers.insert(joint.initial(), Id::from_index(0));
    let mut transitions = Vec::new();
    let mut next = 0;
    while next < found.len() {
        if next % PATIENCE == 0 && !go_on(found.len()) {
            return Err(NotProved::TooLarge);
        }
        let from = found[next].clone();
        let _ = joint.steps(&from, |label, to| {
            let target = *numbers.entry(to.to_vec()).or_insert_with(|| {
                found.push(to.to_vec());
                Id::from_index(found.len() - 1)
            });
            transitions.push((Id::from_index(next), label, target));
            Ok::<(), ()>(())
        });
        next += 1;
    }
    let mut builder = LtsBuilder::with_states(found.len());
    transitions.into_iter().for_each(|(from, label, to)| builder.add_transition(from, label, to));
    let alphabet = pair.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    Ok(builder.finish(Id::from_index(0), alphabet))
}
