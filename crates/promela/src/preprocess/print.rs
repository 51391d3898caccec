//! Which blanks and line ends `gcc -E` prints between two tokens.
//!
//! Spin reads what gcc prints, and both matter to it: a line end may stand for
//! a semicolon, and `!` `!` with nothing between them is `!!`. The rules are
//! those of gcc's c-ppoutput.c. A line ends before the first token of each line
//! of the source; further, a token with white space or the border of an
//! expansion before it goes to a new line if it stands on another line of the
//! source than the one being printed. That is so after a macro call whose
//! arguments span lines, after a comment over several lines and after a
//! joined line: `a \` and `b` on the next line come out on two lines.

use super::token::{Kind, Pads, PpToken, WHITE};
use super::words::{HASH, Words};

/// What stands before a token.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    Nothing,
    Blank,
    Newline,
}

/// Gcc's output so far.
#[derive(Default)]
pub(super) struct Printer {
    line: u32,
    newline: bool,
    pads: Pads,
    /// The last token on the line being printed.
    last: Option<PpToken>,
}

impl Printer {
    /// The first token of a line was read, not among the arguments of a call.
    pub fn line_change(&mut self, line: u32) {
        self.line = line;
        self.newline = true;
        self.last = None;
        self.pads = Pads::default();
    }

    /// The border of an expansion.
    pub fn padding(&mut self, padding: &PpToken) {
        self.pads.add(padding);
    }

    /// Prints a token that stands on `line`.
    pub fn print(&mut self, token: &PpToken, line: u32, words: &Words) -> Gap {
        let pads = std::mem::take(&mut self.pads);
        if (pads.any || token.has(WHITE)) && line != self.line {
            self.line_change(line);
        }
        let collide = |last: PpToken| collide(&last, token, words);
        let blank = match pads.any {
            true => {
                pads.white(token)
                    || self.last.is_some_and(collide)
                    || (self.last.is_none() && token.is(HASH))
            }
            false => token.has(WHITE),
        };
        self.last = Some(*token);
        match std::mem::take(&mut self.newline) {
            true => Gap::Newline,
            false if blank => Gap::Blank,
            false => Gap::Nothing,
        }
    }
}

/// Whether two tokens, printed side by side, would read as another one.
fn collide(left: &PpToken, right: &PpToken, words: &Words) -> bool {
    let next = match right.kind {
        Kind::Punct => words.text(right.symbol).bytes().next().unwrap_or(0),
        _ => 0,
    };
    let before_equals = "= ! > < + - * / % & | ^ >> <<";
    match left.kind {
        Kind::Name => match right.kind {
            // Gcc only looks at whole numbers: `H` and `1..N` do not collide.
            Kind::Number => !words.text(right.symbol).contains(['.', '+', '-']),
            kind => matches!(kind, Kind::Name | Kind::Character | Kind::Text),
        },
        Kind::Number => {
            matches!(right.kind, Kind::Number | Kind::Name | Kind::Character)
                || matches!(next, b'.' | b'+' | b'-')
        }
        Kind::Punct => match (&**words.text(left.symbol), next) {
            (text, b'=') => before_equals.split(' ').any(|p| p == text),
            (">", b'>') | ("<", b'<' | b'%' | b':') | ("+", b'+') | ("-", b'-' | b'>') => true,
            ("/", b'/' | b'*') | ("%", b':' | b'%') | ("&", b'&') | ("|", b'|') => true,
            (":", b':' | b'>') | ("->", b'*') | (".", b'.' | b'%') | ("#", b'#' | b'%') => true,
            (".", _) => right.kind == Kind::Number,
            ("\\", _) => right.kind == Kind::Name,
            _ => false,
        },
        _ => false,
    }
}
