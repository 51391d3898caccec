//! `resy fmt`: a model in canonical layout.
//!
//! The text is only replaced by one with the same meaning: both are parsed, and
//! their trees compared. A text that cannot be parsed is not laid out.

use crate::Exit;
use crate::args::Fmt;
use crate::outputs::shown;
use crate::print;
use resy::{Files, IncludeRoot, Subject, Texts, is_fsp};
use resy_promela::preprocess::{Loader, preprocess};
use resy_promela::{Code, Diagnostics, Severity, SourceMap, format, parse, render};
use std::io::{IsTerminal, Read};
use std::path::Path;

/// Runs the command.
pub fn run(fmt: &Fmt) -> Exit {
    match lay_out(fmt) {
        Ok(exit) => exit,
        Err((exit, problem)) => {
            eprintln!("resy: {problem}");
            exit
        }
    }
}

fn lay_out(fmt: &Fmt) -> Result<Exit, (Exit, String)> {
    let name = shown(&fmt.file);
    let is_stdin = fmt.file == Path::new("-");
    let bad = |problem: String| (Exit::BadInput, problem);
    if is_stdin && fmt.write {
        return Err(bad("`--write` needs a file".to_string()));
    }
    let bytes = read(&fmt.file).map_err(|e| bad(format!("cannot read {name}: {e}")))?;
    let text = Text::of(bytes);
    let out = match is_fsp(&fmt.file.display().to_string()) {
        true => resy_fsp::format(&text.text),
        false => format::format(&text.text),
    };
    let old = Parsed::of(fmt, &text.text);
    if old.has_syntax_errors() {
        old.report();
        return Err(bad(format!("{name} cannot be parsed, so it is not formatted")));
    }
    let changed = out != text.text;
    if changed && Parsed::of(fmt, &out).tree != old.tree {
        let message = "another layout would change the meaning (does it use `__LINE__`, or \
                       macros of other files that make strings?); the text is left as it is";
        return Err((Exit::Unknown, format!("{name}: {message}")));
    }
    let written = match (fmt.check, fmt.write) {
        (true, _) => return Ok(if changed { Exit::Fails } else { Exit::Holds }),
        (false, true) if !changed => Ok(()),
        (false, true) => std::fs::write(&fmt.file, text.encode(out)),
        (false, false) => {
            show(&text, out);
            Ok(())
        }
    };
    written.map_err(|e| bad(format!("cannot write {name}: {e}")))?;
    Ok(Exit::Holds)
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Prints the text: as it is for a file or another program, quoted on a terminal.
fn show(text: &Text, out: String) {
    match std::io::stdout().is_terminal() {
        true => print!("{out}"),
        false => print::document(&text.encode(out)),
    }
}

/// A text that can be written back in the encoding that it was read in: UTF-8,
/// or, in old models, one byte a character.
struct Text {
    text: String,
    is_utf8: bool,
}

impl Text {
    fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self { text, is_utf8: true },
            Err(e) => {
                let text = e.as_bytes().iter().copied().map(char::from).collect();
                Self { text, is_utf8: false }
            }
        }
    }

    fn encode(&self, out: String) -> Vec<u8> {
        match self.is_utf8 {
            true => out.into_bytes(),
            false => out.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    }
}

/// What the parser makes of a text.
struct Parsed {
    /// The tree without places; as it is printed for people who debug.
    tree: String,
    map: SourceMap,
    diags: Diagnostics,
}

impl Parsed {
    fn of(fmt: &Fmt, text: &str) -> Self {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let name = fmt.file.display().to_string();
        if is_fsp(&name) {
            let (tree, read) = (resy_fsp::parse(text).0, Subject::fsp(&name, text, None));
            return Self { tree: format!("{tree:?}"), map: read.map, diags: read.diagnostics };
        }
        let root = fmt.include_root.clone().map_or(IncludeRoot::Anywhere, IncludeRoot::Folder);
        let mut files = Beside(Files::new(Vec::new(), root));
        let tokens = preprocess(&name, text.to_string(), &[], &mut files, &mut map, &mut diags);
        let tree = format!("{:?}", parse::parse(tokens, &mut map, &mut diags));
        Self { tree, map, diags }
    }

    fn has_syntax_errors(&self) -> bool {
        let syntax = [Code::Syntax, Code::Unterminated, Code::Nesting, Code::Conditional];
        let is_syntax = |code: Code| match code {
            Code::Foreign(code) => code.starts_with("E02"),
            code => syntax.contains(&code),
        };
        self.diags.iter().any(|d| is_syntax(d.code))
    }

    fn report(&self) {
        let color = std::io::stderr().is_terminal();
        let errors = self.diags.iter().filter(|d| d.severity() == Severity::Error);
        errors.for_each(|d| print::styled(&format!("{}\n", render::render(&self.map, d, color))));
    }
}

/// Finds included files beside the including one.
struct Beside(Files);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, from: &str) -> Result<(String, String), String> {
        self.0.find(name, false, from)
    }
}
