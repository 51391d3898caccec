//! The abstraction of a program with unbounded data, for others: as Promela, and as a page.

use crate::automata::{AutomataFormat, ShownAutomata, one_text};
use maud::{DOCTYPE, PreEscaped, html};
use resy::{FactoredAbstraction, FactoredKind, FactoredVariable, Network};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What an abstraction is of.
pub struct AbstractionOf<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The property.
    pub property: &'a str,
    /// Whether the property is about infinite runs: it is not a part of the program then.
    pub is_of_infinite_runs: bool,
    /// The abstraction.
    pub found: &'a FactoredAbstraction,
}

impl AbstractionOf<'_> {
    /// The abstraction as a Promela program: one Boolean for each predicate, one `d_step` for each step, an
    /// assertion where the property may be violated.
    pub fn to_promela(&self) -> String {
        let mut text = format!(
            "/* The abstraction of {} for the property {}.\n   Every run of the program with unbounded data is a run \
             of this one, not the other way round: a violation here\n   may be none there, and where this program \
             can go on, the other may be stuck.{} */\n\n",
            comment(self.file),
            comment(self.property),
            match self.is_of_infinite_runs {
                true =>
                    "\n   The property is about infinite runs: neither it nor its fairness is said here.",
                false => "",
            }
        );
        for (number, variable) in self.found.variables.iter().enumerate() {
            let initial = match &self.found.initial[..] {
                [only] => self.value(number, self.found.states[*only][number]),
                _ => "0".to_owned(),
            };
            let (ty, name) = (self.type_of(number), self.name(number));
            let _ = writeln!(text, "{ty} {name} = {initial};\t/* {} */", comment(&variable.name));
        }
        let actors: BTreeSet<Option<&(String, usize)>> =
            self.found.steps.iter().map(|step| step.actor.as_ref()).collect();
        let is_active = self.found.initial.len() == 1;
        for &actor in &actors {
            self.process(&mut text, actor, is_active);
        }
        if !is_active {
            self.init(&mut text, &actors);
        }
        text
    }

    /// The process of an actor.
    fn process(&self, text: &mut String, actor: Option<&(String, usize)>, is_active: bool) {
        let active = if is_active { "active " } else { "" };
        let _ = write!(text, "\n{active}proctype {}()\n{{\nend:\tdo\n", process_name(actor));
        for step in self.found.steps.iter().filter(|step| step.actor.as_ref() == actor) {
            let guard: Vec<String> =
                step.guard.iter().map(|&(v, value)| self.test(v, value)).collect();
            let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" && ") };
            let changes = step.changes.iter();
            let changes =
                changes.map(|&(v, value)| format!("{} = {}", self.name(v), self.value(v, value)));
            let mut effects: Vec<String> = changes.collect();
            effects.extend(step.is_violation.then(|| "assert(false)".to_owned()));
            if effects.is_empty() {
                effects.push("skip".to_owned());
            }
            let (effects, said) = (effects.join("; "), comment(&step.text));
            let _ = writeln!(text, "\t:: d_step {{ {guard} -> {effects} }}\t/* {said} */");
        }
        text.push_str("\tod\n}\n");
    }

    /// Chooses one of several initial states, then starts the processes.
    fn init(&self, text: &mut String, actors: &BTreeSet<Option<&(String, usize)>>) {
        text.push_str("\ninit\n{\n\tatomic {\n\t\tif\n");
        for &state in &self.found.initial {
            let values = self.found.states[state].iter().enumerate();
            let all =
                values.map(|(v, &value)| format!("{} = {}", self.name(v), self.value(v, value)));
            let all: Vec<String> = all.collect();
            let all = if all.is_empty() { "skip".to_owned() } else { all.join("; ") };
            let _ = writeln!(text, "\t\t:: {all}");
        }
        text.push_str("\t\tfi;\n");
        for &actor in actors {
            let _ = writeln!(text, "\t\trun {}();", process_name(actor));
        }
        text.push_str("\t\tskip\n\t}\n}\n");
    }

    fn variable(&self, number: usize) -> &FactoredVariable {
        &self.found.variables[number]
    }

    /// The numbers that a variable's values are, if all are.
    fn numbers(&self, number: usize) -> Option<Vec<i32>> {
        self.variable(number).values.iter().map(|value| value.parse().ok()).collect()
    }

    fn type_of(&self, number: usize) -> &'static str {
        if self.variable(number).kind == FactoredKind::Predicate {
            return "bool";
        }
        let all = self.numbers(number).unwrap_or_default();
        match (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0)) {
            (0.., ..=255) if self.variable(number).values.len() <= 256 => "byte",
            _ => "int",
        }
    }

    fn value(&self, number: usize, value: usize) -> String {
        match self.numbers(number) {
            Some(numbers) => numbers[value].to_string(),
            None => value.to_string(),
        }
    }

    fn test(&self, number: usize, value: usize) -> String {
        let name = self.name(number);
        match (self.variable(number).kind, value) {
            (FactoredKind::Predicate, 0) => format!("!{name}"),
            (FactoredKind::Predicate, _) => name,
            _ => format!("{name} == {}", self.value(number, value)),
        }
    }

    /// The name of a variable: predicates and others are numbered, so that no two names are equal.
    fn name(&self, number: usize) -> String {
        let variable = self.variable(number);
        match variable.kind {
            FactoredKind::Predicate => format!("b{number}"),
            FactoredKind::Location => format!("at{number}_{}", word(&variable.name)),
            _ => format!("v{number}_{}", word(&variable.name)),
        }
    }

    /// A page with the predicates, a picture of the graph, and its states.
    pub fn to_html(&self, graph: &Network) -> String {
        let shown = ShownAutomata { network: graph, marks: &[] };
        let picture = one_text(shown, AutomataFormat::Svg, "i").unwrap_or_default();
        let is_predicate = |v: &&FactoredVariable| v.kind == FactoredKind::Predicate;
        let predicates: Vec<&FactoredVariable> =
            self.found.variables.iter().filter(is_predicate).collect();
        let title = format!("Abstraction of {} for {}", self.file, self.property);
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(include_str!("report/page.css"))) }
                }
                body {
                    main {
                        h1 { (title) }
                        p {
                            (self.found.states.len()) " abstract states, " (self.found.transitions.len())
                            " transitions. Every run of the program with unbounded data is a path here; a path here need not be a run."
                        }
                        h2 { "Predicates" }
                        ul {
                            @for predicate in &predicates {
                                li { code { "/*@ predicate " (predicate.name) " */" } }
                            }
                        }
                        h2 { "Graph" }
                        (PreEscaped(picture))
                        h2 { "States" }
                        table {
                            thead { tr { th { "state" } th { "values" } } }
                            tbody {
                                @for (number, state) in self.found.states.iter().enumerate() {
                                    tr { td { (number) } td { (resy::abstract_state_name(self.found, state)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
        .into_string()
    }
}

fn process_name(actor: Option<&(String, usize)>) -> String {
    match actor {
        Some((name, pid)) => format!("{}_{pid}", word(name)),
        None => "time".to_owned(),
    }
}

/// A word of letters, digits and underscores.
fn word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect::<String>().trim_matches('_').to_owned()
}

/// A text that does not end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}
