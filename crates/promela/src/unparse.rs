//! Tokens back to text: a model after preprocessing, in one file.
//!
//! Whoever changes a part of a model and hands the whole to another tool needs it without macros
//! and includes: a name in the new part could be a macro, and files are elsewhere. Line ends are
//! kept, because they may stand for semicolons, and so are blanks, because in a formula `[]` is two
//! tokens for us and one for spin.

use crate::token::{Token, TokenKind};

/// The text of preprocessed tokens; read again, it gives the same ones.
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

/// Whether two tokens stood side by side, in the same file or the same macro. (In different ones
/// they could become another token together.)
fn touches(left: &Token, right: &Token) -> bool {
    let (left, right) = (left.span, right.span);
    left.expansion == right.expansion && left.end == right.start
}
