//! From text to contracts.

use super::lines::{ContractLines, unescaped};
use super::{ERROR, INTERNAL, JOIN, VERSION};
use crate::contract::{Clause, Contract, Premise, PremisePart};
use crate::proof::About;
use crate::text::Malformed;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};

/// The contract that a text describes.
pub fn read(text: &str) -> Result<Contract, Malformed> {
    let mut lines = ContractLines::new(text);
    if lines.at(0) != Some(VERSION) {
        return lines.fails(format!("expected `{VERSION}`"));
    }
    let property = lines.expect(0, "property")?;
    let property = name(&lines, property)?;
    let mut settings = Vec::new();
    while let Some(setting) = lines.after(0, "setting") {
        let Some((key, value)) = setting.split_once(' ') else {
            return lines.fails("expected a word and what it is set to");
        };
        settings.push((key.to_owned(), name(&lines, value)?));
    }
    let mut names = Names::default();
    let mut clauses = Vec::new();
    while let Some(clause) = clause(&mut lines, &mut names)? {
        if clauses.iter().any(|other: &Clause| other.name == clause.name) {
            return lines.fails(format!("there are two components `{}`", clause.name));
        }
        clauses.push(clause);
    }
    lines.expect(0, "monitor")?;
    let monitor = monitor(&mut lines, &mut names)?;
    let mut premises = Vec::new();
    while lines.after(0, "proof").is_some() {
        premises.push(premise(&mut lines, &mut names, &clauses)?);
    }
    lines.expect(0, "actions")?;
    let listed = actions(&mut lines)?;
    lines.expect(0, "end")?;
    lines.end()?;
    let contract = Contract {
        property,
        settings,
        actions: names.all.clone(),
        signatures: Vec::new(),
        clauses,
        monitor,
        premises,
    };
    numbered(&lines, contract, &names, listed)
}

/// The actions mentioned so far, in order.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<String, ActionId>,
    all: Vec<String>,
}

impl Names {
    fn label(&mut self, lines: &ContractLines<'_>, text: &str) -> Result<Label, Malformed> {
        if text == INTERNAL {
            return Ok(Label::Tau);
        }
        self.action(lines, text).map(Label::Visible)
    }

    fn action(&mut self, lines: &ContractLines<'_>, text: &str) -> Result<ActionId, Malformed> {
        let name = name(lines, text)?;
        Ok(*self.numbers.entry(name).or_insert_with_key(|name| {
            self.all.push(name.clone());
            Id::from_index(self.all.len() - 1)
        }))
    }
}

fn name(lines: &ContractLines<'_>, text: &str) -> Result<String, Malformed> {
    match unescaped(text) {
        Some(name) if !name.is_empty() => Ok(name),
        Some(_) => lines.fails("a name is missing"),
        None => lines.fails("a backslash before neither a backslash nor `n`"),
    }
}

fn clause(lines: &mut ContractLines<'_>, names: &mut Names) -> Result<Option<Clause>, Malformed> {
    let (text, is_process) = match lines.after(0, "process") {
        Some(text) => (text, true),
        None => match lines.after(0, "object") {
            Some(text) => (text, false),
            None => return Ok(None),
        },
    };
    let name = name(lines, text)?;
    let seal = match is_process.then(|| lines.expect(2, "sealed")).transpose()? {
        None => None,
        Some(digits) => match u64::from_str_radix(digits, 16) {
            Ok(seal) if digits.len() == 16 => Some(seal),
            _ => return lines.fails("a seal has 16 hexadecimal digits"),
        },
    };
    let Rows { moves, hints } = rows(lines, names)?;
    let mut alphabet = Vec::new();
    if lines.after(2, "never").is_some() {
        while let Some(text) = lines.at(4) {
            alphabet.push(names.action(lines, text)?);
        }
    }
    let mut builder = LtsBuilder::with_states(hints.len());
    for (source, label, target) in moves {
        match target.parse::<usize>() {
            Ok(target) if target < hints.len() => {
                builder.add_transition(source, label, Id::from_index(target));
            }
            _ => return lines.fails(format!("`{name}` has no state `{target}`")),
        }
    }
    let requirement = builder.finish(Id::from_index(0), alphabet.into_iter().collect());
    let hints = if hints.iter().all(String::is_empty) { Vec::new() } else { hints };
    Ok(Some(Clause { name, seal, requirement, hints }))
}

/// The states of an automaton with their transitions, whose targets are not resolved yet.
struct Rows<'t> {
    moves: Vec<(StateId, Label, &'t str)>,
    hints: Vec<String>,
}

fn rows<'t>(lines: &mut ContractLines<'t>, names: &mut Names) -> Result<Rows<'t>, Malformed> {
    let (mut moves, mut hints) = (Vec::new(), Vec::new());
    while let Some(text) = lines.after(2, "state") {
        let (number, hint) = text.split_once("  # ").unwrap_or((text, ""));
        if number != hints.len().to_string() {
            return lines.fails(format!("expected state {}", hints.len()));
        }
        hints.push(unescaped(hint).unwrap_or_default());
        while let Some(text) = lines.at(4) {
            let Some((label, target)) = text.rsplit_once(" -> ") else {
                return lines.fails("expected an action, `->` and a state");
            };
            let label = names.label(lines, label)?;
            moves.push((Id::from_index(hints.len() - 1), label, target));
        }
    }
    match hints.is_empty() {
        false => Ok(Rows { moves, hints }),
        true => {
            lines.expect(2, "state 0")?;
            lines.fails("expected `state 0`")
        }
    }
}

