//! A requirement and what is known of the property, as text and JSON.

use super::{assumption, object};
use crate::requirement::Described;
use crate::run::{run_of, step_names, steps_json};
use resy::assume::{Assumed, Canonicity, PropertyStatus, Synthesis};
use resy::control::memory;
use resy::counted;
use serde_json::{Value, json};

/// The JSON object of the requirements of all processes, each as if it had been asked for alone.
pub fn all_json(file: &str, requirements: Vec<Value>) -> Value {
    object("assume", file, json!({ "requirements": requirements }))
}

/// A requirement of a file, to be shown.
pub struct AssumeView<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// What is called the property.
    pub property: &'a str,
    /// The method.
    pub method: Synthesis,
    /// Whether the requirement was minimised.
    pub minimized: bool,
    /// The result.
    pub assumed: &'a Assumed<'a>,
}

impl AssumeView<'_> {
    /// What is said about a requirement beside the requirement itself; the same in every run.
    pub fn facts(&self) -> Vec<(String, String)> {
        let Assumed { problem, standing, is_interrupted, .. } = self.assumed;
        let (lts, module) = (self.assumed.shown_lts(), &problem.split.module.lts);
        let is_by_steps = matches!(self.method, Synthesis::Refine | Synthesis::Exact);
        let kind = match (self.assumed.canonicity, self.assumed.quality) {
            _ if self.method.is_about_interface() => self.about_assumption(),
            (Canonicity::Canonical, _) => "canonical",
            (Canonicity::AmongReachable, _) => "canonical among reachable states",
            (Canonicity::Unknown, _) if is_by_steps && *is_interrupted => {
                "sound; it was interrupted before it was canonical"
            }
            (Canonicity::Unknown, _) if is_by_steps => "minimised",
            (Canonicity::Unknown, Some(quality)) => quality.about(),
            (Canonicity::Unknown, None) => "one state would do, because the property fails",
        };
        let states = counted(lts.n_states(), "state");
        let transitions = counted(lts.n_transitions(), "transition");
        let facts = [
            ("property", format!("{}: {}", self.property, standing.as_str())),
            (
                "module",
                format!(
                    "{}: {}",
                    problem.names(true).join(", "),
                    counted(module.n_states(), "state")
                ),
            ),
            ("environment", problem.names(false).join(", ")),
            ("requirement", format!("{states}, {transitions} ({kind})")),
        ];
        let facts = facts.map(|(what, value)| (what.to_owned(), value));
        let assumption = self.assumed.assumption.as_ref();
        let about = assumption.map(|assumption| assumption::facts(self.assumed, assumption));
        facts.into_iter().chain(about.into_iter().flatten()).collect()
    }

    /// What an assumption about the interface is.
    fn about_assumption(&self) -> &'static str {
        match (&self.assumed.assumption, &self.assumed.standing) {
            (_, PropertyStatus::Fails(_)) => "one state would do, because the property fails",
            (None, _) => "sound but undecided",
            (Some(assumption), _) if assumption.is_weakest => {
                "weakest: it permits all that the environment can bear"
            }
            (Some(_), _) if self.method == Synthesis::Weakest => {
                "there are too many sets of contexts: it permits what the module does"
            }
            (Some(_), _) if self.method == Synthesis::Agar => "an image of the module",
            (Some(assumption), _) if self.method == Synthesis::Compact => {
                match assumption.words.is_some() {
                    true => "compact: a deterministic automaton, smaller than every image found",
                    false => "compact: an image of the module",
                }
            }
            (Some(assumption), _) if assumption.is_smallest() => {
                "separating: no deterministic assumption over these actions has fewer states"
            }
            (Some(_), _) => "learned",
        }
    }

    /// The result for people; the requirement itself if it is described.
    pub fn to_text(&self, described: Option<&Described>, columns: usize) -> String {
        let mut lines: Vec<String> =
            self.facts().iter().map(|(what, value)| format!("{what:<12} {value}")).collect();
        let seconds = self.assumed.elapsed.as_secs_f64();
        match self.method {
            Synthesis::Auto
            | Synthesis::Fold
            | Synthesis::Weakest
            | Synthesis::Learn
            | Synthesis::Separating
            | Synthesis::Agar
            | Synthesis::Compact => {
                lines.push(format!("found by     {}, {seconds:.3} s", self.assumed.method))
            }
            Synthesis::Refine => {
                lines.push(format!("refinements  {}, {seconds:.3} s", self.assumed.steps));
            }
            Synthesis::Exact => {}
        }
        if self.assumed.is_spurious() {
            let words = "the network has a run that violates the property, the program has not";
            lines.push(words.to_owned());
        }
        let mut text: String = lines.into_iter().map(|line| line + "\n").collect();
        if let PropertyStatus::Fails(counterexample) = &self.assumed.standing {
            for step in step_names(counterexample) {
                text += &format!("  {step}\n");
            }
            if let Some(run) = run_of(self.assumed.problem.model, counterexample) {
                text += &format!("{}: {}\n", run.why.property, run.why.reason);
                text += &run.table(columns);
            }
        }
        if let Some(described) = described {
            text += &format!("\n{}", described.to_text());
            let words = described.to_words();
            if !words.is_empty() {
                text += "\nIn words:\n";
                words.iter().for_each(|sentence| text += &format!("    {sentence}\n"));
            }
        }
        text
    }

    /// The JSON object of the contract.
    pub fn to_json(&self) -> Value {
        let Assumed { problem, requirement, standing, .. } = self.assumed;
        let lts = self.assumed.shown_lts();
        let about = |a| assumption::to_json(self.assumed, a);
        let components = problem.network.components.iter();
        let components = components.map(|c| json!({ "name": c.name, "states": c.lts.n_states() }));
        let own = json!({
            "module": problem.names(true),
            "environment": problem.names(false),
            "property": self.property,
            "verdict": standing.as_str(),
            "interrupted": self.assumed.is_interrupted,
            "counterexample": self.counterexample(),
            "components": components.collect::<Vec<_>>(),
            "module_states": problem.split.module.lts.n_states(),
            "environment_states": problem.environment_states(),
            "requirement_states": lts.n_states(),
            "requirement_transitions": lts.n_transitions(),
            "quality": self.assumed.quality.map(|quality| quality.as_str()),
            "canonical": self.assumed.canonicity == Canonicity::Canonical,
            "image_states": requirement.lts().n_states(),
            "assumption": self.assumed.assumption.as_ref().map(about),
            "refinements": self.assumed.steps,
            "method": self.assumed.method,
            "minimized": self.minimized,
            "seconds": self.assumed.elapsed.as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        object("assume", self.file, own)
    }

    fn counterexample(&self) -> Value {
        match &self.assumed.standing {
            PropertyStatus::Fails(run) => {
                let steps = steps_json(self.assumed.problem.model, run);
                json!({ "steps": steps, "canonical": run.is_canonical() })
            }
            _ => Value::Null,
        }
    }

    /// One row for each refinement that was recorded.
    pub fn to_csv(&self) -> String {
        let rows = self.assumed.trace.iter().map(|row| {
            let seconds = row.elapsed.as_secs_f64();
            format!("{},{},{},{seconds:.6}\n", row.step, row.n_classes, row.n_states)
        });
        std::iter::once("step,classes,requirement,elapsed\n".to_owned()).chain(rows).collect()
    }
}
