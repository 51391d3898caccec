//! The next definition after a syntax error.

use super::parser::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Moves to the start of the next definition, at least one token on unless there is
    /// one here.
    pub(super) fn skip_to_definition(&mut self, start: usize) {
        if self.position() == start {
            self.bump();
        }
        while self.kind() != TokenKind::End && !self.at_definition() {
            // A full stop ends a definition unless a label goes on after it.
            let stop = self.bump().kind == TokenKind::Dot;
            let in_label = matches!(
                self.kind(),
                TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket | TokenKind::Upper
            );
            if stop && !in_label {
                return;
            }
        }
    }

    /// Whether the tokens here look like the start of a definition: a keyword, a name with `=`
    /// or parameters after a full stop, or `||` with such a name.
    pub(super) fn at_definition(&self) -> bool {
        let defines = |ahead: usize| {
            self.kind_at(ahead) == TokenKind::Upper
                && match self.kind_at(ahead + 1) {
                    TokenKind::Assign => true,
                    TokenKind::LParen => {
                        self.kind_at(ahead + 2) == TokenKind::Upper
                            && self.kind_at(ahead + 3) == TokenKind::Assign
                    }
                    _ => false,
                }
        };
        match self.kind() {
            TokenKind::OrOr => defines(1),
            TokenKind::Upper => defines(0) && self.last_kind() == Some(TokenKind::Dot),
            kind if kind.begins_definition() => match self.kind_at(1) {
                TokenKind::Upper | TokenKind::OrOr => true,
                next => next.begins_definition(),
            },
            _ => false,
        }
    }
}
