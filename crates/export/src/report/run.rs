//! The section of a run: chart, table of steps and values after each step, all controlled by one slider.

use super::model_text::ModelText;
use crate::run::{Act, Run, process_name, standing, value_text, values_of};
use maud::{Markup, PreEscaped, html};
use resy_system::{SourcePlace, State};
use rustc_hash::FxHashMap;
use serde_json::json;

/// Limits on the number of steps shown. Of a longer run the beginning and the end are shown: as many
/// steps as have `MAX_VALUES` values in all, but at least `MIN_STEPS` and at most `MAX_STEPS`.
const MAX_STEPS: usize = 1500;
const MIN_STEPS: usize = 100;
const MAX_VALUES: usize = 2_000_000;
/// Charts with more lifelines are not drawn, because they would be unreadable.
const MAX_LIFELINES: usize = 200;
/// The maximal number of blocked processes that are listed.
const MAX_STUCK: usize = 20;

/// The section of a run.
pub fn section(run: &Run<'_>, number: usize, sources: &[ModelText]) -> Markup {
    let steps = Steps::of(run);
    let data = markup_free(&values(run, &steps));
    html! {
        section.run id={ "run" (number) } {
            "\n" h2 { "Counterexample: " (run.why.property) }
            "\n" p { (run.why.reason) } "\n"
            (stuck(run))
            (repetition(run))
            (steps.told())
            (slider(steps.shown.len() - 1))
            "\n" div.panes {
                "\n" (chart(run, &steps))
                div.beside {
                    "\n" div."pane values" tabindex="0" role="region" aria-label="values" {
                        "\n" table { caption { "Values at the end" } tbody { "\n" (last_values(run)) } } "\n"
                    }
                    "\n" div."pane text" tabindex="0" role="region" aria-label="model" hidden {} "\n"
                }
                "\n"
            }
            "\n" (table(run, &steps, sources))
            script type="application/json" { (PreEscaped(data)) } "\n"
        }
    }
}

/// The buttons and the slider that select a step. They are hidden until the script shows them.
fn slider(last: usize) -> Markup {
    html! {
        div.bar hidden {
            "\n"
            button data-by="-1000000" aria-label="to the start" { "«" }
            button data-by="-1" aria-label="one step back" { "‹" }
            "\n" input type="range" min="0" max=(last) value=(last) aria-label="step of the run";
            "\n"
            button data-by="1" aria-label="one step on" { "›" }
            button data-by="1000000" aria-label="to the end" { "»" }
            "\n" output {} "\n"
        }
    }
}

/// The steps that are shown, numbered from 1; 0 is the initial state.
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

    /// The first and the last step that are left out.
    fn gap(&self) -> Option<(usize, usize)> {
        let gap = self.shown.windows(2).find(|pair| pair[0] + 1 < pair[1]);
        gap.map(|pair| (pair[0] + 1, pair[1] - 1))
    }

    /// A sentence about the steps that are left out.
    fn told(&self) -> Markup {
        html! {
            @if let Some((first, last)) = self.gap() {
                p.hint {
                    "Of the " (self.n_all) " steps, " (first) " to " (last) " are left out here; --json has all."
                }
                "\n"
            }
        }
    }
}

/// The blocked processes and their locations, if the violated property is about end states.
fn stuck(run: &Run<'_>) -> Markup {
    if run.why.kind != "end-state" {
        return html! {};
    }
    let all = run.stuck();
    html! {
        ul {
            "\n"
            @for standing in all.iter().take(MAX_STUCK) {
                li {
                    (process_name(run.system, run.last_state(), standing.pid))
                    " is stuck at " (place(run, standing.place)) ": "
                    code { (standing.statements.join(" | ")) }
                }
                "\n"
            }
            @if all.len() > MAX_STUCK { li { "and " (all.len() - MAX_STUCK) " more" } "\n" }
        }
        "\n"
    }
}

/// What is repeated for ever, and why that is fair.
fn repetition(run: &Run<'_>) -> Markup {
    html! {
        @if let Some(words) = run.repetition() {
            p { "An infinite run: " (words) "." } "\n"
        }
        @if !run.fair.is_empty() {
            p { "The loop is fair:" } "\n"
            ul { "\n" @for words in &run.fair { li { (words) } "\n" } } "\n"
        }
    }
}

