//! Saving the search for cycles periodically, and resuming a saved one.
//!
//! Beside the states, a save has all that the depth-first search knows between two steps: its path, the candidates, the
//! edges that wait, and what it knows of each state. So a resumed search goes on as if it had never ended: it has the same
//! verdict, the same counts and the same run. Of most states two bits are enough: only those that are on the path or
//! behind it have an order.

use super::super::forms::Forms;
use super::super::keeper::{Identity, SaveFolder};
use super::super::wire::{Damage, Reader, Writer};
use super::gathered::{EdgeLabel, Gathered};
use super::pids::PidSet;
use super::states::{OrderTable, ProductStates, StateKey};
use super::{BARRIER, CandidateRoot, Couvreur, NEW, PathState, WaitingEdge};
use crate::store::StateStore;
use std::io::{Error, Result};
use std::path::Path;
use std::time::Duration;

/// Saves a search for cycles to a folder.
pub struct CycleKeeper {
    folder: SaveFolder,
    /// The search that the folder held, until it is resumed.
    saved: Option<(StateStore, CyclePoint)>,
}

impl CycleKeeper {
    /// Saves a new search; the folder must not hold another.
    pub fn create(folder: &Path, identity: Identity, every: Duration) -> Result<Self> {
        Ok(Self { folder: SaveFolder::create(folder, identity, every)?, saved: None })
    }

    /// Resumes the search in a folder, which must have the same identity.
    pub fn open(folder: &Path, identity: Identity, every: Duration) -> Result<Self> {
        let (folder, store, point) = SaveFolder::open(folder, identity, every, CyclePoint::read)?;
        Ok(Self { folder, saved: Some((store, point)) })
    }

    /// Whether the folder can be read only.
    pub fn is_read_only(&self) -> bool {
        self.folder.is_read_only()
    }

    /// Why the final state of the search is not in the folder, if it is not.
    pub fn failure(&self) -> Option<&Error> {
        self.folder.failure()
    }
}

/// The position of a search between two steps.
struct CyclePoint {
    orders: OrderTable,
    n_entered: u32,
    passed: usize,
    next: StateKey,
    transitions: u64,
    depth: u64,
    /// The time that the search has taken.
    elapsed: Duration,
    live: Vec<StateKey>,
    path: Vec<PathState>,
    waiting: Vec<WaitingEdge>,
    roots: Vec<CandidateRoot>,
    again: Vec<StateKey>,
    labels: Vec<EdgeLabel>,
    forms: Forms,
}

impl Couvreur<'_> {
    /// Goes on where the saved search was, if there is one.
    pub(super) fn resume(&mut self) -> bool {
        let Some((store, point)) = self.keeper.as_mut().and_then(|keeper| keeper.saved.take())
        else {
            return false;
        };
        let (layout, shapes) = self.product.expander.stepper.layout_and_shapes();
        point.forms.make(layout, shapes);
        point.labels.into_iter().for_each(|label| _ = self.product.labels.number(label));
        self.moments.retain(|&moment| moment > store.len() || matches!(store, StateStore::Flat(_)));
        self.states = ProductStates::resumed(self.task, store, point.orders);
        (self.n_entered, self.passed, self.next) = (point.n_entered, point.passed, point.next);
        (self.transitions, self.depth, self.before) =
            (point.transitions, point.depth, point.elapsed);
        (self.live, self.path, self.again) = (point.live, point.path, point.again);
        (self.waiting, self.roots) = (point.waiting, point.roots);
        true
    }

    pub(super) fn is_save_due(&self) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.folder.is_due())
    }

    /// Must be called when the store was rebuilt.
    pub(super) fn renew_save(&mut self) {
        self.keeper.iter_mut().for_each(|keeper| keeper.folder.renew());
    }

    /// Saves the search, between two steps and with nothing that waits to be inserted.
    pub(super) fn save(&mut self) {
        let Some(keeper) = self.keeper.take() else { return };
        let forms = Forms::of(self.product.expander.stepper.shapes());
        keeper.folder.save(self.states.store(), |header| {
            self.write(header);
            forms.write(header);
        });
        self.keeper = Some(keeper);
    }

    /// Saves the search for the last time, unless a limit came in the midst of a step.
    pub(super) fn save_last(&mut self) {
        if !self.is_torn && self.store_targets().is_ok() {
            self.save();
        }
        self.keeper.iter_mut().for_each(|keeper| keeper.folder.settle());
    }

    fn write(&self, out: &mut Writer) {
        out.section("cycles", |w| {
            let nanoseconds = (self.before + self.clock.elapsed()).as_nanos();
            let nanoseconds = nanoseconds.min(u128::from(u64::MAX)) as u64;
            let counts = [self.n_entered.into(), self.passed as u64, self.next.into()];
            let totals = [self.transitions, self.depth, nanoseconds];
            counts.into_iter().chain(totals).for_each(|number| w.number(number));
        });
        out.section("orders", |w| w.0.extend(self.states.order_kinds()));
        out.section("live", |w| {
            for &key in &self.live {
                w.short(key);
                w.short(self.states.order(key));
            }
        });
        out.section("path", |w| {
            for state in &self.path {
                w.short(state.id);
                w.number(state.waiting as u64);
            }
        });
        out.section("edges", |w| {
            for edge in &self.waiting {
                w.short(edge.target);
                w.short(edge.label);
            }
        });
        out.section("candidates", |w| self.roots.iter().for_each(|root| write_root(w, root)));
        out.section("again", |w| self.again.iter().for_each(|&key| w.short(key)));
        out.section("labels", |w| {
            for label in self.product.labels.all() {
                w.number(label.marks);
                write_pids(w, &label.movers);
            }
        });
    }
}

