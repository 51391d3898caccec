//! Counterexamples: runs that were carried out on the subject.
//!
//! What an engine finds is a [`Candidate`]. [`Candidate::replay`] carries it out on the subject as it
//! stands in its file, and only a violation that is seen there makes a [`Counterexample`]. Where a
//! network of components is not exact, it can do more than the program, and a candidate may be
//! [`Spurious`].

use crate::composed;
use crate::model::Model;
use crate::problem::Problem;
use crate::simulation::is_stuck;
use crate::subject::Subject;
use resy_automata::lts::{Label, Lts, StateId};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_engine::search::{Finding, InfiniteRun, Replay, Search, execute_while};
use resy_network::retrace;
use resy_system::{
    Command, Control, Fairness, Interpreter, Monitors, Outcome, Property, State, Step,
};
use std::fmt;

mod lasso;

/// A run of the subject that violates a property.
pub struct Counterexample {
    property: Property,
    execution: Execution,
    lasso: Option<Lasso>,
    is_canonical: bool,
}

/// What makes a finite list of steps an infinite run: the last of them are repeated for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// The number of steps before the loop. The others lead back to the state that they start from. If there are
    /// no others, the run ends, and its last state lasts for ever.
    pub start: usize,
    /// The fairness that the run was found under.
    pub fairness: Fairness,
    /// Why the loop is fair to each process.
    pub fair: Vec<FairReason>,
}

/// Why a loop is fair to a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FairReason {
    /// The process.
    pub pid: usize,
    /// What happens in the loop.
    pub how: FairHow,
}

/// What makes a loop fair to a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FairHow {
    /// It moves in this step, from 1.
    Moves(usize),
    /// It is not enabled after this many steps.
    Blocked(usize),
    /// It is enabled nowhere in the loop.
    NeverEnabled,
}

/// The steps of a counterexample.
enum Execution {
    /// Steps of a program, and what is wrong at their end.
    Program { steps: Vec<Replay>, what: String },
    /// Steps of a network into the error state of its monitor.
    Network { steps: Vec<ProductStep>, names: Vec<String> },
    /// Steps of processes in FSP.
    Composed(ComposedRun),
}

/// A run of processes in FSP that was carried out.
struct ComposedRun {
    steps: Vec<ProductStep>,
    names: Vec<String>,
    what: String,
}

/// A run that an engine has found, not yet carried out on the subject.
pub struct Candidate<'a> {
    properties: &'a [Property],
    source: CandidateSource<'a>,
}

