//! `#` and `##`: new tokens out of the text of others.

use super::Preprocessor;
use super::arguments::Argument;
use super::token::{Kind, PASTE_LEFT, Pads, PpToken, UNCLOSED, WHITE};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::RawKind;
use crate::lex::scan::Scanner;

impl Preprocessor<'_> {
    /// Joins `left` with the tokens after it in the current context, as long as
    /// `##` stands between them, and makes the result the next token.
    pub(super) fn paste_all(&mut self, left: PpToken) {
        let mut left = left;
        while let Some(right) = self.contexts.last_mut().and_then(|c| c.take()) {
            if right.kind != Kind::Padding {
                match self.paste(&left, &right) {
                    Some(pasted) => left = pasted,
                    None => {
                        self.report_paste(&left, &right);
                        if let Some(context) = self.contexts.last_mut() {
                            context.back();
                        }
                        break;
                    }
                }
            }
            if !right.has(PASTE_LEFT) {
                break;
            }
        }
        left.set(PASTE_LEFT, false);
        self.push_tokens(vec![left]);
    }

    /// The one token that the texts of both give together.
    fn paste(&mut self, left: &PpToken, right: &PpToken) -> Option<PpToken> {
        let text = format!("{}{}", self.words.text(left.symbol), self.words.text(right.symbol));
        let mut scanner = Scanner::at(&text, 0, 1);
        let piece = scanner.next_piece()?;
        let kind = match piece.kind {
            RawKind::Word => Kind::Name,
            RawKind::Number => Kind::Number,
            RawKind::Text if piece.closed => Kind::Text,
            RawKind::Character if piece.closed => Kind::Character,
            RawKind::Punct => Kind::Punct,
            _ => return None,
        };
        // `L` and a string are one token to C; here the second stays as it is.
        (piece.end == text.len()).then(|| PpToken {
            kind,
            flags: left.flags & WHITE,
            line: left.line,
            symbol: self.words.intern(&text),
            span: left.span.to(right.span),
        })
    }

    fn report_paste(&mut self, left: &PpToken, right: &PpToken) {
        let (a, b) = (self.words.text(left.symbol), self.words.text(right.symbol));
        let message = format!("`{a}` and `{b}` joined by `##` are not one token");
        self.diags.push(Diagnostic::new(Code::MacroCall, left.span, message));
    }

    /// The string that `#` makes of an argument.
    pub(super) fn stringify(&mut self, argument: &Argument, source: &PpToken) -> PpToken {
        let mut text = String::from("\"");
        let mut pads = Pads::default();
        let mut backslashes = 0;
        for token in &argument.tokens {
            if token.kind == Kind::Padding {
                pads.add(token);
                continue;
            }
            if text.len() > 1 && pads.white(token) {
                text.push(' ');
            }
            pads = Pads::default();
            let words = self.words.text(token.symbol);
            let quoted = matches!(token.kind, Kind::Text | Kind::Character);
            if quoted && !token.has(UNCLOSED) {
                text.extend(words.chars().flat_map(escaped));
            } else {
                text.push_str(words);
            }
            backslashes = if &**words == "\\" { backslashes + 1 } else { 0 };
        }
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        let flags = source.flags & WHITE;
        PpToken { kind: Kind::Text, flags, symbol: self.words.intern(&text), ..*source }
    }
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    matches!(c, '"' | '\\').then_some('\\').into_iter().chain(std::iter::once(c))
}
