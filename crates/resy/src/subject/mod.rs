//! What a question is about: a Promela program, processes in FSP, or a network of automata.

mod annotated;
mod automaton;
mod clocks;
pub(crate) mod fsp;
mod loader;
mod placed;
mod resolver;

pub use annotated::{DataAnnotations, DataOptions, LabelledStatement};
pub use fsp::{FspModel, is_fsp};
pub use loader::{Files, IncludeRoot, NoFiles, Texts, decode};

use crate::control::{Control, Message, Stop};
use annotated::Clauses;
use resy_automata::network::Network;
use resy_automata::text::hoa::HoaAutomaton;
use resy_automata::text::network_file::{self, FileMessage};
use resy_certificate::Sources;
use resy_promela::preprocess::Define;
use resy_promela::{Diagnostics, SourceMap, render};
use resy_system::System;
use std::borrow::Cow;
use std::path::Path;

/// What a question is about.
#[derive(Clone)]
pub enum Subject {
    /// A Promela program.
    Program(Box<Program>),
    /// A network of automata.
    Network(NetworkFile),
    /// Processes in FSP.
    Fsp(Box<FspModel>),
}

/// A Promela program: its texts, and what they mean.
#[derive(Clone)]
pub struct Program {
    /// The texts.
    pub sources: Sources,
    /// The meaning.
    pub system: System,
    /// What annotations and options say about unbounded data, if that was asked for.
    pub data: Option<DataAnnotations>,
}

/// A network of automata, with the texts that it was read from.
#[derive(Clone)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// The names and texts of the files, the main one first.
    pub texts: Vec<(String, String)>,
}

/// How a text is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// A formula beside the properties of the program.
    pub ltl: Option<String>,
    /// A never or trace claim beside them: the name of its file, and its text.
    pub claim: Option<(String, String)>,
    /// The automaton of a negated property beside them, in the HOA format: the name of its file, and its text.
    pub automaton: Option<(String, String)>,
    /// Another name of the internal action in automata.
    pub tau: Option<String>,
    /// The composite of an FSP text; the last one if it is not given.
    pub composite: Option<String>,
    /// Reads the annotations about unbounded data too, with these options; they are comments otherwise.
    pub data: Option<DataOptions>,
}

/// What came of reading a text: perhaps a subject, and everything there is to say about the text.
pub struct Read {
    /// The subject, unless there are errors.
    pub subject: Option<Subject>,
    /// Errors and warnings with their places.
    pub diagnostics: Diagnostics,
    /// The texts that the places are in.
    pub map: SourceMap,
    /// Errors and notes of formats that know lines only.
    pub notes: Vec<FileMessage>,
    /// The limit that ended the reading, if one did.
    pub stopped: Option<Stop>,
}

/// More messages about a text are only counted.
pub const MAX_MESSAGES: usize = 20;

impl Read {
    /// A limit was reached before anything was read.
    fn stopped(stop: Stop) -> Self {
        let (diagnostics, map) = (Diagnostics::new(), SourceMap::new());
        Self { subject: None, diagnostics, map, notes: Vec::new(), stopped: Some(stop) }
    }

    /// What there is to say about the text, rendered with excerpts: errors first, and with `warnings`
    /// the rest.
    pub fn messages(&self, warnings: bool, color: bool) -> String {
        let shown = match warnings {
            true => self.diagnostics.clone(),
            false => self.diagnostics.clone().without_warnings(),
        };
        render::render_all(&self.map, &shown, MAX_MESSAGES, color)
    }
}

/// The names under which the wrapper includes its parts.
const MODEL: &str = "resy:model";
const CLAIM: &str = "resy:claim";
/// The file that includes the model and what is given beside it.
const WRAPPER: &str = "command line";
const ANNOTATION: &str = "resy:annotation:";

