//! A network within a budget: what runs away is given to somebody else.
//!
//! A variable that is a component of its own knows nothing of the conditions under which it
//! is written, so that a counter can run to the end of its type. If one process alone writes
//! it, it is given to that process, which does know them. A channel with very many contents is
//! cut into its slots.

use crate::build::{Components, build};
use crate::closure::{Budget, Closure, Overrun, close};
use crate::cut::{Cut, PartId, Role};
use crate::own::Manner;
use crate::refusal::{Refusal, Why};
use crate::support::{Item, items_of};
use crate::watch::{Property, goes_on_after_the_end};
use resy_system::{Interpreter, Monitor, SourcePlace};
use rustc_hash::{FxHashMap, FxHashSet};

/// A shared variable with more values than this is given to its only writer, if it has one.
const MANY_VALUES: usize = 64;

/// A channel with more contents than this is cut into pieces.
const MANY_CONTENTS: usize = 1_000;

/// What a network is asked for.
pub struct Asked {
    /// How it is cut.
    pub manner: Manner,
    /// The claims that are watched.
    pub monitors: Vec<Monitor>,
    /// The properties of its monitor.
    pub properties: Vec<Property>,
    /// How large it may become.
    pub budget: Budget,
}

/// Why there is no network.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The program is out of reach.
    Refused(Refusal),
    /// A component is too large.
    TooLarge {
        /// The component.
        component: String,
        /// How many local states it had.
        n_states: usize,
        /// How many labels there were.
        n_labels: usize,
        /// What drives its size: the variable with the most values, and how many.
        driver: Option<(String, usize)>,
        /// What there was too much of.
        overrun: Overrun,
    },
}

/// The components of a program.
pub fn components<'a>(
    interpreter: &Interpreter<'a>,
    asked: &Asked,
    go_on: &mut dyn FnMut(&Closure<'_>) -> bool,
) -> Result<(Cut<'a>, Components), Failure> {
    let mut manner = asked.manner.clone();
    // Given away once, and back again: it was no help.
    let mut kept = FxHashSet::default();
    loop {
        let cut = Cut::of(interpreter.clone(), asked.monitors.clone(), &manner)
            .map_err(Failure::Refused)?;
        let limits = limits(&cut, &kept);
        let (closure, overrun) = close(&cut, asked.budget, &limits, go_on);
        let Some(overrun) = overrun else {
            if let Some(claim) = goes_on_after_the_end(&cut, &closure, &asked.properties) {
                let (why, source) = (Why::AfterTheEnd(claim), SourcePlace::default());
                return Err(Failure::Refused(Refusal { why, source }));
            }
            let components = build(&cut, &closure, &asked.properties);
            drop(closure);
            return Ok((cut, components));
        };
        match remedy(&cut, &overrun, &limits) {
            Some(Remedy::Cut(chan)) => manner.rings.push(chan),
            Some(Remedy::Give(item, writer)) => manner.given.push((item, writer)),
            None => match take_back(&cut, &overrun, &mut manner) {
                Some(item) => {
                    kept.insert(item);
                }
                None => return Err(too_large(&cut, &closure, overrun)),
            },
        }
    }
}

/// What can be done about a component that runs away.
enum Remedy {
    /// Cut the channel into pieces.
    Cut(usize),
    /// Give the variable to its only writer.
    Give(Item, usize),
}

/// Variables that could be given to their only writer, and channels, which could be cut, are
/// tried with a smaller limit.
fn limits(cut: &Cut<'_>, kept: &FxHashSet<Item>) -> FxHashMap<PartId, usize> {
    let shared = cut.parts.iter_enumerated().filter_map(|(part, _)| {
        let item = only_item(cut, part).filter(|item| !kept.contains(item))?;
        match item {
            Item::Channel(_) => Some((part, MANY_CONTENTS)),
            _ => only_writer(cut, item).map(|_| (part, MANY_VALUES)),
        }
    });
    shared.collect()
}

/// What a component consists of, if it is one shared variable or channel.
fn only_item(cut: &Cut<'_>, id: PartId) -> Option<Item> {
    let part = &cut.parts[id];
    match (part.process, part.role, &part.cells[..], &part.channels[..]) {
        (None, Role::Plain, [cell], []) => Some(Item::Cell(*cell)),
        (None, Role::Plain, [], [chan]) => Some(Item::Channel(*chan)),
        _ => None,
    }
}

fn only_writer(cut: &Cut<'_>, item: Item) -> Option<usize> {
    match cut.users.get(&item)?.writers[..] {
        [pid] => Some(pid),
        _ => None,
    }
}

fn remedy(cut: &Cut<'_>, overrun: &Overrun, limits: &FxHashMap<PartId, usize>) -> Option<Remedy> {
    let Overrun::States(part) = overrun else {
        return None;
    };
    limits.get(part)?;
    match only_item(cut, *part)? {
        Item::Channel(chan) => Some(Remedy::Cut(chan)),
        item => Some(Remedy::Give(item, only_writer(cut, item)?)),
    }
}

/// What a process was given and cannot cope with.
fn take_back(cut: &Cut<'_>, overrun: &Overrun, manner: &mut Manner) -> Option<Item> {
    let (Overrun::States(part) | Overrun::Labels(part) | Overrun::Attempts(part)) = overrun else {
        return None;
    };
    let pid = cut.parts[*part].process?;
    let position = manner.given.iter().rposition(|&(_, owner)| owner == pid)?;
    Some(manner.given.remove(position).0)
}

fn too_large(cut: &Cut<'_>, closure: &Closure<'_>, overrun: Overrun) -> Failure {
    let part = match overrun {
        Overrun::States(part) | Overrun::Labels(part) | Overrun::Attempts(part) => part,
        Overrun::Stopped => {
            let largest = cut.parts.ids().max_by_key(|&p| closure.tables[p].states.len());
            largest.unwrap_or(cut.processes[0])
        }
    };
    let table = &closure.tables[part];
    let items = items_of(&cut.parts[part], cut);
    let counts = items.iter().enumerate().map(|(position, &item)| {
        let values: FxHashSet<i32> =
            table.states.iter().map(|&state| table.value(state)[position]).collect();
        (values.len(), item)
    });
    let driver = counts.max_by_key(|&(count, _)| count).map(|(count, item)| {
        let name = match item {
            Item::Cell(cell) => cut.cell_name(cell),
            Item::Channel(chan) => cut.channel_name(chan),
            Item::Process(_) => "its location".to_owned(),
            Item::Last => "_last".to_owned(),
        };
        (name, count)
    });
    Failure::TooLarge {
        component: cut.parts[part].name.clone(),
        n_states: table.states.len(),
        n_labels: closure.classes.len(),
        driver,
        overrun,
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::TooLarge { component, n_states, n_labels, driver, overrun } = self else {
            let Self::Refused(refusal) = self else { return Ok(()) };
            return refusal.fmt(f);
        };
        let what = match overrun {
            Overrun::States(_) => "has too many local states",
            Overrun::Labels(_) => "takes part in too many labels",
            Overrun::Attempts(_) => "takes too many steps to explore",
            Overrun::Stopped => "was the largest when time or memory ran out",
        };
        write!(f, "component `{component}` {what}: {n_states} states, {n_labels} labels so far")?;
        match driver {
            Some((name, count)) if *count > 1 => {
                write!(f, "; its size is driven by `{name}`, with {count} values")
            }
            _ => Ok(()),
        }
    }
}
