//! Snapshots: what a worker saves beside its states.

use crate::search::forms::Forms;
use crate::search::wire::{Damage, Reader, Writer};
use crate::search::workers::key::Key;
use crate::tree::StoredId;
use std::time::Duration;

/// The position and the results of one worker in a saved search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The save that it belongs to.
    pub save: SaveId,
    /// The number of the worker.
    pub worker: u64,
    /// The first state of each level; the last entry ends the level that is being expanded.
    pub levels: Vec<StoredId>,
    /// The state to expand next.
    pub next: StoredId,
    /// The number of transitions that the worker has found.
    pub transitions: u64,
    /// The time that the search has taken.
    pub elapsed: Duration,
    /// The violations that the worker has found.
    pub findings: Vec<SavedFinding>,
    /// The edges that it took, eight in a byte.
    pub coverage: Vec<u8>,
    /// The shapes of its vectors.
    pub forms: Forms,
    /// Determines the owners of states.
    pub key: Key,
}

/// Identifies a save.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SaveId {
    /// The number of the save, from the start of the search on.
    pub number: u64,
    /// The run that made it: after a crash the same number may be used again.
    pub run: u64,
    /// The number of workers.
    pub n_workers: u64,
}

/// A violation, identified by where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFinding {
    /// The level of the state from which it was found.
    pub level: u64,
    /// This state; empty for a violation on entering the initial state.
    pub from: Vec<u8>,
    /// The position of the violation among those found by expanding that state.
    pub ordinal: u64,
    /// The number of times it was found.
    pub times: u64,
}

impl SaveId {
    /// Reads the section.
    pub fn read(bytes: Reader<'_>) -> Result<SaveId, Damage> {
        let mut source = bytes.section("save")?;
        let (number, run) = (source.number()?, source.number()?);
        Ok(SaveId { number, run, n_workers: source.number()? })
    }
}

impl Snapshot {
    /// Appends the sections.
    pub fn write(&self, out: &mut Writer) {
        let SaveId { number, run, n_workers } = self.save;
        out.section("save", |w| [number, run, n_workers].into_iter().for_each(|n| w.number(n)));
        out.section("counters", |w| {
            let nanoseconds = self.elapsed.as_nanos().min(u128::from(u64::MAX)) as u64;
            let numbers = [self.worker, self.next.into(), self.transitions, nanoseconds];
            numbers.into_iter().for_each(|n| w.number(n));
        });
        out.section("levels", |w| self.levels.iter().for_each(|&first| w.number(first.into())));
        out.section("findings", |w| {
            for SavedFinding { level, from, ordinal, times } in &self.findings {
                [*level, *ordinal, *times].into_iter().for_each(|n| w.number(n));
                w.bytes(from);
            }
        });
        out.section("coverage", |w| w.0.extend(&self.coverage));
        self.forms.write(out);
        out.section("masks", |w| {
            for &(at, mask) in self.key.masks() {
                [at as u64, mask].into_iter().for_each(|n| w.number(n));
            }
        });
    }

    /// Reads the sections; the worker has `n_states` states.
    pub fn read(bytes: Reader<'_>, n_states: u64) -> Result<Snapshot, Damage> {
        let mut counters = bytes.section("counters")?;
        let worker = counters.number()?;
        let next = counters.below(n_states + 1)? as StoredId;
        let (transitions, elapsed) = (counters.number()?, counters.number()?);
        let mut source = bytes.section("levels")?;
        let mut levels: Vec<StoredId> = Vec::new();
        while !source.0.is_empty() {
            levels.push(source.below(n_states + 1)? as StoredId);
        }
        let [.., start, end] = levels[..] else { return Err("levels are missing") };
        if !levels.is_sorted() || !(start..=end).contains(&next) {
            return Err("the levels are not in order");
        }
        let mut source = bytes.section("findings")?;
        let mut findings = Vec::new();
        while !source.0.is_empty() {
            let (level, ordinal, times) = (source.number()?, source.number()?, source.number()?);
            let from = source.bytes()?.to_vec();
            findings.push(SavedFinding { level, from, ordinal, times });
        }
        let mut source = bytes.section("masks")?;
        let mut masks = Vec::new();
        while !source.0.is_empty() {
            let (at, mask) = (source.below(1 << 32)? as usize, source.number()?);
            if mask == 0 {
                return Err("a part of the key is empty");
            }
            masks.push((at, mask));
        }
        Ok(Snapshot {
            save: SaveId::read(bytes)?,
            worker,
            levels,
            next,
            transitions,
            elapsed: Duration::from_nanos(elapsed),
            findings,
            coverage: bytes.section("coverage")?.0.to_vec(),
            forms: Forms::read(bytes)?,
            key: Key::of(masks),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share() -> Snapshot {
        Snapshot {
            save: SaveId { number: 3, run: 1 << 60, n_workers: 4 },
            worker: 2,
            levels: vec![0, 0, 5, 9],
            next: 7,
            transitions: 1 << 40,
            elapsed: Duration::from_millis(1234),
            findings: vec![SavedFinding {
                level: 3,
                from: b"abcdefgh".to_vec(),
                ordinal: 1,
                times: 7,
            }],
            coverage: vec![3, 255],
            forms: Forms { made: vec![(0, 1)], learned: None },
            key: Key::of(vec![(0, 1 << 50), (24, u64::MAX)]),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Writer::default();
        share().write(&mut bytes);
        assert_eq!(Snapshot::read(Reader(&bytes.0), 12), Ok(share()));
        assert!(Snapshot::read(Reader(&bytes.0), 8).is_err(), "a level of more states");
        for end in 0..bytes.0.len() {
            assert!(Snapshot::read(Reader(&bytes.0[..end]), 12).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn a_place_outside_the_present_level_is_none() {
        for (levels, next) in [(vec![0, 5, 9], 4), (vec![0, 5, 3], 4), (vec![0], 0)] {
            let mut bytes = Writer::default();
            Snapshot { levels, next, ..share() }.write(&mut bytes);
            assert!(Snapshot::read(Reader(&bytes.0), 12).is_err());
        }
    }
}
