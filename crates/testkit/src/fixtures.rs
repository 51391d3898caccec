//! The models of the repository, each with its truth beside it.

use std::path::{Path, PathBuf};
use toml::Table;

/// A model with what is known about it.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// The model.
    pub path: PathBuf,
    /// `family/name`.
    pub name: String,
    /// Macros that the truth was made with, `NAME=VALUE`.
    pub defines: Vec<String>,
    /// What spin counted, if spin can run the model.
    pub spin: Option<Counts>,
    /// Verdicts by property.
    pub verdicts: Vec<(String, String)>,
    /// Claims that cannot be watched, with the word for why.
    pub refused: Vec<(String, String)>,
}

/// The counts of an exhaustive search without reductions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// The version string of spin that counted.
    pub version: String,
    /// States stored.
    pub states: u64,
    /// States stored plus states matched.
    pub transitions: u64,
}

/// The folder of the models.
pub fn models_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All models with a truth, in the order of their names.
///
/// # Panics
/// If a truth cannot be read: it is test data of this repository.
pub fn fixtures() -> Vec<Fixture> {
    let mut found: Vec<Fixture> = families()
        .flat_map(|family| entries(&family))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// One model, by `family/name`.
///
/// # Panics
/// If there is no such model, or its truth cannot be read.
pub fn fixture(name: &str) -> Fixture {
    let folder = if name.starts_with("examples/") { models_dir().join("..") } else { models_dir() };
    let path = folder.join(name).with_extension("toml");
    read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The models that must be refused.
pub fn refused() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(&models_dir().join("refused"))
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    found.sort();
    found
}

/// The models about liveness, whose verdicts are in `truth.tsv`.
pub fn liveness_models() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(&models_dir().join("liveness"))
        .filter(|p| p.extension().is_some_and(|e| e == "pml"))
        .collect();
    found.sort();
    found
}

fn families() -> impl Iterator<Item = PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    entries(&models_dir()).filter(|p| p.is_dir()).chain([examples])
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn read(path: &Path) -> Result<Fixture, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let family = path.parent().and_then(Path::file_name).unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default();
    let defines = table.get("defines").and_then(|d| d.as_array()).into_iter().flatten();
    let pairs = |key: &str| {
        let pairs = table.get(key).and_then(|v| v.as_table()).into_iter().flatten();
        pairs.filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_string()))).collect()
    };
    Ok(Fixture {
        path: path.with_extension("pml"),
        name: format!("{}/{}", family.to_string_lossy(), stem.to_string_lossy()),
        defines: defines.filter_map(|d| d.as_str().map(String::from)).collect(),
        spin: table.get("spin").and_then(|s| s.as_table()).map(counts).transpose()?,
        verdicts: pairs("verdict"),
        refused: pairs("refused"),
    })
}

fn counts(table: &Table) -> Result<Counts, String> {
    let number = |key: &str| {
        let value = table.get(key).and_then(|v| v.as_integer());
        value.and_then(|v| u64::try_from(v).ok()).ok_or_else(|| format!("no number `{key}`"))
    };
    let version = table.get("version").and_then(|v| v.as_str()).ok_or("no spin version")?;
    Ok(Counts {
        version: version.to_string(),
        states: number("states")?,
        transitions: number("transitions")?,
    })
}
