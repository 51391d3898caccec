//! A property that is given as an automaton over the labels of components: the components of a model are one network
//! file with this monitor, and the model's own properties are not asked.

use crate::components::components;
use crate::control::Control;
use crate::model::Model;
use crate::question::{CallError, MAX_LOCAL_STATES, Question};
use crate::subject::{NetworkFile, Subject};
use resy_automata::network::Network;
use resy_automata::text::network_file::{self, FileMessage};
use resy_system::Options;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

/// The automaton of a property, in Aldebaran's format.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The name of its file.
    pub name: String,
    /// The allowed words: a deterministic automaton. An action of its alphabet that it does not expect is an error.
    pub text: String,
}

/// What the automaton is called in the network.
const AUTOMATON: &str = "specification";

/// Why the components of a model cannot be watched by an automaton.
#[derive(Debug)]
pub enum NotSpecified {
    /// The call is wrong.
    BadCall(CallError),
    /// The automaton cannot be a monitor.
    BadMonitor(FileMessage),
    /// The components are out of reach, or not exact.
    OutOfReach(String),
}

/// The components of a model with an automaton as their monitor, and notes on what may not be meant. Its actions have
/// the names that [`components`] gives.
pub fn specified(
    subject: Arc<Subject>,
    semantics: Options,
    specification: &Specification,
    control: &Control,
) -> Result<(Subject, Vec<FileMessage>), NotSpecified> {
    let name = subject.texts().first().map(|(name, _)| (*name).to_owned()).unwrap_or_default();
    let network = unwatched(subject, semantics, control)?;
    let written = network_file::write(&Network { monitor: None, ..network });
    let mut text = written.map_err(|clash| NotSpecified::OutOfReach(clash.to_string()))?;
    let _ = writeln!(text, "\nmonitor \"{AUTOMATON}\"");
    let mut load = |_: &str| Ok(Cow::Borrowed(specification.text.as_str()));
    let mut go_on = || control.may_go_on();
    let read = network_file::read_while(&specification.name, &text, &[], &mut load, &mut go_on);
    // What is not in the automaton is about the whole of it.
    let in_its_file = |message: FileMessage| {
        let line = if message.file == AUTOMATON { message.line } else { 1 };
        FileMessage { file: specification.name.clone(), line, ..message }
    };
    match read {
        Ok((network, notes)) => {
            let texts = vec![
                (format!("{name}: components"), text),
                (specification.name.clone(), specification.text.clone()),
            ];
            let notes = notes.into_iter().map(in_its_file).collect();
            Ok((Subject::Network(NetworkFile { network, texts }), notes))
        }
        Err(message) => Err(match control.exceeded() {
            Some(stop) => NotSpecified::OutOfReach(stop.to_string()),
            None => NotSpecified::BadMonitor(in_its_file(message)),
        }),
    }
}

/// The exact components of a model.
fn unwatched(
    subject: Arc<Subject>,
    semantics: Options,
    control: &Control,
) -> Result<Network, NotSpecified> {
    match &*subject {
        Subject::Network(file) => return Ok(file.network.clone()),
        Subject::Fsp(_) => {
            let message = "in FSP a property is a `property` of the text";
            return Err(NotSpecified::BadCall(CallError::Other(message.to_owned())));
        }
        Subject::Program(_) => {}
    }
    let question = Question { semantics, ..Question::default() };
    let model = Model::new(subject, &question).map_err(NotSpecified::BadCall)?;
    let found = components(model, false, MAX_LOCAL_STATES, control);
    let (network, doubts) = found.map_err(NotSpecified::OutOfReach)?;
    match doubts.first() {
        Some(doubt) => {
            let message = format!("the components are not exact: {doubt}");
            Err(NotSpecified::OutOfReach(message))
        }
        None => Ok(network),
    }
}
