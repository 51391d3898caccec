//! Any bytes through the stages of the front end.

use super::features::{Features, Shape};
use super::walk::walk;
use resy_promela::lex::lex_raw;
use resy_promela::parse::{parse_claim, parse_ltl};
use resy_promela::preprocess::{Define, Loader};
use resy_promela::render::{render_all, render_short};
use resy_promela::token::{Token, TokenKind};
use resy_promela::{Diagnostics, SourceMap};
use resy_system::validate;

/// The name of the text under test; it can include itself by it.
const NAME: &str = "m.pml";

/// The files that a text can include, besides itself.
const FILES: [(&str, &str); 8] = [
    ("a.h", "#define A 1\n#define F(x) (x + A)\nint from_a;\n"),
    ("guard.h", "#ifndef GUARD\n#define GUARD\n#include \"m.pml\"\n#endif\n"),
    ("loop.h", "#include \"loop.h\"\n"),
    ("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n"),
    ("if.h", "#if A\n"),
    ("end.h", "#else\n#endif\n"),
    ("call.h", "F("),
    ("open.h", "/* \"not closed"),
];

/// A tree of a small text that is larger than this, as text, is a mistake: inlines may expand to so
/// much, but to no more.
const MAX_TREE: usize = 1 << 30;

/// Of many findings, this many are rendered with their excerpts: it takes longer than everything else.
const MAX_RENDERED: usize = 3;

/// The loader of the targets.
struct Included<'a> {
    text: &'a str,
}

impl Loader for Included<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if name == NAME {
            return Ok((name.to_string(), self.text.to_string()));
        }
        match FILES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok((name.to_string(), text.to_string())),
            None => Err(format!("no such file (angled: {angled}, from {from})")),
        }
    }
}

fn tokens(
    text: &str,
    defines: &[Define],
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Vec<Token> {
    let loader = &mut Included { text };
    resy_promela::preprocess::preprocess(NAME, text.to_string(), defines, loader, map, diags)
}

/// Every finding has a text, and none is endless.
fn check_diagnostics(map: &SourceMap, diags: &Diagnostics, features: &mut Features) {
    let n = diags.iter().count();
    for diagnostic in diags.iter() {
        let short = render_short(map, diagnostic);
        assert!(!short.is_empty());
        features.message(&short);
    }
    let all = render_all(map, diags, MAX_RENDERED, n.is_multiple_of(2));
    assert!(all.len() < MAX_RENDERED << 20, "{} bytes", all.len());
    assert_eq!(all.is_empty(), n == 0);
    assert_eq!(all.ends_with(" in all\n"), n > MAX_RENDERED);
}

/// The lexer and the preprocessor: the pieces are the text, and the tokens end with one `End`.
///
/// # Panics
/// If a law is broken.
pub fn preprocess(bytes: &[u8]) -> Features {
    let mut features = Features::default();
    let text = String::from_utf8_lossy(bytes);
    let pieces = lex_raw(&text);
    assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
    assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), text);

    // A first line `-D…` is a definition on the command line.
    let defines = match text.strip_prefix("-D").and_then(|rest| rest.lines().next()) {
        Some(define) => vec![Define::parse(define)],
        None => Vec::new(),
    };
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &defines, &mut map, &mut diags);
    let ends = tokens.iter().filter(|t| t.kind == TokenKind::End).count();
    assert_eq!(ends, 1);
    assert_eq!(tokens.last().map(|t| &t.kind), Some(&TokenKind::End));
    let mut shape = Shape::default();
    for token in tokens.iter().take(2000) {
        assert!(token.span.start <= token.span.end);
        map.text(token.span);
        map.location(token.span);
        note(&mut shape, &token.kind);
    }
    check_diagnostics(&map, &diags, &mut features);
    features.0.extend(shape.features.0);
    features.size("tokens", tokens.len());
    features
}

/// The parser, also of formulas and claims.
///
/// # Panics
/// If a law is broken.
pub fn parse(bytes: &[u8]) -> Features {
    let mut features = Features::default();
    let text = String::from_utf8_lossy(bytes);
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &[], &mut map, &mut diags);
    let program = resy_promela::parse::parse(tokens.clone(), &mut map, &mut diags);
    check_diagnostics(&map, &diags, &mut features);
    let mut shape = Shape::default();
    note(&mut shape, &program);
    assert!(shape.n_bytes < MAX_TREE, "{} bytes", shape.n_bytes);
    features.0.extend(shape.features.0);

    // The same tokens as a formula and as a claim of the program.
    if tokens.len() < 400 {
        let mut diags = Diagnostics::new();
        parse_ltl(tokens.clone(), &program, &mut map, &mut diags);
        parse_claim(tokens, &program, &mut map, &mut diags);
        check_diagnostics(&map, &diags, &mut features);
    }
    features
}

/// The whole front end, and a walk through the states of a program without errors. The text goes to
/// the first NUL; the bytes after it choose the steps.
///
/// # Panics
/// If a law is broken.
pub fn lower(bytes: &[u8]) -> Features {
    let mut features = Features::default();
    let end = bytes.iter().position(|&b| b == 0);
    let (text, choices) = bytes.split_at(end.unwrap_or(bytes.len()));
    let text = String::from_utf8_lossy(text);
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &[], &mut map, &mut diags);
    let program = resy_promela::parse::parse(tokens, &mut map, &mut diags);
    // Errors do not stop the lowering of the rest.
    let system = resy_promela::lower(&program, &map, &mut diags);
    check_diagnostics(&map, &diags, &mut features);
    assert_eq!(system.is_none(), diags.has_errors());
    if let Some(system) = system {
        assert_eq!(validate(&system), Ok(()));
        walk(&system, choices.get(1..).unwrap_or(&[]), &mut features);
    }
    features
}

fn note(shape: &mut Shape, value: &impl std::fmt::Debug) {
    std::fmt::write(shape, format_args!("{value:?} ")).expect("a shape never fails");
}
