//! Printing to somebody who may have gone, and who may be sitting at a terminal.
//!
//! `resy check … | head` ends quietly: the standard macros panic when nobody reads any more. These
//! have the same names, so that the whole crate uses them. Losing the reader changes no exit code: it is
//! still that of the verdict. If the output cannot be written for another reason, the files of the
//! command are still written, and the exit code says that something is lost.
//!
//! Names and texts of a model may have control characters. None of them reaches a terminal: everything
//! that is printed here is quoted, except the line ends and tabs of a layout.

use resy::{quote_json, quote_lines};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{ErrorKind, Result, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether nobody reads the standard output any more.
static GONE: AtomicBool = AtomicBool::new(false);
/// Whether a part of the standard output is lost.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints to the standard output.
macro_rules! print {
    ($($arg:tt)*) => { $crate::print::out(format_args!($($arg)*)) };
}

/// Prints a line to the standard output.
macro_rules! println {
    () => { $crate::print::out(format_args!("\n")) };
    ($($arg:tt)*) => { $crate::print::out(format_args!("{}\n", format_args!($($arg)*))) };
}

/// Prints to the standard error.
macro_rules! eprint {
    ($($arg:tt)*) => { $crate::print::err(format_args!($($arg)*)) };
}

/// Prints a line to the standard error.
macro_rules! eprintln {
    ($($arg:tt)*) => { $crate::print::err(format_args!("{}\n", format_args!($($arg)*))) };
}

/// Prints to the standard output.
pub fn out(text: Arguments<'_>) {
    let text = flat(text);
    written(crate::paint::verdicts(quote_lines(&text)).as_bytes());
}

/// Prints a JSON object on a line of its own.
pub fn json(object: &Value) {
    written(format!("{}\n", quote_json(&object.to_string())).as_bytes());
}

/// Prints a document as it is, which the user has asked for in its own format.
pub fn document(bytes: &[u8]) {
    written(bytes);
}

/// Prints to the standard error; if nobody reads it, there is nobody to tell.
pub fn err(text: Arguments<'_>) {
    styled(&quote_lines(&flat(text)));
}

/// Prints text to the standard error that has colours or moves the cursor. Whatever it has of a model
/// must be quoted already.
pub fn styled(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Writes what is still in the buffer.
pub fn flush() {
    if !is_gone() {
        hear(std::io::stdout().lock().flush());
    }
}

/// Whether nobody reads the standard output any more.
pub fn is_gone() -> bool {
    GONE.load(Ordering::Relaxed)
}

/// Whether a part of the standard output is lost, although somebody wants to read it: the disk is full.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

fn flat(text: Arguments<'_>) -> Cow<'static, str> {
    match text.as_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(text.to_string()),
    }
}

fn written(bytes: &[u8]) {
    if !is_gone() {
        hear(std::io::stdout().lock().write_all(bytes));
    }
}

fn hear(written: Result<()>) {
    let Err(error) = written else { return };
    GONE.store(true, Ordering::Relaxed);
    if error.kind() != ErrorKind::BrokenPipe {
        LOST.store(true, Ordering::Relaxed);
        eprintln!("resy: cannot write the output: {error}");
    }
}
