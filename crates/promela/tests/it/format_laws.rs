//! The laws of the formatter, over all models of the repository and over texts
//! made of their pieces at random.
//!
//! `RESY_FORMAT_FILES` names further files, or folders with models;
//! `RESY_FORMAT_CASES` and `RESY_FORMAT_SEED` set the random texts.

mod random;

use random::{Random, mix, reblank};
use resy_promela::format::format;
use resy_promela::lex::{RawKind, lex_raw};
use resy_promela::preprocess::{Loader, preprocess};
use resy_promela::{Diagnostics, Severity, SourceMap, parse::parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[test]
fn models_obey_the_laws() {
    let files = models();
    let (mut found, mut compared) = (Vec::new(), 0);
    for file in &files {
        let folder = file.parent().unwrap_or(Path::new("."));
        match check(&read(file), folder) {
            Ok(parses) => compared += usize::from(parses),
            Err(problem) => found.push(format!("{}: {problem}", file.display())),
        }
    }
    println!("{} files, {compared} of them parse", files.len());
    assert!(files.len() > 100 && compared > 100, "{} files, {compared} parse", files.len());
    assert!(found.is_empty(), "{} of {}:\n{}", found.len(), files.len(), found.join("\n"));
}

#[test]
fn odd_texts_obey_the_laws() {
    for text in ODD {
        if let Err(problem) = check(text, Path::new(".")) {
            panic!("{text:?}: {problem}");
        }
    }
}

/// The pieces of the models, cut, repeated and mixed, do not parse any more; the
/// formatter takes them all the same.
#[test]
fn mixed_texts_obey_the_laws() {
    random_texts(2000, mix);
}

/// Models with other blanks, line ends and comments between their tokens: many
/// of them still parse, some to another tree than the model.
#[test]
fn models_with_other_blanks_obey_the_laws() {
    let parse = random_texts(2000, reblank);
    assert!(parse >= 300, "{parse} texts parse");
}

/// Tries the laws on random texts; counts those that parse.
fn random_texts(default: u64, make: fn(&[String], &mut Random) -> String) -> usize {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let texts: Vec<String> = models().iter().map(|f| read(f)).collect();
    let first = number("RESY_FORMAT_SEED", 1);
    let mut parse = 0;
    for seed in first..first + number("RESY_FORMAT_CASES", default) {
        let text = make(&texts, &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        match check(&text, Path::new(".")) {
            Ok(parses) => parse += usize::from(parses),
            Err(problem) => panic!("RESY_FORMAT_SEED={seed}\n{text}\n{problem}"),
        }
    }
    parse
}

#[test]
fn time_is_linear() {
    let nested = |open: &str, close: &str, n: usize| open.repeat(n) + &close.repeat(n);
    let n = 20_000;
    let texts = [
        "proctype P() { do\n:: a -> b = f(c); od }\n".repeat(n),
        nested("f(", ")", n),
        nested("if\n", "fi\n", n),
        nested("{\n", "}\n", n),
        "#define f(x) x\n".to_string() + &"f(".repeat(n),
        "c_code [".repeat(n),
        "c_code [a] ".repeat(n) + &"] {".repeat(n),
        "(".repeat(n) + &"fi } ".repeat(n),
        "{".repeat(100) + &"\n#if a\n}\n#else\n}\n#endif\n".repeat(n),
        "/* c */ ".repeat(n) + "x",
        "f /* c */ ".repeat(n) + "(",
    ];
    for text in texts {
        let start = Instant::now();
        let out = format(&text);
        let taken = start.elapsed();
        let shown = &text[..30];
        assert!(taken < Duration::from_secs(2), "{shown:?} …: {taken:?} for {}", out.len());
    }
}

/// Tries all laws; tells whether the text parses, so that the second one counts.
fn check(text: &str, folder: &Path) -> Result<bool, String> {
    let out = format(text);
    let again = format(&out);
    if again != out {
        return Err(format!("changes its own output: {}", difference(&out, &again)));
    }
    for (what, pick) in [("comments", true), ("tokens", false)] {
        let (old, new) = (pieces(text, pick), pieces(&out, pick));
        if old != new {
            let at = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
            let (old, new) = (old.get(at), new.get(at));
            return Err(format!("other {what}: {old:?} became {new:?}"));
        }
    }
    let Some(old) = tree(text, folder) else { return Ok(false) };
    match tree(&out, folder) {
        Some(new) if new == old => Ok(true),
        Some(new) => Err(format!("another tree: {}", difference(&old, &new))),
        None => Err("does not parse any more".to_string()),
    }
}

/// The comments of a text, or its other tokens; line ends as the formatter has them.
fn pieces(text: &str, comments: bool) -> Vec<String> {
    let body = text.trim_start_matches('\u{feff}');
    let tokens = lex_raw(body).into_iter().filter(|t| match t.kind {
        RawKind::LineComment | RawKind::BlockComment => comments,
        RawKind::Blank | RawKind::Newline | RawKind::Splice => false,
        _ => !comments,
    });
    let blanks = [' ', '\t', '\x0b', '\x0c', '\n', '\\'];
    let text = |t: &str| t.replace("\r\n", "\n").replace('\r', "\n");
    tokens.map(|t| text(t.text).trim_end_matches(blanks).to_string()).collect()
}

/// The tree, unless there are errors in the text.
fn tree(text: &str, folder: &Path) -> Option<String> {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut loader = Beside(folder);
    let tokens = preprocess("model.pml", text.to_string(), &[], &mut loader, &mut map, &mut diags);
    let program = parse(tokens, &mut map, &mut diags);
    let wrong = diags.iter().any(|d| d.severity() == Severity::Error);
    (!wrong).then(|| format!("{program:#?}"))
}

struct Beside<'a>(&'a Path);

impl Loader for Beside<'_> {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let text = std::fs::read(self.0.join(name)).map_err(|e| e.to_string())?;
        Ok((name.to_string(), String::from_utf8_lossy(&text).into_owned()))
    }
}

