//! The closure: local states and labels as one least fixpoint.
//!
//! Every process drives its own steps from every local state that it may reach. A request to
//! another component is answered from each local state which that component may reach; each
//! possible reply continues the step in its own way. A complete step yields a label, and new local
//! states for all participants. Both grow until nothing new is found.
//!
//! The product is never built. A component is explored against everything that the others *could*
//! do, so that it may have local states that the program never reaches. The product of the
//! components is exact nevertheless.
//!
//! Instances of one proctype share its code and its reductions, but not their local states: a label
//! names its participants. An instance costs 0.1 to 2 ms, so that the time is nearly linear in their
//! number.

mod accept;
pub mod table;

pub use crate::closure::table::GoOn;
use crate::closure::table::{PrefixId, Table, TableEvent};
use crate::cut::support::Item;
use crate::cut::{Cut, PartId};
use crate::label::signature::StepStage;
use crate::occur::Bounds;
use crate::step::half::{Gap, Half};
use crate::step::request::{Exchange, Reply};
use crate::step::script::{self, StepTask, TaskNext, TaskOutcome};
use hashbrown::HashMap;
use resy_index::{IndexVec, define_id};
use resy_system::{Offer, SourcePlace, ViolationKind};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

define_id!(
    /// A class of steps with the same exchanges.
    pub struct ClassId,
    "class"
);

/// The limits on the size of a closure.
#[derive(Copy, Clone, Debug)]
pub struct Budget {
    /// Maximal number of local states of one component.
    pub states: usize,
    /// Maximal number of labels of the whole network.
    pub labels: usize,
    /// Maximal number of step attempts.
    pub attempts: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 100_000, labels: 1_000_000, attempts: 50_000_000 }
    }
}

/// Why a closure was abandoned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overrun {
    /// A component has too many local states.
    States(PartId),
    /// There are too many labels; the last one was driven by this component.
    Labels(PartId),
    /// There were too many step attempts; the last one was driven by this component.
    Attempts(PartId),
    /// The caller cancelled.
    Stopped,
}

/// The steps of one driver with the same exchanges: what a label stands for.
pub struct StepClass {
    /// The driver.
    pub part: PartId,
    /// For a receiver: the class of the sender's steps.
    pub sender: Option<ClassId>,
    /// For a sender: the offered message.
    pub offer: Option<Offer>,
    /// The exchanges, sorted by component.
    pub log: Rc<[Rc<Exchange>]>,
    /// Whether an error leaves no next state; the other participants then stay where they are.
    pub fails: bool,
    /// The violations of the step.
    pub faults: Vec<ViolationKind>,
    /// The driver's local states before and after the step.
    pub moves: Vec<(u32, u32)>,
    known: FxHashSet<(u32, u32)>,
    /// The source places of the statements.
    pub sources: Vec<SourcePlace>,
    /// For a sender: the items that it has changed.
    pub touched: Vec<Item>,
    /// For each other participant, the prefix that holds its local states before and after the
    /// step.
    pub ends: Vec<(PartId, PrefixId)>,
    /// For a sender: a prefix of its own table, with its local states before and after the send.
    node: Option<PrefixId>,
}

impl StepClass {
    /// The stage of the driver in the step.
    pub fn stage(&self) -> StepStage<'_> {
        let Self { part, offer, log, fails, faults, touched, .. } = self;
        StepStage { part: *part, offer: offer.as_ref(), log, fails: *fails, faults, touched }
    }
}

type Waiting<'a> = Rc<(StepTask<'a>, Gap)>;

/// Two steps with the same key have the same label.
type Key = (
    PartId,
    Option<ClassId>,
    Option<Offer>,
    Rc<[Rc<Exchange>]>,
    bool,
    Vec<ViolationKind>,
    Vec<Item>,
);

/// The state of the fixpoint iteration.
pub struct Closure<'a> {
    cut: &'a Cut<'a>,
    budget: Budget,
    /// For each component, its local states and the replies that they give.
    pub tables: IndexVec<PartId, Table<Waiting<'a>>>,
    /// The classes of steps.
    pub classes: IndexVec<ClassId, StepClass>,
    numbers: HashMap<Key, ClassId, FxBuildHasher>,
    todo: VecDeque<Pending<'a>>,
    attempts: usize,
    overrun: Option<Overrun>,
}

