//! The network of a program within a budget: the loop that changes the cut.
//!
//! A variable that is a component of its own does not know the conditions under which it is
//! written, so that a counter can run to the end of its type. If only one process writes it, that
//! process becomes its owner and does know them. A channel with very many contents is split into
//! its slots. A process whose variables have very many values together loses one of them, which
//! becomes a component of its own; if that creates very many labels, the process gets it back and
//! may grow up to the budget.
//!
//! Tried and dropped: to take several variables from a process at once. Every step that reads them
//! then has a label for each combination of their values, and there were more labels than there had
//! been local states.

use crate::build::monitor::WatchedProperty;
use crate::build::{Components, build};
use crate::closure::{Budget, Closure, GoOn, Overrun, close_within};
use crate::cut::own::Manner;
use crate::cut::refusal::{CutObstacle, CutRefusal};
use crate::cut::support::{Item, items_of};
use crate::cut::{Cut, Home, PartId, ProcessSlot, Role, SharedCounter};
use crate::occur::{bounds, late_processes, occurring};
use crate::step::script;
use resy_system::{Cell, ClaimMonitor, Interpreter, SourcePlace, State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A shared variable with more values is given to its only writer, if it has one.
const MANY_VALUES: usize = 64;

/// A channel with more contents is split into pieces.
const MANY_CONTENTS: usize = 1_000;

/// A process with more local states loses a variable, if it has one.
const MANY_STATES: usize = 40_000;

/// A process that has lost a variable gets it back if there are more labels than this. A label has
/// transitions in all participants and costs more than ten states.
const MANY_LABELS: usize = MANY_STATES / 10;

/// If a closure takes more attempts than this, and four for each local state, the states of the program are tried. If
/// they are many, `timeout` is allowed to hold at any time: asking every process whether it can move costs an attempt
/// for each combination of replies.
const MANY_ATTEMPTS: usize = 100_000;

/// A counter is not split if a share exceeds this value: its values would all occur in labels.
const LARGE_SHARE: u32 = 4;

/// What to build: the options of [`components`].
pub struct NetworkSpec {
    /// The options of the first cut.
    pub manner: Manner,
    /// The claims to watch.
    pub monitors: Vec<ClaimMonitor>,
    /// The properties that the monitor watches.
    pub properties: Vec<WatchedProperty>,
    /// The limits on its size.
    pub budget: Budget,
}

/// Why a program has no network.
#[derive(Clone, Debug)]
pub enum NoNetwork {
    /// The program cannot be cut.
    Refused(CutRefusal),
    /// A component is too large.
    TooLarge {
        /// The component.
        component: String,
        /// The number of its local states so far.
        n_states: usize,
        /// The number of labels so far.
        n_labels: usize,
        /// What has the most values, and so drives the size.
        driver: Option<SizeDriver>,
        /// The limit that was exceeded.
        overrun: Overrun,
    },
}

/// The components of a program: cut, close, and cut again if a component grows too large.
pub fn components<'a>(
    interpreter: &Interpreter<'a>,
    asked: &NetworkSpec,
    go_on: &mut GoOn<'_>,
) -> Result<(Cut<'a>, Components), NoNetwork> {
    let mut manner = asked.manner.clone();
    // Items whose owner is not changed any more: a change of owner did not help, or they must stay
    // apart.
    let mut kept: FxHashSet<Item> = manner.apart.iter().map(|&cell| Item::Cell(cell)).collect();
    // Processes that may grow up to the budget.
    let mut bare = FxHashSet::default();
    let asks_timeout = asks_timeout(interpreter.system());
    // The states of the program: `None` before they were tried.
    let mut occurs: Option<Option<Vec<State>>> = None;
    // The variables that processes have lost.
    let mut lost: Vec<(PartId, Vec<Cell>)> = Vec::new();
    loop {
        let cut =
            Cut::of_while(interpreter.clone(), asked.monitors.clone(), &manner, &mut || go_on(0));
        let cut = match cut {
            Err(CutRefusal { why: CutObstacle::LateRun, source }) if occurs.is_none() => {
                let late = late(interpreter, asked.budget.labels, go_on);
                let (slots, states) = late.map_err(|why| refused(why, source))?;
                (manner.slots, manner.within) = (slots, states.is_some());
                occurs = Some(states);
                continue;
            }
            cut => cut.map_err(NoNetwork::Refused)?,
        };
        if manner.within && occurs.is_none() {
            let states =
                occurring(interpreter, cut.initial.clone(), asked.budget.labels, &mut || go_on(0));
            manner.within = states.is_some();
            occurs = Some(states);
        }
        let bounds = match &occurs {
            Some(Some(states)) if manner.within => Some(bounds(&cut, states)),
            _ => None,
        };
        let limits = match bounds {
            Some(_) => FxHashMap::default(),
            None => limits(&cut, &kept, &bare),
        };
        // Large shares do not help: all their values occur in labels.
        let (mut large, mut crowded, mut strained) = (None, false, false);
        let mut n_seen = FxHashMap::default();
        let judge = &mut |closure: &Closure<'_>| {
            let mut sums = cut.sums.iter();
            large = sums.position(|sum| has_large_share(&cut, closure, sum, &mut n_seen));
            crowded = !lost.is_empty() && closure.classes.len() > MANY_LABELS;
            strained = (occurs.is_none() || asks_timeout && !manner.loose)
                && closure.n_attempts() > MANY_ATTEMPTS + 4 * closure.n_states();
            large.is_none() && !crowded && !strained
        };
        let (closure, overrun) =
            close_within(&cut, asked.budget, &limits, bounds.as_ref(), judge, go_on);
        let is_stopped = overrun == Some(Overrun::Stopped);
        if crowded && let Some((process, cells)) = lost.pop() {
            manner.apart.retain(|cell| !cells.contains(cell));
            bare.insert(process);
            continue;
        }
        if let Some(position) = large {
            kept.insert(Item::Cell(manner.sums.remove(position)));
            continue;
        }
        let remedy = overrun.as_ref().and_then(|o| remedy(&cut, &closure, o, &limits, &manner));
        if occurs.is_none() && (strained || overrun.is_some() && !is_stopped && remedy.is_none()) {
            let states =
                occurring(interpreter, cut.initial.clone(), asked.budget.labels, &mut || go_on(0));
            if states.is_some() {
                let (strict, apart) = (asked.manner.strict, asked.manner.apart.clone());
                manner = Manner { strict, apart, within: true, ..Manner::default() };
            }
            occurs = Some(states);
            continue;
        }
        if strained {
            manner.loose = true;
            continue;
        }
        let Some(overrun) = overrun else {
            let n_states = closure.n_states();
            let built = build(&cut, &closure, &asked.properties, &mut || go_on(n_states));
            let Some(components) = built else {
                return Err(too_large(&cut, &closure, Overrun::Stopped));
            };
            drop(closure);
            return Ok((cut, components));
        };
        match remedy {
            Some(Remedy::Cut(chan)) => manner.rings.push(chan),
            Some(Remedy::Give(item, writer)) => manner.given.push((item, writer)),
            Some(Remedy::Share(cell)) => manner.sums.push(cell),
            Some(Remedy::Unshare(position)) => {
                kept.insert(Item::Cell(manner.sums.remove(position)));
            }
            Some(Remedy::TakeBack(position)) => {
                kept.insert(manner.given.remove(position).0);
            }
            Some(Remedy::Part(process, cells)) => {
                // A lost variable is not given back one cell at a time.
                kept.extend(cells.iter().map(|&cell| Item::Cell(cell)));
                manner.apart.extend(&cells);
                lost.push((process, cells));
            }
            Some(Remedy::GoOn(part)) => {
                bare.insert(part);
            }
            None => return Err(too_large(&cut, &closure, overrun)),
        }
    }
}