fn write_root(w: &mut Writer, root: &CandidateRoot) {
    let CandidateRoot { order, gathered, via } = root;
    w.short(*order);
    w.short(*via);
    w.short(gathered.has_edge.into());
    w.number(gathered.marks);
    write_pids(w, &gathered.moved);
    write_pids(w, &gathered.enabled);
}

fn write_pids(w: &mut Writer, pids: &PidSet) {
    w.short(pids.words().len() as u32);
    pids.words().iter().for_each(|&word| w.number(word));
}

fn read_pids(bytes: &mut Reader<'_>) -> std::result::Result<PidSet, Damage> {
    let n = bytes.short()?;
    let words = (0..n).map(|_| bytes.number()).collect::<std::result::Result<_, _>>()?;
    Ok(PidSet::of_words(words))
}

/// What `read` reads until a section is at its end.
fn all<T>(
    mut section: Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>) -> std::result::Result<T, Damage>,
) -> std::result::Result<Vec<T>, Damage> {
    let mut found = Vec::new();
    while !section.0.is_empty() {
        found.push(read(&mut section)?);
    }
    Ok(found)
}

impl CyclePoint {
    /// Reads the sections of a search with this store. Whatever does not fit is an error.
    fn read(bytes: Reader<'_>, store: &StateStore) -> std::result::Result<Self, Damage> {
        let keys = ProductStates::keys_of(store);
        let key = |bytes: &mut Reader<'_>| {
            let key = bytes.short()?;
            keys.binary_search(&key).map(|_| key).map_err(|_| "there is no such state")
        };
        let mut counts = bytes.section("cycles")?;
        let n_entered = counts.below(BARRIER.into())? as u32;
        let passed = counts.below(keys.len() as u64 + 1)? as usize;
        // It is the key of the state with this number, if there is one already.
        let next = counts.below(1 << 32)? as StateKey;
        if passed > 0 && keys.get(passed).is_some_and(|&key| key != next) {
            return Err("the next state is another one");
        }
        let (transitions, depth) = (counts.number()?, counts.number()?);
        let elapsed = Duration::from_nanos(counts.number()?);
        let mut orders = OrderTable::read(bytes.section("orders")?.0, store, &keys)?;
        let mut last = NEW;
        let live = all(bytes.section("live")?, |bytes| {
            let (key, order) = (key(bytes)?, bytes.short()?);
            if order <= last || order > n_entered {
                return Err("the order of a state does not fit");
            }
            last = order;
            orders.set(key, order);
            Ok(key)
        })?;
        let labels = all(bytes.section("labels")?, |bytes| {
            let marks = bytes.number()?;
            Ok(EdgeLabel { marks, movers: read_pids(bytes)? })
        })?;
        let label = |bytes: &mut Reader<'_>| match bytes.short()? {
            label if (label as usize) < labels.len() => Ok(label),
            _ => Err("there is no such label"),
        };
        let waiting = all(bytes.section("edges")?, |bytes| {
            Ok(WaitingEdge { target: key(bytes)?, label: label(bytes)? })
        })?;
        let path = all(bytes.section("path")?, |bytes| {
            let (id, waiting) = (key(bytes)?, bytes.below(waiting.len() as u64 + 1)? as usize);
            Ok(PathState { id, waiting })
        })?;
        let roots = all(bytes.section("candidates")?, |bytes| {
            let (order, via, has_edge) = (bytes.short()?, label(bytes)?, bytes.short()? != 0);
            let marks = bytes.number()?;
            let (moved, enabled) = (read_pids(bytes)?, read_pids(bytes)?);
            Ok(CandidateRoot { order, gathered: Gathered { marks, moved, enabled, has_edge }, via })
        })?;
        let again = all(bytes.section("again")?, key)?;
        let forms = Forms::read(bytes)?;
        Ok(Self {
            orders,
            n_entered,
            passed,
            next,
            transitions,
            depth,
            elapsed,
            live,
            path,
            waiting,
            roots,
            again,
            labels,
            forms,
        })
    }
}