impl Subject {
    /// Reads a text. The extension of `name` says what it is: `.net` is a network of automata, `.aut` a single
    /// automaton, `.lts` and `.fsp` are FSP, anything else is Promela. `texts` finds included files.
    pub fn read(name: &str, text: &str, reading: &Reading, texts: &mut dyn Texts) -> Read {
        Self::read_within(name, text, reading, texts, &Control::unlimited())
    }

    /// Like [`read`](Self::read), within the limits of a control.
    pub fn read_within(
        name: &str,
        text: &str,
        reading: &Reading,
        texts: &mut dyn Texts,
        control: &Control,
    ) -> Read {
        texts.begin(name);
        // A subject keeps its text, beside that of the caller.
        if !control.has_room(text.len()) {
            return Read::stopped(Stop::Memory);
        }
        let read = match (is_network(name), is_fsp(name)) {
            (true, _) => read_network(name, text, reading, texts, control),
            (_, true) => fsp::read(name, text, reading, control),
            _ => read_program(name, text, reading, texts, control),
        };
        control.tell(&Message::Done);
        read
    }

    /// Reads processes in FSP; `composite` is the last one of the text if it is not given.
    pub fn fsp(name: &str, text: &str, composite: Option<&str>) -> Read {
        let composite = composite.map(str::to_owned);
        let reading = Reading { composite, ..Reading::default() };
        fsp::read(name, text, &reading, &Control::unlimited())
    }

    /// Reads a Promela program that includes nothing.
    pub fn promela(name: &str, text: &str) -> Read {
        Self::read(name, text, &Reading::default(), &mut NoFiles)
    }

    /// The names and texts of all files, the main one first.
    pub fn texts(&self) -> Vec<(&str, &str)> {
        match self {
            Self::Program(program) => program.sources.files(),
            Self::Network(file) => {
                file.texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
            }
            Self::Fsp(model) => vec![(&model.name, &model.text)],
        }
    }

    /// The meaning of a program; `None` for a network and for FSP.
    pub fn system(&self) -> Option<&System> {
        match self {
            Self::Program(program) => Some(&program.system),
            Self::Network(_) | Self::Fsp(_) => None,
        }
    }
}

/// Whether a file with this name is a network of automata, or a single automaton.
pub fn is_network(name: &str) -> bool {
    is_automaton(name) || Path::new(name).extension().is_some_and(|extension| extension == "net")
}

fn is_automaton(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "aut")
}

/// The network of a single automaton, which is called like its file.
fn network_of_one(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_name = stem.starts_with(|c: char| c.is_ascii_alphabetic())
        && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    format!("network component \"{}\" \"this.aut\"", if is_name { stem } else { "automaton" })
}

fn read_network(
    name: &str,
    text: &str,
    reading: &Reading,
    texts: &mut dyn Texts,
    control: &Control,
) -> Read {
    let mut read = vec![(name.to_owned(), text.to_owned())];
    let one = is_automaton(name).then(|| network_of_one(name));
    let mut beside = |path: &str| {
        if one.is_some() {
            return Ok(Cow::Borrowed(text));
        }
        let (_, text) = texts.find(path, false, name)?;
        read.push((path.to_owned(), text.clone()));
        Ok(Cow::Owned(text))
    };
    let internal: Vec<&str> = reading.tau.as_deref().into_iter().collect();
    let (go_on, mut is_stopped) = (control.preparation(), false);
    let main = one.as_deref().unwrap_or(text);
    let found = network_file::read_while(name, main, &internal, &mut beside, &mut || {
        is_stopped |= !go_on();
        !is_stopped
    });
    let (subject, notes) = match found {
        Ok((network, notes)) => {
            let subject = Subject::Network(NetworkFile { network, texts: read });
            (Some(subject), notes)
        }
        Err(error) if one.is_some() => (None, vec![FileMessage { file: name.to_owned(), ..error }]),
        Err(error) => (None, vec![error]),
    };
    let (diagnostics, map) = (Diagnostics::new(), SourceMap::new());
    let stopped = is_stopped.then(|| control.exceeded().unwrap_or(Stop::Cancelled));
    Read { subject, diagnostics, map, notes, stopped }
}