fn refused(why: CutObstacle, source: SourcePlace) -> NoNetwork {
    NoNetwork::Refused(CutRefusal { why, source })
}

/// Places for the processes of a program that are created late, and all its states, if they are few.
fn late(
    interpreter: &Interpreter<'_>,
    most: usize,
    go_on: &mut GoOn<'_>,
) -> Result<(Vec<ProcessSlot>, Option<Vec<State>>), CutObstacle> {
    let initial = interpreter.initial().map_err(CutObstacle::BadStart)?;
    let late = late_processes(interpreter, initial, most, &mut || go_on(0));
    match late.slots {
        _ if !go_on(0) => Err(CutObstacle::Stopped),
        Some(slots) if !slots.is_empty() => Ok((slots, late.states)),
        Some(_) => Err(CutObstacle::LateRun),
        None => Err(CutObstacle::ManyProcesses),
    }
}

/// Whether some process of the system evaluates `timeout`.
pub fn asks_timeout(system: &System) -> bool {
    system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()).any(script::asks_timeout)
}

/// A change of the cut for a component that grows too large.
enum Remedy {
    /// Split the channel into pieces.
    Cut(usize),
    /// Give the item to its only writer.
    Give(Item, usize),
    /// Split the counter into shares of its writers.
    Share(Cell),
    /// Undo the split of the counter at this position of the list.
    Unshare(usize),
    /// Undo the transfer at this position of the list.
    TakeBack(usize),
    /// Make these cells of a process components of their own.
    Part(PartId, Vec<Cell>),
    /// Let the component grow up to the budget.
    GoOn(PartId),
}

