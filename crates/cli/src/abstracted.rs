//! `resy abstract`: verdict on a program with unbounded data.

use crate::Exit;
use crate::args::Abstract;
use crate::outputs::{Outputs, shown};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{AbstractOptions, DataOptions, Question};
use resy_export::results::AbstractView;

/// Runs the command.
pub fn run(call: &Abstract) -> Exit {
    match answer(call) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(call: &Abstract) -> Result<Exit, Exit> {
    let mut outputs = Outputs::check([call.output.as_ref()]);
    if let Some(file) = call.output.as_ref().filter(|f| f.extension().is_none_or(|e| e != "smt2")) {
        return Err(bad_input(format!("{}: Horn clauses are written as `.smt2`", shown(file))));
    }
    let control = control::of(&call.resources, &call.common).map_err(bad_input)?;
    let predicates = call.predicates.as_ref().map(|file| match load::read(file) {
        Ok(text) => Ok((file.display().to_string(), text)),
        Err(error) => Err(bad_input(format!("cannot read {}: {error}", shown(file)))),
    });
    let data = DataOptions {
        unbounded: call.unbounded.clone(),
        parameters: call.parameter.clone(),
        predicates: predicates.transpose()?,
    };
    let (properties, common) = (Some(&call.properties), &call.common);
    let subject = load::load_with_data(&call.file, common, properties, Some(data), &control)?;
    let question = Question {
        property: call.properties.property.clone(),
        without: call.properties.without.clone(),
        semantics: call.semantics.options(),
        fairness: call.fair.fairness(),
        ..Question::default()
    };
    let solver = (call.solver != "embedded").then(|| call.solver.clone());
    let most_refinements = call.fixed_basis.then_some(0);
    let options = AbstractOptions { solver, method: call.method.into(), most_refinements };
    if let Some(file) = &call.output {
        match resy::horn_text(subject.clone(), &question) {
            Ok(text) => _ = outputs.write(file, &text),
            Err(error) => tell::comment(format!("no clauses are written: {error}")),
        }
    }
    let report = resy::abstracted(subject, &question, &options, &control)
        .map_err(|error| bad_input(format!("{}: {error}", shown(&call.file))))?;
    let file = call.file.display().to_string();
    let view = AbstractView { file: &file, report: &report };
    match call.json {
        true => tell::answer(view.to_json()),
        false => print!("{}", view.to_text(call.common.verbose)),
    }
    print::flush();
    let misses_ends = report.not_checked.iter().any(|n| n.name == "end-states");
    if misses_ends && !call.json && !call.common.quiet {
        eprintln!("  = help: `--without end-states` leaves them out");
    }
    Ok(outputs.exit(report.total.into()))
}
