//! The commit and the target of a build, for `resy --version`.

use std::process::Command;

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    let profile = std::env::var("PROFILE").unwrap_or_default();
    println!("cargo:rustc-env=RESY_TARGET={target}");
    println!("cargo:rustc-env=RESY_PROFILE={profile}");
    println!("cargo:rerun-if-env-changed=RESY_COMMIT");
    let given = std::env::var("RESY_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(from_git).or_else(from_package);
    println!("cargo:rustc-env=RESY_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// The commit of a checkout of resy itself; the folder may lie in the repository of something else.
fn from_git() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=9", "HEAD"])
}

/// The commit that a package was made from.
fn from_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(|commit| commit.chars().take(9).collect())
}
