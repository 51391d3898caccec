//! The speed of the stores, and their bytes per state: `cargo bench -p resy-engine`.
//!
//! A regular model, searched breadth-first: eight processes move round a circle of places, each described
//! by eight bytes. Every state has eight successors, so that seven of eight insertions find a known state.
//! All stores see the same vectors in the same order; the time to make them is part of every row. The last
//! row is the worst case for a tree: random vectors.
//!
//! `PLACES=8` in the environment makes the circle longer; a word on the command line (`-- batches`) selects
//! rows.

use hashbrown::HashTable;
use resy_engine::tree::{Inserted, Plan, Root, TreePath, TreeStore};
use std::time::Instant;

const N_PROCESSES: usize = 8;
const LENGTH: usize = 8 * N_PROCESSES;

fn main() {
    let n_places = std::env::var("PLACES").ok().and_then(|p| p.parse().ok()).unwrap_or(7);
    let n_states = u64::pow(n_places, N_PROCESSES as u32);
    println!("{n_states} states, {} transitions", n_states * N_PROCESSES as u64);
    let n_inserts = n_states * N_PROCESSES as u64;
    report("tree store, batches", n_states, n_inserts, || tree(n_places, 512));
    report("tree store, one by one", n_states, n_inserts, || tree(n_places, 1));
    report("hashbrown, arena of bytes", n_states, n_inserts, || plain(n_places));
    report("tree store, random states", RANDOM, RANDOM, random);
}

const RANDOM: u64 = 2_000_000;

/// Prints the cost of a search, which returns the number of states it found and the bytes of its store.
fn report(name: &str, expected: u64, n_inserts: u64, search: impl FnOnce() -> (usize, usize)) {
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    if wanted.is_some_and(|word| !name.contains(&word)) {
        return;
    }
    let start = Instant::now();
    let (n_states, memory) = search();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(n_states as u64, expected, "{name} finds all states");
    println!(
        "{name:<26} {:6.2} M inserts/s {:6.2} M states/s {:7.2} bytes/state {seconds:7.2} s",
        n_inserts as f64 / seconds / 1e6,
        n_states as f64 / seconds / 1e6,
        memory as f64 / n_states as f64,
    );
}

fn tree(n_places: u64, batch: usize) -> (usize, usize) {
    let mut store = TreeStore::new();
    let cuts: Vec<u32> = (1..=N_PROCESSES as u32).map(|i| 8 * i).collect();
    let plan = Plan::balanced(&cuts);
    let first = store.fold_whole(&initial(), &plan);
    store.insert(first);
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    let (mut roots, mut out): (Vec<Root>, Vec<Inserted>) = (Vec::new(), Vec::new());
    let mut id = 0;
    while id < store.len() {
        store.load(id as u32, &plan, &mut vector, &mut path);
        id += 1;
        successors(&vector, n_places, |next| {
            roots.push(store.fold(&path, next, &plan));
        });
        if batch == 1 {
            roots.drain(..).for_each(|root| _ = store.insert(root));
        } else if roots.len() >= batch || id == store.len() {
            out.clear();
            store.insert_batch(&roots, &mut out);
            roots.clear();
        }
    }
    (store.len(), store.memory())
}

fn random() -> (usize, usize) {
    let mut store = TreeStore::new();
    let cuts: Vec<u32> = (1..=N_PROCESSES as u32).map(|i| 8 * i).collect();
    let plan = Plan::balanced(&cuts);
    let mut state = 0_u64;
    for _ in 0..RANDOM {
        let mut vector = [0; LENGTH];
        for bytes in vector.chunks_mut(8) {
            state += 1;
            bytes.copy_from_slice(&rapidhash::v3::rapidhash_v3(&state.to_le_bytes()).to_le_bytes());
        }
        let root = store.fold_whole(&vector, &plan);
        store.insert(root);
    }
    (store.len(), store.memory())
}

fn plain(n_places: u64) -> (usize, usize) {
    let hash = |bytes: &[u8]| rapidhash::v3::rapidhash_v3(bytes);
    let mut arena: Vec<[u8; LENGTH]> = vec![initial()];
    let mut table: HashTable<u32> = HashTable::new();
    table.insert_unique(hash(&arena[0]), 0, |_| 0);
    let mut id = 0;
    while id < arena.len() {
        let vector = arena[id];
        id += 1;
        successors(&vector, n_places, |next| {
            let key = hash(next);
            if table.find(key, |&id| arena[id as usize] == *next).is_none() {
                arena.push(*next);
                let id = arena.len() as u32 - 1;
                table.insert_unique(key, id, |&id| hash(&arena[id as usize]));
            }
        });
    }
    (arena.len(), arena.capacity() * LENGTH + table.allocation_size())
}

fn initial() -> [u8; LENGTH] {
    let mut vector = [0; LENGTH];
    vector.chunks_mut(8).for_each(|process| process.copy_from_slice(&place(0)));
    vector
}

/// Moves each process on by one place.
fn successors(vector: &[u8], n_places: u64, mut visit: impl FnMut(&[u8; LENGTH])) {
    let mut next: [u8; LENGTH] = vector.try_into().expect("a state of the model");
    for start in (0..LENGTH).step_by(8) {
        let moved = (u64::from(vector[start]) + 1) % n_places;
        next[start..start + 8].copy_from_slice(&place(moved));
        visit(&next);
        next[start..start + 8].copy_from_slice(&vector[start..start + 8]);
    }
}

/// The bytes of a process at a place: the place, and other data of a process.
fn place(number: u64) -> [u8; 8] {
    let mut bytes = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes();
    bytes[0] = number as u8;
    bytes
}
