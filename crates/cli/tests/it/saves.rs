//! What killed searches leave in the folder of their checkpoint.

use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// How far the saves in a folder have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    Nothing,
    /// The first save of several workers, without the shares of some.
    Part,
    Whole,
}

/// What is in a folder, saved by one process, or a share by each thread of several hosts.
pub fn kept(folder: &Path) -> Kept {
    let names = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
    };
    let has_meta = |folder: &Path| names(folder).iter().any(|n| n.starts_with("meta-"));
    let shares = names(folder).into_iter().filter(|n| n.starts_with("share-"));
    let saved: Vec<bool> = shares.map(|share| has_meta(&folder.join(share))).collect();
    match saved.iter().filter(|saved| **saved).count() {
        _ if has_meta(folder) => Kept::Whole,
        0 => Kept::Nothing,
        n if n == saved.len() => Kept::Whole,
        _ => Kept::Part,
    }
}

/// Kills a search some time after its first whole save. How long it takes until then depends on the machine.
pub fn kill_after_a_save(child: &mut Child, folder: &Path, pause: Duration) {
    while kept(folder) != Kept::Whole && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(pause);
    child.kill().expect("it can be killed");
    child.wait().expect("it is gone");
}
