//! Properties of infinite runs: a search for cycles for each, after the search of all states.
//!
//! Each property has a product of its own with the system. The reductions depend on what it observes: statements are
//! not merged across labels that it is about. Under fairness the steps of all processes are kept, and statements are
//! not merged across the locations of receives: a sender may be blocked in between.

use super::{NAME, Rivals, saving, shared, team};
use crate::control::{Control, Message, Stop};
use crate::counterexample::Candidate;
use crate::engine::{Account, Case, Cost, Stats, race};
use crate::question::{CallError, Question};
use crate::verdict::{Answer, Evidence, Reason, Truth, Verdict};
use resy_engine::search::{
    Ample, CycleKeeper, CycleSearch, InfiniteRun, Limits, Progress, Stopped, Task,
    search_cycles_among, search_cycles_kept,
};
use resy_passes::{Visible, merge_while, reset_dead_while};
use resy_promela::quote::quote;
use resy_system::{Expr, Fairness, LivenessClaim, LivenessKind, Property, System};
use std::collections::BTreeSet;

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
    let is_violated = |answer: &Answer| answer.verdict.truth() == Truth::Fails;
    let goes_on = case.question.exhaustive || !account.answers.iter().any(is_violated);
    if known.is_empty() && goes_on {
        let (answers, search) = decide_together(case, properties, control, races)?;
        if let Some((search, n)) = search {
            account.notes.push(format!("{n} formulas in one search"));
            if is_alone {
                add_cost(&mut account.stats, &search);
            }
        }
        known = answers;
    }
    for property in properties {
        let mut engine = NAME;
        let at = known.iter().position(|answer| answer.property == *property);
        let known = at.map(|at| known.swap_remove(at));
        let is_over = account.answers.iter().any(is_violated) && !case.question.exhaustive;
        // Without one of the hosts the others would wait for it.
        let is_apart = account
            .stopped
            .filter(|stopped| matches!(stopped, Stopped::HostLost | Stopped::HostAbsent));
        let verdict = match is_apart.or(is_over.then_some(Stopped::Violation)) {
            Some(stopped) => Verdict::Unknown(Reason::Search(Some(stopped), None)),
            None => {
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

/// Decides formulas that [wait in the same way](shared) in one search. Beside rivals it is a short one: they decide one
/// property after the other. What is left out is not decided. Also the search, and for how many formulas it was.
fn decide_together(
    case: &Case,
    properties: &[Property],
    control: &Control,
    races: bool,
) -> Result<Together, CallError> {
    const NOTHING: Together = (Vec::new(), None);
    let claims = &case.model.selection.liveness;
    let waiting: Vec<(&Property, &LivenessClaim)> = properties
        .iter()
        .filter_map(|property| match property {
            Property::Liveness { number, .. } => Some((property, &claims[*number])),
            _ => None,
        })
        .filter(|(_, claim)| shared::waits(claim))
        .collect();
    let is_saved = case.question.search.checkpoint.is_some();
    let all: Vec<&LivenessClaim> = waiting.iter().map(|(_, claim)| *claim).collect();
    if waiting.len() < 2 || is_saved || out_of_reach(case).is_some() {
        return Ok(NOTHING);
    }
    let Some(joint) =
        shared::join(&all).filter(|joint| have_one_reduction(case, &all, joint, control))
    else {
        return Ok(NOTHING);
    };
    let limit = races.then_some(MOST_TOGETHER);
    let Some(search) = search_one(case, waiting[0].0, &joint, control, None, limit)? else {
        return Ok(NOTHING);
    };
    let answer = |(property, verdict)| Answer { property, verdict, engine: NAME };
    let verdicts: Vec<(Property, Verdict)> = match (&search.found, search.stopped) {
        (None, None) => {
            let (states, fairness) = (search.states, case.question.fairness);
            let holds = |_: &_| Verdict::Holds(Evidence::NoCycle { states, fairness });
            waiting.iter().map(|(property, claim)| ((*property).clone(), holds(claim))).collect()
        }
        // The first formula that the run violates; the others are decided as if there were no others.
        (Some(run), _) => waiting
            .iter()
            .find_map(|(property, _)| {
                Some(((*property).clone(), violated(case, property, run, control)?))
            })
            .into_iter()
            .collect(),
        (None, Some(_)) => Vec::new(),
    };
    let answers: Vec<Answer> = verdicts.into_iter().map(answer).collect();
    let search = Some((search, waiting.len())).filter(|_| !answers.is_empty());
    Ok((answers, search))
}

type Together = (Vec<Answer>, Option<(CycleSearch, usize)>);

/// Beside rivals, formulas are searched for together up to so many transitions.
const MOST_TOGETHER: u64 = 200_000;

/// The verdict if a run violates a property, or if a limit ends its replay.
fn violated(
    case: &Case,
    property: &Property,
    run: &InfiniteRun,
    control: &Control,
) -> Option<Verdict> {
    let candidate = Candidate::of_infinite_run(&case.model, property, run, case.question.fairness);
    match candidate.replay_while(&mut control.replaying()) {
        Some(Ok(counterexample)) => Some(Verdict::Fails(counterexample)),
        _ => None,
    }
}

/// Whether the system is reduced for some claims together as for each of them. Otherwise a common search may be larger
/// than those of all.
fn have_one_reduction(
    case: &Case,
    claims: &[&LivenessClaim],
    joint: &LivenessClaim,
    control: &Control,
) -> bool {
    let Some(program) = case.model.program() else { return false };
    let reads: Vec<(BTreeSet<String>, bool)> =
        claims.iter().map(|claim| (reads(claim), claim.counts_steps())).collect();
    if reads.windows(2).all(|pair| pair[0] == pair[1]) {
        return true;
    }
    let may_prepare = control.preparation();
    let reduced = |claim: &LivenessClaim| {
        let go_on = &mut || may_prepare();
        let reduction = Reduction::of(case, claim);
        let reduced = reduction.system(&program.system, go_on)?;
        let reorders = reduction.ample(case, &reduced, go_on).is_some();
        Some((format!("{reduced:?}"), reorders))
    };
    let Some((text, false)) = reduced(joint) else { return false };
    claims.iter().all(|claim| reduced(claim).is_some_and(|(t, reorders)| !reorders && t == text))
}

/// What the conditions of a claim read, as text: reductions depend on nothing else of them.
fn reads(claim: &LivenessClaim) -> BTreeSet<String> {
    let mut reads = BTreeSet::new();
    for proposition in &claim.propositions {
        proposition.walk(&mut |expression| {
            use Expr::{Binary, Cond, Const, Unary};
            if !matches!(expression, Const(_) | Unary(..) | Binary(..) | Cond(..)) {
                reads.insert(format!("{expression:?}"));
            }
        });
    }
    reads
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
    let Property::Liveness { number, .. } = property else {
        return Ok((Verdict::Unknown(Reason::GivenUp), None));
    };
    if let Some(why) = out_of_reach(case) {
        return Ok((Verdict::Unknown(Reason::OutOfReach(why.to_owned())), None));
    }
    let claim = &case.model.selection.liveness[*number];
    let Some(search) = search_one(case, property, claim, control, rivals, transitions)? else {
        return Ok((Verdict::Unknown(Reason::of(control.exceeded())), None));
    };
    let verdict = match (&search.found, search.stopped) {
        (Some(run), _) => fails(case, property, run, control),
        (None, None) => {
            let (states, fairness) = (search.states, case.question.fairness);
            Verdict::Holds(Evidence::NoCycle { states, fairness })
        }
        (None, stopped) => Verdict::Unknown(Reason::Search(stopped, None)),
    };
    Ok((verdict, Some(search)))
}

/// Searches for cycles that violate a claim; `None` if a limit comes before the search.
fn search_one(
    case: &Case,
    property: &Property,
    claim: &LivenessClaim,
    control: &Control,
    rivals: Option<&dyn Rivals>,
    transitions: Option<u64>,
) -> Result<Option<CycleSearch>, CallError> {
    let (question, model) = (&case.question, &*case.model);
    let Some(program) = model.program() else { return Ok(None) };
    let fairness = question.fairness;
    let reduction = Reduction::of(case, claim);
    let may_prepare = control.preparation();
    let go_on = &mut || may_prepare();
    let Some(reduced) = reduction.system(&program.system, go_on) else { return Ok(None) };
    let ample = reduction.ample(case, &reduced, go_on);
    let reorders = ample.is_some();
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
        goes_on: (transitions.is_some() || control.has_condition()).then_some(&may_go_on as _),
        progress: Some(&tell_progress).filter(|_| transitions.is_none()).map(|tell| tell as _),
    };
    let task = Task::new(&reduced)
        .options(question.semantics)
        .asked(&[])
        .ample(ample)
        .compiled(!question.search.interpret)
        .threads(team::threads(question))
        .limits(limits);
    let identity = || {
        let claim = format!("{:?} {:?} {:?}", claim.name, claim.kind(), claim);
        saving::identity(question, model, &program.system, &reduced, (reorders, false))
            .fact("fairness", fairness.to_string())
            .digest("property", &claim)
    };
    // A rival with a limit of its own is not saved.
    let mut keeper = match transitions {
        None => saving::cycles(question, property, identity, control)?,
        Some(_) => None,
    };
    let workers = team::workers(question, false)?;
    let note = |words: &str| control.tell(&Message::Warning(words));
    let search = match &mut keeper {
        Some(keeper) => search_cycles_kept(&task, claim, fairness, keeper),
        None => search_cycles_among(&task, claim, fairness, &workers, &note),
    };
    let search = search.map_err(team::initial)?;
    if let Some(why) = keeper.as_ref().and_then(CycleKeeper::failure) {
        let why = quote(&why.to_string()).into_owned();
        control.tell(&Message::Warning(&format!("the search could not be saved: {why}")));
    }
    Ok(Some(search))
}

/// The run, carried out on the program as it stands in the file, unless a limit ends that.
fn fails(case: &Case, property: &Property, run: &InfiniteRun, control: &Control) -> Verdict {
    let candidate = Candidate::of_infinite_run(&case.model, property, run, case.question.fairness);
    match candidate.replay_while(&mut control.replaying()) {
        Some(Ok(counterexample)) => Verdict::Fails(counterexample),
        Some(Err(spurious)) => {
            panic!("the run to a violation of {} is {spurious:?}", property.name())
        }
        None => {
            let stop = control.exceeded().unwrap_or(Stop::Cancelled);
            Verdict::Unknown(Reason::NotReplayed(stop))
        }
    }
}

/// Why the search for cycles does not go with the options of a question.
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

    /// The partial order reduction of the reduced system, if there is one.
    fn ample(
        &self,
        case: &Case,
        reduced: &System,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Ample> {
        let Question { search, semantics, fairness, .. } = &case.question;
        let is_on = self.reorders && !search.no_por && *fairness == Fairness::None;
        let ample = is_on.then(|| Ample::of_while(reduced, &self.visible, *semantics, go_on));
        ample.flatten().map(|ample| ample.forward(reduced))
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
