//! Properties of infinite runs: a search for cycles for each, after the search of all states.
//!
//! Each property has a product of its own with the system. The reductions depend on what it observes: statements are
//! not merged across labels that it is about. Under fairness the steps of all processes are kept, and statements are
//! not merged across the locations of receives: a sender may be blocked in between.

use super::{NAME, Rivals};
use crate::control::{Control, Message};
use crate::counterexample::{Candidate, Counterexample};
use crate::engine::{Account, Case, Cost, Stats, race};
use crate::question::CallError;
use crate::verdict::{Answer, Evidence, Reason, Truth, Verdict};
use resy_engine::search::{Ample, CycleSearch, Limits, Progress, Stopped, Task, search_cycles};
use resy_passes::{Visible, merge_while, reset_dead_while};
use resy_system::{Expr, Fairness, LivenessClaim, LivenessKind, Property, System};

/// Decides properties of infinite runs, perhaps in a race with components. `account` is about the others; there is none
/// if only these were asked for.
pub(super) fn decide(
    case: &Case,
    properties: &[Property],
    account: Option<Account>,
    control: &Control,
    races: bool,
) -> Result<Account, CallError> {
    let is_alone = account.is_none();
    let mut account = account.unwrap_or_default();
    let mut known: Vec<Answer> =
        account.answers.extract_if(.., |answer| answer.property.is_liveness()).collect();
    for property in properties {
        let is_violated = |answer: &Answer| answer.verdict.truth() == Truth::Fails;
        let mut engine = NAME;
        let at = known.iter().position(|answer| answer.property == *property);
        let known = at.map(|at| known.swap_remove(at));
        let verdict = match account.answers.iter().any(is_violated) && !case.question.exhaustive {
            true => Verdict::Unknown(Reason::Search(Some(Stopped::Violation), None)),
            false => {
                let decided = match (known, races) {
                    (Some(answer), _) => CycleVerdict::by_rivals(answer, None),
                    (None, true) => race_one(case, property, control)?,
                    (None, false) => {
                        CycleVerdict::of(decide_one(case, property, control, None, None)?)
                    }
                };
                if let Some(search) = decided.search.filter(|_| is_alone) {
                    add_cost(&mut account.stats, &search);
                }
                account.by_rivals.extend(decided.by_rivals);
                engine = decided.engine;
                decided.verdict
            }
        };
        if let Verdict::Unknown(Reason::Search(stopped, _)) = &verdict {
            account.stopped = account.stopped.or(*stopped);
        }
        account.answers.push(Answer { property: property.clone(), verdict, engine });
    }
    let all = &case.model.selection.properties;
    account.answers.sort_by_key(|answer| all.iter().position(|p| *p == answer.property));
    if is_alone {
        account.how = format!("{} states of the product", account.stats.states);
        account.seen = match account.stopped {
            None => "All reachable states were visited, up to reductions that keep the verdicts.",
            Some(_) => "Not all reachable states were visited: the search was stopped.",
        };
    }
    Ok(account)
}

/// A verdict on one property.
struct CycleVerdict {
    verdict: Verdict,
    /// The search, if there was one.
    search: Option<CycleSearch>,
    engine: &'static str,
    /// How rivals have decided, if they have.
    by_rivals: Option<String>,
}

/// Decides properties one after the other, each in a search with a limit on its transitions, without rivals.
pub(super) fn decide_one_by_one(
    case: &Case,
    properties: &[Property],
    control: &Control,
    transitions: Option<u64>,
) -> Result<Account, CallError> {
    let mut account = Account::default();
    for property in properties {
        let (verdict, search) = decide_one(case, property, control, None, transitions)?;
        if let Some(search) = search {
            add_cost(&mut account.stats, &search);
        }
        account.answers.push(Answer { property: property.clone(), verdict, engine: NAME });
    }
    account.how = format!("cycles, {} states of the product", account.stats.states);
    Ok(account)
}

impl CycleVerdict {
    /// The verdict of rivals, and how they found it.
    fn by_rivals(answer: Answer, how: Option<String>) -> Self {
        let Answer { verdict, engine, .. } = answer;
        Self { verdict, search: None, engine, by_rivals: how }
    }

    fn of((verdict, search): (Verdict, Option<CycleSearch>)) -> Self {
        Self { verdict, search, engine: NAME, by_rivals: None }
    }
}

/// The verdict on one property, by the search or by components that prove it.
fn race_one(
    case: &Case,
    property: &Property,
    control: &Control,
) -> Result<CycleVerdict, CallError> {
    let (searched, first) = race::beside(case, property, control, |control, rivals| {
        let searched = decide_one(case, property, control, Some(rivals), None);
        let search = searched.as_ref().ok().and_then(|(_, search)| search.as_ref());
        let stopped = search.and_then(|search| search.stopped);
        (searched, stopped)
    });
    let decided = CycleVerdict::of(searched?);
    Ok(match (decided.verdict.truth(), first) {
        (Truth::Unknown, Some((answer, how))) => {
            CycleVerdict { search: decided.search, ..CycleVerdict::by_rivals(answer, Some(how)) }
        }
        _ => decided,
    })
}

