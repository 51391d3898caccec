//! Checkpoints survive what can happen to them: crashes, garbage, damage.

mod saved;

use resy_engine::tree::{Checkpoint, TreeStore};
use saved::{Scratch, check, extend, n_of};
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
    let scratch = Scratch::new("once");
    let run = three_saves(&scratch.0)?;
    assert_eq!(error_of(Checkpoint::open(&scratch.0)).0, ErrorKind::WouldBlock);
    assert_eq!(error_of(Checkpoint::create(&scratch.0)).0, ErrorKind::WouldBlock);
    drop(run);
    assert_eq!(error_of(Checkpoint::create(&scratch.0)).0, ErrorKind::AlreadyExists);
    fs::remove_file(scratch.0.join("meta"))?;
    let (kind, text) = error_of(Checkpoint::open(&scratch.0));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(text.contains("there is no checkpoint"), "{text}");
    Ok(())
}

/// A crash in the middle of a save leaves longer files, and perhaps half a new meta.
#[test]
fn what_a_crash_left_behind_is_ignored() -> Result<()> {
    let scratch = Scratch::new("crash");
    drop(three_saves(&scratch.0)?);
    for tail in [1, 3, 8, 100_000] {
        for name in ["leaves", "lengths", "nodes", "roots"] {
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
        let length = fs::metadata(scratch.0.join("roots"))?.len();
        assert_eq!(length, 8 * u64::from(n + 100), "the rest was cut off");
    }
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 3400);
    check(&mut store, 3400);
    Ok(())
}

/// The disk is full, or the like: here a folder stands where `meta.new` belongs.
#[test]
fn a_save_that_failed_may_be_tried_again() -> Result<()> {
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
    let scratch = Scratch::new("new");
    let (mut store, mut checkpoint) = three_saves(&scratch.0)?;
    let path = scratch.0.join("roots");
    let mut bytes = fs::read(&path)?;
    bytes[100] ^= 1;
    fs::write(&path, &bytes)?;
    extend(&mut store, 4000);
    checkpoint.save(&store, b"")?;
    assert_eq!(fs::metadata(&path)?.len(), 8 * 4000);
    assert_eq!(fs::read(&path)?[100], bytes[100]);
    Ok(())
}

/// Cuts each file short at many places, and flips a bit at many places: an error
/// that names the file, every time.
#[test]
fn damage_is_found_and_named() -> Result<()> {
    let scratch = Scratch::new("damage");
    drop(three_saves(&scratch.0)?);
    for name in ["leaves", "lengths", "nodes", "roots", "meta"] {
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
    for name in ["leaves", "lengths", "nodes", "roots"] {
        let (path, aside) = (scratch.0.join(name), scratch.0.join("aside"));
        fs::rename(&path, &aside)?;
        let (kind, text) = error_of(Checkpoint::open(&scratch.0));
        assert_eq!(kind, ErrorKind::NotFound);
        assert!(text.contains(&path.display().to_string()), "{text}");
        fs::rename(&aside, &path)?;
    }
    Ok(())
}
