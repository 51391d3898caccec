//! A run that is killed leaves a usable checkpoint.

use crate::saved::{Scratch, check, extend, n_of};
use resy_engine::tree::{Checkpoint, TreeStore};
use resy_testkit::process;
use std::io::{ErrorKind, Read, Result};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Tells a child process where to save.
const CHILD: &str = "RESY_TEST_CHECKPOINT_CHILD";

/// Does nothing, unless it was started by the next test: then it saves for ever.
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
        let starting = process::starting();
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--exact", "killed::child_that_saves_until_it_is_killed", "--nocapture"])
            .env(CHILD, &scratch.0)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        drop(starting);
        // Once it has saved something, it may be killed at any time.
        let mut first = [0; 5];
        child.stderr.as_mut().expect("a pipe").read_exact(&mut first)?;
        assert_eq!(&first, b"saved");
        std::thread::sleep(std::time::Duration::from_micros(round * 1237));
        child.kill()?;
        child.wait()?;
        let _no_starts = process::no_starts();
        let (mut store, opaque, _checkpoint) = Checkpoint::open(&scratch.0)?;
        let n = n_of(&opaque);
        assert!(n > last, "after {last} come more");
        check(&mut store, n);
        last = n;
    }
    Ok(())
}
