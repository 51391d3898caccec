//! The Rust files below a folder, in the order of their paths.

use std::io;
use std::path::{Path, PathBuf};

/// Each Rust file below a folder with its text. Folders of build products are passed over.
pub fn read(folder: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut sources = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    waiting.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path)?;
                sources.push((path, text));
            }
        }
    }
    sources.sort();
    Ok(sources)
}
