//! From a file name to a system, with everything there is to say about it.

use crate::Exit;
use crate::args::{Color, Common};
use resy_promela::preprocess::{Define, Loader, preprocess};
use resy_promela::{Diagnostics, Severity, SourceMap, lower, parse, render};
use resy_system::System;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Reads a model and prints its diagnostics to standard error.
pub fn load(file: &Path, common: &Common) -> Result<System, Exit> {
    let text = read(file).map_err(|error| {
        eprintln!("resy: cannot read {}: {error}", file.display());
        Exit::BadInput
    })?;
    let name = file.display().to_string();
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let defines: Vec<Define> = common.define.iter().map(|d| Define::parse(d)).collect();
    let mut loader = FileLoader { include: &common.include };
    let tokens = preprocess(&name, text, &defines, &mut loader, &mut map, &mut diags);
    let program = parse::parse(tokens, &mut map, &mut diags);
    let system = lower(&program, &map, &mut diags);
    report(&map, &diags, common);
    system.ok_or(Exit::BadInput)
}

/// The text of a file; bytes that are not UTF-8 are replaced.
pub fn read(file: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(file)?;
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into()))
}

fn report(map: &SourceMap, diags: &Diagnostics, common: &Common) {
    let color = match common.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal(),
    };
    for diagnostic in diags.iter() {
        if diagnostic.severity() == Severity::Error || !common.quiet {
            eprintln!("{}", render::render(map, diagnostic, color));
        }
    }
}

/// Finds included files: beside the including file, then in the given folders.
struct FileLoader<'a> {
    include: &'a [PathBuf],
}

impl Loader for FileLoader<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let folders = beside.filter(|_| !angled).into_iter().chain(self.include.iter().cloned());
        let mut last = format!("cannot find `{name}`");
        for folder in folders {
            let path = folder.join(name);
            match read(&path) {
                Ok(text) => return Ok((path.display().to_string(), text)),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => last = format!("cannot read {}: {e}", path.display()),
            }
        }
        Err(last)
    }
}
