//! The verdict on a program with unbounded data, by predicate abstraction.
//!
//! The program in which the named variables are integers without bounds is another one than spin's, in
//! which an `int` wraps: a verdict on one does not carry over to the other. A report always says which
//! variables are unbounded and what is assumed.

mod growing;
mod trace;

pub use growing::growing_variables;
pub use trace::{DataRun, DataStep};

use crate::control::Control;
use crate::model::Model;
use crate::question::{CallError, Question};
use crate::subject::{DataAnnotations, LabelledStatement, Subject};
use crate::verdict::Truth;
use resy_predicate::{
    AbstractDoubt, AbstractVerdict, Abstraction, AbstractionBudget, ControlId, DataKind, Embedded,
    FairnessAssumptions, LivenessQuestion, OutOfReach, PredicateSource, SmtProcess, Solver,
    SuccessorMethod, SymbolicProgram, horn_clauses,
};
use resy_system::{CellType, Interpreter, NotChecked, Property, System};
use std::sync::Arc;
use std::time::Duration;

/// How a program with unbounded data is abstracted.
#[derive(Clone, Debug, Default)]
pub struct AbstractOptions {
    /// The decision procedure: our own if it is not given.
    pub solver: Option<String>,
    /// How abstract successors are computed.
    pub method: SuccessorMethod,
    /// The most refinements of the basis; none means that the given predicates are all.
    pub most_refinements: Option<usize>,
}

/// What there is to say about a program with unbounded data.
pub struct AbstractReport {
    /// The model.
    pub model: Arc<Model>,
    /// The verdicts.
    pub answers: Vec<AbstractAnswer>,
    /// The properties that were not checked.
    pub not_checked: Vec<NotChecked>,
    /// The verdict on all properties that were not left out by the user.
    pub total: Truth,
    /// The variables that are integers or reals without bounds.
    pub unbounded: Vec<String>,
    /// The variables that are data and wrap as in spin.
    pub wrapping: Vec<String>,
    /// What is assumed of all states, as text.
    pub assumed: Vec<String>,
    /// The decision procedure.
    pub solver: String,
    /// The time.
    pub elapsed: Duration,
}

