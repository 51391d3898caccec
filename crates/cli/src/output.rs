//! The result of `resy check`, as text or JSON.

use crate::args::Check;
use crate::properties::{NotChecked, Property, Verdict, reason};
use crate::unreached::Unreached;
use crate::{memory, trace, values};
use resy_engine::search::{Outcome, Replay, Search};
use resy_system::{ClaimKind, Interpreter};
use serde_json::{Map, Value, json};

/// A longer run is shown in part: so many steps of its beginning and of its end.
const BEGINNING: usize = 20;
const ENDING: usize = 60;

/// Everything there is to report.
pub struct Report<'a> {
    /// The call.
    pub check: &'a Check,
    /// The interpreter that the search ran.
    pub interpreter: &'a Interpreter<'a>,
    /// The search.
    pub search: &'a Search,
    /// The properties that were checked, with their verdicts and, for a violated
    /// one, the run that violates it.
    pub results: Vec<(Property, Verdict, Option<Vec<Replay>>)>,
    /// Those that were not.
    pub not_checked: Vec<NotChecked>,
    /// The verdict on all that was checked.
    pub total: Verdict,
    /// What the search has covered, if it has no full answer.
    pub covered: Option<String>,
    /// The statements that were never executed, if all states were seen.
    pub unreached: Option<Vec<Unreached>>,
    /// What was checked although spin would not have.
    pub beyond_spin: Option<String>,
}

impl Report<'_> {
    /// The JSON object of the contract.
    pub fn to_json(&self) -> Value {
        let not_checked: Vec<Value> =
            self.not_checked.iter().map(|n| json!({"name": n.name, "reason": n.reason})).collect();
        json!({
            "schema": "resy/1",
            "command": "check",
            "file": self.check.file.display().to_string(),
            "verdict": self.total.as_str(),
            "complete": not_checked.is_empty() && self.total != Verdict::Unknown,
            "not_checked": not_checked,
            "properties": self.results.iter().map(|r| self.property(r)).collect::<Vec<_>>(),
            "unreached": self.unreached.as_ref().map(|list| {
                list.iter().map(Unreached::to_json).collect::<Vec<_>>()
            }),
            "stats": {
                "states": self.search.states,
                "transitions": self.search.transitions,
                "depth": self.search.depth,
                "levels": self.search.n_levels,
                "seconds": self.search.elapsed.as_secs_f64(),
                "peak_bytes": memory::peak(),
                "leaves": self.search.stores.iter().map(|s| s.parts().0).sum::<usize>(),
                "nodes": self.search.stores.iter().map(|s| s.parts().1).sum::<usize>(),
            },
        })
    }

    fn property(
        &self,
        (property, verdict, run): &(Property, Verdict, Option<Vec<Replay>>),
    ) -> Value {
        let why = match verdict {
            Verdict::Unknown => Some(self.why_unknown()),
            Verdict::Fails => property.violation(self.search).map(|f| self.describe(&f.outcome)),
            Verdict::Holds => None,
        };
        json!({
            "name": property.name(),
            "kind": property.kind(),
            "verdict": verdict.as_str(),
            "engine": "monolithic",
            "reason": why,
            "counterexample": run.as_ref().map(|r| self.counterexample(property, r)),
        })
    }

    /// What stopped the search, and what it has covered.
    fn why_unknown(&self) -> String {
        let parts = reason(self.search.stopped).into_iter().chain(self.covered.as_deref());
        parts.collect::<Vec<_>>().join("; ")
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

    fn describe(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::InvalidEnd => "invalid end state".to_string(),
            Outcome::Claim(monitor) => self.describe_claim(*monitor),
            Outcome::Condition(_, kind) => format!("a condition of a claim has no value: {kind}"),
            Outcome::Violation(v) => {
                format!("{} at {}", v.kind, self.interpreter.system().location(v.source))
            }
        }
    }

    fn describe_claim(&self, monitor: usize) -> String {
        let claim = self.results.iter().find_map(|(p, ..)| match p {
            Property::Claim { name, monitor: m, .. } if *m == monitor => Some(name),
            _ => None,
        });
        let claims = &self.interpreter.system().claims;
        match claims.iter().find(|c| Some(&c.name) == claim).map(|c| &c.kind) {
            Some(ClaimKind::Ltl(formula)) => format!("the run violates {}", formula.text),
            _ => "the run does what the claim forbids".to_string(),
        }
    }

    /// Prints the result for people.
    pub fn print(&self) {
        for (property, verdict, run) in &self.results {
            println!("{:<12} {}", property.name(), verdict.as_str());
            if let Some(found) = property.violation(self.search) {
                println!("  {}", self.describe(&found.outcome));
            }
            if let Some(run) = run {
                self.print_run(property, run);
            }
        }
        for n in &self.not_checked {
            println!("{:<12} not checked: {}", n.name, n.reason);
        }
        if let Some(reason) = reason(self.search.stopped) {
            println!("search stopped: {reason}");
        }
        if let Some(covered) = &self.covered {
            println!("{covered}");
        }
        if let Some(note) = &self.beyond_spin {
            println!("note: {note}");
        }
        self.print_unreached();
        println!(
            "{}: {} states, {} transitions, depth {}, {:.2} s, {:.1} MB",
            self.total.as_str(),
            self.search.states,
            self.search.transitions,
            self.search.depth,
            self.search.elapsed.as_secs_f64(),
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