/// The verdict on one property, and the search that found it.
fn decide_one(
    case: &Case,
    property: &Property,
    control: &Control,
    rivals: Option<&dyn Rivals>,
    transitions: Option<u64>,
) -> Result<(Verdict, Option<CycleSearch>), CallError> {
    let (question, model) = (&case.question, &*case.model);
    let (Property::Liveness { number, .. }, Some(program)) = (property, model.program()) else {
        return Ok((Verdict::Unknown(Reason::GivenUp), None));
    };
    if let Some(why) = out_of_reach(case) {
        return Ok((Verdict::Unknown(Reason::OutOfReach(why.to_owned())), None));
    }
    let (claim, fairness) = (&model.selection.liveness[*number], question.fairness);
    let reduction = Reduction::of(case, claim);
    let may_prepare = control.preparation();
    let go_on = &mut || may_prepare();
    let Some(reduced) = reduction.system(&program.system, go_on) else {
        return Ok((Verdict::Unknown(Reason::of(control.exceeded())), None));
    };
    let ample = reduction.reorders && !question.search.no_por && fairness == Fairness::None;
    let ample = ample
        .then(|| Ample::of_while(&reduced, &reduction.visible, question.semantics, go_on))
        .flatten()
        .map(|ample| ample.forward(&reduced));
    let tell_progress = |progress: &Progress| {
        rivals.iter().for_each(|rivals| rivals.offer());
        control.tell(&Message::Search(progress));
    };
    let may_go_on = || control.may_go_on();
    let limits = Limits {
        timeout: control.left(),
        memory: control.memory(),
        first_violation: true,
        transitions,
        interrupt: Some(control.stop_flag()),
        // With a limit it is a rival of another search, whose progress is shown.
        goes_on: transitions.map(|_| &may_go_on as &dyn Fn() -> bool),
        progress: Some(&tell_progress).filter(|_| transitions.is_none()).map(|tell| tell as _),
    };
    let task = Task::new(&reduced)
        .options(question.semantics)
        .asked(&[])
        .ample(ample)
        .compiled(!question.search.interpret)
        .limits(limits);
    let search = search_cycles(&task, claim, fairness).map_err(super::team::initial)?;
    let verdict = match (&search.found, search.stopped) {
        (Some(run), _) => Verdict::Fails(fails(case, property, run)),
        (None, None) => Verdict::Holds(Evidence::NoCycle { states: search.states, fairness }),
        (None, stopped) => Verdict::Unknown(Reason::Search(stopped, None)),
    };
    Ok((verdict, Some(search)))
}

/// The run, carried out on the program as it stands in the file.
fn fails(
    case: &Case,
    property: &Property,
    run: &resy_engine::search::InfiniteRun,
) -> Counterexample {
    let candidate = Candidate::of_infinite_run(&case.model, property, run, case.question.fairness);
    match candidate.replay() {
        Ok(counterexample) => counterexample,
        Err(spurious) => panic!("the run to a violation of {} is {spurious:?}", property.name()),
    }
}

/// Why the search for cycles does not go with the options of a question. Of several hosts, each searches alone.
fn out_of_reach(case: &Case) -> Option<&'static str> {
    case.question.search.lossy.map(|_| "cycles are not searched for where states may be missed")
}

/// The reductions that keep the verdict on a claim.
struct Reduction {
    visible: Visible,
    /// Whether steps may be left out or change their order.
    reorders: bool,
    merges: bool,
    resets: bool,
}

impl Reduction {
    fn of(case: &Case, claim: &LivenessClaim) -> Self {
        let mut visible = Visible::new(claim.propositions.clone());
        visible.accept_labels = claim.kind() == LivenessKind::Acceptance;
        visible.enabledness = case.question.fairness != Fairness::None;
        if claim.kind() == LivenessKind::Progress {
            visible.expressions.push(Expr::NonProgress);
        }
        let search = &case.question.search;
        let reorders = !search.plain && !search.shortest && !claim.counts_steps();
        let merges = reorders && !search.no_merge;
        Self { visible, reorders, merges, resets: !search.plain && !search.no_reset }
    }

    /// The reduced system; `None` if `go_on` ends it.
    fn system(&self, system: &System, go_on: &mut dyn FnMut() -> bool) -> Option<System> {
        let merged = match self.merges {
            true => merge_while(system, &self.visible, go_on)?,
            false => system.clone(),
        };
        match self.resets {
            true => reset_dead_while(&merged, &self.visible, go_on),
            false => Some(merged),
        }
    }
}

fn add_cost(stats: &mut Stats, search: &CycleSearch) {
    stats.states += search.states;
    stats.transitions += search.transitions;
    stats.depth = stats.depth.max(search.depth);
    stats.elapsed += search.elapsed;
    stats.cost = Cost::Search {
        levels: None,
        store: Some(search.store),
        bytes_per_state: Some(search.memory as f64 / search.states.max(1) as f64),
        leaves: 0,
        nodes: 0,
        of_all_hosts: false,
    };
}
