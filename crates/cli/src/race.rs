//! `--engine auto`: the search of all states, and after a moment the compositional engines beside it.
//!
//! Most models are decided in that moment, and the others cost nothing then. They decide
//! one property after the other, each by whoever is first. The search ends when nothing is left to decide, or at
//! a violation. Whoever loses is told so at its next look at the limits, and nobody waits for it.

use crate::STACK;
use crate::args::{Check, Engine};
use crate::compositional::{answers, only_for_searches};
use crate::decide::{Method, network_methods};
use crate::limits::Limits;
use crate::model::Model;
use crate::output::Answer;
use crate::progress::Meter;
use crate::properties::{Property, Verdict};
use crate::team;
use crate::turns::{Turn, Turns};
use resy_engine::search::Stopped;
use resy_export::report::PageSection;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A race that goes on.
pub struct Race {
    shared: Arc<Shared>,
    /// With a single thread the search takes turns with the others.
    turn: RefCell<Option<Turn>>,
}

/// What the others have found.
#[derive(Default)]
pub struct Found {
    /// Their verdicts, never `unknown`.
    pub answers: Vec<Answer>,
    /// How each came about.
    pub how: Vec<String>,
    /// The components of the network that the last of them came from.
    pub parts: Option<PageSection>,
}

/// A verdict on one property, how it came about, and the components of the network.
struct First {
    answer: Answer,
    how: String,
    parts: Option<PageSection>,
}

struct Shared {
    check: Check,
    /// What the search decides.
    properties: Vec<Property>,
    /// Ends the search.
    interrupt: Arc<AtomicBool>,
    /// Ends the others.
    is_over: Arc<AtomicBool>,
    board: Mutex<Board>,
    changed: Condvar,
}

#[derive(Default)]
struct Board {
    found: Found,
    /// Whether the others have come to their end.
    is_done: bool,
}

/// Whether there is a race: the engine is open, and no option asks for a search.
pub fn applies(check: &Check, properties: &[Property]) -> bool {
    let others = properties.iter().any(|property| *property != Property::EndStates);
    check.engine == Engine::Auto
        && others
        && only_for_searches(check).is_none()
        && check.host_index.is_none()
}

impl Race {
    /// Begins a race; `model` makes what the others work on, when they begin.
    pub fn begin(
        check: &Check,
        properties: &[Property],
        limits: Limits,
        interrupt: &Arc<AtomicBool>,
        model: impl FnOnce() -> Model + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            check: check.clone(),
            properties: properties.to_vec(),
            interrupt: interrupt.clone(),
            is_over: Arc::default(),
            board: Mutex::default(),
            changed: Condvar::new(),
        });
        let turns = (team::threads(check) == 1).then(|| Turns::new(1));
        let turn = RefCell::new(turns.as_ref().map(Turns::begin));
        let race = Self { shared: shared.clone(), turn };
        let limits = limits.until(&shared.is_over);
        let others = move || {
            if !shared.is_over_within(Duration::from_millis(shared.check.head_start)) {
                let limits = match &turns {
                    Some(turns) => limits.with_turn(turns),
                    None => limits,
                };
                shared.decide(&model(), &limits);
            }
            shared.lock().is_done = true;
            shared.changed.notify_all();
        };
        let started = std::thread::Builder::new().stack_size(STACK).spawn(others);
        if started.is_err() {
            // Then the search is alone.
            race.shared.lock().is_done = true;
        }
        race
    }

    /// The search offers its turn to the others, if it takes turns.
    pub fn offer(&self) {
        self.turn.borrow().iter().for_each(Turn::offer);
    }

    /// Ends the race: the search has come to its end, or was stopped. If that was for want of memory
    /// the others get their time.
    pub fn end(&self, stopped: Option<Stopped>) -> Found {
        drop(self.turn.take());
        let shared = &self.shared;
        let for_want_of_memory = matches!(stopped, Some(Stopped::Memory | Stopped::Numbers));
        let goes_on = |board: &mut Board| for_want_of_memory && !board.is_done;
        let board = shared.changed.wait_while(shared.lock(), goes_on);
        let mut board = board.unwrap_or_else(PoisonError::into_inner);
        shared.is_over.store(true, Ordering::Relaxed);
        shared.changed.notify_all();
        std::mem::take(&mut board.found)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn is_over_within(&self, time: Duration) -> bool {
        let board = self.lock();
        let wait = self.changed.wait_timeout_while(board, time, |_| !self.is_over());
        drop(wait);
        self.is_over()
    }

    /// Decides one property after the other.
    fn decide(&self, model: &Model, limits: &Limits) {
        let others = self.properties.iter().filter(|property| **property != Property::EndStates);
        for property in others {
            if self.is_over() {
                return;
            }
            let alone = model.asked_for(std::slice::from_ref(property));
            let Some(mut first) = self.first(&alone, limits) else { continue };
            first.answer.property = property.clone();
            let (name, verdict) = (property.name(), first.answer.verdict.as_str());
            Meter::of(&self.check.common).note(&format!("{name} {verdict} ({})", first.how));
            self.note(first);
        }
    }

    /// The first verdict on the only property of a model.
    fn first(&self, model: &Model, limits: &Limits) -> Option<First> {
        let decided = Arc::new(AtomicBool::new(false));
        let n_at_a_time = team::threads(&self.check).saturating_sub(1);
        let contest = limits.contest(&decided, n_at_a_time);
        let best: Mutex<Option<First>> = Mutex::new(None);
        let take_part = |methods: &[Method]| {
            let outcome = answers(&self.check, model, methods, &contest.enter()).ok();
            let Some(outcome) = outcome else { return };
            let (how, parts) = (outcome.how(), outcome.parts);
            let answer = outcome.answers.into_iter().find(|a| a.verdict != Verdict::Unknown);
            if let Some(answer) = answer.filter(|_| !decided.swap(true, Ordering::Relaxed)) {
                *best.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(First { answer, how, parts });
            }
        };
        limits.wait_for(|| {
            std::thread::scope(|scope| {
                for methods in [network_methods(&self.check), &[Method::Requirement]] {
                    let take_part = &take_part;
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    // Who cannot begin has lost.
                    let _ = thread.spawn_scoped(scope, move || take_part(methods));
                }
            });
        });
        best.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a verdict, and stops the search if nothing is left to decide.
    fn note(&self, First { answer, how, parts }: First) {
        let mut board = self.lock();
        if self.is_over() {
            return;
        }
        let is_violated = answer.verdict == Verdict::Fails;
        board.found.how.push(format!("{}: {how}", answer.property.name()));
        board.found.answers.push(answer);
        board.found.parts = parts;
        let is_all = board.found.answers.len() == self.properties.len();
        if is_all || is_violated && !self.check.exhaustive {
            self.is_over.store(true, Ordering::Relaxed);
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}
