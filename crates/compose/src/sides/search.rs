//! Breadth-first search for a shortest path, over anything.

use crate::cancellation::Cancellation;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The caller cancelled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// A result, unless the caller cancelled.
pub(crate) type Fallible<T> = Result<T, Cancelled>;

/// What is polled for cancellation. Unlike the type behind it, a reference to it may be shortened.
pub(crate) trait Polled {
    /// Fails if the caller cancels; asks now and then only.
    fn poll(&self) -> Fallible<()>;

    /// Fails if the caller cancels; asks now, for a step that may take long.
    fn poll_now(&self) -> Fallible<()> {
        self.poll()
    }
}

impl Polled for Cancellation<'_> {
    fn poll(&self) -> Fallible<()> {
        match self.goes_on() {
            true => Ok(()),
            false => Err(Cancelled),
        }
    }

    fn poll_now(&self) -> Fallible<()> {
        match self.goes_on_now() {
            true => Ok(()),
            false => Err(Cancelled),
        }
    }
}

/// The steps of a shortest path from `start` to a goal, each with the points before and after it.
/// `expand` appends the steps out of a point.
pub(crate) fn shortest<P: Copy + Eq + Hash, L: Copy>(
    start: P,
    cancellation: &dyn Polled,
    is_goal: impl Fn(P) -> bool,
    mut expand: impl FnMut(P, &mut Vec<(L, P)>) -> Fallible<()>,
) -> Fallible<Option<Vec<(P, L, P)>>> {
    if is_goal(start) {
        return Ok(Some(Vec::new()));
    }
    let mut parents: FxHashMap<P, Option<(P, L)>> = FxHashMap::default();
    parents.insert(start, None);
    let (mut queue, mut next) = (vec![start], 0);
    let mut steps = Vec::new();
    while let Some(&point) = queue.get(next) {
        cancellation.poll()?;
        steps.clear();
        expand(point, &mut steps)?;
        for &(label, to) in &steps {
            if parents.contains_key(&to) {
                continue;
            }
            parents.insert(to, Some((point, label)));
            if is_goal(to) {
                return Ok(Some(path(to, &parents)));
            }
            queue.push(to);
        }
        next += 1;
    }
    Ok(None)
}

fn path<P: Copy + Eq + Hash, L: Copy>(
    mut to: P,
    parents: &FxHashMap<P, Option<(P, L)>>,
) -> Vec<(P, L, P)> {
    let mut steps = Vec::new();
    while let Some(&Some((from, label))) = parents.get(&to) {
        steps.push((from, label, to));
        to = from;
    }
    steps.reverse();
    steps
}
