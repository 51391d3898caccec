//! The models of the repository and random programs, as systems.

use resy_promela::preprocess::{Define, Loader};
use resy_promela::{Diagnostics, SourceMap};
use resy_system::System;
use resy_testkit::fixtures::fixtures;
use resy_testkit::generate::{generate, print};
use std::path::{Path, PathBuf};

/// All models of the repository, with their names.
pub fn models() -> impl Iterator<Item = (String, System)> {
    fixtures().into_iter().filter_map(|f| Some((f.name, load(&f.path, &f.defines)?)))
}

/// The random programs of these seeds.
pub fn random(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, System)> {
    seeds.filter_map(|seed| {
        let text = print(&generate(seed));
        Some((format!("seed {seed}"), read("random.pml", text, &[], PathBuf::new())?))
    })
}

/// The system of a program, given as text.
pub fn system(text: &str) -> System {
    read("test.pml", text.into(), &[], PathBuf::new()).expect("the program is accepted")
}

/// Reads the model in a file.
pub fn load(path: &Path, defines: &[String]) -> Option<System> {
    let bytes = std::fs::read(path).ok()?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    read(&path.display().to_string(), String::from_utf8_lossy(&bytes).into(), defines, folder)
}

fn read(name: &str, text: String, defines: &[String], folder: PathBuf) -> Option<System> {
    let defines: Vec<Define> = defines.iter().map(|d| Define::parse(d)).collect();
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    resy_promela::read(name, text, &defines, &mut Beside(folder), &mut map, &mut diags)
}

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let path = self.0.join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((path.display().to_string(), text))
    }
}
