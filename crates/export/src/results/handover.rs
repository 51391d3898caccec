//! What spin has found with a requirement in the module's place, as text and JSON.

use super::object;
use crate::run::{Run, run_of};
use crate::spin::{self, HandedOver, Sizes};
use resy::control::memory;
use resy::{Counterexample, Model, Property, Truth, counted};
use serde_json::{Value, json};
use std::time::Duration;

/// What was found of a file, to be shown.
pub struct HandoverView<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The names of the module.
    pub module: &'a [String],
    /// The model.
    pub model: &'a Model,
    /// What was found, by groups of properties.
    pub answers: &'a [HandedOver],
    /// The time.
    pub elapsed: Duration,
}

impl HandoverView<'_> {
    /// The verdict on all properties.
    pub fn total(&self) -> Truth {
        Truth::of_all(self.answers.iter().map(|answer| answer.truth))
    }

    /// The first run that violates a property.
    pub fn first_run(&self) -> Option<Run<'_>> {
        let found = self.answers.iter().find_map(|answer| answer.counterexample.as_ref());
        run_of(self.model, found?)
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let not_checked = self.model.selection.not_checked.iter();
        let not_checked: Vec<Value> =
            not_checked.map(|n| json!({ "name": n.name, "reason": n.reason })).collect();
        let properties = self.answers.iter().flat_map(|answer| {
            answer.properties.iter().map(move |property| self.property(answer, property))
        });
        let own = json!({
            "module": self.module,
            "verdict": self.total().as_str(),
            "complete": not_checked.is_empty() && self.total() != Truth::Unknown,
            "not_checked": not_checked,
            "properties": properties.collect::<Vec<_>>(),
            "stats": {
                "seconds": self.elapsed.as_secs_f64(),
                "peak_bytes": memory::peak(),
            },
        });
        object("spin", self.file, own)
    }

    fn property(&self, answer: &HandedOver, property: &Property) -> Value {
        let truth = answer.truth_of(property);
        let run = answer.counterexample.as_ref().filter(|_| truth == Truth::Fails);
        let steps = |run: &Counterexample| {
            let steps = run_of(self.model, run).map(|run| run.to_json());
            json!({ "steps": steps, "canonical": run.is_canonical() })
        };
        json!({
            "name": property.name(),
            "kind": property.kind(),
            "verdict": truth.as_str(),
            "decided_by": if answer.decided { "requirement" } else { "spin" },
            "reason": answer.reason,
            "kept": answer.kept,
            "module_states": answer.sizes.as_ref().map(|sizes| sizes.module_states),
            "requirement_states": answer.sizes.as_ref().map(|sizes| sizes.requirement_states),
            "refinements": answer.sizes.as_ref().map(|sizes| sizes.refinements),
            "before": answer.before.as_ref().map(run_json),
            "after": answer.after.as_ref().map(run_json),
            "folder": answer.folder.as_ref().map(|folder| folder.display().to_string()),
            "counterexample": run.map(steps),
        })
    }

    /// The result for people.
    pub fn to_text(&self, verbose: bool, columns: usize) -> String {
        let mut text: String =
            self.answers.iter().map(|answer| self.answer_text(answer, verbose, columns)).collect();
        if self.answers.iter().any(|answer| answer.after.is_some()) {
            text += "invalid end states were not checked\n";
        }
        text + &format!("{}: {:.2} s\n", self.total().as_str(), self.elapsed.as_secs_f64())
    }

    fn answer_text(&self, answer: &HandedOver, verbose: bool, columns: usize) -> String {
        let verdicts = answer.properties.iter().map(|property| {
            format!("{:<12} {}", property.name(), answer.truth_of(property).as_str())
        });
        let mut lines: Vec<String> = verdicts.collect();
        if let Some(Sizes { module_states, requirement_states, refinements }) = &answer.sizes {
            lines.push(format!(
                "  requirement  {} of {module_states}, {}",
                counted(requirement_states, "state"),
                counted(refinements, "refinement"),
            ));
        }
        if answer.decided {
            let words = "  the property was decided on the way; --always asks spin all the same";
            lines.push(words.to_owned());
        }
        lines
            .extend(answer.kept.iter().map(|why| format!("  the module was kept as it is: {why}")));
        for (name, run) in [("before", &answer.before), ("after", &answer.after)] {
            lines.extend(run.iter().map(|run| format!("  {name:<12} {}", run_line(run))));
        }
        if let Some(folder) = &answer.folder {
            let model = folder.join("model.pml");
            lines.push(format!("  {:<12} {}", "generated", model.display()));
        }
        lines.extend(answer.reason.iter().map(|reason| format!("  {reason}")));
        let run = answer.counterexample.as_ref().and_then(|run| run_of(self.model, run));
        let table = run.map(|run| if verbose { run.whole_table() } else { run.table(columns) });
        let lines: String = lines.into_iter().map(|line| line + "\n").collect();
        lines + &table.unwrap_or_default()
    }
}

fn run_line(run: &spin::SpinRun) -> String {
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

fn run_json(run: &spin::SpinRun) -> Value {
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
