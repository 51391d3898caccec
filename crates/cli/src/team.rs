//! Who searches: this thread, several, or several hosts.

use crate::args::Check;
use crate::long::saved_by_one;
use crate::properties::{Verdict, reason};
use resy_engine::search::workers::{self, Archive, Hosts, Trouble, Workers};
use resy_engine::search::{self, Order, Search, Task};

/// Searches as the arguments ask for; an error is a sentence.
pub fn search(check: &Check, task: &Task<'_>, archive: Option<&Archive>) -> Result<Search, String> {
    let several = !is_one(check, task.ample.is_some()) && task.order == Order::BreadthFirst;
    let workers = workers(check)?;
    if task.order == Order::DepthFirst
        && check.threads.is_some_and(|n| n > 1)
        && !check.common.quiet
    {
        eprintln!("resy: a depth-first search uses one thread");
    }
    if several && !check.plain && !check.common.quiet {
        eprintln!("resy: without partial order reduction, which needs one worker");
    }
    let initial = |kind| format!("the initial values cannot be computed: {kind}");
    if !several {
        return search::search(task).map_err(initial);
    }
    workers::search(task, &workers, archive).map_err(|trouble| match trouble {
        Trouble::Initial(kind) => initial(kind),
        Trouble::Hosts(apart) => apart.to_string(),
        Trouble::Checkpoint(what) => format!("the checkpoint cannot be used: {what}"),
    })
}

/// Whether a partial order reduction is possible: it needs to know at once what has been
/// seen, so that one worker searches, and mostly saves more than a second worker.
pub fn may_reduce(check: &Check) -> bool {
    let one = check.hosts.is_none() && check.threads.is_none_or(|n| n == 1);
    saved_by_one(check).unwrap_or(one)
}

/// Whether one worker searches. What one has saved goes on with one, what several have
/// saved goes on with any number.
pub fn is_one(check: &Check, reduces: bool) -> bool {
    let one = reduces || check.hosts.is_none() && threads(check) == 1;
    saved_by_one(check).unwrap_or(one)
}

/// How many threads may be used.
pub fn threads(check: &Check) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    check.threads.unwrap_or_else(cores)
}

fn workers(check: &Check) -> Result<Workers, String> {
    let hosts = check.hosts.as_ref().map(|file| {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        Hosts::read(&text, check.host_index.unwrap_or(0)).map_err(|e| format!("{name}: {e}"))
    });
    Ok(Workers { threads: threads(check), hosts: hosts.transpose()?, alone: check.alone })
}

/// What a host says that is not the first.
pub fn summarize(index: usize, search: &Search, verdict: Verdict) {
    let why = reason(search.stopped).map(|why| format!(", {why}")).unwrap_or_default();
    let whose = if search.stores.is_empty() { "this host" } else { "all hosts" };
    let (verdict, states) = (verdict.as_str(), search.states);
    eprintln!("resy: host {index}: {verdict}{why}; {states} states on {whose}");
}
