//! The tree store against its naive twin, a map from vectors and cuts to numbers.

use proptest::prelude::*;
use resy_engine::tree::{Inserted, Plan, TreePath, TreeStore};
use std::collections::HashMap;

/// A vector and where its leaves end.
type Cut = (Vec<u8>, Vec<u32>);

/// The naive twin.
#[derive(Default)]
struct Twin {
    numbers: HashMap<Cut, u32>,
}

impl Twin {
    fn insert(&mut self, state: &Cut) -> Inserted {
        let id = self.numbers.len() as u32;
        let found = *self.numbers.entry(state.clone()).or_insert(id);
        Inserted { id: found, new: found == id }
    }
}

/// How a child comes from its parent.
#[derive(Clone, Debug)]
enum Change {
    /// A byte is written.
    Write(prop::sample::Index, u8),
    /// A leaf is added at the end, as for a new process.
    Birth(Vec<u8>),
    /// The last leaf is removed.
    Death,
    /// A leaf becomes longer or shorter, as when a message is sent.
    Resize(prop::sample::Index, Vec<u8>),
}

fn change() -> impl Strategy<Value = Change> {
    let bytes = || prop::collection::vec(0..3_u8, 0..12);
    prop_oneof![
        6 => (any::<prop::sample::Index>(), 0..4_u8).prop_map(|(at, b)| Change::Write(at, b)),
        1 => bytes().prop_map(Change::Birth),
        1 => Just(Change::Death),
        1 => (any::<prop::sample::Index>(), bytes()).prop_map(|(at, b)| Change::Resize(at, b)),
    ]
}

fn leaves_of((vector, cuts): &Cut) -> Vec<Vec<u8>> {
    let starts = std::iter::once(&0).chain(cuts);
    starts.zip(cuts).map(|(&s, &e)| vector[s as usize..e as usize].to_vec()).collect()
}

fn join(leaves: &[Vec<u8>]) -> Cut {
    let ends = leaves.iter().scan(0, |end, leaf| {
        *end += leaf.len() as u32;
        Some(*end)
    });
    (leaves.concat(), ends.collect())
}

fn apply(state: &Cut, change: &Change) -> Cut {
    let mut leaves = leaves_of(state);
    match change {
        Change::Write(at, byte) if !state.0.is_empty() => {
            let mut next = state.clone();
            next.0[at.index(state.0.len())] = *byte;
            return next;
        }
        Change::Resize(at, bytes) if !leaves.is_empty() => {
            let at = at.index(leaves.len());
            leaves[at] = bytes.clone();
        }
        Change::Death if leaves.len() > 1 => _ = leaves.pop(),
        Change::Birth(bytes) => leaves.push(bytes.clone()),
        Change::Write(..) | Change::Resize(..) | Change::Death => {}
    }
    join(&leaves)
}

/// The plans of a test, one for each list of cuts.
#[derive(Default)]
struct Plans(HashMap<Vec<u32>, Plan>);

impl Plans {
    fn of(&mut self, cuts: &[u32]) -> Plan {
        self.0.entry(cuts.to_vec()).or_insert_with(|| Plan::balanced(cuts)).clone()
    }
}

/// From which known state, and the changes one after the other.
type Steps = Vec<(prop::sample::Index, Vec<Change>)>;

fn steps() -> impl Strategy<Value = Steps> {
    let changes = prop::collection::vec(change(), 0..4);
    prop::collection::vec((any::<prop::sample::Index>(), changes), 0..200)
}

fn start() -> impl Strategy<Value = Cut> {
    let leaf = prop::collection::vec(0..3_u8, 0..20);
    prop::collection::vec(leaf, 1..20).prop_map(|leaves| join(&leaves))
}

