//! Mutation testing of the fuzzer. Each patch puts one bug into a copy of the workspace; the mutated resy
//! runs the programs until the first disagreement with spin. A mutant that survives shows what the
//! generator does not cover.
//!
//! There is one copy, and each patch is undone by applying it in reverse: the files then have new
//! modification times, so that cargo rebuilds exactly what changed.

use crate::args::{TaskArgs, TaskFailure};
use crate::cache::SpinCache;
use crate::fuzz::FuzzTools;
use crate::parallel::{self, LoopControl, lock};
use crate::tidy::workspace_root;
use resy_testkit::compare::Comparison;
use resy_testkit::resy::Resy;
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::SpinOptions;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// The parts of the workspace that a build needs.
const PARTS: &[&str] = &["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "crates"];

/// The task `mutants`; true if all are killed.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let [folder] = args.positional() else {
        return Err(TaskFailure::new("mutants needs the folder of the patches"));
    };
    let patches = patches(Path::new(folder))?;
    let copy = Copy::new(&workspace_root())?;
    let baseline = copy.build()?.ok_or_else(|| TaskFailure::new("the workspace does not build"))?;
    let first: u64 = args.number("seed", 0)?;
    let seeds: Vec<u64> = (first..first + args.number::<u64>("count", 500)?).collect();
    let jobs = args.number("jobs", 2)?;
    let cache = args.path("cache").unwrap_or_else(|| PathBuf::from("target/fuzz-cache"));
    let mut tools = FuzzTools {
        spin: SpinCache::new(Some(cache), SpinOptions::for_small_programs())?,
        resy: Some(resy(&baseline)?),
    };
    let agreeing = agreeing_seeds(&tools, &seeds, jobs)?;
    println!("{} of {} programs agree without mutation", agreeing.len(), seeds.len());
    let mut survivors = 0;
    for patch in &patches {
        let result = try_patch(&copy, patch, &mut tools, &agreeing, jobs)?;
        survivors += usize::from(result.starts_with("SURVIVED"));
        println!("{result:<32} {}", patch.display());
    }
    println!("{} mutants, {survivors} survived", patches.len());
    Ok(survivors == 0)
}

fn patches(folder: &Path) -> Result<Vec<PathBuf>, TaskFailure> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "patch") {
            found.push(path.canonicalize()?);
        }
    }
    found.sort();
    Ok(found)
}

/// The patches change the interpreter, which `check` uses in rare cases only.
fn resy(binary: &Path) -> Result<Resy, TaskFailure> {
    Ok(Resy::new(binary, Duration::from_secs(5))?.option("--interpret"))
}

fn agreeing_seeds(tools: &FuzzTools, seeds: &[u64], jobs: usize) -> Result<Vec<u64>, TaskFailure> {
    let agreeing = Mutex::new(Vec::new());
    parallel::for_each(seeds, jobs, |&seed| {
        if agrees(tools, seed)? {
            lock(&agreeing).push(seed);
        }
        Ok::<LoopControl, TaskFailure>(LoopControl::Continue)
    })?;
    let mut agreeing = agreeing.into_inner().unwrap_or_else(|e| e.into_inner());
    agreeing.sort_unstable();
    Ok(agreeing)
}

fn agrees(tools: &FuzzTools, seed: u64) -> Result<bool, TaskFailure> {
    let comparison = tools.try_seed(seed)?.comparison;
    use Comparison::{BothReject, Same, SameVerdict};
    Ok(matches!(comparison, Some(Same | SameVerdict | BothReject)))
}

fn try_patch(
    copy: &Copy,
    patch: &Path,
    tools: &mut FuzzTools,
    seeds: &[u64],
    jobs: usize,
) -> Result<String, TaskFailure> {
    if !copy.patch(patch, false)? {
        return Ok("does not apply".to_owned());
    }
    let result = match copy.build()? {
        None => "does not build".to_owned(),
        Some(binary) => {
            tools.resy = Some(resy(&binary)?);
            match first_disagreement(tools, seeds, jobs)? {
                Some(position) => format!("killed by program {}", position + 1),
                None => format!("SURVIVED {} programs", seeds.len()),
            }
        }
    };
    if !copy.patch(patch, true)? {
        return Err(TaskFailure::new(format!("cannot take back {}", patch.display())));
    }
    Ok(result)
}

