//! The verdict on a program with unbounded data, by predicate abstraction.
//!
//! The program in which the named variables are integers without bounds is another one than spin's, in
//! which an `int` wraps: a verdict on one does not carry over to the other. A report always says which
//! variables are unbounded and what is assumed.

mod certificate;
mod doubt;
mod growing;
mod network;
mod trace;

pub use certificate::{DataAccepted, NotAcceptedData, read_data_certificates, recheck_data};
pub use growing::growing_variables;
pub use network::{abstract_graph, abstract_network, abstract_state_name};
pub use trace::{DataRun, DataStep};

use crate::control::Control;
use crate::model::Model;
use crate::question::{CallError, Question};
use crate::subject::{DataAnnotations, LabelledStatement, Subject};
use crate::verdict::Truth;
use doubt::{doubtful, no_start, out_of_reach};
use resy_predicate::{
    AbstractVerdict, Abstraction, AbstractionBudget, BasisPredicate, Embedded, FactoredAbstraction,
    LivenessQuestion, PredicateSource, SuccessorMethod,
};
use resy_symbolic::{
    ControlId, DataKind, FairnessAssumptions, OutOfReach, SmtProcess, Solver, SymbolicProgram,
    TermId, horn_clauses,
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
    /// Whether a certificate is made of each `holds`.
    pub certificate: bool,
    /// Whether the abstraction is wanted as a program, too.
    pub factored: bool,
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
    /// The predicates.
    pub predicates: Vec<ShownPredicate>,
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
    /// The certificate of a `holds` as text, if it was asked for; or why there is none.
    pub certificate: Option<Result<String, String>>,
    /// The abstraction as a program, if it was asked for and is small enough.
    pub factored: Option<FactoredAbstraction>,
}

/// A predicate of a proof, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPredicate {
    /// The condition.
    pub text: String,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether it is a condition of Promela, so that it can be put back as an annotation.
    pub is_condition: bool,
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

impl AbstractReport {
    /// The certificates of all properties that hold, as one text; or why there is none. `None` if none was asked for, or
    /// if a property does not hold.
    pub fn certificate(&self) -> Option<Result<String, String>> {
        let made: Vec<&AbstractAnswer> =
            self.answers.iter().filter(|answer| answer.certificate.is_some()).collect();
        let is_violated = self.answers.iter().any(|a| a.verdict.truth() == Truth::Fails);
        if made.is_empty() || is_violated {
            return None;
        }
        let texts = made.iter().map(|answer| match &answer.certificate {
            Some(Err(why)) => Err(format!("{}: {why}", answer.property.name())),
            Some(Ok(text)) => Ok(text.as_str()),
            None => Ok(""),
        });
        Some(texts.collect())
    }

