//! The result of `resy check`, as text or JSON.

use crate::args::Check;
use crate::properties::{NotChecked, Property, Verdict};
use crate::unreached::Unreached;
use crate::{memory, trace, values};
use resy_engine::search::Replay;
use resy_system::Interpreter;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A longer run is shown in part: so many steps of its beginning and of its end.
const BEGINNING: usize = 20;
const ENDING: usize = 60;

/// Everything there is to report.
pub struct Report<'a> {
    /// The call.
    pub check: &'a Check,
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
        let run = answer.run.as_ref();
        json!({
            "name": answer.property.name(),
            "kind": answer.property.kind(),
            "verdict": answer.verdict.as_str(),
            "engine": answer.engine,
            "reason": answer.reason,
            "counterexample": run.map(|r| self.counterexample(&answer.property, r)),
        })
    }

    fn counterexample(&self, property: &Property, run: &[Replay]) -> Value {
        let system = self.interpreter.system();
        let mut example = json!({ "steps": trace::to_json(self.interpreter, run) });
        let Some(state) = trace::last_state(self.interpreter, run) else { return example };
        let values = values::all(system, &state);
        example["state"] = values.into_iter().collect::<Map<_, _>>().into();
        if *property == Property::EndStates {
            let process = |s: trace::Standing| {
                json!({
                    "pid": s.pid,
                    "process": s.process,
                    "location": s.location,
                    "statements": s.statements,
                })
            };
            let stuck = trace::stuck(system, &state).into_iter().map(process);
            example["stuck"] = stuck.collect();
        }
        example
    }

    /// Prints the result for people.
    pub fn print(&self) {
        for answer in &self.answers {
            println!("{:<12} {}", answer.property.name(), answer.verdict.as_str());
            if let Some(reason) = answer.reason.as_ref().filter(|_| answer.run.is_some()) {
                println!("  {reason}");
            }
            if let Some(run) = &answer.run {
                self.print_run(&answer.property, run);
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

    fn print_run(&self, property: &Property, run: &[Replay]) {
        let whole = self.check.common.verbose || run.len() <= BEGINNING + ENDING;
        let hidden = if whole { 0..0 } else { BEGINNING..run.len() - ENDING };
        for (i, r) in run.iter().enumerate() {
            if i == hidden.start && !hidden.is_empty() {
                println!("   ... {} steps are left out; -v shows them ...", hidden.len());
            }
            if hidden.contains(&i) {
                continue;
            }
            println!("  {:>4} {}", i + 1, trace::step_line(self.interpreter, &r.before, &r.step));
            for line in r.step.output.lines() {
                println!("         > {line}");
            }
        }
        let Some(state) = trace::last_state(self.interpreter, run) else { return };
        let system = self.interpreter.system();
        if *property == Property::EndStates {
            for s in trace::stuck(system, &state) {
                let name = values::process_name(system, &state, s.pid);
                println!("  {name} is stuck at {}: {}", s.location, s.statements.join(" | "));
            }
        }
        let failed = run.last().is_some_and(|r| r.step.next.is_none());
        println!("  {}:", if failed { "state before the last step" } else { "final state" });
        for line in trace::state_lines(system, &state) {
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