fn difference(old: &str, new: &str) -> String {
    let same = old.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.lines().skip(same).take(3).collect::<Vec<_>>().join("\n");
    format!("line {}\n{}\nbecame\n{}", same + 1, part(old), part(new))
}

fn models() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut files);
    for name in std::env::var("RESY_FORMAT_FILES").unwrap_or_default().split_whitespace() {
        match Path::new(name) {
            path if path.is_dir() => collect(path, &mut files),
            path => files.push(path.to_path_buf()),
        }
    }
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder with models");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, files);
        } else if matches!(extension, "pml" | "pm" | "pr" | "prom" | "spin" | "h" | "never") {
            files.push(path);
        }
    }
}

fn read(file: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(file).expect("a readable file")).into_owned()
}

const ODD: &[&str] = &[
    "",
    " \n\n",
    "/* open",
    "/* open\n\n",
    "// end \\",
    "#define a \\",
    "#define a \\  ",
    "#define a \\\\",
    "#define a \\\\\n\nx",
    "// a \\\\\n\nx",
    "// a \\ \\\n \nx",
    "x \\\\\n\n y",
    "{ x \\\\\n}",
    "\u{feff}#define N 2\nbyte a[N];",
    "\"open\nx",
    "a \\\n b\\\n c\n",
    "{ \\ }",
    "{ # x\n}",
    "{ x\n# y\n}",
    "- - x; ! ! y; a - - b; < - > [ ] / \\ / / x",
    "a\r\nb\r{ /* x\r\ny\rz */ }",
    "fi od } ) ] ::",
    "}}}}{{{{",
    "if ( do } fi",
    "$ a  b $",
    "active proctype P() { byte N; select(N : 1..3); select (N : 1 .. 3) }",
    "#define N 3\nbyte N2; init { byte i; for (i : 0..2) { N2 = 1 } }",
    "#define S(x) #x\ninit { printf(S(a+b  -  c)) }",
    "init { byte x; x = 1 /* a\n b */ x = 2 }",
    "init { byte x; x = 1 + \\\n 2; x = 3 }",
    "init { byte x; x = x+\\\nx+1; x = 3 }",
    "init { byte N, i;\n#define N 3\nfor (i:1..N) { skip } }",
];
