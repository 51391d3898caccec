//! The colours of a model's text: comments, keywords, strings, numbers and directives.

use resy_fsp::lex::{PieceKind, pieces};
use resy_fsp::token::TokenKind;
use resy_promela::lex::{RawKind, RawToken, lex_raw};
use resy_promela::parse::is_reserved;

/// The language of a text.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum TextLanguage {
    /// Promela.
    Promela,
    /// FSP.
    Fsp,
    /// A text without colours.
    #[default]
    Plain,
}

/// A piece of a line with the class that gives it its colour; the class may be empty.
pub(super) type Coloured<'a> = (&'static str, &'a str);

/// The lines of a text, cut into pieces. The pieces of a line, one after the other, are the line.
pub(super) fn lines(language: TextLanguage, text: &str) -> Vec<Vec<Coloured<'_>>> {
    let coloured: Vec<Coloured<'_>> = match language {
        TextLanguage::Promela => lex_raw(text).iter().map(promela).collect(),
        TextLanguage::Fsp => pieces(text).map(|(kind, span)| fsp(kind, span.text(text))).collect(),
        TextLanguage::Plain => vec![("", text)],
    };
    let mut lines: Vec<Vec<Coloured<'_>>> = vec![Vec::new()];
    for (class, piece) in coloured {
        for (number, part) in piece.split('\n').enumerate() {
            if number > 0 {
                if let Some((_, last)) = lines.last_mut().and_then(|line| line.last_mut()) {
                    *last = last.strip_suffix('\r').unwrap_or(last);
                }
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push((class, part));
            }
        }
    }
    // A line end at the end of the text begins no line.
    if text.is_empty() || text.ends_with('\n') {
        lines.pop();
    }
    lines
}

fn promela<'a>(token: &RawToken<'a>) -> Coloured<'a> {
    let class = match token.kind {
        RawKind::LineComment | RawKind::BlockComment => "comment",
        RawKind::Text | RawKind::Character => "string",
        RawKind::Number => "number",
        RawKind::Directive => "directive",
        RawKind::Word if is_reserved(token.text) => "keyword",
        _ => "",
    };
    (class, token.text)
}

fn fsp(kind: PieceKind, text: &str) -> Coloured<'_> {
    let class = match kind {
        PieceKind::LineComment | PieceKind::BlockComment { .. } => "comment",
        PieceKind::Token(TokenKind::Number) => "number",
        PieceKind::Token(_) if TokenKind::keyword(text).is_some() => "keyword",
        _ => "",
    };
    (class, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_have_their_colours() {
        let text = "#define N 2\nbyte x; /* a\nb */ x = N + 1 // c";
        let words: Vec<Vec<Coloured<'_>>> = lines(TextLanguage::Promela, text)
            .into_iter()
            .map(|line| line.into_iter().filter(|(class, _)| !class.is_empty()).collect())
            .collect();
        let expected = [
            vec![("directive", "#define N 2")],
            vec![("keyword", "byte"), ("comment", "/* a")],
            vec![("comment", "b */"), ("number", "1"), ("comment", "// c")],
        ];
        assert_eq!(words, expected);
        let fsp = lines(TextLanguage::Fsp, "P = STOP+{a}. // c\n");
        assert_eq!(fsp.len(), 1);
        assert!(fsp[0].contains(&("keyword", "STOP")) && fsp[0].contains(&("comment", "// c")));
    }

    proptest! {
        #[test]
        fn colours_change_no_text(text in "([a-z0-9 /*\"'#\\\\\r\n:{}é]|byte|/\\*|\\*/){0,40}") {
            for language in [TextLanguage::Promela, TextLanguage::Fsp, TextLanguage::Plain] {
                let joined: Vec<String> = lines(language, &text)
                    .iter()
                    .map(|line| line.iter().map(|(_, part)| *part).collect())
                    .collect();
                let expected: Vec<&str> = text.lines().collect();
                prop_assert_eq!(&joined, &expected, "{:?}", language);
            }
        }
    }
}
