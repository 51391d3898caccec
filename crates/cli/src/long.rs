//! Options for long runs: checkpoints, and searches that may miss states.

use crate::args::Check;
use crate::properties::Selection;
use resy_engine::search::{Identity, Keeper, Lossy, Search, Stopped};
use resy_system::System;
use std::time::Duration;

/// The size of the field of bits, unless another is asked for.
const BITSTATE: usize = 128 << 20;

/// Who saves the search, if it is to be saved.
pub fn keeper(
    check: &Check,
    system: &System,
    reduced: &System,
    selection: &Selection,
) -> Result<Option<Keeper>, String> {
    let Some(folder) = check.checkpoint.as_ref().or(check.resume.as_ref()) else {
        return Ok(None);
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
    let identity = identity(check, system, reduced, selection);
    let keeper = match check.resume {
        Some(_) => Keeper::open(folder, identity, every),
        None => Keeper::create(folder, identity, every),
    };
    let name = folder.display();
    keeper.map(Some).map_err(|error| format!("the checkpoint in {name} cannot be used: {error}"))
}

/// What a search that goes on must have in common with the one that was saved.
fn identity(check: &Check, system: &System, reduced: &System, selection: &Selection) -> Identity {
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
        (check.no_por, "--no-por"),
        (check.shortest, "--shortest"),
        (check.exhaustive, "--exhaustive"),
        (check.interpret, "--interpret"),
    ];
    Identity::default()
        .fact("version of resy", env!("CARGO_PKG_VERSION"))
        .fact("list of properties", names.join(" "))
        .fact("semantics", words(&semantics))
        .fact("list of options", words(&switches))
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
    let limit = check.memory.unwrap_or(usize::MAX);
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
