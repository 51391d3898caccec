//! Any bytes as a network file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::use_signal_stack;
use resy_testkit::targets::network_file;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    network_file(bytes);
});
