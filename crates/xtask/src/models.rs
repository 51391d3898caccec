//! Finds Promela models below a path, by extension or by content.

use std::io;
use std::path::{Path, PathBuf};

const EXTENSIONS: &[&str] = &["pml", "prom", "spin", "promela"];
const EMBEDDED_C: &[&str] = &["c_code", "c_expr", "c_decl", "c_state", "c_track"];

/// All models below the paths, sorted; a path to a file is used as is.
pub fn find(paths: &[String]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let path = Path::new(path);
        if path.is_dir() {
            collect(path, &mut found)?;
        } else {
            // A missing file is an error here, not a model that spin rejects.
            std::fs::metadata(path)
                .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
            found.push(path.to_owned());
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !path.is_symlink() {
            collect(&path, found)?;
        } else if path.is_file() && is_model(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    match path.extension() {
        Some(extension) => EXTENSIONS.iter().any(|e| extension == *e),
        None => text_of(path).is_some_and(|text| looks_like_promela(&text)),
    }
}

fn looks_like_promela(text: &str) -> bool {
    let code = without_comments(text);
    let process = code.contains("proctype") || code.contains("init");
    process && code.contains('{') && (code.contains("::") || code.contains("proctype"))
}

/// Whether a model contains embedded C, which resy does not support.
pub fn has_embedded_c(path: &Path) -> bool {
    let code = text_of(path).map_or(String::new(), |text| without_comments(&text));
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| EMBEDDED_C.contains(&word))
}

fn text_of(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let binary = bytes.iter().take(1024).any(|&b| b == 0);
    (!binary && bytes.len() < 1 << 20).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        code.push(' ');
        rest = after.split_once("*/").map_or("", |(_, tail)| tail);
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count() {
        assert_eq!(without_comments("a /* proctype */ b // c_code\nd"), "a   b \nd");
        assert!(!looks_like_promela("/* proctype { */ plain text"));
        assert!(looks_like_promela("active proctype P() { skip }"));
        assert!(!looks_like_promela("#!/bin/sh\ninit() { echo; }"));
    }
}
