//! Tokens, the output of the preprocessor and the input of the parser.

use crate::source::Span;
use std::rc::Rc;

/// A token with its place.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its place; with an expansion if a macro produced it.
    pub span: Span,
    /// Whether a line ends between the previous token and this one. Promela's optional
    /// semicolons depend on it. In a macro expansion only the first token can have it, from
    /// the macro's name.
    pub newline_before: bool,
}

/// The kinds of tokens. Keywords are words here: which words are keywords
/// depends on the place (`in`, the operators of `ltl`), so the parser decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Word(Rc<str>),
    /// A decimal number or character, with its value.
    Number(i64),
    /// A string, without its quotes, escapes as written.
    Text(Rc<str>),
    /// An operator or a separator.
    Punct(Punct),
    /// The end of the text.
    End,
}

macro_rules! puncts {
    ($($name:ident $text:literal),* $(,)?) => {
        /// Operators and separators.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Punct { $(#[doc = concat!("`", $text, "`")] $name),* }

        impl Punct {
            /// The text of the token.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// All of them, longest text first.
            pub fn longest_first() -> Vec<Punct> {
                let mut all = vec![$(Self::$name),*];
                all.sort_by_key(|p| std::cmp::Reverse(p.text().len()));
                all
            }
        }
    };
}

puncts! {
    LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
    Comma ",", Semi ";", Colon ":", Options "::", Dot ".", DotDot "..", At "@",
    Arrow "->", Assign "=", Incr "++", Decr "--",
    Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
    Amp "&", Caret "^", Pipe "|", Tilde "~", AndAnd "&&", OrOr "||", Bang "!",
    Eq "==", Ne "!=", Lt "<", Le "<=", Gt ">", Ge ">=", Shl "<<", Shr ">>",
    BangBang "!!", Query "?", QueryQuery "??",
    // The lexer uses C's longest match. `<->`, `[]`, `<>`, `/\` and `\/` exist in `ltl`
    // blocks only; the parser composes them there.
    Backslash "\\", Hash "#", HashHash "##", Dollar "$",
}
