//! The exact requirement: two traversals of all contexts (the FORTE paper's sections 3 and 4).
//!
//! A context is a state of environment and monitor. Forwards: two states of the module are
//! equivalent if they can be reached in the same contexts. Backwards, on the quotient by that
//! relation: two classes are equivalent if they can reach the error in the same contexts.
//! The second relation must be computed on the quotient by the first; computed on the module and
//! joined with the first, it would be unsound.

use crate::bits::BitSet;
use crate::contexts::Contexts;
use crate::history::History;
use crate::labels::{Cause, ContextId, Labels, context};
use crate::merge::together;
use crate::moves::Moves;
use crate::requirement::{Requirement, Verdict};
use crate::run::Run;
use crate::split::Split;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::{Explorer, Step, TooLarge};
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The canonical requirement, from at most `limit` contexts.
pub fn synthesize(split: &Split, limit: usize) -> Result<Requirement, TooLarge> {
    let module = &split.module.lts;
    if split.fails_at_once() {
        let all = Partition::single(module.n_states());
        return Ok(Requirement::new(module, all, Verdict::Fails(Vec::new())));
    }
    let contexts = Contexts::explore(split, limit)?;

    let moves = Moves::forward(module, split.shared());
    let reached = forward_labels(module, &moves, &contexts, |_| ());
    let forward = Quotient::of(module, together(module.n_states(), reached.iter()));

    let erring = backward_labels(forward.lts(), split, &contexts);
    let backward = together(forward.lts().n_states(), erring.iter());

    let verdict = verdict(split, &moves, &contexts, &reached);
    Ok(Requirement::new(module, forward.partition().then(&backward), verdict))
}

/// In each context the states in which the module can be.
fn forward_labels(
    module: &Lts,
    moves: &Moves<'_>,
    contexts: &Contexts,
    note: impl FnMut(Cause<'_>),
) -> Labels {
    let mut labels = Labels::new(contexts.len(), module.n_states());
    labels.add(context(0), start(module));
    let edges = |q: ContextId, visit: &mut dyn FnMut(Step, ContextId)| {
        contexts.out.row(q.index()).iter().for_each(|&(step, to)| visit(step, to));
    };
    labels.close(moves, edges, note);
    labels
}

/// In each context the states in which the module can still get to the error.
fn backward_labels(module: &Lts, split: &Split, contexts: &Contexts) -> Labels {
    let back = Moves::backward(module, split.shared());
    let all = BitSet::full(module.n_states());
    let mut labels = Labels::new(contexts.len(), module.n_states());
    for (q, step) in contexts.errors() {
        labels.add(q, back.with(step, &all));
    }
    let edges = |q: ContextId, visit: &mut dyn FnMut(Step, ContextId)| {
        contexts.into.row(q.index()).iter().for_each(|&(step, from)| visit(step, from));
    };
    labels.close(&back, edges, |_| ());
    labels
}

fn verdict(split: &Split, moves: &Moves<'_>, contexts: &Contexts, reached: &Labels) -> Verdict {
    let takes = |q: ContextId, step| moves.with(step, reached.get(q)).iter().next();
    let violation = contexts.errors().find_map(|(q, step)| Some((q, step, takes(q, step)?)));
    match violation {
        None => Verdict::Holds,
        Some((q, step, target)) => {
            let run = run_to_error(split, moves, contexts, (q, step, Id::from_index(target)));
            Verdict::Fails(split.steps(&run))
        }
    }
}

/// A run whose last step leads from the context into the error state, and the module to
/// the target. The labels are computed once more, now with their history, which
/// would be in the way as long as there is no violation.
fn run_to_error(
    split: &Split,
    moves: &Moves<'_>,
    contexts: &Contexts,
    (q, step, target): (ContextId, Step, StateId),
) -> Run {
    let module = &split.module.lts;
    let mut history = History::default();
    history.begin(context(0), &start(module));
    let reached = forward_labels(module, moves, contexts, |cause| history.note(&cause));
    let back = Moves::backward(module, split.shared());
    let sources = back.neighbours(target, Some(step)).into_iter().map(|(_, state)| state);
    let source = sources.into_iter().find(|m| reached.get(q).contains(m.index()));
    let source = source.expect("the error is entered from a label");

    let links = history.links(q, source, &back, std::iter::once);
    let mut labels: Vec<_> = links.iter().rev().map(|link| link.label).collect();
    labels.push(step.label());
    let state = |q: ContextId, m: StateId| {
        let tuple = &contexts.tuples[Id::from_index(q.index())];
        [&[m], tuple].concat()
    };
    let mut states: Vec<_> =
        links.iter().rev().map(|link| state(link.context, link.state)).collect();
    states.push(state(q, source));
    states.push(last_state(split, &states[states.len() - 1], step));
    Run { states, labels }
}

/// Where the step leads from a state of all systems if it enters the error state.
fn last_state(split: &Split, state: &[StateId], step: Step) -> Vec<StateId> {
    let systems = [&split.module.lts].into_iter().chain(split.context_systems()).collect();
    let mut last = None;
    Explorer::new(systems).successors(state, |s, next| {
        if s.label() == step.label() && next.last() == Some(&split.monitor.error) {
            last.get_or_insert_with(|| next.to_vec());
        }
    });
    last.expect("the step enters the error state")
}

fn start(module: &Lts) -> BitSet {
    BitSet::single(module.n_states(), module.initial().index())
}
