//! Any bytes through the lexer and the preprocessor.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::use_signal_stack;
use resy_testkit::targets::preprocess;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    preprocess(bytes);
});
