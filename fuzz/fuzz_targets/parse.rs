//! Any bytes through the parser.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::use_signal_stack;
use resy_testkit::targets::parse;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    parse(bytes);
});