/// The position of a seed on which the mutant disagrees with spin. With several threads it may not be the
/// first one, but is close to it.
fn first_disagreement(
    tools: &FuzzTools,
    seeds: &[u64],
    jobs: usize,
) -> Result<Option<usize>, TaskFailure> {
    let first = Mutex::new(None);
    let positions: Vec<usize> = (0..seeds.len()).collect();
    parallel::for_each(&positions, jobs, |&position| {
        if agrees(tools, seeds[position])? {
            return Ok::<LoopControl, TaskFailure>(LoopControl::Continue);
        }
        let mut first = lock(&first);
        *first = Some(first.map_or(position, |f: usize| f.min(position)));
        Ok(LoopControl::Stop)
    })?;
    Ok(first.into_inner().unwrap_or_else(|e| e.into_inner()))
}

/// A copy of the workspace in a temporary folder.
struct Copy {
    scratch: Scratch,
}

impl Copy {
    fn new(root: &Path) -> Result<Copy, TaskFailure> {
        let scratch = Scratch::new("mutants")?;
        for part in PARTS.iter().filter(|part| root.join(part).exists()) {
            let mut copy = Command::new("cp");
            copy.arg("-r").arg(root.join(part)).arg(scratch.path());
            if !copy.status()?.success() {
                return Err(TaskFailure::new(format!("cannot copy {part}")));
            }
        }
        Ok(Copy { scratch })
    }

    fn patch(&self, patch: &Path, reverse: bool) -> Result<bool, TaskFailure> {
        let mut command = Command::new("patch");
        command.current_dir(self.scratch.path()).args([
            "-p1",
            "-s",
            "-f",
            "--no-backup-if-mismatch",
        ]);
        if reverse {
            command.arg("-R");
        } else {
            // A patch that applies only in part must not stay applied in part.
            let mut trial = Command::new("patch");
            trial.current_dir(self.scratch.path()).args(["-p1", "-s", "-f", "--dry-run", "-i"]);
            if !trial.arg(patch).stdout(Stdio::null()).status()?.success() {
                return Ok(false);
            }
        }
        Ok(command.arg("-i").arg(patch).status()?.success())
    }

    /// Builds resy; `None` if it does not compile.
    fn build(&self) -> Result<Option<PathBuf>, TaskFailure> {
        let target = self.scratch.path().join("target");
        let mut cargo = Command::new("cargo");
        cargo.current_dir(self.scratch.path()).env("CARGO_TARGET_DIR", &target);
        cargo.args(["build", "--release", "--quiet", "-p", "resy-cli"]).stderr(Stdio::null());
        // A mutant runs for seconds, so building it must not take minutes.
        let quick = [("LTO", "off"), ("DEBUG", "0"), ("INCREMENTAL", "true"), ("OPT_LEVEL", "1")];
        for (name, value) in quick {
            cargo.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
        }
        let built = cargo.status()?.success();
        Ok(built.then(|| target.join("release/resy")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A patch that no longer applies would go unnoticed.
    #[test]
    fn all_patches_apply() -> Result<(), TaskFailure> {
        let root = workspace_root();
        let mut n = 0;
        for folder in ["interpreter", "models"] {
            for patch in patches(&root.join("mutants").join(folder))? {
                let mut git = Command::new("git");
                git.current_dir(&root).args(["apply", "--check"]).arg(&patch);
                assert!(git.status()?.success(), "{}", patch.display());
                n += 1;
            }
        }
        assert!(n >= 30, "only {n} patches were found");
        Ok(())
    }
}
