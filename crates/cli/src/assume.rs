//! `resy assume`: the requirement of a module.

use crate::Exit;
use crate::args::{Assume, Method};
use crate::confirm::Violation;
use crate::limits::Limits;
use crate::model::Model;
use crate::network_file::{self, step_name};
use crate::problem::{Problem, Trouble, property_name};
use crate::progress::Meter;
use crate::requirement::{describe, write};
use crate::{memory, shorten, trace};
use resy_automata::lts::Lts;
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, RequirementDraft, alternating, forward_first};
use resy_compose::{Conclusion, Requirement, evidence, exact};
use resy_export::requirement::Described;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// With more contexts the exact method is given up.
const MAX_CONTEXTS: usize = 20_000_000;

/// A larger inductive set is not written.
const MAX_PROOF: usize = 20_000_000;

/// With more contexts a smaller requirement is proved by refinement.
const FEW_CONTEXTS: usize = 200_000;

/// Runs the command.
pub fn run(assume: &Assume) -> Exit {
    match answer(assume) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(assume: &Assume) -> Result<Exit, Exit> {
    let limits = Limits::of(&assume.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&assume.common));
    if network_file::is_one(&assume.file) {
        let network = network_file::load(&assume.file, None)?;
        let problem = Problem::of_network(network, &assume.module).map_err(Trouble::report)?;
        return synthesize(assume, &problem, "monitor", &limits);
    }
    if assume.module.is_empty() {
        return Err(bad_input("name the module: --module NAME".to_owned()));
    }
    let mut model =
        Model::load(&assume.file, &assume.common, &assume.semantics, &assume.properties)?;
    model.selection = model.selection.without_end_states();
    let properties = &model.selection.properties;
    for left_out in &model.selection.not_checked {
        // Nobody needs to be told each time that end states are no safety property.
        if properties.is_empty() || left_out.name != "end-states" || assume.common.verbose {
            eprintln!("resy: note: `{}` is left out: {}", left_out.name, left_out.reason);
        }
    }
    if properties.is_empty() {
        eprintln!("resy: there is no safety property to synthesise a requirement for");
        return Err(Exit::BadInput);
    }
    let name = property_name(properties, &assume.properties);
    let problem = Problem::of_model(&model, properties, &assume.module, assume.budget, &limits)
        .map_err(Trouble::report)?;
    if let Some(source) = &problem.source {
        model.doubts(&source.components).iter().for_each(|doubt| eprintln!("resy: note: {doubt}"));
    }
    synthesize(assume, &problem, &name, &limits)
}

/// What was found.
struct Found {
    requirement: Requirement,
    /// The number of refinements.
    steps: usize,
    /// Whether it was told to stop.
    interrupted: bool,
    /// One row for each refinement, if asked for.
    rows: String,
    /// The time that took, without what was spent on the rows.
    elapsed: Duration,
    /// For a violated property of a model, the run; none if the program has no such run.
    violation: Option<Violation>,
}

fn synthesize(
    assume: &Assume,
    problem: &Problem<'_>,
    property: &str,
    limits: &Limits,
) -> Result<Exit, Exit> {
    let mut found = match assume.method {
        Method::Refine => refined(assume, problem, limits),
        Method::Exact => exact(problem, limits)?,
    };
    if assume.minimize {
        found.requirement = minimized(problem, &found.requirement, limits);
    }
    if let (Conclusion::Fails(steps), Some(source)) = (&found.requirement.verdict, &problem.source)
    {
        let shorter = |violation| match assume.as_found {
            true => violation,
            false => shorten::violation(source.model, violation, limits.elapsed()),
        };
        found.violation = source.confirm(steps).map(shorter);
    }
    let described = describe(problem, &found.requirement);
    let facts = facts(assume, problem, property, &found);
    if let Some(file) = &assume.trace_csv {
        write_file(file, &found.rows)?;
    }
    if let Some(file) = &assume.output {
        let violation = found.violation.as_ref();
        let text = write(file, problem, &found.requirement, &described, &facts, violation);
        let text = text.map_err(bad_input)?;
        write_file(file, &text)?;
    }
    let certified = match &assume.certificate {
        None => true,
        Some(file) => write_certificate(assume, problem, &found, file)?,
    };
    if assume.json {
        println!("{}", to_json(assume, problem, property, &found));
    } else {
        print(assume, problem, &found, &facts, &described);
    }
    Ok(match verdict(problem, &found) {
        "fails" => Exit::Fails,
        "holds" if certified && !found.interrupted => Exit::Holds,
        _ => Exit::Unknown,
    })
}

