//! The search of all states of a program.

use super::saving::{self, Saving};
use super::{NAME, Rivals, swarm, team};
use crate::control::{Control, Message, Stop, memory};
use crate::counterexample::{Candidate, violation};
use crate::engine::{Account, Case, Chance, Cost, Stats};
use crate::question::{CallError, Question};
use crate::subject::Program;
use crate::unreached::unreached;
use crate::verdict::{Answer, Evidence, Reason, Verdict};
use resy_engine::search::{
    Ample, KnownSymmetry, Limits, Order, Progress, Search, Stopped, Task, replay_while,
    search_kept, search_lossy,
};
use resy_engine::store::StateStore;
use resy_passes::{Visible, find_symmetry, merge_while, reset_dead_while};
use resy_system::{ProctypeId, Property, System};
use std::sync::Arc;

/// Searches all states, with the reductions that the question permits. A rival of another search asks its control, and is
/// given up after so many transitions.
pub(super) fn search_states(
    case: &Case,
    program: &Program,
    control: &Control,
    rivals: Option<&dyn Rivals>,
    guide: Option<u64>,
) -> Result<Account, CallError> {
    let (question, model, system) = (&case.question, &*case.model, &program.system);
    let selection = &model.selection;
    let visible = Visible::new(selection.monitors.conditions().to_vec());
    let (may_prepare, mut is_stopped) = (control.preparation(), false);
    let go_on = &mut || {
        is_stopped |= !may_prepare();
        !is_stopped
    };
    let Some(mut reduced) = reduce(case, system, &visible, go_on) else {
        return Ok(unprepared(case, control));
    };
    let (symmetry, told_apart) = symmetry(case, &mut reduced, &visible);
    let ample = reorders(case, question.search.no_por)
        .then(|| Ample::of_while(&reduced, &visible, question.semantics, go_on))
        .flatten();
    if is_stopped {
        return Ok(unprepared(case, control));
    }
    let reductions = (ample.is_some(), symmetry.is_some());
    let identity = || saving::identity(question, model, system, &reduced, reductions);
    let mut saving = saving::saving(question, identity, team::is_one(question), control)?;
    let lossy = saving::lossy(question, control)?;
    let tell_progress = |progress: &Progress| {
        rivals.iter().for_each(|rivals| rivals.offer());
        control.tell(&Message::Search(progress));
    };
    let may_go_on = || control.may_go_on();
    let limits = Limits {
        timeout: control.left(),
        memory: control.memory(),
        first_violation: !question.exhaustive,
        transitions: guide,
        interrupt: Some(control.stop_flag()),
        goes_on: (guide.is_some() || control.has_condition()).then_some(&may_go_on as _),
        progress: Some(&tell_progress).filter(|_| guide.is_none()).map(|tell| tell as _),
    };
    let mut task = Task::new(&reduced)
        .options(question.semantics)
        .monitors(selection.monitors.clone())
        .asked(&selection.properties)
        .claims_only(selection.claims_only() && !question.search.plain)
        .all_paths(question.search.plain)
        .ample(ample)
        .symmetry(symmetry)
        .order(order(case))
        .compiled(!question.search.interpret)
        .threads(team::threads(question))
        .limits(limits);
    if let Some(seed) = question.search.swarm {
        let (search, words) = swarm::fly(&mut task, seed, control)?;
        let mut account = account(case, system, &task, &search, control);
        account.notes.insert(0, words);
        return Ok(Account { details: told_apart, unreached: None, ..account });
    }
    let search = match (&mut saving, lossy) {
        (Saving::One(keeper), _) => search_kept(&task, keeper).map_err(team::initial),
        (Saving::Several(archive), _) => team::search(question, &task, Some(archive), control),
        (Saving::Nowhere, Some(lossy)) => search_lossy(&task, lossy).map_err(saving::lossy_trouble),
        (Saving::Nowhere, None) => team::search(question, &task, None, control),
    }?;
    if search.stopped.is_none() && guide.is_none() {
        control.tell(&Message::Search(&complete(&search)));
    }
    let not_saved = saving.failure();
    if let Some(why) = &not_saved {
        control.tell(&Message::Warning(&format!("the search could not be saved: {why}")));
    }
    if search.was_over {
        let note = "the saved search was complete; there was nothing left to do";
        control.tell(&Message::Note(note));
    }
    let account = account(case, system, &task, &search, control);
    Ok(Account { not_saved, details: told_apart, ..account })
}

/// A limit came before the search.
fn unprepared(case: &Case, control: &Control) -> Account {
    let stop = control.exceeded().unwrap_or(Stop::Cancelled);
    let answer = |property: &Property| Answer {
        property: property.clone(),
        verdict: Verdict::Unknown(Reason::Stopped(stop)),
        engine: NAME,
    };
    Account {
        answers: case.model.selection.properties.iter().map(answer).collect(),
        notes: vec![format!("{stop} before the search")],
        seen: "Nothing was visited: a limit was reached before the search.",
        stopped: Some(match stop {
            Stop::Time => Stopped::Timeout,
            Stop::Memory => Stopped::Memory,
            Stop::Cancelled | Stop::Decided => Stopped::Interrupt,
        }),
        ..Account::default()
    }
}

