//! What the tests of checkpoints share: a folder, and states determined by their numbers.

use resy_engine::tree::{Plan, StoredId, TreePath, TreeStore};
use std::fs;
use std::path::PathBuf;

/// A temporary folder for a test.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// An empty one.
    pub fn new(name: &str) -> Self {
        let name = format!("resy-checkpoint-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// State number `i` of all tests: three to six leaves, of different lengths.
fn state(i: u32) -> (Vec<u8>, Vec<u32>) {
    let digits = [i % 7, i / 7 % 11, i / 77 % 13, i / 1001];
    let leaves: Vec<Vec<u8>> = (0..3 + i as usize % 4)
        .map(|leaf| digits[leaf % 4].to_le_bytes()[..1 + leaf % 4].repeat(1 + leaf / 2))
        .chain([i.to_le_bytes()[..2].to_vec()])
        .collect();
    let mut end = 0;
    let ends = leaves.iter().map(|leaf| {
        end += leaf.len() as u32;
        end
    });
    let cuts = ends.collect();
    (leaves.concat(), cuts)
}

/// Adds states until there are `n`.
pub fn extend(store: &mut TreeStore, n: u32) {
    for i in store.len() as u32..n {
        let (vector, cuts) = state(i);
        let root = store.fold_whole(&vector, &Plan::balanced(&cuts));
        assert!(store.insert(root).new);
    }
}

/// Asserts that the store holds exactly the first `n` states, finds each, and can grow.
pub fn check(store: &mut TreeStore, n: u32) {
    assert_eq!(store.len() as u32, n);
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    for i in 0..n {
        let (expected, cuts) = state(i);
        store.load(i as StoredId, &Plan::balanced(&cuts), &mut vector, &mut path);
        assert_eq!(vector, expected);
        let root = store.fold_whole(&vector, &Plan::balanced(&cuts));
        let found = store.insert(root);
        assert_eq!((found.id, found.new), (i, false));
    }
    extend(store, n + 100);
}

/// The number of states, as saved beside the store.
pub fn n_of(opaque: &[u8]) -> u32 {
    u32::from_le_bytes(opaque.try_into().expect("what the tests save"))
}
