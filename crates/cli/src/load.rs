//! From a file name to a subject, with everything there is to say about it.

use crate::Exit;
use crate::args::{Common, Properties, Semantics};
use crate::outputs::shown;
use crate::pieces::Unread;
use crate::tell::{self, bad_input};
use crate::texts::{self, Included};
use resy::control::Stop;
use resy::{
    Control, DataOptions, Files, IncludeRoot, Model, NotSpecified, Question, Read, Reading,
    Specification, Subject, quote, specified,
};
use resy_export::results::Remark;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The text of a file, or the end of the command that needs it: that of `complain`, unless a limit was reached.
pub fn read(
    file: &Path,
    control: &Control,
    complain: impl FnOnce(std::io::Error) -> Exit,
) -> Result<String, Exit> {
    texts::read(file, control).map_err(|why| match why {
        Unread::Failed(error) => complain(error),
        Unread::Stopped(stop) => stopped(file, stop),
    })
}

/// A limit was reached before the file was read.
pub fn stopped(file: &Path, stop: Stop) -> Exit {
    tell::out_of_reach(format!("{}: {stop} while it was read", shown(file)))
}

/// The complaint about a file that cannot be read.
fn unreadable(file: &Path) -> impl Fn(std::io::Error) -> Exit {
    |error| bad_input(format!("cannot read {}: {error}", shown(file)))
}

/// Reads a subject with properties from the command line, and prints what there is to say about it.
pub fn load(
    file: &Path,
    common: &Common,
    properties: Option<&Properties>,
    tau: Option<&str>,
    control: &Control,
) -> Result<Arc<Subject>, Exit> {
    tell_about(file, common, parse(file, common, properties, tau, None, control)?)
}

/// Refuses an automaton over labels where it means nothing.
pub fn without_spec(properties: &Properties, command: &str) -> Result<(), Exit> {
    match properties.spec {
        Some(_) => Err(bad_input(format!(
            "{command} knows no automata over labels of components; `resy check` and `resy assume` take --spec"
        ))),
        None => Ok(()),
    }
}

/// Like [`load`]; with `--spec`, the components of the model with the automaton as their monitor.
pub fn load_specified(
    file: &Path,
    common: &Common,
    properties: &Properties,
    semantics: Semantics,
    control: &Control,
) -> Result<Arc<Subject>, Exit> {
    let subject = load(file, common, Some(properties), None, control)?;
    let Some(automaton) = &properties.spec else { return Ok(subject) };
    let text = read(automaton, control, unreadable(automaton))?;
    let specification = Specification { name: automaton.display().to_string(), text };
    let (subject, notes) = specified(subject, semantics.options(), &specification, control)
        .map_err(|why| match why {
            NotSpecified::BadCall(error) => bad_input(error),
            NotSpecified::BadMonitor(message) => bad_input(quote(&message.to_string())),
            NotSpecified::OutOfReach(message) => tell::out_of_reach(message),
        })?;
    notes.iter().for_each(tell::note);
    tell::note(format!(
        "only {} is checked: the model's own properties need a call without --spec",
        shown(automaton)
    ));
    Ok(Arc::new(subject))
}

/// Like [`load`], with the annotations about unbounded data and what options say about it.
pub fn load_with_data(
    file: &Path,
    common: &Common,
    properties: Option<&Properties>,
    data: Option<DataOptions>,
    control: &Control,
) -> Result<Arc<Subject>, Exit> {
    tell_about(file, common, parse(file, common, properties, None, data, control)?)
}

/// Prints what there is to say about a text; the subject, unless there are errors.
fn tell_about(file: &Path, common: &Common, read: Read) -> Result<Arc<Subject>, Exit> {
    if let Some(stop) = read.stopped {
        return Err(stopped(file, stop));
    }
    crate::paint::choose(common.color);
    let color = crate::paint::is_wanted(common.color, &std::io::stderr());
    let messages = read.messages(!common.quiet, color);
    match color {
        // The renderer has quoted what it shows of the text.
        true => crate::print::styled(&messages),
        false => eprint!("{messages}"),
    }
    let note = if read.subject.is_some() { "note: " } else { "" };
    read.notes.iter().for_each(|text| eprintln!("resy: {note}{}", quote(&text.to_string())));
    tell::record(Remark::about(&read, !common.quiet));
    read.subject.map(Arc::new).ok_or(Exit::BadInput)
}

/// A model for the commands that need monitors: without end states.
pub fn model(subject: Arc<Subject>, question: &Question) -> Result<Model, Exit> {
    let model = Model::new(subject, question).map_err(bad_input)?;
    Ok(model.without_end_states())
}

/// Reads a subject without printing.
fn parse(
    file: &Path,
    common: &Common,
    properties: Option<&Properties>,
    tau: Option<&str>,
    data: Option<DataOptions>,
    control: &Control,
) -> Result<Read, Exit> {
    let text = read(file, control, |error| {
        let exit = unreadable(file)(error);
        if let Some(meant) = beside(file) {
            eprintln!("  = help: did you mean `{}`?", shown(&meant));
        }
        exit
    })?;
    let beside_it = |file: &PathBuf| {
        let text = read(file, control, unreadable(file))?;
        Ok::<_, Exit>((file.display().to_string(), text))
    };
    let claim = properties.and_then(|properties| properties.claim.as_ref()).map(beside_it);
    let automaton = properties.and_then(|properties| properties.automaton.as_ref());
    let reading = Reading {
        defines: common.define.clone(),
        ltl: properties.and_then(|properties| properties.ltl.clone()),
        claim: claim.transpose()?,
        automaton: automaton.map(beside_it).transpose()?,
        tau: tau.map(str::to_owned),
        composite: common.composite.clone(),
        data,
    };
    if let Some(root) = common.include_root.as_ref().filter(|root| !root.is_dir()) {
        return Err(bad_input(format!("--include-root: there is no folder {}", shown(root))));
    }
    let root = common.include_root.clone().map_or(IncludeRoot::Anywhere, IncludeRoot::Folder);
    let mut files = Included(Files::new(common.include.clone(), root));
    let name = file.display().to_string();
    Ok(Subject::read_within(&name, &text, &reading, &mut files, control))
}

/// A file in the same folder with a similar name.
fn beside(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let name = file.file_name()?.to_str()?;
    let others = names.iter().map(String::as_str).filter(|n| *n != name);
    resy::similar(name, others).map(|meant| file.with_file_name(meant))
}
