//! `resy check`: verdict on every property of a model.

use crate::Exit;
use crate::args::{Check, Engine, NetworkMethod};
use crate::compositional;
use crate::decide::{network_methods, requirement_methods};
use crate::load::{Extra, load_whole};
use crate::long::{self, Saving};
use crate::model::Model;
use crate::output::{Answer, Report, Stats};
use crate::program::Program;
use crate::progress::Meter;
use crate::properties::{Property, Selection, Verdict, reason, select, select_without_claims};
use crate::race::{self, Race};
use crate::unreached::unreached;
use crate::{interrupt, limits, memory, shorten, show, team};
use resy_engine::search::{
    Ample, Limits, Order, Progress, Search, Stopped, Task, replay, search_kept, search_lossy,
};
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{Interpreter, Options, System};
use serde_json::json;
use std::time::Duration;

/// Runs the command.
pub fn run(check: &Check) -> Exit {
    if let Some(message) = unknown_method(check) {
        return bad_input(message.to_owned());
    }
    if let Err(exit) = show::validate(check) {
        return exit;
    }
    let verdict = match check.engine {
        Engine::Requirement => compositional::verdict(check, requirement_methods(check)),
        Engine::Network => compositional::verdict(check, network_methods(check)),
        // A search has no certificate.
        Engine::Auto if check.certificate.is_some() => {
            compositional::verdict(check, network_methods(check))
        }
        Engine::Auto | Engine::Monolithic => verdict(check),
    };
    if verdict == Err(Exit::BadInput) {
        show::complaints(check);
    }
    verdict.map_or_else(|exit| exit, Exit::from)
}

/// What is wrong with the method that is asked for.
fn unknown_method(check: &Check) -> Option<&'static str> {
    match (check.engine, check.method?) {
        (Engine::Monolithic, _) => Some("--method is about --engine network; leave it out"),
        (Engine::Requirement, NetworkMethod::Folding | NetworkMethod::Product) => Some(
            "the method of --engine requirement is refinement; leave out --method, or the engine",
        ),
        _ => None,
    }
}

/// A search of all states has no certificate.
pub fn no_certificate(check: &Check) -> Result<(), Exit> {
    if check.certificate.is_some() && check.engine == Engine::Monolithic {
        let message = "a search of all states has no certificate; leave out --engine monolithic";
        return Err(bad_input(message.to_owned()));
    }
    Ok(())
}

