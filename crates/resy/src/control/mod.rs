//! What bounds a computation: limits, cancellation and an observer.
//!
//! Every loop of every engine asks its [`Control`] whether to go on. Asking is cooperative: a
//! computation that shares threads with rivals may yield its turn there, and learns there that a
//! rival has decided.

pub mod memory;
mod observer;
mod turns;

pub use observer::{Message, Observer, Stage};
pub use turns::{Turn, Turns};

use resy_automata::product::Explored;
use resy_compose::{fold, refine};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a computation that began at its creation, and who observes it.
pub struct Control {
    given: Given,
    turn: Option<Turn>,
}

/// Beside what the process has taken when its limit is set, at least this much is given to all phases but the
/// search, whose states have the limit itself: a model that is not read is not searched, however little.
const LEAST: u64 = 16 << 20;

/// A run that was found is replayed for this long beyond a limit: otherwise a limit that is reached at the same
/// moment would cost the verdict.
const GRACE: Duration = Duration::from_millis(500);

/// Preparations that take longer are shown.
const SHOWN: Duration = Duration::from_millis(500);

/// A preparation that takes less is not ended by a limit.
const MOMENT: Duration = Duration::from_millis(50);

/// What all participants of a computation share.
#[derive(Clone)]
struct Given {
    start: Instant,
    timeout: Option<Duration>,
    memory: Option<usize>,
    /// The largest resident set that the memory limit permits.
    most: u64,
    canceller: Canceller,
    /// The computation is over when one of these is set.
    decided: Vec<Arc<AtomicBool>>,
    taken: Arc<memory::Taken>,
    observer: Option<Arc<dyn Observer>>,
    condition: Option<Condition>,
}

/// Whether the caller of a computation is still interested in it.
type Condition = Arc<dyn Fn() -> bool + Send + Sync>;

/// Cancels a computation, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    /// The user has cancelled.
    cancelled: AtomicBool,
    /// The search of all states stops: by the user's word, or because rivals have decided.
    stop: AtomicBool,
}

impl Canceller {
    /// Asks for the end; whether that was asked before.
    pub fn cancel(&self) -> bool {
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.cancelled.swap(true, Ordering::Relaxed)
    }

    /// Stops the search of all states, because rivals have decided.
    pub(crate) fn stop_search(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Why a computation must stop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A rival has decided.
    Decided,
    /// The user has cancelled.
    Cancelled,
    /// The time limit is reached.
    Time,
    /// The memory limit is reached.
    Memory,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Decided => "another engine has decided",
            Self::Cancelled => "it was interrupted",
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
        })
    }
}

/// Participants that take turns until one of them has decided.
pub struct Contest {
    given: Given,
    turns: Arc<Turns>,
}

impl Contest {
    /// The control of one participant; waits for its first turn.
    pub fn enter(&self) -> Control {
        Control { given: self.given.clone(), turn: Some(self.turns.begin()) }
    }
}

impl Default for Control {
    fn default() -> Self {
        let given = Given {
            start: Instant::now(),
            timeout: None,
            memory: None,
            most: u64::MAX,
            canceller: Canceller::default(),
            decided: Vec::new(),
            taken: Arc::default(),
            observer: None,
            condition: None,
        };
        Self { given, turn: None }
    }
}

