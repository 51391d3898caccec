//! Random texts for the formatter.

use resy_promela::lex::{RawKind, lex_raw};

/// A generator of numbers that are random enough.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Pieces of the texts, one after the other, with some left out or replaced.
pub fn mix(texts: &[String], random: &mut Random) -> String {
    const EXTRA: &[&str] = &[
        "\\\n",
        "\r\n",
        "\n",
        " ",
        "/*",
        "\"",
        "#if x\n",
        "\n#else\n",
        "\n#endif\n",
        "é",
        "(",
        "}",
        "1..",
        "//",
        "\\",
    ];
    let mut out = String::new();
    for _ in 0..1 + random.below(4) {
        let tokens = lex_raw(&texts[random.below(texts.len())]);
        let from = random.below(tokens.len());
        for token in tokens[from..].iter().take(random.below(80)) {
            match random.below(12) {
                0 => out.push_str(random.pick(EXTRA)),
                1 => {}
                _ => out.push_str(token.text),
            }
        }
    }
    out
}

/// A text with other blanks, comments and directives between some of its tokens.
pub fn reblank(texts: &[String], random: &mut Random) -> String {
    const BLANKS: &[&str] = &[
        "",
        " ",
        "\t",
        "  ",
        " ",
        "\n",
        "\n\n\n",
        " /* c */ ",
        "/*c\nd*/",
        " // e\n",
        " \\\n",
        "\\\n",
        ";",
        " ; ",
        "\n#define NEW 1\n",
    ];
    let text = &texts[random.below(texts.len())];
    // One text in three is changed a little only, and is likely to parse.
    let rate = random.pick(&[3, 20, 60]);
    let mut out = String::new();
    for token in lex_raw(text) {
        let blank = matches!(token.kind, RawKind::Blank | RawKind::Newline);
        match random.below(rate) {
            0 if blank => out.push_str(random.pick(BLANKS)),
            0 => out.extend([random.pick(BLANKS), token.text]),
            _ => out.push_str(token.text),
        }
    }
    out
}
