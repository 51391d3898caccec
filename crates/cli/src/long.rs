//! Options for long runs: checkpoints, and searches that may miss states.

use crate::args::Check;
use crate::properties::Selection;
use resy_engine::search::workers::Archive;
use resy_engine::search::{Identity, Keeper, Lossy, Search, Stopped};
use resy_system::System;
use std::time::Duration;

/// The size of the field of bits, unless another is asked for.
const BITSTATE: usize = 128 << 20;

/// Where a search is saved.
pub enum Saving {
    /// Nowhere.
    Nowhere,
    /// In a folder, by one worker.
    One(Box<Keeper>),
    /// In a folder, by several.
    Several(Box<Archive>),
}

impl Saving {
    /// Why the search as it ended could not be saved.
    pub fn failure(&self) -> Option<String> {
        match self {
            Saving::Nowhere => None,
            Saving::One(keeper) => keeper.failure().map(ToString::to_string),
            Saving::Several(archive) => archive.failure(),
        }
    }
}

/// Whether the search to go on with was saved by one worker, or by several; `None` if there
/// is none to go on with.
pub fn saved_by_one(check: &Check) -> Option<bool> {
    let folder = check.resume.as_ref()?;
    Some(!Archive::is_in(folder).unwrap_or(false) && check.hosts.is_none())
}

/// Where the search is saved, by one worker or by several.
pub fn saving(
    check: &Check,
    identity: impl FnOnce() -> Identity,
    one: bool,
) -> Result<Saving, String> {
    let Some(folder) = check.checkpoint.as_ref().or(check.resume.as_ref()) else {
        return Ok(Saving::Nowhere);
    };
    if check.dfs || check.bitstate.is_some() || check.hash_compact {
        return Err("a checkpoint can be made of a breadth-first search only; leave out \
                    --dfs, --bitstate and --hash-compact"
            .to_owned());
    }
    let seconds = check.checkpoint_every;
    let every = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|every| *every < Duration::from_secs(1 << 32))
        .ok_or_else(|| format!("{seconds} is not a number of seconds"))?;
    if check.resume.is_some() && one && check.threads.is_some_and(|n| n > 1) && !check.common.quiet
    {
        eprintln!("resy: the search was saved by one worker, and goes on with one");
    }
    let identity = identity();
    let alone = |keeper| Saving::One(Box::new(keeper));
    let several = |archive| Saving::Several(Box::new(archive));
    let saving = match (check.resume.is_some(), one) {
        (true, true) => Keeper::open(folder, identity, every).map(alone),
        (true, false) => Archive::open(folder, identity, every).map(several),
        (false, true) => Keeper::create(folder, identity, every).map(alone),
        (false, false) => Archive::create(folder, identity, every).map(several),
    };
    let name = folder.display();
    saving.map_err(|error| format!("the checkpoint in {name} cannot be used: {error}"))
}

/// What a search that goes on must have in common with the one that was saved.
pub fn identity(
    check: &Check,
    system: &System,
    reduced: &System,
    selection: &Selection,
    ample: bool,
) -> Identity {
    let names: Vec<&str> = selection.properties.iter().map(|p| p.name()).collect();
    let words = |words: &[(bool, &str)]| {
        let words: Vec<&str> = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        words.join(" ")
    };
    let semantics =
        [(check.semantics.loss, "--loss"), (check.semantics.empty_channels, "--empty-channels")];
    let switches = [
        (check.plain, "--plain"),
        (check.no_merge, "--no-merge"),
        (check.no_reset, "--no-reset"),
        (check.shortest, "--shortest"),
        (check.exhaustive, "--exhaustive"),
        (check.interpret, "--interpret"),
    ];
    Identity::default()
        .fact("version of resy", env!("CARGO_PKG_VERSION"))
        .fact("list of properties", names.join(" "))
        .fact("semantics", words(&semantics))
        .fact("list of options", words(&switches))
        .fact("partial order reduction", if ample { "on" } else { "off" })
        .digest("model", &described(system))
        .digest("reduced model", &described(reduced))
}

/// All of a system but where its files are.
fn described(system: &System) -> String {
    format!("{:?}", System { files: Vec::new(), ..system.clone() })
}

/// The set that a lossy search uses, if one is asked for.
pub fn lossy(check: &Check) -> Result<Option<Lossy>, String> {
    let Some(size) = check.bitstate else {
        return Ok(check.hash_compact.then_some(Lossy::HashCompact));
    };
    let limit = check.resources.memory.unwrap_or(usize::MAX);
    match size {
        Some(size) if size >= limit => {
            Err("the bits of --bitstate do not fit into the memory of --memory".to_owned())
        }
        _ => Ok(Some(Lossy::BitState(size.unwrap_or(BITSTATE.min(limit / 2))))),
    }
}

/// What an unfinished or lossy search can say for certain, or about. `distances` says
/// whether it kept the distances between states.
pub fn covered(search: &Search, distances: bool) -> Option<String> {
    if let (Some(share), None) = (search.covered, search.stopped) {
        let share = percentage(share);
        return Some(format!("no violation found; {share} of the states were covered"));
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
