//! `resy fmt`: a model in canonical layout.
//!
//! The text is only replaced by one with the same meaning: both are parsed, and
//! their trees compared. A text that cannot be parsed is not laid out.

use crate::Exit;
use crate::args::Fmt;
use crate::outputs::shown;
use crate::pieces::{self, Unread};
use crate::{control, print};
use resy::{Control, Files, IncludeRoot, MAX_MESSAGES, NotLaidOut};
use resy_promela::{Diagnostics, SourceMap, render};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
    if resy::is_network(&fmt.file.to_string_lossy()) {
        return Err(bad(format!("{name}: only Promela and FSP have a layout, automata have none")));
    }
    let control = control::uninterrupted(&fmt.resources).map_err(bad)?;
    let bytes = pieces::read(&fmt.file, &control).map_err(|why| match why {
        Unread::Failed(error) => bad(format!("cannot read {name}: {error}")),
        Unread::Stopped(stop) => (Exit::Unknown, format!("{name}: {stop} while it was read")),
    })?;
    let watch = Watch::begin(name.clone(), control);
    let text = Text::of(bytes);
    let root = fmt.include_root.clone().map_or(IncludeRoot::Anywhere, IncludeRoot::Folder);
    let mut files = Files::new(Vec::new(), root);
    let out = match resy::lay_out(&fmt.file.display().to_string(), &text.text, &mut files) {
        Ok(out) => out,
        Err(NotLaidOut::Syntax(map, diagnostics)) => {
            report(&map, &diagnostics);
            return Err(bad(format!("{name} cannot be parsed, so it is not formatted")));
        }
        Err(NotLaidOut::Meaning) => {
            let message = "another layout would change the meaning (does it use `__LINE__`, or \
                           macros of other files that make strings?); the text is left as it is";
            return Err((Exit::Unknown, format!("{name}: {message}")));
        }
    };
    let changed = out != text.text;
    watch.end();
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

/// Ends the process at a limit: before the end of the layout nothing is written.
struct Watch(Arc<Mutex<bool>>);

impl Watch {
    /// How often the control is asked.
    const PERIOD: Duration = Duration::from_millis(20);

    fn begin(name: String, control: Control) -> Self {
        let watch = Self(Arc::default());
        let is_over = watch.0.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Self::PERIOD);
                let is_over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
                if *is_over {
                    return;
                }
                if let Some(stop) = control.exceeded() {
                    eprintln!("resy: {name}: {stop}");
                    std::process::exit(Exit::Unknown as i32);
                }
            }
        });
        watch
    }

    /// The layout is known.
    fn end(self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
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

fn report(map: &SourceMap, diagnostics: &Diagnostics) {
    let color = std::io::stderr().is_terminal();
    let errors = diagnostics.clone().without_warnings();
    print::styled(&render::render_all(map, &errors, MAX_MESSAGES, color));
}