fn verdict(check: &Check) -> Result<Verdict, Exit> {
    no_certificate(check)?;
    let extra =
        Extra { ltl: check.properties.ltl.as_deref(), claim: check.properties.claim.as_deref() };
    let (system, program) = load_whole(&check.file, &check.common, &extra)?;
    let selection = match check.no_claims {
        true => select_without_claims(&system),
        false => select(&system, check.properties.property.as_deref()),
    };
    let selection = selection.map_err(bad_input)?;
    let options =
        Options { loss: check.semantics.loss, empty_channels: check.semantics.empty_channels };
    let interrupt = interrupt::flag();
    let race = race::applies(check, &selection.properties).then(|| {
        let limits = limits::Limits::with_interrupt(&check.resources, interrupt.clone());
        let (system, asked) = (system.clone(), selection.only(&selection.properties));
        let program = program.clone();
        let model = move || Model::new(program, system, asked, options);
        Ok(Race::begin(check, &selection.properties, limits?, &interrupt, model))
    });
    let race = race.transpose().map_err(bad_input)?;
    // The others take a thread, and the last quarter of the memory.
    let alone = check;
    let check = &match race.is_some() {
        true => in_race(check),
        false => check.clone(),
    };
    let interpreter = Interpreter::new(&system, options);
    let visible = Visible { expressions: selection.monitors.conditions().to_vec() };
    let reduced = reduce(check, &system, &selection, &visible);
    let ample = (reorders(check, &selection, check.no_por) && team::may_reduce(check))
        .then(|| Ample::of(&reduced, &visible, options));
    let identity = || long::identity(check, &system, &reduced, &selection, ample.is_some());
    let one = team::is_one(check, ample.is_some());
    let mut saving = long::saving(check, identity, one).map_err(bad_input)?;
    let lossy = long::lossy(check).map_err(bad_input)?;
    let meter = Meter::of(&check.common);
    let tell_progress = |progress: &Progress| {
        race.iter().for_each(Race::offer);
        meter.search(progress);
    };
    let task = Task {
        system: &reduced,
        options,
        monitors: selection.monitors.clone(),
        end_states: selection.properties.contains(&Property::EndStates),
        claims_only: selection.claims_only() && !check.plain,
        all_paths: check.plain,
        ample,
        order: if check.dfs { Order::DepthFirst } else { Order::BreadthFirst },
        compiled: !check.interpret,
        limits: Limits {
            timeout: timeout(check)?,
            memory: check.resources.memory,
            first_violation: !check.exhaustive,
            interrupt: Some(&interrupt),
            progress: Some(&tell_progress),
        },
    };
    let initial = |kind| format!("the initial values cannot be computed: {kind}");
    let found = match (&mut saving, lossy) {
        (Saving::One(keeper), _) => search_kept(&task, keeper).map_err(initial),
        (Saving::Several(archive), _) => team::search(check, &task, Some(archive)),
        (Saving::Nowhere, Some(lossy)) => search_lossy(&task, lossy).map_err(initial),
        (Saving::Nowhere, None) => team::search(check, &task, None),
    };
    let found = found.map_err(bad_input)?;
    let others = race.as_ref().map(|race| race.end(found.stopped)).unwrap_or_default();
    if found.stopped.is_none() {
        meter.search(&complete(&found));
    }
    meter.done();
    if let Some(why) = saving.failure() {
        eprintln!("resy: the search could not be saved: {why}");
    }
    if found.was_over && !check.common.quiet {
        eprintln!("resy: the saved search was complete; there was nothing left to do");
    }
    tell(alone, &program, &interpreter, &selection, &task, &found, others)
}

/// The call for a search that has rivals.
fn in_race(check: &Check) -> Check {
    let mut check = check.clone();
    check.threads = check.threads.map(|n| n.saturating_sub(1).max(1));
    check.resources.memory = check.resources.memory.map(|limit| limit / 4 * 3);
    check
}

/// Says what a search has found of each property.
fn tell(
    check: &Check,
    program: &Program,
    interpreter: &Interpreter<'_>,
    selection: &Selection,
    task: &Task<'_>,
    found: &Search,
    others: race::Found,
) -> Result<Verdict, Exit> {
    let system = interpreter.system();
    let distances = task.ample.is_none() && !reorders(check, selection, check.no_merge);
    let covered = long::covered(found, distances);
    let mut elsewhere = others.answers;
    // The search was stopped because another engine had found a violation.
    let is_violated = elsewhere.iter().any(|answer| answer.verdict == Verdict::Fails);
    let stopped = match found.stopped {
        Some(Stopped::Interrupt) if is_violated => Some(Stopped::Violation),
        stopped => stopped,
    };
    let why_unknown = || {
        let parts = reason(stopped).into_iter().chain(covered.as_deref());
        parts.collect::<Vec<_>>().join("; ")
    };
    let mut answer = |property: &Property| {
        let violation = property.violation(found);
        let verdict = property.verdict(found);
        let other = elsewhere.iter().position(|answer| answer.property == *property);
        if let Some(other) = other.filter(|_| verdict == Verdict::Unknown) {
            return elsewhere.swap_remove(other);
        }
        Answer {
            verdict,
            engine: "monolithic",
            reason: match verdict {
                Verdict::Unknown => Some(why_unknown()),
                _ => violation.map(|f| property.describe(system, &f.outcome)),
            },
            run: violation.map(|f| replay(interpreter, task, found, f)),
            property: property.clone(),
        }
    };
    let mut answers: Vec<Answer> = selection.properties.iter().map(&mut answer).collect();
    if !is_shortest(check, selection, task) {
        shorten::answers(check, interpreter, selection, &mut answers, found.elapsed);
    }
    let nothing = !selection.not_checked.is_empty() && selection.properties.is_empty();
    let total = total(answers.iter().map(|a| a.verdict), nothing);
    if let Some(index) = check.host_index.filter(|&i| i > 0) {
        team::summarize(index, found, total);
        return Ok(total);
    }
    // Who has all answers need not know why the search went no further.
    let is_undecided = answers.iter().any(|answer| answer.verdict == Verdict::Unknown);
    let stopped = reason(stopped).filter(|_| is_undecided || nothing);
    let stopped = stopped.map(|reason| format!("search stopped: {reason}"));
    let by_others = others.how.into_iter().map(|how| format!("decided beside the search: {how}"));
    let beyond_spin = selection.beyond_spin().map(|note| format!("note: {note}"));
    let by_network = answers.iter().any(|answer| answer.engine != "monolithic");
    let report = Report {
        check,
        program,
        interpreter,
        answers,
        total,
        unreached: unreached(system, found).filter(|_| !task.claims_only),
        not_checked: &selection.not_checked,
        notes: by_others.chain(stopped).chain(covered).chain(beyond_spin).collect(),
        stats: stats(found),
        seen: seen(found, task.claims_only),
        parts: others.parts.filter(|_| by_network),
        requirement: None,
    };
    show::finish(&report)
}

