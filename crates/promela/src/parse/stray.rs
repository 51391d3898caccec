//! A `*/` without a comment before it, as in `/* a /* b */ c */`.
//!
//! Spin's lexer passes over it, and old models rely on that.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::token::{Punct, Token, TokenKind};

/// Takes out every `*` that touches a `/` behind it, together with the `/`.
pub(super) fn drop_comment_ends(tokens: Vec<Token>, diags: &mut Diagnostics) -> Vec<Token> {
    let is = |token: &Token, punct| token.kind == TokenKind::Punct(punct);
    let stray = |a: &Token, b: &Token| {
        is(a, Punct::Star)
            && is(b, Punct::Slash)
            && a.span.to(b.span) != a.span
            && a.span.end == b.span.start
    };
    if !tokens.windows(2).any(|pair| stray(&pair[0], &pair[1])) {
        return tokens;
    }
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut newline = false;
    for mut token in tokens {
        token.newline_before |= std::mem::take(&mut newline);
        if kept.last().is_some_and(|before| stray(before, &token))
            && let Some(star) = kept.pop()
        {
            newline = star.newline_before || token.newline_before;
            let message = "`*/` stands outside a comment";
            let diagnostic = Diagnostic::new(Code::Suspicious, star.span.to(token.span), message);
            diags.push(diagnostic.hint("comments do not nest"));
        } else {
            kept.push(token);
        }
    }
    kept
}
