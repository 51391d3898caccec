//! `resy lts`: the component automata of a model.

use crate::Exit;
use crate::args::{Automata, Equivalence, Lts};
use crate::outputs::{bad_input, write as write_file};
use crate::{control, load};
use resy::{Model, Network, Question, Subject, components, reduced};
use resy_export::automata::{AutomataFormat, files, one_text, summary, to_json};

/// Runs the command.
pub fn run(lts: &Lts) -> Exit {
    match network(lts).and_then(|(network, seconds)| write(lts, &network, seconds)) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
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
                eprintln!("resy: note: `{name}` has no monitor: {reason}");
            }
            let found = components(model, lts.strict, lts.budget, &control);
            let (network, doubts) = found.map_err(|message| {
                eprintln!("resy: {message}");
                Exit::Unknown
            })?;
            doubts.iter().for_each(|doubt| eprintln!("resy: note: {doubt}"));
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

fn write(lts: &Lts, network: &Network, seconds: f64) -> Result<(), Exit> {
    let tau = lts.tau.as_deref().unwrap_or("i");
    let format = lts.format.map(|format| match format {
        Automata::Aut => AutomataFormat::Aut,
        Automata::Dot => AutomataFormat::Dot,
        Automata::Fsp => AutomataFormat::Fsp,
    });
    match (&lts.output, format) {
        (Some(folder), format) => {
            let format = format.unwrap_or(AutomataFormat::Aut);
            std::fs::create_dir_all(folder).map_err(|error| {
                bad_input(format!("cannot write to {}: {error}", folder.display()))
            })?;
            for (name, text) in files(network, format, tau).map_err(bad_input)? {
                write_file(&folder.join(name), &text)?;
            }
        }
        (None, Some(format)) => {
            print!("{}", one_text(network, format, tau).map_err(bad_input)?);
        }
        (None, None) => {}
    }
    if lts.json {
        println!("{}", to_json(network, &lts.file.display().to_string(), seconds));
    } else if lts.format.is_none() || lts.output.is_some() {
        print!("{}", summary(network));
    }
    Ok(())
}
