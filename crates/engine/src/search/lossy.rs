//! Depth-first search with a lossy set of states, which may take a new state for a known one: for models
//! whose states do not fit into memory.
//!
//! Only the vectors of the path and of its untried branches are kept, and the path to a violation is known.
//! A state is inserted when it is found, not when it is visited, so that each branch waits at most once.

use super::ample::{self, Ample, Attempt, Proviso};
use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Findings;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::{BitState, Compact, StoredId, TreeStore};
use crate::vector::Shape;
use resy_index::random::SplitMix;
use resy_system::{Outcome, ViolationKind};
use std::time::Instant;

/// The representation of a state in the set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lossy {
    /// Three bits in a bit field of this many bytes.
    BitState(usize),
    /// A fingerprint of eight bytes.
    HashCompact,
}

/// Why a lossy search could not start.
#[derive(Debug)]
pub enum LossyTrouble {
    /// The initial state does not exist.
    Initial(ViolationKind),
    /// The system does not have this many bytes.
    Memory(usize),
}

/// The set of the states found.
enum Seen {
    Bits(BitState),
    Fingerprints(Compact),
}

impl Seen {
    fn new(lossy: Lossy, salt: u64) -> Result<Seen, LossyTrouble> {
        Ok(match lossy {
            Lossy::BitState(bytes) => {
                let bits = BitState::salted(bytes, salt);
                Seen::Bits(bits.map_err(|_| LossyTrouble::Memory(bytes))?)
            }
            Lossy::HashCompact => Seen::Fingerprints(Compact::new()),
        })
    }

    fn insert(&mut self, vector: &[u8]) -> bool {
        match self {
            Seen::Bits(bits) => bits.insert(vector),
            Seen::Fingerprints(set) => set.insert(Compact::fingerprint(vector)),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Seen::Bits(bits) => bits.len(),
            Seen::Fingerprints(set) => set.len(),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Seen::Bits(bits) => bits.memory(),
            Seen::Fingerprints(set) => set.memory(),
        }
    }

    /// An estimate of the fraction of the states that were recognised as new.
    fn covered(&self) -> f64 {
        match self {
            Seen::Bits(bits) => bits.coverage(),
            Seen::Fingerprints(set) => {
                let n = (set.len() as f64).max(1.0);
                n / (n + set.expected_omissions())
            }
        }
    }
}

/// Grows by an eighth, not to twice the length: a limit of memory is passed by less.
fn make_room<T>(list: &mut Vec<T>, n: usize) {
    if list.capacity() - list.len() < n {
        list.reserve_exact(n.max(list.len() / 8).max(1 << 10));
    }
}

/// A stack of vectors in one allocation.
#[derive(Default)]
struct Stack {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Stack {
    fn push(&mut self, vector: &[u8]) {
        make_room(&mut self.starts, 1);
        make_room(&mut self.bytes, vector.len());
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(vector);
    }

    /// Removes the top vector and copies it into `into`; returns whether there was one.
    fn pop(&mut self, into: &mut Vec<u8>) -> bool {
        let Some(start) = self.starts.pop() else { return false };
        into.clear();
        into.extend(self.bytes.drain(start..));
        true
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    /// Puts the vectors from this one on into a random order.
    fn shuffle(&mut self, from: usize, random: &mut SplitMix) {
        let mut rest = Vec::new();
        while self.len() > from {
            let mut vector = Vec::new();
            self.pop(&mut vector);
            rest.push(vector);
        }
        while !rest.is_empty() {
            let vector = rest.swap_remove(random.below(rest.len()));
            self.push(&vector);
        }
    }

    fn to_vectors(&self) -> Vec<Vec<u8>> {
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len()]);
        self.starts.iter().zip(ends).map(|(&start, end)| self.bytes[start..end].to_vec()).collect()
    }

    fn memory(&self) -> usize {
        self.bytes.capacity() + self.starts.capacity() * size_of::<usize>()
    }
}

struct LossySearch<'a> {
    seen: Seen,
    /// The states of the path, and for each the number of branches that waited below its own.
    states: Stack,
    branches: Vec<usize>,
    /// States that were found and not visited yet.
    waiting: Stack,
    transitions: u64,
    findings: Findings,
    /// The path to each violation.
    ways: Vec<Vec<Vec<u8>>>,
    limits: Limits<'a>,
    /// For the order of branches, if it is random.
    random: Option<SplitMix>,
    /// The numbers of transitions and of waiting states before the present attempt.
    before_attempt: (u64, usize),
}