/// The verdict on one property, and what it rests on.
pub struct AbstractAnswer {
    /// The property.
    pub property: Property,
    /// The verdict.
    pub verdict: DataVerdict,
    /// The predicates, as text, with their sources.
    pub predicates: Vec<(String, &'static str)>,
    /// The number of refinements of the basis.
    pub refinements: usize,
    /// Queries to the solver.
    pub queries: u64,
    /// Abstract states and transitions of the last exploration.
    pub states: usize,
    /// Its transitions.
    pub transitions: usize,
    /// The states of the plain search over small values.
    pub small_states: usize,
    /// The fairness that it rests on, in words.
    pub fairness: Vec<String>,
    /// The terms that cannot fall for ever that it rests on.
    pub ranks: Vec<String>,
    /// Variables and messages that are unbounded because an unbounded value is stored in them.
    pub undeclared: Vec<String>,
}

/// The verdict on a property of a program with unbounded data.
pub enum DataVerdict {
    /// The abstraction has no violation.
    Holds,
    /// A run over unbounded data violates it.
    Fails(DataRun),
    /// It is not decided: why, and a path or cycle of the abstraction that is not excluded.
    Unknown(String, Vec<String>),
}

impl DataVerdict {
    /// The verdict without its grounds.
    pub fn truth(&self) -> Truth {
        match self {
            Self::Holds => Truth::Holds,
            Self::Fails(_) => Truth::Fails,
            Self::Unknown(..) => Truth::Unknown,
        }
    }
}

/// Decides what a question asks of a program with unbounded data.
pub fn abstracted(
    subject: Arc<Subject>,
    question: &Question,
    options: &AbstractOptions,
    control: &Control,
) -> Result<AbstractReport, CallError> {
    let other = |message: &str| CallError::Other(message.to_owned());
    let Subject::Program(program) = &*subject else {
        return Err(other("only Promela programs have unbounded data"));
    };
    let Some(data) = program.data.clone() else {
        return Err(other("the annotations were not read"));
    };
    if data.declarations.variables.is_empty() {
        return Err(other("no variable is unbounded: annotate one, as in `/*@ unbounded x */`"));
    }
    let solver = solver_of(options)?.name();
    let model = Arc::new(Model::new(subject.clone(), question)?);
    let mut report = empty_report(model.clone(), &data, solver);
    for property in &model.selection.properties {
        match unchecked(property, &data) {
            Some(reason) => {
                let name = property.name().to_owned();
                report.not_checked.push(NotChecked { name, reason });
            }
            None => {
                report.answers.push(decide(&model, property, &data, options, question, control)?)
            }
        }
    }
    for name in report.answers.iter().flat_map(|answer| &answer.undeclared) {
        if !report.unbounded.contains(name) {
            report.unbounded.push(name.clone());
        }
    }
    let truths = report.answers.iter().map(|answer| answer.verdict.truth());
    let open = report.not_checked.iter().map(|_| Truth::Unknown);
    report.total = Truth::of_all(truths.chain(open));
    report.elapsed = control.elapsed();
    Ok(report)
}

/// A program with more control states is not written as Horn clauses.
const MOST_CONTROLS: usize = 20_000;

/// The Horn clauses of the first property of a program with unbounded data that finite runs violate: what a solver
/// for them (z3's Spacer, for example) decides about the same program. A message if there are none.
pub fn horn_text(subject: Arc<Subject>, question: &Question) -> Result<String, CallError> {
    let model = Model::new(subject, question)?;
    let other = |message: String| CallError::Other(message);
    let program = model.program().ok_or_else(|| other("there is no program".to_owned()))?;
    let data = program.data.clone().unwrap_or_default();
    let property = model.selection.properties.iter().find(|p| p.has_monitor());
    let property = property.ok_or_else(|| other("no property is about finite runs".to_owned()))?;
    let selection = model.selection.only(std::slice::from_ref(property));
    let interpreter = Interpreter::new(&program.system, model.options);
    let clauses = SymbolicProgram::new(interpreter, selection.monitors, data.declarations)
        .and_then(|mut p| horn_clauses(&mut p, &selection.properties[0], MOST_CONTROLS));
    match clauses {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(other(format!("there are more than {MOST_CONTROLS} control states"))),
        Err(why) => Err(other(why.why)),
    }
}

fn empty_report(model: Arc<Model>, data: &DataAnnotations, solver: String) -> AbstractReport {
    let system = model.program().map(|program| &program.system);
    let name = |v: &resy_predicate::DataVariable| {
        let proctype = v.proctype.zip(system).map(|(p, s)| format!("{}:", s.proctypes[p].name));
        let brackets = if v.cell.kind == DataKind::Array { "[]" } else { "" };
        format!("{}{}{brackets}", proctype.unwrap_or_default(), v.name)
    };
    let wraps = |v: &&resy_predicate::DataVariable| matches!(v.cell.kind, DataKind::Integer(ty) if ty != CellType::Int);
    let (wrapping, unbounded): (Vec<_>, Vec<_>) =
        data.declarations.variables.iter().partition(wraps);
    AbstractReport {
        answers: Vec::new(),
        not_checked: model.selection.not_checked.clone(),
        total: Truth::Unknown,
        unbounded: unbounded.into_iter().map(name).collect(),
        wrapping: wrapping.into_iter().map(name).collect(),
        assumed: data.assumed.clone(),
        solver,
        elapsed: Duration::ZERO,
        model,
    }
}

/// Why a property is not decided by abstraction, if it is not.
fn unchecked(property: &Property, data: &DataAnnotations) -> Option<String> {
    let is_clock = |v: &resy_predicate::DataVariable| v.cell.kind == DataKind::Clock;
    let has_clocks = data.declarations.variables.iter().any(is_clock);
    match property {
        Property::EndStates => Some(
            "an abstract state may have a step that a program's state has not, so abstraction does \
             not show where a run ends"
                .to_owned(),
        ),
        Property::Liveness { .. } if has_clocks => Some(
            "it is about infinite runs, and the program has clocks: only runs in which time has no \
             bound would count"
                .to_owned(),
        ),
        _ => None,
    }
}

fn solver_of(options: &AbstractOptions) -> Result<Box<dyn Solver>, CallError> {
    match options.solver.as_deref() {
        None | Some("embedded") => Ok(Box::new(Embedded::new())),
        Some(command) => match SmtProcess::start(command) {
            Ok(process) => Ok(Box::new(process)),
            Err(error) => {
                let message = format!("cannot start the solver `{command}`: {error}");
                Err(CallError::Other(message))
            }
        },
    }
}

fn decide(
    model: &Model,
    property: &Property,
    data: &DataAnnotations,
    options: &AbstractOptions,
    question: &Question,
    control: &Control,
) -> Result<AbstractAnswer, CallError> {
    let selection = model.selection.only(std::slice::from_ref(property));
    let interpreter =
        model.interpreter().ok_or_else(|| CallError::Other("there is no program".to_owned()))?;
    let system = interpreter.system();
    let asked = selection.properties[0].clone();
    let mut solver = solver_of(options)?;
    let mut answer = AbstractAnswer {
        property: property.clone(),
        verdict: DataVerdict::Holds,
        predicates: Vec::new(),
        refinements: 0,
        queries: 0,
        states: 0,
        transitions: 0,
        small_states: 0,
        fairness: Vec::new(),
        ranks: Vec::new(),
        undeclared: Vec::new(),
    };
    let declarations = data.declarations.clone();
    let program = SymbolicProgram::new(interpreter.clone(), selection.monitors, declarations);
    let mut program = match program {
        Ok(program) => program,
        Err(why) => {
            answer.verdict = out_of_reach(system, &why);
            return Ok(answer);
        }
    };
    let mut abstraction = Abstraction::new(&mut program, &mut *solver);
    abstraction.method = options.method;
    let mut budget = AbstractionBudget::default();
    if let Some(most) = options.most_refinements {
        budget.refinements = most;
    }
    let go_on = &mut |_| control.may_go_on();
    let mut used = Vec::new();
    let verdict = give(&mut abstraction, data).and_then(|start| match &asked {
        Property::Liveness { number, .. } => {
            let fairness = fairness_of(question, data);
            answer.fairness = in_words(system, question, data);
            let claim = &selection.liveness[*number];
            let mut ranks = Vec::new();
            for (_, rank) in &data.ranks {
                ranks.extend(start.map(|c| abstraction.program.value(c, rank)).transpose()?);
            }
            let asked = LivenessQuestion { claim, fairness: &fairness, ranks };
            abstraction.decide_liveness(&asked, budget, &mut used, go_on)
        }
        _ => abstraction.decide(&asked, budget, go_on),
    });
    answer.refinements = abstraction.refinements;
    answer.states = abstraction.graph.states.len();
    answer.transitions = abstraction.graph.n_edges();
    answer.small_states = abstraction.small_states;
    answer.queries = abstraction.solver.n_queries();
    answer.undeclared = abstraction.program.undeclared().map(str::to_owned).collect();
    {
        let terms = abstraction.program.terms().borrow();
        let predicates = abstraction.basis.as_slice().iter();
        answer.predicates =
            predicates.map(|p| (terms.text(p.formula), p.source.as_str())).collect();
        answer.ranks = used.iter().map(|&rank| terms.text(rank)).collect();
    }
    answer.verdict = match verdict {
        Err(why) => out_of_reach(system, &why),
        Ok(AbstractVerdict::Holds) => DataVerdict::Holds,
        Ok(AbstractVerdict::Fails(run)) => {
            DataVerdict::Fails(trace::data_run(model, property, &program, &run, data))
        }
        Ok(AbstractVerdict::Unknown(doubt)) => doubtful(doubt, control),
    };
    Ok(answer)
}

/// What is assumed about the scheduler.
fn fairness_of(question: &Question, data: &DataAnnotations) -> FairnessAssumptions {
    let places = |list: &[LabelledStatement]| -> Vec<_> {
        list.iter().map(|statement| (statement.proctype, statement.location)).collect()
    };
    FairnessAssumptions {
        processes: question.fairness,
        just: places(&data.just),
        compassionate: places(&data.compassionate),
    }
}

/// The fairness that a verdict on infinite runs rests on.
fn in_words(system: &System, question: &Question, data: &DataAnnotations) -> Vec<String> {
    let listed = |word: &str, list: &[LabelledStatement]| {
        let names: Vec<String> = list
            .iter()
            .map(|s| format!("{}@{}", system.proctypes[s.proctype].name, s.label))
            .collect();
        (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
    };
    let processes = question.fairness.assumption().map(|words| format!("{words} of processes"));
    let statements = [listed("just", &data.just), listed("compassionate", &data.compassionate)];
    processes.into_iter().chain(statements.into_iter().flatten()).collect()
}

/// Puts the given predicates into the basis; a control state that the program starts in.
fn give(
    abstraction: &mut Abstraction<'_, '_>,
    data: &DataAnnotations,
) -> Result<Option<ControlId>, OutOfReach> {
    let Some(control) = abstraction.program.start()?.iter().find_map(|command| command.target)
    else {
        return Ok(None);
    };
    for (_, predicate) in &data.predicates {
        let formula = abstraction.program.formula(control, predicate)?;
        let terms = abstraction.program.terms().borrow();
        abstraction.basis.add(&terms, formula, PredicateSource::Given);
    }
    Ok(Some(control))
}

fn out_of_reach(system: &System, why: &OutOfReach) -> DataVerdict {
    let place = (why.source.line > 0).then(|| format!("{}: ", system.location(why.source)));
    DataVerdict::Unknown(format!("{}{}", place.unwrap_or_default(), why.why), Vec::new())
}

fn doubtful(doubt: AbstractDoubt, control: &Control) -> DataVerdict {
    let (reason, path) = match doubt {
        AbstractDoubt::NoPredicate(path) => (
            "a path of the abstraction is no run of the program, and no predicate was found that \
             excludes it; give one with `/*@ predicate … */`"
                .to_owned(),
            path,
        ),
        AbstractDoubt::OpenPath(path) => {
            ("the solver does not know whether a path of the abstraction is a run".to_owned(), path)
        }
        AbstractDoubt::Budget(what) => (format!("the budget of {what} is spent"), Vec::new()),
        AbstractDoubt::Cancelled => {
            let stop = control.exceeded().map(|stop| stop.to_string());
            (stop.unwrap_or_else(|| "it was given up".to_owned()), Vec::new())
        }
        AbstractDoubt::FairCycle(cycle) => {
            ("a cycle of the abstraction is not excluded: it may be a fair run".to_owned(), cycle)
        }
    };
    DataVerdict::Unknown(reason, path)
}
