//! Writes the macros that make one test of every model, from the models that are there.
//!
//! A test of its own names the model that fails, and lets the test runner use all cores. The names
//! of tests must be known when the tests are compiled, so the folders of models are listed here;
//! cargo runs this program again when they change.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The keywords that are names of models or could be.
const KEYWORDS: &[&str] = &[
    "as", "break", "const", "continue", "do", "else", "enum", "extern", "false", "fn", "for",
    "gen", "if", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "static", "trait", "true", "try", "type", "typeof", "unsafe", "use", "where", "while",
];

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut families = entries(&root.join("models"))?;
    families.retain(|path| path.is_dir());
    families.push(root.join("examples"));
    println!("cargo::rerun-if-changed=build.rs");
    for family in &families {
        println!("cargo::rerun-if-changed={}", family.display());
    }
    println!("cargo::rerun-if-changed={}", root.join("models").display());
    let mut text = String::new();
    let models = lists(&families, "toml")?;
    let about =
        "Makes a test of every model that has a truth; it calls a function with the `Fixture`.";
    define(&mut text, "each_model", about, &models, |family, name| {
        format!("$case(&$crate::fixtures::fixture(\"{family}/{name}\"))")
    });
    for (macro_name, family) in [("each_refused", "refused"), ("each_beginner", "beginner")] {
        let folder = [root.join("models").join(family)];
        let about = format!(
            "Makes a test of every model in `models/{family}`; it calls a function with the path."
        );
        define(&mut text, macro_name, &about, &lists(&folder, "pml")?, |family, name| {
            format!("$case(&$crate::fixtures::models_dir().join(\"{family}/{name}.pml\"))")
        });
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("each.rs"), text)
}

/// Each family with the names of its files of a kind.
fn lists(families: &[PathBuf], extension: &str) -> std::io::Result<Vec<(String, Vec<String>)>> {
    let mut lists = Vec::new();
    for family in families {
        let mut files = entries(family)?;
        files.retain(|path| path.extension().is_some_and(|e| e == extension));
        if !files.is_empty() {
            let names = files.iter().map(|path| stem(path)).collect();
            lists.push((stem(family), names));
        }
    }
    Ok(lists)
}

fn define(
    text: &mut String,
    name: &str,
    about: &str,
    families: &[(String, Vec<String>)],
    call: impl Fn(&str, &str) -> String,
) {
    let _ = writeln!(text, "/// {about}\n#[macro_export]\nmacro_rules! {name} {{");
    let _ = writeln!(text, "    ($name:ident, $case:path) => {{ mod $name {{");
    for (family, names) in families {
        let _ = writeln!(text, "        mod {} {{", identifier(family));
        for name in names {
            let call = call(family, name);
            let _ = writeln!(text, "            #[test] fn {}() {{ {call} }}", identifier(name));
        }
        text.push_str("        }\n");
    }
    text.push_str("    }};\n}\n");
}

fn identifier(name: &str) -> String {
    let word: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let starts_well = word.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts_well && !KEYWORDS.contains(&name) { word } else { format!("_{word}") }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}
