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

mod permitted;
mod remedy;
mod together;
mod too_large;

pub use too_large::{NoNetwork, too_large};

use crate::build::monitor::WatchedProperty;
use crate::build::{Components, build};
use crate::closure::{Budget, Closure, GoOn, Overrun, close_within};
use crate::counted::{self, Interval};
use crate::cut::own::Manner;
use crate::cut::refusal::{CutObstacle, CutRefusal};
use crate::cut::support::Item;
use crate::cut::{Cut, PartId};
use crate::occur::{
    Bounds, LateStates, LocalStates, NoSource, StateSource, bounds, late_processes, occurring,
};
use crate::step::script;
use remedy::{MANY_STATES, MANY_VALUES, Remedy, has_large_share, limits, remedy};
use resy_system::{Cell, ClaimMonitor, Interpreter, SourcePlace, State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use together::read_together;

/// A process that has lost a variable gets it back if there are more labels than this. A label has
/// transitions in all participants and costs more than ten states.
const MANY_LABELS: usize = MANY_STATES / 10;

/// If a closure has more local states than this, or takes more attempts than this and four for each local state, the
/// states of the program are tried. (Not earlier: a component that is bounded has a larger requirement, because no step
/// may lead beyond the bounds.) If they are many, `timeout` is allowed to hold at any time: asking every process whether
/// it can move costs an attempt for each combination of replies.
const MANY_ATTEMPTS: usize = 100_000;

/// If it takes even more, a faster enumeration of the states is tried, which may take seconds.
const VERY_MANY_ATTEMPTS: usize = 1_000_000;

/// The same if it has more local states: with what waits for them, they take hundreds of megabytes.
const VERY_MANY_STATES: usize = 250_000;

/// If the states of the program are many, a counter with more values is bounded by what its writers can add.
const MANY_COUNTS: usize = 1_000;

/// If there are more labels than this part of the budget, one process may own all the variables that it reads together.
const LABELS_READ_TOGETHER: usize = 10;

/// Looking at all labels takes as long as many attempts.
const LABELS_ARE_READ_EVERY: usize = 1 << 12;

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

/// The components of a program: cut, close, and cut again if a component grows too large.
pub fn components<'a>(
    interpreter: &Interpreter<'a>,
    asked: &NetworkSpec,
    go_on: &mut GoOn<'_>,
) -> Result<(Cut<'a>, Components), NoNetwork> {
    components_with(interpreter, asked, &mut NoSource, go_on)
}

/// Like [`components`], with a faster way to enumerate the states of the program.
pub fn components_with<'a>(
    interpreter: &Interpreter<'a>,
    asked: &NetworkSpec,
    source: &mut dyn StateSource,
    go_on: &mut GoOn<'_>,
) -> Result<(Cut<'a>, Components), NoNetwork> {
    let mut recut = Recut {
        interpreter,
        asked,
        manner: asked.manner.clone(),
        kept: asked.manner.apart.iter().map(|&cell| Item::Cell(cell)).collect(),
        bare: FxHashSet::default(),
        lost: Vec::new(),
        asks_timeout: asks_timeout(interpreter.system()),
        occurs: Occurs::Untried,
        counted: BTreeMap::new(),
        together: false,
        source,
    };
    loop {
        if let Some(found) = recut.attempt(go_on)? {
            return Ok(found);
        }
    }
}

/// The changes of the cut so far.
struct Recut<'r, 'a> {
    interpreter: &'r Interpreter<'a>,
    asked: &'r NetworkSpec,
    manner: Manner,
    /// Items whose owner is not changed any more: a change of owner did not help, or they must stay
    /// apart.
    kept: FxHashSet<Item>,
    /// Processes that may grow up to the budget.
    bare: FxHashSet<PartId>,
    /// The variables that processes have lost.
    lost: Vec<(PartId, Vec<Cell>)>,
    asks_timeout: bool,
    occurs: Occurs,
    /// Counters that were to be bounded by what their writers can add; `None` if that has no bound.
    counted: BTreeMap<Cell, Option<Interval>>,
    /// Whether a process was given the variables that it reads together.
    together: bool,
    source: &'r mut dyn StateSource,
}

/// What is known of the states of the program.
enum Occurs {
    Untried,
    /// They are few.
    Listed(Vec<State>),
    /// They are too many for the interpreter; the source has not been asked.
    Many,
    /// The source has all of them.
    InSource,
    /// They are too many.
    TooMany,
}

