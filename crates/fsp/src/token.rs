//! The words of FSP.

use crate::source::Span;

/// A token and where it stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

macro_rules! tokens {
    (keywords { $($keyword:ident $word:literal,)* } marks { $($mark:ident $sign:literal,)* }) => {
        /// What a token is. Words and numbers are read from the text by their span.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum TokenKind {
            /// A word that begins with a capital letter.
            Upper,
            /// A word that begins with a small letter or an underscore.
            Lower,
            /// Digits.
            Number,
            /// The end of the text.
            End,
            $(#[doc = concat!("`", $word, "`.")] $keyword,)*
            $(#[doc = concat!("`", $sign, "`.")] $mark,)*
        }

        impl TokenKind {
            /// The keyword of this spelling.
            pub fn keyword(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$keyword),)* _ => None }
            }

            /// All keywords.
            pub fn keywords() -> impl Iterator<Item = &'static str> {
                [$($word),*].into_iter()
            }

            /// The longest mark that `text` begins with, and its length.
            pub fn mark(text: &str) -> Option<(Self, usize)> {
                let marks = [$(($sign, Self::$mark)),*];
                let found = marks.iter().filter(|(sign, _)| text.starts_with(sign));
                found.max_by_key(|(sign, _)| sign.len()).map(|(sign, kind)| (*kind, sign.len()))
            }

            /// The token for people, in quotes.
            pub fn describe(self) -> &'static str {
                match self {
                    Self::Upper => "a name that begins with a capital letter",
                    Self::Lower => "a name that begins with a small letter",
                    Self::Number => "a number",
                    Self::End => "the end of the file",
                    $(Self::$keyword => concat!("`", $word, "`"),)*
                    $(Self::$mark => concat!("`", $sign, "`"),)*
                }
            }
        }
    };
}

tokens! {
    keywords {
    Const "const", Range "range", Set "set", If "if", Then "then", Else "else", When "when",
    Forall "forall", Exists "exists", Property "property", Progress "progress", Menu "menu",
    Fluent "fluent", Initially "initially", Assert "assert", Minimal "minimal",
    Deterministic "deterministic", Compose "compose", LtlProperty "ltl_property",
    Constraint "constraint", Rigid "rigid", Stop "STOP", EndProcess "END", Error "ERROR",
    }
    marks {
    // `[]`, `<>` and `<->` exist in formulas only and are put together there.
    LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
    Comma ",", Semi ";", Colon ":", ColonColon "::", Dot ".", DotDot "..", At "@",
    Arrow "->", Assign "=", Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
    Backslash "\\", Quote "'", Hash "#", Amp "&", AndAnd "&&", Pipe "|", OrOr "||", Caret "^",
    Bang "!", Eq "==", Ne "!=", Lt "<", Le "<=", Gt ">", Ge ">=", Shl "<<", Shr ">>",
    }
}

impl TokenKind {
    /// Whether a definition begins with this keyword.
    pub fn begins_definition(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Const
                | Range
                | Set
                | Property
                | Progress
                | Menu
                | Fluent
                | Assert
                | Minimal
                | Deterministic
                | Compose
                | LtlProperty
                | Constraint
        )
    }
}