fn chart(run: &Run<'_>, steps: &Steps) -> Markup {
    let chart = run.chart();
    let n_lifelines = chart.lifelines.len();
    if n_lifelines > MAX_LIFELINES {
        return html! {
            p.hint {
                (n_lifelines) " processes take part, too many for a chart here; --chart=FILE.svg draws it."
            }
            "\n"
        };
    }
    let gap = steps.gap().unwrap_or((1, 0));
    let mut chart = chart.only(|step| !(gap.0..=gap.1).contains(&step));
    // The heading of the section already has the title.
    chart.title.clear();
    let picture = chart.draw();
    let (label, view_box) =
        ("Message sequence chart; the table below says the same.", picture.view_box());
    html! {
        div."pane picture" tabindex="0" role="region" aria-label="chart" {
            "\n"
            svg.chart role="img" aria-label=(label) width=(picture.width) height=(picture.height) viewBox=(view_box) {
                "\n" (picture.elements)
            }
            "\n"
        }
        "\n"
    }
}

fn table(run: &Run<'_>, steps: &Steps, sources: &[ModelText]) -> Markup {
    let is_after_gap = |step: usize| steps.gap().is_some_and(|(_, last)| step == last + 1);
    html! {
        h3 { "Steps" }
        "\n" div."pane steps" tabindex="0" role="region" aria-label="steps" {
            "\n" table.listed {
                "\n" thead { tr { @for head in ["step", "process", "line", "statement", "changes"] { th { (head) } } } }
                "\n" tbody {
                    "\n"
                    @for &step in &steps.shown {
                        @if is_after_gap(step) { tr.gap { td {} td colspan="4" { "…" } } "\n" }
                        @if run.goes_round() && step.checked_sub(1) == run.loop_start {
                            tr.gap { td {} td colspan="4" { "for ever:" } } "\n"
                        }
                        @match step.checked_sub(1) {
                            None => { tr data-step="0" { th scope="row" { "0" } td colspan="4" { "the start" } } },
                            Some(number) => { (row(run, number, sources)) },
                        }
                        "\n"
                    }
                }
                "\n"
            }
            "\n"
        }
        "\n"
    }
}

fn row(run: &Run<'_>, number: usize, sources: &[ModelText]) -> Markup {
    let (event, row) = (&run.events[number], run.row(number));
    let acts = [&event.actor].into_iter().chain(&event.partner);
    let lines: Vec<String> = acts.filter_map(|act| line(run, act, sources)).collect();
    let [process, place, statement] = row.cells.unwrap_or_default();
    let printed = row.output.trim_end();
    html! {
        tr data-step=(number + 1) data-at=(lines.join(" ")) {
            th scope="row" { (number + 1) }
            td { (process.replace(" -> ", " → ")) }
            td { (place) }
            td {
                code { (statement.replace(" -> ", " → ")) }
                @if !printed.is_empty() { div.printed { (printed) } }
                @for (what, _) in &event.violations { div.wrong { (what) } }
            }
            td { (row.changes) }
        }
    }
}

/// The file and line of an act as two numbers, for the script.
fn line(run: &Run<'_>, act: &Act, sources: &[ModelText]) -> Option<String> {
    let name = run.system.files.get(act.place.file as usize)?;
    let file = sources.iter().position(|source| source.name == *name)?;
    (act.place.line > 0).then(|| format!("{file}:{}", act.place.line))
}

/// The values of a state, and the location of each process.
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

fn last_values(run: &Run<'_>) -> Markup {
    html! {
        @for (name, value) in shown_values(run, run.last_state()) {
            tr { th scope="row" { (name) } td { (value) } } "\n"
        }
    }
}

/// Data for the script: the names, and for each shown step the values that changed, as pairs of the
/// number of the name and the new value. A value that no longer exists is null.
fn values(run: &Run<'_>, steps: &Steps) -> serde_json::Value {
    let (mut names, mut numbers) = (Vec::new(), FxHashMap::default());
    let mut now: Vec<Option<String>> = Vec::new();
    let mut changes = Vec::new();
    for &step in &steps.shown {
        // A step that failed and has no successor state changes no values.
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
    // After the last step of a loop comes its first one.
    let again = run.loop_start.filter(|_| run.goes_round()).map(|start| start + 1);
    json!({ "names": names, "changes": changes, "wrecked": run.is_wrecked(), "again": again })
}

/// JSON without characters that could end the `script` element.
fn markup_free(value: &serde_json::Value) -> String {
    let text = value.to_string();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
