//! The verdicts on a program with unbounded data, as text and JSON.

use super::object;
use resy::control::memory;
use resy::{AbstractAnswer, AbstractReport, DataRun, DataStep, DataVerdict, ShownPredicate, Truth};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A report on a program with unbounded data, to be shown.
pub struct AbstractView<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The report.
    pub report: &'a AbstractReport,
}

/// What the verdicts are about, for people who know spin.
const CAVEAT: &str = "the program in which these variables are unbounded is not the one that spin \
                      runs, where an `int` wraps";

impl AbstractView<'_> {
    /// The JSON object.
    pub fn to_json(&self) -> Value {
        let report = self.report;
        let pairs = report.not_checked.iter();
        let not_checked: Vec<Value> =
            pairs.map(|n| json!({"name": n.name, "reason": n.reason})).collect();
        let is_decided = |a: &AbstractAnswer| a.verdict.truth() != Truth::Unknown;
        let complete = not_checked.is_empty() && report.answers.iter().all(is_decided);
        let answers = || report.answers.iter();
        let own = json!({
            "verdict": report.total.as_str(),
            "complete": complete,
            "unbounded": report.unbounded,
            "wrapping": report.wrapping,
            "assumed": report.assumed,
            "solver": report.solver,
            "queries": answers().map(|a| a.queries).sum::<u64>(),
            "refinements": answers().map(|a| a.refinements).sum::<usize>(),
            "not_checked": not_checked,
            "certificate": self.certificate(),
            "properties": answers().map(|a| self.property(a)).collect::<Vec<_>>(),
            "stats": {
                "states": answers().map(|a| a.states).sum::<usize>(),
                "transitions": answers().map(|a| a.transitions).sum::<usize>(),
                "seconds": report.elapsed.as_secs_f64(),
                "peak_bytes": memory::peak(),
            },
        });
        object("abstract", self.file, own)
    }

    fn certificate(&self) -> Option<Value> {
        let (covers, does_not_cover) = self.report.certified();
        let made = self.report.certificate()?;
        Some(match made {
            Ok(_) => json!({"covers": covers, "does_not_cover": does_not_cover}),
            Err(why) => json!({"reason": why}),
        })
    }

    fn property(&self, answer: &AbstractAnswer) -> Value {
        let (reason, path, run) = match &answer.verdict {
            DataVerdict::Holds => (None, &[][..], None),
            DataVerdict::Fails(run) => (Some(run.what.as_str()), &[][..], Some(run)),
            DataVerdict::Unknown(reason, path) => (Some(reason.as_str()), &path[..], None),
        };
        let predicates: Vec<Value> = answer
            .predicates
            .iter()
            .map(|p| json!({"text": p.text, "source": p.source, "annotation": p.is_condition}))
            .collect();
        json!({
            "name": answer.property.name(),
            "kind": answer.property.kind(),
            "verdict": answer.verdict.truth().as_str(),
            "engine": "abstract",
            "reason": reason,
            "path": path,
            "counterexample": run.map(|run| self.run_json(run)),
            "predicates": predicates,
            "refinements": answer.refinements,
            "queries": answer.queries,
            "states": answer.states,
            "transitions": answer.transitions,
            "small_states": answer.small_states,
            "fairness": answer.fairness,
            "ranks": answer.ranks,
        })
    }

    fn run_json(&self, run: &DataRun) -> Value {
        let values = |list: &[(String, String)]| -> Value {
            let pairs = list.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let step = |step: &DataStep| {
            json!({
                "process": step.process.as_ref().map(|(name, pid)| format!("{name}[{pid}]")),
                "statement": step.text,
                "line": step.source.line,
                "changed": values(&step.changed),
            })
        };
        json!({
            "start": values(&run.start),
            "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
            "loop_start": run.loop_start,
            "is_run_of_program": run.is_run_of_program,
        })
    }

    /// The verdicts for people.
    pub fn to_text(&self, verbose: bool) -> String {
        let (report, mut text) = (self.report, String::new());
        for answer in &report.answers {
            self.answer(&mut text, answer, verbose);
        }
        for n in &report.not_checked {
            line(&mut text, format_args!("{:<12} not checked: {}", n.name, n.reason));
        }
        for words in self.scope() {
            line(&mut text, format_args!("{words}"));
        }
        let solver = match &*report.solver {
            "embedded" => "the embedded solver",
            other => other,
        };
        let total = |part: fn(&AbstractAnswer) -> u64| report.answers.iter().map(part).sum::<u64>();
        line(
            &mut text,
            format_args!(
                "{} (unbounded): {}, {}, {} to {}, {:.2} s",
                report.total.as_str(),
                counted(total(|a| a.states as u64), "abstract state", "abstract states"),
                counted(total(|a| a.refinements as u64), "refinement", "refinements"),
                counted(total(|a| a.queries), "query", "queries"),
                solver,
                report.elapsed.as_secs_f64(),
            ),
        );
        text
    }

    /// What the verdicts are about: which variables are unbounded, and what is assumed.
    pub(crate) fn scope(&self) -> Vec<String> {
        let report = self.report;
        let unbounded = (!report.unbounded.is_empty())
            .then(|| format!("unbounded: {}; {CAVEAT}", report.unbounded.join(", ")));
        let wrapping = (!report.wrapping.is_empty())
            .then(|| format!("as in spin, with wrap-around: {}", report.wrapping.join(", ")));
        let assumed = match report.assumed.is_empty() {
            true => "assumed: nothing".to_owned(),
            false => format!("assumed: {}", report.assumed.join("; ")),
        };
        unbounded.into_iter().chain(wrapping).chain([assumed]).collect()
    }

    /// Which program a run is of.
    pub(crate) fn about(run: &DataRun) -> &'static str {
        match run.is_run_of_program {
            true => "the program that spin runs has this run too, with these initial values",
            false => "a run over unbounded data: every guard was evaluated on these values",
        }
    }

    fn answer(&self, text: &mut String, answer: &AbstractAnswer, verbose: bool) {
        let name = answer.property.name();
        let fair = match answer.fairness.is_empty() {
            true => String::new(),
            false => format!(", {}", answer.fairness.join(", ")),
        };
        let word = answer.verdict.truth().as_str();
        line(text, format_args!("{name:<12} {word} for unbounded data{fair}"));
        match &answer.verdict {
            DataVerdict::Holds => {}
            DataVerdict::Unknown(reason, path) => {
                line(text, format_args!("  {reason}"));
                path.iter().for_each(|step| line(text, format_args!("    {step}")));
            }
            DataVerdict::Fails(run) => self.run(text, run),
        }
        if !answer.predicates.is_empty() && (verbose || answer.verdict.truth() == Truth::Holds) {
            line(
                text,
                format_args!(
                    "  {}:",
                    counted(answer.predicates.len() as u64, "predicate", "predicates")
                ),
            );
            for ShownPredicate { text: predicate, source, is_condition } in &answer.predicates {
                match is_condition {
                    true => {
                        line(text, format_args!("    /*@ predicate {predicate} */  // {source}"))
                    }
                    false => {
                        line(text, format_args!("    // {predicate}  // {source}, no annotation"))
                    }
                }
            }
        }
        for rank in &answer.ranks {
            line(text, format_args!("    /*@ rank {rank} */"));
        }
    }

    fn run(&self, text: &mut String, run: &DataRun) {
        let listed = |values: &[(String, String)]| {
            let pairs: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            pairs.join(", ")
        };
        line(text, format_args!("  {}", run.what));
        line(text, format_args!("  at the start: {}", listed(&run.start)));
        for (number, step) in run.steps.iter().enumerate() {
            let who = step.process.as_ref().map(|(name, pid)| format!("{name}[{pid}]"));
            let who = who.unwrap_or_default();
            let (number, source) = (number + 1, step.source.line);
            let place = if source > 0 { format!(":{source}") } else { String::new() };
            let changed = match step.changed.is_empty() {
                true => String::new(),
                false => format!("   {}", listed(&step.changed)),
            };
            line(text, format_args!("  {number:>4} {who:<10} {place:<5} {}{changed}", step.text));
        }
        if let Some(start) = run.loop_start {
            line(text, format_args!("  the steps from {} on are repeated for ever", start + 1));
        }
        line(text, format_args!("  {}", Self::about(run)));
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{words}");
}
