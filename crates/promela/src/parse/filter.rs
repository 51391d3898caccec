//! Implied and redundant separators.
//!
//! There are two rules, one after the other, as in spin 6.5. First, the end of a line is a `;`
//! if it is in a body, outside parentheses, after a token that can end a statement. Then a `;`
//! is added after `else` and after `}`, unless the next token can follow them directly, and a
//! `;` or `->` before `}`, `;` or `->` is dropped. Words are classified in between (see
//! [`super::lexer`]).

use super::names::Names;
use super::stream::{Raw, Stream};
use super::words::{Kind, Kw, Lex};
use crate::diagnostic::Diagnostics;
use crate::source::{SourceMap, Span};
use crate::token::{Punct, TokenKind};

/// The class of the previous token, as far as the rules need it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Last {
    RBrace,
    Else,
    LParen,
    /// Another token that can end a statement.
    Ends,
    Other,
}

impl Last {
    fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Punct(Punct::RBrace) => Self::RBrace,
            Kind::Punct(Punct::LParen) => Self::LParen,
            Kind::Kw(Kw::Else) => Self::Else,
            Kind::Punct(Punct::RParen | Punct::RBracket | Punct::Incr | Punct::Decr)
            | Kind::Kw(Kw::Od | Kw::Fi | Kw::Break | Kw::CCode | Kw::CExpr | Kw::CDecl)
            | Kind::Name(_)
            | Kind::Number(_)
            | Kind::Mtype(..) => Self::Ends,
            _ => Self::Other,
        }
    }

    fn can_end_statement(self) -> bool {
        matches!(self, Self::RBrace | Self::Else | Self::Ends)
    }
}

/// Classified tokens with corrected separators.
pub(super) struct Filter<'a> {
    pub(super) stream: Stream,
    pub(super) names: Names,
    pub(super) map: &'a mut SourceMap,
    pub(super) diags: &'a mut Diagnostics,
    /// In the body of a process, claim or typedef: ends of lines count.
    pub(super) in_body: bool,
    /// In an `ltl` block: temporal operators exist.
    pub(super) in_ltl: bool,
    /// In the condition of an annotation: the words of temporal operators are names.
    pub(super) in_condition: bool,
    /// In the head of a `for`: `in` is a keyword.
    pub(super) in_for: bool,
    /// Open parentheses.
    pub(super) parens: usize,
    /// The last token of the first rule.
    pub(super) last_read: Last,
    /// The last token of the second rule.
    last_given: Last,
    held: Option<Lex>,
    /// End of the last token, the place of an implied `;`.
    end: Span,
    /// Too many tokens: nothing more is read.
    pub(super) exhausted: bool,
}

impl<'a> Filter<'a> {
    pub(super) fn new(
        stream: Stream,
        names: Names,
        map: &'a mut SourceMap,
        diags: &'a mut Diagnostics,
    ) -> Self {
        Self {
            stream,
            names,
            map,
            diags,
            in_body: false,
            in_ltl: false,
            in_condition: false,
            in_for: false,
            parens: 0,
            last_read: Last::Other,
            last_given: Last::Other,
            held: None,
            end: Span::new(0, 0),
            exhausted: false,
        }
    }

    /// The next token for the parser.
    pub(super) fn next(&mut self) -> Lex {
        let lex = match self.held.take() {
            Some(held) => {
                self.last_read = Last::of(&held.kind);
                held
            }
            None => {
                let lex = self.read();
                if self.separator_is_missing(&lex) {
                    self.held = Some(lex);
                    self.last_given = Last::Other;
                    self.last_read = Last::Other;
                    return self.implied();
                }
                self.without_redundant(lex)
            }
        };
        self.last_given = Last::of(&lex.kind);
        lex
    }

    /// `else` and `}` end a statement, unless the next token says otherwise.
    fn separator_is_missing(&self, next: &Lex) -> bool {
        match self.last_given {
            Last::Else => !next.is_separator() && !next.is_kw(Kw::Fi),
            Last::RBrace => !matches!(
                next.kind,
                Kind::Kw(Kw::Proctype | Kw::Init | Kw::Never | Kw::Fi | Kw::Od | Kw::Unless)
                    | Kind::Punct(Punct::Options | Punct::RBrace | Punct::Semi | Punct::Arrow)
                    | Kind::End
            ),
            _ => false,
        }
    }

    /// Drops a separator before another one and before `}`.
    fn without_redundant(&mut self, lex: Lex) -> Lex {
        if !lex.is_separator() {
            return lex;
        }
        let next = self.read();
        if next.is_separator() || next.is(Punct::RBrace) {
            return next;
        }
        self.held = Some(next);
        lex
    }

    /// The next token under the first rule.
    fn read(&mut self) -> Lex {
        loop {
            let mut raw = self.next_raw();
            if raw.token.newline_before && self.line_ends_statement(&raw) {
                raw.token.newline_before = false;
                self.stream.put_back(raw);
                self.last_read = Last::Other;
                return self.implied();
            }
            let Some(lex) = self.classify(raw) else { continue };
            self.last_read = Last::of(&lex.kind);
            self.end = Span { start: lex.span.end, ..lex.span };
            return lex;
        }
    }

    /// Whether the line that ends before this token ends a statement.
    fn line_ends_statement(&self, next: &Raw) -> bool {
        let unless_may_follow = || match &next.token.kind {
            // Spin tests one letter only.
            TokenKind::Word(w) => w.starts_with('u'),
            _ => false,
        };
        self.in_body
            && self.parens == 0
            && self.last_read.can_end_statement()
            && !(self.last_read == Last::RBrace && unless_may_follow())
    }

    fn implied(&self) -> Lex {
        let mut lex = Lex::new(Kind::Punct(Punct::Semi), self.end, false);
        lex.implied = true;
        lex
    }

    /// The next token without classification, for text that is not parsed: the body of an
    /// inline, embedded C. The parser must have no lookahead.
    pub(super) fn next_raw(&mut self) -> Raw {
        self.check_size();
        if !self.diags.go_on() && !self.exhausted {
            self.close();
        }
        self.stream.next(self.map)
    }

    /// Ends the stream.
    pub(super) fn close(&mut self) {
        self.exhausted = true;
        self.held = None;
        self.in_body = false;
        self.stream.close();
    }
}
