//! The primitives of the parser: lookahead, taking a token, reporting errors.
//!
//! The lookahead is one token, read as late as possible: its class can depend on what has just
//! been parsed (a declaration, a call of an inline, the end of a body).

use super::filter::Filter;
use super::words::{Kind, Kw, Lex};
use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Punct, Token};
use rustc_hash::FxHashSet;

/// A construct could not be parsed; the diagnostic is reported.
#[derive(Debug)]
pub(super) struct Failed;

pub(super) type Parse<T> = Result<T, Failed>;

/// The maximal nesting.
const MAX_NESTING: usize = 256;

/// The number of open constructs of each kind, to assign a stray closing token.
#[derive(Default)]
pub(super) struct Open {
    pub(super) braces: usize,
    pub(super) ifs: usize,
    pub(super) dos: usize,
}

pub(super) struct Parser<'a> {
    pub(super) src: Filter<'a>,
    ahead: Option<Lex>,
    /// The number of tokens taken, to detect progress.
    pub(super) taken: usize,
    /// The last token taken.
    pub(super) last: Span,
    /// The last token, if it is an operator or separator.
    last_punct: Option<Punct>,
    depth: usize,
    /// The height of the expressions within the operand being read.
    pub(super) inner_height: usize,
    pub(super) open: Open,
    /// The tokens of the inline argument being parsed.
    pub(super) record: Option<Vec<Token>>,
    reported: FxHashSet<(u32, u32)>,
    /// Words of the language that were declared as names, which is reported once.
    reserved: FxHashSet<&'static str>,
    /// The units read so far, each from its first to its last token.
    pub(super) unit_extents: Vec<Span>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(src: Filter<'a>) -> Self {
        Self {
            src,
            ahead: None,
            taken: 0,
            last: Span::new(0, 0),
            last_punct: None,
            depth: 0,
            inner_height: 0,
            open: Open::default(),
            record: None,
            reported: FxHashSet::default(),
            reserved: FxHashSet::default(),
            unit_extents: Vec::new(),
        }
    }

    /// The next token.
    pub(super) fn peek(&mut self) -> &Lex {
        let src = &mut self.src;
        self.ahead.get_or_insert_with(|| src.next())
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) -> Lex {
        let lex = match self.ahead.take() {
            Some(lex) => lex,
            None => self.src.next(),
        };
        match lex.kind {
            Kind::Punct(Punct::LParen) => self.src.parens += 1,
            Kind::Punct(Punct::RParen) => self.src.parens = self.src.parens.saturating_sub(1),
            _ => {}
        }
        if let Some(record) = &mut self.record {
            record.push(Token { kind: lex.to_raw(), span: lex.span, newline_before: false });
        }
        self.taken += 1;
        self.last = lex.span;
        self.last_punct = match lex.kind {
            Kind::Punct(punct) => Some(punct),
            _ => None,
        };
        lex
    }

    pub(super) fn at(&mut self, punct: Punct) -> bool {
        self.peek().is(punct)
    }

    pub(super) fn at_kw(&mut self, kw: Kw) -> bool {
        self.peek().is_kw(kw)
    }

    /// Takes the token if it is the next one.
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the keyword if it is the next token.
    pub(super) fn eat_kw(&mut self, kw: Kw) -> bool {
        let found = self.at_kw(kw);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the token, which must be the next one.
    pub(super) fn expect(&mut self, punct: Punct, context: &str) -> Parse<Span> {
        if self.at(punct) {
            return Ok(self.bump().span);
        }
        Err(self.expected(&format!("`{}` {context}", punct.text())))
    }

    /// Takes a name that is not the name of a type, proctype, inline or constant.
    pub(super) fn name(&mut self, what: &str) -> Parse<Name> {
        if let Kind::Name(text) = &self.peek().kind {
            let text = text.clone();
            return Ok(Name { text, span: self.bump().span });
        }
        if let Kind::Kw(word) = self.peek().kind {
            self.reserved.insert(word.text());
        }
        Err(self.expected(what))
    }

    /// Takes the `(` behind a word that needs an argument.
    pub(super) fn argument_of(&mut self, word: &Lex) -> Parse<()> {
        match word.kind {
            Kind::Kw(kw) if self.reserved.contains(kw.text()) && !self.at(Punct::LParen) => {
                Err(Failed)
            }
            _ => self.expect(Punct::LParen, &format!("after {}", word.describe())).map(|_| ()),
        }
    }

    /// The number that the next token stands for.
    pub(super) fn peek_constant(&mut self) -> Option<i64> {
        match self.peek().kind {
            Kind::Number(n) => Some(n.value),
            Kind::Mtype(_, n) => Some(n),
            _ => None,
        }
    }

    /// Reports that another token was expected.
    pub(super) fn expected(&mut self, what: &str) -> Failed {
        let lex = self.peek().clone();
        if let Some(diagnostic) = self.compound_assignment(&lex) {
            return self.fail(diagnostic);
        }
        let last = self.last;
        let mut found = self.src.diags.iter();
        if found.any(|d| d.code == Code::Unterminated && d.span.to(last) == d.span) {
            // The unterminated string contains the expected token.
            return Failed;
        }
        let message = format!("expected {what}, found {}", lex.describe());
        let mut diagnostic = Diagnostic::new(Code::Syntax, lex.span, message);
        diagnostic.hint = super::hints::for_token(&lex, what);
        self.fail(diagnostic)
    }

    /// `x += 1`, as in C.
    fn compound_assignment(&self, lex: &Lex) -> Option<Diagnostic> {
        use Punct::{Minus, Percent, Plus, Slash, Star};
        let operator =
            self.last_punct.filter(|p| [Plus, Minus, Star, Slash, Percent].contains(p))?;
        if !lex.is(Punct::Assign) || self.last.end != lex.span.start {
            return None;
        }
        let sign = operator.text();
        let message = format!("Promela has no `{sign}=`");
        let diagnostic = Diagnostic::new(Code::Syntax, self.last.to(lex.span), message);
        Some(diagnostic.hint(format!("write `x = x {sign} …`")))
    }

    /// The place behind the last token, where something is missing before `next`.
    pub(super) fn behind_last(&self, next: &Lex) -> Span {
        let last = self.last;
        if last.expansion.is_some() || next.span.expansion.is_some() || last.end > next.span.start {
            return next.span;
        }
        Span { start: last.end, ..last }
    }

    /// Takes the parenthesis that closes another one.
    pub(super) fn close_paren(&mut self, open: Span, context: &str) -> Parse<Span> {
        if self.at(Punct::RParen) {
            return Ok(self.bump().span);
        }
        let lex = self.peek().clone();
        let what = format!("`)` {context}");
        if super::hints::for_token(&lex, &what).is_some()
            || self.compound_assignment(&lex).is_some()
        {
            return Err(self.expected(&what));
        }
        let message = format!("expected {what}, found {}", lex.describe());
        let diagnostic = Diagnostic::new(Code::Syntax, self.behind_last(&lex), message)
            .label("add `)` here")
            .related(open, "to close this")
            .hint("every `(` needs its `)`");
        Err(self.fail(diagnostic))
    }

    /// Reports an error, unless one is reported at this place: errors in an inline are reported
    /// once, not for each call.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        if !self.src.exhausted && self.reported.insert((diagnostic.span.start, diagnostic.span.end))
        {
            self.src.diags.push(diagnostic);
        }
        Failed
    }

    /// Reports an exceeded limit and ends the stream.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.fail(diagnostic);
        self.ahead = None;
        self.src.close();
        Failed
    }

    /// Enters a nested construct; every success needs a [`leave`](Self::leave).
    pub(super) fn enter(&mut self) -> Parse<()> {
        if self.depth < MAX_NESTING {
            self.depth += 1;
            return Ok(());
        }
        let span = self.peek().span;
        let message = format!("nested more than {MAX_NESTING} deep");
        Err(self.give_up(Diagnostic::new(Code::Nesting, span, message)))
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Runs a parser one level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.enter()?;
        let result = parse(self);
        self.leave();
        result
    }
}
