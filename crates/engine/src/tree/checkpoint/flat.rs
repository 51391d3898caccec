//! Saving and rebuilding a flat store: its states as they lie in memory, and the length of each shape.

use super::meta::Meta;
use super::section::{Section, append, read};
use super::{Files, N_FILES, damaged, path_of};
use crate::flat::FlatStore;
use crate::vector::{HEADER, shape_number};
use hashbrown::HashMap;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The positions of the files.
const STATES: usize = 4;
const SHAPES: usize = 5;

/// No search has more shapes.
const MOST_SHAPES: u64 = 1 << 24;

/// The number of states that are inserted together.
const BATCH: usize = 256;

/// Appends what is new.
pub fn append_flat(
    store: &FlatStore,
    files: &mut Files,
    at: [u64; N_FILES],
) -> Result<[Section; N_FILES]> {
    let mut sections = [Section::default(); N_FILES];
    let states = [store.bytes_from(at[STATES] as usize)];
    sections[STATES] = append(&mut files[STATES], at[STATES], states.into_iter())?;
    let words = store.shapes()[at[SHAPES] as usize / 8..].iter();
    let words =
        words.map(|&(shape, length)| (u64::from(shape) << 32 | u64::from(length)).to_le_bytes());
    sections[SHAPES] = append(&mut files[SHAPES], at[SHAPES], words)?;
    Ok(sections)
}

/// The saved store. Everything is validated: each state has the length of its shape and is there once.
pub fn rebuild_flat(folder: &Path, files: &Files, meta: &Meta) -> Result<FlatStore> {
    let path = |number: usize| path_of(folder, number, meta.generation);
    let source = |number: usize| {
        let sections = meta.saves.iter().map(move |save| save[number]);
        read(&files[number], path(number), sections)
    };
    let lengths = meta.file_lengths();
    let mut shapes = HashMap::new();
    let mut words = source(SHAPES)?;
    for _ in 0..lengths[SHAPES] / 8 {
        let mut word = [0; 8];
        words.read_exact(&mut word)?;
        let word = u64::from_le_bytes(word);
        if word >> 32 < MOST_SHAPES {
            shapes.insert((word >> 32) as u32, word as u32 as usize);
        }
    }
    let nothing = || Error::new(ErrorKind::OutOfMemory, "no memory can be reserved for the states");
    let mut store = FlatStore::new().ok_or_else(nothing)?;
    let mut states = source(STATES)?;
    let (mut left, mut state) = (lengths[STATES] as usize, Vec::new());
    while left > 0 {
        state.resize(8, 0);
        states.read_exact(&mut state)?;
        let length = shapes.get(&shape_number(&state)).copied();
        let length = length.filter(|&n| n >= HEADER && n.next_multiple_of(8) <= left);
        let length = length.ok_or_else(|| damaged(&path(SHAPES), "a state has no length"))?;
        state.resize(length.next_multiple_of(8), 0);
        states.read_exact(&mut state[8..])?;
        left -= state.len();
        store.stage(&state[..length]);
        if store.n_staged() == BATCH || left == 0 {
            let mut fine = true;
            if !store.insert_staged(|_, new| fine &= new) {
                return Err(nothing());
            }
            if !fine {
                return Err(damaged(&path(STATES), "a state is there twice"));
            }
        }
    }
    Ok(store)
}
