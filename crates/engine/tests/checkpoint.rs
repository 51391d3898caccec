//! Checkpoints survive what can happen to them: crashes, garbage, damage.

use resy_engine::tree::{Checkpoint, StateId, TreePath, TreeStore};
use std::fs;
use std::io::{ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own for a test, removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
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
fn extend(store: &mut TreeStore, n: u32) {
    for i in store.len() as u32..n {
        let (vector, cuts) = state(i);
        let root = store.fold_whole(&vector, &cuts);
        assert!(store.insert(root).new);
    }
}

/// The store holds exactly the first `n` states, finds each, and goes on.
fn check(store: &mut TreeStore, n: u32) {
    assert_eq!(store.len() as u32, n);
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    for i in 0..n {
        let (expected, cuts) = state(i);
        store.load(i as StateId, &mut vector, &mut path);
        assert_eq!((&vector, path.cuts()), (&expected, &*cuts));
        let root = store.fold_whole(&vector, &cuts);
        let found = store.insert(root);
        assert_eq!((found.id, found.new), (i, false));
    }
    extend(store, n + 100);
}

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

fn n_of(opaque: &[u8]) -> u32 {
    u32::from_le_bytes(opaque.try_into().expect("what the tests save"))
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
    }
    let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
    assert_eq!(n_of(&opaque), 3400);
    check(&mut store, 3400);
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

/// Says to a child process where to save.
const CHILD: &str = "RESY_TEST_CHECKPOINT_CHILD";

/// Does nothing, unless it was started by the next test: then it saves without end.
#[test]
fn child_that_saves_until_it_is_killed() -> Result<()> {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return Ok(()) };
    let (mut store, mut checkpoint) = match Checkpoint::open(&folder) {
        Ok((store, _, checkpoint)) => (store, checkpoint),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (TreeStore::new(), Checkpoint::create(&folder)?)
        }
        Err(error) => return Err(error),
    };
    loop {
        let n = store.len() as u32 + 50;
        extend(&mut store, n);
        checkpoint.save(&store, &n.to_le_bytes())?;
        eprintln!("saved");
    }
}

#[test]
fn a_killed_run_leaves_a_usable_checkpoint() -> Result<()> {
    let scratch = Scratch::new("killed");
    let mut last = 0;
    for round in 0..20 {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--exact", "child_that_saves_until_it_is_killed", "--nocapture"])
            .env(CHILD, &scratch.0)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        // Once it has saved something, any moment will do.
        let mut first = [0; 5];
        child.stderr.as_mut().expect("a pipe").read_exact(&mut first)?;
        assert_eq!(&first, b"saved");
        std::thread::sleep(std::time::Duration::from_micros(round * 1237));
        child.kill()?;
        child.wait()?;
        let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
        let n = n_of(&opaque);
        assert!(n > last, "after {last} come more");
        check(&mut store, n);
        last = n;
    }
    Ok(())
}
