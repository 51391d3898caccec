//! Taking turns with several threads, or with other hosts: they search breadth-first what one thread searches depth-first.
//!
//! Whoever is first decides. Threads and hosts can only exclude cycles, so that the run that is shown is always that of the
//! depth-first search.

use super::rounds::{self, HowFar, ProductExplorers, VisitedExtent};
use super::{Couvreur, Stopped};
use crate::search::limits::Progress;
use crate::search::task::Task;
use crate::search::workers::{Hosts, Workers};

/// Threads visit this many times the states of the depth-first search before it goes on, and it visits that many times
/// its own before they do. So it costs them little, and a violation that it would find is not missed for long.
const TURN: usize = 64;
const GROWTH: usize = 8;

/// Other hosts that search for the same cycles.
pub(super) struct Company<'a> {
    pub workers: &'a Workers,
    pub hosts: &'a Hosts,
    /// Receives what the user should know about connections.
    pub note: &'a dyn Fn(&str),
}

/// The number of states after which several threads or hosts are asked, if there are any.
pub(super) fn first_pause(task: &Task<'_>, company: Option<&Company<'_>>) -> usize {
    // A limit on transitions is exact, which rounds are not.
    match company {
        _ if task.limits.transitions.is_some() => usize::MAX,
        Some(company) => company.workers.alone.max(1),
        None if task.threads.n >= 2 => task.threads.alone.max(1),
        None => usize::MAX,
    }
}

impl<'a> Couvreur<'a> {
    /// Lets several threads or hosts go on, and returns whether they have found out that there is no violation.
    pub(super) fn ask_others(&mut self) -> Result<bool, Stopped> {
        let enough = TURN.saturating_mul(self.pause);
        let answer = match self.company {
            Some(_) => self.ask_hosts(enough)?,
            None => self.ask_threads(enough)?,
        };
        match answer {
            Answer::NoCycle(extent) => {
                self.by_rounds = Some(extent);
                return Ok(true);
            }
            Answer::Later => self.pause = self.pause.saturating_mul(GROWTH),
            Answer::Never => self.pause = usize::MAX,
        }
        Ok(false)
    }

    fn ask_threads(&mut self, enough: usize) -> Result<Answer, Stopped> {
        let (task, own_memory) = (self.task, self.memory());
        let threads = self.explorers.take().or_else(|| {
            let most = task.store.most(&task.limits);
            ProductExplorers::new(task, self.claim, self.condition.fairness, most)
        });
        let Some(mut threads) = threads else { return Ok(Answer::Never) };
        let look = &mut |extent| self.look_at(extent, own_memory);
        match threads.explore(enough, look)? {
            HowFar::All if rounds::exclude_cycles(&mut threads, look)? => {
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

/// What several threads or hosts have found.
pub(super) enum Answer {
    /// All of the product was visited, and nothing violates the claim.
    NoCycle(VisitedExtent),
    /// They may go on later.
    Later,
    /// One thread must go on alone.
    Never,
}
