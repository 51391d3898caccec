//! Lossless lexing, without preprocessing.
//!
//! The formatter works on [`lex_raw`]: it must see comments, blank lines and
//! directives unchanged. The preprocessor uses the same scanner.

pub(crate) mod scan;
pub(crate) mod split;

pub use scan::RawKind;
use scan::{Piece, Scanner};
use split::{Shape, first_token};

/// A piece of unpreprocessed text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RawToken<'a> {
    /// What it is.
    pub kind: RawKind,
    /// Its exact text.
    pub text: &'a str,
    /// Whether its closing quote or comment end is there.
    pub closed: bool,
}

/// Splits `text` into tokens; the concatenation of their texts is `text`.
///
/// Operators and numbers are Promela's here (`::` is one token, `1..N` three);
/// a directive is one token from its `#` to the end of its last line.
pub fn lex_raw(text: &str) -> Vec<RawToken<'_>> {
    let mut scanner = Scanner::at(text, 0, 1);
    let mut out = Vec::new();
    let mut line_is_empty = true;
    // The operators and numbers read last, which are not split yet.
    let mut run = 0..0;
    while let Some(piece) = scanner.next_piece() {
        let in_run = matches!(piece.kind, RawKind::Punct | RawKind::Number) && !piece.spliced;
        let hash = in_run && line_is_empty && text[piece.start..].starts_with('#');
        if in_run && !hash {
            run.start = if run.is_empty() { piece.start } else { run.start };
            run.end = piece.end;
            line_is_empty = false;
            continue;
        }
        split_run(&text[run.clone()], &mut out);
        run = 0..0;
        let (kind, end) = match hash {
            true => (RawKind::Directive, directive_end(&mut scanner, piece)),
            false => (piece.kind, piece.end),
        };
        out.push(RawToken { kind, text: &text[piece.start..end], closed: piece.closed });
        line_is_empty = match piece.kind {
            RawKind::Newline => true,
            RawKind::Blank | RawKind::BlockComment | RawKind::Splice => line_is_empty,
            _ => false,
        };
    }
    split_run(&text[run], &mut out);
    out
}

/// Moves the scanner to the end of the directive that begins with `hash`.
fn directive_end(scanner: &mut Scanner<'_>, hash: Piece) -> usize {
    let mut end = hash.end;
    loop {
        let (pos, line) = (scanner.pos, scanner.line);
        match scanner.next_piece() {
            Some(piece) if piece.kind != RawKind::Newline => end = piece.end,
            _ => {
                (scanner.pos, scanner.line) = (pos, line);
                return end;
            }
        }
    }
}

fn split_run<'a>(mut run: &'a str, out: &mut Vec<RawToken<'a>>) {
    while !run.is_empty() {
        let (shape, len) = first_token(run);
        let kind = match shape {
            Shape::Word => RawKind::Word,
            Shape::Number => RawKind::Number,
            Shape::Punct(_) => RawKind::Punct,
            Shape::Other => RawKind::Other,
        };
        out.push(RawToken { kind, text: &run[..len], closed: true });
        run = &run[len..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(RawKind, &str)> {
        let all = lex_raw(text);
        assert_eq!(all.iter().map(|t| t.text).collect::<String>(), text);
        all.into_iter().filter(|t| t.kind != RawKind::Blank).map(|t| (t.kind, t.text)).collect()
    }

    #[test]
    fn pieces_of_a_line() {
        use RawKind::*;
        assert_eq!(
            kinds("do :: c!!1..N -> \"a\\\"b\" 'x' // end\n"),
            [
                (Word, "do"),
                (Punct, "::"),
                (Word, "c"),
                (Punct, "!!"),
                (Number, "1"),
                (Punct, ".."),
                (Word, "N"),
                (Punct, "->"),
                (Text, "\"a\\\"b\""),
                (Character, "'x'"),
                (LineComment, "// end"),
                (Newline, "\n"),
            ]
        );
    }

    #[test]
    fn directives_with_their_continuations() {
        use RawKind::*;
        assert_eq!(
            kinds("  #define A(x) /* a\n b */ x \\\n + 1\r\ny # z"),
            [
                (Directive, "#define A(x) /* a\n b */ x \\\n + 1"),
                (Newline, "\r\n"),
                (Word, "y"),
                (Punct, "#"),
                (Word, "z"),
            ]
        );
    }

    #[test]
    fn nothing_is_lost() {
        for text in [
            "",
            "\\",
            "\\\n",
            "a\\ \n b",
            "\"abc\n'x",
            "/* open",
            "é`\0\u{7f}x",
            "1.\\\n.2",
            "\r\r\n",
            "/\\\n* c */",
        ] {
            assert_eq!(lex_raw(text).iter().map(|t| t.text).collect::<String>(), text);
        }
    }
}
