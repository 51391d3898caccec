//! Why a program has no network, with the variable to blame.

use crate::closure::{Closure, Overrun};
use crate::cut::refusal::CutRefusal;
use crate::cut::support::{Item, items_of};
use crate::cut::{Cut, PartId};
use rustc_hash::FxHashSet;

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

/// For each position of a component's local states, the number of different values.
pub(super) fn n_values(cut: &Cut<'_>, closure: &Closure<'_>, part: PartId) -> Vec<(usize, Item)> {
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
        let labels = if *n_labels == 1 { "label" } else { "labels" };
        write!(f, "component `{component}` {what}: {n_states} states, {n_labels} {labels} so far")?;
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