/// What a search has found of each property.
fn account(
    case: &Case,
    system: &System,
    task: &Task<'_>,
    search: &Search,
    control: &Control,
) -> Account {
    let distances = task.ample.is_none() && !reorders(case, case.question.search.no_merge);
    let covered = saving::covered(search, distances);
    let properties = &case.model.selection.properties;
    let answers = properties.iter().map(|property| {
        let verdict = match violation(search, property) {
            Some(_) => fails(case, task, search, property, control),
            None if search.stopped.is_some() || search.covered.is_some() => {
                Verdict::Unknown(Reason::Search(search.stopped, covered.clone()))
            }
            None => Verdict::Holds(Evidence::Coverage { states: search.states }),
        };
        Answer { property: property.clone(), verdict, engine: NAME }
    });
    let beyond_spin = case.model.selection.beyond_spin().map(|note| format!("note: {note}"));
    Account {
        answers: answers.collect(),
        stats: stats(search),
        notes: covered.iter().cloned().chain(beyond_spin).chain(alike(system, task)).collect(),
        how: format!("{} states", search.states),
        seen: seen(search, task.claims_only),
        stopped: search.stopped,
        unreached: unreached(system, search).filter(|_| !task.claims_only),
        chance: chance(case, task),
        ..Account::default()
    }
}

/// The run to a violation, carried out on the program as it stands in the file. A run that is not carried out to
/// its end within the limits shows nothing.
fn fails(
    case: &Case,
    task: &Task<'_>,
    search: &Search,
    property: &Property,
    control: &Control,
) -> Verdict {
    let found = violation(search, property).expect("the caller has seen a violation");
    let interpreter = case.model.interpreter().expect("only programs are searched");
    let go_on = &mut control.replaying();
    let asked = std::slice::from_ref(property);
    let run = replay_while(&interpreter, task, search, found, go_on)
        .and_then(|steps| Candidate::of_program(&case.model, asked, steps).replay_while(go_on));
    let Some(run) = run else {
        let stop = control.exceeded().unwrap_or(Stop::Cancelled);
        return Verdict::Unknown(Reason::NotReplayed(stop));
    };
    match run {
        Ok(counterexample) => Verdict::Fails(counterexample),
        Err(spurious) => panic!("the run to a violation of {} is {spurious:?}", property.name()),
    }
}

/// What a search has visited.
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
    // After a lossy search the stores only have the states of runs.
    let stores = if search.covered.is_none() { &search.stores[..] } else { &[] };
    let stored: usize = stores.iter().map(StateStore::len).sum();
    let bytes: usize = stores.iter().map(StateStore::memory).sum();
    Stats {
        states: search.states,
        transitions: search.transitions,
        depth: search.depth,
        elapsed: search.elapsed,
        cost: Cost::Search {
            levels: search.n_levels,
            store: stores.first().map(|store| store.kind().name()),
            bytes_per_state: (stored > 0).then(|| bytes as f64 / stored as f64),
            leaves: parts(|p| p.0),
            nodes: parts(|p| p.1),
            of_all_hosts: !search.stores.is_empty(),
        },
    }
}

/// The system with the reductions that the question permits, unless `go_on` ends them.
fn reduce(
    case: &Case,
    system: &System,
    visible: &Visible,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<System> {
    let mut reduced = system.clone();
    if reorders(case, case.question.search.no_merge) {
        reduced = merge_while(&reduced, visible, go_on)?;
    }
    if !case.question.search.plain && !case.question.search.no_reset {
        reduced = reset_dead_while(&reduced, visible, go_on)?;
    }
    Some(reduced)
}

/// The symmetry of the reduced system, and why there is not more. A claim that counts steps would count the ends of
/// processes, and so does the least depth.
fn symmetry(
    case: &Case,
    reduced: &mut System,
    visible: &Visible,
) -> (Option<Arc<KnownSymmetry>>, Vec<String>) {
    if !reorders(case, case.question.search.no_symmetry) {
        return (None, Vec::new());
    }
    let report = find_symmetry(reduced, visible);
    let known = report.symmetry.map(|symmetry| Arc::new(KnownSymmetry::new(symmetry)));
    (known, report.refused)
}

/// The order of the search. For a violated assertion of least depth there is a bound that guides.
fn order(case: &Case) -> Order {
    let Question { search, exhaustive, .. } = &case.question;
    let is_one = !exhaustive && search.hosts.is_none() && search.checkpoint.is_none();
    let is_guided = search.shortest && is_one && search.lossy.is_none();
    match search.order() {
        Order::BreadthFirst
            if is_guided && case.model.selection.properties == [Property::Assertions] =>
        {
            Order::Shortest
        }
        order => order,
    }
}

/// Which processes were exchanged with each other, in words.
fn alike(system: &System, task: &Task<'_>) -> Option<String> {
    let alike = task.symmetry.as_ref()?.alike();
    let words = |(&id, n): (&ProctypeId, &usize)| format!("{n} `{}`", system.proctypes[id].name);
    let words: Vec<String> = alike.iter().map(words).collect();
    (!words.is_empty()).then(|| format!("symmetry: {} alike", words.join(" and ")))
}

/// Which of several hosts finds a violation first is up to chance.
fn chance(case: &Case, task: &Task<'_>) -> Chance {
    let is_race = !team::is_one(&case.question)
        && task.order == Order::BreadthFirst
        && case.question.search.lossy.is_none();
    let is_shortest = case.question.search.shortest;
    Chance { takes_first: !case.question.exhaustive, is_race, is_shortest }
}

/// Whether a reduction that leaves out steps or changes their order is permitted: it is not if a
/// claim counts steps, or if the least depth is asked for.
fn reorders(case: &Case, switched_off: bool) -> bool {
    let Question { search, .. } = &case.question;
    !switched_off && !search.plain && !search.shortest && !case.model.selection.counts_steps
}