/// Steps that are still to be tried. Very many are waiting at a time, so that they are small.
enum Pending<'a> {
    /// Those that a process begins in a local state.
    Begin(PartId, u32),
    /// A step goes on with a reply.
    Resume(Waiting<'a>, Reply),
    /// A process may accept an offer.
    Accept(PartId, ClassId, (u32, u32)),
}

/// After this many attempts the closure is judged.
const JUDGE_EVERY: usize = 256;
/// Asking takes as long as a few attempts.
const ASK_EVERY: usize = 16;

/// Closes a cut: computes the local states and labels of all components. `limits` may give a
/// component a smaller limit on its states than the budget. `judge` sees the closure as it grows, `go_on` the
/// number of local states; both may cancel.
pub fn close<'a>(
    cut: &'a Cut<'a>,
    budget: Budget,
    limits: &FxHashMap<PartId, usize>,
    judge: &mut dyn FnMut(&Closure<'_>) -> bool,
    go_on: &mut GoOn<'_>,
) -> (Closure<'a>, Option<Overrun>) {
    close_within(cut, budget, limits, None, judge, go_on)
}

/// Like [`close`]; with bounds, no component leaves the local states that they list.
pub fn close_within<'a>(
    cut: &'a Cut<'a>,
    budget: Budget,
    limits: &FxHashMap<PartId, usize>,
    bounds: Option<&Bounds>,
    judge: &mut dyn FnMut(&Closure<'_>) -> bool,
    go_on: &mut GoOn<'_>,
) -> (Closure<'a>, Option<Overrun>) {
    let limit = |part| limits.get(&part).map_or(budget.states, |&limit| limit.min(budget.states));
    let bound = |part: PartId| bounds.and_then(|bounds| bounds[part].clone());
    let tables = cut.parts.ids().map(|part| Table::new(part, limit(part), bound(part))).collect();
    let mut closure = Closure {
        cut,
        budget,
        tables,
        classes: IndexVec::new(),
        numbers: HashMap::default(),
        todo: VecDeque::new(),
        attempts: 0,
        overrun: None,
    };
    for part in cut.parts.ids() {
        let number = closure.tables[part].number(&cut.initial_local(part));
        closure.tables[part].reach(number);
        closure.settle(part, go_on);
    }
    while closure.overrun.is_none()
        && let Some(pending) = closure.todo.pop_front()
    {
        for task in closure.tasks(pending) {
            closure.attempt(task, go_on);
            let is_judged = closure.attempts.is_multiple_of(JUDGE_EVERY);
            let is_asked = closure.attempts.is_multiple_of(ASK_EVERY);
            if is_judged && !judge(&closure) || is_asked && !go_on(closure.n_states()) {
                closure.overrun = Some(Overrun::Stopped);
            }
            if closure.overrun.is_some() {
                break;
            }
        }
    }
    let overrun = closure.overrun.take();
    (closure, overrun)
}

impl<'a> Closure<'a> {
    /// The number of local states of all components.
    pub fn n_states(&self) -> usize {
        self.tables.iter().map(|table| table.states.len()).sum()
    }

    /// The number of steps that were attempted so far.
    pub fn n_attempts(&self) -> usize {
        self.attempts
    }

