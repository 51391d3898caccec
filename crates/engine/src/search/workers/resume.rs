//! How workers begin to save, and how they go on with what was saved.
//!
//! First all tell which shares their process sees; so all know the newest save that is
//! complete. If every worker has its own share before it, it takes it up as it is. Otherwise,
//! with another number of workers or other hosts, each share is read by somebody who sees it and
//! given out level by level: a search goes on with any team.

use super::super::wire::{Reader, Writer};
use super::archive::{Archive, Sight, newest, told};
use super::gather::see;
use super::hand::Local;
use super::keep::Keep;
use super::share::{Save, Seen, Share};
use super::words::{self, Words};
use super::worker::{Lost, Worker};
use crate::tree::{Checkpoint, StateId, TreePath, TreeStore};
use crate::vector::Shapes;
use rapidhash::v3::rapidhash_v3;
use std::io;
use std::time::SystemTime;

/// Why a worker does not search.
pub enum Refused {
    /// Others cannot be reached any more.
    Lost,
    /// The checkpoint cannot be used, for this reason.
    Checkpoint(String),
}

impl From<Lost> for Refused {
    fn from(_: Lost) -> Self {
        Refused::Lost
    }
}

/// So many states are given out before others get their turn.
const TURN: StateId = 1024;

/// Prepares a worker to save its share; says whether it has a share already.
pub fn take_up<'a>(
    worker: &mut Worker<'a>,
    archive: &'a Archive,
    threads: usize,
) -> Result<bool, Refused> {
    let (run, seen) = look_around(worker, archive, threads)?;
    let (me, n_workers) = (worker.me(), worker.n_workers() as u64);
    if !archive.resumes {
        let keep = archive.add(run, me).map(|c| {
            let save = Save { number: 0, run, n_workers };
            Keep::new(archive, c, save, false)
        });
        worker.keep = Some(all_have(worker, keep, |_| 0)?.0);
        return Ok(false);
    }
    let Some((save, readers)) = newest(&seen) else {
        let what = "there is no save of which all shares are there; begin again in an empty folder";
        return Err(Refused::Checkpoint(what.into()));
    };
    let next = Save { number: save.number, run, n_workers };
    let sees_own = |(worker, by): (usize, &Vec<usize>)| by.contains(&(worker / threads));
    if save.n_workers == n_workers && readers.iter().enumerate().all(sees_own) {
        let (store, share, checkpoint) = all_have(worker, open(archive, me as u64, save), |_| 0)?.0;
        let keep = Keep::new(archive, checkpoint, next, true);
        stand(worker, keep, store, share)?;
        return Ok(true);
    }
    // The first process that sees a share reads it, with its workers in turn.
    let mine = readers.iter().enumerate().filter(|(i, by)| by[0] * threads + i % threads == me);
    let parts: io::Result<Vec<(Share, TreeStore)>> = mine
        .map(|(i, _)| {
            let (folder, number) = archive.find(i as u64, save).ok_or(io::ErrorKind::NotFound)?;
            archive.peek(folder, number)
        })
        .collect();
    let found = parts.and_then(|parts| Ok((parts, archive.add(run, me)?)));
    let n_levels = |(parts, _): &(Vec<(Share, TreeStore)>, Checkpoint)| {
        parts.first().map_or(0, |(share, _)| share.levels.len() as u64)
    };
    let ((parts, checkpoint), n_levels) = all_have(worker, found, n_levels)?;
    worker.keep = Some(Keep::new(archive, checkpoint, next, false));
    give_out(worker, parts, n_levels as usize)?;
    Ok(true)
}

/// A new name for this run, and the shares that each process sees. Both are the same for all.
fn look_around(
    worker: &mut Worker<'_>,
    archive: &Archive,
    threads: usize,
) -> Result<(u64, Vec<Vec<Sight>>), Lost> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let name = rapidhash_v3(format!("{} {}", now.as_nanos(), std::process::id()).as_bytes());
    let words = Words::default().number(name);
    let speaks = worker.me().is_multiple_of(threads);
    let words = if speaks { archive.tell(words) } else { words.number(0) };
    let reports = worker.agree(words)?;
    let mut run = 0;
    let mut seen = Vec::new();
    for (i, report) in reports.iter().enumerate() {
        let mut words = report.as_slice();
        let name = words::number(&mut words);
        run = if i == 0 { name } else { run };
        if i.is_multiple_of(threads) {
            seen.push(told(&mut words));
        }
    }
    Ok((run, seen))
}

/// Goes on if all workers have what they need; the greatest number of theirs comes with it.
fn all_have<T>(
    worker: &mut Worker<'_>,
    mine: io::Result<T>,
    number: impl Fn(&T) -> u64,
) -> Result<(T, u64), Refused> {
    let words = Words::default().number(u64::from(mine.is_ok()));
    let words = words.number(mine.as_ref().map_or(0, number));
    let (mut all, mut most) = (true, 0);
    for report in worker.agree(words)? {
        let mut words = report.as_slice();
        all &= words::number(&mut words) != 0;
        most = most.max(words::number(&mut words));
    }
    let mine = mine.map_err(|error| Refused::Checkpoint(error.to_string()))?;
    if !all {
        let what = "another worker cannot use its share of the checkpoint";
        return Err(Refused::Checkpoint(what.into()));
    }
    Ok((mine, most))
}

