//! `resy lts`: the component automata of a model.

use crate::Exit;
use crate::args::{Automata, Equivalence, Lts};
use crate::outputs::Outputs;
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{Model, Network, NotChecked, Question, Subject, components, reduced};
use resy_export::automata::{
    AutomataFormat, ProcessMarks, ShownAutomata, files, one_text, summary, to_json,
};
use std::path::PathBuf;

/// Runs the command.
pub fn run(lts: &Lts) -> Exit {
    let single = single_file(lts);
    let mut outputs = Outputs::check([single.map(|(file, _)| file)]);
    let folder = lts.output.as_ref().filter(|_| single.is_none());
    folder.iter().for_each(|folder| outputs.check_folder(folder));
    let written = network(lts).and_then(|(network, marks, seconds)| {
        let shown = ShownAutomata { network: &network, marks: &marks };
        show(lts, shown, seconds)?;
        write(lts, shown, &mut outputs)
    });
    written.map_or_else(|exit| exit, |()| outputs.exit(Exit::Holds))
}

/// The network, what its states mean in FSP, and how long it took.
fn network(lts: &Lts) -> Result<(Network, Vec<ProcessMarks>, f64), Exit> {
    load::without_spec(&lts.properties, "`resy lts`")?;
    let control = control::of(&lts.resources, &lts.common).map_err(bad_input)?;
    let (properties, tau) = (Some(&lts.properties), lts.tau.as_deref());
    let subject = load::load(&lts.file, &lts.common, properties, tau, &control)?;
    let mut marks = Vec::new();
    let network = match &*subject {
        // Without a property that is asked for, processes and properties are shown as they stand.
        Subject::Fsp(fsp) if lts.properties.property.is_none() => {
            if let Some(why) = fsp.composition.no_network() {
                return Err(tell::out_of_reach(why));
            }
            let (network, found) = fsp.composition.parts();
            marks = found;
            network
        }
        // A network file need not have a monitor to be shown.
        Subject::Network(file) => file.network.clone(),
        Subject::Program(_) | Subject::Fsp(_) => {
            let question = Question {
                property: lts.properties.property.clone(),
                without: lts.properties.without.clone(),
                all_properties: lts.properties.all_properties,
                semantics: lts.semantics.options(),
                ..Question::default()
            };
            let model = Model::new(subject, &question).map_err(bad_input)?;
            let infinite = model.selection.properties.iter().filter(|p| p.is_liveness());
            let infinite = infinite.map(|property| NotChecked::liveness(property.name()));
            for not_checked in model.selection.not_checked.iter().cloned().chain(infinite) {
                let (name, reason) = (&not_checked.name, &not_checked.reason);
                tell::note(format!("`{name}` has no monitor: {reason}"));
            }
            let found = components(model, lts.strict, lts.budget, &control);
            let (network, doubts) = found.map_err(tell::out_of_reach)?;
            doubts.iter().for_each(tell::note);
            network
        }
    };
    let seconds = control.elapsed().as_secs_f64();
    let equivalence = match lts.reduce {
        None => return Ok((network, marks, seconds)),
        Some(_) if marks.iter().any(|marks| marks.error.or(marks.end).is_some()) => {
            return Err(bad_input("`ERROR` and `END` are not kept by a reduction"));
        }
        Some(Equivalence::Strong) => resy::Equivalence::Strong,
        Some(Equivalence::Branching) => resy::Equivalence::Branching,
    };
    let reduced = reduced(&network, equivalence, &control).map_err(tell::out_of_reach)?;
    Ok((reduced, marks, seconds))
}

/// How the automata are written.
fn format(lts: &Lts) -> Option<AutomataFormat> {
    lts.format.map(|format| match format {
        Automata::Aut => AutomataFormat::Aut,
        Automata::Dot => AutomataFormat::Dot,
        Automata::Fsp => AutomataFormat::Fsp,
        Automata::Svg => AutomataFormat::Svg,
    })
}

fn tau(lts: &Lts) -> &str {
    lts.tau.as_deref().unwrap_or("i")
}

/// Prints the automata, or their sizes if they are written to files.
fn show(lts: &Lts, shown: ShownAutomata<'_>, seconds: f64) -> Result<(), Exit> {
    match format(lts).filter(|_| lts.output.is_none()) {
        Some(format) => print!("{}", one_text(shown, format, tau(lts)).map_err(bad_input)?),
        None if lts.json => {
            tell::answer(to_json(shown.network, &lts.file.display().to_string(), seconds));
        }
        None => print!("{}", summary(shown.network)),
    }
    print::flush();
    Ok(())
}

/// The one file that all automata are written into, if its name ends as that of such a file does.
fn single_file(lts: &Lts) -> Option<(&PathBuf, AutomataFormat)> {
    let file = lts.output.as_ref()?;
    let told = match file.extension()?.to_str()? {
        "svg" => AutomataFormat::Svg,
        "dot" | "gv" => AutomataFormat::Dot,
        "fsp" | "lts" => AutomataFormat::Fsp,
        _ => return None,
    };
    format(lts).is_none_or(|format| format == told).then_some((file, told))
}

fn write(lts: &Lts, shown: ShownAutomata<'_>, outputs: &mut Outputs) -> Result<(), Exit> {
    if let Some((file, format)) = single_file(lts) {
        outputs.write(file, &one_text(shown, format, tau(lts)).map_err(bad_input)?);
        return Ok(());
    }
    let Some(folder) = &lts.output else { return Ok(()) };
    let format = format(lts).unwrap_or(AutomataFormat::Aut);
    let files = files(shown, format, tau(lts)).map_err(bad_input)?;
    outputs.write_into(folder, &files);
    Ok(())
}
