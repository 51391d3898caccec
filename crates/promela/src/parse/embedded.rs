//! Embedded C: it is skipped and refused.

use super::parser::{Parse, Parser};
use super::words::{Kind, Kw};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Punct, TokenKind};

const REFUSED: &str = "embedded C is not supported: resy has no C compiler in its semantics";

impl Parser<'_> {
    /// `c_code`, `c_decl` or `c_expr` with its text.
    pub(super) fn embedded_c(&mut self) -> Parse<Span> {
        let span = self.bump().span;
        self.fail(Diagnostic::new(Code::EmbeddedC, span, REFUSED));
        let first = self.src.next_raw();
        let has_condition = first.token.kind == TokenKind::Punct(Punct::LBracket);
        self.src.stream.put_back(first);
        if has_condition {
            self.skip_brackets();
        }
        self.tokens_in_braces("embedded C")?;
        Ok(span)
    }

    /// The precondition of a `c_code`.
    fn skip_brackets(&mut self) {
        let mut depth = 0usize;
        loop {
            let raw = self.src.next_raw();
            match raw.token.kind {
                TokenKind::Punct(Punct::LBracket) => depth += 1,
                TokenKind::Punct(Punct::RBracket) => depth = depth.saturating_sub(1),
                TokenKind::End => return self.src.stream.put_back(raw),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// `c_state "…" "…" "…"` or `c_track`.
    pub(super) fn c_state(&mut self) -> Parse<()> {
        let word: Kw = if self.at_kw(Kw::CState) { Kw::CState } else { Kw::CTrack };
        let span = self.bump().span;
        self.fail(Diagnostic::new(Code::EmbeddedC, span, REFUSED));
        for i in 0..3 {
            if matches!(self.peek().kind, Kind::Text(_)) {
                self.bump();
            } else if i < 2 {
                return Err(self.expected(&format!("a string after `{}`", word.text())));
            }
        }
        Ok(())
    }
}
