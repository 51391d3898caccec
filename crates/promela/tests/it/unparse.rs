//! The text of a model's tokens gives the same tokens again.

use resy_promela::preprocess::{Define, Loader, NoIncludes, preprocess};
use resy_promela::token::{Token, TokenKind};
use resy_promela::{Diagnostics, SourceMap, unparse};
use std::path::{Path, PathBuf};

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let text = std::fs::read_to_string(self.0.join(name)).map_err(|e| e.to_string())?;
        Ok((name.to_owned(), text))
    }
}

fn tokens(text: &str, defines: &[Define], loader: &mut dyn Loader) -> Vec<Token> {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    preprocess("model.pml", text.to_owned(), defines, loader, &mut map, &mut diags)
}

/// What a token is, and whether a line ends before it.
fn seen(tokens: &[Token]) -> Vec<(&TokenKind, bool)> {
    tokens.iter().enumerate().map(|(i, t)| (&t.kind, t.newline_before && i > 0)).collect()
}

fn survives(text: &str, folder: &Path) -> bool {
    let before = tokens(text, &[], &mut Beside(folder.to_path_buf()));
    let after = tokens(&unparse(&before), &[], &mut NoIncludes);
    seen(&before) == seen(&after)
}

#[test]
fn every_model_survives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let families = std::fs::read_dir(folder).expect("the models are there").flatten();
    let mut count = 0;
    for family in families.filter(|entry| entry.path().is_dir()) {
        for file in std::fs::read_dir(family.path()).expect("a folder").flatten() {
            let path = file.path();
            if path.extension().is_none_or(|e| e != "pml") {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
            assert!(survives(&text, &family.path()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count} models");
}

#[test]
fn what_macros_put_together_stays_apart() {
    let odd = [
        "#define minus -\nint x = minus-1;",
        "#define always []\nltl { always (x<->y) && <>z }",
        "#define S \"a \\\"b\\\" %d\\n\"\ninit { printf(S, 'x') }",
        "#define two 1\\\n 2\nbyte a[two];",
        "init { q!!1; q! !x; q??[1,_] }",
    ];
    for text in odd {
        assert!(survives(text, Path::new(".")), "{text}");
    }
}
