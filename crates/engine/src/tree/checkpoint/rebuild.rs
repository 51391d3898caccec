//! Rebuilding a store with all its indexes from the files of a checkpoint.

use super::meta::Meta;
use super::section::read;
use super::{Files, TreeStore, damaged, path_of};
use crate::tree::fold::{is_node, is_root};
use crate::tree::leaves::MAX_LENGTH;
use crate::tree::pairs::{InBatch, Pairs};
use std::io::{Read, Result};
use std::path::Path;

/// The saved store. Everything is validated: each state of the returned store can be unfolded.
pub fn store(folder: &Path, files: &Files, meta: &Meta) -> Result<TreeStore> {
    let path = |number: usize| path_of(folder, number, meta.generation);
    let source = |number: usize| {
        let sections = meta.saves.iter().map(move |save| save[number]);
        read(&files[number], path(number), sections)
    };
    let [n_bytes, n_lengths, n_nodes, n_roots, ..] = meta.file_lengths();
    let (n_leaves, n_nodes, n_roots) = (n_lengths / 4, n_nodes / 8, n_roots / 8);
    let mut store = TreeStore::new();

    let (mut bytes, mut lengths) = (source(0)?, source(1)?);
    let mut left = n_bytes;
    for id in 0..n_leaves {
        let length = next(&mut lengths).map(u32::from_le_bytes)?;
        if length as usize > MAX_LENGTH || u64::from(length) > left {
            return Err(damaged(&path(1), "the lengths do not fit the leaves"));
        }
        left -= u64::from(length);
        let mut leaf = vec![0; length as usize];
        bytes.read_exact(&mut leaf)?;
        if u64::from(store.leaves.insert(&leaf, 0..leaf.len())) != id {
            return Err(damaged(&path(0), "a leaf is there twice"));
        }
    }
    if left > 0 {
        return Err(damaged(&path(1), "the lengths do not fit the leaves"));
    }
    fill(&mut store.nodes, n_nodes, source(2)?, &path(2), |node, id| is_node(node, n_leaves, id))?;
    fill(&mut store.roots, n_roots, source(3)?, &path(3), |root, _| {
        is_root(root, n_leaves, n_nodes)
    })?;
    Ok(store)
}

/// Reads `n_pairs` pairs, each of which must be new and satisfy `fits`.
fn fill(
    pairs: &mut Pairs,
    n_pairs: u64,
    mut source: impl Read,
    path: &Path,
    fits: impl Fn(u64, u64) -> bool,
) -> Result<()> {
    const BATCH: u64 = 64;
    let mut batch = Vec::with_capacity(BATCH as usize);
    for first in (0..n_pairs).step_by(BATCH as usize) {
        batch.clear();
        let mut fine = true;
        for id in first..n_pairs.min(first + BATCH) {
            let pair = next(&mut source).map(u64::from_le_bytes)?;
            fine &= fits(pair, id);
            batch.push(InBatch::new(pair));
        }
        pairs.insert_batch(&mut batch, |_, new| fine &= new);
        if !fine {
            return Err(damaged(path, "a pair is there twice or refers to nothing"));
        }
    }
    Ok(())
}

fn next<const N: usize>(source: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}