enum CandidateSource<'a> {
    /// Steps of the network of a problem.
    Network(&'a Problem<'a>, &'a [ProductStep]),
    /// Steps that the interpreter has carried out.
    Program(&'a Model, Vec<Replay>),
    /// A run that a search for cycles has found, under this fairness.
    Infinite(&'a Model, &'a InfiniteRun, Fairness),
}

/// The subject cannot take the steps of a candidate, or they violate no property of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spurious;

impl<'a> Candidate<'a> {
    /// Steps of the network of a problem that lead to an error.
    pub fn of_network(problem: &'a Problem<'a>, steps: &'a [ProductStep]) -> Self {
        Self { properties: &problem.properties, source: CandidateSource::Network(problem, steps) }
    }

    /// Steps of a program that should violate one of these properties.
    pub fn of_program(model: &'a Model, properties: &'a [Property], steps: Vec<Replay>) -> Self {
        Self { properties, source: CandidateSource::Program(model, steps) }
    }

    /// An infinite run that should violate a property under this fairness.
    pub fn of_infinite_run(
        model: &'a Model,
        property: &'a Property,
        run: &'a InfiniteRun,
        fairness: Fairness,
    ) -> Self {
        let source = CandidateSource::Infinite(model, run, fairness);
        Self { properties: std::slice::from_ref(property), source }
    }

    /// Carries the candidate out on the subject as it stands in its file.
    pub fn replay(self) -> Result<Counterexample, Spurious> {
        self.replay_while(&mut || true).expect("nothing cancels it")
    }

    /// Like [`replay`](Self::replay); `None` if `go_on`, which is called for each step of a program, says no.
    pub fn replay_while(
        self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Result<Counterexample, Spurious>> {
        let mut is_cancelled = false;
        let found = self.replayed(&mut || {
            is_cancelled |= !go_on();
            !is_cancelled
        });
        (!is_cancelled).then_some(found)
    }

    fn replayed(self, go_on: &mut dyn FnMut() -> bool) -> Result<Counterexample, Spurious> {
        let Self { properties, source } = self;
        let found = match source {
            CandidateSource::Program(model, steps) => of_program(model, properties, steps, go_on),
            CandidateSource::Infinite(model, run, fairness) => {
                properties.iter().find_map(|p| of_infinite_run(model, p, run, fairness, go_on))
            }
            CandidateSource::Network(problem, steps) => match &problem.source {
                None => match problem.model.subject() {
                    Subject::Fsp(model) => {
                        composed::error(model, properties, &problem.network, steps)
                    }
                    _ => of_network(&problem.network, steps),
                },
                Some(source) => {
                    let interpreter = problem.model.interpreter().ok_or(Spurious)?;
                    let mut found = None;
                    retrace(&source.cut, &source.components, steps, |moves| {
                        let Some(mut steps) = execute_while(&interpreter, moves, go_on) else {
                            return true;
                        };
                        if properties.contains(&Property::EndStates) {
                            let_die(&interpreter, &mut steps);
                        }
                        found = of_program(problem.model, properties, steps, go_on);
                        found.is_some()
                    });
                    found
                }
            },
        };
        found.ok_or(Spurious)
    }
}

/// Adds the deaths of processes that stand at their end. Where nobody can observe them, components have none, and a run
/// of the program ends later.
fn let_die(interpreter: &Interpreter<'_>, run: &mut Vec<Replay>) {
    while let Some(Some((before, control))) = run.last().map(|last| last.step.next.clone()) {
        let mut steps = interpreter.steps(&before, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&before, Control::Free).steps;
        }
        let dies =
            |step: &Step| matches!(interpreter.edge(&before, step.actor).command, Command::Exit);
        let Some(step) = steps.into_iter().find(dies) else { break };
        run.push(Replay { before, step });
    }
}

/// The first violation of one of the properties by the steps of a program.
fn of_program(
    model: &Model,
    properties: &[Property],
    mut steps: Vec<Replay>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Counterexample> {
    let interpreter = model.interpreter()?;
    let monitors = &model.selection.monitors;
    let first = outcomes(monitors, &interpreter, &steps, go_on).find_map(|(at, outcome)| {
        let property = properties.iter().find(|p| p.is_violated_by(&outcome))?;
        Some((at, property.clone(), outcome))
    });
    let at_end = || {
        let found = outcomes_at_end(monitors, &interpreter, &steps).into_iter();
        let mut found = found.filter_map(|outcome| {
            let property = properties.iter().find(|p| p.is_violated_by(&outcome))?;
            Some((steps.len(), property.clone(), outcome))
        });
        found.next()
    };
    let (at, property, outcome) = first.or_else(at_end)?;
    steps.truncate(at);
    let what = property.describe(interpreter.system(), &outcome);
    let execution = Execution::Program { steps, what };
    Some(Counterexample { property, execution, lasso: None, is_canonical: false })
}

/// An infinite run of a program, if the property is violated by it.
fn of_infinite_run(
    model: &Model,
    property: &Property,
    run: &InfiniteRun,
    fairness: Fairness,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Counterexample> {
    let Property::Liveness { number, .. } = property else { return None };
    let claim = &model.selection.liveness[*number];
    let interpreter = model.interpreter()?;
    let (steps, lasso) = lasso::replay(&interpreter, claim, run, fairness, go_on)?;
    let mut what = match &run.failure {
        Some(kind) => format!("a condition of a claim has no value: {kind}"),
        None => claim.describe(interpreter.system()),
    };
    if let (Some(assumption), Some(_)) = (fairness.assumption(), &lasso) {
        what += &format!(", {assumption}");
    }
    let execution = Execution::Program { steps, what };
    Some(Counterexample { property: property.clone(), execution, lasso, is_canonical: true })
}

/// The steps of a network, if they lead every component along and the monitor into its error
/// state. What a component does depends on the labels alone, so each is followed alone.
fn of_network(network: &Network, steps: &[ProductStep]) -> Option<Counterexample> {
    enters_error(network, steps).then(|| {
        let names = steps.iter().map(|&step| step_name(network, step)).collect();
        let execution = Execution::Network { steps: steps.to_vec(), names };
        let property = Property::Monitor;
        Counterexample { property, execution, lasso: None, is_canonical: false }
    })
}

/// After how many of these steps the monitor may be in its error state first; they must lead every component along.
pub(crate) fn first_error(network: &Network, steps: &[ProductStep]) -> Option<usize> {
    let monitor = network.monitor.as_ref()?;
    let mut states = vec![monitor.lts.initial()];
    let mut n = 0;
    while !states.contains(&monitor.error) {
        if let ProductStep::Action(action) = *steps.get(n)?
            && let Some(label) = visible(&monitor.lts, action)
        {
            states = after(&monitor.lts, &states, label);
        }
        n += 1;
    }
    enters_error(network, &steps[..n]).then_some(n)
}

/// Whether these steps lead every component along and may lead the monitor into its error state.
fn enters_error(network: &Network, steps: &[ProductStep]) -> bool {
    for (id, component) in network.components.iter_enumerated() {
        let label = |step: &ProductStep| match *step {
            ProductStep::Tau(other) => (other == id).then_some(Label::Tau),
            ProductStep::Action(action) => visible(&component.lts, action),
        };
        if follow(&component.lts, steps.iter().filter_map(label)).is_empty() {
            return false;
        }
    }
    let Some(monitor) = &network.monitor else { return false };
    let label = |step: &ProductStep| match *step {
        ProductStep::Tau(_) => None,
        ProductStep::Action(action) => visible(&monitor.lts, action),
    };
    follow(&monitor.lts, steps.iter().filter_map(label)).contains(&monitor.error)
}

/// An action as a label of an automaton that takes part in it.
fn visible(lts: &Lts, action: resy_automata::lts::ActionId) -> Option<Label> {
    lts.alphabet().contains(action).then_some(Label::Visible(action))
}

/// The states that an automaton may be in after these labels.
fn follow(lts: &Lts, labels: impl Iterator<Item = Label>) -> Vec<StateId> {
    labels.fold(vec![lts.initial()], |before, label| after(lts, &before, label))
}

/// The states that an automaton may be in after one more label.
fn after(lts: &Lts, before: &[StateId], label: Label) -> Vec<StateId> {
    let targets = before.iter().flat_map(|&from| lts.transitions_by(from, label));
    let mut after: Vec<StateId> = targets.map(|&(_, to)| to).collect();
    after.sort_unstable();
    after.dedup();
    after
}

/// The name of a step of a network.
pub fn step_name(network: &Network, step: ProductStep) -> String {
    match step {
        ProductStep::Tau(component) => {
            format!("(internal step of {})", network.components[component].name)
        }
        ProductStep::Action(action) => network.actions[action].name.clone(),
    }
}

impl Counterexample {
    /// The steps of a network, if they lead into the error state.
    pub(crate) fn of_network(network: &Network, steps: &[ProductStep]) -> Option<Self> {
        of_network(network, steps)
    }

    /// A run of processes that was carried out by the module `composed`.
    pub(crate) fn composed(
        property: &Property,
        steps: Vec<ProductStep>,
        names: Vec<String>,
        what: String,
        loop_start: Option<usize>,
    ) -> Self {
        let execution = Execution::Composed(ComposedRun { steps, names, what });
        let lasso = loop_start.map(|start| Lasso { start, ..Lasso::default() });
        Self { property: property.clone(), execution, lasso, is_canonical: false }
    }

    /// The property that is violated.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// Whether the same question finds the same run again, on every machine and whichever engine is fastest.
    pub fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    /// The same run, canonical if `is_canonical` says so of the present mark.
    pub(crate) fn marked(self, is_canonical: impl FnOnce(bool) -> bool) -> Self {
        Self { is_canonical: is_canonical(self.is_canonical), ..self }
    }

    /// What is wrong at the end of the run, in words; `None` for a network, whose monitor errs.
    pub fn what(&self) -> Option<String> {
        match &self.execution {
            Execution::Program { what, .. } => Some(what.clone()),
            Execution::Network { .. } => None,
            Execution::Composed(run) => Some(run.what.clone()),
        }
    }

    /// The loop, if the run is infinite.
    pub fn lasso(&self) -> Option<&Lasso> {
        self.lasso.as_ref()
    }

    /// The number of steps before the loop, if the run is infinite.
    pub fn loop_start(&self) -> Option<usize> {
        self.lasso.as_ref().map(|lasso| lasso.start)
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        match &self.execution {
            Execution::Program { steps, .. } => steps.len(),
            Execution::Network { steps, .. } => steps.len(),
            Execution::Composed(run) => run.steps.len(),
        }
    }

    /// The steps of a program, as they were carried out.
    pub fn program_steps(&self) -> Option<&[Replay]> {
        match &self.execution {
            Execution::Program { steps, .. } => Some(steps),
            Execution::Network { .. } | Execution::Composed(_) => None,
        }
    }

    /// The steps of a network and their names.
    pub fn network_steps(&self) -> Option<(&[ProductStep], &[String])> {
        match &self.execution {
            Execution::Program { .. } => None,
            Execution::Network { steps, names } => Some((steps, names)),
            Execution::Composed(run) => Some((&run.steps, &run.names)),
        }
    }

    /// Takes the steps of a program out, to be made shorter.
    pub(crate) fn take_steps(&mut self) -> Option<Vec<Replay>> {
        match &mut self.execution {
            Execution::Program { steps, .. } => Some(std::mem::take(steps)),
            Execution::Network { .. } | Execution::Composed(_) => None,
        }
    }

    /// The same violation at the end of other steps, which [`outcomes`] has judged.
    pub(crate) fn with_steps(mut self, shorter: Vec<Replay>) -> Self {
        if let Execution::Program { steps, .. } = &mut self.execution {
            *steps = shorter;
        }
        self
    }
}

impl fmt::Debug for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (property, n_steps) = (self.property.name(), self.n_steps());
        write!(f, "Counterexample({property} after {n_steps} steps)")
    }
}

/// The first violation of a property that a search has found.
pub(crate) fn violation<'a>(search: &'a Search, property: &Property) -> Option<&'a Finding> {
    search.findings.iter().find(|finding| property.is_violated_by(&finding.outcome))
}