impl Arrivals for LossySearch<'_> {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        self.transitions += 1;
        if self.seen.insert(vector) {
            self.waiting.push(vector);
        }
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        if self.findings.add(outcome, 0, || moves.to_vec()) {
            self.ways.push(self.states.to_vectors());
        }
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl LossySearch<'_> {
    /// Visits a state that was found from the end of the path.
    fn visit(&mut self, expander: &mut Expander<'_>, ample: Option<&Ample>, vector: &[u8]) {
        self.branches.push(self.waiting.len());
        self.states.push(vector);
        ample::expand(expander, ample, vector, self);
        if let (Some(random), Some(&from)) = (&mut self.random, self.branches.last()) {
            self.waiting.shuffle(from, random);
        }
    }

    /// Removes the states from the end of the path whose branches are all visited.
    fn retreat(&mut self, scratch: &mut Vec<u8>) {
        while self.branches.last() == Some(&self.waiting.len()) {
            self.branches.pop();
            self.states.pop(scratch);
        }
    }

    fn memory(&self) -> usize {
        let branches = self.branches.capacity() * size_of::<usize>();
        self.seen.memory() + self.states.memory() + self.waiting.memory() + branches
    }
}

impl Attempt for LossySearch<'_> {
    fn begin(&mut self) {
        self.before_attempt = (self.transitions, self.waiting.len());
    }

    /// A new state is expanded later. A state that the attempt reaches twice counts as new only once, so that
    /// `AllLater` may fail without need.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        let (transitions, waiting) = self.before_attempt;
        let n_new = (self.waiting.len() - waiting) as u64;
        let n_arrived = self.transitions - transitions;
        match proviso {
            Proviso::OneLater => n_new >= 1,
            Proviso::AllLater => n_new >= n_arrived.max(1),
            Proviso::Forward => n_arrived >= 1,
        }
    }

    /// New states are in the set already and stay in the queue.
    fn withdraw(&mut self) {
        self.transitions = self.before_attempt.0;
    }
}

pub(super) fn search(
    task: &Task<'_>,
    mut expander: Expander<'_>,
    started: Instant,
    lossy: Lossy,
) -> Result<Search, LossyTrouble> {
    let mut path = LossySearch {
        seen: Seen::new(lossy, task.seed.unwrap_or(0))?,
        states: Stack::default(),
        branches: Vec::new(),
        waiting: Stack::default(),
        transitions: 0,
        findings: Findings::default(),
        ways: Vec::new(),
        limits: task.limits,
        random: task.seed.map(SplitMix),
        before_attempt: (0, 0),
    };
    let mut clock = Clock::new(started);
    let (mut depth, mut stopped, mut vector) = (0, None, Vec::new());
    expander.initial(&mut path);
    while stopped.is_none() && path.goes_on() {
        path.retreat(&mut vector);
        if !path.waiting.pop(&mut vector) {
            break;
        }
        path.visit(&mut expander, task.ample.as_ref(), &vector);
        depth = depth.max(path.branches.len() as u64);
        if task.limits.transitions.is_some_and(|most| path.transitions >= most) {
            stopped = Some(Stopped::Transitions);
        } else if clock.due() {
            stopped = look(&mut clock, &path);
        }
    }
    if !path.goes_on() {
        stopped = Some(Stopped::Violation);
    }
    let (store, ways) = store_ways(&mut expander, &path.ways);
    Ok(Search {
        states: path.seen.len(),
        covered: Some(path.seen.covered()),
        n_levels: None,
        transitions: path.transitions,
        depth: depth.saturating_sub(1),
        findings: path.findings,
        stopped,
        was_over: false,
        elapsed: started.elapsed(),
        coverage: expander.coverage,
        way: Way::Paths(ways),
        shapes: Some(expander.stepper.shapes().clone()),
        stores: vec![StateStore::Tree(store)],
    })
}

/// A store of the states on the paths to the violations only.
fn store_ways(
    expander: &mut Expander<'_>,
    ways: &[Vec<Vec<u8>>],
) -> (TreeStore, Vec<Vec<StoredId>>) {
    let mut store = TreeStore::new();
    let mut insert = |vector: &Vec<u8>| {
        let shape = expander.shape(vector);
        let root = store.fold_whole(vector, &expander.stepper.shapes()[shape].plan);
        store.insert(root).id
    };
    let ways = ways.iter().map(|way| way.iter().map(&mut insert).collect()).collect();
    (store, ways)
}

fn look(clock: &mut Clock, path: &LossySearch<'_>) -> Option<Stopped> {
    let memory = path.memory();
    clock.look(&path.limits, memory, |elapsed| Progress {
        states: path.seen.len() as usize,
        waiting: path.waiting.len(),
        transitions: path.transitions,
        depth: path.branches.len() as u64,
        memory,
        elapsed,
    })
}
