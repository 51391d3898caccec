//! Locates the bodies of proctypes in the text of a program.

use super::refusal::RewriteObstacle;
use resy_promela::ast::{Block, BlockItem, Decl, Initialiser, Program, Unit};
use resy_promela::preprocess::{NoIncludes, preprocess};
use resy_promela::token::TokenKind;
use resy_promela::{Diagnostics, SourceMap, Span, parse};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The text of a program after preprocessing, and its syntax tree.
pub struct ProgramText<'a> {
    text: &'a str,
    program: Program,
    /// The offset of the text in spans.
    start: usize,
    words: FxHashSet<String>,
}

/// The body of a proctype.
pub struct ProctypeBody<'s> {
    /// The range of the keyword `D_proctype`, if the proctype is deterministic.
    pub deterministic: Option<Range<usize>>,
    /// The range of the body, including its braces.
    pub span: Range<usize>,
    /// The text of those leading declarations that create channels.
    pub channels: Vec<&'s str>,
    /// The names that these declare.
    pub kept: FxHashSet<String>,
    /// The text of all leading declarations.
    pub declarations: &'s str,
    /// The text after the leading declarations.
    pub rest: &'s str,
}

impl<'a> ProgramText<'a> {
    /// Parses a program without preprocessor directives.
    pub fn read(text: &'a str) -> Result<Self, RewriteObstacle> {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let name = "preprocessed";
        let tokens = preprocess(name, text.to_owned(), &[], &mut NoIncludes, &mut map, &mut diags);
        let word = |kind: &TokenKind| match kind {
            TokenKind::Word(word) => Some(word.to_string()),
            _ => None,
        };
        let words = tokens.iter().filter_map(|token| word(&token.kind)).collect();
        let program = parse::parse(tokens, &mut map, &mut diags);
        let (_, file) =
            map.files().find(|(_, file)| file.name == name).ok_or(RewriteObstacle::Text)?;
        if diags.has_errors() {
            return Err(RewriteObstacle::Text);
        }
        Ok(Self { text, start: file.start as usize, program, words })
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The units of the program.
    pub fn units(&self) -> &[Unit] {
        &self.program.units
    }

    /// A prefix that no word of the program begins with.
    pub fn fresh_prefix(&self) -> String {
        let free = |prefix: &String| !self.words.iter().any(|word| word.starts_with(&prefix[..]));
        let candidates = ["S", "R", "S_", "R_"].map(str::to_owned).into_iter();
        let more = (0..).map(|n: u32| format!("S{n}_"));
        candidates.chain(more).find(free).unwrap_or_default()
    }

    /// The body of a proctype or of `:init:`.
    pub fn body(&self, name: &str) -> Result<ProctypeBody<'a>, RewriteObstacle> {
        let unit = self.program.units.iter().find_map(|unit| match unit {
            Unit::Proctype(p) if &*p.name.text == name => Some((&p.body, Some(p))),
            Unit::Init(init) if name == ":init:" => Some((&init.body, None)),
            _ => None,
        });
        let (block, proctype) = unit.ok_or(RewriteObstacle::Text)?;
        let deterministic = match proctype.filter(|proctype| proctype.deterministic) {
            Some(proctype) => {
                let before = &self.text[..self.range(proctype.name.span)?.start];
                let word = "D_proctype";
                let start = before.rfind(word).ok_or(RewriteObstacle::Text)?;
                Some(start..start + word.len())
            }
            None => None,
        };
        let span = self.range(block.span)?;
        if !self.text[span.clone()].starts_with('{') || !self.text[span.clone()].ends_with('}') {
            return Err(RewriteObstacle::Text);
        }
        let (mut channels, mut kept) = (Vec::new(), FxHashSet::default());
        let mut end = span.start + 1;
        for declaration in leading(block) {
            let range = self.range(declaration.span)?;
            end = range.end;
            if declaration.vars.iter().any(|v| matches!(v.init, Some(Initialiser::Chan(_)))) {
                channels.push(&self.text[range]);
                kept.extend(declaration.vars.iter().map(|v| v.name.text.to_string()));
            }
        }
        let declarations = &self.text[span.start + 1..end];
        let rest = &self.text[end..span.end - 1];
        Ok(ProctypeBody { deterministic, span, channels, kept, declarations, rest })
    }

    /// The range of a span in the text.
    pub fn range(&self, span: Span) -> Result<Range<usize>, RewriteObstacle> {
        let start = (span.start as usize).checked_sub(self.start);
        let end = (span.end as usize).checked_sub(self.start);
        match (start, end, span.expansion) {
            (Some(start), Some(end), None) if end <= self.text.len() => Ok(start..end),
            _ => Err(RewriteObstacle::Text),
        }
    }
}

/// The leading declarations of a body.
fn leading(block: &Block) -> impl Iterator<Item = &Decl> {
    block.steps.iter().map_while(|step| match step {
        BlockItem::Decl(declaration) => Some(declaration),
        _ => None,
    })
}
