//! Tokens back to text: a preprocessed model in one file.
//!
//! A tool that replaces a part of a model and passes the result on needs it without macros, which
//! could capture names of the new part, and without includes, which it could not find. Line ends
//! are kept, because they may act as semicolons. Adjacent tokens stay adjacent, because in a
//! formula `[]` is two tokens here and one in spin.

use crate::token::{Token, TokenKind};

/// The text of preprocessed tokens; preprocessing it gives the same tokens.
pub fn unparse(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut last: Option<&Token> = None;
    for token in tokens {
        let gap = match last {
            None => "",
            Some(_) if token.newline_before => "\n",
            Some(last) if touches(last, token) => "",
            Some(_) => " ",
        };
        text.push_str(gap);
        match &token.kind {
            TokenKind::Word(word) => text.push_str(word),
            TokenKind::Number(number) => text.push_str(&number.to_string()),
            TokenKind::Text(string) => {
                text.push('"');
                text.push_str(string);
                text.push('"');
            }
            TokenKind::Punct(punct) => text.push_str(punct.text()),
            TokenKind::End => {}
        }
        last = Some(token);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Whether two tokens are adjacent in the same file or macro. (Tokens of different origin must
/// not be joined: they could become another token.)
fn touches(left: &Token, right: &Token) -> bool {
    let (left, right) = (left.span, right.span);
    left.expansion == right.expansion && left.end == right.start
}
