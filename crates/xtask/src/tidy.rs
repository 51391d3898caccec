//! The architecture as a test: which crate may use which, that each file says in its first line
//! what it is about, that a public name has one meaning, and that no library names an option.

mod option_names;
mod public_names;
mod sources;
mod trust;

use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which crates of the workspace a crate may depend on, from ARCHITECTURE.md.
/// Development dependencies are free, except that nothing may use `cli`. A new
/// crate needs a line here, and a written reason there.
const ALLOWED: &[(&str, &[&str])] = &[
    ("index", &[]),
    ("automata", &["index"]),
    ("system", &["index", "automata"]),
    ("promela", &["index", "system"]),
    ("fsp", &["index", "automata"]),
    ("passes", &["index", "system"]),
    ("engine", &["index", "automata", "system", "passes"]),
    ("network", &["index", "automata", "system"]),
    ("symbolic", &["index", "system"]),
    (
        "certificate",
        &["index", "automata", "system", "promela", "fsp", "passes", "network", "symbolic"],
    ),
    ("compose", &["index", "automata", "certificate"]),
    ("predicate", &["index", "automata", "system", "symbolic", "certificate"]),
    (
        "resy",
        &[
            "index",
            "automata",
            "system",
            "promela",
            "fsp",
            "passes",
            "network",
            "engine",
            "symbolic",
            "certificate",
            "compose",
            "predicate",
        ],
    ),
    (
        "export",
        &["index", "automata", "system", "promela", "fsp", "network", "certificate", "resy"],
    ),
    ("lsp", &["promela", "fsp", "resy", "export"]),
    ("playground", &["promela", "fsp", "resy", "export"]),
    ("cli", &["promela", "fsp", "resy", "export", "lsp"]),
    (
        "testkit",
        &[
            "index", "automata", "system", "promela", "fsp", "passes", "engine", "network",
            "symbolic", "export", "cli", "xtask",
        ],
    ),
    (
        "xtask",
        &[
            "index",
            "automata",
            "system",
            "promela",
            "fsp",
            "passes",
            "engine",
            "network",
            "symbolic",
            "certificate",
            "compose",
            "predicate",
            "resy",
            "export",
            "cli",
            "testkit",
        ],
    ),
];

/// All findings, as lines for people.
pub fn check(root: &Path) -> io::Result<Vec<String>> {
    let mut findings = check_dependencies(&metadata(root)?);
    check_heads(&root.join("crates"), &mut findings)?;
    public_names::check(&root.join("crates"), &mut findings)?;
    option_names::check(&root.join("crates"), &mut findings)?;
    trust::check(root, &mut findings)?;
    Ok(findings)
}

/// The folder of the workspace's Cargo.toml.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

fn metadata(root: &Path) -> io::Result<Value> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let output = cargo
        .current_dir(root)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(io::Error::other(format!("cargo metadata: {text}")));
    }
    serde_json::from_slice(&output.stdout).map_err(io::Error::other)
}

fn check_dependencies(metadata: &Value) -> Vec<String> {
    let mut findings = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = folder_name(package["name"].as_str().unwrap_or_default());
        let Some((_, allowed)) = ALLOWED.iter().find(|(crate_, _)| *crate_ == name) else {
            findings.push(format!("{name}: not in the table of crates (xtask/src/tidy.rs)"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            if used != "resy" && !used.starts_with("resy-") {
                continue;
            }
            let used = folder_name(used);
            let development = dependency["kind"].as_str() == Some("dev");
            let fine = if development { used != "cli" } else { allowed.contains(&used) };
            if !fine {
                let how = if development { "dev-depend" } else { "depend" };
                findings.push(format!("{name} may not {how} on {used}"));
            }
        }
    }
    findings
}

/// Packages are called `resy-<folder>`; the library is `resy`.
fn folder_name(package: &str) -> &str {
    package.strip_prefix("resy-").unwrap_or(package)
}

fn check_heads(crates: &Path, findings: &mut Vec<String>) -> io::Result<()> {
    let sources = sources::read(crates)?;
    let without = sources.iter().filter(|(_, text)| !opens_with_its_idea(text));
    findings.extend(without.map(|(path, _)| format!("{}: no opening `//!` line", path.display())));
    Ok(())
}

fn opens_with_its_idea(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//!").is_some_and(|idea| !idea.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_workspace_is_tidy() -> io::Result<()> {
        let findings = check(&workspace_root())?;
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
        Ok(())
    }

    fn package(name: &str, used: &str, kind: Option<&str>) -> Value {
        json!({"packages": [{"name": name, "dependencies": [{"name": used, "kind": kind}]}]})
    }

    #[test]
    fn forbidden_dependencies_are_found() {
        let check = |name, used, kind| check_dependencies(&package(name, used, kind)).len();
        assert_eq!(check("resy-system", "resy-index", None), 0);
        assert_eq!(check("resy-system", "resy-promela", None), 1);
        assert_eq!(check("resy-export", "resy-engine", None), 1);
        assert_eq!(check("resy-engine", "resy-promela", Some("dev")), 0);
        assert_eq!(check("resy-engine", "resy-cli", Some("dev")), 1);
        assert_eq!(check("resy-cli", "resy-testkit", None), 1);
        assert_eq!(check("resy-index", "serde", None), 0);
        assert_eq!(check("resy-surprise", "serde", None), 1);
    }

    #[test]
    fn a_file_opens_with_its_idea() {
        assert!(opens_with_its_idea("//! An idea.\nfn f() {}"));
        assert!(!opens_with_its_idea("use std::io;\n//! Late."));
        assert!(!opens_with_its_idea("//!\n"));
        assert!(!opens_with_its_idea(""));
    }
}
