//! A run over unbounded data, for people: statements and values.

use crate::model::Model;
use crate::subject::DataAnnotations;
use resy_engine::search::{Replay, execute};
use resy_predicate::UnboundedRun;
use resy_symbolic::{CommandKind, ControlId, DataValue, Interpretation, SymbolicProgram};
use resy_system::{CellInit, CellType, Expr, Interpreter, Property, SourcePlace, System};

/// A run over unbounded data that violates a property.
pub struct DataRun {
    /// The values of the data at the start.
    pub start: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<DataStep>,
    /// What is wrong at its end.
    pub what: String,
    /// The number of steps before those that are repeated for ever, if it is infinite.
    pub loop_start: Option<usize>,
    /// Whether the program that spin runs has the run too, with these initial values.
    pub is_run_of_program: bool,
}

/// A step of a run over unbounded data.
pub struct DataStep {
    /// The process that moves, with its number; `None` if time passes.
    pub process: Option<(String, usize)>,
    /// The statements.
    pub text: String,
    /// The place of the first one.
    pub source: SourcePlace,
    /// The values of the data after it that it has changed.
    pub changed: Vec<(String, String)>,
}

/// The run in words, and whether the program as it stands has it too.
pub(super) fn data_run(
    model: &Model,
    property: &Property,
    program: &SymbolicProgram<'_>,
    run: &UnboundedRun,
    data: &DataAnnotations,
) -> DataRun {
    let system = program.interpreter().system();
    let mut last = run.first.map(|c| values_of(program, c, &run.start)).unwrap_or_default();
    let start = last.clone();
    let mut steps = Vec::new();
    for step in &run.steps {
        let process = match step.command.kind {
            CommandKind::Step { pid, proctype, .. } => {
                Some((system.proctypes[proctype].name.clone(), pid))
            }
            _ => None,
        };
        let now = match step.command.target {
            Some(control) => values_of(program, control, &step.values),
            None => last.clone(),
        };
        let changed = now.iter().filter(|value| !last.contains(value)).cloned().collect();
        steps.push(DataStep {
            process,
            text: step.command.text.clone(),
            source: step.command.source,
            changed,
        });
        last = now;
    }
    let what = match property {
        Property::Liveness { number, .. } => model.selection.liveness[*number].describe(system),
        _ => property.describe(system, &run.outcome),
    };
    let is_run_of_program = is_run_of_program(model, property, program, run, data);
    DataRun { start, steps, what, loop_start: run.cycle, is_run_of_program }
}

/// The names and values of the data in a control state.
fn values_of(
    program: &SymbolicProgram<'_>,
    control: ControlId,
    values: &Interpretation,
) -> Vec<(String, String)> {
    let terms = program.terms().borrow();
    let data = program.data_of(control).into_iter();
    data.map(|(_, symbol)| {
        let name = terms.declaration(symbol).name.clone();
        let value = match values.get(symbol) {
            Some(DataValue::Number(number)) => number.to_string(),
            Some(DataValue::Boolean(value)) => value.to_string(),
            Some(DataValue::Array(array)) => {
                let listed: Vec<String> =
                    array.exceptions().map(|(index, value)| format!("{index}: {value}")).collect();
                match listed.is_empty() {
                    true => format!("[{} everywhere]", array.default_value()),
                    false => {
                        format!("[{}; {} elsewhere]", listed.join(", "), array.default_value())
                    }
                }
            }
            None => "0".to_owned(),
        };
        (name, value)
    })
    .collect()
}

/// Whether the program that spin runs, with the initial values of the run, takes the same steps to a
/// violation of the same property.
fn is_run_of_program(
    model: &Model,
    property: &Property,
    program: &SymbolicProgram<'_>,
    run: &UnboundedRun,
    data: &DataAnnotations,
) -> bool {
    let is_step = |kind: &CommandKind| matches!(kind, CommandKind::Step { .. });
    if !run.steps.iter().all(|step| is_step(&step.command.kind)) {
        return false;
    }
    let Some(system) = with_initial_values(program, run, data) else { return false };
    let interpreter = Interpreter::new(&system, model.options);
    let moves: Vec<_> = run.steps.iter().flat_map(|step| step.command.moves.clone()).collect();
    let steps = execute(&interpreter, &moves);
    if let Some(stem) = run.cycle {
        let n_before = run.steps[..stem].iter().map(|step| step.command.moves.len()).sum();
        return closes(&steps, n_before) && steps.len() == moves.len();
    }
    let monitors = &model.selection.monitors;
    let mut go_on = || true;
    let mut outcomes = crate::counterexample::outcomes(monitors, &interpreter, &steps, &mut go_on);
    let is_violated = outcomes.any(|(_, outcome)| property.is_violated_by(&outcome));
    is_violated && steps.len() == moves.len()
}

/// Whether the state after the last step is the one before the step with this number.
fn closes(steps: &[Replay], first: usize) -> bool {
    let after = steps.last().and_then(|last| last.step.next.as_ref());
    after.zip(steps.get(first)).is_some_and(|((after, _), first)| *after == first.before)
}

/// The program in which the parameters have the values of a run; `None` if they do not fit.
fn with_initial_values(
    program: &SymbolicProgram<'_>,
    run: &UnboundedRun,
    data: &DataAnnotations,
) -> Option<System> {
    let mut system = program.interpreter().system().clone();
    let symbols = program.data_of(run.first?);
    for variable in data.declarations.variables.iter().filter(|v| v.cell.is_parameter) {
        let position = variable.offset as usize;
        let (_, symbol) = symbols.iter().find(|(at, _)| *at == position)?;
        let mut set = |cell: u32, value: i128| {
            let value = i32::try_from(value).ok()?;
            let fits = system.globals.cells[cell as usize] == CellType::Int
                || system.globals.cells[cell as usize].truncate(value) == value;
            let init = CellInit::Value(cell, Expr::Const(value));
            fits.then(|| system.globals.init.push(init))
        };
        match run.start.get(*symbol) {
            Some(DataValue::Number(number)) => set(variable.offset, number.to_integer()?)?,
            Some(DataValue::Array(array)) => {
                for k in 0..variable.n_cells {
                    set(variable.offset + k, array.get(i128::from(k)).to_integer()?)?;
                }
            }
            _ => {}
        }
    }
    Some(system)
}
