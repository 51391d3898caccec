//! Scripts: a process's step, up to the next request without a known reply.
//!
//! One step leads from a state that spin stores to the next. A process inside an `atomic` goes on
//! until it leaves the block or cannot move, which is where it loses control. Therefore no state of
//! the network has a process that holds control, and no component needs to be asked for it.

use crate::closure::ClassId;
use crate::cut::Cut;
use crate::cut::support::{Item, touched};
use crate::step::half::{Gap, Half};
use crate::step::reply::DEAD;
use crate::step::request::{Reply, Request};
use resy_system::{
    Attempt, Command, Control, DStep, DStepGuard, Edge, Expr, Move, Offer, ProctypeId, SourcePlace,
    Steps, Value, Violation, ViolationKind,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A block with more steps is assumed not to terminate.
const MAX_STEPS: usize = 10_000;

/// A step in progress.
#[derive(Clone)]
pub struct StepTask<'a> {
    /// The driver.
    pub pid: usize,
    /// The number of its local state at the start.
    pub start: u32,
    /// The state so far.
    pub half: Half<'a>,
    /// The local state of the driver at the start, by value.
    pub before: Rc<[i32]>,
    /// What the task does next.
    pub next: TaskNext,
    /// The violations so far.
    pub faults: Vec<Violation>,
    /// The statements so far, each once.
    pub path: Rc<Vec<SourcePlace>>,
    /// The number of statements so far, with repetitions.
    pub n_steps: usize,
    /// The class of the sender whose offer this process accepts.
    pub sender: Option<ClassId>,
    /// The items that the sender has changed.
    pub touched: Rc<Vec<Item>>,
    /// Whether an error leaves no next state.
    pub fails: bool,
}

/// The next part of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TaskNext {
    /// Takes an edge of the process's location.
    Edge {
        /// The position of the edge.
        index: usize,
        /// Whether `timeout` holds.
        timeout: bool,
    },
    /// Takes any edge, or loses control, inside an `atomic`.
    Choose,
    /// Loses control inside an `atomic`, if no edge can be taken.
    LoseControl,
    /// Accepts an offer.
    Accept(Offer),
    /// Shows the claims the state at the end of the step.
    ShowClaims,
}

/// The result of running a task.
pub enum TaskOutcome<'a> {
    /// The step stops at a request.
    Gap(StepTask<'a>, Gap),
    /// The step is complete.
    Ends(StepTask<'a>),
    /// The step is complete when some process accepts the offer.
    Offers(StepTask<'a>, Offer),
    /// The step goes on inside an atomic block.
    GoesOn(StepTask<'a>),
}

/// The tasks that begin a step of a process in a local state, one per edge.
pub fn begin<'a>(cut: &'a Cut<'a>, pid: usize, start: u32, local: &[i32]) -> Vec<StepTask<'a>> {
    if local[0] == DEAD {
        return Vec::new();
    }
    let half = Half::new(cut, cut.processes[pid], local, Vec::new());
    let first = TaskNext::Edge { index: 0, timeout: false };
    let task = StepTask::new(pid, start, half, first, None);
    let edges = edges_at(cut, pid, local[0]);
    let mut tasks = Vec::with_capacity(edges.len());
    for index in 0..edges.len() {
        // `timeout` is false as long as some process can move: both values are tried.
        let asks_timeout = edges[..=index].iter().any(asks_timeout);
        for timeout in [false, true].into_iter().take(1 + usize::from(asks_timeout)) {
            tasks.push(StepTask { next: TaskNext::Edge { index, timeout }, ..task.clone() });
        }
    }
    tasks
}

/// Whether an edge evaluates `timeout`.
pub fn asks_timeout(edge: &Edge) -> bool {
    let mut found = false;
    edge.command.walk(&mut |e| found |= matches!(e, Expr::Timeout));
    found
}

/// The edges of a process at a location of its proctype.
pub fn edges_at<'a>(cut: &Cut<'a>, pid: usize, location: i32) -> &'a [Edge] {
    let (proctype, location) = cut.at(pid, location);
    &cut.system().proctypes[proctype].edges[location]
}

/// Runs a task as far as possible, in all possible ways.
pub fn run<'a>(cut: &'a Cut<'a>, task: StepTask<'a>) -> Vec<TaskOutcome<'a>> {
    let mut complete = Vec::new();
    let mut todo = vec![task];
    let mut seen = FxHashSet::default();
    while let Some(task) = todo.pop() {
        for outcome in advance(cut, &task) {
            match outcome {
                // Two paths through a block that meet are merged.
                TaskOutcome::GoesOn(task) => {
                    let key = (task.next.clone(), task.half.local.clone(), task.half.log());
                    if task.n_steps < MAX_STEPS && seen.insert(key) {
                        todo.extend(ways(cut, task));
                    }
                }
                other => complete.push(other),
            }
        }
    }
    complete
}

