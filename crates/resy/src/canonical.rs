//! Canonical counterexamples: the run that is shown depends on the subject and the property only.
//!
//! Engines find runs that are easy for them, and in a race another engine may win each time. The canonical
//! run of a property is the first that a breadth-first search in one thread finds: without reductions, which
//! makes it shortest, or else with all of them. Both searches have budgets that count transitions, so that they
//! end alike on every machine. If both are spent, steps that are not needed are left out of the run that there
//! is, and it is marked as not canonical, unless the engine is known to find the same run again.
//!
//! Of several violated properties, an engine that stops at the first violation would report whichever it met.
//! Which properties are reported is decided in the same way, by the same searches for all properties together.

use crate::composed;
use crate::control::{Control, Message};
use crate::counterexample::{Candidate, Counterexample, ends_badly, outcomes, violation};
use crate::model::Model;
use crate::subject::Subject;
use crate::verdict::{Answer, Reason, Verdict};
use resy_automata::network::Network;
use resy_automata::product::{Safety, oldest_first, reaches_error_while};
use resy_engine::search::{
    Ample, Limits, Progress, Replay, Stopped, Task, replay_while, search, shorten as leave_out,
};
use resy_passes::{Visible, merge_while, reset_dead_while};
use resy_system::{Interpreter, Monitors, Outcome, Property, Selection, System};

/// A search for a canonical run.
struct Attempt {
    /// Its budget.
    transitions: u64,
    /// Whether steps are compiled. To compile them takes longer than to interpret a few.
    is_compiled: bool,
    /// Whether statements are merged and a partial order reduction is used.
    is_reduced: bool,
}

/// The searches, in their order.
const ATTEMPTS: [Attempt; 3] = [
    Attempt { transitions: 2_000, is_compiled: false, is_reduced: false },
    Attempt { transitions: 300_000, is_compiled: true, is_reduced: false },
    Attempt { transitions: 300_000, is_compiled: true, is_reduced: true },
];

/// The budget for the product of a network, in states.
const PRODUCT: usize = 200_000;

/// The control is asked after this many states of a product.
const ASK_EVERY: usize = 256;

/// The budget for leaving out steps, in executed steps.
const EXECUTED: usize = 300_000;

/// How the answers of an engine depend on chance.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Chance {
    /// Whether the engine stops at the first violation of any property.
    pub takes_first: bool,
    /// Whether the run found may differ from call to call: another engine, worker or host may be faster.
    pub is_race: bool,
    /// Whether a run of least depth is asked for: no reduction may find another one.
    pub is_shortest: bool,
}

impl Chance {
    fn attempts(self) -> impl Iterator<Item = &'static Attempt> {
        ATTEMPTS.iter().filter(move |attempt| !self.is_shortest || !attempt.is_reduced)
    }
}

/// Makes the counterexamples of some answers canonical, and the choice of the violated properties if it was
/// up to chance.
pub fn answers(
    model: &Model,
    answers: Vec<Answer>,
    chance: Chance,
    control: &Control,
) -> Vec<Answer> {
    let is_violated = |answer: &Answer| matches!(answer.verdict, Verdict::Fails(_));
    if !answers.iter().any(is_violated) {
        return answers;
    }
    // Which infinite run is canonical is a matter of the engine that finds it.
    let is_lasso =
        |answer: &Answer| answer.counterexample().is_some_and(|run| run.lasso().is_some());
    let is_choice =
        chance.takes_first && model.selection.properties.len() > 1 && !answers.iter().any(is_lasso);
    let first = is_choice.then(|| first_violated(model, chance, control));
    if let Some(Some(found)) = first {
        return chosen(model, answers, found, chance, control);
    }
    // If the choice was up to chance, so is the run.
    let is_up_to_chance = first.is_some() && chance.is_race;
    let canonical = |answer: Answer| match answer.verdict {
        Verdict::Fails(run) => {
            let run = canonical(model, run, chance, control);
            let run = run.marked(|is_known| is_known && !is_up_to_chance);
            Answer { verdict: Verdict::Fails(run), ..answer }
        }
        _ => answer,
    };
    answers.into_iter().map(canonical).collect()
}

