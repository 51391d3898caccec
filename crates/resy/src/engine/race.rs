//! The race: the search of all states, and after a head start the compositional engines beside it.
//!
//! Most models are decided within the head start, so that rivals cost nothing there. Rivals decide one
//! property after the other, each by the first engine that does. The search ends when nothing is left to
//! decide, or at a violation. A loser learns that it has lost when it next asks its control; nothing
//! waits for it.
//!
//! Properties of infinite runs come last: the search for cycles begins when all states were visited, but rivals need
//! not wait for that. What they find is used if nothing else is violated, so that verdicts do not depend on the load.
//!
//! A shorter head start gains nothing where search and rivals share a core: both become slower.

use super::monolithic::{self, Rivals};
use super::{Account, Case, ENGINES, Engine, MethodHelp, network};
use crate::STACK;
use crate::control::{Canceller, Control, Message, Turn, Turns};
use crate::question::CallError;
use crate::verdict::{Answer, Reason, Truth, Verdict};
use resy_automata::network::Network;
use resy_engine::search::Stopped;
use resy_system::Property;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The rival that looks for a violation where one seems near.
const GUIDED: &dyn Engine = &monolithic::Guided;

/// The rival that looks for cycles, for a while.
const LASSOS: &dyn Engine = &monolithic::Lassos;

/// Races the engines that apply.
pub(super) struct Auto;

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn about(&self) -> &'static str {
        "What applies"
    }

    fn methods(&self) -> &'static [MethodHelp] {
        network::METHODS
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        if case.question.certificate {
            // A search has no certificate.
            return network::NetworkEngine.compete(case, control);
        }
        let decide = |finite: &Case| match applies(case) {
            true => race(finite, case, control),
            false => monolithic::decide_beside(finite, control, None),
        };
        monolithic::decide_by(case, control, decide, case.question.search_only().is_none())
    }
}

/// Whether rivals of the search may decide a property.
fn can_compete(property: &Property) -> bool {
    property.has_monitor() || property.is_liveness() || *property == Property::EndStates
}

/// Whether there is something for rivals to decide, and no option asks for a search.
fn applies(case: &Case) -> bool {
    let properties = &case.model.selection.properties;
    let others = properties.iter().any(can_compete);
    others && case.question.search_only().is_none()
}

/// The search and its rivals, until everything is decided. The search is about the properties of `case` only; rivals
/// decide those of `whole`, which may be about infinite runs too.
fn race(case: &Case, whole: &Case, control: &Control) -> Result<Account, CallError> {
    let rivalry = Rivalry::begin(whole, control);
    // Rivals take a thread, and the last quarter of the memory.
    let mut searching = case.clone();
    searching.question.threads = Some(case.question.n_threads().saturating_sub(1).max(1));
    let memory = control.memory().map(|limit| limit / 4 * 3);
    let searched =
        monolithic::decide_beside(&searching, &control.share().with_memory(memory), Some(&rivalry));
    let stopped = searched.as_ref().ok().and_then(|account| account.stopped);
    let others = rivalry.end(stopped);
    control.resume_search();
    Ok(merged(searched?, others))
}

/// A search that decides one property of infinite runs, beside rivals. The search returns what has ended it, too. If
/// rivals have decided first, their answer and how it came about.
pub(super) fn beside<T>(
    case: &Case,
    property: &Property,
    control: &Control,
    search: impl FnOnce(&Control, &dyn Rivals) -> (T, Option<Stopped>),
) -> (T, Option<(Answer, String)>) {
    let model = Arc::new(case.model.asked_for(std::slice::from_ref(property)));
    let rivalry = Rivalry::begin(&Case { model, ..case.clone() }, control);
    let memory = control.memory().map(|limit| limit / 4 * 3);
    let (searched, stopped) = search(&control.share().with_memory(memory), &rivalry);
    let mut others = rivalry.end(stopped);
    control.resume_search();
    (searched, others.answers.pop().zip(others.how.pop()))
}