/// The canonical requirement from all contexts, if there is time and room for them.
fn exact(problem: &Problem<'_>, limits: &Limits) -> Result<Found, Exit> {
    let in_time = || limits.exceeded().is_none();
    let found = exact::synthesize_while(&problem.split, MAX_CONTEXTS, in_time);
    let why = match found {
        Ok(Some(requirement)) => {
            let (rows, elapsed) = (String::new(), limits.elapsed());
            let (steps, interrupted, violation) = (0, false, None);
            return Ok(Found { requirement, steps, interrupted, rows, elapsed, violation });
        }
        Ok(None) => limits.exceeded().unwrap_or("it was interrupted").to_owned(),
        Err(_) => format!("there are more than {MAX_CONTEXTS} contexts"),
    };
    eprintln!("resy: {why}; try --method refine, which has something to show at any time");
    Err(Exit::Unknown)
}

/// Refines until the requirement is canonical, or until it is told to stop.
fn refined(assume: &Assume, problem: &Problem<'_>, limits: &Limits) -> Found {
    let mut rows = String::new();
    let (mut steps, mut interrupted, mut overhead) = (0, false, Duration::ZERO);
    if assume.trace_csv.is_some() {
        rows.push_str("step,classes,requirement,elapsed\n");
    }
    let requirement = refine::assume(&problem.split, forward_first, |draft| {
        steps = draft.progress().steps;
        if assume.trace_csv.is_some() {
            let start = limits.elapsed();
            let seconds = (start - overhead).as_secs_f64();
            add_row(&mut rows, draft, seconds);
            overhead += limits.elapsed() - start;
        }
        if let Some(meter) = limits.meter() {
            let (start, progress) = (limits.elapsed(), draft.progress());
            // To know the size takes a while; more than a tenth of the time is not spent on it.
            let size = || (overhead * 10 <= start).then(|| draft.requirement().lts().n_states());
            meter.refinement(&progress, size);
            overhead += limits.elapsed() - start;
        }
        let is_late = limits.exceeded().is_some();
        if is_late {
            draft.hurry();
        }
        interrupted = is_late || assume.steps.is_some_and(|most| steps >= most);
        !interrupted
    });
    limits.meter().inspect(|meter| meter.done());
    let elapsed = limits.elapsed() - overhead;
    Found { requirement, steps, interrupted, rows, elapsed, violation: None }
}

fn add_row(rows: &mut String, draft: &mut RequirementDraft<'_, '_>, seconds: f64) {
    let progress = draft.progress();
    let size = draft.requirement().lts().n_states();
    // Writing to a string cannot fail.
    let _ = writeln!(rows, "{},{},{size},{seconds:.6}", progress.steps, progress.n_classes);
}

/// Merges further while the property is still proved, within the limits.
fn minimized(problem: &Problem<'_>, requirement: &Requirement, limits: &Limits) -> Requirement {
    let split = &problem.split;
    let module = &split.module.lts;
    let in_time = || limits.exceeded().is_none();
    if let Ok(mut proves) = exact::prover(split, FEW_CONTEXTS) {
        return minimize(module, requirement, |lts| in_time().then(|| proves(lts)));
    }
    let proves = |lts: &Lts| {
        let checked = refine::check(&split.with_module(lts.clone()), alternating, |_| in_time());
        checked.verdict == Conclusion::Holds
    };
    minimize(module, requirement, |lts| in_time().then(|| proves(lts)))
}

/// Writes the certificate; whether there is one.
fn write_certificate(
    assume: &Assume,
    problem: &Problem<'_>,
    found: &Found,
    file: &Path,
) -> Result<bool, Exit> {
    if verdict(problem, found) != "holds" {
        eprintln!("resy: the property is not known to hold, so no certificate is written");
        return Ok(false);
    }
    let proof = evidence::of_requirement(&problem.split, &found.requirement, MAX_PROOF);
    let Some(proof) = proof else {
        eprintln!("resy: no certificate is written: it would have more than {MAX_PROOF} states");
        return Ok(false);
    };
    let only = assume.properties.property.as_deref();
    let text = problem.certificate(proof, only).map_err(bad_input)?;
    write_file(file, &text)?;
    Ok(true)
}