/// One copy of the task for each way to continue.
fn ways<'a>(cut: &'a Cut<'a>, task: StepTask<'a>) -> Vec<StepTask<'a>> {
    if task.next != TaskNext::Choose {
        return vec![task];
    }
    let edges = edges_at(cut, task.pid, task.half.local[0]);
    let choices = (0..edges.len()).map(|index| TaskNext::Edge { index, timeout: false });
    let keeps_control = edges.iter().any(never_blocks) && is_free(cut, task.pid);
    let loses_control = (!keeps_control).then_some(TaskNext::LoseControl);
    choices.chain(loses_control).map(|next| StepTask { next, ..task.clone() }).collect()
}

/// Executes the next part of a task.
fn advance<'a>(cut: &'a Cut<'a>, task: &StepTask<'a>) -> Vec<TaskOutcome<'a>> {
    let outcomes = match &task.next {
        TaskNext::Edge { index, timeout } => take_edge(cut, task, *index, *timeout),
        TaskNext::Choose => unreachable!("a way has been chosen"),
        TaskNext::LoseControl => lose_control(cut, task),
        TaskNext::Accept(offer) => Ok(accept(cut, task, offer)),
        TaskNext::ShowClaims => show_claims(cut, task),
    };
    match task.half.take_gap() {
        Some(gap) => vec![TaskOutcome::Gap(task.clone(), gap)],
        None => outcomes.unwrap_or_default(),
    }
}

fn take_edge<'a>(
    cut: &'a Cut<'a>,
    task: &StepTask<'a>,
    index: usize,
    timeout: bool,
) -> Value<Vec<TaskOutcome<'a>>> {
    let (interpreter, half, pid) = (&cut.interpreter, &task.half, task.pid);
    if timeout && !cut.manner.loose && !is_all_stuck(cut, half, pid)? {
        return Ok(Vec::new());
    }
    let mut notes = Vec::new();
    if !interpreter.may_move(half, pid, &mut notes) {
        return Ok(task.failed(notes));
    }
    let edges = edges_at(cut, pid, half.local[0]);
    let edge = &edges[index];
    for (earlier, escape) in edges[..index].iter().enumerate() {
        let shuts_out = escape.escape.is_some() && escape.escape != edge.escape;
        if shuts_out && could_take(cut, half, pid, earlier, timeout)? {
            return Ok(Vec::new());
        }
    }
    let moved = asks_moved(cut, half, pid, edge) && any_could(cut, half, pid, index, timeout)?;
    let actor = Move { pid, edge: index };
    let attempt = interpreter.attempt(half, actor, edge, moved, timeout, &mut notes);
    // Violations of the guard count even if the edge is not taken.
    let mut outcomes = task.failed(notes);
    outcomes.extend(match attempt {
        Attempt::Impossible => Vec::new(),
        Attempt::Done(step) => match step.next {
            Some((half, control)) => task.after(cut, half, control, edge.source, step.violations),
            None => task.wrecked(step.wreck, step.violations),
        },
        Attempt::Offers { offer, sender, violations } => {
            let mut task = task.clone();
            task.half = sender;
            task.faults.extend(violations);
            task.note(edge.source);
            let items = touched(cut, &task.before, &task.half);
            Rc::make_mut(&mut task.touched).extend(items);
            vec![TaskOutcome::Offers(task, offer)]
        }
    });
    Ok(outcomes)
}

