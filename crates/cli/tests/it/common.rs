//! What the suites share: reading a model without printing.

use resy_promela::preprocess::{Define, Loader};
use resy_promela::{Diagnostics, SourceMap};
use resy_system::System;
use std::path::{Path, PathBuf};

/// A model that was read: its files and expansions, what the front end said, and
/// the system if there is no error.
pub type Loaded = (SourceMap, Diagnostics, Option<System>);

/// Reads the model in a file.
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

/// Finds included files in one folder.
pub struct Beside(pub PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let path = self.0.join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((path.display().to_string(), text))
    }
}
