//! Bounds of counters, by what each process can add.
//!
//! A counter that many processes write is a component of its own. It does not know where they are, so that its values
//! run to the end of its type. But its value is the initial one plus what each process has added so far, and a process
//! has added at most what the heaviest path through its local states adds. So the counter is bounded by an
//! interval, which begins with the initial value and becomes wider until these paths stay within it. Then it is an
//! invariant: as long as all values are in the interval, the closure has all local paths, and these lead to no other value.
//!
//! A step that leads beyond the interval becomes an error of the network, as with [`occur`](crate::occur). The program
//! takes no such step. States need not be enumerated: thirteen processes and one counter have millions.

use crate::build::taking_part;
use crate::closure::{Closure, StepClass};
use crate::cut::counter::change;
use crate::cut::{Cut, PartId, Role};
use crate::step::request::{Exchange, Request};
use resy_system::Cell;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A counter with more values is not bounded.
const MOST_VALUES: i64 = 4_096;

/// It is not bounded either if following the paths of one process takes more steps.
const MOST_STEPS: usize = 10_000_000;

/// The values between two numbers, both included.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub low: i64,
    pub high: i64,
}

impl Interval {
    /// One value.
    pub fn single(value: i32) -> Self {
        Self { low: value.into(), high: value.into() }
    }

    /// Whether all values of the other one are in this one.
    pub fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The smallest interval with the values of both.
    pub fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The local states of a counter with these values.
    pub fn local_states(self) -> FxHashSet<Box<[i32]>> {
        (self.low..=self.high).map(|value| [value as i32].into()).collect()
    }

    fn shifted(self, by: i64) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }

    fn is_short(self) -> bool {
        self.high - self.low < MOST_VALUES
    }
}

/// The value of a counter after the start.
pub(crate) fn first_value(cut: &Cut<'_>, cell: Cell) -> i32 {
    match cell {
        Cell::Global(offset) => cut.initial.globals(cut.system())[offset as usize],
        Cell::Local(..) => 0,
    }
}

/// The values of a counter, if each process takes any path through its local states. `None` if they are very many, if
/// they are not all of its type, or if a step does anything else than add a number.
pub(crate) fn values(cut: &Cut<'_>, closure: &Closure<'_>, cell: Cell) -> Option<Interval> {
    let Cell::Global(offset) = cell else { return None };
    let mut values = Interval::single(first_value(cut, cell));
    for &part in &cut.processes {
        let added = added(closure, part, cell)?;
        values = Interval { low: values.low + added.low, high: values.high + added.high };
    }
    let ty = cut.system().globals.cells[offset as usize];
    let is_of_type = |value: i64| i32::try_from(value).is_ok_and(|v| ty.truncate(v) == v);
    (values.is_short() && is_of_type(values.low) && is_of_type(values.high)).then_some(values)
}

/// What a process adds to a counter on all paths through its local states.
fn added(closure: &Closure<'_>, part: PartId, cell: Cell) -> Option<Interval> {
    let mut steps: FxHashMap<u32, Vec<(u32, i64)>> = FxHashMap::default();
    let mut adds = false;
    for class in closure.classes.iter().filter(|class| class.offer.is_none()) {
        let change = added_by(closure, class, part, cell)?;
        adds |= change != 0;
        let own = taking_part(closure, class).into_iter().filter(|(other, _)| *other == part);
        for (start, end) in own.flat_map(|(_, moves)| moves) {
            steps.entry(start).or_default().push((end, change));
        }
    }
    if !adds {
        return Some(Interval::single(0));
    }
    let &first = closure.tables[part].states.first()?;
    let mut found = FxHashMap::from_iter([(first, Interval::single(0))]);
    let mut todo = vec![first];
    let mut n_steps = 0;
    while let Some(state) = todo.pop() {
        let here = found[&state];
        let steps = steps.get(&state).map_or(&[][..], Vec::as_slice);
        n_steps += steps.len();
        // On a cycle that adds, there is no end.
        if !here.is_short() || n_steps > MOST_STEPS {
            return None;
        }
        for &(end, change) in steps {
            let there = here.shifted(change);
            let wider = found.get(&end).map_or(there, |known| known.join(there));
            if found.insert(end, wider) != Some(wider) {
                todo.push(end);
            }
        }
    }
    found.into_values().reduce(Interval::join)
}

/// What a process adds to a counter in a step, as its driver or as a sender. `None` if it writes it in another way.
fn added_by(closure: &Closure<'_>, class: &StepClass, part: PartId, cell: Cell) -> Option<i64> {
    let mut added = 0;
    for stage in [class].into_iter().chain(closure.senders(class.sender)) {
        if stage.part == part {
            // The exchanges of a stage begin with those of its sender.
            let before = closure.senders(stage.sender).next();
            let before = before.map_or(Some(0), |sender| added_in(&sender.log, cell))?;
            added += added_in(&stage.log, cell)? - before;
        }
    }
    Some(added)
}

/// What these exchanges add to a counter.
fn added_in(log: &[Rc<Exchange>], cell: Cell) -> Option<i64> {
    let mut added = 0;
    for exchange in log {
        match &exchange.request {
            Request::Compute(other, _, value) if *other == cell => {
                added += i64::from(change(value)?);
            }
            Request::Store(other, _) if *other == cell => return None,
            _ => {}
        }
    }
    Some(added)
}

impl Cut<'_> {
    /// The counter that is all of a component, if processes only add to it.
    pub(crate) fn lone_counter(&self, part: PartId) -> Option<Cell> {
        let part = &self.parts[part];
        match (part.process, part.role, &part.cells[..], &part.channels[..]) {
            (None, Role::Plain, &[cell], []) => self.is_only_added_to(cell).then_some(cell),
            _ => None,
        }
    }
}