/// Opens a worker's own share.
fn open(archive: &Archive, me: u64, save: Save) -> io::Result<(TreeStore, Share, Checkpoint)> {
    let (folder, number) = archive.find(me, save).ok_or(io::ErrorKind::NotFound)?;
    let (store, checkpoint) = Checkpoint::open_at(folder, number)?;
    let share = archive.read(folder, number, store.len())?;
    Ok((store, share, checkpoint))
}

/// Stands where the same worker stood before.
fn stand<'a>(
    worker: &mut Worker<'a>,
    keep: Keep<'a>,
    store: TreeStore,
    share: Share,
) -> Result<(), Refused> {
    let (layout, shapes) = worker.expansion.stepper.layout_and_shapes();
    share.forms.make(layout, shapes);
    worker.keep = Some(keep);
    worker.hand.store = store;
    worker.hand.learned = share.forms.learned.is_some();
    worker.hand.key = share.key.clone();
    (worker.levels, worker.next) = (share.levels.clone(), share.next);
    know(worker, &share)
}

/// Gives out the states of shares, level by level; what else they know stays here.
fn give_out(
    worker: &mut Worker<'_>,
    parts: Vec<(Share, TreeStore)>,
    n_levels: usize,
) -> Result<(), Refused> {
    agree_on_ways(worker, parts.first().map(|(share, _)| share))?;
    let layout = worker.expansion.stepper.layout().clone();
    let mut sources = Vec::new();
    for (share, store) in parts {
        let mut shapes = Shapes::new(&layout);
        share.forms.make(&layout, &mut shapes);
        know(worker, &share)?;
        let bounds = bounds(&share, store.len() as StateId);
        sources.push((store, shapes, bounds));
    }
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    let mut new = vec![0];
    for part in 0..=n_levels {
        for (store, shapes, bounds) in &sources {
            for id in bounds[part]..bounds[part + 1] {
                let shape = shapes.of(&layout, store.first_leaf(id));
                store.load(id, &shapes[shape].plan, &mut vector, &mut path);
                worker.hand.give(&mut worker.expansion, &vector);
                if id % TURN == 0 {
                    worker.send_ready();
                    worker.turn()?;
                }
            }
        }
        worker.send_all();
        worker.agree(Words::default())?;
        worker.hand.flush();
        new.push(worker.hand.store.len() as StateId);
    }
    new.pop();
    let end = new.pop().unwrap_or(0);
    worker.next = new.pop().unwrap_or(0);
    new.push(end);
    worker.levels = new;
    Ok(())
}

/// The ends of the parts of a store that are given out one after the other: the levels, the
/// present one in two parts, and what has been found of the next.
fn bounds(share: &Share, n_states: StateId) -> Vec<StateId> {
    let (end, before) = share.levels.split_last().unwrap_or((&0, &[]));
    [before, &[share.next, *end, n_states]].concat()
}

/// What all shares have in common, and not every worker has a share: to whom which state
/// belongs, and a tree that was learned.
fn agree_on_ways(worker: &mut Worker<'_>, mine: Option<&Share>) -> Result<(), Refused> {
    let mut out = Writer::default();
    mine.iter().for_each(|share| share.write(&mut out));
    let reports = worker.agree(Words::default().bytes(&out.0))?;
    let first = reports.iter().map(|r| words::string(&mut r.as_slice())).find(|s| !s.is_empty());
    let share = Share::read(Reader(&first.unwrap_or_default()), StateId::MAX.into());
    let share = share.map_err(|what| Refused::Checkpoint(what.into()))?;
    worker.hand.key = share.key;
    if let Some((cuts, joins)) = share.forms.learned {
        worker.expansion.stepper.shapes().recall(cuts, joins);
        worker.hand.learned = true;
    }
    Ok(())
}

/// Takes over what a share says beside the states.
fn know(worker: &mut Worker<'_>, share: &Share) -> Result<(), Refused> {
    worker.hand.transitions += share.transitions;
    worker.expansion.coverage.add_bytes(&share.coverage);
    worker.keep.iter_mut().for_each(|keep| keep.before = keep.before.max(share.elapsed));
    for Seen { level, from, ordinal, times } in share.findings.iter().cloned() {
        let seen = see(&mut worker.expansion, &from).into_iter().nth(ordinal as usize);
        let Some((outcome, _)) = seen else {
            let what = "the saved search is damaged: a violation is not there";
            return Err(Refused::Checkpoint(what.into()));
        };
        worker.hand.findings.push(Local { outcome, level, from, ordinal, times });
    }
    Ok(())
}
