//! Any bytes through the front end of FSP, and what the formatter makes of them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fsp::{ComposeOptions, ElaborationLimits, format, parse, read};
use resy_fuzz::use_signal_stack;

/// Small limits: what is tried is the code, not the memory of the machine.
const LIMITS: ElaborationLimits =
    ElaborationLimits { states: 2_000, parts: 100, product: 2_000, minimise: true };

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let options = ComposeOptions { composite: None, limits: LIMITS };
    let (composition, diagnostics) = read(&text, &options);
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.short(&text).is_empty());
    }
    if let Some(composition) = composition {
        assert!(!diagnostics.has_errors());
        let (network, marks) = composition.parts();
        assert_eq!(network.validate(), []);
        assert_eq!(network.components.len(), marks.len());
    }
    let (tree, diagnostics) = parse(&text);
    if !diagnostics.has_errors() {
        let laid_out = format(&text);
        assert_eq!(format!("{:?}", parse(&laid_out).0), format!("{tree:?}"));
    }
});
