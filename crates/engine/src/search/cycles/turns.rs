//! Taking turns with the graph of the system, or with other hosts: they search breadth-first what one thread searches
//! depth-first.
//!
//! Whoever is first decides. The graph and the hosts can only exclude cycles, so that the run that is shown is always that of
//! the depth-first search.

use super::system_graph::{self, SystemExplorers};
use super::{Couvreur, Stopped};
use crate::search::limits::Progress;
use crate::search::task::Task;
use crate::search::workers::{Hosts, Workers};
use resy_system::LivenessClaim;

/// Others visit `states` times the states of the depth-first search before it goes on, and it visits `growth` times its own
/// before they do. So it visits at most a sixteenth of their states (an eighth beside hosts, which meet less often), and a
/// violation that it would find is not missed for long.
#[derive(Copy, Clone)]
pub(super) struct Turn {
    states: usize,
    growth: usize,
}

impl Turn {
    /// Several threads and hosts are fast; one thread has the states of both turns to visit itself.
    pub fn of(task: &Task<'_>, company: Option<&Company<'_>>) -> Self {
        match company {
            None if task.threads.n < 2 => Self { states: 32, growth: 2 },
            None => Self { states: 64, growth: 2 },
            Some(_) => Self { states: 64, growth: 8 },
        }
    }
}

/// Other hosts that search for the same cycles.
pub(super) struct Company<'a> {
    pub workers: &'a Workers,
    pub hosts: &'a Hosts,
    /// Receives what the user should know about connections.
    pub note: &'a dyn Fn(&str),
}

/// The number of states after which others are asked, if there are any.
pub(super) fn first_pause(
    task: &Task<'_>,
    claim: &LivenessClaim,
    company: Option<&Company<'_>>,
) -> usize {
    // The product is not larger than the system, and all of it is searched for cycles in any case.
    let has_no_gain = task.threads.n < 2 && claim.n_states() == 1 && claim.marks() == 0;
    // A limit on transitions is exact, which others are not.
    match company {
        _ if task.limits.transitions.is_some() => usize::MAX,
        Some(company) => company.workers.alone.max(1),
        None if has_no_gain => usize::MAX,
        None => task.threads.alone.max(1),
    }
}

impl<'a> Couvreur<'a> {
    /// Lets others go on, and returns whether they have found out that there is no violation.
    pub(super) fn ask_others(&mut self) -> Result<bool, Stopped> {
        let turn = Turn::of(self.task, self.company.as_ref());
        let enough = turn.states.saturating_mul(self.pause);
        let answer = match self.company {
            Some(_) => self.ask_hosts(enough)?,
            None => self.ask_graph(enough)?,
        };
        match answer {
            Answer::NoCycle(extent) => {
                self.by_others = Some(extent);
                return Ok(true);
            }
            Answer::Later => self.pause = self.pause.saturating_mul(turn.growth),
            Answer::Never => self.pause = usize::MAX,
        }
        Ok(false)
    }

    /// Lets the threads of this process go on with the graph of the system.
    fn ask_graph(&mut self, enough: usize) -> Result<Answer, Stopped> {
        let (task, own_memory) = (self.task, self.memory());
        let threads = self.explorers.take().or_else(|| {
            let most = task.store.most(&task.limits);
            SystemExplorers::new(task, self.claim, self.condition.fairness, most)
        });
        let Some(mut threads) = threads else { return Ok(Answer::Never) };
        let look = &mut |extent| self.look_at(extent, own_memory);
        match threads.explore(enough, look)? {
            HowFar::All if system_graph::exclude_cycles(&mut threads, look)? => {
                return Ok(Answer::NoCycle(threads.extent()));
            }
            HowFar::Enough => {}
            HowFar::All | HowFar::Abandoned => return Ok(Answer::Never),
        }
        self.explorers = Some(threads);
        Ok(Answer::Later)
    }

    /// Closes the connections to other hosts.
    pub(super) fn take_leave(&mut self, in_order: bool) {
        if let Some(hosts) = self.among.take() {
            hosts.end(in_order);
        }
    }

    /// Checks the limits while others go on.
    pub(super) fn look_at(
        &mut self,
        extent: VisitedExtent,
        own_memory: usize,
    ) -> Result<(), Stopped> {
        let VisitedExtent { states, waiting, transitions, depth, memory } = extent;
        let progress = |elapsed| Progress { states, waiting, transitions, depth, memory, elapsed };
        let stopped = self.clock.look(&self.task.limits, own_memory + memory, progress);
        stopped.map_or(Ok(()), Err)
    }
}

/// The size of what others have done so far.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct VisitedExtent {
    pub states: usize,
    pub waiting: usize,
    pub transitions: u64,
    pub depth: u64,
    pub memory: usize,
}

/// Asks whether a limit is reached.
pub(super) type Look<'l> = dyn FnMut(VisitedExtent) -> Result<(), Stopped> + 'l;

/// How far others have come.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum HowFar {
    /// All states are visited.
    All,
    /// As many as were asked for.
    Enough,
    /// There is a violation, or no room: the depth-first search must go on.
    Abandoned,
}

/// What others have found.
pub(super) enum Answer {
    /// All of the product was visited, and nothing violates the claim.
    NoCycle(VisitedExtent),
    /// They may go on later.
    Later,
    /// One thread must go on alone.
    Never,
}
