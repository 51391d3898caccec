//! `resy assume`: the requirement of a module.

use crate::Exit;
use crate::args::Assume;
use crate::outputs::{bad_input, columns, made_by, write};
use crate::{control, load};
use resy::assume::{AssumeOptions, Assumed, NoRequirement, PropertyStatus};
use resy::{Model, Question, Subject};
use resy_export::requirement::{Described, file_text};
use resy_export::results::AssumeView;

/// Runs the command.
pub fn run(assume: &Assume) -> Exit {
    match answer(assume) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(assume: &Assume) -> Result<Exit, Exit> {
    let control = control::of(&assume.resources, &assume.common).map_err(bad_input)?;
    let subject = load::load(&assume.file, &assume.common, Some(&assume.properties), None)?;
    if matches!(*subject, Subject::Program(_)) && assume.module.is_empty() {
        return Err(bad_input("name the module: --module NAME"));
    }
    let question = Question {
        property: assume.properties.property.clone(),
        without: assume.properties.without.clone(),
        semantics: assume.semantics.options(),
        ..Question::default()
    };
    let model = load::model(subject, &question)?;
    tell_left_out(&model, assume.common.verbose);
    if model.selection.properties.is_empty() {
        return Err(bad_input("there is no safety property to synthesise a requirement for"));
    }
    let options = AssumeOptions {
        module: assume.module.clone(),
        method: assume.method,
        minimize: assume.minimize,
        steps: assume.steps,
        trace: assume.trace_csv.is_some(),
        as_found: assume.as_found,
        budget: assume.budget,
    };
    let assumed = resy::assume(&model, &options, &control).map_err(no_requirement)?;
    if let Some(source) = &assumed.problem.source {
        let doubts = model.doubts(&source.components);
        doubts.iter().for_each(|doubt| eprintln!("resy: note: {doubt}"));
    }
    show(assume, &assumed)
}

/// Says which properties are left out. That end states are no safety property is told only if it
/// matters.
pub fn tell_left_out(model: &Model, verbose: bool) {
    let is_empty = model.selection.properties.is_empty();
    for left_out in &model.selection.not_checked {
        if is_empty || left_out.name != "end-states" || verbose {
            eprintln!("resy: note: `{}` is left out: {}", left_out.name, left_out.reason);
        }
    }
}

fn no_requirement(why: NoRequirement) -> Exit {
    match why {
        NoRequirement::BadCall(error) => return bad_input(error),
        NoRequirement::OutOfReach(why) => eprintln!("resy: {why}"),
        NoRequirement::ExactOnly(why) => {
            eprintln!("resy: {why}; try --method refine, which has something to show at any time");
        }
    }
    Exit::Unknown
}

fn show(assume: &Assume, assumed: &Assumed<'_>) -> Result<Exit, Exit> {
    let file = assume.file.display().to_string();
    let property = assume.properties.property.clone().unwrap_or_else(|| assumed.property());
    let view = AssumeView {
        file: &file,
        property: &property,
        method: assume.method,
        minimized: assume.minimize,
        assumed,
    };
    let described = Described::of(&assumed.named());
    if let Some(file) = &assume.trace_csv {
        write(file, &view.to_csv())?;
    }
    if let Some(file) = &assume.output {
        let text = file_text(file, assumed, &described, &view.facts(), made_by());
        write(file, &text.map_err(bad_input)?)?;
    }
    let is_certified = write_certificate(assume, assumed)?;
    if assume.json {
        println!("{}", view.to_json());
    } else {
        let described = assume.output.is_none().then_some(&described);
        print!("{}", view.to_text(described, columns()));
    }
    Ok(match assumed.standing {
        PropertyStatus::Fails(_) => Exit::Fails,
        PropertyStatus::Holds if is_certified && !assumed.is_interrupted => Exit::Holds,
        _ => Exit::Unknown,
    })
}

/// Writes the certificate if it is asked for; whether there is one then.
fn write_certificate(assume: &Assume, assumed: &Assumed<'_>) -> Result<bool, Exit> {
    let Some(file) = &assume.certificate else { return Ok(true) };
    if !matches!(assumed.standing, PropertyStatus::Holds) {
        eprintln!("resy: the property is not known to hold, so no certificate is written");
        return Ok(false);
    }
    match assumed.certificate(assume.properties.property.as_deref(), &assume.properties.without) {
        Ok(text) => write(file, &text).map(|()| true),
        Err(why) => {
            eprintln!("resy: no certificate is written: {why}");
            Ok(false)
        }
    }
}