/// The canonical run of the property that a run violates, or a run that is not longer.
pub fn counterexample(model: &Model, found: Counterexample, control: &Control) -> Counterexample {
    canonical(model, found, Chance { is_race: true, ..Chance::default() }, control)
}

/// The properties that are violated first, each with a run.
type Violated = Vec<(Property, Vec<Replay>)>;

/// What a search for all properties finds first.
fn first_violated(model: &Model, chance: Chance, control: &Control) -> Option<Violated> {
    chance.attempts().find_map(|attempt| attempt.search(model, &model.selection, control))
}

/// The answers in which these properties are violated, and no other one is decided.
fn chosen(
    model: &Model,
    answers: Vec<Answer>,
    found: Violated,
    chance: Chance,
    control: &Control,
) -> Vec<Answer> {
    // Claims are part of the states: a search for one property may visit them in another order.
    let is_final = model.selection.monitors.as_slice().is_empty();
    let mut found: Vec<(Property, Counterexample)> = found
        .into_iter()
        .filter_map(|(property, steps)| {
            let run = confirmed(model, &property, steps)?;
            let run = match is_final {
                true => run.marked(|_| true),
                false => canonical(model, run, Chance { is_race: false, ..chance }, control),
            };
            Some((property, run))
        })
        .collect();
    let choose = |answer: Answer| {
        let at = found.iter().position(|(property, _)| *property == answer.property);
        let verdict = match at {
            Some(at) => Verdict::Fails(found.swap_remove(at).1),
            None => Verdict::Unknown(Reason::OtherViolation),
        };
        Answer { verdict, ..answer }
    };
    answers.into_iter().map(choose).collect()
}

/// The canonical run of the property that a run violates. If it is out of reach, the run may be made shorter, and
/// is canonical only if the engine finds it again.
fn canonical(
    model: &Model,
    found: Counterexample,
    chance: Chance,
    control: &Control,
) -> Counterexample {
    if found.lasso().is_some() || found.property().is_liveness() {
        // Only the search of all states finds infinite runs, in one thread, and short ones.
        return found.marked(|_| true);
    }
    let property = found.property().clone();
    if let Subject::Network(file) = model.subject() {
        let first = first_error(&file.network, control);
        return first.unwrap_or(found.marked(|_| !chance.is_race));
    }
    if let Some(fsp) = model.fsp() {
        // Without a monitor, only the search of all states decides: it finds the same each time.
        let is_known = !chance.is_race || !property.has_monitor();
        let first = composed::shortest(fsp, &property, control).map(|run| run.marked(|_| true));
        return first.unwrap_or(found.marked(|_| is_known));
    }
    let asked = model.selection.only(std::slice::from_ref(&property));
    let first = chance.attempts().find_map(|attempt| attempt.search(model, &asked, control));
    let first = first.and_then(|violated| violated.into_iter().next());
    match first.and_then(|(_, steps)| confirmed(model, &property, steps)) {
        Some(run) => run.marked(|_| true),
        None => {
            // Until a limit is reached, all of this is the same each time.
            let run = shorter(model, found, control);
            run.marked(|_| !chance.is_race && control.may_go_on())
        }
    }
}

/// A run of the program as it stands in its file.
fn confirmed(model: &Model, property: &Property, steps: Vec<Replay>) -> Option<Counterexample> {
    Candidate::of_program(model, std::slice::from_ref(property), steps).replay().ok()
}

