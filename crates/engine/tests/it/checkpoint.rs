//! Checkpoints survive crashes, garbage and damage.

use crate::saved::{Scratch, check, extend, n_of};
use resy_engine::tree::{Checkpoint, TreeStore};
use resy_testkit::process;
use std::fs;
use std::io::{ErrorKind, Result};
use std::path::Path;

/// A folder with three saves, of 0, 1000 and 3000 states, and the store.
fn three_saves(folder: &Path) -> Result<(TreeStore, Checkpoint)> {
    let mut checkpoint = Checkpoint::create(folder)?;
    let mut store = TreeStore::new();
    for n in [0, 1000, 3000] {
        extend(&mut store, n);
        checkpoint.save(&store, &n.to_le_bytes())?;
    }
    Ok((store, checkpoint))
}

fn error_of<T>(result: Result<T>) -> (ErrorKind, String) {
    match result {
        Ok(_) => panic!("an error was expected"),
        Err(error) => (error.kind(), error.to_string()),
    }
}

#[test]
fn a_store_comes_back_and_goes_on() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("back");
    drop(three_saves(&scratch.0)?);
    for round in 0..3 {
        let (mut store, opaque, mut checkpoint) = Checkpoint::open(&scratch.0)?;
        let n = 3000 + round * 100;
        assert_eq!(n_of(&opaque), n);
        check(&mut store, n);
        checkpoint.save(&store, &(n + 100).to_le_bytes())?;
    }
    Ok(())
}

#[test]
fn a_folder_is_used_by_one_run_and_overwritten_by_none() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("once");
    let run = three_saves(&scratch.0)?;
    assert_eq!(error_of(Checkpoint::open(&scratch.0)).0, ErrorKind::WouldBlock);
    assert_eq!(error_of(Checkpoint::create(&scratch.0)).0, ErrorKind::WouldBlock);
    drop(run);
    assert_eq!(error_of(Checkpoint::create(&scratch.0)).0, ErrorKind::AlreadyExists);
    fs::remove_file(scratch.0.join("meta-1"))?;
    fs::remove_file(scratch.0.join("meta-2"))?;
    fs::remove_file(scratch.0.join("meta-3"))?;
    let (kind, text) = error_of(Checkpoint::open(&scratch.0));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(text.contains("there is no checkpoint"), "{text}");
    Ok(())
}

/// A crash in the middle of a save leaves longer files, and perhaps half a new meta file.
#[test]
fn what_a_crash_left_behind_is_ignored() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("crash");
    drop(three_saves(&scratch.0)?);
    for tail in [1, 3, 8, 100_000] {
        for name in ["leaves-0", "lengths-0", "nodes-0", "roots-0"] {
            let path = scratch.0.join(name);
            let mut bytes = fs::read(&path)?;
            bytes.resize(bytes.len() + tail, 0xa5);
            fs::write(&path, &bytes)?;
        }
        fs::write(scratch.0.join("meta.new"), b"half")?;
        let (mut store, opaque, mut checkpoint) = Checkpoint::open(&scratch.0)?;
        let n = n_of(&opaque);
        check(&mut store, n);
        checkpoint.save(&store, &(n + 100).to_le_bytes())?;
        let length = fs::metadata(scratch.0.join("roots-0"))?.len();
        assert_eq!(length, 8 * u64::from(n + 100), "the rest was cut off");
    }
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 3400);
    check(&mut store, 3400);
    Ok(())
}

/// A failing disk, simulated by a folder in the place of `meta.new`.
#[test]
fn a_save_that_failed_may_be_tried_again() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("again");
    let (mut store, mut checkpoint) = three_saves(&scratch.0)?;
    extend(&mut store, 4000);
    fs::create_dir(scratch.0.join("meta.new"))?;
    assert!(checkpoint.save(&store, &4000_u32.to_le_bytes()).is_err());
    fs::remove_dir(scratch.0.join("meta.new"))?;
    extend(&mut store, 5000);
    checkpoint.save(&store, &5000_u32.to_le_bytes())?;
    drop(checkpoint);
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 5000);
    check(&mut store, 5000);
    Ok(())
}