/// The account of the search, with the rivals' verdicts where it has none, and those on infinite runs.
fn merged(mut account: Account, others: RivalResult) -> Account {
    let RivalResult { answers: mut elsewhere, how, network } = others;
    let is_violation = |a: &Answer| a.verdict.truth() == Truth::Fails && !a.property.is_liveness();
    let is_violated = elsewhere.iter().any(is_violation);
    if is_violated && account.stopped == Some(Stopped::Interrupt) {
        account.stopped = Some(Stopped::Violation);
    }
    for answer in &mut account.answers {
        let Verdict::Unknown(reason) = &mut answer.verdict else { continue };
        if let Reason::Search(stopped, _) = reason {
            *stopped = account.stopped;
        }
        if let Some(i) = elsewhere.iter().position(|other| other.property == answer.property) {
            *answer = elsewhere.swap_remove(i);
            account.network.clone_from(&network);
        }
    }
    account.answers.extend(elsewhere.into_iter().filter(|answer| answer.property.is_liveness()));
    account.by_rivals = how;
    account.chance.is_race = true;
    account
}

/// Rivals at work.
struct Rivalry {
    shared: Arc<Shared>,
    /// With a single thread the search takes turns with its rivals.
    turn: RefCell<Option<Turn>>,
}

/// What rivals have found.
#[derive(Default)]
struct RivalResult {
    /// Their verdicts, never `unknown`.
    answers: Vec<Answer>,
    /// How each came about.
    how: Vec<String>,
    /// The network that the last of them came from.
    network: Option<Network>,
}

/// A verdict on one property, and how it came about.
struct First {
    answer: Answer,
    how: String,
    network: Option<Network>,
}

struct Shared {
    case: Case,
    /// Stops the search.
    canceller: Canceller,
    /// Ends the rivals.
    is_over: Arc<AtomicBool>,
    board: Mutex<Board>,
    changed: Condvar,
}

#[derive(Default)]
struct Board {
    found: RivalResult,
    /// Whether the rivals have come to their end.
    is_done: bool,
}

impl Rivals for Rivalry {
    fn offer(&self) {
        self.turn.borrow().iter().for_each(Turn::offer);
    }

    fn has_decided(&self, property: &Property) -> bool {
        self.shared.lock().found.answers.iter().any(|answer| answer.property == *property)
    }
}

impl Rivalry {
    /// Starts the rivals, which wait for the end of the head start.
    fn begin(case: &Case, control: &Control) -> Self {
        let shared = Arc::new(Shared {
            case: case.clone(),
            canceller: control.canceller(),
            is_over: Arc::default(),
            board: Mutex::default(),
            changed: Condvar::new(),
        });
        let turns = (case.question.n_threads() == 1).then(|| Turns::new(1));
        let turn = RefCell::new(turns.as_ref().map(Turns::begin));
        let rivalry = Self { shared: shared.clone(), turn };
        let control = control.share().until(&shared.is_over);
        let rivals = move || {
            if !shared.is_over_within(shared.case.question.head_start) {
                let control = match &turns {
                    Some(turns) => control.with_turn(turns),
                    None => control,
                };
                shared.decide(&control);
            }
            shared.lock().is_done = true;
            shared.changed.notify_all();
        };
        let started = std::thread::Builder::new().stack_size(STACK).spawn(rivals);
        if started.is_err() {
            // The search is alone.
            rivalry.shared.lock().is_done = true;
        }
        rivalry
    }

