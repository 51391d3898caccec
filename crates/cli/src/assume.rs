//! `resy assume`: the requirement of a module.

use crate::Exit;
use crate::args::{Assume, Properties, whole_names};
use crate::outputs::{Outputs, columns, made_by, shown};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::assume::{AssumeOptions, Assumed, NoRequirement, PropertyStatus, assume_each};
use resy::{Control, Model, Question, Subject};
use resy_export::requirement::{Described, file_text, is_known_extension};
use resy_export::results::{AssumeView, all_json};

/// Runs the command.
pub fn run(assume: &Assume) -> Exit {
    match answer(assume) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(assume: &Assume) -> Result<Exit, Exit> {
    if let Some(file) = assume.output.as_ref().filter(|file| !is_known_extension(file)) {
        let extensions = ".pml, .aut, .fsp, .dot, .svg, .html or .json";
        let message = format!("{}: the extension says what to write: {extensions}", shown(file));
        return Err(bad_input(message));
    }
    let has_alphabet = assume.alphabet.is_some() || assume.alphabet_start.is_some();
    if has_alphabet && !assume.synthesis().has_alphabet() {
        return Err(bad_input("the alphabet is chosen for --method learn and --method agar only"));
    }
    let files = [&assume.trace_csv, &assume.output, &assume.certificate];
    let mut outputs = Outputs::check(files.map(Option::as_ref));
    let control = control::of(&assume.resources, &assume.common).map_err(bad_input)?;
    let subject = load::load_specified(
        &assume.file,
        &assume.common,
        &assume.properties,
        assume.semantics,
        &control,
    )?;
    if !matches!(*subject, Subject::Network(_)) && assume.module.is_empty() && !assume.all {
        return Err(bad_input("name the module: --module NAME, or --all for one after the other"));
    }
    let question = Question {
        property: assume.properties.property.clone(),
        without: assume.properties.without.clone(),
        all_properties: assume.properties.all_properties,
        semantics: assume.semantics.options(),
        ..Question::default()
    };
    let model = load::model(subject, &question)?;
    tell_left_out(&model, assume.common.verbose);
    if model.selection.properties.is_empty() {
        return Err(bad_input("there is no safety property to synthesise a requirement for"));
    }
    let options = AssumeOptions {
        certificate: assume.certificate.is_some(),
        module: whole_names(&assume.module),
        method: assume.synthesis(),
        canonical: assume.canonical,
        minimize: assume.minimize,
        steps: assume.steps,
        trace: assume.trace_csv.is_some(),
        alphabet: assume.alphabet.unwrap_or_default(),
        alphabet_start: assume.alphabet_start.map(Into::into).unwrap_or_default(),
        as_found: assume.as_found,
        budget: assume.budget,
    };
    if assume.all {
        return all(assume, &model, &options, &control);
    }
    let assumed = resy::assume(&model, &options, &control).map_err(no_requirement)?;
    if let Some(source) = &assumed.problem.source {
        let doubts = model.doubts(&source.components);
        doubts.iter().for_each(tell::note);
    }
    Ok(show(assume, &assumed, &mut outputs, &control))
}

/// A requirement of every process. The exit code is the worst of all: fails, unknown, holds.
fn all(
    assume: &Assume,
    model: &Model,
    options: &AssumeOptions,
    control: &Control,
) -> Result<Exit, Exit> {
    let file = assume.file.display().to_string();
    let (mut reports, mut worst) = (Vec::new(), Exit::Holds);
    let each = |module: &str, assumed: Result<&Assumed<'_>, NoRequirement>| {
        let assumed = match assumed {
            Ok(assumed) => assumed,
            Err(why) => {
                tell::out_of_reach(format!("{module}: {why}"));
                worst = worse(worst, Exit::Unknown);
                return;
            }
        };
        let property = assume.properties.property.clone().unwrap_or_else(|| assumed.property());
        let view = AssumeView {
            file: &file,
            property: &property,
            method: options.method,
            minimized: assume.minimize,
            assumed,
        };
        match assume.json {
            true => reports.push(view.to_json()),
            false => print!("{}\n", view.to_text(None, columns())),
        }
        worst = worse(worst, exit(assumed));
    };
    let left = assume_each(model, options, control, each).map_err(no_requirement)?;
    worst = worse(worst, tell_left(&left, control));
    if assume.json {
        tell::answer(all_json(&file, reports));
    }
    Ok(worst)
}

