//! Starting, watching and joining the workers of this process.

use super::super::breadth::Start;
use super::super::coverage::Coverage;
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::{Findings, same};
use super::super::limits::{Clock, Limits, Stopped};
use super::super::{Ample, KnownSymmetry, Search, StorePolicy, Task, Threads, Way};
use super::crew::Crew;
use super::hosts::{Links, SealedLink, pulse};
use super::key::Key;
use super::messages::mailbox::Mailbox;
use super::partition::LocalFinding;
use super::results::gather::{Totals, gather, violations_from};
use super::results::trace::trace;
use super::saving::resume::{self, Refused};
use super::signals::Signals;
use super::worker::{Ending, Worker};
use super::{Archive, Workers, WorkersFailure, not_started};
use crate::store::StateStore;
use crate::vector::Shape;
use resy_system::{Monitors, Options, Outcome, Property, System};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{Allocator, AllocatorBuilder, ProcessBuilder};

/// A [`Task`] without what only the waiting thread needs.
struct SharedTask<'a> {
    system: &'a System,
    options: Options,
    monitors: &'a Monitors,
    end_states: bool,
    in_steps: &'a Option<Vec<Property>>,
    claims_only: bool,
    all_paths: bool,
    ample: Option<&'a Ample>,
    symmetry: &'a Option<Arc<KnownSymmetry>>,
    compiled: bool,
    first_violation: bool,
    key: Key,
    archive: Option<&'a Archive>,
    threads: usize,
    inside: Threads,
    store: StorePolicy,
    /// The most bytes of the flat store of a worker.
    most_flat: usize,
}

/// The result of one worker.
struct WorkerResult {
    /// The time that the search took before it was resumed.
    before: Duration,
    store: StateStore,
    ending: Ending,
    /// The totals over all workers, which every worker knows.
    sum: Totals,
    coverage: Coverage,
    ways: Vec<Vec<Vec<u8>>>,
}

/// The stack of a worker: the interpreter recurses into expressions.
const STACK: usize = 64 << 20;
/// The time between two checks of the limits.
const GLANCE: Duration = Duration::from_millis(20);
/// The most time that closing the connections may take.
const FAREWELL: Duration = Duration::from_secs(5);

