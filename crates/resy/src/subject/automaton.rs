//! The automaton of a negated property beside a program.
//!
//! Its propositions are texts. Each becomes a formula of the program, so that it is read like any condition there, and
//! may use macros. The formulas are taken away again.

use resy_automata::text::hoa::{self, HoaAutomaton};
use resy_automata::text::network_file::FileMessage;
use resy_system::{Claim, ClaimKind, GivenAutomaton, LtlFormula, SourcePlace, System};

/// The name of the property.
const NAME: &str = "automaton";

/// Reads an automaton, given the name of its file and its text.
pub(super) fn read((name, text): &(String, String)) -> Result<HoaAutomaton, FileMessage> {
    hoa::read(text).map_err(|error| FileMessage {
        file: name.clone(),
        line: error.line,
        text: error.message,
    })
}

/// The name of the formula of a proposition.
fn formula_name(number: usize) -> String {
    format!("resy_proposition_{number}")
}

/// The formulas of the propositions, as text.
pub(super) fn conditions(automaton: &HoaAutomaton) -> String {
    let propositions = automaton.propositions.iter().enumerate();
    let formula =
        |(i, text): (usize, &String)| format!("ltl {} {{\n[] (\n{text}\n)\n}}\n", formula_name(i));
    propositions.map(formula).collect()
}

/// Puts the automaton in the place of the formulas of its propositions.
pub(super) fn add(automaton: &HoaAutomaton, system: &mut System) -> Result<(), String> {
    let mut conditions: Vec<LtlFormula> = Vec::new();
    for number in 0..automaton.propositions.len() {
        let name = formula_name(number);
        let at = system.claims.iter().position(|claim| claim.name == name);
        match at.map(|at| system.claims.remove(at).kind) {
            Some(ClaimKind::Ltl(formula)) => conditions.push(formula),
            _ => return Err(format!("a proposition of the {NAME} is no condition")),
        }
    }
    let given = GivenAutomaton::of(automaton, &conditions.iter().collect::<Vec<_>>());
    let given = given.ok_or_else(|| {
        format!("the {NAME} is too large, or a proposition of it is not about one state")
    })?;
    let kind = ClaimKind::Automaton(Box::new(given));
    system.claims.push(Claim { name: NAME.to_owned(), kind, source: SourcePlace::default() });
    Ok(())
}
