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
use crate::pairwise;
use crate::requirement::{Conclusion, Requirement};
use crate::run::SplitRun;
use crate::split::Split;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::{ProductStep, ProductTooLarge};
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// With more pairs of local states it is not known which of them occur.
const MAX_PAIRS: usize = 4_000_000;

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
    synthesize_within(split, &|_| true, limit, &Cancellation::new(go_on))
}

/// The canonical requirement *among reachable states*: contexts in which a component is in a local state
/// that never occurs ([`pairwise`]) are errors. It is sound, and has far fewer contexts than the
/// definition where components can do more than they are ever asked for. `None` if `go_on`
/// cancels. There may be `limit` contexts.
pub fn guarded(
    split: &Split,
    limit: usize,
    go_on: impl FnMut() -> bool,
) -> Result<Option<Requirement>, ProductTooLarge> {
    let cancellation = Cancellation::new(go_on);
    let module = [&split.module].into_iter().chain(&split.environment);
    let systems: Vec<&Lts> = module.map(|part| &part.lts).collect();
    let go_on = || cancellation.goes_on_now();
    let sets = pairwise::occurring(&systems, &split.monitor, MAX_PAIRS, go_on);
    let Some(sets) = sets else {
        let is_cancelled = cancellation.is_cancelled();
        return if is_cancelled { Ok(None) } else { Err(ProductTooLarge { limit }) };
    };
    let occurs = |context: &[StateId]| {
        let mut locals = sets[1..].iter().zip(context);
        locals.all(|(set, local)| set.contains(local.index()))
    };
    synthesize_within(split, &occurs, limit, &cancellation)
}

/// The requirement from contexts within a domain; a step out of it counts as an error. The domain must
/// contain the contexts that are reached.
fn synthesize_within(
    split: &Split,
    is_within: &dyn Fn(&[StateId]) -> bool,
    limit: usize,
    cancellation: &Cancellation<'_>,
) -> Result<Option<Requirement>, ProductTooLarge> {
    let module = &split.module.lts;
    if split.fails_at_once() {
        let all = Partition::single(module.n_states());
        return Ok(Some(Requirement::new(module, all, Conclusion::Fails(Vec::new()))));
    }
    let contexts = Contexts::explore_within(split, is_within, limit, cancellation)?;
    let Some(contexts) = contexts else { return Ok(None) };

    let moves = Moves::forward(module, split.shared());
    let reached = forward_labels(module, &moves, &contexts, cancellation, |_| ());
    if cancellation.is_cancelled() {
        return Ok(None);
    }
    let forward = Quotient::of(module, together(module.n_states(), reached.iter()));

    let erring = backward_labels(forward.lts(), split, &contexts, cancellation);
    if cancellation.is_cancelled() {
        return Ok(None);
    }
    let backward = together(forward.lts().n_states(), erring.iter());

    let verdict = verdict(split, &moves, &contexts, &reached, cancellation);
    let partition = forward.partition().then(&backward);
    Ok(verdict.map(|verdict| Requirement::new(module, partition, verdict)))
}

/// A function that decides whether the property holds with a given system in the module's place.
/// The contexts, at most `limit`, are explored once.
pub fn prover(
    split: &Split,
    limit: usize,
) -> Result<impl FnMut(&Lts) -> bool + '_, ProductTooLarge> {
    let mut prover = prover_while(split, limit, || true)?;
    Ok(move |module: &Lts| prover(module).expect("it is not cancelled"))
}

/// Like [`prover`]; the function returns `None` if `go_on` has cancelled.
pub fn prover_while<'a>(
    split: &'a Split,
    limit: usize,
    go_on: impl FnMut() -> bool + 'a,
) -> Result<impl FnMut(&Lts) -> Option<bool> + 'a, ProductTooLarge> {
    let cancellation = Cancellation::new(go_on);
    let contexts =
        if split.fails_at_once() { None } else { Contexts::explore(split, limit, &cancellation)? };
    Ok(move |module: &Lts| {
        let is_proved = contexts.as_ref().is_some_and(|contexts| {
            let moves = Moves::forward(module, split.shared());
            let reached = forward_labels(module, &moves, contexts, &cancellation, |_| ());
            violation(&moves, contexts, &reached).is_none()
        });
        (!cancellation.is_cancelled()).then_some(is_proved)
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
pub(crate) fn backward_labels(
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

/// `None` if it is cancelled.
fn verdict(
    split: &Split,
    moves: &Moves<'_>,
    contexts: &Contexts,
    reached: &Labels,
    cancellation: &Cancellation<'_>,
) -> Option<Conclusion> {
    Some(match violation(moves, contexts, reached) {
        None => Conclusion::Holds,
        Some((q, state)) => {
            let run = run_to(split, moves, contexts, (q, state), cancellation)?;
            Conclusion::Fails(split.steps(&run))
        }
    })
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
/// once more, now with their history, which is not kept as long as there is no violation. `None` if it
/// is cancelled.
fn run_to(
    split: &Split,
    moves: &Moves<'_>,
    contexts: &Contexts,
    (q, state): (ContextId, StateId),
    cancellation: &Cancellation<'_>,
) -> Option<SplitRun> {
    let module = &split.module.lts;
    let mut history = History::new(module.n_states());
    history.begin(context(0), &[moves.initial()]);
    forward_labels(module, moves, contexts, cancellation, |cause| history.note(&cause));
    if cancellation.is_cancelled() {
        return None;
    }
    let back = Moves::backward(module, split.shared());
    let links = history.links(q, state, &back, std::iter::once);

    let together = |q: ContextId, m: StateId| {
        let tuple = &contexts.tuples[Id::from_index(q.index())];
        [&[m], tuple].concat()
    };
    let way = links.iter().rev();
    let states = way.clone().map(|link| together(link.context, link.state));
    let states = states.chain([together(q, state)]).collect();
    let labels = way.map(|link| link.label).collect();
    Some(SplitRun { states, labels }.into_error(split))
}