/// What the steps of a program violate, and after how many steps; as far as `go_on` does not say no.
pub(crate) fn outcomes<'a>(
    monitors: &'a Monitors,
    interpreter: &'a Interpreter<'_>,
    run: &'a [Replay],
    go_on: &'a mut dyn FnMut() -> bool,
) -> impl Iterator<Item = (usize, Outcome)> + 'a {
    let mut sets = monitors.initial();
    let mut watch = move |at: usize, state: &State| {
        let mut found = Vec::new();
        if let Err(failure) = monitors.step(interpreter, state, &mut sets) {
            found.push((at, Outcome::Condition(failure.monitor, failure.kind)));
        }
        found.extend(monitors.bad(&sets).map(|number| (at, Outcome::Claim(number))));
        found
    };
    let initial = interpreter.initial().ok();
    let first = initial.map(|state| watch(0, &state)).unwrap_or_default();
    let run = run.iter().enumerate().take_while(move |_| go_on());
    let later = run.flat_map(move |(i, replay)| {
        let violations = replay.step.violations.iter().cloned();
        let mut found: Vec<_> = violations.map(|v| (i + 1, Outcome::Violation(v))).collect();
        // Claims observe stored states only.
        if let Some((state, control)) = &replay.step.next
            && (*control == Control::Free || interpreter.steps(state, *control).steps.is_empty())
        {
            found.extend(watch(i + 1, state));
        }
        found
    });
    first.into_iter().chain(later)
}