/// What a search has looked at.
fn seen(search: &Search, claims_only: bool) -> &'static str {
    match (search.stopped, search.covered.is_some()) {
        (None, false) if claims_only => {
            "All reachable states were visited in which a claim could still be violated."
        }
        (None, false) => {
            "All reachable states were visited, up to reductions that keep the verdicts."
        }
        (None, true) => {
            "States were told apart by a few bits of each, so that some may have been missed."
        }
        (Some(_), _) => "Not all reachable states were visited: the search was stopped.",
    }
}

/// The progress of a search that has come to its end: nothing waits.
fn complete(search: &Search) -> Progress {
    Progress {
        states: search.states as usize,
        waiting: 0,
        transitions: search.transitions,
        depth: search.depth,
        memory: memory::peak() as usize,
        elapsed: search.elapsed,
    }
}

fn stats(search: &Search) -> Stats {
    let parts = |pick: fn((usize, usize)) -> usize| {
        search.stores.iter().map(|store| pick(store.parts())).sum::<usize>()
    };
    Stats {
        states: search.states,
        transitions: search.transitions,
        depth: search.depth,
        elapsed: search.elapsed,
        more: vec![
            ("levels", json!(search.n_levels)),
            ("leaves", json!(parts(|p| p.0))),
            ("nodes", json!(parts(|p| p.1))),
        ],
    }
}

/// The system with the reductions that are wanted.
fn reduce(check: &Check, system: &System, selection: &Selection, visible: &Visible) -> System {
    let mut reduced = system.clone();
    if reorders(check, selection, check.no_merge) {
        reduced = merge(&reduced, visible);
    }
    if !check.plain && !check.no_reset {
        reduced = reset_dead(&reduced, visible);
    }
    reduced
}

/// Whether the runs of a search are the shortest already.
fn is_shortest(check: &Check, selection: &Selection, task: &Task<'_>) -> bool {
    let is_by_distance =
        task.order == Order::BreadthFirst && long::lossy(check).is_ok_and(|l| l.is_none());
    is_by_distance && task.ample.is_none() && !reorders(check, selection, check.no_merge)
}

/// Whether a reduction that leaves out steps or changes their order may be made: it
/// must not if a claim counts steps, or if the least depth is asked for.
fn reorders(check: &Check, selection: &Selection, switched_off: bool) -> bool {
    !switched_off && !check.plain && !check.shortest && !selection.counts_steps
}

fn timeout(check: &Check) -> Result<Option<Duration>, Exit> {
    let Some(seconds) = check.resources.timeout else { return Ok(None) };
    let limit = Duration::try_from_secs_f64(seconds);
    limit.map(Some).map_err(|_| bad_input(format!("{seconds} is not a number of seconds")))
}

/// Fails before unknown before holds.
pub fn total(verdicts: impl Iterator<Item = Verdict>, nothing_checked: bool) -> Verdict {
    let mut total = if nothing_checked { Verdict::Unknown } else { Verdict::Holds };
    for verdict in verdicts {
        total = match (total, verdict) {
            (Verdict::Fails, _) | (_, Verdict::Fails) => Verdict::Fails,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            _ => Verdict::Holds,
        };
    }
    total
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
