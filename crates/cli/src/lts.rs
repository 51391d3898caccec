//! `resy lts`: the component automata of a model.

use crate::Exit;
use crate::args::{Automata, Equivalence, Lts};
use crate::outputs::Outputs;
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{Model, Network, Question, Subject, components, reduced};
use resy_export::automata::{AutomataFormat, files, one_text, summary, to_json};

/// Runs the command.
pub fn run(lts: &Lts) -> Exit {
    let mut outputs = Outputs::default();
    lts.output.iter().for_each(|folder| outputs.check_folder(folder));
    let written = network(lts).and_then(|(network, seconds)| {
        show(lts, &network, seconds)?;
        write(lts, &network, &mut outputs)
    });
    written.map_or_else(|exit| exit, |()| outputs.exit(Exit::Holds))
}

/// The network, and how long it took.
fn network(lts: &Lts) -> Result<(Network, f64), Exit> {
    let control = control::of(&lts.resources, &lts.common).map_err(bad_input)?;
    let subject = load::load(&lts.file, &lts.common, Some(&lts.properties), lts.tau.as_deref())?;
    let network = match &*subject {
        // A network file need not have a monitor to be shown.
        Subject::Network(file) => file.network.clone(),
        Subject::Program(_) => {
            let question = Question {
                property: lts.properties.property.clone(),
                without: lts.properties.without.clone(),
                semantics: lts.semantics.options(),
                ..Question::default()
            };
            let model = Model::new(subject, &question).map_err(bad_input)?;
            for not_checked in &model.selection.not_checked {
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
    Ok(match lts.reduce {
        None => (network, seconds),
        Some(Equivalence::Strong) => (reduced(&network, resy::Equivalence::Strong), seconds),
        Some(Equivalence::Branching) => (reduced(&network, resy::Equivalence::Branching), seconds),
    })
}

/// How the automata are written.
fn format(lts: &Lts) -> Option<AutomataFormat> {
    lts.format.map(|format| match format {
        Automata::Aut => AutomataFormat::Aut,
        Automata::Dot => AutomataFormat::Dot,
        Automata::Fsp => AutomataFormat::Fsp,
    })
}

fn tau(lts: &Lts) -> &str {
    lts.tau.as_deref().unwrap_or("i")
}

/// Prints the automata, or their sizes if they are written to files.
fn show(lts: &Lts, network: &Network, seconds: f64) -> Result<(), Exit> {
    match format(lts).filter(|_| lts.output.is_none()) {
        Some(format) => print!("{}", one_text(network, format, tau(lts)).map_err(bad_input)?),
        None if lts.json => {
            tell::answer(to_json(network, &lts.file.display().to_string(), seconds));
        }
        None => print!("{}", summary(network)),
    }
    print::flush();
    Ok(())
}

fn write(lts: &Lts, network: &Network, outputs: &mut Outputs) -> Result<(), Exit> {
    let Some(folder) = &lts.output else { return Ok(()) };
    let format = format(lts).unwrap_or(AutomataFormat::Aut);
    let files = files(network, format, tau(lts)).map_err(bad_input)?;
    outputs.write_into(folder, &files);
    Ok(())
}
