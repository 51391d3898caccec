//! Preparing workers to save, and resuming a saved search.
//!
//! First all workers report which snapshots their process sees, so that all know the newest complete save.
//! If every worker sees its own snapshot, it restores it. Otherwise, with another number of workers or
//! other hosts, each snapshot is read by a worker that sees it, and its states are redistributed level by
//! level: a search can be resumed with any number of workers.

use crate::search::wire::{Reader, Writer};
use crate::search::workers::messages::report::{self, Report};
use crate::search::workers::partition::LocalFinding;
use crate::search::workers::results::gather::violations_from;
use crate::search::workers::saving::archive::{Archive, SeenSnapshot, newest, read_seen};
use crate::search::workers::saving::saver::Saver;
use crate::search::workers::saving::snapshot::{SaveId, SavedFinding, Snapshot};
use crate::search::workers::worker::{Lost, Worker};
use crate::store::StateStore;
use crate::tree::{Checkpoint, StoredId, TreePath, TreeStore};
use crate::vector::Shapes;
use rapidhash::v3::rapidhash_v3;
use std::io;
use std::time::SystemTime;

/// Why a worker does not search.
pub enum Refused {
    /// The connection to the other workers is lost.
    Lost,
    /// The checkpoint cannot be used, for this reason.
    Checkpoint(String),
}

impl From<Lost> for Refused {
    fn from(_: Lost) -> Self {
        Refused::Lost
    }
}

/// The number of states that are redistributed before messages are received.
const TURN: StoredId = 1024;

/// Prepares a worker to save; returns whether a saved search was resumed.
pub fn prepare<'a>(
    worker: &mut Worker<'a>,
    archive: &'a Archive,
    threads: usize,
) -> Result<bool, Refused> {
    let (run, seen) = report_snapshots(worker, archive, threads)?;
    let (me, n_workers) = (worker.me(), worker.n_workers() as u64);
    if !archive.resumes {
        let saver = archive.add(run, me).map(|c| {
            let save = SaveId { number: 0, run, n_workers };
            Saver::new(archive, c, save, false)
        });
        worker.saver = Some(agree_on_success(worker, saver, |_| 0)?.0);
        return Ok(false);
    }
    let Some((save, readers)) = newest(&seen) else {
        let what = "there is no save of which all shares are there; begin again in an empty folder";
        return Err(Refused::Checkpoint(what.into()));
    };
    let next = SaveId { number: save.number, run, n_workers };
    let sees_own = |(worker, by): (usize, &Vec<usize>)| by.contains(&(worker / threads));
    if save.n_workers == n_workers && readers.iter().enumerate().all(sees_own) {
        let (store, snapshot, checkpoint) =
            agree_on_success(worker, open(archive, me as u64, save), |_| 0)?.0;
        let saver = Saver::new(archive, checkpoint, next, true);
        restore(worker, saver, store, snapshot)?;
        return Ok(true);
    }
    // The first process that sees a snapshot reads it; its workers take turns.
    let mine = readers.iter().enumerate().filter(|(i, by)| by[0] * threads + i % threads == me);
    let parts: io::Result<Vec<(Snapshot, TreeStore)>> = mine
        .map(|(i, _)| {
            let (folder, number) = archive.find(i as u64, save).ok_or(io::ErrorKind::NotFound)?;
            archive.peek(folder, number)
        })
        .collect();
    let found = parts.and_then(|parts| Ok((parts, archive.add(run, me)?)));
    let n_levels = |(parts, _): &(Vec<(Snapshot, TreeStore)>, Checkpoint)| {
        parts.first().map_or(0, |(snapshot, _)| snapshot.levels.len() as u64)
    };
    let ((parts, checkpoint), n_levels) = agree_on_success(worker, found, n_levels)?;
    worker.saver = Some(Saver::new(archive, checkpoint, next, false));
    redistribute(worker, parts, n_levels as usize)?;
    Ok(true)
}

/// A new name for this run, and the snapshots that each process sees: the same for all workers.
fn report_snapshots(
    worker: &mut Worker<'_>,
    archive: &Archive,
    threads: usize,
) -> Result<(u64, Vec<Vec<SeenSnapshot>>), Lost> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let name = rapidhash_v3(format!("{} {}", now.as_nanos(), std::process::id()).as_bytes());
    let words = Report::default().number(name);
    let speaks = worker.me().is_multiple_of(threads);
    let words = if speaks { archive.write_seen(words) } else { words.number(0) };
    let reports = worker.agree(words)?;
    let mut run = 0;
    let mut seen = Vec::new();
    for (i, report) in reports.iter().enumerate() {
        let mut words = report.as_slice();
        let name = report::number(&mut words);
        run = if i == 0 { name } else { run };
        if i.is_multiple_of(threads) {
            seen.push(read_seen(&mut words));
        }
    }
    Ok((run, seen))
}

/// Continues if all workers have succeeded; returns the greatest number that any of them reports.
fn agree_on_success<T>(
    worker: &mut Worker<'_>,
    mine: io::Result<T>,
    number: impl Fn(&T) -> u64,
) -> Result<(T, u64), Refused> {
    let words = Report::default().number(u64::from(mine.is_ok()));
    let words = words.number(mine.as_ref().map_or(0, number));
    let (mut all, mut most) = (true, 0);
    for report in worker.agree(words)? {
        let mut words = report.as_slice();
        all &= report::number(&mut words) != 0;
        most = most.max(report::number(&mut words));
    }
    let mine = mine.map_err(|error| Refused::Checkpoint(error.to_string()))?;
    if !all {
        let what = "another worker cannot use its snapshot of the checkpoint";
        return Err(Refused::Checkpoint(what.into()));
    }
    Ok((mine, most))
}

