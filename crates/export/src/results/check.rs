//! The verdicts on a subject, as text, JSON and SARIF.

use super::object;
use crate::run::{
    Chart, Glyphs, Level, Run, SarifFinding, Standing, network_finding, network_run_json,
    network_run_lines, process_name, run_of, sarif, state_lines, values_of,
};
use resy::control::memory;
use resy::engine::{Cost, Stats};
use resy::{Answer, CheckReport, Fairness, Property, Truth, Unreached, Verdict, counted};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A report on a file, to be shown.
pub struct CheckView<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The report.
    pub report: &'a CheckReport,
}

/// How a report is shown as text.
#[derive(Copy, Clone, Debug)]
pub struct TextStyle {
    /// Leaves nothing out.
    pub verbose: bool,
    /// Shows runs as charts, drawn with these characters; else as tables.
    pub chart: Option<Glyphs>,
    /// The width of the page.
    pub columns: usize,
}

impl CheckView<'_> {
    /// The JSON object of the contract.
    pub fn to_json(&self) -> Value {
        let report = self.report;
        let not_checked: Vec<Value> = report
            .not_checked
            .iter()
            .map(|n| json!({"name": n.name, "reason": n.reason}))
            .collect();
        let properties: Vec<Value> = report.answers.iter().map(|a| self.property(a)).collect();
        let own = json!({
            "verdict": report.total.as_str(),
            "complete": report.is_complete(),
            "not_checked": not_checked,
            "properties": properties,
            "unreached": report.unreached.as_ref().map(|list| {
                list.iter().map(unreached_json).collect::<Vec<_>>()
            }),
            "stats": self.stats(),
        });
        let mut object = object("check", self.file, own);
        let growing = report.growing();
        if !growing.is_empty() {
            object["growing"] = json!(growing);
        }
        if let Some(Ok(certified)) = &report.certificate {
            object["certificate"] = json!({
                "covers": certified.properties,
                "does_not_cover": report.not_certified(),
            });
        }
        object
    }

    fn stats(&self) -> Value {
        let stats = &self.report.stats;
        let mut object = json!({
            "states": stats.states,
            "transitions": stats.transitions,
            "depth": stats.depth,
            "seconds": stats.elapsed.as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        let more = match &stats.cost {
            Cost::Plain => json!({}),
            Cost::Search { levels, store, bytes_per_state, leaves, nodes, .. } => json!({
                "levels": levels,
                "store": store,
                "bytes_per_state": bytes_per_state,
                "leaves": leaves,
                "nodes": nodes,
            }),
            Cost::Abstraction { module, method, refinements, classes, left_out } => json!({
                "module": module,
                "method": method,
                "refinements": refinements,
                "classes": classes,
                "left_out": left_out,
            }),
        };
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
            object.extend(more);
        }
        object
    }

    fn property(&self, answer: &Answer) -> Value {
        let mut object = json!({
            "name": answer.property.name(),
            "kind": answer.property.kind(),
            "verdict": answer.verdict.truth().as_str(),
            "engine": answer.engine,
            "reason": answer.reason(),
            "counterexample": self.counterexample(answer),
        });
        if answer.property.is_liveness() {
            object["fairness"] = answer.fairness().unwrap_or_default().name().into();
        }
        object
    }

    fn counterexample(&self, answer: &Answer) -> Value {
        let Some(counterexample) = answer.counterexample() else { return Value::Null };
        let mut example = match self.run(answer) {
            Some(run) => counterexample_json(&run),
            None => network_run_json(&self.report.model, counterexample),
        };
        example["canonical"] = counterexample.is_canonical().into();
        example
    }

    /// The run that violates a property of a program.
    pub fn run<'b>(&'b self, answer: &'b Answer) -> Option<Run<'b>> {
        run_of(&self.report.model, answer.counterexample()?)
    }

    /// All runs that violate properties of a program.
    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.report.answers.iter().filter_map(|answer| self.run(answer))
    }

    /// The first run that violates a property of processes in FSP: its actions, one on a line.
    pub fn actions(&self) -> Option<String> {
        let runs = self.report.answers.iter().filter_map(Answer::counterexample);
        let (_, names) = { runs }.find_map(|run| run.network_steps())?;
        Some(names.iter().map(|name| format!("{name}\n")).collect())
    }

    /// The verdicts for code scanning, beside what there is to say about the text and about the call.
    pub fn to_sarif(
        &self,
        complaints: (Vec<SarifFinding>, Vec<(Level, String)>),
        version: &str,
    ) -> Value {
        let (mut findings, others) = complaints;
        let model = &self.report.model;
        findings.extend(self.report.answers.iter().filter_map(|answer| {
            let counterexample = answer.counterexample()?;
            let finding = match self.run(answer) {
                Some(run) => run.finding(),
                None => network_finding(model, counterexample)?,
            };
            let is_canonical = Some(counterexample.is_canonical());
            Some(SarifFinding { is_canonical, ..finding })
        }));
        let undecided = self.report.answers.iter().filter_map(|answer| match &answer.verdict {
            Verdict::Unknown(reason) => Some((answer.property.name(), reason.to_string())),
            _ => None,
        });
        let not_checked = self.report.not_checked.iter();
        let left_out = not_checked.map(|n| (n.name.as_str(), n.reason.clone()));
        let notes: Vec<(Level, String)> = undecided
            .chain(left_out)
            .map(|(name, why)| (Level::Note, format!("{name}: not decided: {why}")))
            .chain(others)
            .collect();
        sarif(&findings, version, self.report.total != Truth::Unknown, &notes)
    }

    /// The verdicts for people.
    pub fn to_text(&self, style: &TextStyle) -> String {
        let report = self.report;
        let mut text = String::new();
        for answer in &report.answers {
            let word = answer.verdict.truth().as_str();
            let rests_on = answer.fairness().and_then(Fairness::assumption);
            let rests_on = rests_on.map(|words| format!(" {words}")).unwrap_or_default();
            line(&mut text, format_args!("{:<12} {word}{rests_on}", answer.property.name()));
            if let Some(counterexample) = answer.counterexample() {
                let errs =
                    || format!("it errs after {}", counted(counterexample.n_steps(), "step"));
                let what = Some(counterexample.what().unwrap_or_else(errs));
                what.iter().for_each(|what| line(&mut text, format_args!("  {what}")));
                for step in network_run_lines(&report.model, counterexample) {
                    line(&mut text, format_args!("{step}"));
                }
            }
            if let Some(run) = self.run(answer) {
                text += &run_text(&run, style);
            }
        }
        for n in &report.not_checked {
            line(&mut text, format_args!("{:<12} not checked: {}", n.name, n.reason));
        }
        report.notes.iter().for_each(|note| line(&mut text, format_args!("{note}")));
        let details = report.details.iter().filter(|_| style.verbose);
        details.for_each(|detail| line(&mut text, format_args!("{detail}")));
        text += &self.unreached(style);
        let stats = &report.stats;
        line(
            &mut text,
            format_args!(
                "{}: {}, {}, depth {}, {:.2} s, {:.1} MB{}",
                report.total.as_str(),
                counted(stats.states, "state"),
                counted(stats.transitions, "transition"),
                stats.depth,
                stats.elapsed.as_secs_f64(),
                memory::peak() as f64 / 1e6,
                store_words(stats),
            ),
        );
        text
    }

    fn unreached(&self, style: &TextStyle) -> String {
        let Some(unreached) = &self.report.unreached else { return String::new() };
        if style.verbose {
            let shown = unreached
                .iter()
                .map(|u| format!("unreached in {}: {}: {}\n", u.process, u.location, u.statement));
            return shown.collect();
        }
        match unreached.iter().filter(|u| !u.is_end()).count() {
            0 => String::new(),
            1 => "1 statement is never executed; -v shows it\n".to_owned(),
            n => format!("{n} statements are never executed; -v lists them\n"),
        }
    }
}