fn read_program(
    name: &str,
    text: &str,
    reading: &Reading,
    texts: &mut dyn Texts,
    control: &Control,
) -> Read {
    let mut diagnostics = Diagnostics::new_while(control.preparation());
    let mut map = SourceMap::new();
    let given = match reading.automaton.as_ref().map(automaton::read).transpose() {
        Ok(given) => given,
        Err(note) => {
            let notes = vec![note];
            return Read { subject: None, diagnostics, map, notes, stopped: None };
        }
    };
    let defines: Vec<Define> = reading.defines.iter().map(|d| Define::parse(d)).collect();
    let clauses = reading.data.as_ref().map(|data| Clauses::find(name, text, data));
    let mut loader = loader::Recorder {
        texts,
        wrapped: None,
        claim: None,
        conditions: clauses.iter().flat_map(|c| &c.clauses).map(|c| c.condition.clone()).collect(),
        found: Vec::new(),
    };
    let source = (name.to_owned(), text.to_owned());
    let mut is_wrapped = false;
    let (name, text) = match wrapper(reading, given.as_ref(), clauses.as_ref()) {
        Some(wrapper) => {
            loader.wrapped = Some((name.to_owned(), text.to_owned()));
            loader.claim.clone_from(&reading.claim);
            is_wrapped = true;
            (WRAPPER.to_owned(), wrapper)
        }
        None => (name.to_owned(), text.to_owned()),
    };
    let main = text.clone();
    let mut system =
        resy_promela::read(&name, main, &defines, &mut loader, &mut map, &mut diagnostics);
    if let (Some(given), Some(program)) = (&given, &mut system)
        && let Err(text) = automaton::add(given, program)
    {
        let file = reading.automaton.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        let notes = vec![FileMessage { file, line: 1, text }];
        return Read { subject: None, diagnostics, map, notes, stopped: None };
    }
    let (defines, includes) = (reading.defines.clone(), loader.found);
    let sources = Sources { name, text, defines, includes };
    let mut program = system.map(|system| Program { sources, system, data: None });
    if let Some(clauses) = &clauses {
        let data = clauses.resolve(program.as_mut(), &map, &mut diagnostics);
        let data = DataAnnotations { source, reading: reading.clone(), ..data };
        program = program.filter(|_| !diagnostics.has_errors());
        program.iter_mut().for_each(|program| program.data = Some(data.clone()));
    }
    if is_wrapped {
        let bodies = clauses.as_ref().map(Clauses::bodies).unwrap_or_default();
        placed::put_in_place(&mut map, &mut diagnostics, WRAPPER, &bodies);
    }
    let subject = program.map(|program| Subject::Program(Box::new(program)));
    let stop = || control.exceeded().unwrap_or(Stop::Cancelled);
    let stopped = diagnostics.is_stopped().then(stop);
    Read { subject, diagnostics, map, notes: Vec::new(), stopped }
}

/// The text that includes the model and then the properties given beside it, so that they can
/// use its macros and inlines.
fn wrapper(
    reading: &Reading,
    given: Option<&HoaAutomaton>,
    clauses: Option<&Clauses>,
) -> Option<String> {
    let claim = reading.claim.as_ref().map(|_| format!("#include \"{CLAIM}\"\n"));
    let ltl = reading.ltl.as_ref().map(|formula| format!("ltl formula {{\n{formula}\n}}\n"));
    let conditions = given.map(automaton::conditions);
    let annotations = clauses.map(Clauses::units);
    let parts: String = claim.into_iter().chain(ltl).chain(conditions).chain(annotations).collect();
    (!parts.is_empty()).then(|| format!("#include \"{MODEL}\"\n{parts}"))
}
