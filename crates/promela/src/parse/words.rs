//! The classes of tokens that the parser distinguishes.
//!
//! Promela's grammar depends on declarations: a declared name of a type, a proctype, an inline
//! or an `mtype` constant is a token class of its own.

use crate::ast::{BasicType, Numeral};
use crate::source::Span;
use crate::token::{Punct, TokenKind};
use std::rc::Rc;

macro_rules! keywords {
    ($($name:ident $text:literal),* $(,)?) => {
        /// The reserved words, without types and the words that stand for numbers.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(super) enum Kw { $($name),* }

        impl Kw {
            /// The word as it is written.
            pub(super) fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            const ALL: &'static [Self] = &[$(Self::$name),*];

            fn find(word: &str) -> Option<Self> {
                match word { $($text => Some(Self::$name),)* _ => None }
            }
        }
    };
}

keywords! {
    Active "active", Assert "assert", Atomic "atomic", Break "break",
    CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state", CTrack "c_track",
    DProctype "D_proctype", DStep "d_step", Do "do", Else "else", Empty "empty",
    Enabled "enabled", Eval "eval", Fi "fi", For "for", Full "full",
    GetPriority "get_priority", Goto "goto", Hidden "hidden", If "if", In "in",
    Init "init", Inline "inline", Len "len", Local "local", Ltl "ltl",
    Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace",
    NonProgress "np_", Od "od", Of "of", PcValue "pc_value", Printf "printf",
    Printm "printm", Priority "priority", Proctype "proctype", Provided "provided",
    Return "return", Run "run", Select "select", SetPriority "set_priority",
    Show "show", Timeout "timeout", Trace "trace", Typedef "typedef",
    Unless "unless", Xr "xr", Xs "xs",
}

/// The operators that exist in `ltl` blocks only.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Temporal {
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Equiv,
}

/// The words that are operators in `ltl` blocks.
pub const TEMPORAL_WORDS: [&str; 13] = [
    "always",
    "eventually",
    "X",
    "next",
    "U",
    "until",
    "stronguntil",
    "W",
    "weakuntil",
    "V",
    "release",
    "implies",
    "equivalent",
];

impl Temporal {
    /// The operator that a word stands for in an `ltl` block.
    pub(super) fn find(word: &str) -> Option<Self> {
        Some(match word {
            "always" => Self::Always,
            "eventually" => Self::Eventually,
            "X" | "next" => Self::Next,
            "U" | "until" | "stronguntil" => Self::Until,
            "W" | "weakuntil" => Self::WeakUntil,
            "V" | "release" => Self::Release,
            "implies" => Self::Implies,
            "equivalent" => Self::Equiv,
            _ => return None,
        })
    }

    fn text(self) -> &'static str {
        match self {
            Self::Always => "[]",
            Self::Eventually => "<>",
            Self::Next => "X",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "V",
            Self::Implies => "->",
            Self::Equiv => "<->",
        }
    }
}

/// The class of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Kw(Kw),
    /// A predefined type.
    Type(BasicType),
    /// Any other word: a variable, a label or an undeclared name.
    Name(Rc<str>),
    /// The name of a `typedef`.
    TypeName(Rc<str>),
    /// The name of a proctype.
    ProcName(Rc<str>),
    /// The name of an inline.
    InlineName(Rc<str>),
    Number(Numeral),
    /// A constant of an `mtype`, with its value.
    Mtype(Rc<str>, i64),
    Text(Rc<str>),
    Punct(Punct),
    Temporal(Temporal),
    /// A `select` that spin's lexer expands.
    LiteralSelect,
    End,
}

/// The types, and the words that stand for numbers.
const OTHER_RESERVED: [&str; 12] = [
    "true", "skip", "false", "bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype",
    "chan",
];

/// The words that cannot be names. `in` can, outside the head of a `for`.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    Kw::ALL.iter().map(|kw| kw.text()).chain(OTHER_RESERVED)
}

/// Whether a word is one of the [`reserved_words`].
pub fn is_reserved(word: &str) -> bool {
    reserved(word).is_some()
}