impl TextStyle {
    /// The chart of a run, as much of it as is wanted.
    pub fn chart_of(&self, run: &Run<'_>) -> Chart {
        if self.verbose { run.whole_chart() } else { run.chart() }
    }
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{words}");
}

fn run_text(run: &Run<'_>, style: &TextStyle) -> String {
    let mut text = match style.chart {
        Some(glyphs) => style.chart_of(run).to_text(&glyphs),
        None if style.verbose => run.whole_table(),
        None => run.table(style.columns),
    };
    let state = run.last_state();
    for s in stuck(run) {
        let name = process_name(run.system, state, s.pid);
        let (place, statements) = (location(run, &s), s.statements.join(" | "));
        line(&mut text, format_args!("  {name} is stuck at {place}: {statements}"));
    }
    run.fair.iter().for_each(|words| line(&mut text, format_args!("  the loop is fair: {words}")));
    let which = match (run.is_wrecked(), run.goes_round()) {
        (true, _) => "state before the last step",
        (false, true) => "state at the start and at the end of the loop",
        (false, false) => "final state",
    };
    line(&mut text, format_args!("  {which}:"));
    for words in state_lines(run.system, state) {
        line(&mut text, format_args!("       {words}"));
    }
    text
}

fn unreached_json(unreached: &Unreached) -> Value {
    json!({
        "process": unreached.process,
        "location": unreached.location,
        "statement": unreached.statement,
    })
}

fn counterexample_json(run: &Run<'_>) -> Value {
    let values = values_of(run.system, run.last_state());
    let mut example = json!({
        "steps": run.to_json(),
        "loop_start": run.loop_start,
        "state": values.into_iter().collect::<Map<_, _>>(),
    });
    if !run.fair.is_empty() {
        example["fair"] = run.fair.iter().map(String::as_str).collect();
    }
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

/// Which processes are stuck where, if that is what is wrong.
fn stuck(run: &Run<'_>) -> Vec<Standing> {
    if run.why.kind == Property::EndStates.kind() { run.stuck() } else { Vec::new() }
}

fn location(run: &Run<'_>, standing: &Standing) -> String {
    match standing.place.line {
        0 => "-".to_owned(),
        _ => run.system.location(standing.place),
    }
}

/// Below this many states, the memory of a store says nothing about a state.
const MANY: u64 = 100_000;

/// Which store a search has used, and what it took.
pub(crate) fn store_words(stats: &Stats) -> String {
    match stats.cost {
        Cost::Search { store: Some(store), bytes_per_state: Some(bytes), .. }
            if stats.states >= MANY =>
        {
            format!(", {store} store, {bytes:.1} bytes a state")
        }
        Cost::Search { store: Some(store), .. } => format!(", {store} store"),
        _ => String::new(),
    }
}
