//! The joint proof: the requirements together cannot err.
//!
//! All states that the requirements reach together are explored, possibly after some have been
//! [joined](super::fold). That costs as much as checking a written inductive set, and keeps the
//! contract short enough to read.

use super::fold::folded;
use super::{Contract, Premise};
use crate::check::watching;
use crate::danger::dangerous;
use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// The amount of work for a proof.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// States of the requirements together with the monitor, and of joined products.
    pub n_states: usize,
    /// Steps out of these states.
    pub n_steps: usize,
}

/// Why requirements do not prove the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotProved {
    /// They permit this run, which violates the property. If they were joined, steps among them are
    /// internal, and an action may stand for another one that is indistinguishable for all others.
    Run(Vec<Label>),
    /// No premise covers errors by this label.
    NotCovered(Label),
    /// They have more states together than the limit, or the proof was cancelled.
    TooLarge,
}

/// Cancellation is polled once per this number of states.
const PATIENCE: usize = 1024;

/// Whether the requirements of a contract, regardless of the components behind them, satisfy its
/// property. `go_on(n_states)` may cancel.
pub fn proved(
    contract: &Contract,
    limit: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Proved, NotProved> {
    let Monitor { lts, error, .. } = &contract.monitor;
    if lts.initial() == *error {
        return Err(NotProved::Run(Vec::new()));
    }
    let is_covered = |label| contract.premises.iter().any(|p| p.about.covers(label));
    let mut errors = lts.transitions().filter(|t| t.2 == *error).map(|t| t.1);
    if let Some(label) = errors.find(|&label| !is_covered(label)) {
        return Err(NotProved::NotCovered(label));
    }
    let mut all = Proved::default();
    for premise in &contract.premises {
        let Proved { n_states, n_steps } =
            cannot_err(contract, premise, limit.saturating_sub(all.n_states), go_on)?;
        all.n_states += n_states;
        all.n_steps += n_steps;
    }
    Ok(all)
}

/// Explores the requirements of a premise together with the monitor.
fn cannot_err(
    contract: &Contract,
    premise: &Premise,
    limit: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Proved, NotProved> {
    let monitor = &contract.monitor;
    let watching = without_idle_actions(&watching(monitor, &premise.about), monitor.error);
    let requirement = |i: usize| &contract.clauses[i].requirement;
    let (systems, joined) = folded(&premise.parts, requirement, &watching, limit, go_on)?;
    let limit = limit.saturating_sub(joined.n_states);
    let systems: Vec<&Lts> = systems.iter().map(|lts| &**lts).chain([&watching]).collect();
    let joint = Joint::new(systems);
    let dangerous = dangerous(&watching, monitor.error);
    let is_settled = |state: &StateId| !dangerous[state.index()];
    let mut numbers: FxHashMap<Vec<StateId>, usize> = FxHashMap::default();
    let mut found = vec![(joint.initial(), None)];
    numbers.insert(joint.initial(), 0);
    let (mut next, mut n_steps) = (0, 0);
    while next < found.len() {
        let from = found[next].0.clone();
        let mut last = None;
        let _ = joint.steps(&from, |label, to| {
            n_steps += 1;
            if to.last() == Some(&monitor.error) {
                last = Some(label);
                return Err(());
            }
            if to.last().is_some_and(is_settled) {
                return Ok(());
            }
            let number = found.len();
            numbers.entry(to.to_vec()).or_insert_with(|| {
                found.push((to.to_vec(), Some((next, label))));
                number
            });
            Ok(())
        });
        if let Some(label) = last {
            return Err(NotProved::Run(run(&found, next, label)));
        }
        if found.len() > limit || next % PATIENCE == 0 && !go_on(joined.n_states + found.len()) {
            return Err(NotProved::TooLarge);
        }
        next += 1;
    }
    Ok(Proved { n_states: joined.n_states + found.len(), n_steps: joined.n_steps + n_steps })
}

/// The monitor without the actions by which it never leaves a state. Such an action would not be
/// internal for requirements that are joined; and the text of a contract has no line for it, so the
/// proof of a contract that was read would differ from that of the written one.
fn without_idle_actions(monitor: &Lts, error: StateId) -> Lts {
    let stays = |action: ActionId| {
        let moves = |state| monitor.transitions_by(state, Label::Visible(action));
        monitor
            .states()
            .all(|s| s == error || !moves(s).is_empty() && moves(s).iter().all(|m| m.1 == s))
    };
    let idle: Alphabet = monitor.alphabet().iter().filter(|&action| stays(action)).collect();
    let mut builder = LtsBuilder::with_states(monitor.n_states());
    for (source, label, target) in monitor.transitions() {
        if source != error && !label.action().is_some_and(|action| idle.contains(action)) {
            builder.add_transition(source, label, target);
        }
    }
    builder.finish(monitor.initial(), monitor.alphabet().without(&idle))
}

/// A state, with the index of its predecessor and the label.
type Reached = (Vec<StateId>, Option<(usize, Label)>);

fn run(found: &[Reached], mut at: usize, last: Label) -> Vec<Label> {
    let mut run = vec![last];
    while let Some((from, label)) = found[at].1 {
        run.push(label);
        at = from;
    }
    run.reverse();
    run
}
