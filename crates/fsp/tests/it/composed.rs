//! Compositions of texts and of our models.

use resy_fsp::{ComposeOptions, Composition, read};
use std::path::{Path, PathBuf};

/// The folder of our models.
pub fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/fsp")
}

/// The text of one of our models.
pub fn model(name: &str) -> String {
    let path = own_folder().join(format!("{name}.lts"));
    std::fs::read_to_string(path).expect("the model can be read")
}

/// A composite of a text without errors.
pub fn composed(text: &str, composite: &str) -> Composition {
    let options =
        ComposeOptions { composite: Some(composite.to_owned()), ..ComposeOptions::default() };
    let (composition, diagnostics) = read(text, &options);
    let found: Vec<String> = diagnostics.iter().map(|d| d.short(text)).collect();
    composition.unwrap_or_else(|| panic!("{found:?}\n{text}"))
}
