//! The canonical requirement by two foldings of the environment.
//!
//! The definition needs two families of languages: for each context the words of the module's actions by
//! which it is reached, and those by which it can err. A bisimulation of the reversed system keeps the
//! first, a bisimulation the second, and both are congruences. So the environment is folded
//! twice; forward labels come from the one, backward labels from the other:
//!
//! ```text
//! F   from the pairs of M and the environment modulo pasts that are reached
//! B   from all contexts of the environment modulo futures, on M/~F
//! ```
//!
//! One folding for both is sound but not canonical: contexts with the same future and different pasts
//! would be one. All components take part, also those outside the cone of influence: where the
//! module is reached depends on them. The proof comes from the folding that keeps futures; that the
//! requirement is canonical is not certified.

use crate::auto::budget::Polls;
use crate::auto::whole::{Whole, module_id};
use crate::auto::{AutoProgress, Grounds, ProvedBy, Quality, Synthesized, product};
use crate::cancellation::Cancellation;
use crate::cone::Cone;
use crate::contexts::Contexts;
use crate::exact::backward_labels;
use crate::fold::{FoldLimits, FoldProgress, FoldScope, Folded, Folding, Keeping};
use crate::merge::together;
use crate::requirement::{Conclusion, Requirement};
use crate::split::{Split, SplitError};
use resy_automata::lts::Lts;
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::{Explorer, Tuples};
use resy_automata::quotient::Quotient;
use resy_index::Id;
use std::cell::RefCell;

/// Cancellation is polled once per this number of states.
const POLL_EVERY: usize = 256;

/// How much is tried.
#[derive(Copy, Clone, Debug)]
pub struct CanonicalLimits {
    /// The limits of folding. The result does not depend on them.
    pub fold: FoldLimits,
    /// The pairs of the module and the folded environment that may be reached, and its contexts.
    pub contexts: usize,
}

/// The canonical requirement. `None` if there are too many contexts; the module itself if `go_on` cancels.
pub fn synthesize(
    network: &Network,
    split: &Split,
    limits: CanonicalLimits,
    mut go_on: impl FnMut(&AutoProgress) -> bool,
) -> Result<Option<Synthesized>, SplitError> {
    let module = &split.module.lts;
    if split.fails_at_once() {
        let all = Partition::single(module.n_states());
        let requirement = Requirement::new(module, all, Conclusion::Fails(Vec::new()));
        return Ok(Some(synthesized(requirement, vec![true], None)));
    }
    let mut polls = Polls::new(&mut go_on);
    let whole = Whole::as_it_is(network, split);
    let found = two_foldings(&whole, split, limits, &mut polls)?;
    Ok(found.or_else(|| polls.is_cancelled().then(|| Synthesized::undecided(split))))
}

fn two_foldings(
    whole: &Whole<'_>,
    split: &Split,
    limits: CanonicalLimits,
    polls: &mut Polls<'_>,
) -> Result<Option<Synthesized>, SplitError> {
    let (module, limit) = (&split.module.lts, limits.contexts);
    let Some(pasts) = folded(whole, Keeping::Pasts, limits.fold, polls) else { return Ok(None) };
    let Some(reached) = Reached::of(&pasts, limit, polls) else { return Ok(None) };
    let futures = folded(whole, Keeping::Futures, limits.fold, polls);
    let Some(futures) = futures else { return Ok(None) };
    let forward = Partition::by_keys(&reached.rows);
    let Some(backward) = backward(&futures, &forward, limit, polls)? else { return Ok(None) };
    let partition = forward.then(&backward);
    let verdict = match reached.errs {
        false => Conclusion::Holds,
        true => run(whole, &futures, polls).map_or(Conclusion::Interrupted, Conclusion::Fails),
    };
    let mut is_reached = vec![false; partition.n_blocks()];
    for state in module.states().filter(|state| !reached.rows[state.index()].is_empty()) {
        is_reached[partition.block_of(state).index()] = true;
    }
    let grounds = (verdict == Conclusion::Holds).then(|| {
        Grounds::Everything(Box::new(Folded::clone(&futures).into_owned()), partition.clone())
    });
    let requirement = Requirement::new(module, partition, verdict);
    Ok(Some(synthesized(requirement, is_reached, grounds)))
}