/// A monitor watches the actions that are mentioned, and stays by those without a line.
fn monitor(lines: &mut ContractLines<'_>, names: &mut Names) -> Result<Monitor, Malformed> {
    let Rows { moves, hints } = rows(lines, names)?;
    let error = Id::from_index(hints.len());
    let mut builder = LtsBuilder::with_states(hints.len() + 1);
    let mut said: FxHashSet<(StateId, ActionId)> = FxHashSet::default();
    for (source, label, target) in moves {
        let Label::Visible(action) = label else {
            return lines.fails("a monitor has no internal steps");
        };
        let target = match target.parse::<usize>() {
            Ok(target) if target < hints.len() => Id::from_index(target),
            Err(_) if target == ERROR => error,
            _ => return lines.fails(format!("the monitor has no state `{target}`")),
        };
        said.insert((source, action));
        builder.add_transition(source, label, target);
    }
    let watched: Alphabet = said.iter().map(|&(_, action)| action).collect();
    for state in (0..hints.len()).map(StateId::from_index) {
        for action in watched.iter().filter(|&action| !said.contains(&(state, action))) {
            builder.add_transition(state, Label::Visible(action), state);
        }
    }
    let lts = builder.finish(Id::from_index(0), watched);
    Ok(Monitor { lts, error, state_names: IndexVec::new() })
}

fn premise(
    lines: &mut ContractLines<'_>,
    names: &mut Names,
    clauses: &[Clause],
) -> Result<Premise, Malformed> {
    let mut parts = Vec::new();
    let mut n_left = 0;
    loop {
        if let Some(text) = lines.after(2, "by") {
            let wanted = name(lines, text)?;
            let Some(position) = clauses.iter().position(|clause| clause.name == wanted) else {
                return lines.fails(format!("there is no component `{wanted}`"));
            };
            if parts.contains(&PremisePart::Clause(position)) {
                return lines.fails(format!("`{wanted}` is named twice"));
            }
            parts.push(PremisePart::Clause(position));
            n_left += 1;
        } else if lines.after(2, JOIN).is_some() {
            if n_left < 2 {
                return lines.fails("there are not two requirements to join");
            }
            parts.push(PremisePart::Joined);
            n_left -= 1;
        } else {
            break;
        }
    }
    let mut about = Vec::new();
    while let Some(text) = lines.after(2, "about") {
        about.push(names.action(lines, text)?);
    }
    let about = match about.is_empty() {
        true => About::All,
        false => About::Only(about.into_iter().collect()),
    };
    Ok(Premise { about, parts })
}

/// Names and signatures, in order.
fn actions(lines: &mut ContractLines<'_>) -> Result<Vec<(String, String)>, Malformed> {
    let mut listed = Vec::new();
    while let Some(text) = lines.at(2) {
        let called = name(lines, text)?;
        let Some(signature) = lines.at(4) else {
            return lines.fails(format!("nothing identifies `{called}`"));
        };
        listed.push((called, name(lines, signature)?));
    }
    Ok(listed)
}

/// The contract with its actions in the order of the list, which must be complete.
fn numbered(
    lines: &ContractLines<'_>,
    contract: Contract,
    names: &Names,
    listed: Vec<(String, String)>,
) -> Result<Contract, Malformed> {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut signatures: FxHashSet<&str> = FxHashSet::default();
    for (i, (name, signature)) in listed.iter().enumerate() {
        if numbers.insert(name, i).is_some() || !signatures.insert(signature) {
            return lines.fails(format!("`{name}` is listed twice"));
        }
    }
    let mut new: Vec<ActionId> = Vec::new();
    for name in &names.all {
        match numbers.get(name.as_str()) {
            Some(&number) => new.push(Id::from_index(number)),
            None => return lines.fails(format!("`{name}` is not in the list of actions")),
        }
    }
    let lts = |lts: &Lts| {
        let alphabet = lts.alphabet().iter().map(|action| new[action.index()]).collect();
        lts.relabelled(alphabet, |label| match label {
            Label::Tau => Label::Tau,
            Label::Visible(action) => Label::Visible(new[action.index()]),
        })
    };
    let about = |about: &About| match about {
        About::All => About::All,
        About::Only(actions) => About::Only(actions.iter().map(|a| new[a.index()]).collect()),
    };
    let clause = |c: &Clause| Clause { requirement: lts(&c.requirement), ..c.clone() };
    let premise = |p: &Premise| Premise { about: about(&p.about), parts: p.parts.clone() };
    let clauses = contract.clauses.iter().map(clause).collect();
    let premises = contract.premises.iter().map(premise).collect();
    let monitor = Monitor { lts: lts(&contract.monitor.lts), ..contract.monitor };
    let (actions, signatures) = listed.into_iter().unzip();
    Ok(Contract { actions, signatures, clauses, monitor, premises, ..contract })
}