/// Whether no process can move, which is when `timeout` holds. `pid` is the driver.
fn is_all_stuck(cut: &Cut<'_>, half: &Half<'_>, pid: usize) -> Value<bool> {
    if could_move(cut, half, pid)? {
        return Ok(false);
    }
    for other in (0..cut.processes.len()).filter(|&other| other != pid) {
        if !half.is_stuck(other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a process that is alive can move while `timeout` is false.
pub fn could_move(cut: &Cut<'_>, half: &Half<'_>, pid: usize) -> Value<bool> {
    if !cut.interpreter.may_move(half, pid, &mut Vec::new()) {
        return Ok(false);
    }
    any_could(cut, half, pid, edges_at(cut, pid, half.local[0]).len(), false)
}

/// Whether an edge before this one is executable.
fn any_could(
    cut: &Cut<'_>,
    half: &Half<'_>,
    pid: usize,
    index: usize,
    timeout: bool,
) -> Value<bool> {
    for earlier in 0..index {
        if could_take(cut, half, pid, earlier, timeout)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an edge is executable, given the edges before it.
fn could_take(
    cut: &Cut<'_>,
    half: &Half<'_>,
    pid: usize,
    index: usize,
    timeout: bool,
) -> Value<bool> {
    let edge = &edges_at(cut, pid, half.local[0])[index];
    let moved = asks_moved(cut, half, pid, edge) && any_could(cut, half, pid, index, timeout)?;
    cut.interpreter.could_take(half, pid, edge, moved, timeout)
}

/// Whether the meaning of an edge depends on the executability of earlier edges.
fn asks_moved(cut: &Cut<'_>, half: &Half<'_>, pid: usize, edge: &Edge) -> bool {
    let starts_with_else = |d: &DStep| matches!(d.guard, DStepGuard::Else);
    let asks = match &edge.command {
        Command::Else => true,
        Command::DStep(d) => starts_with_else(d),
        _ => false,
    };
    let mut enabled = false;
    edge.command.walk(&mut |e| enabled |= matches!(e, Expr::Enabled(_)));
    asks || enabled || cut.system().proctypes[cut.at(pid, half.local[0]).0].deterministic
}

fn lose_control<'a>(cut: &'a Cut<'a>, task: &StepTask<'a>) -> Value<Vec<TaskOutcome<'a>>> {
    let (half, pid) = (&task.half, task.pid);
    let edges = edges_at(cut, pid, half.local[0]);
    if cut.interpreter.may_move(half, pid, &mut Vec::new())
        && (edges.iter().any(never_blocks) || any_could(cut, half, pid, edges.len(), false)?)
    {
        return Ok(Vec::new());
    }
    Ok(vec![task.clone().finish(cut)])
}

/// Whether neither priorities nor a `provided` clause can block a process.
fn is_free(cut: &Cut<'_>, pid: usize) -> bool {
    let system = cut.system();
    let is_provided = |&id: &ProctypeId| system.proctypes[id].provided.is_some();
    !system.uses_priority && !cut.runs[pid].iter().any(is_provided)
}

/// Whether a process at a location with this edge can always move. (`else` is taken if nothing else
/// can be.)
fn never_blocks(edge: &Edge) -> bool {
    use Command::{Assert, Assign, Else, Print, Skip};
    matches!(edge.command, Skip | Else | Assign(..) | Assert(..) | Print(_))
}

fn accept<'a>(cut: &'a Cut<'a>, task: &StepTask<'a>, offer: &Offer) -> Vec<TaskOutcome<'a>> {
    let edges = edges_at(cut, task.pid, task.half.local[0]);
    let Steps { steps, violations } = cut.interpreter.accept(&task.half, task.pid, offer);
    let mut outcomes = task.failed(violations);
    for step in steps {
        outcomes.extend(match step.next {
            Some((half, control)) => {
                let source = edges[step.actor.edge].source;
                task.after(cut, half, control, source, step.violations)
            }
            None => task.wrecked(step.wreck, step.violations),
        });
    }
    outcomes
}

/// Tells every claim the values of the conditions that the step may have changed.
fn show_claims<'a>(cut: &'a Cut<'a>, task: &StepTask<'a>) -> Value<Vec<TaskOutcome<'a>>> {
    let task = task.clone();
    let mut items = touched(cut, &task.before, &task.half);
    items.extend_from_slice(&task.touched);
    for watch in &cut.claims {
        let mut changes = Vec::new();
        for (number, condition) in watch.monitor.propositions.iter().enumerate() {
            if *condition == Expr::NonProgress {
                changes.push((number as u32, !is_at_progress(cut, &task)));
                continue;
            }
            let support = &watch.supports[number];
            if !support.meets(&items) {
                continue;
            }
            let holds = |half: &Half<'_>| match cut.interpreter.holds(half, condition) {
                Err(ViolationKind::Unanswered) => Err(ViolationKind::Unanswered),
                other => Ok(other.unwrap_or(false)),
            };
            let now = holds(&task.half)?;
            let private = task.sender.is_none() && support.is_within(cut, task.half.part());
            if !private || now != holds(&task.half.with_local(&task.before))? {
                changes.push((number as u32, now));
            }
        }
        let sees_all = watch.monitor.counts_steps() || watch.monitor.tracked().is_some();
        if !changes.is_empty() || sees_all {
            task.half.record(watch.part, Request::Claim(changes), Reply::Done);
        }
    }
    Ok(vec![TaskOutcome::Ends(task)])
}

