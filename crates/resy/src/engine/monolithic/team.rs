//! Who searches: the threads of this process, or several hosts.

use super::saving::saved_by_one;
use crate::control::{Control, Message};
use crate::question::{CallError, Question};
use resy_engine::search::workers::{self, Archive, HostListError, Hosts, Workers, WorkersFailure};
use resy_engine::search::{self, Order, Search, Task, Threads};

/// Up to this many states one thread searches alone, unless the question says otherwise.
const ALONE: usize = 50_000;

/// Searches as the question asks for.
pub(super) fn search(
    question: &Question,
    task: &Task<'_>,
    archive: Option<&Archive>,
    control: &Control,
) -> Result<Search, CallError> {
    let several = !is_one(question) && task.order == Order::BreadthFirst;
    let workers = workers(question, archive.is_some())?;
    if question.threads.is_some_and(|n| n > 1) {
        match task.order {
            Order::BreadthFirst => {}
            Order::DepthFirst => {
                control.tell(&Message::Note("a depth-first search uses one thread"));
            }
            Order::Directed => control.tell(&Message::Note("a directed search uses one thread")),
            Order::Shortest => {
                control.tell(&Message::Note("a search for the shortest run uses one thread"));
            }
        }
    }
    if !several {
        return search::search(task).map_err(initial);
    }
    let note = |words: &str| control.tell(&Message::Warning(words));
    workers::search(task, &workers, archive, &note).map_err(|trouble| match trouble {
        WorkersFailure::Initial(kind) => initial(kind),
        WorkersFailure::Hosts(apart) => CallError::Other(apart.to_string()),
        WorkersFailure::Checkpoint(what) => {
            CallError::Other(format!("the checkpoint cannot be used: {what}"))
        }
    })
}

/// There is no initial state.
pub(super) fn initial(kind: resy_system::ViolationKind) -> CallError {
    CallError::Other(format!("the initial values cannot be computed: {kind}"))
}

/// Whether one process searches, whose threads share a store. What one has saved is continued by one, with any number
/// of threads, and what several have saved by any number.
pub(super) fn is_one(question: &Question) -> bool {
    saved_by_one(question).unwrap_or(question.search.hosts.is_none())
}

/// The threads of this process, if it searches alone.
pub(super) fn threads(question: &Question) -> Threads {
    Threads::new(question.n_threads()).alone(question.search.alone.unwrap_or(ALONE))
}

/// The threads of this process, and the hosts.
pub(super) fn workers(question: &Question, is_saved: bool) -> Result<Workers, CallError> {
    let hosts = question.search.hosts.as_ref().map(|list| {
        let hosts = Hosts::read(&list.text, list.index, list.key.clone());
        let hosts = hosts.map(|hosts| Hosts { listener: list.listener.clone(), ..hosts });
        hosts.map_err(|error| {
            let message = format!("{}: {error}", list.name);
            match error {
                HostListError::NoKey(_) => CallError::NoHostsKey(message),
                _ => CallError::Other(message),
            }
        })
    });
    let alone = question.search.alone.unwrap_or(ALONE);
    // A search that is saved has a store and a part of the checkpoint for each thread.
    let (threads, inside) =
        if is_saved { (question.n_threads(), 1) } else { (1, question.n_threads()) };
    Ok(Workers { threads, inside: Threads::new(inside), hosts: hosts.transpose()?, alone })
}
