//! Error recovery: one mistake gives one message.
//!
//! A statement that could not be read is skipped to the next `;`, end of line,
//! `::` or closing word of the same nesting; a declaration at the top to the
//! next word that opens a unit.

use super::parser::{Failed, Parser};
use super::words::{Kind, Kw, Lex};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

/// The ends of nested constructs.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Closer {
    RBrace,
    Fi,
    Od,
}

impl Closer {
    fn text(self) -> &'static str {
        match self {
            Self::RBrace => "}",
            Self::Fi => "fi",
            Self::Od => "od",
        }
    }

    fn opener(self) -> &'static str {
        match self {
            Self::RBrace => "{",
            Self::Fi => "if",
            Self::Od => "do",
        }
    }

    fn of(lex: &Lex) -> Option<Self> {
        match lex.kind {
            Kind::Punct(Punct::RBrace) => Some(Self::RBrace),
            Kind::Kw(Kw::Fi) => Some(Self::Fi),
            Kind::Kw(Kw::Od) => Some(Self::Od),
            _ => None,
        }
    }
}

/// Whether the token can only open a unit.
pub(super) fn opens_unit(lex: &Lex) -> bool {
    use Kw::{Active, DProctype, Init, Inline, Ltl, Never, Notrace, Proctype, Trace, Typedef};
    matches!(
        lex.kind,
        Kind::Kw(
            Active | DProctype | Init | Inline | Ltl | Never | Notrace | Proctype | Trace | Typedef
        )
    )
}

/// Whether the token can open a declaration.
fn may_declare(lex: &Lex) -> bool {
    use Kw::{CCode, CDecl, CState, CTrack, Hidden, Local, Show};
    matches!(
        lex.kind,
        Kind::Type(_)
            | Kind::TypeName(_)
            | Kind::Kw(CCode | CDecl | CState | CTrack | Hidden | Local | Show)
    )
}

/// Whether a sequence ends before this token.
pub(super) fn ends_sequence(lex: &Lex) -> bool {
    Closer::of(lex).is_some() || lex.is(Punct::Options) || lex.kind == Kind::End || opens_unit(lex)
}