    /// Ends the race, because the search has come to its end or was stopped. If it ran out of
    /// memory, the rivals get the rest of the time.
    fn end(self, stopped: Option<Stopped>) -> RivalResult {
        drop(self.turn.take());
        let shared = &self.shared;
        let out_of_memory = matches!(stopped, Some(Stopped::Memory | Stopped::Numbers));
        let goes_on = |board: &mut Board| out_of_memory && !board.is_done;
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

    /// Whether the search visits all states, for properties that finite runs violate; otherwise it looks for cycles.
    fn searches_states(&self) -> bool {
        !self.case.model.selection.properties.iter().all(Property::is_liveness)
    }

    /// Decides one property after the other, those of infinite runs last.
    fn decide(&self, control: &Control) {
        let properties = || self.case.model.selection.properties.iter();
        let ends = properties().filter(|p| **p == Property::EndStates);
        let finite = properties().filter(|p| p.has_monitor()).chain(ends);
        for property in finite.chain(properties().filter(|p| p.is_liveness())) {
            if self.is_over() {
                return;
            }
            let alone = self.case.model.asked_for(std::slice::from_ref(property));
            let alone = Case { model: Arc::new(alone), ..self.case.clone() };
            let Some(mut first) = self.first(&alone, control) else { continue };
            first.answer.property = property.clone();
            let (property, truth) = (property.name(), first.answer.verdict.truth());
            control.tell(&Message::Decided { property, truth, how: &first.how });
            self.note(first);
        }
    }

    /// The first verdict on the only property of a case.
    fn first(&self, case: &Case, control: &Control) -> Option<First> {
        let decided = Arc::new(AtomicBool::new(false));
        let n_at_a_time = case.question.n_threads().saturating_sub(1);
        let contest = control.contest(&decided, n_at_a_time);
        let best: Mutex<Option<First>> = Mutex::new(None);
        let compete = |engine: &dyn Engine| {
            let Ok(account) = engine.compete(case, &contest.enter()) else { return };
            let (how, network) = (account.how, account.network);
            let is_decided = |answer: &Answer| answer.verdict.truth() != Truth::Unknown;
            let answer = account.answers.into_iter().find(is_decided);
            if let Some(answer) = answer.filter(|_| !decided.swap(true, Ordering::Relaxed)) {
                *best.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(First { answer, how, network });
            }
        };
        control.wait_for(|| {
            std::thread::scope(|scope| {
                for engine in self.rivals(case) {
                    let compete = &compete;
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    // An engine whose thread cannot start has lost.
                    let _ = thread.spawn_scoped(scope, move || compete(engine));
                }
            });
        });
        best.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rivals for the only property of a case.
    fn rivals(&self, case: &Case) -> Vec<&'static dyn Engine> {
        if case.model.selection.properties.contains(&Property::EndStates) {
            return vec![&network::NetworkEngine];
        }
        if !case.model.selection.properties.iter().all(Property::is_liveness) {
            let rivals = ENGINES.iter().rev().copied().filter(|engine| engine.is_rival());
            return rivals.chain([GUIDED]).collect();
        }
        // Of the engines that count, one that makes the product of an environment takes all memory.
        let mut rivals: Vec<&dyn Engine> = vec![&network::NetworkEngine];
        // Otherwise the search itself looks for cycles.
        rivals.extend(self.searches_states().then_some(LASSOS));
        rivals
    }

    /// Takes note of a verdict, and stops the search if nothing is left to decide.
    fn note(&self, First { answer, how, network }: First) {
        let mut board = self.lock();
        if self.is_over() {
            return;
        }
        let searches_states = self.searches_states();
        let ends_search = |property: &Property| !searches_states || !property.is_liveness();
        let is_violated = answer.verdict.truth() == Truth::Fails && ends_search(&answer.property);
        board.found.how.push(format!("{}: {how}", answer.property.name()));
        board.found.answers.push(answer);
        board.found.network = network;
        let decided = board.found.answers.iter().filter(|a| ends_search(&a.property)).count();
        let asked = &self.case.model.selection.properties;
        let is_all = decided == asked.iter().filter(|p| ends_search(p)).count();
        if is_all || is_violated && !self.case.question.exhaustive {
            self.is_over.store(true, Ordering::Relaxed);
            self.canceller.stop_search();
        }
    }
}
