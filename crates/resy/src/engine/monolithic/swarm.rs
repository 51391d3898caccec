//! Swarm: many small searches instead of one that does not fit.
//!
//! One in eight is directed. The others are depth-first, each in a random order of its own and with a small field of bits
//! that takes other states for known ones (Holzmann, Joshi and Groce, *Swarm verification techniques*, 2011). Their
//! budgets count transitions and grow, so that the same seed finds the same violation on every machine that has the time.
//! A directed search has a smaller budget, since its estimates take longer than steps: it must not use up the time of all
//! others where it is led astray. Without a violation nothing is known.

use super::saving;
use crate::control::Control;
use crate::question::CallError;
use resy_engine::search::{Lossy, Order, Search, Stopped, Task, search, search_lossy};

/// The transitions of the first searches.
const FIRST_BUDGET: u64 = 20_000;

/// After this many searches with a budget it is doubled. The first one of them is directed.
const ROUND: u64 = 8;

/// The budget of a directed search is this part of that of the others.
const DIRECTED_PART: u64 = 8;

/// The number of searches, if nothing else limits them.
const MOST_RUNS: u64 = 64;

/// The bytes of the field of bits, unless there is less memory.
const FIELD: usize = 16 << 20;

/// The search that has found a violation, or the last one; and what all of them did, in words.
pub(super) fn fly(
    task: &mut Task<'_>,
    seed: u64,
    control: &Control,
) -> Result<(Search, String), CallError> {
    let field = control.memory().map_or(FIELD, |limit| FIELD.min(limit / 4).max(1 << 16));
    let is_limited = task.limits.timeout.is_some();
    let (mut n_runs, mut n_states) = (0, 0);
    loop {
        let budget = FIRST_BUDGET << (n_runs / ROUND).min(20);
        task.limits.timeout = control.left();
        let mut found = if n_runs % ROUND == 0 {
            (task.order, task.seed) = (Order::Directed, None);
            task.limits.transitions = Some(budget / DIRECTED_PART);
            search(task).map_err(super::team::initial)?
        } else {
            (task.order, task.seed) =
                (Order::DepthFirst, Some(seed.wrapping_add(n_runs) | 1 << 63));
            task.limits.transitions = Some(budget);
            search_lossy(task, Lossy::BitState(field)).map_err(saving::lossy_trouble)?
        };
        n_runs += 1;
        n_states += found.states;
        let is_over = match found.stopped {
            None | Some(Stopped::Transitions) => !is_limited && n_runs >= MOST_RUNS,
            Some(_) => true,
        };
        if is_over || !found.findings.is_empty() || !control.may_go_on() {
            // What one search has visited proves nothing of the others.
            found.covered.get_or_insert(0.0);
            found.stopped = found.stopped.filter(|stopped| *stopped != Stopped::Transitions);
            found.states = n_states;
            let runs =
                if n_runs == 1 { "1 search".to_owned() } else { format!("{n_runs} searches") };
            return Ok((found, format!("swarm: {runs}, seed {seed}")));
        }
    }
}
