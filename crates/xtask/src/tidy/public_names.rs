//! Public type names are unique across the library crates: a word has one meaning.
//!
//! The names are collected from the source text, so that a type which a crate keeps in a private
//! module counts as well: a text search for a name should find one definition.

use super::sources;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The library crates. Programs and development tools may reuse names.
const LIBRARIES: &[&str] = &[
    "index",
    "automata",
    "system",
    "promela",
    "fsp",
    "passes",
    "engine",
    "network",
    "certificate",
    "compose",
    "predicate",
    "symbolic",
    "export",
    "resy",
];

/// Modules with the words of a language: its syntax tree, tokens, source spans and diagnostics. They
/// may share names with other crates, because a user writes them qualified (`ast::Expr`), and every
/// language has expressions and tokens. Inside the crate their names are unique as well.
const FRONT_ENDS: &[&str] = &["promela", "fsp"];
const WORDS_OF_A_LANGUAGE: &[&str] = &["token.rs", "source.rs", "diagnostic.rs"];

/// Names that several definitions may share, each with the reason.
const SHARED: &[(&str, &str)] = &[
    ("Checkpoint", "a saved store in `engine`; in the library, the request to save a search"),
    ("Control", "which process may move in `system`; limits and cancellation in the library"),
];

/// Files that take another module's place in some builds, with its types.
const STAND_INS: &[&str] = &["search/no_workers.rs"];

/// One finding for each public type name with several definitions and no reason.
pub fn check(crates: &Path, findings: &mut Vec<String>) -> io::Result<()> {
    let mut everywhere = Defined::new();
    for library in LIBRARIES {
        let source = crates.join(library).join("src");
        let mut defined = Defined::new();
        for (path, text) in &sources::read(&source)? {
            if STAND_INS.iter().any(|file| path.ends_with(file)) {
                continue;
            }
            for name in public_types(text) {
                defined.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
        if FRONT_ENDS.contains(library) {
            findings.extend(duplicates(&defined, &[]));
            defined.values_mut().for_each(|places| places.retain(|p| !is_word_of_language(p)));
        }
        for (name, mut places) in defined {
            everywhere.entry(name).or_default().append(&mut places);
        }
    }
    findings.extend(duplicates(&everywhere, SHARED));
    Ok(())
}

/// For each name the files that define it.
type Defined = BTreeMap<String, Vec<PathBuf>>;

fn is_word_of_language(path: &Path) -> bool {
    let is_tree = path.parent().is_some_and(|folder| folder.ends_with("src/ast"));
    is_tree || WORDS_OF_A_LANGUAGE.iter().any(|file| path.ends_with(Path::new("src").join(file)))
}

/// The `pub` structures, enumerations, traits and type aliases of a source text.
fn public_types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let item = line.trim_start().strip_prefix("pub ")?;
        let item = item.strip_prefix("unsafe ").unwrap_or(item);
        let (kind, rest) = item.split_once(' ')?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let is_type = matches!(kind, "struct" | "enum" | "trait" | "type");
        (is_type && end > 0).then_some(&rest[..end])
    })
}

fn duplicates(defined: &Defined, shared: &[(&str, &str)]) -> Vec<String> {
    let is_shared = |name: &str| shared.iter().any(|(other, _)| *other == name);
    let several = |name: &str| defined.get(name).is_some_and(|files| files.len() > 1);
    let clashes = defined.iter().filter(|(name, _)| several(name) && !is_shared(name));
    let files = |files: &[PathBuf]| {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        files.join(", ")
    };
    clashes
        .map(|(name, places)| {
            format!("public type `{name}` has several meanings: {}", files(places))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_are_found() {
        let text = "pub struct A<T>(T);\n    pub enum B {}\npub(crate) struct C;\nstruct D;\n\
                    pub unsafe trait E {}\npub type F = u8;\npub fn struct_g() {}\n// pub struct H;\n";
        assert_eq!(public_types(text).collect::<Vec<_>>(), ["A", "B", "E", "F"]);
    }

    #[test]
    fn a_name_has_one_definition_or_a_reason() {
        let files = |list: &[&str]| list.iter().map(PathBuf::from).collect();
        let defined = Defined::from([
            ("One".to_owned(), files(&["a.rs"])),
            ("Two".to_owned(), files(&["a.rs", "b.rs"])),
        ]);
        assert_eq!(
            duplicates(&defined, &[]),
            ["public type `Two` has several meanings: a.rs, b.rs"]
        );
        assert!(duplicates(&defined, &[("Two", "a reason")]).is_empty());
    }
}