/// Damage in what was saved before is still there after the next save.
#[test]
fn a_save_writes_only_what_is_new() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("new");
    let (mut store, mut checkpoint) = three_saves(&scratch.0)?;
    let path = scratch.0.join("roots-0");
    let mut bytes = fs::read(&path)?;
    bytes[100] ^= 1;
    fs::write(&path, &bytes)?;
    extend(&mut store, 4000);
    checkpoint.save(&store, b"")?;
    assert_eq!(fs::metadata(&path)?.len(), 8 * 4000);
    assert_eq!(fs::read(&path)?[100], bytes[100]);
    Ok(())
}

/// Truncates each file at many positions, and flips a bit at many positions: each time there is an error
/// that names the file.
#[test]
fn damage_is_found_and_named() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("damage");
    drop(three_saves(&scratch.0)?);
    for name in ["leaves-0", "lengths-0", "nodes-0", "roots-0", "meta-3"] {
        let path = scratch.0.join(name);
        let whole = fs::read(&path)?;
        let expect_damage = |what: &str| {
            let (kind, text) = error_of(Checkpoint::open(&scratch.0));
            assert_eq!(kind, ErrorKind::InvalidData, "{name}, {what}: {text}");
            assert!(text.contains(&path.display().to_string()), "{text}");
            assert!(text.contains("damaged"), "{text}");
        };
        let step = whole.len() / 25 + 1;
        for at in (0..whole.len()).step_by(step).chain([1, 7, whole.len() - 1]) {
            fs::write(&path, &whole[..at])?;
            expect_damage(&format!("cut at {at}"));
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, &flipped)?;
            expect_damage(&format!("bit flipped at {at}"));
        }
        fs::write(&path, &whole)?;
    }
    drop(Checkpoint::open(&scratch.0)?);
    for name in ["leaves-0", "lengths-0", "nodes-0", "roots-0"] {
        let (path, aside) = (scratch.0.join(name), scratch.0.join("aside"));
        fs::rename(&path, &aside)?;
        let (kind, text) = error_of(Checkpoint::open(&scratch.0));
        assert_eq!(kind, ErrorKind::NotFound);
        assert!(text.contains(&path.display().to_string()), "{text}");
        fs::rename(&aside, &path)?;
    }
    Ok(())
}

/// Until they are settled, all saves can be opened; afterwards the last one only.
#[test]
fn a_save_counts_until_it_is_not_needed() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("earlier");
    drop(three_saves(&scratch.0)?);
    let saves = Checkpoint::list(&scratch.0)?;
    let numbers: Vec<(u64, u32)> = saves.iter().map(|(i, n)| (*i, n_of(n))).collect();
    assert_eq!(numbers, [(1, 0), (2, 1000), (3, 3000)]);
    assert_eq!(Checkpoint::peek(&scratch.0, 3)?.len(), 3000);
    let (mut store, mut checkpoint) = Checkpoint::open_at(&scratch.0, 2)?;
    assert_eq!(Checkpoint::list(&scratch.0)?.len(), 1, "what came later is forgotten");
    check(&mut store, 1000);
    checkpoint.save(&store, &1100_u32.to_le_bytes())?;
    assert_eq!(Checkpoint::list(&scratch.0)?.len(), 2);
    checkpoint.settle()?;
    assert_eq!(Checkpoint::list(&scratch.0)?.len(), 1);
    drop(checkpoint);
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 1100);
    check(&mut store, 1100);
    Ok(())
}

/// Whenever a crash happens, there is a save with all its files.
#[test]
fn a_store_that_was_built_anew_is_saved_anew() -> Result<()> {
    let _no_starts = process::no_starts();
    let scratch = Scratch::new("anew");
    let (_, mut checkpoint) = three_saves(&scratch.0)?;
    checkpoint.renew()?;
    checkpoint.settle()?;
    assert_eq!(Checkpoint::peek(&scratch.0, 3)?.len(), 3000, "before the first save");
    let mut store = TreeStore::new();
    extend(&mut store, 2000);
    checkpoint.save(&store, &2000_u32.to_le_bytes())?;
    assert_eq!(Checkpoint::peek(&scratch.0, 3)?.len(), 3000, "before it is settled");
    checkpoint.settle()?;
    assert!(!scratch.0.join("roots-0").exists() && scratch.0.join("roots-1").exists());
    extend(&mut store, 2500);
    checkpoint.save(&store, &2500_u32.to_le_bytes())?;
    drop(checkpoint);
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 2500);
    check(&mut store, 2500);
    Ok(())
}