/// Searches with several workers, from the initial state or from where one worker stopped.
pub(super) fn search(
    task: &Task<'_>,
    workers: &Workers,
    start: Option<Arc<Start>>,
    key: Key,
    archive: Option<&Archive>,
    links: Option<Links>,
    started: Instant,
) -> Result<Search, WorkersFailure> {
    let signals = Signals::new(workers.threads);
    if let Some(start) = start.as_ref().filter(|_| workers.hosts.is_none()) {
        let (before, n_states) = (&signals.before, start.store.len());
        let last = start.levels.last().map_or(0, |&first| first as usize);
        before.states.store(n_states, Relaxed);
        before.waiting.store(n_states - last, Relaxed);
        before.transitions.store(start.transitions, Relaxed);
        before.level.store(start.levels.len() as u64 - 1, Relaxed);
        before.memory.store(start.store.memory(), Relaxed);
    }
    let (data, mut pulses) = links.map_or((None, Vec::new()), |l| (Some(l.data), l.pulse));
    if data.is_some() {
        suppress_panics_of_lost_hosts(&signals);
    }
    let index = workers.hosts.as_ref().map_or(0, |h| h.index);
    let Ok((builders, guard)) = allocators(workers.threads, index, data) else {
        return Ok(not_started(task, started, Stopped::HostLost));
    };
    let model = SharedTask {
        system: task.system,
        options: task.options,
        monitors: &task.monitors,
        end_states: task.end_states,
        in_steps: &task.in_steps,
        claims_only: task.claims_only,
        all_paths: task.all_paths,
        ample: task.ample.as_ref(),
        symmetry: &task.symmetry,
        compiled: task.compiled,
        first_violation: task.limits.first_violation,
        key,
        archive,
        threads: workers.threads,
        inside: workers.inside,
        store: task.store,
        most_flat: task.store.most(&task.limits) / workers.threads,
    };
    let parts: Vec<Result<WorkerResult, Refused>> = thread::scope(|scope| {
        let (signals, model) = (&signals, &model);
        // Nothing is sent: the channel is closed when all workers have ended.
        let (open, ended) = mpsc::channel();
        let spawn = |(local, builder): (usize, AllocatorBuilder)| {
            let (start, open) = (start.clone(), open.clone());
            let work = move || {
                let result = run_worker(builder, local, model, start, signals);
                drop(open);
                result
            };
            thread::Builder::new()
                .name(format!("worker {local}"))
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .expect("the system has room for a thread")
        };
        let team: Vec<_> = builders.into_iter().enumerate().map(spawn).collect();
        // The workers have copied what they need of it.
        drop(start);
        drop(open);
        for channel in pulses.iter().flatten().filter_map(|c| c.try_clone().ok()) {
            scope.spawn(move || pulse::watch(channel, signals));
        }
        watch(&ended, &task.limits, archive, signals, started);
        let parts = team.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>();
        signals.finish();
        pulses.iter_mut().flatten().for_each(|channel| pulse::end(channel, signals));
        parts.into_iter().map(|p| p.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    close_connections(guard, &signals);
    match parts.into_iter().collect::<Result<Vec<WorkerResult>, Refused>>() {
        Ok(parts) => Ok(combine(parts, started)),
        Err(Refused::Checkpoint(what)) => Err(WorkersFailure::Checkpoint(what)),
        Err(Refused::Lost) => {
            let far = signals.progress(started.elapsed());
            Ok(Search {
                states: far.states as u64,
                transitions: far.transitions,
                depth: far.depth,
                ..not_started(task, started, Stopped::HostLost)
            })
        }
    }
}

/// Checks the limits until the workers have ended.
fn watch(
    ended: &mpsc::Receiver<()>,
    limits: &Limits<'_>,
    archive: Option<&Archive>,
    signals: &Signals,
    started: Instant,
) {
    let mut clock = Clock::new(started);
    loop {
        let memory = signals.progress(Duration::ZERO).memory;
        if let Some(why) = clock.look(limits, memory, |elapsed| signals.progress(elapsed)) {
            signals.stop(why);
        }
        if archive.is_some_and(Archive::is_due) {
            signals.pause();
        }
        if let Err(RecvTimeoutError::Disconnected) = ended.recv_timeout(GLANCE) {
            return;
        }
    }
}

/// Combines the results of the workers.
fn combine(parts: Vec<WorkerResult>, started: Instant) -> Search {
    let mut stores = Vec::new();
    let mut known = None;
    for part in parts {
        stores.push(part.store);
        known = known.or(Some((part.ending, part.sum, part.coverage, part.ways, part.before)));
    }
    let (ending, sum, coverage, ways, before) = known.expect("there is a worker");
    Search {
        states: sum.states,
        stores,
        transitions: sum.transitions,
        depth: ending.depth,
        findings: Findings(sum.findings.into_iter().map(|f| f.found).collect()),
        stopped: ending.stopped,
        was_over: ending.was_over,
        elapsed: before + started.elapsed(),
        shapes: None,
        covered: None,
        // The last level may be incomplete.
        n_levels: Some(ending.depth + u64::from(ending.stopped.is_none())),
        coverage,
        way: Way::Vectors(ways),
    }
}

/// Runs a worker from start to end.
fn run_worker(
    builder: AllocatorBuilder,
    local: usize,
    model: &SharedTask<'_>,
    start: Option<Arc<Start>>,
    signals: &Signals,
) -> Result<WorkerResult, Refused> {
    // After a loss, dropping timely's channels may panic. They are leaked, since the process does not use
    // them again.
    let lives = AssertUnwindSafe(move || {
        let allocator = match builder {
            AllocatorBuilder::Thread(_) => Allocator::Thread(Default::default()),
            AllocatorBuilder::Process(process) => Allocator::Process(process.build()),
            AllocatorBuilder::Tcp(tcp) => Allocator::Tcp(tcp.build()),
        };
        let timely =
            timely::worker::Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let mut timely = ManuallyDrop::new(timely);
        let part = search_as_worker(&mut timely, local, model, start, signals);
        if matches!(part, Err(Refused::Lost)) {
            return part;
        }
        while timely.has_dataflows() && !signals.is_lost() {
            timely.step_or_park(Some(Duration::from_millis(20)));
        }
        if !signals.is_lost() {
            drop(ManuallyDrop::into_inner(timely));
        }
        part
    });
    catch_unwind(lives).unwrap_or_else(|panic| {
        let was_lost = signals.is_lost();
        signals.lose();
        if was_lost { Err(Refused::Lost) } else { resume_unwind(panic) }
    })
}

fn search_as_worker(
    timely: &mut timely::worker::Worker,
    local: usize,
    model: &SharedTask<'_>,
    start: Option<Arc<Start>>,
    signals: &Signals,
) -> Result<WorkerResult, Refused> {
    let mut task = Task::new(model.system)
        .options(model.options)
        .monitors(model.monitors.clone())
        .end_states(model.end_states)
        .claims_only(model.claims_only)
        .all_paths(model.all_paths)
        .symmetry(model.symmetry.clone())
        .compiled(model.compiled);
    task.in_steps.clone_from(model.in_steps);
    let expander = Expander::new_while(&task, &mut || signals.stopped().is_none())
        .expect("the caller has seen the first state");
    let counters = &signals.counters[local];
    let mut worker =
        Worker::new(expander, Mailbox::new(timely), signals, counters, model.key.clone());
    worker.first_violation = model.first_violation;
    worker.ample = model.ample;
    worker.crew = Crew::new(&task, model.inside, &mut || signals.stopped().is_none());
    worker.partition.most_flat = model.most_flat;
    if model.archive.is_none() {
        worker.partition.store = model.store.store();
    }
    let is_resumed = match model.archive {
        Some(archive) => match resume::prepare(&mut worker, archive, model.threads) {
            Ok(is_resumed) => is_resumed,
            Err(refused) => {
                worker.end();
                return Err(refused);
            }
        },
        None => false,
    };
    match start {
        _ if is_resumed => {}
        Some(start) => continue_from(&mut worker, &start),
        None => begin(&mut worker),
    }
    let ending = worker.search()?;
    let ending = Ending { was_over: ending.was_over && is_resumed, ..ending };
    let mut coverage = Coverage::new(model.system);
    let sum = gather(&mut worker, &mut coverage)?;
    let ways = trace(&mut worker, &sum.findings)?;
    let before = worker.saver.as_ref().map_or(Duration::ZERO, |saver| saver.before);
    Ok(WorkerResult { before, store: worker.end(), ending, sum, coverage, ways })
}

/// Starts with the initial state.
fn begin(worker: &mut Worker<'_>) {
    let mut first = First(Vec::new());
    worker.expander.initial(&mut first);
    let own = worker.partition.insert_if_own(&mut worker.expander, &first.0);
    worker.open_level();
    if !own {
        return;
    }
    worker.partition.transitions = 1;
    for (i, (outcome, _)) in violations_from(&mut worker.expander, &[]).into_iter().enumerate() {
        let local =
            LocalFinding { outcome, level: 0, from: Vec::new(), ordinal: i as u64, times: 1 };
        worker.partition.findings.push(local);
    }
}

/// Receives the initial state.
struct First(Vec<u8>);

impl Arrivals for First {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        self.0 = vector.to_vec();
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}
}

/// Continues from where one worker stopped: every worker takes its own states. Counts and findings go to
/// the first worker, so that they count once.
fn continue_from(worker: &mut Worker<'_>, start: &Start) {
    *worker.expander.stepper.shapes() = start.shapes.clone();
    let ends = start.levels.iter().skip(1).copied();
    for (level, end) in ends.chain([start.store.len() as u32]).enumerate() {
        if level > 0 {
            worker.partition.flush();
            worker.levels.push(worker.partition.store.len() as u32);
        }
        let Worker { expander, partition, .. } = &mut *worker;
        start.store.for_each(expander, start.levels[level]..end, |expander, vector| {
            partition.insert_if_own(expander, vector);
        });
    }
    worker.open_level();
    if worker.me() > 0 {
        return;
    }
    worker.partition.transitions = start.transitions;
    worker.expander.coverage.add(&start.coverage);
    for found in start.findings.iter() {
        let level = start.levels.partition_point(|&first| first <= found.from) as u64 - 1;
        let from = start.store.vector(&mut worker.expander, found.from);
        let mut ordinal = |from: &[u8]| {
            let seen = violations_from(&mut worker.expander, from);
            seen.iter().position(|(outcome, _)| same(outcome, &found.outcome))
        };
        let (from, ordinal) = match ordinal(&from) {
            Some(ordinal) => (from, ordinal),
            None => {
                let at_first = ordinal(&[]);
                (Vec::new(), at_first.expect("what a state does not show, the first state does"))
            }
        };
        let (outcome, ordinal, times) = (found.outcome.clone(), ordinal as u64, found.times);
        worker.partition.findings.push(LocalFinding { outcome, level, from, ordinal, times });
    }
}

/// The endpoints of timely's channels, and the threads that serve the connections.
fn allocators(
    threads: usize,
    index: usize,
    sockets: Option<Vec<Option<SealedLink>>>,
) -> std::io::Result<(Vec<AllocatorBuilder>, Option<CommsGuard>)> {
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
    let Some(sockets) = sockets else {
        return Ok((local.into_iter().map(AllocatorBuilder::Process).collect(), None));
    };
    let (all, guard) = initialize_networking_from_sockets(local, sockets, index, threads, hooks)?;
    Ok((all.into_iter().map(AllocatorBuilder::Tcp).collect(), Some(guard)))
}

/// Waits until the connections are closed in order, which never happens after a loss.
fn close_connections(guard: Option<CommsGuard>, signals: &Signals) {
    let Some(guard) = guard else { return };
    if signals.is_lost() {
        return std::mem::forget(guard);
    }
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let _ = catch_unwind(AssertUnwindSafe(|| drop(guard)));
        let _ = tell.send(());
    });
    let _ = told.recv_timeout(FAREWELL);
}

/// Timely's threads panic when a connection breaks, which is how a loss is noticed at once. It is reported
/// as a verdict, so the message of the panic is suppressed.
fn suppress_panics_of_lost_hosts(signals: &Signals) {
    let lost = signals.lost_flag();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().name().is_some_and(|name| name.starts_with("timely:")) {
            lost.store(true, Relaxed);
        }
        if !lost.load(Relaxed) {
            usual(info);
        }
    }));
}
