//! Scripts: a process's steps, as far as it can go without asking.
//!
//! One step leads from a state that spin stores to the next: a process inside an `atomic`
//! goes on until it leaves the block or cannot move, which is where it loses
//! control. So there is no state in which somebody holds control, and no component that
//! everybody would have to ask for it.

use crate::closure::ClassId;
use crate::cut::Cut;
use crate::cut::support::{Item, touched};
use crate::step::half::{Gap, Half};
use crate::step::reply::DEAD;
use crate::step::request::{Reply, Request};
use resy_index::Id;
use resy_system::{
    Attempt, Command, Control, DStep, DStepGuard, Edge, Expr, LocationId, Move, Offer, SourcePlace,
    Steps, Value, Violation, ViolationKind,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A block of more steps is taken to go on for ever.
const MAX_STEPS: usize = 10_000;

/// A step under way.
#[derive(Clone)]
pub struct StepTask<'a> {
    /// The process that drives it.
    pub pid: usize,
    /// Its local state at the start.
    pub start: u32,
    /// The state so far.
    pub half: Half<'a>,
    /// The local state of the driver at the start, by value.
    pub before: Rc<[i32]>,
    /// What comes next.
    pub next: TaskNext,
    /// What went wrong so far.
    pub faults: Vec<Violation>,
    /// The statements so far, each once.
    pub path: Rc<Vec<SourcePlace>>,
    /// How many there were.
    pub n_steps: usize,
    /// The offer of another process that this one accepts.
    pub sender: Option<ClassId>,
    /// What the sender has touched.
    pub touched: Rc<Vec<Item>>,
    /// Whether an error leaves no state to go on with.
    pub fails: bool,
}

/// What a task does next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TaskNext {
    /// Takes an edge of the location where the process stands.
    Edge {
        /// Its position.
        index: usize,
        /// Whether `timeout` is taken to hold.
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

/// What a task has come to.
pub enum TaskOutcome<'a> {
    /// Somebody must be asked first.
    Gap(StepTask<'a>, Gap),
    /// The step is complete.
    Ends(StepTask<'a>),
    /// The step is complete when somebody accepts.
    Offers(StepTask<'a>, Offer),
    /// The step goes on.
    GoesOn(StepTask<'a>),
}

/// All tasks that begin a step of a process in a local state.
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
        // Nobody can tell locally whether the whole system is stuck: both may be.
        let asks_timeout = edges[..=index].iter().any(asks_timeout);
        for timeout in [false, true].into_iter().take(1 + usize::from(asks_timeout)) {
            tasks.push(StepTask { next: TaskNext::Edge { index, timeout }, ..task.clone() });
        }
    }
    tasks
}

/// Whether an edge asks if the whole system is stuck.
pub fn asks_timeout(edge: &Edge) -> bool {
    let mut found = false;
    edge.command.walk(&mut |e| found |= matches!(e, Expr::Timeout));
    found
}

/// The edges of a process at a location of its proctype.
pub fn edges_at<'a>(cut: &Cut<'a>, pid: usize, location: i32) -> &'a [Edge] {
    &cut.system().proctypes[cut.proctypes[pid]].edges[LocationId::from_index(location as usize)]
}

/// Runs a task as far as it goes, in all the ways it can.
pub fn run<'a>(cut: &'a Cut<'a>, task: StepTask<'a>) -> Vec<TaskOutcome<'a>> {
    let mut complete = Vec::new();
    let mut todo = vec![task];
    let mut seen = FxHashSet::default();
    while let Some(task) = todo.pop() {
        for outcome in advance(cut, &task) {
            match outcome {
                // Two ways through a block that meet are one from there on.
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

/// The task, once for each way in which it can go on.
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

/// Does what comes next.
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
    let moved = asks_moved(cut, pid, edge) && any_could(cut, half, pid, index, timeout)?;
    let actor = Move { pid, edge: index };
    let attempt = interpreter.attempt(half, actor, edge, moved, timeout, &mut notes);
    // What is wrong with the attempt is wrong whatever becomes of it.
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

/// Whether an edge before this one could be taken.
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

/// Whether an edge could be taken, given what could be taken before it.
fn could_take(
    cut: &Cut<'_>,
    half: &Half<'_>,
    pid: usize,
    index: usize,
    timeout: bool,
) -> Value<bool> {
    let edge = &edges_at(cut, pid, half.local[0])[index];
    let moved = asks_moved(cut, pid, edge) && any_could(cut, half, pid, index, timeout)?;
    cut.interpreter.could_take(half, pid, edge, moved, timeout)
}

/// Whether it matters for an edge if another could be taken before it.
fn asks_moved(cut: &Cut<'_>, pid: usize, edge: &Edge) -> bool {
    let starts_with_else = |d: &DStep| matches!(d.guard, DStepGuard::Else);
    let asks = match &edge.command {
        Command::Else => true,
        Command::DStep(d) => starts_with_else(d),
        _ => false,
    };
    let mut enabled = false;
    edge.command.walk(&mut |e| enabled |= matches!(e, Expr::Enabled(_)));
    asks || enabled || cut.system().proctypes[cut.proctypes[pid]].deterministic
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

/// Whether neither priorities nor a `provided` clause can hold a process back.
fn is_free(cut: &Cut<'_>, pid: usize) -> bool {
    let system = cut.system();
    !system.uses_priority && system.proctypes[cut.proctypes[pid]].provided.is_none()
}

/// Whether a process at a location with this edge can always move. (With `else`, it can
/// take that if nothing else.)
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

/// Tells every claim the conditions that the step may have changed.
fn show_claims<'a>(cut: &'a Cut<'a>, task: &StepTask<'a>) -> Value<Vec<TaskOutcome<'a>>> {
    let task = task.clone();
    let mut items = touched(cut, &task.before, &task.half);
    items.extend_from_slice(&task.touched);
    for watch in &cut.claims {
        let mut changes = Vec::new();
        for (number, condition) in watch.monitor.propositions.iter().enumerate() {
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
        if !changes.is_empty() || watch.monitor.counts_steps() {
            task.half.record(watch.part, Request::Claim(changes), Reply::Done);
        }
    }
    Ok(vec![TaskOutcome::Ends(task)])
}

impl<'a> StepTask<'a> {
    /// A task that begins in the state of the half, with what the sender of an offer has touched.
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

    /// One more statement. In a loop it is one of those before.
    fn note(&mut self, source: SourcePlace) {
        self.n_steps += 1;
        if !self.path.contains(&source) {
            Rc::make_mut(&mut self.path).push(source);
        }
    }

    /// The task after an edge.
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

    /// The same, when an error has come after some exchanges: they led to it.
    fn wrecked(&self, wreck: Option<Half<'a>>, faults: Vec<Violation>) -> Vec<TaskOutcome<'a>> {
        match wreck {
            Some(half) => StepTask { half, ..self.clone() }.failed(faults),
            None => self.failed(faults),
        }
    }

    /// What is left of the task when something has gone wrong that leaves no state: an
    /// end where it began. Nothing, if nothing has gone wrong.
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
