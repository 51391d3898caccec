//! Laws of the symbols, over all models of the repository.

use resy_promela::lex::lex_raw;
use resy_promela::parse::is_reserved;
use resy_promela::preprocess::{Loader, preprocess};
use resy_promela::symbols::{Declaration, DeclarationKind};
use resy_promela::token::{Punct, Token, TokenKind};
use resy_promela::{Analysis, Diagnostics, SourceMap, analyze};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// At most so many prefixes of each model are analysed.
const CUTS: usize = 150;

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let text = std::fs::read_to_string(self.0.join(name)).map_err(|e| e.to_string())?;
        Ok((name.to_owned(), text))
    }
}

/// All models, with and without errors.
fn models() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let families = std::fs::read_dir(root.join("models")).expect("the models");
    let families = families.flatten().map(|e| e.path()).chain([root.join("examples")]);
    let files = families.filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "pml"));
    paths.sort();
    assert!(paths.len() > 400, "{} models", paths.len());
    let read = |p: PathBuf| {
        let text = std::fs::read_to_string(&p).expect("a model");
        (p, text)
    };
    paths.into_iter().map(read).collect()
}

fn analysis(path: &Path, text: &str) -> Analysis {
    let mut loader = Beside(path.parent().expect("a folder").to_owned());
    analyze("m.pml", text.to_owned(), &[], &mut loader)
}

/// The words of the preprocessed text that are names.
fn names(path: &Path, text: &str) -> Vec<Token> {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut loader = Beside(path.parent().expect("a folder").to_owned());
    let tokens = preprocess("m.pml", text.to_owned(), &[], &mut loader, &mut map, &mut diags);
    let predefined = ["_", "_p", "_pid", "_nr_pr", "_last", "_priority"];
    let temporal = [
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
    // In a formula the temporal operators are no names.
    let (mut in_ltl, mut depth) = (false, 0);
    let mut found = Vec::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Punct(Punct::LBrace) => depth += 1,
            TokenKind::Punct(Punct::RBrace) => {
                depth -= 1;
                in_ltl &= depth > 0;
            }
            TokenKind::Word(word) if &**word == "ltl" => in_ltl = true,
            TokenKind::Word(word) => {
                let operator = in_ltl && temporal.contains(&&**word);
                if !is_reserved(word) && !predefined.contains(&&**word) && !operator {
                    found.push(token);
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_name_has_a_declaration_or_a_diagnostic() {
    let mut lost = Vec::new();
    let mut n_names = 0;
    for (path, text) in models() {
        let found = analysis(&path, &text);
        let declared = found.symbols.declarations().map(|(_, d)| d.name_span);
        let used = found.symbols.uses().iter().map(|u| u.span);
        let known: BTreeSet<_> = declared.chain(used).map(|s| (s.start, s.end)).collect();
        for token in names(&path, &text) {
            n_names += 1;
            let is_known = known.contains(&(token.span.start, token.span.end));
            if !is_known && !found.diagnostics.has_errors() {
                lost.push(format!("{}: {:?}", path.display(), token.kind));
            }
        }
    }
    assert!(lost.is_empty(), "{} of {n_names}:\n{}", lost.len(), lost.join("\n"));
    assert!(n_names > 6_000, "{n_names} names");
}

/// What a declaration is known by.
fn key(d: &Declaration) -> (DeclarationKind, String, u32) {
    (d.kind, d.name.to_string(), d.name_span.start)
}

/// Declarations that a prefix of the text up to `cut` must have: they end before it, and do
/// not depend on a call behind it.
fn complete(found: &Analysis, cut: u32) -> BTreeSet<(DeclarationKind, String, u32)> {
    let text = found.map.files().next().expect("the main file").1.text.len() as u32;
    let expanded: Vec<_> = found
        .symbols
        .declarations()
        .filter(|(_, d)| matches!(d.kind, DeclarationKind::Inline | DeclarationKind::Macro))
        .map(|(_, d)| d.span)
        .collect();
    let of_text = |d: &Declaration| {
        let by_definition = matches!(
            d.kind,
            DeclarationKind::Macro
                | DeclarationKind::MacroParameter
                | DeclarationKind::InlineParameter
        );
        let inside = |s: &resy_promela::Span| s.start < d.name_span.start && d.span.end < s.end;
        d.span.end <= cut.min(text) && (by_definition || !expanded.iter().any(inside))
    };
    let all = found.symbols.declarations().filter(|(_, d)| of_text(d));
    // What belongs to an inline or macro that the cut goes through is not complete.
    let whole = all.filter(|(_, d)| {
        let container = d.container.map(|id| found.symbols.declaration(id));
        let is_text = |c: &Declaration| {
            matches!(
                c.kind,
                DeclarationKind::Macro | DeclarationKind::Inline | DeclarationKind::Typedef
            )
        };
        container.is_none_or(|c| !is_text(c) || c.span.end <= cut)
    });
    whole.map(|(_, d)| key(d)).collect()
}

#[test]
fn a_prefix_keeps_the_declarations_that_are_complete() {
    let (mut lost, mut n_prefixes) = (Vec::new(), 0);
    for (path, text) in models() {
        let whole = analysis(&path, &text);
        if whole.diagnostics.has_errors() {
            continue;
        }
        let mut ends = Vec::new();
        for token in lex_raw(&text) {
            ends.push(ends.last().copied().unwrap_or(0) + token.text.len());
        }
        for &cut in ends.iter().step_by(ends.len() / CUTS + 1) {
            n_prefixes += 1;
            let prefix = analysis(&path, &text[..cut]);
            let kept: BTreeSet<_> = prefix.symbols.declarations().map(|(_, d)| key(d)).collect();
            let missing: Vec<_> =
                complete(&whole, cut as u32).into_iter().filter(|d| !kept.contains(d)).collect();
            if !missing.is_empty() {
                lost.push(format!("{} to {cut}: {missing:?}", path.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{} of {n_prefixes}:\n{}", lost.len(), lost.join("\n"));
    assert!(n_prefixes > 30_000, "{n_prefixes} prefixes");
}

/// Text that is broken anywhere is analysed without a panic.
#[test]
fn a_missing_piece_of_text_does_no_harm() {
    for (path, text) in models().into_iter().step_by(3) {
        let pieces: Vec<&str> = lex_raw(&text).iter().map(|t| t.text).collect();
        for skipped in (0..pieces.len()).step_by(pieces.len() / 20 + 1) {
            let kept = pieces.iter().enumerate().filter(|(i, _)| *i != skipped).map(|(_, t)| *t);
            analysis(&path, &kept.collect::<String>());
        }
    }
}
