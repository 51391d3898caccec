//! Why a property is not decided, in words that say what to do about it.

use super::growing::growing_variables;
use super::{AbstractReport, DataVerdict};
use crate::control::Control;
use crate::subject::DataAnnotations;
use resy_predicate::AbstractDoubt;
use resy_symbolic::{OutOfReach, SymbolicProgram, Term};
use resy_system::System;

/// What is said where the solver is the reason.
const OTHER_SOLVER: &str = "another solver, such as z3, may know more";

impl AbstractReport {
    /// Whether a property is not decided because of terms of which another solver may know more.
    pub fn another_solver_may_help(&self) -> bool {
        self.answers.iter().any(|answer| match &answer.verdict {
            DataVerdict::Unknown(reason, _) => reason.contains(OTHER_SOLVER),
            _ => false,
        })
    }
}

/// The program is not in reach, and where.
pub(super) fn out_of_reach(system: &System, why: &OutOfReach) -> DataVerdict {
    let place = (why.source.line > 0).then(|| format!("{}: ", system.location(why.source)));
    DataVerdict::Unknown(format!("{}{}", place.unwrap_or_default(), why.why), Vec::new())
}

/// Nothing was explored: every property would hold.
pub(super) fn no_start(data: &DataAnnotations) -> DataVerdict {
    let assumed = data.assumed.join("; ");
    let why = format!(
        "the program has no start, because its initial values contradict what is assumed: {assumed}"
    );
    DataVerdict::Unknown(why, Vec::new())
}

/// Why it is not decided.
pub(super) fn doubtful(
    doubt: AbstractDoubt,
    program: &SymbolicProgram<'_>,
    data: &DataAnnotations,
    control: &Control,
) -> DataVerdict {
    let more = || unknown_value(program).map(|words| format!("; {words}")).unwrap_or_default();
    let (reason, path) = match doubt {
        AbstractDoubt::NoPredicate(path) => {
            let why = "a path of the abstraction is no run of the program, and no predicate was found that excludes \
                       it; give one with `/*@ predicate … */`";
            (format!("{why}{}", more()), path)
        }
        AbstractDoubt::OpenPath(path) => {
            let why = "the solver does not know whether a path of the abstraction is a run";
            (format!("{why}{}", more()), path)
        }
        AbstractDoubt::Budget(what) => {
            let help = growing(program.interpreter().system(), data).unwrap_or_else(|| {
                "give predicates with `/*@ predicate … */`, or what is known with `/*@ assume … */`"
                    .to_owned()
            });
            (format!("the budget of {what} is spent; {help}"), Vec::new())
        }
        AbstractDoubt::Cancelled => {
            let stop = control.exceeded().map(|stop| stop.to_string());
            (stop.unwrap_or_else(|| "it was given up".to_owned()), Vec::new())
        }
        AbstractDoubt::FairCycle(cycle) => {
            let why = "a cycle of the abstraction is not excluded: it may be a fair run; if it is none, a number that \
                       falls on it excludes it (`/*@ rank … */`), or the fairness of a statement (`/*@ just L */`)";
            (why.to_owned(), cycle)
        }
    };
    DataVerdict::Unknown(reason, path)
}

/// Variables that grow and are not unbounded: each of their values is a control state.
fn growing(system: &System, data: &DataAnnotations) -> Option<String> {
    let is_data = |name: &String| {
        let variables = &data.declarations.variables;
        variables.iter().any(|v| name.rsplit(':').next() == Some(&v.name))
    };
    let names: Vec<String> =
        growing_variables(system).into_iter().filter(|name| !is_data(name)).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("if {names} may grow for ever, annotate `/*@ unbounded {names} */`")
    })
}

/// The first statement with a value about which nothing is known, or that another solver may know more about.
fn unknown_value(program: &SymbolicProgram<'_>) -> Option<String> {
    let system = program.interpreter().system();
    let terms = program.terms().borrow();
    for command in program.known_commands() {
        let place = || format!("`{}` at {}", command.text, system.location(command.source));
        if !command.is_exact {
            return Some(format!(
                "{} is not linear, so that nothing is known of its value",
                place()
            ));
        }
        let roots: Vec<_> = command.guard.iter().chain(command.updates.values()).copied().collect();
        let is_product = |id: &_| matches!(terms.term(*id), Term::Product(..));
        if terms.closure(&roots).iter().any(is_product) {
            return Some(format!("{} is not linear; {OTHER_SOLVER} (`apt install z3`)", place()));
        }
    }
    None
}
