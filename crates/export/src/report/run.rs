//! A run to walk along: a chart, the table of steps and the values after each, all at the place of a slider.

use super::source::Source;
use crate::drawing::chart::Drawing;
use crate::drawing::markup::escaped;
use crate::run::{Act, Run, process_name, standing, value_text, values_of};
use resy_system::{SourcePlace, State};
use rustc_hash::FxHashMap;
use serde_json::json;
use std::fmt::Write;

/// Of a longer run the beginning and the end are shown; fewer steps if their states are large.
const MAX_STEPS: usize = 1500;
const MIN_STEPS: usize = 100;
const MAX_VALUES: usize = 2_000_000;
/// A chart with more lifelines is not drawn: nobody could read it.
const MAX_LIFELINES: usize = 200;
/// More processes that are stuck are only counted.
const MAX_STUCK: usize = 20;

/// The section of a run.
pub fn section(run: &Run<'_>, number: usize, sources: &[Source]) -> String {
    let steps = Steps::of(run);
    let last = steps.shown.len() - 1;
    let data = markup_free(&values(run, &steps));
    format!(
        "<section class=\"run\" id=\"run{number}\">\n<h2>Counterexample: {}</h2>\n<p>{}</p>\n{}{}\
         <div class=\"bar\" hidden>\n<button data-by=\"-1000000\" aria-label=\"to the start\">«</button>\
         <button data-by=\"-1\" aria-label=\"one step back\">‹</button>\n\
         <input type=\"range\" min=\"0\" max=\"{last}\" value=\"{last}\" aria-label=\"step of the run\">\n\
         <button data-by=\"1\" aria-label=\"one step on\">›</button>\
         <button data-by=\"1000000\" aria-label=\"to the end\">»</button>\n<output></output>\n</div>\n\
         <div class=\"panes\">\n{}\
         <div class=\"beside\">\n<div class=\"pane values\" tabindex=\"0\" role=\"region\" aria-label=\"values\">\n\
         <table><caption>Values at the end</caption><tbody>\n{}</tbody></table>\n</div>\n\
         <div class=\"pane text\" tabindex=\"0\" role=\"region\" aria-label=\"model\" hidden></div>\n</div>\n</div>\n\
         {}<script type=\"application/json\">{data}</script>\n</section>\n",
        escaped(&run.why.property),
        escaped(&run.why.reason),
        stuck(run),
        steps.told(),
        chart(run, &steps),
        last_values(run),
        table(run, &steps, sources),
    )
}

/// Which steps are shown, as numbers from 1; 0 is the start.
struct Steps {
    shown: Vec<usize>,
    n_all: usize,
}

impl Steps {
    fn of(run: &Run<'_>) -> Self {
        let n_all = run.events.len();
        let n_values =
            values_of(run.system, run.last_state()).len() + run.last_state().processes().len();
        let most = (MAX_VALUES / n_values.max(1)).clamp(MIN_STEPS, MAX_STEPS);
        let shown = if n_all <= most {
            (0..=n_all).collect()
        } else {
            (0..=most / 5).chain(n_all - (most - most / 5) + 1..=n_all).collect()
        };
        Self { shown, n_all }
    }

    /// The first step that is left out, and the last.
    fn gap(&self) -> Option<(usize, usize)> {
        let gap = self.shown.windows(2).find(|pair| pair[0] + 1 < pair[1]);
        gap.map(|pair| (pair[0] + 1, pair[1] - 1))
    }

    /// What is left out, in words.
    fn told(&self) -> String {
        let gap = self.gap().map(|(first, last)| {
            let n_all = self.n_all;
            format!("<p class=\"hint\">Of the {n_all} steps, {first} to {last} are left out here; --json has all.</p>\n")
        });
        gap.unwrap_or_default()
    }
}

/// Who is stuck where, if that is what is wrong.
fn stuck(run: &Run<'_>) -> String {
    if run.why.kind != "end-state" {
        return String::new();
    }
    let all = run.stuck();
    let mut list = String::new();
    for standing in all.iter().take(MAX_STUCK) {
        let name = process_name(run.system, run.last_state(), standing.pid);
        let at = place(run, standing.place);
        let statements = standing.statements.join(" | ");
        let _ = writeln!(
            list,
            "<li>{} is stuck at {}: <code>{}</code></li>",
            escaped(&name),
            escaped(&at),
            escaped(&statements)
        );
    }
    if all.len() > MAX_STUCK {
        let _ = writeln!(list, "<li>and {} more</li>", all.len() - MAX_STUCK);
    }
    format!("<ul>\n{list}</ul>\n")
}

fn chart(run: &Run<'_>, steps: &Steps) -> String {
    let chart = run.chart();
    let n_lifelines = chart.lifelines.len();
    if n_lifelines > MAX_LIFELINES {
        return format!(
            "<p class=\"hint\">{n_lifelines} processes take part, too many for a chart here; \
             --chart=FILE.svg draws it.</p>\n"
        );
    }
    let gap = steps.gap().unwrap_or((1, 0));
    let mut chart = chart.only(|step| !(gap.0..=gap.1).contains(&step));
    // It stands above.
    chart.title.clear();
    let Drawing { width, height, elements } = chart.draw();
    format!(
        "<div class=\"pane picture\" tabindex=\"0\" role=\"region\" aria-label=\"chart\">\n\
         <svg class=\"chart\" role=\"img\" aria-label=\"Message sequence chart; the table below says the same.\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{elements}</svg>\n</div>\n"
    )
}

