//! Search of all states: what is searched, in which order, and the result.
//!
//! A [`Task`] says what to search and when to stop; [`search`] returns a [`Search`]. Steps are compiled if
//! possible. States are kept in a [store](crate::store), flat or compressed. In breadth-first search its log is
//! also the queue: a level is a range of numbers, and the state to expand next is a position.

mod adapt;
mod ample;
mod breadth;
mod coverage;
mod cycles;
mod depth;
mod directed;
mod expander;
mod explored;
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
mod shortest;
mod stored;
mod symmetry;
mod task;
mod view;
mod watch;
mod wire;
#[cfg_attr(not(feature = "hosts"), path = "no_workers.rs")]
pub mod workers;

pub use adapt::StorePolicy;
pub use ample::{Ample, Proviso};
pub use coverage::Coverage;
pub use cycles::{
    CycleKeeper, CycleSearch, InfiniteRun, search_cycles, search_cycles_among, search_cycles_kept,
};
pub use expander::{Arrivals, Expander, Moves, TransitionMoves};
pub use findings::{Finding, Findings};
pub use keeper::{Identity, Keeper};
pub use limits::{Limits, Progress, Stopped};
pub use lossy::{Lossy, LossyTrouble};
pub use replay::{Replay, execute, execute_while, replay, replay_while};
pub use shorten::shorten;
pub use stored::{stored_states, visit_states};
pub use symmetry::{KnownSymmetry, symmetric_images};
pub use task::{Order, Task, Threads};
pub use watch::Watch;

#[cfg(feature = "compile")]
use crate::compile::Compiled;
use crate::steps::{Interpreted, Stepper};
use crate::store::StateStore;
use crate::tree::StoredId;
use crate::vector::{Shapes, Width};
use limits::Clock;
use parents::Parents;
use resy_system::{Expr, Interpreter, LivenessClaim, ViolationKind};
use std::time::{Duration, Instant};

/// The result of a search.
pub struct Search {
    /// The number of states found.
    pub states: u64,
    /// The states, by worker of this process; after a lossy search only those on the paths to violations.
    pub stores: Vec<StateStore>,
    /// After a lossy search, an estimate of the fraction of the states that were found.
    pub covered: Option<f64>,
    /// In breadth-first search, the number of levels that were searched completely.
    pub n_levels: Option<u64>,
    /// The number of transitions: one for the initial state, and one for every path to a stored state.
    pub transitions: u64,
    /// The greatest distance from the initial state, or depth of a path.
    pub depth: u64,
    /// The violations.
    pub findings: Findings,
    /// Why the search is not complete, if it is not.
    pub stopped: Option<Stopped>,
    /// Whether a saved search was resumed that was already complete.
    pub was_over: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// The edges that were taken.
    pub coverage: Coverage,
    /// The shapes of the vectors, if there was one worker.
    shapes: Option<Shapes>,
    /// How the path to a state is found.
    way: Way,
}

/// How the path to a state is found.
enum Way {
    Parents(Parents),
    /// The path to the first violation of each kind.
    Paths(Vec<Vec<StoredId>>),
    /// The same paths, as vectors.
    Vectors(Vec<Vec<Vec<u8>>>),
}

/// Searches all states of a system; an error if the initial state does not exist.
pub fn search(task: &Task<'_>) -> Result<Search, ViolationKind> {
    let started = Instant::now();
    let expander = Expander::new(task)?;
    Ok(match task.order {
        Order::BreadthFirst => breadth::search(task, expander, started, None),
        Order::DepthFirst => depth::search(task, expander, started),
        Order::Directed => directed::search(task, expander, started),
        Order::Shortest => shortest::search(task, expander, started),
    })
}

/// Like [`search`], breadth-first, with periodic saves; resumes a saved search.
pub fn search_kept(task: &Task<'_>, keeper: &mut Keeper) -> Result<Search, ViolationKind> {
    let started = Instant::now();
    Ok(breadth::search(task, Expander::new(task)?, started, Some(keeper)))
}

/// Searches depth-first with a lossy set of states.
pub fn search_lossy(task: &Task<'_>, lossy: Lossy) -> Result<Search, LossyTrouble> {
    let started = Instant::now();
    let expander = Expander::new(task).map_err(LossyTrouble::Initial)?;
    lossy::search(task, expander, started, lossy)
}

/// The compiled or interpreted steps of a task; interpreted, if `go_on` ends the compilation.
fn stepper<'a>(task: &Task<'a>, go_on: &mut dyn FnMut() -> bool) -> Box<dyn Stepper + 'a> {
    let widths: Vec<u32> = task.monitors.as_slice().iter().map(|m| m.width()).collect();
    stepper_with(task, &widths, task.monitors.conditions(), go_on)
}

/// The steps of a task's system alone, which evaluate the conditions of a claim.
fn reading_stepper<'a>(task: &Task<'a>, claim: &LivenessClaim) -> Box<dyn Stepper + 'a> {
    let mut clock = Clock::new(Instant::now());
    stepper_with(task, &[], &claim.propositions, &mut || clock.permits(&task.limits))
}

/// The steps of a task's system in the product with a claim, whose state is in the place of a monitor.
fn claim_stepper<'a>(task: &Task<'a>, claim: &LivenessClaim) -> Box<dyn Stepper + 'a> {
    let width = 8 * Width::for_count(claim.n_states()).bytes();
    let widths: &[u32] = if claim.is_of_labels() { &[] } else { &[width] };
    let mut clock = Clock::new(Instant::now());
    stepper_with(task, widths, &claim.propositions, &mut || clock.permits(&task.limits))
}

fn stepper_with<'a>(
    task: &Task<'a>,
    widths: &[u32],
    #[cfg_attr(not(feature = "compile"), expect(unused))] conditions: &[Expr],
    #[cfg_attr(not(feature = "compile"), expect(unused))] go_on: &mut dyn FnMut() -> bool,
) -> Box<dyn Stepper + 'a> {
    let interpreter = Interpreter::new(task.system, task.options);
    #[cfg(feature = "compile")]
    if task.compiled
        && let Some(compiled) = Compiled::new(interpreter.clone(), widths, conditions, go_on)
    {
        return Box::new(compiled);
    }
    Box::new(Interpreted::new(interpreter, widths))
}
