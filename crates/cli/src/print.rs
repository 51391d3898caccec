//! Printing to somebody who may have gone: `resy check … | head` ends quietly.
//!
//! The standard macros panic when nobody reads any more. These have the same names, so
//! that the whole crate uses them. Losing the reader changes no exit code: it is still that of
//! the verdict.

use std::fmt::Arguments;
use std::io::{ErrorKind, Result, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether nobody reads the standard output any more.
static GONE: AtomicBool = AtomicBool::new(false);

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

/// Prints to the standard output. A result that cannot be written, because the disk is
/// full, is no result.
pub fn out(text: Arguments<'_>) {
    if !is_gone() {
        hear(std::io::stdout().lock().write_fmt(text));
    }
}

/// Prints to the standard error; if nobody reads it, there is nobody to tell.
pub fn err(text: Arguments<'_>) {
    let _ = std::io::stderr().lock().write_fmt(text);
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

fn hear(written: Result<()>) {
    let Err(error) = written else { return };
    GONE.store(true, Ordering::Relaxed);
    if error.kind() != ErrorKind::BrokenPipe {
        eprintln!("resy: cannot write the output: {error}");
        std::process::exit(crate::Exit::BadInput as i32);
    }
}
