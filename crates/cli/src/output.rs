//! The result of `resy check`, as text or JSON.

use crate::args::Check;
use crate::program::Program;
use crate::properties::{NotChecked, Property, Verdict};
use crate::unreached::Unreached;
use crate::{memory, show, trace};
use resy_engine::search::Replay;
use resy_export::report::PageSection;
use resy_export::requirement::Described;
use resy_export::run::{Run, Standing, process_name, values_of};
use resy_system::Interpreter;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Everything there is to report.
pub struct Report<'a> {
    /// The call.
    pub check: &'a Check,
    /// All texts that were read.
    pub program: &'a Program,
    /// The reference semantics of the model.
    pub interpreter: &'a Interpreter<'a>,
    /// What was found of each property.
    pub answers: Vec<Answer>,
    /// Those that were not checked.
    pub not_checked: &'a [NotChecked],
    /// The verdict on all that was checked.
    pub total: Verdict,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// The statements that were never executed, if all states were seen.
    pub unreached: Option<Vec<Unreached>>,
    /// What it took.
    pub stats: Stats,
    /// What was looked at, in a sentence.
    pub seen: &'static str,
    /// The components, if the model was cut into some.
    pub parts: Option<PageSection>,
    /// The requirement of the module, if there is one.
    pub requirement: Option<Described>,
}

/// What was found of a property.
pub struct Answer {
    /// The property.
    pub property: Property,
    /// The verdict.
    pub verdict: Verdict,
    /// Who says so.
    pub engine: &'static str,
    /// What is wrong, or why it is not known.
    pub reason: Option<String>,
    /// The run that violates it.
    pub run: Option<Vec<Replay>>,
}

/// What a verdict took.
pub struct Stats {
    /// States, of the system or of an abstraction.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// The largest distance from the initial state.
    pub depth: u64,
    /// The time.
    pub elapsed: Duration,
    /// What only this engine can tell.
    pub more: Vec<(&'static str, Value)>,
}

impl Report<'_> {
    /// The JSON object of the contract.
    pub fn to_json(&self) -> Value {
        let not_checked: Vec<Value> =
            self.not_checked.iter().map(|n| json!({"name": n.name, "reason": n.reason})).collect();
        let mut stats = json!({
            "states": self.stats.states,
            "transitions": self.stats.transitions,
            "depth": self.stats.depth,
            "seconds": self.stats.elapsed.as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        for (name, value) in &self.stats.more {
            stats[*name] = value.clone();
        }
        json!({
            "schema": "resy/1",
            "command": "check",
            "file": self.check.file.display().to_string(),
            "verdict": self.total.as_str(),
            "complete": not_checked.is_empty() && self.total != Verdict::Unknown,
            "not_checked": not_checked,
            "properties": self.answers.iter().map(|a| self.property(a)).collect::<Vec<_>>(),
            "unreached": self.unreached.as_ref().map(|list| {
                list.iter().map(Unreached::to_json).collect::<Vec<_>>()
            }),
            "stats": stats,
        })
    }

    fn property(&self, answer: &Answer) -> Value {
        json!({
            "name": answer.property.name(),
            "kind": answer.property.kind(),
            "verdict": answer.verdict.as_str(),
            "engine": answer.engine,
            "reason": answer.reason,
            "counterexample": self.run(answer).map(|run| counterexample(&run)),
        })
    }

    /// The run that violates a property.
    pub fn run<'b>(&'b self, answer: &'b Answer) -> Option<Run<'b>> {
        let reason = answer.reason.as_deref().unwrap_or_default();
        trace::run_of(self.interpreter, answer.run.as_ref()?, &answer.property, reason)
    }

    /// Prints the result for people.
    pub fn print(&self) {
        for answer in &self.answers {
            println!("{:<12} {}", answer.property.name(), answer.verdict.as_str());
            if let Some(reason) = answer.reason.as_ref().filter(|_| answer.run.is_some()) {
                println!("  {reason}");
            }
            if let Some(run) = self.run(answer) {
                self.print_run(&run);
            }
        }
        for n in self.not_checked {
            println!("{:<12} not checked: {}", n.name, n.reason);
        }
        self.notes.iter().for_each(|note| println!("{note}"));
        self.print_unreached();
        println!(
            "{}: {} states, {} transitions, depth {}, {:.2} s, {:.1} MB",
            self.total.as_str(),
            self.stats.states,
            self.stats.transitions,
            self.stats.depth,
            self.stats.elapsed.as_secs_f64(),
            memory::peak() as f64 / 1e6,
        );
    }

    fn print_run(&self, run: &Run<'_>) {
        match self.check.chart {
            Some(None) => {
                print!("{}", show::chart(self.check, run).to_text(&show::glyphs()));
            }
            _ => trace::print_table(run, self.check.common.verbose),
        }
        let state = run.last_state();
        for s in stuck(run) {
            let name = process_name(run.system, state, s.pid);
            println!("  {name} is stuck at {}: {}", location(run, &s), s.statements.join(" | "));
        }
        let which = if run.is_wrecked() { "state before the last step" } else { "final state" };
        println!("  {which}:");
        for line in trace::state_lines(run.system, state) {
            println!("       {line}");
        }
    }

    fn print_unreached(&self) {
        let Some(unreached) = &self.unreached else { return };
        if self.check.common.verbose {
            for u in unreached {
                println!("unreached in {}: {}: {}", u.process, u.location, u.statement);
            }
            return;
        }
        match unreached.iter().filter(|u| !u.is_end()).count() {
            0 => {}
            1 => println!("1 statement is never executed; -v shows it"),
            n => println!("{n} statements are never executed; -v lists them"),
        }
    }
}

fn counterexample(run: &Run<'_>) -> Value {
    let values = values_of(run.system, run.last_state());
    let mut example = json!({
        "steps": run.to_json(),
        "state": values.into_iter().collect::<Map<_, _>>(),
    });
    if run.why.kind == Property::EndStates.kind() {
        let process = |s: Standing| {
            json!({
                "pid": s.pid,
                "process": s.process,
                "location": location(run, &s),
                "statements": s.statements,
            })
        };
        example["stuck"] = run.stuck().into_iter().map(process).collect();
    }
    example
}

/// Who is stuck where, if that is what is wrong.
fn stuck(run: &Run<'_>) -> Vec<Standing> {
    if run.why.kind == Property::EndStates.kind() { run.stuck() } else { Vec::new() }
}

fn location(run: &Run<'_>, standing: &Standing) -> String {
    match standing.place.line {
        0 => "-".to_owned(),
        _ => run.system.location(standing.place),
    }
}