/// Says which modules a limit has left without an attempt.
fn tell_left(left: &[String], control: &Control) -> Exit {
    let why = control.exceeded().map_or_else(String::new, |stop| format!(": {stop}"));
    let modules = match left {
        [] => return Exit::Holds,
        [only] => only.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    tell::out_of_reach(format!("no requirement of {modules}{why}"))
}

/// The worse of two ends: fails, unknown, holds.
fn worse(one: Exit, other: Exit) -> Exit {
    match (one, other) {
        (Exit::Fails, _) | (_, Exit::Fails) => Exit::Fails,
        (Exit::Holds, other) => other,
        (one, _) => one,
    }
}

fn exit(assumed: &Assumed<'_>) -> Exit {
    match assumed.standing {
        PropertyStatus::Fails(_) => Exit::Fails,
        PropertyStatus::Holds if !assumed.is_interrupted => Exit::Holds,
        _ => Exit::Unknown,
    }
}

/// Says which properties are left out. That end states are no safety property is told only if it
/// matters.
pub fn tell_left_out(model: &Model, verbose: bool) {
    let is_empty = model.selection.properties.is_empty();
    for left_out in &model.selection.not_checked {
        if is_empty || left_out.name != "end-states" || verbose {
            tell::note(format!("`{}` is left out: {}", left_out.name, left_out.reason));
        }
    }
}

fn no_requirement(why: NoRequirement) -> Exit {
    match why {
        NoRequirement::BadCall(error) => bad_input(error),
        NoRequirement::OutOfReach(why) => tell::out_of_reach(why),
        NoRequirement::ExactOnly(why) => {
            let help =
                "try without --canonical or --method, which has something to show at any time";
            tell::out_of_reach(format!("{why}; {help}"))
        }
    }
}

/// Prints the result, and then writes it to the files that were asked for.
fn show(assume: &Assume, assumed: &Assumed<'_>, outputs: &mut Outputs, control: &Control) -> Exit {
    let file = assume.file.display().to_string();
    let property = assume.properties.property.clone().unwrap_or_else(|| assumed.property());
    let view = AssumeView {
        file: &file,
        property: &property,
        method: assume.synthesis(),
        minimized: assume.minimize,
        assumed,
    };
    let described = Described::of(&assumed.named_within(control));
    if assume.json {
        tell::answer(view.to_json());
    } else {
        // A requirement that cannot be written is shown.
        let is_written = assume.output.as_ref().is_some_and(|file| !outputs.misses(file));
        print!("{}", view.to_text((!is_written).then_some(&described), columns()));
    }
    print::flush();
    if let Some(file) = &assume.trace_csv {
        outputs.write(file, &view.to_csv());
    }
    if let Some(file) = &assume.output {
        match file_text(file, assumed, &described, &view.facts(), made_by()) {
            Ok(text) => _ = outputs.write(file, &text),
            Err(why) => {
                bad_input(format!("{}: {why}", shown(file)));
                outputs.lose(file);
            }
        }
    }
    let is_certified = write_certificate(assume, assumed, outputs, control);
    outputs.exit(match assumed.standing {
        PropertyStatus::Fails(_) => Exit::Fails,
        PropertyStatus::Holds if is_certified && !assumed.is_interrupted => Exit::Holds,
        _ => Exit::Unknown,
    })
}

/// Writes the certificate if it is asked for; whether there is one then.
fn write_certificate(
    assume: &Assume,
    assumed: &Assumed<'_>,
    outputs: &mut Outputs,
    control: &Control,
) -> bool {
    let Some(file) = &assume.certificate else { return true };
    if !matches!(assumed.standing, PropertyStatus::Holds) {
        tell::comment("the property is not known to hold, so no certificate is written");
        return false;
    }
    let Properties { property, without, .. } = &assume.properties;
    match assumed.certificate_within(property.as_deref(), without, control) {
        Ok(text) => outputs.write_within(file, &text, control),
        Err(why) => {
            tell::comment(format!("no certificate is written: {why}"));
            false
        }
    }
}
