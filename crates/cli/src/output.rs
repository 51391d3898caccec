//! The result of `resy check`, as text or JSON.

use crate::args::Check;
use crate::properties::{NotChecked, Property, Verdict, reason};
use crate::{memory, trace};
use resy_engine::search::{Outcome, Replay, Search};
use resy_system::Interpreter;
use serde_json::{Value, json};

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
            "counterexample": run.as_ref().map(|r| trace::to_json(self.interpreter, r)),
        })
    }

    /// What stopped the search, and what it has covered.
    fn why_unknown(&self) -> String {
        let parts = reason(self.search.stopped).into_iter().chain(self.covered.as_deref());
        parts.collect::<Vec<_>>().join("; ")
    }

    fn describe(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::InvalidEnd => "invalid end state".to_string(),
            Outcome::Claim(_) => "the run violates the claim".to_string(),
            Outcome::Condition(_, kind) => format!("a condition of a claim has no value: {kind}"),
            Outcome::Violation(v) => {
                format!("{} at {}", v.kind, self.interpreter.system().location(v.source))
            }
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
                self.print_run(run);
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

    fn print_run(&self, run: &[Replay]) {
        for (i, r) in run.iter().enumerate() {
            println!("  {:>4} {}", i + 1, trace::step_line(self.interpreter, &r.before, &r.step));
            for line in r.step.output.lines() {
                println!("         > {line}");
            }
        }
        let after = run.last().and_then(|r| r.step.next.as_ref().map(|(s, _)| s));
        if let Some(state) = after {
            println!("  final state:");
            for line in trace::state_lines(self.interpreter.system(), state) {
                println!("       {line}");
            }
        }
    }
}
