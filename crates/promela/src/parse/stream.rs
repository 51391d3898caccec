//! The source of tokens: the text, the bodies of the inlines that are being expanded, and
//! tokens that were put back.
//!
//! A call of an inline pushes a frame; its tokens are read before those of the
//! text below it, and the frame is dropped when the token after its end is
//! requested. The `ltl` blocks of the text are deferred to its end.

use super::names::Inline;
use crate::ast::VarRef;
use crate::source::{Expansion, ExpansionId, SourceMap, Span};
use crate::token::{Punct, Token, TokenKind};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// A token before it is classified.
#[derive(Clone)]
pub(super) struct Raw {
    pub(super) token: Token,
    /// It comes from an argument: parameters of the inline are not replaced in it.
    pub(super) from_argument: bool,
    /// It is the first of its line, even if the line end has become a separator.
    pub(super) fresh_line: bool,
}

impl Raw {
    pub(super) fn new(token: Token) -> Self {
        Self { fresh_line: token.newline_before, token, from_argument: false }
    }
}

/// An inline that is being expanded.
pub(super) struct Frame {
    pub(super) inline: Rc<Inline>,
    pub(super) arguments: Vec<Rc<[Token]>>,
    /// Where `return` puts its value.
    pub(super) result: Option<VarRef>,
    expansion: ExpansionId,
    at: usize,
    /// The argument that is being read in place of a parameter.
    argument: Option<(usize, usize)>,
    /// Expansions of macros within the body, as seen from this call.
    expansions: FxHashMap<ExpansionId, ExpansionId>,
}

impl Frame {
    pub(super) fn new(
        inline: Rc<Inline>,
        arguments: Vec<Rc<[Token]>>,
        result: Option<VarRef>,
        expansion: ExpansionId,
    ) -> Self {
        Self {
            inline,
            arguments,
            result,
            expansion,
            at: 0,
            argument: None,
            expansions: FxHashMap::default(),
        }
    }

    fn next(&mut self, map: &mut SourceMap) -> Option<Raw> {
        if let Some((which, at)) = self.argument {
            if let Some(token) = self.arguments[which].get(at) {
                self.argument = Some((which, at + 1));
                let token = Token { newline_before: false, ..token.clone() };
                return Some(Raw { token, from_argument: true, fresh_line: false });
            }
            self.argument = None;
        }
        let mut token = self.inline.body.get(self.at)?.clone();
        self.at += 1;
        token.span = self.place(token.span, map);
        Some(Raw::new(token))
    }

    /// A span of the body as seen from the call.
    fn place(&mut self, span: Span, map: &mut SourceMap) -> Span {
        let Some(old) = span.expansion else {
            return Span { expansion: Some(self.expansion), ..span };
        };
        if let Some(&new) = self.expansions.get(&old) {
            return Span { expansion: Some(new), ..span };
        }
        let expansion = map.expansion(old).clone();
        let call = self.place(expansion.call, map);
        let new = map.add_expansion(Expansion { call, ..expansion });
        self.expansions.insert(old, new);
        Span { expansion: Some(new), ..span }
    }
}

/// The tokens, one after the other.
pub(super) struct Stream {
    base: Vec<Token>,
    at: usize,
    frames: Vec<Frame>,
    returned: VecDeque<Raw>,
    /// The `ltl` blocks; `None` once they are being read.
    deferred: Option<Vec<Token>>,
    /// Tokens read from frames.
    expanded: usize,
}

impl Stream {
    /// `tokens` end with [`TokenKind::End`].
    pub(super) fn new(mut tokens: Vec<Token>) -> Self {
        if !matches!(tokens.last(), Some(Token { kind: TokenKind::End, .. })) {
            let end = tokens.last().map_or(0, |t| t.span.end as usize);
            let span = Span::new(end, end);
            tokens.push(Token { kind: TokenKind::End, span, newline_before: true });
        }
        Self {
            base: tokens,
            at: 0,
            frames: Vec::new(),
            returned: VecDeque::new(),
            deferred: Some(Vec::new()),
            expanded: 0,
        }
    }

    /// The next token; at the end always [`TokenKind::End`].
    pub(super) fn next(&mut self, map: &mut SourceMap) -> Raw {
        if let Some(raw) = self.returned.pop_front() {
            return raw;
        }
        while let Some(frame) = self.frames.last_mut() {
            if let Some(raw) = frame.next(map) {
                self.expanded += 1;
                return raw;
            }
            self.frames.pop();
        }
        let token = self.base[self.at].clone();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        Raw::new(token)
    }

    /// Puts a token back.
    pub(super) fn put_back(&mut self, raw: Raw) {
        self.returned.push_front(raw);
    }

    /// Puts tokens back, to be read in this order.
    pub(super) fn put_back_all(&mut self, raws: Vec<Raw>) {
        for raw in raws.into_iter().rev() {
            self.put_back(raw);
        }
    }

    /// Reads the inline's body next.
    pub(super) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// The inlines being expanded, outermost first.
    pub(super) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// How many tokens expansions have produced.
    pub(super) fn expanded(&self) -> usize {
        self.expanded
    }

    /// Reads the argument in place of the parameter `which` of the innermost inline.
    pub(super) fn read_argument(&mut self, which: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.argument = Some((which, 0));
        }
    }

    /// Whether `ltl` blocks are still deferred.
    pub(super) fn defers(&self) -> bool {
        self.deferred.is_some() && self.frames.is_empty()
    }

    /// Defers the block that `ltl` opens, up to its last brace.
    pub(super) fn defer(&mut self, ltl: Raw) {
        let Some(mut deferred) = self.deferred.take() else { return };
        deferred.push(ltl.token);
        let mut depth = 0;
        loop {
            let token = &self.base[self.at];
            match token.kind {
                TokenKind::End => break,
                TokenKind::Punct(Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RBrace) => depth -= 1,
                _ => {}
            }
            deferred.push(token.clone());
            self.at += 1;
            if depth == 0 && token_is_brace(&deferred) {
                break;
            }
        }
        self.deferred = Some(deferred);
    }

    /// At the end of the text: continues with the deferred blocks, if there are any.
    pub(super) fn take_deferred(&mut self) -> bool {
        let Some(mut deferred) = self.deferred.take().filter(|d| !d.is_empty()) else {
            return false;
        };
        deferred.push(self.base[self.at].clone());
        self.base = deferred;
        self.at = 0;
        true
    }

    /// Stops deferring `ltl` blocks.
    pub(super) fn stop_deferring(&mut self) {
        self.deferred = None;
    }

    /// Ends the stream.
    pub(super) fn close(&mut self) {
        let mut end = self.base.pop().expect("the end is there");
        end.newline_before = false;
        self.base = vec![end];
        self.at = 0;
        self.frames.clear();
        self.returned.clear();
        self.deferred = None;
    }
}

fn token_is_brace(tokens: &[Token]) -> bool {
    matches!(tokens.last(), Some(Token { kind: TokenKind::Punct(Punct::RBrace), .. }))
}
