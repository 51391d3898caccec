//! From a launch request to a run: by a check, or from a trail.

use super::Wire;
use super::session::Session;
use super::simulation;
use resy::{Control, Files, IncludeRoot, Interpreter, Question, Reading, Subject};
use resy_export::Trail;
use resy_export::run::{Event, Run, ViolatedProperty, run_of};
use resy_export::spin;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Finds the run and debugs it. Whether the conversation is over; not, if there is no run.
pub(super) fn launch(wire: &mut Wire<'_>, request: &Value) -> bool {
    let arguments = &request["arguments"];
    let debugged = match arguments["trail"].as_str() {
        Some(trail) => along_trail(wire, request, trail),
        None if arguments["simulate"] == true => simulated(wire, request),
        None => along_counterexample(wire, request),
    };
    match debugged {
        Ok(()) => true,
        Err(why) => {
            wire.refuse(request, &why);
            wire.event("terminated", json!({}));
            false
        }
    }
}

fn subject(arguments: &Value) -> Result<Subject, String> {
    let name = arguments["program"].as_str().ok_or("`program` is missing: the model")?;
    let bytes = std::fs::read(name).map_err(|e| format!("cannot read {name}: {e}"))?;
    let defines = arguments["defines"].as_array().into_iter().flatten();
    let defines = defines.filter_map(|d| d.as_str().map(str::to_owned)).collect();
    let reading = Reading { defines, ..Reading::default() };
    let mut files = Files::new(Vec::new(), IncludeRoot::Anywhere);
    let read = Subject::read(name, &resy::decode(bytes), &reading, &mut files);
    let first = read
        .diagnostics
        .iter()
        .find(|d| read.subject.is_none() && d.code.as_str().starts_with('E'));
    read.subject.ok_or_else(|| match first {
        Some(d) => format!("{name}: {}", d.message),
        None => format!("{name} has errors"),
    })
}

fn along_counterexample(wire: &mut Wire<'_>, request: &Value) -> Result<(), String> {
    let arguments = &request["arguments"];
    let subject = Arc::new(subject(arguments)?);
    if subject.system().is_none() {
        return Err("only runs of Promela can be debugged".to_owned());
    }
    let property = arguments["property"].as_str().map(str::to_owned);
    let question = Question { property, ..Question::default() };
    let control = Control::unlimited();
    let report = resy::check(subject, &question, &control).map_err(|e| e.to_string())?;
    let mut runs = report.answers.iter().filter_map(|a| run_of(&report.model, a.counterexample()?));
    match runs.next() {
        Some(run) => {
            wire.answer(request, Value::Null);
            wire.event("initialized", json!({}));
            Session::new(&run, arguments).serve(wire);
            Ok(())
        }
        None => Err(format!(
            "{}: there is no run to debug (`simulate` chooses one step by step)",
            report.total.as_str()
        )),
    }
}

fn along_trail(wire: &mut Wire<'_>, request: &Value, file: &str) -> Result<(), String> {
    let arguments = &request["arguments"];
    let subject = subject(arguments)?;
    let system = subject.system().ok_or("only runs of Promela can be debugged")?;
    let interpreter = Interpreter::new(system, resy::Options::default());
    let bytes = std::fs::read(file).map_err(|e| format!("cannot read {file}: {e}"))?;
    let trail =
        Trail::parse(&resy::decode(bytes)).map_err(|e| format!("{file} is not a trail: {e}"))?;
    let (mut steps, stopped) = spin::run_of(&interpreter, &trail);
    let reason = match stopped {
        Some(line) => format!("line {line} of the trail cannot be followed"),
        None => {
            spin::finish(&interpreter, &mut steps);
            "the end of the trail".to_owned()
        }
    };
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let why = ViolatedProperty { property: name, kind: "trail".to_owned(), reason };
    let pairs = steps.iter().map(|replay| (&replay.before, &replay.step));
    let mut run = Run::new(&interpreter, pairs, why).ok_or("there is no initial state")?;
    run.loop_start = trail.cycle.map(|line| steps_before(&run, line));
    wire.answer(request, Value::Null);
    wire.event("initialized", json!({}));
    Session::new(&run, arguments).serve(wire);
    Ok(())
}

fn simulated(wire: &mut Wire<'_>, request: &Value) -> Result<(), String> {
    let subject = subject(&request["arguments"])?;
    let system = subject.system().ok_or("only models in Promela can be simulated here")?;
    simulation::simulate(wire, request, system)
}

/// The number of steps before a line of a trail; a rendezvous has two lines.
fn steps_before(run: &Run<'_>, line: usize) -> usize {
    let mut n_lines = 0;
    let is_before = |event: &&Event| {
        let is_before = n_lines < line;
        n_lines += 1 + usize::from(event.partner.is_some());
        is_before
    };
    run.events.iter().take_while(is_before).count()
}
