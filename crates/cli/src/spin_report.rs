//! The result of `resy spin`, as text or JSON.

use crate::args::Spin;
use crate::confirm::Violation;
use crate::model::Model;
use crate::properties::{Property, Verdict};
use crate::{memory, trace};
use resy_export::run;
use resy_export::spin::SpinRun;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Everything there is to report.
pub struct Report<'a> {
    /// The call.
    pub call: &'a Spin,
    /// The model.
    pub model: &'a Model,
    /// What was found, by groups of properties.
    pub answers: Vec<Answer>,
    /// The verdict on all.
    pub verdict: Verdict,
    /// How long it took.
    pub elapsed: Duration,
}

/// What was found of properties that are checked together.
pub struct Answer {
    /// The properties.
    pub properties: Vec<Property>,
    /// The verdict on all of them.
    pub verdict: Verdict,
    /// What is wrong, or why it is not known.
    pub reason: Option<String>,
    /// The run that violates one of them.
    pub violation: Option<Violation>,
    /// Whether the refinement has decided, and spin was not asked.
    pub decided: bool,
    /// Why the module was kept as it is.
    pub kept: Option<String>,
    /// The sizes of module and requirement.
    pub sizes: Option<Sizes>,
    /// What spin needed for the model as it is.
    pub before: Option<SpinRun>,
    /// What it needed for the model that it was given.
    pub after: Option<SpinRun>,
    /// Where the generated model is.
    pub folder: Option<PathBuf>,
}

/// The sizes of a module and of its requirement.
pub struct Sizes {
    /// States of the module.
    pub module_states: usize,
    /// States of the requirement.
    pub requirement_states: usize,
    /// How many refinements were made.
    pub refinements: usize,
}

impl Answer {
    /// Nothing is known yet.
    pub fn new(properties: Vec<Property>) -> Self {
        Self {
            properties,
            verdict: Verdict::Unknown,
            reason: None,
            violation: None,
            decided: false,
            kept: None,
            sizes: None,
            before: None,
            after: None,
            folder: None,
        }
    }

    /// The verdict on one of the properties: of those that fail together one is known to.
    fn verdict_on(&self, property: &Property) -> Verdict {
        match &self.violation {
            Some(violation) if violation.property != *property => Verdict::Unknown,
            _ => self.verdict,
        }
    }

    fn decided_by(&self) -> &'static str {
        if self.decided { "requirement" } else { "spin" }
    }
}

impl Report<'_> {
    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let not_checked = self.model.selection.not_checked.iter();
        let not_checked: Vec<Value> =
            not_checked.map(|n| json!({ "name": n.name, "reason": n.reason })).collect();
        let properties = self.answers.iter().flat_map(|answer| {
            answer.properties.iter().map(move |property| self.property(answer, property))
        });
        json!({
            "schema": "resy/1",
            "command": "spin",
            "file": self.call.file.display().to_string(),
            "module": self.call.module,
            "verdict": self.verdict.as_str(),
            "complete": not_checked.is_empty() && self.verdict != Verdict::Unknown,
            "not_checked": not_checked,
            "properties": properties.collect::<Vec<_>>(),
            "stats": {
                "seconds": self.elapsed.as_secs_f64(),
                "peak_bytes": memory::peak(),
            },
        })
    }

    fn property(&self, answer: &Answer, property: &Property) -> Value {
        let verdict = answer.verdict_on(property);
        let steps = answer
            .violation
            .as_ref()
            .filter(|_| verdict == Verdict::Fails)
            .map(|v| json!({ "steps": self.run(v).map(|run| run.to_json()) }));
        json!({
            "name": property.name(),
            "kind": property.kind(),
            "verdict": verdict.as_str(),
            "decided_by": answer.decided_by(),
            "reason": answer.reason,
            "kept": answer.kept,
            "module_states": answer.sizes.as_ref().map(|sizes| sizes.module_states),
            "requirement_states": answer.sizes.as_ref().map(|sizes| sizes.requirement_states),
            "refinements": answer.sizes.as_ref().map(|sizes| sizes.refinements),
            "before": answer.before.as_ref().map(run_to_json),
            "after": answer.after.as_ref().map(run_to_json),
            "folder": answer.folder.as_ref().map(|folder| folder.display().to_string()),
            "counterexample": steps,
        })
    }

    /// Prints the result for people.
    pub fn print(&self) {
        for answer in &self.answers {
            self.print_answer(answer);
        }
        if self.answers.iter().any(|answer| answer.after.is_some()) {
            println!("invalid end states were not checked");
        }
        println!("{}: {:.2} s", self.verdict.as_str(), self.elapsed.as_secs_f64());
    }

    fn print_answer(&self, answer: &Answer) {
        for property in &answer.properties {
            println!("{:<12} {}", property.name(), answer.verdict_on(property).as_str());
        }
        if let Some(Sizes { module_states, requirement_states, refinements }) = &answer.sizes {
            println!(
                "  requirement  {requirement_states} states of {module_states}, \
                 {refinements} refinements"
            );
        }
        if answer.decided {
            println!("  the property was decided on the way; --always asks spin all the same");
        }
        if let Some(why) = &answer.kept {
            println!("  the module was kept as it is: {why}");
        }
        for (name, run) in [("before", &answer.before), ("after", &answer.after)] {
            if let Some(run) = run {
                println!("  {name:<12} {}", run_line(run));
            }
        }
        if let Some(folder) = &answer.folder {
            println!("  {:<12} {}", "generated", folder.join("model.pml").display());
        }
        if let Some(reason) = &answer.reason {
            println!("  {reason}");
        }
        let Some(violation) = &answer.violation else { return };
        let run = self.run(violation);
        run.iter().for_each(|run| trace::print_table(run, self.call.common.verbose));
    }

    /// The run of a violation, ready to be shown.
    pub fn run<'b>(&'b self, violation: &'b Violation) -> Option<run::Run<'b>> {
        let interpreter = self.model.interpreter();
        let reason = violation.property.describe(&self.model.system, &violation.outcome);
        trace::run_of(&interpreter, &violation.run, &violation.property, &reason)
    }
}

fn run_line(run: &SpinRun) -> String {
    let more = if run.report.complete { "" } else { " or more" };
    format!(
        "{} states{more}, {} transitions; generated in {:.2} s, compiled in {:.2} s, searched in {:.2} s",
        run.report.states,
        run.report.transitions,
        run.generate.as_secs_f64(),
        run.compile.as_secs_f64(),
        run.search.as_secs_f64(),
    )
}

fn run_to_json(run: &SpinRun) -> Value {
    json!({
        "states": run.report.states,
        "transitions": run.report.transitions,
        "depth": run.report.depth,
        "errors": run.report.errors,
        "error": run.report.error,
        "complete": run.report.complete,
        "generate_seconds": run.generate.as_secs_f64(),
        "compile_seconds": run.compile.as_secs_f64(),
        "search_seconds": run.search.as_secs_f64(),
    })
}
