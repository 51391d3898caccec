//! Is an abstract path a run? The guards along the path, over the initial values and the inputs.

use super::graph::AbstractPath;
use resy_symbolic::{ControlId, GuardedCommand, OutOfReach};
use resy_symbolic::{
    DataValue, Evaluation, EvaluationUnder, Interpretation, Solver, SolverAnswer, SymbolId,
    SymbolicProgram, TermId, Terms,
};
use resy_system::Outcome;
use rustc_hash::FxHashMap;

/// A run of the program over its unbounded data: every guard was evaluated on it.
#[derive(Clone)]
pub struct UnboundedRun {
    /// The values of the data at the start.
    pub start: Interpretation,
    /// The control state at the start; `None` if the start itself violates.
    pub first: Option<ControlId>,
    /// The steps.
    pub steps: Vec<UnboundedStep>,
    /// What it violates at its end.
    pub outcome: Outcome,
    /// The number of steps before those that are repeated for ever, of a lasso.
    pub cycle: Option<usize>,
}

/// A step of a run.
#[derive(Clone)]
pub struct UnboundedStep {
    /// What was done.
    pub command: GuardedCommand,
    /// The values of the data after it.
    pub values: Interpretation,
    /// The values that were chosen.
    pub inputs: Interpretation,
}

/// What a path is.
pub(crate) enum PathVerdict {
    /// A run.
    Run(Box<UnboundedRun>),
    /// No run: for each command, its guards that contradict each other, over the data before it.
    Refuted(Vec<Vec<TermId>>),
    /// The solver does not know, or a value on the way is unknown.
    Open,
}

/// The commands of a path.
pub(crate) fn commands_of(
    program: &mut SymbolicProgram<'_>,
    path: &AbstractPath,
) -> Result<Vec<GuardedCommand>, OutOfReach> {
    let mut commands = Vec::new();
    for &(control, number) in &path.commands {
        commands.push(match control {
            None => program.start()?[number].clone(),
            Some(control) => program.commands(control)?[number].clone(),
        });
    }
    Ok(commands)
}

/// Decides whether a path is a run that ends in a violation.
pub(crate) fn check_path(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    commands: &[GuardedCommand],
    is_violated: &dyn Fn(&Outcome) -> bool,
) -> Result<PathVerdict, OutOfReach> {
    // For each formula over the initial values, the steps and guards that it comes from.
    let mut sources: Vec<(TermId, usize, TermId)> = Vec::new();
    let mut now: FxHashMap<SymbolId, TermId> = FxHashMap::default();
    let mut renamed = Vec::new();
    for (at, command) in commands.iter().enumerate() {
        let fresh = rename_inputs(&mut program.terms().borrow_mut(), command);
        let mut map = now.clone();
        map.extend(fresh.iter().map(|&(old, _, new)| (old, new)));
        let mut terms = program.terms().borrow_mut();
        sources.extend(command.guard.iter().map(|&g| (terms.substitute(g, &map), at, g)));
        let changed: Vec<(SymbolId, TermId)> =
            command.updates.iter().map(|(&s, &t)| (s, terms.substitute(t, &map))).collect();
        drop(terms);
        now.extend(changed);
        renamed.push(fresh);
        if let Some(target) = command.target {
            let assumed = program.assumptions(target)?;
            let mut terms = program.terms().borrow_mut();
            let next = at + 1;
            sources.extend(assumed.iter().map(|&f| (terms.substitute(f, &now), next, f)));
        }
    }
    let formulas: Vec<TermId> = sources.iter().map(|source| source.0).collect();
    let answer = solver.check(&mut program.terms().borrow_mut(), &formulas);
    match answer {
        SolverAnswer::Unknown(_) => Ok(PathVerdict::Open),
        SolverAnswer::Unsatisfiable(refutation) => {
            let core = smaller(&mut program.terms().borrow_mut(), solver, refutation.core);
            let mut per_step = vec![Vec::new(); commands.len() + 1];
            for &(formula, at, guard) in &sources {
                if core.contains(&formula) {
                    per_step[at].push(guard);
                }
            }
            Ok(PathVerdict::Refuted(per_step))
        }
        SolverAnswer::Satisfiable(model) if commands.iter().all(|c| c.is_exact) => {
            let choose = |at: usize| {
                let values = renamed[at]
                    .iter()
                    .map(|&(old, new, _)| (old, model.get(new).cloned().unwrap_or_else(zero)));
                let mut inputs = Interpretation::default();
                values.for_each(|(symbol, value)| inputs.set(symbol, value));
                inputs
            };
            // Only parameters have initial values of their own choice: what a model says about the
            // others is tried, not believed.
            let mut initial = Interpretation::default();
            for &parameter in program.parameters() {
                model.get(parameter).iter().for_each(|&v| initial.set(parameter, v.clone()));
            }
            let run = execute(program, commands, &initial, &choose, is_violated);
            Ok(run.map_or(PathVerdict::Open, |run| PathVerdict::Run(Box::new(run))))
        }
        SolverAnswer::Satisfiable(_) => Ok(PathVerdict::Open),
    }
}