/// The smaller limits under which variables that could be given to their only writer, channels that
/// could be split, and processes that could lose a variable are tried.
fn limits(
    cut: &Cut<'_>,
    kept: &FxHashSet<Item>,
    bare: &FxHashSet<PartId>,
) -> FxHashMap<PartId, usize> {
    let limited = cut.parts.iter_enumerated().filter_map(|(part, described)| {
        if described.process.is_some() && !bare.contains(&part) {
            return Some((part, MANY_STATES));
        }
        let item = only_item(cut, part).filter(|item| !kept.contains(item))?;
        match item {
            Item::Channel(_) => Some((part, MANY_CONTENTS)),
            Item::Cell(cell) if cut.is_counter(cell) => Some((part, MANY_VALUES)),
            _ => only_writer(cut, item).map(|_| (part, MANY_VALUES)),
        }
    });
    limited.collect()
}

/// The only item of a component that is one shared variable or channel.
fn only_item(cut: &Cut<'_>, id: PartId) -> Option<Item> {
    let part = &cut.parts[id];
    match (part.process, part.role, &part.cells[..], &part.channels[..]) {
        (None, Role::Plain, [cell], []) => Some(Item::Cell(*cell)),
        (None, Role::Plain, [], [chan]) => Some(Item::Channel(*chan)),
        _ => None,
    }
}

/// Whether some share of a counter is large. `n_seen` has the number of local states that were seen before, for
/// each share.
fn has_large_share(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    sum: &SharedCounter,
    n_seen: &mut FxHashMap<Cell, usize>,
) -> bool {
    sum.shares.iter().any(|&share| match cut.home(share) {
        Home::At(part, position) => {
            let table = &closure.tables[part];
            let n_before = n_seen.insert(share, table.states.len()).unwrap_or(0);
            let new = table.states[n_before..].iter();
            let mut values = new.map(|&s| table.value(s)[position as usize]);
            values.any(|value| value.unsigned_abs() > LARGE_SHARE)
        }
        _ => false,
    })
}

fn only_writer(cut: &Cut<'_>, item: Item) -> Option<usize> {
    match cut.users.get(&item)?.writers[..] {
        [pid] => Some(pid),
        _ => None,
    }
}

impl Cut<'_> {
    /// Whether these options are admissible for the program of this plain cut. Options that
    /// [`components`] has returned always are.
    pub fn permits(&self, manner: &Manner) -> bool {
        let is_cell = |cell: &Cell| match *cell {
            Cell::Global(offset) => (offset as usize) < self.globals.len(),
            Cell::Local(pid, offset) => {
                let cells = self.locals.get(pid as usize).map_or(&[][..], Vec::as_slice);
                matches!(cells.get(offset as usize), Some(Home::At(..)))
            }
        };
        let is_buffer = |&chan: &usize| {
            let channel = self.channels.get(chan);
            channel.is_some_and(|c| self.system().channel_types[c.ty].capacity > 0)
        };
        let is_given = |&(item, pid): &(Item, usize)| only_writer(self, item) == Some(pid);
        manner.rings.iter().all(is_buffer)
            && manner.sums.iter().all(|cell| is_cell(cell) && self.is_counter(*cell))
            && manner.apart.iter().all(is_cell)
            && manner.given.iter().all(is_given)
            && is_each_once(&manner.rings)
            && is_each_once(&manner.sums)
            && is_each_once(&manner.apart)
    }
}

fn is_each_once<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}