impl Control {
    /// A computation without limits that begins now.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Stops after this time.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.given.timeout = timeout;
        self
    }

    /// Stops when the process takes this many bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: Option<usize>) -> Self {
        self.given.memory = bytes;
        self.given.most =
            bytes.map_or(u64::MAX, |bytes| (bytes as u64).max(memory::peak() + LEAST));
        self
    }

    /// Stops when `goes_on` says no, as if it were cancelled. It is called whenever a loop asks, from any thread, so
    /// that the number of calls measures how often loops ask.
    #[must_use]
    pub fn with_condition(mut self, goes_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.given.condition = Some(Arc::new(goes_on));
        self
    }

    /// Whether the search of all states has more to ask than its own limits.
    pub(crate) fn has_condition(&self) -> bool {
        self.given.condition.is_some()
    }

    /// Tells an observer how far it is.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Self {
        self.given.observer = Some(observer);
        self
    }

    /// A handle that cancels the computation.
    pub fn canceller(&self) -> Canceller {
        self.given.canceller.clone()
    }

    /// The time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.given.start.elapsed()
    }

    /// The time limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.given.timeout
    }

    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.given.timeout.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The memory limit, in bytes.
    pub fn memory(&self) -> Option<usize> {
        self.given.memory
    }

    /// Which limit is exceeded, if one is. Yields the turn to rivals that wait for one.
    pub fn exceeded(&self) -> Option<Stop> {
        if let Some(turn) = &self.turn {
            turn.offer();
        }
        if self.given.decided.iter().any(|decided| decided.load(Ordering::Relaxed)) {
            return Some(Stop::Decided);
        }
        let is_unwanted = self.given.condition.as_ref().is_some_and(|goes_on| !goes_on());
        if is_unwanted || self.given.canceller.0.cancelled.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else if self.given.timeout.is_some_and(|limit| self.elapsed() >= limit) {
            Some(Stop::Time)
        } else if self.given.memory.is_some() && self.taken() >= self.given.most {
            Some(Stop::Memory)
        } else {
            None
        }
    }

    /// Whether so many bytes more may be taken.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.given.memory.is_none() || self.taken().saturating_add(bytes as u64) < self.given.most
    }

    fn taken(&self) -> u64 {
        self.given.taken.peak(self.elapsed())
    }

    /// Whether no limit is exceeded.
    pub fn may_go_on(&self) -> bool {
        self.exceeded().is_none()
    }

    /// Whether to go on with what comes before a search. What takes a moment only is done in any case, if there is
    /// memory: then even the smallest limit leaves something that was covered, or a saved search that was complete.
    pub(crate) fn preparation(&self) -> impl Fn() -> bool + 'static {
        let (control, started) = (self.share(), Instant::now());
        move || {
            let elapsed = started.elapsed();
            if elapsed >= SHOWN {
                control.tell_if_due(Stage::Preparation, || Message::Preparation);
            }
            match elapsed < MOMENT {
                true => control.has_room(0),
                false => control.may_go_on(),
            }
        }
    }

    /// Whether to go on with the replay of a run that was found.
    pub(crate) fn replaying(&self) -> impl FnMut() -> bool + 'static {
        let (control, started, mut n_asked) = (self.share(), Instant::now(), 0_u32);
        move || {
            n_asked = n_asked.wrapping_add(1);
            let is_asked = n_asked.is_multiple_of(64);
            !is_asked || control.may_go_on() || started.elapsed() < GRACE
        }
    }

    /// The flag that stops a search of all states.
    pub(crate) fn stop_flag(&self) -> &AtomicBool {
        &self.given.canceller.0.stop
    }

    /// Takes back [`Canceller::stop_search`], but not the user's word.
    pub(crate) fn resume_search(&self) {
        let flags = &self.given.canceller.0;
        flags.stop.store(flags.cancelled.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// A control with the same limits and no turn.
    pub(crate) fn share(&self) -> Self {
        Self { given: self.given.clone(), turn: None }
    }

    /// The same until a flag is set.
    #[must_use]
    pub(crate) fn until(mut self, is_over: &Arc<AtomicBool>) -> Self {
        self.given.decided.push(is_over.clone());
        self
    }

    /// The same for a participant that takes turns; waits for the first one.
    #[must_use]
    pub(crate) fn with_turn(self, turns: &Arc<Turns>) -> Self {
        Self { turn: Some(turns.begin()), ..self }
    }

    /// A contest within these limits until `decided` is set. At most `n_at_a_time` participants
    /// run at once, or as many as take turns already.
    pub(crate) fn contest(&self, decided: &Arc<AtomicBool>, n_at_a_time: usize) -> Contest {
        let mut given = self.given.clone();
        given.decided.push(decided.clone());
        let turns = self.turn.as_ref().map_or_else(|| Turns::new(n_at_a_time), Turn::turns);
        Contest { given, turns }
    }

    /// Waits for others and leaves them its turn meanwhile.
    pub(crate) fn wait_for<T>(&self, others: impl FnOnce() -> T) -> T {
        match &self.turn {
            Some(turn) => turn.pause(others),
            None => others(),
        }
    }

    /// Tells the observer.
    pub fn tell(&self, message: &Message<'_>) {
        if let Some(observer) = &self.given.observer {
            observer.tell(message);
        }
    }

    fn tell_if_due(&self, stage: Stage, message: impl FnOnce() -> Message<'static>) {
        if let Some(observer) = self.due(stage) {
            observer.tell(&message());
        }
    }

    fn due(&self, stage: Stage) -> Option<&Arc<dyn Observer>> {
        self.given.observer.as_ref().filter(|observer| observer.is_due(stage))
    }

    /// Tells the number of local states of components; whether to go on.
    pub fn components(&self, n_states: usize) -> bool {
        self.tell_if_due(Stage::Components, || Message::Components(n_states));
        self.may_go_on()
    }

    /// Tells how far a refinement is. `size` computes the size of the requirement so far.
    pub fn refinement(
        &self,
        progress: &refine::RefineProgress,
        size: impl FnOnce() -> Option<usize>,
    ) {
        if let Some(observer) = self.due(Stage::Refinement) {
            observer.tell(&Message::Refinement(progress, size()));
        }
    }

    /// Tells how far a folding is.
    pub fn folding(&self, progress: &fold::FoldProgress) {
        if let Some(observer) = self.due(Stage::Folding) {
            observer.tell(&Message::Folding(progress));
        }
    }

    /// Tells the number of states of a product; whether to go on.
    pub fn product(&self, n_states: usize) -> bool {
        self.tell_if_due(Stage::Product, || Message::Product { n_states, depth: None });
        self.may_go_on()
    }

    /// Tells how far the search of a product is; whether to go on.
    pub fn exploration(&self, explored: &Explored) -> bool {
        let Explored { n_states, depth, .. } = *explored;
        // A product that is built is no search, and has no depth yet.
        let depth = Some(depth).filter(|&depth| depth > 0);
        self.tell_if_due(Stage::Product, || Message::Product { n_states, depth });
        self.may_go_on()
    }

    /// Tells how much work is left to improve requirements; whether to go on.
    pub fn improvement(&self, left: usize) -> bool {
        self.tell_if_due(Stage::Improvement, || Message::Improvement(left));
        self.may_go_on()
    }
}
