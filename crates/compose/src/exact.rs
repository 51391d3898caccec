//! The exact requirement: two traversals of all contexts (sections 3 and 4 of the FORTE paper).
//!
//! A context is a state of environment and monitor. Forward: two states of the module are
//! equivalent if they are reachable in the same contexts. Backward, on the quotient by that
//! relation: two classes are equivalent if they can reach the error in the same contexts. The
//! second relation must be computed on the quotient by the first; computed on the module and joined
//! with the first, it would be unsound.

use crate::cancellation::Cancellation;
use crate::contexts::Contexts;
use crate::history::History;
use crate::labels::{Cause, ContextId, Labels, context};
use crate::merge::together;
use crate::moves::Moves;
use crate::requirement::{Conclusion, Requirement};
use crate::run::SplitRun;
use crate::split::Split;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::{ProductStep, ProductTooLarge};
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The canonical requirement, from at most `limit` contexts.
pub fn synthesize(split: &Split, limit: usize) -> Result<Requirement, ProductTooLarge> {
    let found = synthesize_while(split, limit, || true)?;
    Ok(found.expect("it was not cancelled"))
}

/// Like [`synthesize`]; `None` if `go_on` cancels.
pub fn synthesize_while(
    split: &Split,
    limit: usize,
    go_on: impl FnMut() -> bool,
) -> Result<Option<Requirement>, ProductTooLarge> {
    let cancellation = Cancellation::new(go_on);
    let module = &split.module.lts;
    if split.fails_at_once() {
        let all = Partition::single(module.n_states());
        return Ok(Some(Requirement::new(module, all, Conclusion::Fails(Vec::new()))));
    }
    let Some(contexts) = Contexts::explore(split, limit, &cancellation)? else { return Ok(None) };

    let moves = Moves::forward(module, split.shared());
    let reached = forward_labels(module, &moves, &contexts, &cancellation, |_| ());
    let forward = Quotient::of(module, together(module.n_states(), reached.iter()));

    let erring = backward_labels(forward.lts(), split, &contexts, &cancellation);
    if cancellation.is_cancelled() {
        return Ok(None);
    }
    let backward = together(forward.lts().n_states(), erring.iter());

    let verdict = verdict(split, &moves, &contexts, &reached);
    Ok(Some(Requirement::new(module, forward.partition().then(&backward), verdict)))
}

/// A function that decides whether the property holds with a given system in the module's place.
/// The contexts, at most `limit`, are explored once.
pub fn prover(
    split: &Split,
    limit: usize,
) -> Result<impl FnMut(&Lts) -> bool + '_, ProductTooLarge> {
    let cancellation = Cancellation::new(|| true);
    let contexts =
        if split.fails_at_once() { None } else { Contexts::explore(split, limit, &cancellation)? };
    Ok(move |module: &Lts| {
        let Some(contexts) = &contexts else { return false };
        let moves = Moves::forward(module, split.shared());
        let reached = forward_labels(module, &moves, contexts, &cancellation, |_| ());
        violation(&moves, contexts, &reached).is_none()
    })
}

/// For each context, the states that the module can be in.
fn forward_labels(
    module: &Lts,
    moves: &Moves<'_>,
    contexts: &Contexts,
    cancellation: &Cancellation<'_>,
    note: impl FnMut(Cause<'_>),
) -> Labels {
    let mut labels = Labels::new(contexts.len(), module.n_states());
    labels.add(context(0), [moves.initial()]);
    let edges = |q: ContextId, visit: &mut dyn FnMut(ProductStep, ContextId)| {
        let row = contexts.out.row(q.index()).iter().take_while(|_| cancellation.goes_on());
        row.for_each(|&(step, to)| visit(step, to));
    };
    labels.close(moves, edges, note);
    labels
}

/// For each context, the states from which the module can still reach the error.
fn backward_labels(
    module: &Lts,
    split: &Split,
    contexts: &Contexts,
    cancellation: &Cancellation<'_>,
) -> Labels {
    let back = Moves::backward(module, split.shared());
    let mut labels = Labels::new(contexts.len(), module.n_states());
    for (q, step) in contexts.errors() {
        labels.add(q, back.can_enter_error(step));
    }
    let edges = |q: ContextId, visit: &mut dyn FnMut(ProductStep, ContextId)| {
        let row = contexts.into.row(q.index()).iter().take_while(|_| cancellation.goes_on());
        row.for_each(|&(step, from)| visit(step, from));
    };
    labels.close(&back, edges, |_| ());
    labels
}

fn verdict(split: &Split, moves: &Moves<'_>, contexts: &Contexts, reached: &Labels) -> Conclusion {
    match violation(moves, contexts, reached) {
        None => Conclusion::Holds,
        Some((q, state)) => {
            Conclusion::Fails(split.steps(&run_to(split, moves, contexts, q, state)))
        }
    }
}

/// A context and a state of the module from which the error is entered.
fn violation(
    moves: &Moves<'_>,
    contexts: &Contexts,
    reached: &Labels,
) -> Option<(ContextId, StateId)> {
    let permitting = |(q, step)| Some((q, moves.permitting(step, reached.get(q))?));
    contexts.errors().find_map(permitting)
}

/// A run to the state in the context, and from there into the error state. The labels are computed
/// once more, now with their history, which is not kept as long as there is no violation.
fn run_to(
    split: &Split,
    moves: &Moves<'_>,
    contexts: &Contexts,
    q: ContextId,
    state: StateId,
) -> SplitRun {
    let module = &split.module.lts;
    let mut history = History::new(module.n_states());
    history.begin(context(0), &[moves.initial()]);
    let cancellation = Cancellation::new(|| true);
    forward_labels(module, moves, contexts, &cancellation, |cause| history.note(&cause));
    let back = Moves::backward(module, split.shared());
    let links = history.links(q, state, &back, std::iter::once);

    let together = |q: ContextId, m: StateId| {
        let tuple = &contexts.tuples[Id::from_index(q.index())];
        [&[m], tuple].concat()
    };
    let way = links.iter().rev();
    let states = way.clone().map(|link| together(link.context, link.state));
    let states = states.chain([together(q, state)]).collect();
    SplitRun { states, labels: way.map(|link| link.label).collect() }.into_error(split)
}
