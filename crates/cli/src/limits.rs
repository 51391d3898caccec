//! How long a command may go on.

use crate::args::Resources;
use crate::progress::Meter;
use crate::turns::{Turn, Turns};
use crate::{interrupt, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits that the user has set, and the user's patience.
#[derive(Clone)]
struct Given {
    start: Instant,
    timeout: Option<Duration>,
    memory: Option<usize>,
    interrupt: Arc<AtomicBool>,
    /// Contests that one takes part in are over when these are set.
    decided: Vec<Arc<AtomicBool>>,
    /// Who wants to know how far one is.
    meter: Option<Arc<Meter>>,
}

/// How long one may go on; who is one of several asks now and then, and waits for others then.
pub struct Limits {
    given: Given,
    turn: Option<Turn>,
}

/// Several who take turns, until one of them has decided.
pub struct Contest {
    given: Given,
    turns: Arc<Turns>,
}

impl Contest {
    /// The limits of one of them; waits for the first turn.
    pub fn enter(&self) -> Limits {
        Limits { given: self.given.clone(), turn: Some(self.turns.begin()) }
    }
}

impl Limits {
    /// The limits of a command that begins now.
    pub fn of(resources: &Resources) -> Result<Self, String> {
        Self::with_interrupt(resources, interrupt::flag())
    }

    /// The same, with a flag that says that the user has had enough.
    pub fn with_interrupt(
        resources: &Resources,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, String> {
        let timeout = resources.timeout.map(|seconds| {
            let limit = Duration::try_from_secs_f64(seconds);
            limit.map_err(|_| format!("{seconds} is not a number of seconds"))
        });
        let given = Given {
            start: Instant::now(),
            timeout: timeout.transpose()?,
            memory: resources.memory,
            interrupt,
            decided: Vec::new(),
            meter: None,
        };
        Ok(Self { given, turn: None })
    }

    /// The same, with somebody who wants to know how far one is.
    #[must_use]
    pub fn told_to(mut self, meter: Meter) -> Self {
        self.given.meter = Some(Arc::new(meter));
        self
    }

    /// Who wants to know how far one is.
    pub fn meter(&self) -> Option<&Meter> {
        self.given.meter.as_deref()
    }

    /// The same, until a flag is set.
    #[must_use]
    pub fn until(mut self, is_over: &Arc<AtomicBool>) -> Self {
        self.given.decided.push(is_over.clone());
        self
    }

    /// The same, for one who takes turns; waits for the first.
    #[must_use]
    pub fn with_turn(self, turns: &Arc<Turns>) -> Self {
        Self { turn: Some(turns.begin()), ..self }
    }

    /// A contest within these limits, until `decided` is set: so many at a time, or as many as take
    /// turns already.
    pub fn contest(&self, decided: &Arc<AtomicBool>, n_at_a_time: usize) -> Contest {
        let mut given = self.given.clone();
        given.decided.push(decided.clone());
        let turns = self.turn.as_ref().map_or_else(|| Turns::new(n_at_a_time), Turn::turns);
        Contest { given, turns }
    }

    /// Waits for others, who get the turn meanwhile.
    pub fn wait_for<T>(&self, others: impl FnOnce() -> T) -> T {
        match &self.turn {
            Some(turn) => turn.pause(others),
            None => others(),
        }
    }

    /// The time since the command began.
    pub fn elapsed(&self) -> Duration {
        self.given.start.elapsed()
    }

    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.given.timeout.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The most memory that may be taken.
    pub fn memory(&self) -> Option<usize> {
        self.given.memory
    }

    /// Whether the user has had enough.
    pub fn interrupt(&self) -> &AtomicBool {
        &self.given.interrupt
    }

    /// Which limit is exceeded, if one is.
    pub fn exceeded(&self) -> Option<&'static str> {
        if let Some(turn) = &self.turn {
            turn.offer();
        }
        if self.given.decided.iter().any(|decided| decided.load(Ordering::Relaxed)) {
            return Some("another engine has decided");
        }
        if self.given.interrupt.load(Ordering::Relaxed) {
            Some("it was interrupted")
        } else if self.given.timeout.is_some_and(|limit| self.elapsed() >= limit) {
            Some("the time limit was reached")
        } else if self.given.memory.is_some_and(|limit| memory::peak() >= limit as u64) {
            Some("the memory limit was reached")
        } else {
            None
        }
    }
}