impl Attempt {
    /// The properties of a selection that a search finds to be violated first, if it does within its budget.
    fn search(&self, model: &Model, asked: &Selection, control: &Control) -> Option<Violated> {
        let interpreter = model.interpreter()?;
        let visible = Visible::new(asked.monitors.conditions().to_vec());
        let reduces = self.is_reduced && !asked.counts_steps;
        let go_on = &mut || control.may_go_on();
        let merged: System;
        let mut system = interpreter.system();
        if reduces {
            merged = merge_while(system, &visible, go_on)?;
            system = &merged;
        }
        let system = reset_dead_while(system, &visible, go_on)?;
        let ample = reduces.then(|| Ample::of_while(&system, &visible, model.options, go_on));
        let tell = |progress: &Progress| control.tell(&Message::Search(progress));
        let may_go_on = || control.may_go_on();
        let limits = Limits {
            timeout: control.left(),
            memory: control.memory(),
            first_violation: true,
            transitions: Some(self.transitions),
            interrupt: Some(control.stop_flag()),
            goes_on: control.has_condition().then_some(&may_go_on as _),
            progress: Some(&tell),
        };
        let task = Task::new(&system)
            .options(model.options)
            .monitors(asked.monitors.clone())
            .asked(&asked.properties)
            .claims_only(asked.claims_only())
            .compiled(self.is_compiled)
            .ample(ample.flatten())
            .limits(limits);
        let found = search(&task).ok()?;
        if found.stopped != Some(Stopped::Violation) {
            return None;
        }
        let violated = asked.properties.iter().filter_map(|property| {
            let finding = violation(&found, property)?;
            let run = replay_while(&interpreter, &task, &found, finding, go_on)?;
            Some((property.clone(), run))
        });
        Some(violated.collect()).filter(|violated: &Violated| !violated.is_empty())
    }
}

/// The first run of a network into the error state of its monitor, by distance.
fn first_error(network: &Network, control: &Control) -> Option<Counterexample> {
    let mut n_asked = 0_usize;
    let found = reaches_error_while(network, oldest_first, |n_states| {
        n_asked += 1;
        let is_late = n_asked.is_multiple_of(ASK_EVERY) && !control.product(n_states);
        n_states <= PRODUCT && !is_late
    });
    match found {
        Some(Safety::Trace(steps)) => {
            Counterexample::of_network(network, &steps).map(|run| run.marked(|_| true))
        }
        _ => None,
    }
}

/// A run with the same violation in which steps that are not needed are left out.
fn shorter(model: &Model, mut found: Counterexample, control: &Control) -> Counterexample {
    let Some(interpreter) = model.interpreter() else { return found };
    let asked = model.selection.only(std::slice::from_ref(found.property()));
    let [property] = &asked.properties[..] else { return found };
    let Some(run) = found.take_steps() else { return found };
    let goal = Goal { interpreter: &interpreter, monitors: &asked.monitors, property };
    let Some((_, outcome)) = goal.outcome(&run) else { return found.with_steps(run) };
    let violates = |run: &[Replay]| {
        goal.outcome(run).filter(|(_, other)| is_same(&outcome, other)).map(|(at, _)| at)
    };
    let mut n_left = EXECUTED;
    let mut go_on = |n_steps: usize| {
        n_left = n_left.saturating_sub(n_steps);
        n_left > 0 && control.may_go_on()
    };
    found.with_steps(leave_out(&interpreter, run, &violates, &mut go_on))
}

/// What is to be violated.
struct Goal<'a> {
    interpreter: &'a Interpreter<'a>,
    monitors: &'a Monitors,
    property: &'a Property,
}

impl Goal<'_> {
    /// The first violation of the property in a run, and after how many steps it is there.
    fn outcome(&self, run: &[Replay]) -> Option<(usize, Outcome)> {
        if *self.property == Property::EndStates {
            return ends_badly(self.interpreter, run).then_some((run.len(), Outcome::InvalidEnd));
        }
        let go_on = &mut || true;
        let mut outcomes = outcomes(self.monitors, self.interpreter, run, go_on);
        outcomes.find(|(_, outcome)| self.property.is_violated_by(outcome))
    }
}

/// Whether two violations are of one kind at one place.
fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Violation(a), Outcome::Violation(b)) => {
            let kind = |v: &resy_system::Violation| std::mem::discriminant(&v.kind);
            kind(a) == kind(b) && a.source == b.source
        }
        (a, b) => a == b,
    }
}