/// A core from which nothing can be left out.
fn smaller(terms: &mut Terms, solver: &mut dyn Solver, mut core: Vec<TermId>) -> Vec<TermId> {
    let mut next = 0;
    while next < core.len() {
        let mut rest = core.clone();
        rest.remove(next);
        match solver.check(terms, &rest) {
            SolverAnswer::Unsatisfiable(refutation) => {
                // What is known to be needed stays in front.
                let needed = core[..next].to_vec();
                core = rest.into_iter().filter(|f| refutation.core.contains(f)).collect();
                next = needed.iter().take_while(|f| core.contains(f)).count();
            }
            _ => next += 1,
        }
    }
    core
}

fn zero() -> DataValue {
    DataValue::Number(resy_symbolic::Rational::ZERO)
}

/// Copies of the inputs of a command: old variable, new variable, new variable as a term.
fn rename_inputs(terms: &mut Terms, command: &GuardedCommand) -> Vec<(SymbolId, SymbolId, TermId)> {
    let rename = |&input: &SymbolId| {
        let declared = terms.declaration(input).clone();
        let new = terms.declare(&declared.name, declared.sort);
        (input, new, terms.symbol(new))
    };
    command.inputs.iter().map(rename).collect()
}

/// Carries commands out from given initial values, evaluating every guard; `None` if one is false.
pub(crate) fn execute(
    program: &SymbolicProgram<'_>,
    commands: &[GuardedCommand],
    initial: &Interpretation,
    inputs: &dyn Fn(usize) -> Interpretation,
    is_violated: &dyn Fn(&Outcome) -> bool,
) -> Option<UnboundedRun> {
    let last = commands.last()?;
    let outcome = last.outcomes.iter().find(|outcome| is_violated(outcome)).cloned()?;
    let run = carry_out(program, commands, initial, inputs)?;
    Some(UnboundedRun { outcome, ..run })
}

/// Carries commands out, whatever they violate.
pub(crate) fn carry_out(
    program: &SymbolicProgram<'_>,
    commands: &[GuardedCommand],
    initial: &Interpretation,
    inputs: &dyn Fn(usize) -> Interpretation,
) -> Option<UnboundedRun> {
    let terms = program.terms().borrow();
    let mut values = initial.clone();
    let mut run: Option<UnboundedRun> = None;
    for (at, command) in commands.iter().enumerate() {
        let chosen = inputs(at);
        let next = take(&terms, command, &values, &chosen)?;
        values = next;
        match &mut run {
            None => {
                run = Some(UnboundedRun {
                    start: values.clone(),
                    first: command.target,
                    steps: Vec::new(),
                    outcome: Outcome::InvalidEnd,
                    cycle: None,
                });
            }
            Some(run) => run.steps.push(UnboundedStep {
                command: command.clone(),
                values: values.clone(),
                inputs: chosen,
            }),
        }
    }
    run
}

/// The values after a command; `None` if its guard is false.
fn take(
    terms: &Terms,
    command: &GuardedCommand,
    values: &Interpretation,
    inputs: &Interpretation,
) -> Option<Interpretation> {
    let mut now = values.clone();
    inputs.iter().for_each(|(symbol, value)| now.set(symbol, value.clone()));
    take_under(terms, command, values, &mut Evaluation::default().under(&now))
}

/// The same, where the evaluation knows the values and the inputs.
pub(crate) fn take_under(
    terms: &Terms,
    command: &GuardedCommand,
    values: &Interpretation,
    now: &mut EvaluationUnder<'_>,
) -> Option<Interpretation> {
    if !command.guard.iter().all(|&guard| now.holds(terms, guard) == Some(true)) {
        return None;
    }
    let mut next = values.clone();
    for (&symbol, &value) in &command.updates {
        next.set(symbol, now.evaluate(terms, value)?.clone());
    }
    Some(next)
}
