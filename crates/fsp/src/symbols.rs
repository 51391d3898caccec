//! The names of an FSP text, for editors: what it declares, and which declaration each name
//! refers to.
//!
//! Works on tokens, so that broken text has symbols too. A word of an action is declared where
//! it first stands: renaming all its places renames the action everywhere.

use crate::lex::{PieceKind, pieces};
use crate::source::Span;
use crate::token::{Token, TokenKind};
use std::collections::BTreeMap;

/// What a name of an FSP text is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FspNameKind {
    /// `const`.
    Constant,
    /// `range`.
    Range,
    /// `set`.
    Set,
    /// A primitive process.
    Process,
    /// A primitive process or a composite that is a safety property.
    SafetyProperty,
    /// A composite.
    Composite,
    /// A local process.
    Local,
    /// A parameter of a process.
    Parameter,
    /// A variable of an index.
    Variable,
    /// `fluent`.
    Fluent,
    /// `progress`.
    Progress,
    /// `assert`, `ltl_property` or `constraint`.
    Formula,
    /// `menu`.
    Menu,
    /// A word of an action.
    Action,
}

/// A declaration of an FSP text.
#[derive(Clone, Debug)]
pub struct FspDeclaration {
    /// What it is.
    pub kind: FspNameKind,
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The whole declaration.
    pub span: Span,
    /// The definition that it belongs to, by its index.
    pub container: Option<usize>,
}

/// The declarations of an FSP text and the uses of their names.
#[derive(Clone, Debug, Default)]
pub struct FspSymbols {
    /// The declarations in the order of their names; containers come first.
    pub declarations: Vec<FspDeclaration>,
    /// Where names are used, in the order of the text, and the indices of their declarations.
    pub uses: Vec<(Span, usize)>,
}

/// The symbols of a text.
pub fn symbols(text: &str) -> FspSymbols {
    let token = |(piece, span): (PieceKind, Span)| match piece {
        PieceKind::Token(kind) => Some(Token { kind, span }),
        _ => None,
    };
    let tokens: Vec<Token> = pieces(text).filter_map(token).collect();
    let mut collector = Collector { text, tokens: &tokens, out: FspSymbols::default() };
    collector.definitions();
    collector.names();
    collector.out
}

struct Collector<'a> {
    text: &'a str,
    tokens: &'a [Token],
    out: FspSymbols,
}

/// What a name refers to inside one definition.
#[derive(Default)]
struct Scope {
    /// The definition.
    definition: Option<usize>,
    /// Variables that were declared before, since the last local process began.
    variables: BTreeMap<String, usize>,
}

