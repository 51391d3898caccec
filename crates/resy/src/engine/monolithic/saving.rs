//! Long searches: checkpoints, and sets that may miss states.

use crate::control::{Control, Message};
use crate::model::Model;
use crate::question::{CallError, HostList, LossySet, Question};
use resy_engine::search::workers::Archive;
use resy_engine::search::{
    CycleKeeper, Identity, Keeper, Lossy, LossyTrouble, Order, Search, Stopped,
};
use resy_engine::tree::Checkpoint;
use resy_promela::quote::quote;
use resy_system::{Property, System};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The size of the field of bits, unless another is asked for.
const BITSTATE: usize = 128 << 20;

/// Where a search is saved.
pub(super) enum Saving {
    /// Nowhere.
    Nowhere,
    /// In a folder, by one process.
    One(Box<Keeper>),
    /// In a folder, by several.
    Several(Box<Archive>),
}

impl Saving {
    /// Why the search as it ended could not be saved.
    pub fn failure(&self) -> Option<String> {
        let failure = match self {
            Saving::Nowhere => None,
            Saving::One(keeper) => keeper.failure().map(ToString::to_string),
            Saving::Several(archive) => archive.failure(),
        };
        failure.map(|message| quote(&message).into_owned())
    }
}

/// Whether the search to continue was saved by one process; `None` if none is to be continued.
pub(super) fn saved_by_one(question: &Question) -> Option<bool> {
    let checkpoint = question.search.checkpoint.as_ref().filter(|checkpoint| checkpoint.resume)?;
    let is_of_several = Archive::is_in(&checkpoint.folder).unwrap_or(false);
    Some(!is_of_several && question.search.hosts.is_none())
}

/// The folder of the search for cycles that violate a property, in the folder of the checkpoint. Hosts may share that,
/// and each saves its own search.
fn cycle_folder(folder: &Path, property: &Property, hosts: Option<&HostList>) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = property.name().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let of_host = hosts.map_or(String::new(), |hosts| format!("-{}", hosts.index));
    folder.join(format!("cycles-{name}{of_host}"))
}

/// Where the search for cycles that violate a property is saved, if it is. A search that is continued may have ended
/// before it came to this property.
pub(super) fn cycles(
    question: &Question,
    property: &Property,
    identity: impl FnOnce() -> Identity,
    control: &Control,
) -> Result<Option<CycleKeeper>, CallError> {
    let Some(checkpoint) = &question.search.checkpoint else { return Ok(None) };
    if question.search.order() != Order::BreadthFirst || question.search.lossy.is_some() {
        return Err(CallError::NoCheckpoint);
    }
    let (folder, every) = (
        cycle_folder(&checkpoint.folder, property, question.search.hosts.as_ref()),
        checkpoint.every,
    );
    let keeper = match checkpoint.resume && Checkpoint::is_in(&folder).unwrap_or(true) {
        true => CycleKeeper::open(&folder, identity(), every),
        false if checkpoint.resume && !holds_a_search(&checkpoint.folder) => {
            Err(Error::new(ErrorKind::NotFound, "there is no checkpoint"))
        }
        false => CycleKeeper::create(&folder, identity(), every),
    };
    if let Ok(keeper) = &keeper
        && keeper.is_read_only()
    {
        warn_read_only(&folder, control);
    }
    keeper.map(Some).map_err(|error| unusable(&folder, &error))
}

/// Whether a folder holds a saved search, of all states or for cycles.
fn holds_a_search(folder: &Path) -> bool {
    let is_in = |folder: &Path| Checkpoint::is_in(folder).unwrap_or(false);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    is_in(folder)
        || Archive::is_in(folder).unwrap_or(false)
        || entries.map(|entry| entry.path()).any(|path| path.is_dir() && is_in(&path))
}

fn warn_read_only(folder: &Path, control: &Control) {
    let name = folder.display();
    let warning = format!("{name} cannot be written: the search goes on, and is not saved");
    control.tell(&Message::Warning(&quote(&warning)));
}

fn unusable(folder: &Path, error: &Error) -> CallError {
    let message = format!("the checkpoint in {} cannot be used: {error}", folder.display());
    CallError::Other(quote(&message).into_owned())
}