/// The verdict in a word. A violation that the program does not have decides nothing, nor does
/// a proof that misses something.
fn verdict(problem: &Problem<'_>, found: &Found) -> &'static str {
    match &found.requirement.verdict {
        Conclusion::Holds if problem.misses_violations() => "undecided",
        Conclusion::Holds => "holds",
        Conclusion::Fails(_) if problem.source.is_none() || found.violation.is_some() => "fails",
        Conclusion::Fails(_) | Conclusion::Interrupted => "undecided",
    }
}

/// What is said about a requirement, beside the requirement itself; the same in every run.
fn facts(
    assume: &Assume,
    problem: &Problem<'_>,
    property: &str,
    found: &Found,
) -> Vec<(String, String)> {
    let lts = found.requirement.lts();
    let module = &problem.split.module.lts;
    let kind = match (found.interrupted, assume.minimize) {
        (true, _) => "sound; it was interrupted before it was canonical",
        (false, true) => "minimised",
        (false, false) => "canonical",
    };
    let (n_states, n_transitions) = (lts.n_states(), lts.n_transitions());
    let facts = [
        ("property", format!("{property}: {}", verdict(problem, found))),
        ("module", format!("{}: {} states", problem.names(true).join(", "), module.n_states())),
        ("environment", problem.names(false).join(", ")),
        ("requirement", format!("{n_states} states, {n_transitions} transitions ({kind})")),
    ];
    facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect()
}

fn print(
    assume: &Assume,
    problem: &Problem<'_>,
    found: &Found,
    facts: &[(String, String)],
    described: &Described,
) {
    for (what, value) in facts {
        println!("{what:<12} {value}");
    }
    if assume.method == Method::Refine {
        println!("refinements  {}, {:.3} s", found.steps, found.elapsed.as_secs_f64());
    }
    match (&found.requirement.verdict, &found.violation) {
        (Conclusion::Fails(_), Some(violation)) => print_run(problem, violation),
        (Conclusion::Fails(_), None) if problem.source.is_some() => {
            println!("the network has a run that violates the property, the program has not");
        }
        (Conclusion::Fails(steps), None) => {
            for (i, &step) in steps.iter().enumerate() {
                println!("  {:>4} {}", i + 1, step_name(&problem.network, step));
            }
        }
        _ => {}
    }
    if assume.output.is_none() {
        println!();
        print!("{}", described.to_text());
        let words = described.to_words();
        if !words.is_empty() {
            println!("\nIn words:");
            words.iter().for_each(|sentence| println!("    {sentence}"));
        }
    }
}

/// Shows a run that violates a property.
pub fn print_run(problem: &Problem<'_>, violation: &Violation) {
    let Some(source) = &problem.source else { return };
    let interpreter = source.model.interpreter();
    let system = &source.model.system;
    let what = violation.property.describe(system, &violation.outcome);
    println!("{}: {what}", violation.property.name());
    let run = trace::run_of(&interpreter, &violation.run, &violation.property, &what);
    run.iter().for_each(|run| trace::print_table(run, false));
}

fn to_json(assume: &Assume, problem: &Problem<'_>, property: &str, found: &Found) -> Value {
    let lts = found.requirement.lts();
    let components = problem.network.components.iter();
    let components = components.map(|c| json!({ "name": c.name, "states": c.lts.n_states() }));
    json!({
        "schema": "resy/1",
        "command": "assume",
        "file": assume.file.display().to_string(),
        "module": problem.names(true),
        "environment": problem.names(false),
        "property": property,
        "verdict": verdict(problem, found),
        "interrupted": found.interrupted,
        "counterexample": counterexample(problem, found),
        "components": components.collect::<Vec<_>>(),
        "module_states": problem.split.module.lts.n_states(),
        "environment_states": problem.environment_states(),
        "requirement_states": lts.n_states(),
        "requirement_transitions": lts.n_transitions(),
        "refinements": found.steps,
        "method": if assume.method == Method::Exact { "exact" } else { "refine" },
        "minimized": assume.minimize,
        "seconds": found.elapsed.as_secs_f64(),
        "peak_bytes": memory::peak(),
    })
}

fn counterexample(problem: &Problem<'_>, found: &Found) -> Value {
    let steps = match (&found.requirement.verdict, &problem.source, &found.violation) {
        (Conclusion::Fails(_), Some(source), Some(violation)) => {
            trace::steps_json(&source.model.interpreter(), &violation.run, &violation.property)
        }
        (Conclusion::Fails(steps), None, _) => {
            steps.iter().map(|&step| Value::from(step_name(&problem.network, step))).collect()
        }
        _ => return Value::Null,
    };
    json!({ "steps": steps })
}

fn write_file(file: &Path, text: &str) -> Result<(), Exit> {
    std::fs::write(file, text)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