impl Collector<'_> {
    fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|token| token.kind)
    }

    fn before(&self, i: usize) -> Option<TokenKind> {
        i.checked_sub(1).and_then(|i| self.kind(i))
    }

    fn declare(&mut self, i: usize, kind: FspNameKind, span: Span, container: Option<usize>) {
        let name_span = self.tokens[i].span;
        let name = name_span.text(self.text).to_owned();
        self.out.declarations.push(FspDeclaration { kind, name, name_span, span, container });
    }

    /// Declares definitions, local processes and parameters: names outside of all brackets that `=`
    /// follows.
    fn definitions(&mut self) {
        let mut depth = 0_usize;
        let mut definition = None;
        for i in 0..self.tokens.len() {
            match self.tokens[i].kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Upper if depth == 0 && self.is_head(i) => {
                    let is_local = self.before(i) == Some(TokenKind::Comma);
                    let kind = if is_local { FspNameKind::Local } else { self.kind_of_head(i) };
                    let first = if is_local { i } else { self.first_of_head(i) };
                    self.end_previous(first);
                    let span = self.tokens[first].span.to(self.tokens[i].span);
                    self.declare(i, kind, span, definition.filter(|_| is_local));
                    if !is_local {
                        definition = Some(self.out.declarations.len() - 1);
                        self.parameters(i, definition);
                    }
                }
                _ => {}
            }
        }
        self.end_previous(self.tokens.len());
    }

    /// Whether a name is the head of a definition: `=` follows, perhaps after parameters and indices.
    fn is_head(&self, name: usize) -> bool {
        let (mut i, mut depth) = (name + 1, 0_usize);
        loop {
            match self.kind(i) {
                Some(TokenKind::LParen | TokenKind::LBracket) => depth += 1,
                Some(TokenKind::RParen | TokenKind::RBracket) if depth > 0 => depth -= 1,
                Some(TokenKind::Assign) if depth == 0 => return true,
                Some(TokenKind::Arrow | TokenKind::Dot | TokenKind::End) | None => return false,
                Some(_) if depth == 0 => return false,
                Some(_) => {}
            }
            i += 1;
        }
    }

    fn kind_of_head(&self, name: usize) -> FspNameKind {
        let first = self.first_of_head(name);
        let has = |kind| (first..name).any(|i| self.kind(i) == Some(kind));
        match self.kind(first) {
            Some(TokenKind::Const) => FspNameKind::Constant,
            Some(TokenKind::Range) => FspNameKind::Range,
            Some(TokenKind::Set) => FspNameKind::Set,
            Some(TokenKind::Progress) => FspNameKind::Progress,
            Some(TokenKind::Menu) => FspNameKind::Menu,
            Some(TokenKind::Fluent) => FspNameKind::Fluent,
            Some(TokenKind::Assert | TokenKind::LtlProperty | TokenKind::Constraint) => {
                FspNameKind::Formula
            }
            _ if has(TokenKind::Property) => FspNameKind::SafetyProperty,
            _ if has(TokenKind::OrOr) => FspNameKind::Composite,
            _ => FspNameKind::Process,
        }
    }

    /// The first of the keywords before the name of a definition.
    fn first_of_head(&self, name: usize) -> usize {
        let belongs = |kind: TokenKind| kind.begins_definition() || kind == TokenKind::OrOr;
        let mut first = name;
        while self.before(first).is_some_and(belongs) {
            first -= 1;
        }
        first
    }

    /// The declaration before this token ends with the token before it; what contains it too.
    fn end_previous(&mut self, token: usize) {
        let Some(last) = token.checked_sub(1).map(|i| self.tokens[i].span) else { return };
        let ends = |d: &FspDeclaration| d.kind != FspNameKind::Parameter;
        let Some(at) = self.out.declarations.iter().rposition(ends) else { return };
        let container = self.out.declarations[at].container;
        for at in [Some(at), container].into_iter().flatten() {
            let span = &mut self.out.declarations[at].span;
            *span = span.to(last);
        }
    }

    fn parameters(&mut self, name: usize, definition: Option<usize>) {
        if self.kind(name + 1) != Some(TokenKind::LParen) {
            return;
        }
        let mut i = name + 2;
        while let Some(kind) = self.kind(i).filter(|kind| *kind != TokenKind::RParen) {
            if kind == TokenKind::Upper && self.kind(i + 1) == Some(TokenKind::Assign) {
                self.declare(i, FspNameKind::Parameter, self.tokens[i].span, definition);
            }
            i += 1;
        }
    }

    /// Resolves the names that declare nothing, and declares variables and actions.
    fn names(&mut self) {
        let heads: BTreeMap<u32, usize> = self.by_place();
        let n_definitions = self.out.declarations.len();
        let (mut scope, mut actions) = (Scope::default(), BTreeMap::new());
        let mut brackets = 0_usize;
        for i in 0..self.tokens.len() {
            let Token { kind, span } = self.tokens[i];
            match kind {
                TokenKind::LBracket => brackets += 1,
                TokenKind::RBracket => brackets = brackets.saturating_sub(1),
                TokenKind::Upper => match heads.get(&span.start) {
                    Some(&declared) => self.enter(declared, &mut scope),
                    None => {
                        let found = self.global(span.text(self.text), &scope, n_definitions);
                        self.out.uses.extend(found.map(|found| (span, found)));
                    }
                },
                TokenKind::Lower => self.small(i, brackets > 0, &mut scope, &mut actions),
                _ => {}
            }
        }
    }

    fn by_place(&self) -> BTreeMap<u32, usize> {
        let places = self.out.declarations.iter().enumerate();
        places.map(|(i, d)| (d.name_span.start, i)).collect()
    }

    fn enter(&self, declared: usize, scope: &mut Scope) {
        match self.out.declarations[declared].kind {
            FspNameKind::Parameter => return,
            FspNameKind::Local => {}
            _ => scope.definition = Some(declared),
        }
        scope.variables.clear();
    }

    /// A capitalised name: of this definition, or of the text.
    fn global(&self, name: &str, scope: &Scope, n_definitions: usize) -> Option<usize> {
        let all = &self.out.declarations[..n_definitions];
        let own = |d: &FspDeclaration| d.container.is_some() && d.container == scope.definition;
        let find = |is_own: bool| {
            all.iter().position(|d| {
                d.name == name && own(d) == is_own && (is_own || d.container.is_none())
            })
        };
        find(true).or_else(|| find(false))
    }

    /// A small name: a variable that is declared here or was before, or else a word of an action.
    fn small(
        &mut self,
        i: usize,
        in_brackets: bool,
        scope: &mut Scope,
        actions: &mut BTreeMap<String, usize>,
    ) {
        let span = self.tokens[i].span;
        let name = span.text(self.text).to_owned();
        let next = self.kind(i + 1);
        let declares =
            self.before(i) == Some(TokenKind::LBracket) && next == Some(TokenKind::Colon);
        if declares {
            self.declare(i, FspNameKind::Variable, span, scope.definition);
            scope.variables.insert(name, self.out.declarations.len() - 1);
            return;
        }
        let is_word = matches!(
            next,
            Some(
                TokenKind::Arrow
                    | TokenKind::Dot
                    | TokenKind::LBracket
                    | TokenKind::Colon
                    | TokenKind::ColonColon
                    | TokenKind::Slash
            )
        ) && !in_brackets;
        match scope.variables.get(&name).filter(|_| !is_word) {
            Some(&variable) => self.out.uses.push((span, variable)),
            None => match actions.get(&name) {
                Some(&action) => self.out.uses.push((span, action)),
                None => {
                    self.declare(i, FspNameKind::Action, span, None);
                    actions.insert(name, self.out.declarations.len() - 1);
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let symbols = symbols(text);
        let of = |(i, d): (usize, &FspDeclaration)| {
            let places = symbols.uses.iter().filter(|(_, to)| *to == i).count();
            format!("{:?} {} {:?} {places}", d.kind, d.name, d.span.text(text))
        };
        symbols.declarations.iter().enumerate().map(of).collect()
    }

    #[test]
    fn definitions_locals_variables_and_actions() {
        let text = "const N = 2\nrange R = 0..N\nP(M=1) = Q[0],\nQ[i:R] = (when (i<M) up -> Q[i+1] | \
                    down[i] -> P).\nproperty S = (up -> S).\n||ALL = (a:P(N) || S).";
        assert_eq!(
            shown(text),
            [
                "Constant N \"const N = 2\" 2",
                "Range R \"range R = 0..N\" 1",
                "Process P \"P(M=1) = Q[0],\\nQ[i:R] = (when (i<M) up -> Q[i+1] | down[i] -> P).\" 2",
                "Parameter M \"M\" 1",
                "Local Q \"Q[i:R] = (when (i<M) up -> Q[i+1] | down[i] -> P).\" 2",
                "SafetyProperty S \"property S = (up -> S).\" 2",
                "Composite ALL \"||ALL = (a:P(N) || S).\" 0",
                "Variable i \"i\" 3",
                "Action up \"up\" 1",
                "Action down \"down\" 0",
                "Action a \"a\" 0",
            ]
        );
    }

    #[test]
    fn broken_text_has_symbols() {
        assert_eq!(shown("P = (a -> \nQ = (b -> Q).").len(), 3);
        assert_eq!(shown("= ) ] . P = STOP."), ["Process P \"P = STOP.\" 0"]);
        assert!(shown("").is_empty());
    }
}
