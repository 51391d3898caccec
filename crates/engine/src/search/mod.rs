//! Search of all states: what is searched, in which order, and what comes out.
//!
//! A [`Task`] says what to search and when to stop; [`search`] answers with a
//! [`Search`]. Steps are compiled if possible. States are kept in a tree-compressed
//! [store](crate::tree); breadth-first its log is the queue as well: a level is a range of
//! numbers, and the state to expand next is a position.

mod ample;
mod breadth;
mod coverage;
mod depth;
mod expander;
mod findings;
mod forms;
mod keeper;
mod limits;
mod lossy;
mod parents;
mod point;
mod relearn;
mod replay;
mod resident;
mod shorten;
mod task;
mod view;
mod watch;
mod wire;
pub mod workers;

pub use ample::{Ample, Proviso};
pub use coverage::Coverage;
pub use expander::{Arrivals, Expander, Moves, TransitionMoves};
pub use findings::{Finding, Findings, Outcome};
pub use keeper::{Identity, Keeper};
pub use limits::{Limits, Progress, Stopped};
pub use lossy::Lossy;
pub use replay::{Replay, execute, replay};
pub use shorten::shorten;
pub use task::{Order, Task};
pub use watch::Watch;

use crate::compile::Compiled;
use crate::steps::{Interpreted, Stepper};
use crate::tree::{StoredId, TreeStore};
use crate::vector::Shapes;
use parents::Parents;
use resy_system::{Interpreter, ViolationKind};
use std::time::{Duration, Instant};

/// What a search has found out.
pub struct Search {
    /// The number of states that were found.
    pub states: u64,
    /// The states, by the worker of this process that has found them; after a lossy
    /// search only those on the ways to violations.
    pub stores: Vec<TreeStore>,
    /// After a lossy search an estimate of the share of the states that it did not miss.
    pub covered: Option<f64>,
    /// Breadth-first, so many levels were searched completely, from the initial state on.
    pub n_levels: Option<u64>,
    /// Transitions: the initial state, and every path to a stored state.
    pub transitions: u64,
    /// The greatest distance from the initial state, or depth of a path.
    pub depth: u64,
    /// What went wrong.
    pub findings: Findings,
    /// What ended the search, if it is not complete.
    pub stopped: Option<Stopped>,
    /// Whether it went on with a saved search that was at its end already.
    pub was_over: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// Which edges were taken.
    pub coverage: Coverage,
    /// The shapes of the states' vectors, if one worker has found them.
    shapes: Option<Shapes>,
    /// How to find the way to a state.
    way: Way,
}

/// How the way to a state is found.
enum Way {
    Parents(Parents),
    /// The path to the first violation, for each.
    Paths(Vec<Vec<StoredId>>),
    /// The same, as vectors.
    Vectors(Vec<Vec<Vec<u8>>>),
}

/// Searches all states of a system. An error means that there is no first state.
pub fn search(task: &Task<'_>) -> Result<Search, ViolationKind> {
    let started = Instant::now();
    let expander = Expander::new(task)?;
    Ok(match task.order {
        Order::BreadthFirst => breadth::search(task, expander, started, None),
        Order::DepthFirst => depth::search(task, expander, started),
    })
}

/// The same breadth-first, saved now and then, or going on where a saved search was.
pub fn search_kept(task: &Task<'_>, keeper: &mut Keeper) -> Result<Search, ViolationKind> {
    let started = Instant::now();
    Ok(breadth::search(task, Expander::new(task)?, started, Some(keeper)))
}

/// Searches along paths with a set of states that may miss some.
pub fn search_lossy(task: &Task<'_>, lossy: Lossy) -> Result<Search, ViolationKind> {
    let started = Instant::now();
    Ok(lossy::search(task, Expander::new(task)?, started, lossy))
}

/// The way to make the steps of a task.
fn stepper<'a>(task: &Task<'a>) -> Box<dyn Stepper + 'a> {
    let interpreter = Interpreter::new(task.system, task.options);
    let widths: Vec<u32> = task.monitors.as_slice().iter().map(|m| m.width()).collect();
    let conditions = task.monitors.conditions();
    if task.compiled
        && let Some(compiled) = Compiled::new(interpreter.clone(), &widths, conditions)
    {
        return Box::new(compiled);
    }
    Box::new(Interpreted::new(interpreter, &widths))
}