impl Parser<'_> {
    /// Takes the end of a construct, or reports that it is missing and recovers.
    pub(super) fn close(&mut self, want: Closer, open: Span) -> Span {
        if Closer::of(self.peek()) == Some(want) {
            return self.bump().span;
        }
        let lex = self.peek().clone();
        let (opener, text) = (want.opener(), want.text());
        let message = if lex.kind == Kind::End || opens_unit(&lex) {
            format!("this `{opener}` is not closed")
        } else {
            format!("expected `{text}`, found {}", lex.describe())
        };
        let has_none = format!("this `{opener}` has no `{text}`");
        let diagnostic = if lex.kind == Kind::End {
            Diagnostic::new(Code::Syntax, open, message)
                .label("the text ends before it is closed")
                .hint(format!("add `{text}`"))
        } else if opens_unit(&lex) {
            Diagnostic::new(Code::Syntax, open, message)
                .label(has_none)
                .related(lex.span, format!("`{text}` is missing before this, or further up"))
                .hint(format!("every `{opener}` needs its `{text}`"))
        } else if lex.is(Punct::Options) {
            Diagnostic::new(Code::Syntax, lex.span, message)
                .related(open, has_none)
                .hint("an option `::` stands in `if … fi` or `do … od`")
        } else {
            Diagnostic::new(Code::Syntax, lex.span, message)
                .label(format!("add `{text}` before this"))
                .related(open, has_none)
                .hint(format!("every `{opener}` ends with `{text}`"))
        };
        self.fail(diagnostic);
        if self.belongs_outside(&lex) {
            return self.last;
        }
        if Closer::of(&lex).is_some() {
            // The wrong closing word, most likely.
            return self.bump().span;
        }
        self.skip_to(want);
        self.last
    }

    /// Whether this token belongs to a construct around the one being closed.
    fn belongs_outside(&self, lex: &Lex) -> bool {
        match Closer::of(lex) {
            Some(Closer::RBrace) => self.open.braces > 0,
            Some(Closer::Fi) => self.open.ifs > 0,
            Some(Closer::Od) => self.open.dos > 0,
            None if lex.is(Punct::Options) => self.open.ifs + self.open.dos > 0,
            None => lex.kind == Kind::End || opens_unit(lex),
        }
    }

    /// Skips to the given end and over it, or to the next unit.
    fn skip_to(&mut self, want: Closer) {
        self.src.parens = 0;
        let mut nesting = Nesting::default();
        loop {
            let lex = self.peek().clone();
            if lex.kind == Kind::End || opens_unit(&lex) {
                return;
            }
            let done = nesting.is_flat() && Closer::of(&lex) == Some(want);
            nesting.see(&lex);
            self.bump();
            if done {
                return;
            }
        }
    }

    /// After an error in a statement: skips to the next separator or line of the same nesting,
    /// or to the end of the sequence.
    pub(super) fn skip_step(&mut self, _: Failed, taken_before: usize) {
        self.src.parens = 0;
        self.record = None;
        self.src.in_for = false;
        let mut nesting = Nesting::default();
        loop {
            let progress = self.taken > taken_before;
            let lex = self.peek().clone();
            if lex.kind == Kind::End || opens_unit(&lex) {
                return;
            }
            if nesting.is_flat() {
                let line = lex.fresh_line && progress;
                if ends_sequence(&lex) || lex.is_separator() || line {
                    return;
                }
            }
            nesting.see(&lex);
            self.bump();
            self.src.parens = nesting.parens;
        }
    }

    /// After an error in a unit: skips to the next unit.
    pub(super) fn skip_unit(&mut self, _: Failed, taken_before: usize) {
        self.src.in_body = false;
        (self.src.in_ltl, self.src.in_condition) = (false, false);
        self.src.parens = 0;
        self.record = None;
        let mut nesting = Nesting::default();
        loop {
            let progress = self.taken > taken_before;
            let lex = self.peek().clone();
            if lex.kind == Kind::End || (opens_unit(&lex) && progress) {
                return;
            }
            let next = lex.is(Punct::Semi) || (lex.fresh_line && may_declare(&lex));
            if nesting.is_flat() && progress && next {
                return;
            }
            nesting.see(&lex);
            self.bump();
            self.src.parens = nesting.parens;
        }
    }

    /// After an error in the head of a `for`: skips its closing parenthesis, if there is one.
    /// Returns whether a body follows.
    pub(super) fn skip_for_head(&mut self, _: Failed) -> bool {
        let mut depth = 1;
        loop {
            let lex = self.peek();
            if ends_sequence(lex) || lex.fresh_line || lex.is(Punct::LBrace) {
                break;
            }
            match lex.kind {
                Kind::Punct(Punct::LParen) => depth += 1,
                Kind::Punct(Punct::RParen) => depth -= 1,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        self.src.parens = 0;
        self.at(Punct::LBrace)
    }

    /// After an error in the head of a unit: skips to its body, if it has one.
    pub(super) fn skip_to_body(&mut self, _: Failed) {
        self.src.parens = 0;
        loop {
            let lex = self.peek();
            if lex.kind == Kind::End || opens_unit(lex) || lex.is(Punct::LBrace) {
                return;
            }
            self.bump();
        }
    }
}

/// The nesting of skipped tokens.
#[derive(Default)]
struct Nesting {
    braces: usize,
    parens: usize,
    choices: usize,
}

impl Nesting {
    fn is_flat(&self) -> bool {
        self.braces + self.parens + self.choices == 0
    }

    fn see(&mut self, lex: &Lex) {
        match lex.kind {
            Kind::Punct(Punct::LBrace) => self.braces += 1,
            Kind::Punct(Punct::RBrace) => {
                // A closing brace closes everything that is open inside it.
                (self.parens, self.choices) = (0, 0);
                self.braces = self.braces.saturating_sub(1);
            }
            Kind::Punct(Punct::LParen) => self.parens += 1,
            Kind::Punct(Punct::RParen) => self.parens = self.parens.saturating_sub(1),
            Kind::Kw(Kw::If | Kw::Do) => (self.parens, self.choices) = (0, self.choices + 1),
            Kind::Kw(Kw::Fi | Kw::Od) => {
                (self.parens, self.choices) = (0, self.choices.saturating_sub(1));
            }
            _ => {}
        }
    }
}
