//! What gcc cannot tell: places, findings, limits. The rest is in
//! `tests/it/preprocess_gcc.rs`.

use super::{Define, Loader, NoIncludes, preprocess};
use crate::token::{Token, TokenKind};
use crate::{Code, Diagnostics, SourceMap};

struct Run {
    tokens: Vec<Token>,
    map: SourceMap,
    diags: Diagnostics,
}

impl Run {
    fn texts(&self) -> String {
        let texts = self.tokens.iter().map(|t| match &t.kind {
            TokenKind::Word(w) => w.to_string(),
            TokenKind::Number(n) => n.to_string(),
            TokenKind::Text(t) => format!("\"{t}\""),
            TokenKind::Punct(p) => p.text().to_string(),
            TokenKind::End => String::new(),
        });
        texts.collect::<Vec<_>>().join(" ").trim_end().to_string()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.diags.iter().map(|d| d.code.as_str()).collect()
    }
}

fn run_with(text: &str, defines: &[Define], loader: &mut dyn Loader) -> Run {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = preprocess("m", text.to_string(), defines, loader, &mut map, &mut diags);
    let ends = tokens.iter().filter(|t| t.kind == TokenKind::End).count();
    assert_eq!((ends, &tokens[tokens.len() - 1].kind), (1, &TokenKind::End));
    Run { tokens, map, diags }
}

fn run(text: &str) -> Run {
    run_with(text, &[], &mut NoIncludes)
}

#[test]
fn spans_of_macro_text_and_arguments() {
    let run = run("#define F(y) y + b\nx = F(a);\n");
    assert_eq!(run.texts(), "x = a + b ;");
    let [a, plus] = [&run.tokens[2], &run.tokens[3]];
    assert_eq!((run.map.text(a.span), a.span.start, a.span.expansion), ("a", 25, None));
    assert_eq!((run.map.text(plus.span), plus.span.start), ("+", 15));
    let expansion = run.map.expansion(plus.span.expansion.expect("from a macro"));
    assert_eq!((expansion.name.as_str(), run.map.text(expansion.call)), ("F", "F"));
    assert_eq!(run.map.location(plus.span), "m:2");
}

#[test]
fn spans_of_split_and_glued_tokens() {
    let run = run("1..N c!!x -\\\n> y");
    let texts: Vec<_> = run.tokens.iter().map(|t| run.map.text(t.span)).collect();
    assert_eq!(texts, ["1", "..", "N", "c", "!!", "x", "-\\\n>", "y", ""]);
}

#[test]
fn line_ends_are_gccs() {
    let run = run("#define F(x) { x }\na F(b\nc) d\ne /*\n*/ f g\n");
    let flags: Vec<_> = run.tokens.iter().map(|t| u8::from(t.newline_before)).collect();
    // a { b c } ⏎d ⏎e ⏎f g ⏎
    assert_eq!(flags, [1, 0, 0, 0, 0, 1, 1, 1, 0, 1]);
}

#[test]
fn command_line() {
    let defines = [Define::parse("N=3"), Define::parse("FLAG"), Define::parse("F(x)=x*x")];
    let run = run_with("N FLAG F(2)", &defines, &mut NoIncludes);
    assert_eq!(run.texts(), "3 1 2 * 2");
    let call = run.map.outermost(run.tokens[0].span);
    assert_eq!(run.map.location(call), "m:1");
}

struct Files;

impl Loader for Files {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        match name {
            "self" => Ok(("self".to_string(), "#include \"self\"\n".to_string())),
            "open" => Ok(("open".to_string(), "#if 1\nopen F".to_string())),
            "missing" => Err("not found".to_string()),
            _ => Ok((name.to_string(), format!("{name} from {from} {angled}"))),
        }
    }
}

#[test]
fn includes() {
    let text = "#define F(x) x\n#define N \"b\"\n#define A <c>\n#include \"a\"\n#include N\n#include A\n#include <d> // c\n";
    let run = run_with(text, &[], &mut Files);
    assert_eq!(run.texts(), "a from m false b from m false c from m true d from m true");
    assert!(run.diags.is_empty());
    let file = run.map.file(run.map.file_of(run.tokens[0].span));
    assert_eq!(run.map.location(file.included_at.expect("an include")), "m:4");
}

#[test]
fn includes_that_fail() {
    let run1 = run_with("a\n#include \"missing\"\nb", &[], &mut Files);
    assert_eq!((run1.texts(), run1.codes()), ("a b".to_string(), vec!["E0102"]));
    let run2 = run_with("#include \"self\"\nb", &[], &mut Files);
    assert_eq!((run2.texts(), run2.codes()), ("b".to_string(), vec!["E0102"]));
    // Neither a conditional nor a call reaches beyond the end of its file.
    let run3 = run_with("#define F(x) x\n#include \"open\"\n(1) x\n#endif", &[], &mut Files);
    assert_eq!(run3.texts(), "open F ( 1 ) x");
    assert_eq!(run3.codes(), ["E0103", "E0103"]);
}