fn table(run: &Run<'_>, steps: &Steps, sources: &[Source]) -> String {
    let mut rows = String::new();
    for &step in &steps.shown {
        let Some(number) = step.checked_sub(1) else {
            rows.push_str(
                "<tr data-step=\"0\"><th scope=\"row\">0</th><td colspan=\"4\">the start</td></tr>\n",
            );
            continue;
        };
        if steps.gap().is_some_and(|(_, last)| step == last + 1) {
            rows.push_str("<tr class=\"gap\"><td></td><td colspan=\"4\">…</td></tr>\n");
        }
        rows.push_str(&row(run, number, sources));
    }
    format!(
        "<h3>Steps</h3>\n<div class=\"pane steps\" tabindex=\"0\" role=\"region\" aria-label=\"steps\">\n\
         <table class=\"listed\">\n<thead><tr><th>step</th><th>process</th><th>line</th><th>statement</th>\
         <th>changes</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn row(run: &Run<'_>, number: usize, sources: &[Source]) -> String {
    let (event, row) = (&run.events[number], run.row(number));
    let acts = || [&event.actor].into_iter().chain(&event.partner);
    let lines: Vec<String> = acts().filter_map(|act| line(run, act, sources)).collect();
    let [process, place, statement] = row.cells.unwrap_or_default();
    let printed = match row.output.trim_end() {
        "" => String::new(),
        output => format!("<div class=\"printed\">{}</div>", escaped(output)),
    };
    let wrong = event
        .violations
        .iter()
        .map(|(what, _)| format!("<div class=\"wrong\">{}</div>", escaped(what)));
    let wrong: String = wrong.collect();
    format!(
        "<tr data-step=\"{}\" data-at=\"{}\"><th scope=\"row\">{0}</th><td>{}</td><td>{}</td>\
         <td><code>{}</code>{printed}{wrong}</td><td>{}</td></tr>\n",
        number + 1,
        lines.join(" "),
        escaped(&process.replace(" -> ", " → ")),
        escaped(&place),
        escaped(&statement.replace(" -> ", " → ")),
        escaped(&row.changes),
    )
}

/// The file and the line of what a process does, for the script; both are numbers.
fn line(run: &Run<'_>, act: &Act, sources: &[Source]) -> Option<String> {
    let name = run.system.files.get(act.place.file as usize)?;
    let file = sources.iter().position(|source| source.name == *name)?;
    (act.place.line > 0).then(|| format!("{file}:{}", act.place.line))
}

/// The values of a state, and where its processes stand.
fn shown_values(run: &Run<'_>, state: &State) -> Vec<(String, String)> {
    let values = values_of(run.system, state).into_iter();
    let values = values.map(|(name, value)| (name, value_text(&value)));
    let process = |pid| {
        let at = place(run, standing(run.system, state, pid).place);
        (process_name(run.system, state, pid), format!("at {at}"))
    };
    values.chain((0..state.processes().len()).map(process)).collect()
}

fn place(run: &Run<'_>, place: SourcePlace) -> String {
    match (place.line, run.system.files.len()) {
        (0, _) => "its end".to_owned(),
        (line, 1) => format!("line {line}"),
        _ => run.system.location(place),
    }
}

fn last_values(run: &Run<'_>) -> String {
    let row = |(name, value): (String, String)| {
        format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(&name), escaped(&value))
    };
    shown_values(run, run.last_state()).into_iter().map(row).collect()
}

/// For the script: the names, and after each step that is shown what is new of the values, by number of the name;
/// what is gone is null.
fn values(run: &Run<'_>, steps: &Steps) -> serde_json::Value {
    let (mut names, mut numbers) = (Vec::new(), FxHashMap::default());
    let mut now: Vec<Option<String>> = Vec::new();
    let mut changes = Vec::new();
    for &step in &steps.shown {
        // A step that failed for good leaves the values as they were.
        let Some(state) = run.state(step) else {
            changes.push(json!([]));
            continue;
        };
        let mut next = vec![None; now.len()];
        for (name, value) in shown_values(run, state) {
            let number = *numbers.entry(name).or_insert_with_key(|name: &String| {
                names.push(name.clone());
                names.len() - 1
            });
            next.resize(next.len().max(number + 1), None);
            next[number] = Some(value);
        }
        now.resize(next.len(), None);
        let new = (0..next.len()).filter(|&i| next[i] != now[i]);
        changes.push(new.map(|i| json!([i, next[i]])).collect());
        now = next;
    }
    json!({ "names": names, "changes": changes, "wrecked": run.is_wrecked() })
}

/// JSON in which nothing can end a script.
fn markup_free(value: &serde_json::Value) -> String {
    let text = value.to_string();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