/// Opens a worker's own snapshot.
fn open(archive: &Archive, me: u64, save: SaveId) -> io::Result<(TreeStore, Snapshot, Checkpoint)> {
    let (folder, number) = archive.find(me, save).ok_or(io::ErrorKind::NotFound)?;
    let (store, checkpoint) = Checkpoint::open_at(folder, number)?;
    let snapshot = archive.read(folder, number, store.len())?;
    Ok((store, snapshot, checkpoint))
}

/// Restores the position of the same worker in the saved search.
fn restore<'a>(
    worker: &mut Worker<'a>,
    saver: Saver<'a>,
    store: TreeStore,
    snapshot: Snapshot,
) -> Result<(), Refused> {
    let (layout, shapes) = worker.expander.stepper.layout_and_shapes();
    snapshot.forms.make(layout, shapes);
    worker.saver = Some(saver);
    worker.partition.store = StateStore::Tree(store);
    worker.partition.learned = snapshot.forms.learned.is_some();
    worker.partition.key = snapshot.key.clone();
    (worker.levels, worker.next) = (snapshot.levels.clone(), snapshot.next);
    add_results(worker, &snapshot)
}

/// Redistributes the states of snapshots level by level; counts and findings stay with this worker.
fn redistribute(
    worker: &mut Worker<'_>,
    parts: Vec<(Snapshot, TreeStore)>,
    n_levels: usize,
) -> Result<(), Refused> {
    agree_on_key_and_tree(worker, parts.first().map(|(snapshot, _)| snapshot))?;
    let layout = worker.expander.stepper.layout().clone();
    let mut sources = Vec::new();
    for (snapshot, store) in parts {
        let mut shapes = Shapes::new(&layout);
        snapshot.forms.make(&layout, &mut shapes);
        add_results(worker, &snapshot)?;
        let bounds = bounds(&snapshot, store.len() as StoredId);
        sources.push((store, shapes, bounds));
    }
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    let mut new = vec![0];
    for part in 0..=n_levels {
        for (store, shapes, bounds) in &sources {
            for id in bounds[part]..bounds[part + 1] {
                let shape = shapes.of(&layout, store.first_leaf(id));
                store.load(id, &shapes[shape].plan, &mut vector, &mut path);
                worker.partition.insert_or_send(&mut worker.expander, &vector);
                if id % TURN == 0 {
                    worker.send_ready();
                    worker.step()?;
                }
            }
        }
        worker.send_all();
        worker.agree(Report::default())?;
        worker.partition.flush();
        new.push(worker.partition.store.len() as StoredId);
    }
    new.pop();
    let end = new.pop().unwrap_or(0);
    worker.next = new.pop().unwrap_or(0);
    new.push(end);
    worker.levels = new;
    Ok(())
}

/// The ends of the parts of a store that are redistributed one after the other: the levels, the present one
/// in two parts, and what was found of the next.
fn bounds(snapshot: &Snapshot, n_states: StoredId) -> Vec<StoredId> {
    let (end, before) = snapshot.levels.split_last().unwrap_or((&0, &[]));
    [before, &[snapshot.next, *end, n_states]].concat()
}

/// Agrees on what all snapshots have in common, since not every worker has one: the key, and the learned
/// tree.
fn agree_on_key_and_tree(worker: &mut Worker<'_>, mine: Option<&Snapshot>) -> Result<(), Refused> {
    let mut out = Writer::default();
    mine.iter().for_each(|snapshot| snapshot.write(&mut out));
    let reports = worker.agree(Report::default().bytes(&out.0))?;
    let first = reports.iter().map(|r| report::string(&mut r.as_slice())).find(|s| !s.is_empty());
    let snapshot = Snapshot::read(Reader(&first.unwrap_or_default()), StoredId::MAX.into());
    let snapshot = snapshot.map_err(|what| Refused::Checkpoint(what.into()))?;
    worker.partition.key = snapshot.key;
    if let Some((cuts, joins)) = snapshot.forms.learned {
        worker.expander.stepper.shapes().recall(cuts, joins);
        worker.partition.learned = true;
    }
    Ok(())
}

/// Adds the counts and findings of a snapshot.
fn add_results(worker: &mut Worker<'_>, snapshot: &Snapshot) -> Result<(), Refused> {
    worker.partition.transitions += snapshot.transitions;
    worker.expander.coverage.add_bytes(&snapshot.coverage);
    worker.saver.iter_mut().for_each(|saver| saver.before = saver.before.max(snapshot.elapsed));
    for SavedFinding { level, from, ordinal, times } in snapshot.findings.iter().cloned() {
        let seen = violations_from(&mut worker.expander, &from).into_iter().nth(ordinal as usize);
        let Some((outcome, _)) = seen else {
            let what = "the saved search is damaged: a violation is not there";
            return Err(Refused::Checkpoint(what.into()));
        };
        worker.partition.findings.push(LocalFinding { outcome, level, from, ordinal, times });
    }
    Ok(())
}