/// The class of a word, unless it depends on declarations.
pub(super) fn reserved(word: &str) -> Option<Kind> {
    if let Some(kw) = Kw::find(word) {
        return Some(Kind::Kw(kw));
    }
    Some(match word {
        "true" => word_for("true", 1),
        "skip" => word_for("skip", 1),
        "false" => word_for("false", 0),
        "bit" => Kind::Type(BasicType::Bit),
        "bool" => Kind::Type(BasicType::Bool),
        "byte" => Kind::Type(BasicType::Byte),
        "pid" => Kind::Type(BasicType::Pid),
        "short" => Kind::Type(BasicType::Short),
        "int" => Kind::Type(BasicType::Int),
        "unsigned" => Kind::Type(BasicType::Unsigned),
        "mtype" => Kind::Type(BasicType::Mtype),
        "chan" => Kind::Type(BasicType::Chan),
        _ => return None,
    })
}

fn word_for(word: &'static str, value: i64) -> Kind {
    Kind::Number(Numeral { value, word: Some(word) })
}

/// The word of a predefined type.
pub(crate) fn type_word(ty: BasicType) -> &'static str {
    match ty {
        BasicType::Bit => "bit",
        BasicType::Bool => "bool",
        BasicType::Byte => "byte",
        BasicType::Pid => "pid",
        BasicType::Short => "short",
        BasicType::Int => "int",
        BasicType::Unsigned => "unsigned",
        BasicType::Mtype => "mtype",
        BasicType::Chan => "chan",
    }
}

/// A classified token.
#[derive(Clone, Debug)]
pub(super) struct Lex {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// It is the first token of its line.
    pub(super) fresh_line: bool,
    /// A `;` that is not in the text.
    pub(super) implied: bool,
}

impl Lex {
    pub(super) fn new(kind: Kind, span: Span, fresh_line: bool) -> Self {
        Self { kind, span, fresh_line, implied: false }
    }

    pub(super) fn is(&self, punct: Punct) -> bool {
        self.kind == Kind::Punct(punct)
    }

    pub(super) fn is_kw(&self, kw: Kw) -> bool {
        self.kind == Kind::Kw(kw)
    }

    /// `;` or `->`.
    pub(super) fn is_separator(&self) -> bool {
        self.is(Punct::Semi) || self.is(Punct::Arrow)
    }

    /// The token for messages.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Punct(Punct::Semi) if self.implied => "the end of the statement".to_string(),
            Kind::Punct(p) => format!("`{}`", p.text()),
            Kind::Kw(k) => format!("`{}`", k.text()),
            Kind::LiteralSelect => "`select`".to_string(),
            Kind::Type(t) => format!("the type `{}`", type_word(*t)),
            Kind::TypeName(n) => format!("the type `{n}`"),
            Kind::ProcName(n) => format!("the proctype name `{n}`"),
            Kind::InlineName(n) => format!("the inline name `{n}`"),
            Kind::Mtype(n, _) => format!("the constant `{n}`"),
            Kind::Name(n) => format!("`{n}`"),
            Kind::Number(n) => format!("`{n}`"),
            Kind::Text(_) => "a string".to_string(),
            Kind::Temporal(t) => format!("`{}`", t.text()),
            Kind::End => "the end of the text".to_string(),
        }
    }

    /// The token before classification, to be parsed again.
    pub(super) fn to_raw(&self) -> TokenKind {
        match &self.kind {
            Kind::Kw(k) => TokenKind::Word(k.text().into()),
            Kind::LiteralSelect => TokenKind::Word("select".into()),
            Kind::Type(t) => TokenKind::Word(type_word(*t).into()),
            Kind::Name(n)
            | Kind::TypeName(n)
            | Kind::ProcName(n)
            | Kind::InlineName(n)
            | Kind::Mtype(n, _) => TokenKind::Word(n.clone()),
            Kind::Number(Numeral { word: Some(word), .. }) => TokenKind::Word((*word).into()),
            Kind::Number(n) => TokenKind::Number(n.value),
            Kind::Text(t) => TokenKind::Text(t.clone()),
            Kind::Punct(p) => TokenKind::Punct(*p),
            Kind::Temporal(t) => TokenKind::Word(t.text().into()),
            Kind::End => TokenKind::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_formulas_are_operators() {
        assert!(TEMPORAL_WORDS.iter().all(|word| Temporal::find(word).is_some()));
        assert!(TEMPORAL_WORDS.iter().all(|word| !is_reserved(word)));
    }
}
