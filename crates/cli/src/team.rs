//! Who searches: this thread, several, or several hosts.

use crate::args::Check;
use crate::properties::{Verdict, reason};
use resy_engine::search::workers::{self, Hosts, Trouble, Workers};
use resy_engine::search::{self, Order, Search, Task};

/// Searches as the arguments ask for; an error is a sentence.
pub fn search(check: &Check, task: &Task<'_>) -> Result<Search, String> {
    let workers = workers(check)?;
    let one = task.ample.is_some() || workers.threads == 1 && workers.hosts.is_none();
    if task.order == Order::DepthFirst
        && check.threads.is_some_and(|n| n > 1)
        && !check.common.quiet
    {
        eprintln!("resy: a depth-first search uses one thread");
    }
    if !one && task.order == Order::BreadthFirst && !check.plain && !check.common.quiet {
        eprintln!("resy: without partial order reduction, which needs one worker");
    }
    let initial = |kind| format!("the initial values cannot be computed: {kind}");
    if one || task.order == Order::DepthFirst {
        return search::search(task).map_err(initial);
    }
    workers::search(task, &workers).map_err(|trouble| match trouble {
        Trouble::Initial(kind) => initial(kind),
        Trouble::Hosts(apart) => apart.to_string(),
    })
}

/// Whether one worker searches: the partial order reduction needs to know at once what
/// has been seen, and mostly saves more than a second worker.
pub fn is_one(check: &Check) -> bool {
    check.hosts.is_none() && check.threads.is_none_or(|n| n == 1)
}

fn workers(check: &Check) -> Result<Workers, String> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = check.threads.unwrap_or_else(cores);
    let hosts = check.hosts.as_ref().map(|file| {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        Hosts::read(&text, check.host_index.unwrap_or(0)).map_err(|e| format!("{name}: {e}"))
    });
    Ok(Workers { threads, hosts: hosts.transpose()?, alone: check.alone })
}

/// What a host says that is not the first.
pub fn summarize(index: usize, search: &Search, verdict: Verdict) {
    let why = reason(search.stopped).map(|why| format!(", {why}")).unwrap_or_default();
    let whose = if search.stores.is_empty() { "this host" } else { "all hosts" };
    let (verdict, states) = (verdict.as_str(), search.states);
    eprintln!("resy: host {index}: {verdict}{why}; {states} states on {whose}");
}
