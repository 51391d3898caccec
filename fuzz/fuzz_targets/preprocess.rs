//! Any bytes through the lexer and the preprocessor.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::{check_diagnostics, tokens, use_signal_stack};
use resy_promela::lex::lex_raw;
use resy_promela::preprocess::Define;
use resy_promela::token::TokenKind;
use resy_promela::{Diagnostics, SourceMap};

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let pieces = lex_raw(&text);
    assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
    assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), text);

    // A first line `-D…` is a definition on the command line.
    let defines = match text.strip_prefix("-D").and_then(|rest| rest.lines().next()) {
        Some(define) => vec![Define::parse(define)],
        None => Vec::new(),
    };
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &defines, &mut map, &mut diags);
    let ends = tokens.iter().filter(|t| t.kind == TokenKind::End).count();
    assert_eq!(ends, 1);
    assert_eq!(tokens.last().map(|t| &t.kind), Some(&TokenKind::End));
    for token in tokens.iter().take(2000) {
        assert!(token.span.start <= token.span.end);
        map.text(token.span);
        map.location(token.span);
    }
    check_diagnostics(&map, &diags);
});
