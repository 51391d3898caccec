//! `resy spin`: the requirement in the module's place, handed to the real spin.

use crate::Exit;
use crate::args::Spin;
use crate::outputs::{Outputs, columns};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{Model, Question};
use resy_export::results::HandoverView;
use resy_export::spin::{HandoverOptions, hand_over};

/// Runs the command.
pub fn run(call: &Spin) -> Exit {
    answer(call).unwrap_or_else(|exit| exit)
}

fn answer(call: &Spin) -> Result<Exit, Exit> {
    load::without_spec(&call.properties, "spin")?;
    let mut outputs = Outputs::check([call.trail.as_ref()]);
    let control = control::of(&call.resources, &call.common).map_err(bad_input)?;
    let subject = load::load(&call.file, &call.common, Some(&call.properties), None, &control)?;
    let question = Question {
        property: call.properties.property.clone(),
        without: call.properties.without.clone(),
        semantics: call.semantics.options(),
        ..Question::default()
    };
    let model = Model::new(subject, &question).map_err(bad_input)?.with_infinite_runs();
    if model.selection.properties.is_empty() {
        for left_out in &model.selection.not_checked {
            tell::comment(format!("`{}` cannot be checked: {}", left_out.name, left_out.reason));
        }
        return Err(bad_input("there is no property to hand to spin"));
    }
    let options = HandoverOptions {
        module: call.module.clone(),
        threshold: call.threshold,
        always: call.always,
        keep: call.keep,
        as_found: call.as_found,
        budget: call.budget,
        fairness: call.fair.fairness(),
        flags: call.flags.clone(),
    };
    let answers = hand_over(&model, &options, &control).map_err(bad_input)?;
    let file = call.file.display().to_string();
    let view = HandoverView {
        file: &file,
        module: &call.module,
        model: &model,
        answers: &answers,
        elapsed: control.elapsed(),
    };
    if call.json {
        tell::answer(view.to_json());
    } else {
        print!("{}", view.to_text(call.common.verbose, columns()));
    }
    print::flush();
    match (&call.trail, view.first_run()) {
        (Some(file), Some(run)) => _ = outputs.write(file, &run.trail().to_string()),
        (Some(_), None) => tell::comment("no violation, so no trail is written"),
        (None, _) => {}
    }
    Ok(outputs.exit(view.total().into()))
}
