//! Any bytes through the parser.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::{check_diagnostics, tokens, use_signal_stack};
use resy_promela::parse::{parse, parse_claim, parse_ltl};
use resy_promela::{Diagnostics, SourceMap};

/// A tree of a small text that is larger than this, as text, is a mistake:
/// inlines may expand to so much, but to no more.
const MAX_TREE: usize = 1 << 30;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &[], &mut map, &mut diags);
    let program = parse(tokens.clone(), &mut map, &mut diags);
    check_diagnostics(&map, &diags);
    let mut count = Count(0);
    std::fmt::write(&mut count, format_args!("{program:?}")).expect("a count never fails");
    assert!(count.0 < MAX_TREE, "{} bytes", count.0);

    // The same tokens as a formula and as a claim of the program.
    if tokens.len() < 400 {
        let mut diags = Diagnostics::new();
        parse_ltl(tokens.clone(), &program, &mut map, &mut diags);
        parse_claim(tokens, &program, &mut map, &mut diags);
        check_diagnostics(&map, &diags);
    }
});

/// Counts the bytes of a text that nobody keeps.
struct Count(usize);

impl std::fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