/// What the last state of a run violates: by an edge that cannot be tried, by standing still where a
/// process is not at its end, or because a claim goes on alone in a state without steps.
fn outcomes_at_end(
    monitors: &Monitors,
    interpreter: &Interpreter<'_>,
    run: &[Replay],
) -> Vec<Outcome> {
    let initial = if run.is_empty() { interpreter.initial().ok() } else { None };
    let (state, hold) = match (run.last().map(|replay| &replay.step.next), &initial) {
        (Some(Some((state, hold))), _) => (state, *hold),
        (None, Some(state)) => (state, Control::Free),
        _ => return Vec::new(),
    };
    let mut tried = interpreter.steps(state, hold);
    let mut found: Vec<Outcome> = Vec::new();
    if tried.steps.is_empty() && hold != Control::Free {
        let free = interpreter.steps(state, Control::Free);
        found.extend(tried.violations.into_iter().map(Outcome::Violation));
        tried = free;
    }
    found.extend(tried.violations.into_iter().map(Outcome::Violation));
    if tried.steps.is_empty() {
        found.extend((!interpreter.is_valid_end(state)).then_some(Outcome::InvalidEnd));
        let mut sets = sets_after(monitors, interpreter, run);
        let mut known = vec![sets.clone()];
        // A condition without a value was found before.
        while monitors.step(interpreter, state, &mut sets).is_ok() {
            found.extend(monitors.bad(&sets).map(Outcome::Claim));
            if known.contains(&sets) {
                break;
            }
            known.push(sets.clone());
        }
    }
    found
}

/// The sets of the monitors after a run.
fn sets_after(monitors: &Monitors, interpreter: &Interpreter<'_>, run: &[Replay]) -> Vec<u64> {
    let mut sets = monitors.initial();
    let initial = interpreter.initial().ok();
    let observed = run.iter().filter_map(|replay| replay.step.next.as_ref()).filter(|next| {
        let (state, hold) = next;
        *hold == Control::Free || interpreter.steps(state, *hold).steps.is_empty()
    });
    for state in initial.iter().chain(observed.map(|(state, _)| state)) {
        // A condition without a value was found before.
        let _ = monitors.step(interpreter, state, &mut sets);
    }
    sets
}

/// Whether a run ends in a state without steps that is no valid end.
pub(crate) fn ends_badly(interpreter: &Interpreter<'_>, run: &[Replay]) -> bool {
    let last = run.last().and_then(|replay| replay.step.next.as_ref()).map(|(state, _)| state);
    let initial = if run.is_empty() { interpreter.initial().ok() } else { None };
    let Some(state) = last.or(initial.as_ref()) else { return false };
    is_stuck(interpreter, state)
}