    /// The properties that a certificate covers, and those that it does not.
    pub fn certified(&self) -> (Vec<&str>, Vec<&str>) {
        let is_certified = |answer: &&AbstractAnswer| matches!(answer.certificate, Some(Ok(_)));
        let (yes, no): (Vec<_>, Vec<_>) = self.answers.iter().partition(is_certified);
        let not_checked = self.not_checked.iter().map(|n| n.name.as_str());
        let yes = yes.into_iter().map(|answer| answer.property.name()).collect();
        let no = no.into_iter().map(|answer| answer.property.name());
        (yes, no.chain(not_checked).collect())
    }
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
    let asked = Asking { model: &model, data: &data, options, question, control };
    let is_single = model.selection.properties.len() == 1;
    for property in &model.selection.properties {
        match unchecked(property, &data) {
            Some(reason) => {
                let name = property.name().to_owned();
                report.not_checked.push(NotChecked { name, reason });
            }
            None => report.answers.push(asked.decide(property, !is_single)?),
        }
    }
    // What is not decided at once waits for the other properties.
    for answer in report.answers.iter_mut().filter(|_| !is_single) {
        if answer.verdict.truth() == Truth::Unknown && control.may_go_on() {
            let property = answer.property.clone();
            *answer = asked.decide(&property, false)?;
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
    let name = |v: &resy_symbolic::DataVariable| {
        let proctype = v.proctype.zip(system).map(|(p, s)| format!("{}:", s.proctypes[p].name));
        let brackets = if v.cell.kind == DataKind::Array { "[]" } else { "" };
        format!("{}{}{brackets}", proctype.unwrap_or_default(), v.name)
    };
    let wraps = |v: &&resy_symbolic::DataVariable| matches!(v.cell.kind, DataKind::Integer(ty) if ty != CellType::Int);
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
    let is_clock = |v: &resy_symbolic::DataVariable| v.cell.kind == DataKind::Clock;
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

/// What is asked about each property.
struct Asking<'q> {
    model: &'q Model,
    data: &'q DataAnnotations,
    options: &'q AbstractOptions,
    question: &'q Question,
    control: &'q Control,
}

impl Asking<'_> {
    fn decide(&self, property: &Property, is_first: bool) -> Result<AbstractAnswer, CallError> {
        let mut budget = if is_first { FIRST } else { AbstractionBudget::default() };
        if let Some(most) = self.options.most_refinements {
            budget.refinements = most;
        }
        decide(self, property, budget)
    }
}

/// What each of several properties may spend before the others are looked at.
const FIRST: AbstractionBudget =
    AbstractionBudget { refinements: 6, states: 2_000, small_states: 2_000 };

fn decide(
    asking: &Asking<'_>,
    property: &Property,
    budget: AbstractionBudget,
) -> Result<AbstractAnswer, CallError> {
    let Asking { model, data, options, question, control } = *asking;
    let selection = model.selection.only(std::slice::from_ref(property));
    let interpreter =
        model.interpreter().ok_or_else(|| CallError::Other("there is no program".to_owned()))?;
    let system = interpreter.system();
    let asked = selection.properties[0].clone();
    let mut solver = solver_of(options)?;
    let mut answer = AbstractAnswer::about(property.clone());
    let declarations = data.declarations.clone();
    let monitors = selection.monitors.clone();
    let program = SymbolicProgram::new(interpreter.clone(), monitors, declarations);
    let mut program = match program {
        Ok(program) => program,
        Err(why) => {
            answer.verdict = out_of_reach(system, &why);
            return Ok(answer);
        }
    };
    let mut abstraction = Abstraction::new(&mut program, &mut *solver);
    abstraction.method = options.method;
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
    answer.tell_of(&abstraction, &used);
    let is_proved = matches!(verdict, Ok(AbstractVerdict::Holds)) && answer.states > 0;
    if options.certificate && is_proved {
        let asked = certificate::Asked { property: &asked, selection: &selection, question, data };
        let made = certificate::certify(&mut abstraction, &asked, &used, model, control);
        answer.certificate = Some(made);
    }
    if options.factored && verdict.is_ok() {
        let most_states = AbstractionBudget::default().states;
        let go_on = &mut |_| control.may_go_on();
        answer.factored = abstraction.factored(&asked, most_states, go_on).ok().flatten();
    }
    answer.verdict = match verdict {
        Err(why) => out_of_reach(system, &why),
        Ok(AbstractVerdict::Holds) if answer.states == 0 && !data.assumed.is_empty() => {
            no_start(data)
        }
        Ok(AbstractVerdict::Holds) => DataVerdict::Holds,
        Ok(AbstractVerdict::Fails(run)) => {
            DataVerdict::Fails(trace::data_run(model, property, &program, &run, data))
        }
        Ok(AbstractVerdict::Unknown(doubt)) => doubtful(doubt, &program, data, control),
    };
    Ok(answer)
}

impl AbstractAnswer {
    /// Nothing is known yet.
    fn about(property: Property) -> Self {
        Self {
            property,
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
            certificate: None,
            factored: None,
        }
    }

    /// What an abstraction came to, and the ranks that were used.
    fn tell_of(&mut self, abstraction: &Abstraction<'_, '_>, ranks: &[TermId]) {
        self.refinements = abstraction.refinements;
        self.states = abstraction.graph.states.len();
        self.transitions = abstraction.graph.n_edges();
        self.small_states = abstraction.small_states;
        self.queries = abstraction.solver.n_queries();
        self.undeclared = abstraction.program.undeclared().map(str::to_owned).collect();
        let terms = abstraction.program.terms().borrow();
        let shown = |p: &BasisPredicate| ShownPredicate {
            text: terms.text(p.formula),
            source: p.source.as_str(),
            is_condition: terms.is_condition(p.formula),
        };
        self.predicates = abstraction.basis.as_slice().iter().map(shown).collect();
        self.ranks = ranks.iter().map(|&rank| terms.text(rank)).collect();
    }
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