fn synthesized(
    requirement: Requirement,
    reached: Vec<bool>,
    grounds: Option<Grounds>,
) -> Synthesized {
    let quality = match (&requirement.verdict, requirement.lts().n_states()) {
        (Conclusion::Interrupted, _) => Quality::Undecided,
        (_, 1) => Quality::Smallest,
        _ => Quality::Proved,
    };
    let (by, is_cancelled) = (Some(ProvedBy::TwoFoldings), false);
    Synthesized { requirement, quality, by, is_cancelled, reached, grounds, image: None }
}

/// Folds the environment as far as the limits of products allow; `None` if it is cancelled.
fn folded<'w>(
    whole: &'w Whole<'_>,
    keeping: Keeping,
    limits: FoldLimits,
    polls: &mut Polls<'_>,
) -> Option<Folded<'w>> {
    let network = &whole.network;
    let scope = FoldScope { kept: Some(module_id()), keeping, cone: Cone::everything(network) };
    let mut go_on = |progress: &FoldProgress| polls.go_on(&AutoProgress::Folding(*progress));
    let mut folding = Folding::within(network, scope, limits, &mut go_on);
    folding.run(usize::MAX, &mut go_on).then(|| folding.folded())
}

/// The network of a folding, split at the module.
fn split_of(folded: &Folded<'_>) -> Result<Split, SplitError> {
    let module = folded.component(module_id()).into_iter().collect();
    let network = Network { module, ..folded.network.clone() };
    Split::around_module(&network, usize::MAX, &mut |_| true)
}

/// The pairs of a state of the module and a context that are reached.
struct Reached {
    /// For each state of the module, its contexts in order.
    rows: Vec<Vec<u32>>,
    /// Whether a step from a reached pair errs.
    errs: bool,
}

impl Reached {
    /// The pairs of a folding; `None` if there are more than `limit`, or if it is cancelled.
    fn of(folded: &Folded<'_>, limit: usize, polls: &mut Polls<'_>) -> Option<Self> {
        let split = split_of(folded).ok()?;
        let module = &split.module.lts;
        let systems: Vec<&Lts> = [module].into_iter().chain(split.context_systems()).collect();
        let error = Some(split.monitor.error);
        let explorer = Explorer::new(systems);
        let initial = explorer.initial();
        let (mut pairs, mut contexts) =
            (Tuples::new(initial.len()), Tuples::new(initial.len() - 1));
        let (mut rows, mut errs) = (vec![Vec::new(); module.n_states()], false);
        pairs.insert(&initial);
        let mut next = 0;
        while next < pairs.len() {
            let is_polled = next % POLL_EVERY == 0;
            if pairs.len() > limit
                || is_polled && !polls.go_on(&AutoProgress::Exploring(pairs.len()))
            {
                return None;
            }
            let pair = pairs[Id::from_index(next)].to_vec();
            let context = contexts.insert(&pair[1..]).0.index();
            rows[pair[0].index()].push(u32::try_from(context).ok()?);
            explorer.successors(&pair, |_, to| match to.last().copied() == error {
                true => errs = true,
                false => _ = pairs.insert(to),
            });
            next += 1;
        }
        rows.iter_mut().for_each(|row| row.sort_unstable());
        Some(Self { rows, errs })
    }
}

/// The partition of the classes of the module by the contexts in which they can err; `None` if there are
/// more than `limit` contexts, or if it is cancelled.
fn backward(
    folded: &Folded<'_>,
    forward: &Partition,
    limit: usize,
    polls: &mut Polls<'_>,
) -> Result<Option<Partition>, SplitError> {
    let split = split_of(folded)?;
    let module = Quotient::of(&split.module.lts, forward.clone());
    let polls = RefCell::new(polls);
    let cancellation =
        Cancellation::new(|| polls.borrow_mut().go_on(&AutoProgress::Exploring(limit)));
    let Ok(Some(contexts)) = Contexts::explore(&split, limit, &cancellation) else {
        return Ok(None);
    };
    let erring = backward_labels(module.lts(), &split, &contexts, &cancellation);
    let backward = together(module.lts().n_states(), erring.iter());
    Ok((!cancellation.is_cancelled()).then_some(backward))
}

/// A run into the error.
fn run(
    whole: &Whole<'_>,
    folded: &Folded<'_>,
    polls: &mut Polls<'_>,
) -> Option<Vec<resy_automata::product::ProductStep>> {
    let run = product::run(&folded.network, polls)?;
    Some(whole.run(&folded.unfold(&run)?))
}
