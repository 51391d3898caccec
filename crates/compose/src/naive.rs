//! The requirement straight from its definition, for tests: sets of pairs instead of labels.

use crate::split::Split;
use resy_automata::lts::{ActionId, Alphabet, Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::product::naive::{Tuple, reachable, successors};
use resy_automata::quotient::Quotient;
use std::collections::BTreeSet;

/// The partition of the module's states by the canonical requirement.
pub fn canonical(split: &Split) -> Partition {
    canonical_within(split, |_| true)
}

/// The partition by the canonical requirement, if a step to a context that is not within a domain
/// is an error. The domain contains the contexts that are reached.
pub fn canonical_within(split: &Split, is_within: impl Fn(&Tuple) -> bool) -> Partition {
    let module = &split.module.lts;
    let is_good = |q: &Tuple| q.last() != Some(&split.monitor.error) && is_within(q);
    let contexts = contexts(split, &is_good);

    let reached: BTreeSet<Tuple> = reachable(&systems(split, module)).into_keys().collect();
    let forward = together(module, &contexts, &reached);
    let forward = Quotient::of(module, forward);

    let erring = can_err(split, forward.lts(), &contexts, &is_good);
    let backward = together(forward.lts(), &contexts, &erring);
    forward.partition().then(&backward)
}

/// Whether the network with `module` in the module's place satisfies the property.
pub fn is_safe(split: &Split, module: &Lts) -> bool {
    let states = reachable(&systems(split, module));
    states.keys().all(|state| state.last() != Some(&split.monitor.error))
}

/// The good contexts that are reached through good ones, if the module permits everything.
fn contexts(split: &Split, is_good: &impl Fn(&Tuple) -> bool) -> Vec<Tuple> {
    let systems = split.context_systems();
    let initial: Tuple = systems.iter().map(|lts| lts.initial()).collect();
    let mut found: BTreeSet<Tuple> = BTreeSet::new();
    let mut todo: Vec<Tuple> = [initial].into_iter().filter(is_good).collect();
    while let Some(context) = todo.pop() {
        if found.insert(context.clone()) {
            let next = successors(&systems, &context).into_iter().map(|(_, to)| to);
            todo.extend(next.filter(is_good));
        }
    }
    found.into_iter().collect()
}

fn systems<'a>(split: &'a Split, module: &'a Lts) -> Vec<&'a Lts> {
    [module].into_iter().chain(split.context_systems()).collect()
}

/// Whether a word over an alphabet is good: whether no run of environment and monitor into an error has
/// a prefix of it as its projection. From the definition, for tests: sets of tuples.
pub fn is_good(split: &Split, word: &[ActionId], alphabet: &Alphabet) -> bool {
    let systems = split.context_systems();
    let is_error = |state: &Tuple| state.last() == Some(&split.monitor.error);
    let module = split.module.lts.alphabet();
    let is_letter = |step: &ProductStep| match step {
        ProductStep::Action(action) => alphabet.contains(*action) && module.contains(*action),
        ProductStep::Tau(_) => false,
    };
    let initial: Tuple = systems.iter().map(|lts| lts.initial()).collect();
    let mut now = BTreeSet::from([initial]);
    for letter in word.iter().copied().map(Some).chain([None]) {
        let mut open: Vec<Tuple> = now.iter().cloned().collect();
        while let Some(state) = open.pop() {
            let silent = successors(&systems, &state).into_iter().filter(|s| !is_letter(&s.0));
            open.extend(silent.map(|step| step.1).filter(|to| now.insert(to.clone())));
        }
        if now.iter().any(is_error) {
            return false;
        }
        let Some(letter) = letter else { continue };
        let steps = now.iter().flat_map(|state| successors(&systems, state));
        let by_letter = steps.filter(|step| step.0 == ProductStep::Action(letter));
        now = by_letter.map(|step| step.1).collect();
    }
    true
}

/// States are equivalent if in each context both are in the set, or neither.
fn together(module: &Lts, contexts: &[Tuple], set: &BTreeSet<Tuple>) -> Partition {
    Partition::by_keys(module.states().map(|m| {
        let with = |q: &Tuple| set.contains(&pair(m, q));
        contexts.iter().map(with).collect::<Vec<bool>>()
    }))
}

/// All pairs of a state and a context from which the error can be reached.
fn can_err(
    split: &Split,
    module: &Lts,
    contexts: &[Tuple],
    is_good: &impl Fn(&Tuple) -> bool,
) -> BTreeSet<Tuple> {
    let systems = systems(split, module);
    let pairs = module.states().flat_map(|m| contexts.iter().map(move |q| pair(m, q)));
    let steps: Vec<(Tuple, Vec<Tuple>)> = pairs
        .map(|from| {
            let next = successors(&systems, &from).into_iter().map(|(_, to)| to).collect();
            (from, next)
        })
        .collect();
    let is_error = |state: &Tuple| !is_good(&state[1..].to_vec());
    let mut erring = BTreeSet::new();
    loop {
        let before = erring.len();
        for (from, next) in &steps {
            if next.iter().any(|to| is_error(to) || erring.contains(to)) {
                erring.insert(from.clone());
            }
        }
        if erring.len() == before {
            return erring;
        }
    }
}

fn pair(m: StateId, context: &Tuple) -> Tuple {
    [&[m], &context[..]].concat()
}
