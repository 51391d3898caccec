//! The requirement straight from its definition, for tests: sets of pairs instead of labels.

use crate::split::Split;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::naive::{Tuple, reachable, successors};
use resy_automata::quotient::Quotient;
use std::collections::BTreeSet;

/// The partition of the module's states by the canonical requirement.
pub fn canonical(split: &Split) -> Partition {
    let module = &split.module.lts;
    let error = split.monitor.error;
    let contexts = reachable(&split.context_systems()).into_keys();
    let contexts: Vec<Tuple> = contexts.filter(|q| q.last() != Some(&error)).collect();

    let reached: BTreeSet<Tuple> = reachable(&systems(split, module)).into_keys().collect();
    let forward = together(module, &contexts, &reached);
    let forward = Quotient::of(module, forward);

    let erring = can_err(split, forward.lts(), &contexts);
    let backward = together(forward.lts(), &contexts, &erring);
    forward.partition().then(&backward)
}

/// Whether the network with `module` in the module's place satisfies the property.
pub fn is_safe(split: &Split, module: &Lts) -> bool {
    let states = reachable(&systems(split, module));
    states.keys().all(|state| state.last() != Some(&split.monitor.error))
}

fn systems<'a>(split: &'a Split, module: &'a Lts) -> Vec<&'a Lts> {
    [module].into_iter().chain(split.context_systems()).collect()
}

/// States are equivalent if in each context both are in the set, or neither.
fn together(module: &Lts, contexts: &[Tuple], set: &BTreeSet<Tuple>) -> Partition {
    Partition::by_keys(module.states().map(|m| {
        let with = |q: &Tuple| set.contains(&pair(m, q));
        contexts.iter().map(with).collect::<Vec<bool>>()
    }))
}

/// All pairs of a state and a context from which the error can be reached.
fn can_err(split: &Split, module: &Lts, contexts: &[Tuple]) -> BTreeSet<Tuple> {
    let systems = systems(split, module);
    let pairs = module.states().flat_map(|m| contexts.iter().map(move |q| pair(m, q)));
    let steps: Vec<(Tuple, Vec<Tuple>)> = pairs
        .map(|from| {
            let next = successors(&systems, &from).into_iter().map(|(_, to)| to).collect();
            (from, next)
        })
        .collect();
    let is_error = |state: &Tuple| state.last() == Some(&split.monitor.error);
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
