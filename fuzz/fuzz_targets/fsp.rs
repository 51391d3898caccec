//! Any bytes as FSP.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::use_signal_stack;
use resy_testkit::targets::fsp;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    fsp(bytes);
});