/// Where the search is saved, by one process or by several.
pub(super) fn saving(
    question: &Question,
    identity: impl FnOnce() -> Identity,
    one: bool,
    control: &Control,
) -> Result<Saving, CallError> {
    let Some(checkpoint) = &question.search.checkpoint else { return Ok(Saving::Nowhere) };
    if question.search.order() != Order::BreadthFirst || question.search.lossy.is_some() {
        return Err(CallError::NoCheckpoint);
    }
    let (folder, every, identity) = (&checkpoint.folder, checkpoint.every, identity());
    let alone = |keeper| Saving::One(Box::new(keeper));
    let several = |archive| Saving::Several(Box::new(archive));
    let saving = match (checkpoint.resume, one) {
        (true, true) => Keeper::open(folder, identity, every).map(alone),
        (true, false) => Archive::open(folder, identity, every).map(several),
        (false, true) => Keeper::create(folder, identity, every).map(alone),
        (false, false) => Archive::create(folder, identity, every).map(several),
    };
    if let Ok(Saving::One(keeper)) = &saving
        && keeper.is_read_only()
    {
        warn_read_only(folder, control);
    }
    saving.map_err(|error| unusable(folder, &error))
}

/// What a continued search must have in common with the one that was saved.
pub(super) fn identity(
    question: &Question,
    model: &Model,
    system: &System,
    reduced: &System,
    (ample, symmetry): (bool, bool),
) -> Identity {
    let names: Vec<&str> = model.selection.properties.iter().map(|p| p.name()).collect();
    let words = |words: &[(bool, &str)]| {
        let words: Vec<&str> = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        words.join(" ")
    };
    let semantics =
        [(question.semantics.loss, "loss"), (question.semantics.empty_channels, "empty-channels")];
    let search = &question.search;
    let switches = [
        (search.plain, "plain"),
        (search.no_merge, "no-merge"),
        (search.no_reset, "no-reset"),
        (search.shortest, "shortest"),
        (question.exhaustive, "exhaustive"),
        (search.interpret, "interpret"),
    ];
    Identity::default()
        .fact("version of resy", env!("CARGO_PKG_VERSION"))
        .fact("list of properties", names.join(" "))
        .fact("semantics", words(&semantics))
        .fact("list of options", words(&switches))
        .fact("partial order reduction", if ample { "on" } else { "off" })
        .fact("symmetry", if symmetry { "on" } else { "off" })
        .digest("model", &described(system))
        .digest("reduced model", &described(reduced))
}

/// All of a system but where its files are.
fn described(system: &System) -> String {
    format!("{:?}", System { files: Vec::new(), ..system.clone() })
}

/// The set that a lossy search uses, if one is asked for.
pub(super) fn lossy(question: &Question, control: &Control) -> Result<Option<Lossy>, CallError> {
    let limit = control.memory().unwrap_or(usize::MAX);
    match question.search.lossy {
        None => Ok(None),
        Some(LossySet::HashCompact) => Ok(Some(Lossy::HashCompact)),
        Some(LossySet::BitState(Some(size))) if size >= limit => {
            let message = "the field of bits does not fit into the memory limit";
            Err(CallError::Other(message.to_owned()))
        }
        Some(LossySet::BitState(size)) => {
            Ok(Some(Lossy::BitState(size.unwrap_or(BITSTATE.min(limit / 2)))))
        }
    }
}

/// The message for a lossy search that could not start.
pub(super) fn lossy_trouble(trouble: LossyTrouble) -> CallError {
    match trouble {
        LossyTrouble::Initial(kind) => super::team::initial(kind),
        LossyTrouble::Memory(bytes) => CallError::Other(format!(
            "the {:.1} GB of the field of bits are more than the system has to give",
            bytes as f64 / 1e9
        )),
    }
}

/// What an unfinished or lossy search has covered. `distances` says whether it kept the distances
/// between states.
pub(super) fn covered(search: &Search, distances: bool) -> Option<String> {
    let is_clean = search.findings.is_empty();
    if search.covered == Some(0.0) {
        let words = ["nothing else is proved", "no violation found, and nothing is proved"];
        return Some(words[usize::from(is_clean)].to_owned());
    }
    if let (Some(share), None) = (search.covered, search.stopped) {
        let (other, share) = (if is_clean { "" } else { "other " }, percentage(share));
        return Some(format!("no {other}violation found; {share} of the states were covered"));
    }
    let limits = [Stopped::Timeout, Stopped::Memory, Stopped::Interrupt, Stopped::Numbers];
    search.stopped.filter(|stopped| limits.contains(stopped))?;
    let distance = search.n_levels?.checked_sub(1)?;
    let of = if distances { "" } else { " in the reduced model" };
    Some(format!("all states up to distance {distance}{of} were checked"))
}

/// Never 100 %, which would be a promise.
fn percentage(share: f64) -> String {
    if share > 0.999_999 {
        return "more than 99.9999 %".to_owned();
    }
    format!("about {:.2} %", (100.0 * share).min(99.99))
}

#[cfg(test)]
mod tests {
    use super::percentage;

    #[test]
    fn nothing_lossy_is_certain() {
        assert_eq!(percentage(1.0), "more than 99.9999 %");
        assert_eq!(percentage(0.999_99), "about 99.99 %");
        assert_eq!(percentage(0.123_456), "about 12.35 %");
    }
}