#[test]
fn findings() {
    for (text, codes) in [
        ("#if 1\nx", &["E0103"][..]),
        ("#endif\nx", &["E0103"]),
        ("#bogus\nx", &["E0101"]),
        ("#error stop\nx", &["E0105"]),
        ("#if 1 +\n#endif\nx", &["E0101"]),
        ("#define F(a) a\nF(1,2) x", &["E0104"]),
        ("#define N 1\n#define N 2\nx", &["W0101"]),
        ("#ifdef A B\n#endif C\nx", &["W0102", "W0102"]),
        ("é é` x", &["E0201", "E0201"]),
        ("$ []p $ x", &["E0201"]),
        ("/* x", &["E0202"]),
        ("\"x", &["E0202"]),
        ("'ab' x", &["E0202"]),
        ("4294967297 99999999999999999999 x", &["W0302", "W0302"]),
        ("a-->b", &["W0403"]),
        ("2147483647 x", &[]),
    ] {
        assert_eq!(run(text).codes(), codes, "{text}");
    }
}

#[test]
fn numbers_and_characters_as_spin_has_them() {
    let run = run("4294967297 99999999999999999999 'a' '\\n' '\\0' '\\'' 007");
    assert_eq!(run.texts(), "1 -1 97 10 48 39 7");
}

#[test]
fn redefinition_shows_both_places() {
    let run = run("#define N 1\n#define N 2\n");
    let diagnostic = run.diags.iter().next().expect("a warning");
    assert_eq!(diagnostic.code, Code::MacroRedefined);
    assert_eq!(run.map.location(diagnostic.span), "m:2");
    assert_eq!(run.map.location(diagnostic.related[0].0), "m:1");
}

#[test]
fn bombs_are_defused() {
    let doubling: String =
        (1..64).map(|i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)).collect();
    let run1 = run(&format!("#define A0 x\n{doubling}A63 y\n"));
    assert_eq!(run1.codes(), ["E0106"]);
    let arguments: String = (1..64).map(|i| format!("#define B{i}(x) B{}(x x)\n", i - 1)).collect();
    let run2 = run(&format!("#define B0(x) x\n{arguments}B63(z) y\n"));
    assert_eq!(run2.codes(), ["E0106"]);
    let run3 = run(&format!("#define F(x) x\n{}1{}\n", "F(".repeat(20_000), ")".repeat(20_000)));
    assert_eq!(run3.codes(), ["E0106"]);
    let chain: String = (1..5000).map(|i| format!("#define C{i} C{}\n", i - 1)).collect();
    let run4 = run(&format!("{chain}C4999\n"));
    assert_eq!(run4.codes(), ["E0106"]);
    let run5 = run(&format!("#if {}1{}\n#endif\n", "(".repeat(20_000), ")".repeat(20_000)));
    assert_eq!(run5.codes(), ["E0101"]);
    let run6 = run(&format!("#if {}1\n#endif\n", "-".repeat(20_000)));
    assert_eq!(run6.codes(), ["E0101"]);
    let run7 = run(&format!("#define S(x) #x\nS({})", "S(\"\\\\\")".repeat(1000)));
    assert!(run7.codes().is_empty());
}

#[test]
fn long_texts_take_linear_time() {
    let started = std::time::Instant::now();
    let many = |text: &str| text.repeat(100_000);
    for text in [
        many("("),
        many("a/**/"),
        many("#if 1\n"),
        many("\\\n"),
        many("'"),
        many("x\\ y"),
        many("F("),
        many("1."),
    ] {
        run(&format!("#define F(x) x\n{text}"));
    }
    assert!(started.elapsed().as_secs() < 20, "something is quadratic");
}

/// Texts out of fragments that are hard together: nothing may panic or hang.
#[test]
fn any_text_is_read() {
    const FRAGMENTS: [&str; 40] = [
        "#define ",
        "#undef ",
        "#if ",
        "#elif ",
        "#else",
        "#endif",
        "#include ",
        "#line 1",
        "# ",
        "#",
        "##",
        "\n",
        "\\\n",
        "\\",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "F",
        "G(x)",
        "F(x,y)",
        "F(",
        "x",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "é",
        "\0",
        "\r",
        "$",
        "`",
        "1..N",
        "defined",
        "<",
        "\u{feff}",
        " ",
        "0x",
    ];
    let mut state = 7u64;
    let mut dice = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..20_000 {
        let text: String = (0..dice(30)).map(|_| FRAGMENTS[dice(FRAGMENTS.len())]).collect();
        let run = run_with(&text, &[], &mut Files);
        let lossless: String = crate::lex::lex_raw(&text).iter().map(|t| t.text).collect();
        assert_eq!(lossless, text);
        for diagnostic in run.diags.iter() {
            assert!(!crate::render::render(&run.map, diagnostic, false).is_empty());
        }
    }
}