    /// What is to be tried.
    fn tasks(&self, pending: Pending<'a>) -> Vec<StepTask<'a>> {
        match pending {
            Pending::Begin(part, state) => {
                let local = self.tables[part].value(state);
                let pid = self.cut.parts[part].process;
                pid.map(|pid| script::begin(self.cut, pid, state, local)).unwrap_or_default()
            }
            Pending::Resume(waiting, reply) => {
                let (task, gap) = &*waiting;
                let half = task.half.with_script(gap.answered(reply));
                vec![StepTask { half, ..task.clone() }]
            }
            Pending::Accept(part, class, pair) => {
                self.acceptance(part, class, pair).into_iter().collect()
            }
        }
    }

    fn attempt(&mut self, task: StepTask<'a>, go_on: &mut GoOn<'_>) {
        self.attempts += 1;
        if self.attempts > self.budget.attempts {
            self.overrun.get_or_insert(Overrun::Attempts(task.half.part()));
            return;
        }
        for outcome in script::run(self.cut, task) {
            match outcome {
                TaskOutcome::Gap(task, gap) => self.ask(task, gap, go_on),
                TaskOutcome::Ends(task) => self.complete(task, go_on),
                TaskOutcome::Offers(task, offer) => self.offer(task, offer, go_on),
                TaskOutcome::GoesOn(_) => unreachable!("a run goes on to its end"),
            }
        }
    }

    /// Suspends a step at a request, and resumes it with every reply that exists now or is found
    /// later.
    fn ask(&mut self, task: StepTask<'a>, gap: Gap, go_on: &mut GoOn<'_>) {
        let (part, sender) = (gap.part, task.sender);
        let node = self.walk(part, sender, &gap.log, go_on);
        // What is waiting stays to the end: without the replies that have been used.
        let half = task.half.with_script(Vec::new());
        let waiting = Rc::new((StepTask { half, ..task }, gap));
        let request = &waiting.1.request;
        let table = &mut self.tables[part];
        let replies = table.ask(self.cut, node, request, waiting.clone(), go_on);
        for (i, (reply, _)) in replies.into_iter().enumerate() {
            if self.is_cancelled(i, go_on) {
                return;
            }
            self.todo.push_back(Pending::Resume(waiting.clone(), reply));
        }
        self.settle(part, go_on);
    }

    /// The senders of a step, latest first. A receiver inside an `atomic` may send in turn, so that
    /// there can be several.
    pub fn senders(&self, last: Option<ClassId>) -> impl Iterator<Item = &StepClass> {
        std::iter::successors(last, |&class| self.classes[class].sender)
            .map(|class| &self.classes[class])
    }

    /// The prefix of a component after the exchanges of a step. If the component has sent in this
    /// step, only the exchanges after the send count.
    fn walk(
        &mut self,
        part: PartId,
        sender: Option<ClassId>,
        log: &[Rc<Exchange>],
        go_on: &mut GoOn<'_>,
    ) -> PrefixId {
        let sent = self.senders(sender).find(|class| class.part == part);
        let (mut node, from) = match sent.and_then(|class| Some((class.node?, class.log.len()))) {
            Some(sent) => sent,
            None => (self.tables[part].root(), 0),
        };
        for exchange in log[from..].iter().filter(|e| e.part == part) {
            let (table, Exchange { request, reply, .. }) = (&mut self.tables[part], &**exchange);
            match table.after(self.cut, node, request, reply, go_on) {
                Some(next) => node = next,
                // No such reply exists yet: the step cannot happen yet.
                None => return self.tables[part].add_root(),
            }
        }
        node
    }

    /// Completes a step: adds its label, and the new local states of all participants.
    fn complete(&mut self, task: StepTask<'a>, go_on: &mut GoOn<'_>) {
        let part = task.half.part();
        let end = self.tables[part].number(&task.half.local);
        let (class, is_new) = self.class_of(&task, None);
        if !self.add_move(class, &task, end) {
            return;
        }
        self.tables[part].reach(end);
        self.settle(part, go_on);
        if is_new {
            let (log, sender) = (task.half.log(), task.sender);
            let mut others: Vec<PartId> = log.iter().map(|e| e.part).collect();
            others.extend(self.senders(sender).map(|class| class.part));
            others.sort();
            others.dedup();
            for other in others.into_iter().filter(|&other| other != part) {
                let node = self.walk(other, sender, &log, go_on);
                self.classes[class].ends.push((other, node));
                self.tables[other].end_here(node);
                self.settle(other, go_on);
            }
        }
    }

    /// Registers an offer: every possible receiver will try to accept it in each of its local
    /// states.
    fn offer(&mut self, task: StepTask<'a>, offer: Offer, go_on: &mut GoOn<'_>) {
        let part = task.half.part();
        let end = self.tables[part].number(&task.half.local);
        let receivers = &self.cut.receivers[offer.chan];
        let (class, is_new) = self.class_of(&task, Some(offer));
        if is_new {
            self.classes[class].node = Some(self.tables[part].add_root());
        }
        if self.add_move(class, &task, end)
            && let Some(node) = self.classes[class].node
        {
            self.tables[part].add(node, (task.start, end));
            self.settle(part, go_on);
        }
        if is_new {
            let log = self.classes[class].log.clone();
            for &pid in receivers.iter().filter(|&&pid| pid != task.pid) {
                let receiver = self.cut.processes[pid];
                let node = self.walk(receiver, Some(class), &log, go_on);
                self.tables[receiver].listen(node, class);
                self.settle(receiver, go_on);
            }
        }
    }

    /// Lets a process try to accept an offer later, unless it turns it down at once in its local state when the offer is
    /// made, the second of the two.
    fn try_accept(&mut self, part: PartId, class: ClassId, pair: (u32, u32)) {
        let local = self.tables[part].value(pair.1);
        let offer = self.classes[class].offer.as_ref();
        if offer.is_some_and(|offer| self.cut.could_accept(part, local, offer)) {
            self.todo.push_back(Pending::Accept(part, class, pair));
        }
    }

    /// The attempt of a process to accept an offer. `start` is its local state when the step began, `now` its local
    /// state when the offer is made.
    fn acceptance(
        &self,
        part: PartId,
        class: ClassId,
        (start, now): (u32, u32),
    ) -> Option<StepTask<'a>> {
        let (cut, sender) = (self.cut, &self.classes[class]);
        let (pid, offer) = (cut.parts[part].process?, sender.offer.clone()?);
        let half = Half::new(cut, part, self.tables[part].value(now), sender.log.to_vec());
        let touched = &sender.touched;
        Some(StepTask::new(pid, start, half, TaskNext::Accept(offer), Some((class, touched))))
    }

