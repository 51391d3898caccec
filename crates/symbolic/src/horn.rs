//! A program as Horn clauses, for other solvers: one relation for each control state.
//!
//! The clauses are satisfiable iff the property holds. They are made of the same guarded commands as
//! the abstraction, so that another solver is asked about the same program.

use crate::program::{ControlId, GuardedCommand, OutOfReach};
use crate::smt::{let_text, sort_name, symbol_name};
use crate::{SymbolId, SymbolicProgram, TermId};
use resy_index::Id;
use resy_system::Property;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The Horn clauses of a property that finite runs violate; `None` if there are more control states.
pub fn horn_clauses(
    program: &mut SymbolicProgram<'_>,
    property: &Property,
    most_controls: usize,
) -> Result<Option<String>, OutOfReach> {
    let (mut clauses, mut waiting, mut seen) = (String::new(), VecDeque::new(), Vec::new());
    let starts = program.start()?;
    for command in starts.iter() {
        clause(program, property, None, command, &mut clauses)?;
        waiting.extend(command.target);
    }
    while let Some(control) = waiting.pop_front() {
        if seen.contains(&control) {
            continue;
        }
        seen.push(control);
        if seen.len() > most_controls {
            return Ok(None);
        }
        for command in program.commands(control)?.iter() {
            clause(program, property, Some(control), command, &mut clauses)?;
            waiting.extend(command.target);
        }
    }
    let mut text = String::from("(set-logic HORN)\n");
    for &control in &seen {
        let sorts: Vec<&str> = arguments(program, control)
            .into_iter()
            .map(|symbol| sort_name(program.terms().borrow().declaration(symbol).sort))
            .collect();
        let _ =
            writeln!(text, "(declare-fun control{} ({}) Bool)", control.index(), sorts.join(" "));
    }
    Ok(Some(text + &clauses + "(check-sat)\n"))
}

/// The variables of a control state.
fn arguments(program: &SymbolicProgram<'_>, control: ControlId) -> Vec<SymbolId> {
    let mut symbols: Vec<SymbolId> = program.data_of(control).into_iter().map(|d| d.1).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// Adds the clause of a command.
fn clause(
    program: &mut SymbolicProgram<'_>,
    property: &Property,
    source: Option<ControlId>,
    command: &GuardedCommand,
    text: &mut String,
) -> Result<(), OutOfReach> {
    let is_bad = command.outcomes.iter().any(|outcome| property.is_violated_by(outcome));
    let target = command.target.filter(|_| !is_bad);
    if target.is_none() && !is_bad {
        return Ok(());
    }
    let mut body = command.guard.clone();
    if let Some(source) = source {
        body.extend(program.assumptions(source)?.iter());
    }
    let assumed = match command.target {
        Some(target) => program.assumptions(target)?.to_vec(),
        None => Vec::new(),
    };
    let before = source.map(|source| arguments(program, source)).unwrap_or_default();
    let after = target.map(|target| arguments(program, target)).unwrap_or_default();
    let mut terms = program.terms().borrow_mut();
    body.extend(assumed.into_iter().map(|f| terms.substitute(f, &command.updates)));
    let values: Vec<TermId> = after
        .iter()
        .map(|&symbol| {
            let own = terms.symbol(symbol);
            command.updates.get(&symbol).copied().unwrap_or(own)
        })
        .collect();
    let roots: Vec<TermId> = body.iter().chain(&values).copied().collect();
    let mut symbols = terms.symbols_in(&roots);
    symbols.extend(&before);
    symbols.sort_unstable();
    symbols.dedup();
    let quantified: Vec<String> = symbols
        .iter()
        .map(|&s| format!("({} {})", symbol_name(s), sort_name(terms.declaration(s).sort)))
        .collect();
    let applied = |control: ControlId, arguments: Vec<String>| match arguments.is_empty() {
        true => format!("control{}", control.index()),
        false => format!("(control{} {})", control.index(), arguments.join(" ")),
    };
    let mut premises: Vec<String> = body.iter().map(|f| format!("{f:?}")).collect();
    let source = source.map(|c| applied(c, before.iter().map(|&s| symbol_name(s)).collect()));
    premises.extend(source);
    let conclusion = match target {
        Some(target) => applied(target, values.iter().map(|v| format!("{v:?}")).collect()),
        None => "false".to_owned(),
    };
    let inner = format!("(=> (and true {}) {conclusion})", premises.join(" "));
    let inner = let_text(&terms, &roots, &inner);
    let _ = match quantified.is_empty() {
        true => writeln!(text, "(assert {inner})"),
        false => writeln!(text, "(assert (forall ({}) {inner}))", quantified.join(" ")),
    };
    Ok(())
}
