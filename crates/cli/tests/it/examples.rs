//! Spin's own example models, where Debian's package has installed them.
//!
//! They are read from where they are; none of them is part of this repository.

use resy_testkit::compare::{Comparison, compare, discard_of_spin};
use resy_testkit::resy::Resy;
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::{SpinOptions, run_file};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "/usr/share/doc/spin/examples";

#[test]
fn spins_examples_mean_the_same_to_us() {
    if !Path::new(EXAMPLES).exists() {
        println!("{EXAMPLES} is not installed here");
        return;
    }
    let scratch = Scratch::new("examples").expect("a folder");
    let models = unpack(Path::new(EXAMPLES), scratch.path());
    assert!(models.len() > 50, "only {} models in {EXAMPLES}", models.len());
    let resy = Resy::new(Path::new(env!("CARGO_BIN_EXE_resy")), Duration::from_secs(8))
        .expect("resy was built");
    let time_limit = Duration::from_secs(2);
    let compiler = SpinOptions::for_small_programs().compiler;
    let options = SpinOptions { time_limit, compiler, ..SpinOptions::default() };
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut same, mut wrong) = (0, Vec::new());
        while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
            let spin = run_file(model, &options).expect("spin is installed");
            if discard_of_spin(&spin).is_some() {
                continue;
            }
            let ours = resy.run_file(model).expect("resy runs");
            match compare(&spin, &ours) {
                Comparison::Difference(difference) => {
                    wrong.push(format!("{}: {difference:?}", model.display()));
                }
                Comparison::Discarded(_) => {}
                _ => same += 1,
            }
        }
        (same, wrong)
    };
    let results = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|w| w.join().expect("a worker"))
    });
    let same: usize = results.iter().map(|(n, _)| n).sum();
    let wrong: Vec<_> = results.into_iter().flat_map(|(_, w)| w).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same * 2 > models.len(), "only {same} of {} could be compared", models.len());
}

/// Copies the tree, decompressed, and lists the files that are models.
fn unpack(from: &Path, to: &Path) -> Vec<PathBuf> {
    std::fs::create_dir_all(to).expect("a folder");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            models.extend(unpack(&path, &to.join(&name)));
            continue;
        }
        let bytes = match name.strip_suffix(".gz") {
            Some(_) => {
                Command::new("gzip").arg("-dc").arg(&path).output().expect("gzip runs").stdout
            }
            None => std::fs::read(&path).expect("a file"),
        };
        let target = to.join(name.trim_end_matches(".gz"));
        let text = String::from_utf8_lossy(&bytes);
        if target.extension().is_some_and(|e| e == "pml") && text.contains('{') {
            models.push(target.clone());
        }
        std::fs::write(&target, &bytes).expect("a file");
    }
    models
}