    /// The class of a step, and whether it is new. The order of exchanges with different components
    /// is irrelevant.
    fn class_of(&mut self, task: &StepTask<'a>, offer: Option<Offer>) -> (ClassId, bool) {
        let part = task.half.part();
        let mut log = task.half.log().to_vec();
        log.sort_by_key(|exchange| exchange.part);
        let log: Rc<[Rc<Exchange>]> = log.into();
        let mut faults: Vec<ViolationKind> = task.faults.iter().map(|v| v.kind.clone()).collect();
        faults.dedup();
        let touched = if offer.is_some() { task.touched.to_vec() } else { Vec::new() };
        let key = (
            part,
            task.sender,
            offer.clone(),
            log.clone(),
            task.fails,
            faults.clone(),
            touched.clone(),
        );
        if let Some(&class) = self.numbers.get(&key) {
            return (class, false);
        }
        let class = self.classes.push(StepClass {
            part,
            sender: task.sender,
            offer,
            log,
            fails: task.fails,
            faults,
            moves: Vec::new(),
            known: FxHashSet::default(),
            sources: Vec::new(),
            touched,
            ends: Vec::new(),
            node: None,
        });
        self.numbers.insert(key, class);
        if self.classes.len() > self.budget.labels {
            self.overrun.get_or_insert(Overrun::Labels(part));
        }
        (class, true)
    }

    /// Adds a driver's move to a class; returns whether it is new.
    fn add_move(&mut self, class: ClassId, task: &StepTask<'a>, end: u32) -> bool {
        let class = &mut self.classes[class];
        for &source in &*task.path {
            if !class.sources.contains(&source) {
                class.sources.push(source);
            }
        }
        let is_new = class.known.insert((task.start, end));
        if is_new {
            class.moves.push((task.start, end));
        }
        is_new
    }

    /// Propagates all additions to a table, and processes the resulting events.
    fn settle(&mut self, part: PartId, go_on: &mut GoOn<'_>) {
        let events = self.tables[part].settle(self.cut, go_on);
        for (i, event) in events.into_iter().enumerate() {
            if self.tables[part].is_cancelled() || self.is_cancelled(i, go_on) {
                break;
            }
            match event {
                TableEvent::State(state) => self.enter(part, state),
                TableEvent::Pair(class, pair) => self.try_accept(part, class, pair),
                TableEvent::Reply(waiting, reply) => {
                    self.todo.push_back(Pending::Resume(waiting, reply));
                }
            }
        }
        if self.tables[part].is_cancelled() {
            self.overrun.get_or_insert(Overrun::Stopped);
        }
        if self.tables[part].is_over() {
            self.overrun.get_or_insert(Overrun::States(part));
        }
    }

    /// Whether the caller cancels, who is asked for some of many things that are done at once.
    fn is_cancelled(&mut self, number: usize, go_on: &mut GoOn<'_>) -> bool {
        let is_asked = number > 0 && number.is_multiple_of(ASK_EVERY);
        if is_asked && !go_on(self.n_states()) {
            self.overrun.get_or_insert(Overrun::Stopped);
        }
        self.overrun == Some(Overrun::Stopped)
    }

    /// Handles a new local state of a component: a process may drive steps from there.
    fn enter(&mut self, part: PartId, state: u32) {
        if self.cut.parts[part].process.is_some() {
            self.todo.push_back(Pending::Begin(part, state));
        }
    }
}
