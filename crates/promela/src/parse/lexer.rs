//! The class of a word in its context, and the tokens that spin's lexer replaces: parameters
//! of inlines, `timeout`, `select`, `ltl`.

use super::filter::{Filter, Last};
use super::stream::Raw;
use super::words::{Kind, Kw, Lex, Temporal, reserved};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};
use std::rc::Rc;

/// The maximal number of tokens from inlines; their tree takes half a gigabyte.
const MAX_EXPANDED: usize = 2_000_000;

/// A `select` over more values than this becomes a loop in spin.
const MAX_OPTIONS: i64 = 32;

impl Filter<'_> {
    /// Classifies a token; `None` if it is replaced by others.
    pub(super) fn classify(&mut self, raw: Raw) -> Option<Lex> {
        let kind = match &raw.token.kind {
            TokenKind::Word(word) => return self.classify_word(word.clone(), raw),
            TokenKind::Number(n) => Kind::Number((*n).into()),
            TokenKind::Text(t) => Kind::Text(t.clone()),
            TokenKind::Punct(p) if self.in_ltl => return Some(self.classify_ltl(*p, raw)),
            TokenKind::Punct(p) => Kind::Punct(*p),
            TokenKind::End if self.stream.take_deferred() => return None,
            TokenKind::End => Kind::End,
        };
        Some(Lex::new(kind, raw.token.span, raw.fresh_line))
    }

    fn classify_word(&mut self, word: Rc<str>, raw: Raw) -> Option<Lex> {
        let kind = self.known_word(&word);
        if kind.is_none() && self.replace_parameter(&word, &raw) {
            return None;
        }
        let kind = kind.unwrap_or_else(|| self.names.class(word));
        let expanding = !self.stream.frames().is_empty();
        match kind {
            Kind::Kw(Kw::Timeout) if !expanding && self.last_read != Last::LParen => {
                Some(self.put_in_parentheses(raw))
            }
            Kind::Kw(Kw::Select) if !expanding => Some(self.classify_select(raw)),
            Kind::Kw(Kw::Ltl) if self.stream.defers() => {
                let newline = raw.token.newline_before;
                self.stream.defer(raw);
                self.carry_newline(newline);
                None
            }
            kind => Some(Lex::new(kind, raw.token.span, raw.fresh_line)),
        }
    }

    /// The class of a word that no parameter can hide.
    fn known_word(&self, word: &Rc<str>) -> Option<Kind> {
        if self.in_ltl
            && !self.in_condition
            && let Some(op) = Temporal::find(word)
        {
            return Some(Kind::Temporal(op));
        }
        match reserved(word) {
            Some(Kind::Kw(Kw::In)) if !self.in_for => None,
            Some(kind) => Some(kind),
            None => self.names.constant(word),
        }
    }

    /// The token after a deferred block begins a line if the block did.
    fn carry_newline(&mut self, newline: bool) {
        let mut next = self.next_raw();
        next.token.newline_before |= newline;
        next.fresh_line |= newline;
        self.stream.put_back(next);
    }

    /// In an inline, reads the argument in place of a parameter.
    fn replace_parameter(&mut self, word: &Rc<str>, raw: &Raw) -> bool {
        if raw.from_argument {
            return false;
        }
        let Some(frame) = self.stream.frames().last() else { return false };
        let Some(&which) = frame.inline.params.get(word) else { return false };
        let argument = frame.arguments[which].clone();
        let clash = clashes(word, &argument, |w| frame.inline.params.contains_key(w));
        if let Some(clash) = clash {
            let name = &frame.inline.name;
            let message = format!(
                "spin does not accept this argument of `{}`: the name `{clash}` is also a parameter of the inline",
                name.text
            );
            let span = argument[0].span;
            self.diags.push(
                Diagnostic::new(Code::SpinLimit, span, message).related(name.span, "the inline"),
            );
        }
        self.stream.read_argument(which);
        true
    }

    /// Outside inlines spin reads `timeout` as `(timeout)`, so that the end of
    /// a line after it counts.
    fn put_in_parentheses(&mut self, raw: Raw) -> Lex {
        let punct = |p| Raw {
            token: Token { kind: TokenKind::Punct(p), span: raw.token.span, newline_before: false },
            from_argument: false,
            fresh_line: false,
        };
        let open = Lex::new(Kind::Punct(Punct::LParen), raw.token.span, raw.fresh_line);
        let close = punct(Punct::RParen);
        let mut timeout = raw;
        timeout.token.newline_before = false;
        self.stream.put_back_all(vec![timeout, close]);
        open
    }

    /// Whether spin's lexer would expand this `select`. It matches characters: digits for the
    /// bounds, letters and digits for the variable.
    fn classify_select(&mut self, select: Raw) -> Lex {
        let mut read: Vec<Raw> = Vec::new();
        for position in 0..7 {
            let raw = self.next_raw();
            let fits = self.fits_literal_select(position, &raw);
            read.push(raw);
            if !fits {
                self.stream.put_back_all(read);
                return Lex::new(Kind::Kw(Kw::Select), select.token.span, select.fresh_line);
            }
        }
        let number = |i: usize| match read[i].token.kind {
            TokenKind::Number(n) => n,
            _ => 0,
        };
        let (from, to) = (number(3), number(5));
        if from > to {
            let span = read[3].token.span.to(read[5].token.span);
            self.diags.push(
                Diagnostic::new(Code::Constant, span, "the range of this `select` is empty")
                    .label(format!("{from} is more than {to}")),
            );
        }
        if to.saturating_sub(from) > MAX_OPTIONS {
            let mut semi = read[6].clone();
            semi.token.kind = TokenKind::Punct(Punct::Semi);
            semi.token.span.start = semi.token.span.end;
            read.push(semi);
        }
        self.stream.put_back_all(read);
        Lex::new(Kind::LiteralSelect, select.token.span, select.fresh_line)
    }

    /// Whether a token fits its position in `( name : 1 .. 3 )`, on one line.
    fn fits_literal_select(&self, position: usize, raw: &Raw) -> bool {
        let same_line = !raw.token.newline_before || position == 0;
        let fits = match (&raw.token.kind, position) {
            (TokenKind::Punct(p), 0) => *p == Punct::LParen,
            (TokenKind::Word(w), 1) => w.bytes().all(|b| b.is_ascii_alphanumeric()),
            (TokenKind::Punct(p), 2) => *p == Punct::Colon,
            (TokenKind::Number(_), 3 | 5) => !self.map.text(raw.token.span).starts_with('\''),
            (TokenKind::Punct(p), 4) => *p == Punct::DotDot,
            (TokenKind::Punct(p), 6) => *p == Punct::RParen,
            _ => false,
        };
        same_line && fits
    }

    /// Composes the operators of `ltl`.
    fn classify_ltl(&mut self, punct: Punct, raw: Raw) -> Lex {
        let next = match punct {
            Punct::LBracket | Punct::Lt | Punct::Slash | Punct::Backslash => Some(self.next_raw()),
            _ => None,
        };
        let pair = next.as_ref().filter(|n| touch(raw.token.span, n.token.span));
        let kind = match (punct, pair.map(|n| &n.token.kind)) {
            (Punct::Arrow, _) => Some(Kind::Temporal(Temporal::Implies)),
            (Punct::LBracket, Some(TokenKind::Punct(Punct::RBracket))) => {
                Some(Kind::Temporal(Temporal::Always))
            }
            (Punct::Lt, Some(TokenKind::Punct(Punct::Gt))) => {
                Some(Kind::Temporal(Temporal::Eventually))
            }
            (Punct::Lt, Some(TokenKind::Punct(Punct::Arrow))) => {
                Some(Kind::Temporal(Temporal::Equiv))
            }
            (Punct::Slash, Some(TokenKind::Punct(Punct::Backslash))) => {
                Some(Kind::Punct(Punct::AndAnd))
            }
            (Punct::Backslash, Some(TokenKind::Punct(Punct::Slash))) => {
                Some(Kind::Punct(Punct::OrOr))
            }
            _ => None,
        };
        let (kind, span) = match (kind, next) {
            (Some(kind), Some(next)) => (kind, raw.token.span.to(next.token.span)),
            (Some(kind), None) => (kind, raw.token.span),
            (None, next) => {
                next.into_iter().for_each(|n| self.stream.put_back(n));
                (Kind::Punct(punct), raw.token.span)
            }
        };
        Lex::new(kind, span, raw.fresh_line)
    }

    /// Stops reading if inlines have produced too much.
    pub(super) fn check_size(&mut self) {
        if self.stream.expanded() <= MAX_EXPANDED || self.exhausted {
            return;
        }
        let call = self.stream.frames().first().map(|f| f.inline.name.span);
        let message = format!("inlines expand to more than {MAX_EXPANDED} tokens");
        let span = call.unwrap_or(Span::new(0, 0));
        self.diags.push(Diagnostic::new(Code::ExpansionLimit, span, message));
        self.close();
    }
}

fn touch(left: Span, right: Span) -> bool {
    left.end == right.start && left.expansion == right.expansion
}

/// A parameter's name in the argument for `word` that spin does not accept.
fn clashes(
    word: &Rc<str>,
    argument: &[Token],
    is_parameter: impl Fn(&Rc<str>) -> bool,
) -> Option<Rc<str>> {
    if let [Token { kind: TokenKind::Word(w), .. }] = argument {
        return (w != word && is_parameter(w)).then(|| w.clone());
    }
    let is_dot = |i: usize| {
        matches!(argument.get(i), Some(Token { kind: TokenKind::Punct(Punct::Dot), .. }))
    };
    let found = argument.iter().enumerate().any(|(i, t)| {
        matches!(&t.kind, TokenKind::Word(w) if w == word)
            && (is_dot(i + 1) || i > 0 && is_dot(i - 1))
    });
    found.then(|| word.clone())
}