/// Whether the driver is at a progress label after its step. Only trackers ask whether there is progress. No component
/// sees all processes, so that the others are not asked: a process that waits at a progress label makes none.
fn is_at_progress(cut: &Cut<'_>, task: &StepTask<'_>) -> bool {
    let (proctype, location) = cut.at(task.pid, task.half.local[0]);
    cut.system().proctypes[proctype].progress_locations.get(location).is_some_and(|&label| label)
}

impl<'a> StepTask<'a> {
    /// A task that begins in the state of the half; `sender` is the class of the accepted offer,
    /// with the items that the sender has changed.
    pub fn new(
        pid: usize,
        start: u32,
        half: Half<'a>,
        next: TaskNext,
        sender: Option<(ClassId, &[Item])>,
    ) -> Self {
        let (sender, touched) = sender.unzip();
        Self {
            pid,
            start,
            before: half.local.as_slice().into(),
            half,
            next,
            faults: Vec::new(),
            path: Rc::default(),
            n_steps: 0,
            sender,
            touched: Rc::new(touched.unwrap_or_default().to_vec()),
            fails: false,
        }
    }

    /// Records a statement; repetitions in a loop are counted only.
    fn note(&mut self, source: SourcePlace) {
        self.n_steps += 1;
        if !self.path.contains(&source) {
            Rc::make_mut(&mut self.path).push(source);
        }
    }

    /// The task after taking an edge.
    fn after(
        &self,
        cut: &'a Cut<'a>,
        half: Half<'a>,
        control: Control,
        source: SourcePlace,
        faults: Vec<Violation>,
    ) -> Vec<TaskOutcome<'a>> {
        let mut task = StepTask { half, ..self.clone() };
        task.faults.extend(faults);
        task.note(source);
        if control == Control::Free || task.half.local[0] == DEAD {
            return vec![task.finish(cut)];
        }
        task.next = TaskNext::Choose;
        vec![TaskOutcome::GoesOn(task)]
    }

    fn finish(mut self, cut: &Cut<'_>) -> TaskOutcome<'a> {
        if cut.claims.is_empty() {
            return TaskOutcome::Ends(self);
        }
        self.next = TaskNext::ShowClaims;
        TaskOutcome::GoesOn(self)
    }

    /// The failed task after an error that some exchanges led to.
    fn wrecked(&self, wreck: Option<Half<'a>>, faults: Vec<Violation>) -> Vec<TaskOutcome<'a>> {
        match wreck {
            Some(half) => StepTask { half, ..self.clone() }.failed(faults),
            None => self.failed(faults),
        }
    }

    /// The failed task after violations that leave no next state: it ends where it began. Nothing,
    /// if there are no violations.
    fn failed(&self, faults: Vec<Violation>) -> Vec<TaskOutcome<'a>> {
        if faults.is_empty() {
            return Vec::new();
        }
        let mut task = self.clone();
        task.half.local = Rc::new(task.before.to_vec());
        task.fails = true;
        task.faults.extend(faults);
        vec![TaskOutcome::Ends(task)]
    }
}
