//! Models of the repository and random programs, as the front end reads them.

use crate::fixtures::{Fixture, fixtures};
use crate::generate::{generate, print};
use resy_promela::preprocess::{Define, Loader};
use resy_promela::{Diagnostics, SourceMap};
use resy_system::System;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The result of the front end: source map, diagnostics, and the system unless there is an error.
pub type Loaded = (SourceMap, Diagnostics, Option<System>);

/// Reads the model in a file.
///
/// # Panics
/// If the file cannot be read.
pub fn load(path: &Path, defines: &[String]) -> Loaded {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut loader = Beside(path.parent().map(Path::to_path_buf).unwrap_or_default());
    load_text(&path.display().to_string(), text, defines, &mut loader)
}

/// Reads a model given as text.
pub fn load_text(name: &str, text: String, defines: &[String], loader: &mut dyn Loader) -> Loaded {
    let defines: Vec<Define> = defines.iter().map(|d| Define::parse(d)).collect();
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let system = resy_promela::read(name, text, &defines, loader, &mut map, &mut diags);
    (map, diags, system)
}

/// The system of a model.
///
/// # Panics
/// If the model is not accepted.
pub fn system_of(fixture: &Fixture) -> System {
    let (_, diags, system) = load(&fixture.path, &fixture.defines);
    let Some(system) = system else {
        panic!("{}: {:?}", fixture.name, diags.iter().collect::<Vec<_>>())
    };
    system
}

/// The system of a program that is given as text.
///
/// # Panics
/// If the program is not accepted.
pub fn system(text: &str) -> System {
    let (_, diags, system) = load_text("test.pml", text.into(), &[], &mut Beside(PathBuf::new()));
    system.unwrap_or_else(|| panic!("{:?}", diags.iter().collect::<Vec<_>>()))
}

/// All models of the repository, with their names.
pub fn models() -> impl Iterator<Item = (String, System)> {
    fixtures().into_iter().map(|fixture| (fixture.name.clone(), system_of(&fixture)))
}

/// The random programs of these seeds that are accepted.
pub fn random(seeds: Range<u64>) -> impl Iterator<Item = (String, System)> {
    seeds.filter_map(|seed| {
        let text = print(&generate(seed));
        let (_, _, system) = load_text("random.pml", text, &[], &mut Beside(PathBuf::new()));
        Some((format!("seed {seed}"), system?))
    })
}

/// A range of seeds: the value `FROM..TO` of an environment variable, or the usual one.
///
/// # Panics
/// If the variable has another form.
pub fn seeds(variable: &str, usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var(variable) else { return usual };
    let (from, to) = text.split_once("..").expect("FROM..TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// Finds included files in one folder.
pub struct Beside(pub PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let path = self.0.join(name);
        let text = std::fs::read(&path).map_err(|e| e.to_string())?;
        Ok((path.display().to_string(), String::from_utf8_lossy(&text).into_owned()))
    }
}
