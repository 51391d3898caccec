//! Any program through the whole front end, and a walk through its states.
//!
//! The text goes to the first NUL; the bytes after it choose the steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::use_signal_stack;
use resy_testkit::targets::lower;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    lower(bytes);
});