fn remedy(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    overrun: &Overrun,
    limits: &FxHashMap<PartId, usize>,
    manner: &Manner,
) -> Option<Remedy> {
    let Overrun::States(part) = *overrun else {
        return None;
    };
    limits.get(&part)?;
    match (cut.parts[part].process, only_item(cut, part)) {
        (Some(pid), _) => {
            let given = manner.given.iter().rposition(|&(_, owner)| owner == pid);
            let shared = manner.sums.iter().rposition(|&counter| {
                let counts = |cell: &Cell| cut.counter_of(*cell) == Some(counter);
                cut.parts[part].cells.iter().any(counts)
            });
            let cells = || largest_variable(cut, closure, part);
            Some(match (given, shared) {
                (Some(position), _) => Remedy::TakeBack(position),
                (None, Some(position)) => Remedy::Unshare(position),
                (None, None) => match cells() {
                    Some(cells) => Remedy::Part(part, cells),
                    None => Remedy::GoOn(part),
                },
            })
        }
        (None, Some(Item::Channel(chan))) => Some(Remedy::Cut(chan)),
        (None, Some(Item::Cell(cell))) if cut.is_counter(cell) => Some(Remedy::Share(cell)),
        (None, Some(item)) => Some(Remedy::Give(item, only_writer(cut, item)?)),
        (None, None) => None,
    }
}

/// The cells of the variable that multiplies a process's states the most. Several variables at once
/// would be too many: every step that reads them would have a label for each combination of values.
fn largest_variable(cut: &Cut<'_>, closure: &Closure<'_>, part: PartId) -> Option<Vec<Cell>> {
    let mut variables: BTreeMap<(bool, u32), (f64, Vec<Cell>)> = BTreeMap::new();
    for (count, item) in n_values(cut, closure, part) {
        if let Item::Cell(cell) = item
            && count > 1
        {
            let (is_global, offset) = match cell {
                Cell::Global(offset) => (true, offset),
                Cell::Local(_, offset) => (false, offset),
            };
            let first = cut.variable(cell).map_or(offset, |variable| variable.offset);
            let (size, cells) = variables.entry((is_global, first)).or_default();
            *size += (count as f64).ln();
            cells.push(cell);
        }
    }
    let largest = variables.into_values().max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map(|(_, cells)| cells)
}

/// For each position of a component's local states, the number of different values.
fn n_values(cut: &Cut<'_>, closure: &Closure<'_>, part: PartId) -> Vec<(usize, Item)> {
    let table = &closure.tables[part];
    let items = items_of(&cut.parts[part], cut).into_iter().enumerate();
    let counts = items.map(|(position, item)| {
        let values: FxHashSet<i32> =
            table.states.iter().map(|&state| table.value(state)[position]).collect();
        (values.len(), item)
    });
    counts.collect()
}

/// The component that exceeded a limit, and the variable that drives its size.
pub fn too_large(cut: &Cut<'_>, closure: &Closure<'_>, overrun: Overrun) -> NoNetwork {
    let part = match overrun {
        Overrun::States(part) | Overrun::Labels(part) | Overrun::Attempts(part) => part,
        Overrun::Stopped => {
            let largest = cut.parts.ids().max_by_key(|&p| closure.tables[p].states.len());
            largest.unwrap_or(cut.processes[0])
        }
    };
    let table = &closure.tables[part];
    let counts = n_values(cut, closure, part).into_iter();
    let driver = counts.max_by_key(|&(count, _)| count).map(|(count, item)| {
        let is_variable = matches!(item, Item::Cell(_));
        let name = match item {
            Item::Cell(cell) => cut.cell_name(cell),
            Item::Channel(chan) => cut.channel_name(chan),
            Item::Process(_) => "its location".to_owned(),
            Item::Last => "_last".to_owned(),
        };
        SizeDriver { name, count, is_variable }
    });
    NoNetwork::TooLarge {
        component: cut.parts[part].name.clone(),
        n_states: table.states.len(),
        n_labels: closure.classes.len(),
        driver,
        overrun,
    }
}

/// The part of a component's local state that has the most values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeDriver {
    /// Its name.
    pub name: String,
    /// How many values it has.
    pub count: usize,
    /// Whether it is a variable, which can be declared narrower.
    pub is_variable: bool,
}

impl std::fmt::Display for NoNetwork {
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
            Some(SizeDriver { name, count, is_variable }) if *count > 1 => {
                write!(f, "; its size is driven by `{name}`, with {count} values")?;
                match name.rsplit('.').next() {
                    Some(variable) if *is_variable => {
                        write!(f, " (declared as `unsigned {variable} : 2` it would have 4)")
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