proptest! {
    #[test]
    fn states_are_those_of_the_twin(start in start(), steps in steps(), batch in 1..70_usize) {
        let (mut store, mut twin) = (TreeStore::new(), Twin::default());
        let mut plans = Plans::default();
        let root = store.fold_whole(&start.0, &plans.of(&start.1));
        prop_assert_eq!(store.insert(root), twin.insert(&start));
        let mut known = vec![start];
        let (mut vector, mut path) = (Vec::new(), TreePath::new());
        let mut last = TreePath::new();
        for steps in steps.chunks(batch) {
            let (mut roots, mut expected) = (Vec::new(), Vec::new());
            let mut next = Vec::new();
            for (from, changes) in steps {
                let from = from.index(known.len());
                let first = store.first_leaf(from as u32);
                prop_assert!(store.first_bytes(from as u32, &path).starts_with(first));
                store.load(from as u32, &plans.of(&known[from].1), &mut vector, &mut path);
                prop_assert_eq!(&vector, &known[from].0);
                let child = changes.iter().fold(known[from].clone(), |s, c| apply(&s, c));
                let plan = plans.of(&child.1);
                let root = store.fold(&path, &child.0, &plan);
                prop_assert_eq!(root, store.fold_whole(&child.0, &plan));
                let along = store.fold_next(&mut last, &child.0, &plan);
                prop_assert_eq!(root, along);
                roots.push(root);
                expected.push(twin.insert(&child));
                if expected.last().is_some_and(|e| e.new) {
                    next.push(child);
                }
            }
            let mut out = Vec::new();
            store.insert_batch(&roots, &mut out);
            prop_assert_eq!(out, expected);
            known.append(&mut next);
            prop_assert_eq!(store.len(), known.len());
        }
        for (id, state) in known.iter().enumerate() {
            prop_assert_eq!(store.first_leaf(id as u32), &leaves_of(state)[0]);
            store.load(id as u32, &plans.of(&state.1), &mut vector, &mut path);
            prop_assert_eq!(&vector, &state.0);
        }
    }

    /// Every tree is correct: vectors are restored whatever the joins.
    #[test]
    fn every_tree_keeps_the_states(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 14),
        states in prop::collection::vec(prop::collection::vec(0..4_u8, 16), 1..60),
    ) {
        let cuts: Vec<u32> = (1..=8).map(|i| 2 * i).collect();
        let mut clusters: Vec<u32> = (0..8).collect();
        let mut joins = Vec::new();
        for pair in choices.chunks(2) {
            let a = clusters.remove(pair[0].index(clusters.len()));
            let b = clusters.remove(pair[1].index(clusters.len()));
            clusters.push(8 + joins.len() as u32);
            joins.push([a, b]);
        }
        let plan = Plan::joined(&cuts, &joins);
        let (mut store, mut known) = (TreeStore::new(), Vec::new());
        let (mut vector, mut path) = (Vec::new(), TreePath::new());
        for state in &states {
            let root = match store.is_empty() {
                true => store.fold_whole(state, &plan),
                false => {
                    store.load(store.len() as u32 / 2, &plan, &mut vector, &mut path);
                    store.fold(&path, state, &plan)
                }
            };
            prop_assert_eq!(store.insert(root).new, !known.contains(state));
            if !known.contains(state) {
                known.push(state.clone());
            }
        }
        for (id, state) in known.iter().enumerate() {
            prop_assert_eq!(store.first_leaf(id as u32), &state[..2]);
            store.load(id as u32, &plan, &mut vector, &mut path);
            prop_assert_eq!(&vector, state);
        }
    }
}

/// Enough states for every segment of the index to grow many times: all numbers with some digits, in a
/// scattered order, each inserted twice.
#[test]
fn nothing_is_lost_while_the_index_grows() {
    const N: u64 = 400_000;
    let mut store = TreeStore::new();
    let mut out = Vec::new();
    let state = |i: u64| {
        let number = i * 7_654_321 % 999_983;
        std::array::from_fn::<u8, 6, _>(|digit| (number / 10_u64.pow(digit as u32) % 10) as u8)
    };
    let plan = Plan::balanced(&[2, 3, 4, 6]);
    for round in 0..2 {
        for first in (0..N).step_by(1000) {
            let states = (first..first + 1000).map(state);
            let roots: Vec<_> = states.map(|s| store.fold_whole(&s, &plan)).collect();
            let before = store.memory();
            out.clear();
            store.insert_batch(&roots, &mut out);
            let step = store.memory() - before;
            assert!(step < (1 << 20) + before / 20, "from {before} by {step} at once");
            for (i, inserted) in (first..).zip(&out) {
                assert_eq!(*inserted, Inserted { id: i as u32, new: round == 0 });
            }
        }
    }
    assert_eq!(store.len() as u64, N);
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    for i in 0..N {
        store.load(i as u32, &plan, &mut vector, &mut path);
        assert_eq!(vector, state(i));
    }
    let bytes_per_state = store.memory() as f64 / N as f64;
    assert!(bytes_per_state < 23.0, "{bytes_per_state} bytes a state");
}