/// Why a closure was ended although it is within the budget.
enum Complaint {
    /// The counter at this position of the list has a large share.
    LargeShare(usize),
    /// There are too many labels since a process has lost a variable.
    Crowded,
    /// It takes too many attempts.
    Strained,
    /// This counter has very many values.
    Counts(Cell),
    /// This process has very many labels, because it reads these variables together.
    ReadsTogether(PartId, Vec<Cell>),
}

impl<'a> Recut<'_, 'a> {
    /// One attempt; `None` if the cut was changed.
    fn attempt(
        &mut self,
        go_on: &mut GoOn<'_>,
    ) -> Result<Option<(Cut<'a>, Components)>, NoNetwork> {
        let Some(cut) = self.cut(go_on)? else { return Ok(None) };
        let bounds = self.bounds(&cut, go_on);
        let limits = match bounds {
            Some(_) if !self.counts() => FxHashMap::default(),
            _ => limits(&cut, &self.kept, &self.bare),
        };
        let mut complaint = None;
        let mut n_seen = FxHashMap::default();
        let judge = &mut |closure: &Closure<'_>| {
            complaint = self.complaint(&cut, closure, &mut n_seen);
            complaint.is_none()
        };
        let (closure, overrun) =
            close_within(&cut, self.asked.budget, &limits, bounds.as_ref(), judge, go_on);
        if let Some(complaint) = complaint {
            // The states of the program need its memory.
            drop(closure);
            self.heed(complaint, &cut, go_on);
            return Ok(None);
        }
        let remedy =
            overrun.as_ref().and_then(|o| remedy(&cut, &closure, o, &limits, &self.manner));
        match (overrun, remedy) {
            (None, _) => {}
            (Some(_), Some(remedy)) => {
                self.mend(remedy);
                return Ok(None);
            }
            (Some(overrun), None) => {
                let why = too_large(&cut, &closure, overrun.clone());
                let counter = self.largest_counter(&cut, &closure);
                drop(closure);
                return match counter {
                    _ if overrun == Overrun::Stopped => Err(why),
                    Some((_, cell)) => {
                        self.count(&cut, cell);
                        Ok(None)
                    }
                    None if self.enumerates(&cut, go_on) => Ok(None),
                    None => Err(why),
                };
            }
        }
        if self.counts_more(&cut, &closure) {
            return Ok(None);
        }
        let n_states = closure.n_states();
        let built = build(&cut, &closure, &self.asked.properties, &mut || go_on(n_states));
        let Some(components) = built else {
            return Err(too_large(&cut, &closure, Overrun::Stopped));
        };
        drop(closure);
        Ok(Some((cut, components)))
    }

    /// Changes what a complaint is about.
    fn heed(&mut self, complaint: Complaint, cut: &Cut<'_>, go_on: &mut GoOn<'_>) {
        match complaint {
            Complaint::LargeShare(position) => self.unshare(position),
            Complaint::Counts(cell) => self.count(cut, cell),
            Complaint::Crowded => {
                if let Some((process, cells)) = self.lost.pop() {
                    self.manner.apart.retain(|cell| !cells.contains(cell));
                    self.bare.insert(process);
                }
            }
            Complaint::ReadsTogether(process, cells) => {
                // Owned together they do not know the conditions of their writers.
                while self.enumerates(cut, go_on) {}
                self.give_together(cut, process, &cells);
            }
            Complaint::Strained => {
                let is_told = self.enumerates(cut, go_on);
                self.manner.loose |= !is_told;
            }
        }
    }

    /// Cuts the program; `None` if places for late processes were found instead.
    fn cut(&mut self, go_on: &mut GoOn<'_>) -> Result<Option<Cut<'a>>, NoNetwork> {
        let monitors = self.asked.monitors.clone();
        let interpreter = self.interpreter.clone();
        let cut = Cut::of_while(interpreter, monitors, &self.manner, &mut || go_on(0));
        let cut = match cut {
            Err(CutRefusal { why: CutObstacle::LateRun, source }) if self.is_untried() => {
                self.find_places(go_on).map_err(|why| refused(why, source))?;
                return Ok(None);
            }
            cut => cut.map_err(NoNetwork::Refused)?,
        };
        if self.manner.within && !self.counts() && self.is_untried() {
            self.occurs = self.few_states(&cut, go_on);
            self.manner.within = matches!(self.occurs, Occurs::Listed(_));
        }
        Ok(Some(cut))
    }

    fn is_untried(&self) -> bool {
        matches!(self.occurs, Occurs::Untried)
    }

    /// Finds places for the processes of a program that are created late, and all its states, if they are few.
    fn find_places(&mut self, go_on: &mut GoOn<'_>) -> Result<(), CutObstacle> {
        let interpreter = self.interpreter;
        let initial = interpreter.initial().map_err(CutObstacle::BadStart)?;
        let most = self.asked.budget.labels;
        let late = late_processes(interpreter, &initial, most, self.source, &mut || go_on(0));
        match late.slots {
            _ if !go_on(0) => return Err(CutObstacle::Stopped),
            Some(slots) if !slots.is_empty() => self.manner.slots = slots,
            Some(_) => return Err(CutObstacle::LateRun),
            None => return Err(CutObstacle::ManyProcesses),
        }
        self.occurs = match late.states {
            LateStates::Listed(states) => Occurs::Listed(states),
            LateStates::InSource => Occurs::InSource,
            LateStates::TooMany => Occurs::TooMany,
        };
        self.manner.within = !matches!(self.occurs, Occurs::TooMany);
        Ok(())
    }

    /// The states of the program, if they are few.
    fn few_states(&self, cut: &Cut<'_>, go_on: &mut GoOn<'_>) -> Occurs {
        let (initial, most) = (cut.initial.clone(), self.asked.budget.labels);
        let states = occurring(self.interpreter, initial, most, &mut || go_on(0));
        states.map_or(Occurs::Many, Occurs::Listed)
    }

    /// The local states that occur, if the components are bounded by them.
    fn bounds(&mut self, cut: &Cut<'_>, go_on: &mut GoOn<'_>) -> Option<Bounds> {
        if !self.manner.within {
            return None;
        }
        match &self.occurs {
            Occurs::Listed(states) => Some(bounds(cut, states)),
            Occurs::InSource => {
                let mut found = LocalStates::new(cut);
                let start = &cut.initial;
                let is_all = self.source.visit(start, &mut || go_on(0), &mut |state| {
                    found.add(&state);
                });
                is_all.then(|| found.bounds())
            }
            _ => self.counts().then(|| self.counted_bounds(cut)),
        }
    }

    /// Whether counters are bounded by what their writers can add.
    fn counts(&self) -> bool {
        self.counted.values().any(Option::is_some)
    }

    /// Bounds a counter by what its writers can add: at first nothing.
    fn count(&mut self, cut: &Cut<'_>, cell: Cell) {
        let start = counted::first_value(cut, cell);
        self.counted.insert(cell, Some(Interval::single(start)));
        self.kept.insert(Item::Cell(cell));
        self.manner.within = true;
    }

    fn counted_bounds(&self, cut: &Cut<'_>) -> Bounds {
        let interval = |cell: Cell| self.counted.get(&cell).copied().flatten();
        let bound = |part| cut.lone_counter(part).and_then(interval).map(Interval::local_states);
        cut.parts.ids().map(bound).collect()
    }

    /// Whether the writers of some counter can add more than its bound permits, which is widened; or without a bound,
    /// and then it has none.
    fn counts_more(&mut self, cut: &Cut<'_>, closure: &Closure<'_>) -> bool {
        let mut found_more = false;
        for (&cell, interval) in &mut self.counted {
            let Some(known) = *interval else { continue };
            let values = counted::values(cut, closure, cell);
            if values.is_none_or(|values| !known.contains(values)) {
                *interval = values.map(|values| values.join(known));
                found_more = true;
            }
        }
        self.manner.within &=
            self.counts() || !matches!(self.occurs, Occurs::Many | Occurs::TooMany);
        found_more
    }

    /// Tries to enumerate the states of the program, so that the next cut is bounded by them; whether something else
    /// can be tried then.
    fn enumerates(&mut self, cut: &Cut<'_>, go_on: &mut GoOn<'_>) -> bool {
        self.occurs = match self.occurs {
            Occurs::Untried => self.few_states(cut, go_on),
            Occurs::Many => match self.source.visit(&cut.initial, &mut || go_on(0), &mut drop) {
                true => Occurs::InSource,
                false => Occurs::TooMany,
            },
            _ => return false,
        };
        if matches!(self.occurs, Occurs::Listed(_) | Occurs::InSource) {
            self.counted.clear();
            let Manner { strict, ref apart, .. } = self.asked.manner;
            self.manner =
                Manner { strict, apart: apart.clone(), within: true, ..Manner::default() };
        }
        true
    }

    /// Whether a closure should be ended.
    fn complaint(
        &self,
        cut: &Cut<'_>,
        closure: &Closure<'_>,
        n_seen: &mut FxHashMap<Cell, usize>,
    ) -> Option<Complaint> {
        let mut sums = cut.sums.iter();
        // Large shares do not help: all their values occur in labels.
        if let Some(large) = sums.position(|sum| has_large_share(cut, closure, sum, n_seen)) {
            return Some(Complaint::LargeShare(large));
        }
        if !self.lost.is_empty() && closure.classes.len() > MANY_LABELS {
            return Some(Complaint::Crowded);
        }
        if let Some((n_values, cell)) = self.largest_counter(cut, closure)
            && n_values > MANY_COUNTS
        {
            return Some(Complaint::Counts(cell));
        }
        let budget = self.asked.budget;
        if closure.classes.len() > budget.labels / LABELS_READ_TOGETHER
            && closure.n_attempts().is_multiple_of(LABELS_ARE_READ_EVERY)
            && !self.together
            && let Some((process, cells)) = read_together(cut, closure, budget.states)
        {
            return Some(Complaint::ReadsTogether(process, cells));
        }
        let has_strict_timeout = self.asks_timeout && !self.manner.loose;
        let (most, most_states) = match self.occurs {
            Occurs::Untried => (MANY_ATTEMPTS, MANY_ATTEMPTS),
            Occurs::Many if !has_strict_timeout => (VERY_MANY_ATTEMPTS, VERY_MANY_STATES),
            Occurs::InSource if has_strict_timeout => (VERY_MANY_ATTEMPTS, usize::MAX),
            _ if has_strict_timeout => (MANY_ATTEMPTS, usize::MAX),
            _ => return None,
        };
        let n_states = closure.n_states();
        let is_strained = n_states > most_states || closure.n_attempts() > most + 4 * n_states;
        is_strained.then_some(Complaint::Strained)
    }

    /// The counter that is all of a component, if the states of the program are many and it was not tried to bound it.
    fn countable(&self, cut: &Cut<'_>, part: PartId) -> Option<Cell> {
        let is_small = !matches!(self.occurs, Occurs::Many | Occurs::TooMany);
        // With the bounds of places, a process beyond them is a doubt, not an error.
        if is_small || !self.manner.slots.is_empty() {
            return None;
        }
        cut.lone_counter(part).filter(|cell| !self.counted.contains_key(cell))
    }

    /// The counter with the most values that could be bounded, if they are many.
    fn largest_counter(&self, cut: &Cut<'_>, closure: &Closure<'_>) -> Option<(usize, Cell)> {
        let sized = cut.parts.ids().map(|part| (closure.tables[part].states.len(), part));
        let large = sized.filter(|&(n_values, _)| n_values > MANY_VALUES);
        large.filter_map(|(n, part)| Some((n, self.countable(cut, part)?))).max()
    }

    /// Gives a process the variables that it reads together.
    fn give_together(&mut self, cut: &Cut<'_>, process: PartId, cells: &[Cell]) {
        self.together = true;
        let Some(pid) = cut.parts[process].process else { return };
        for item in cells.iter().map(|&cell| Item::Cell(cell)) {
            self.manner.given.retain(|(other, _)| *other != item);
            self.manner.given.push((item, pid));
            self.kept.insert(item);
        }
        self.bare.insert(process);
    }

    /// Undoes the split of the counter at this position of the list.
    fn unshare(&mut self, position: usize) {
        self.kept.insert(Item::Cell(self.manner.sums.remove(position)));
    }

    fn mend(&mut self, remedy: Remedy) {
        let manner = &mut self.manner;
        match remedy {
            Remedy::Cut(chan) => manner.rings.push(chan),
            Remedy::Give(item, writer) => manner.given.push((item, writer)),
            Remedy::Share(cell) => manner.sums.push(cell),
            Remedy::Unshare(position) => self.unshare(position),
            Remedy::TakeBack(position) => {
                self.kept.insert(manner.given.remove(position).0);
            }
            Remedy::Part(process, cells) => {
                // A lost variable is not given back one cell at a time.
                self.kept.extend(cells.iter().map(|&cell| Item::Cell(cell)));
                manner.apart.extend(&cells);
                self.lost.push((process, cells));
            }
            Remedy::GoOn(part) => {
                self.bare.insert(part);
            }
        }
    }
}

fn refused(why: CutObstacle, source: SourcePlace) -> NoNetwork {
    NoNetwork::Refused(CutRefusal { why, source })
}

/// Whether some process of the system evaluates `timeout`.
pub fn asks_timeout(system: &System) -> bool {
    system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()).any(script::asks_timeout)
}
