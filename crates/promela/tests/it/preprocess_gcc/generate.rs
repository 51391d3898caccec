//! Pseudo-random programs of macros: small, and dense in what is hard.
//!
//! Left out are `%:`, which gcc reads as `#`, and `__LINE__`: in an argument on
//! another line than the call, about one use in ten thousand differs.

use resy_index::random::SplitMix;

/// The decisions of a random text.
struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const NAMES: [&str; 10] = ["a", "b", "x", "y", "A", "B", "F", "G", "H", "V"];
const PUNCTS: [&str; 32] = [
    "(", ")", "[", "]", "{", "}", ",", ";", ":", "::", "+", "-", "->", "--", "++", "!", "!!", "?",
    "??", "=", "==", "<", ">", "<=", "&", "&&", "|", ".", "..", "*", "~", "^",
];
const OTHERS: [&str; 10] =
    ["1", "0", "12", "1..A", "2e+B", "\"s\"", "'c'", "\"a\\\"\"", "007", ".5"];
const GAPS: [&str; 12] =
    ["", "", "", " ", " ", " ", "  ", "/**/", " /* c */ ", "\\\n", " \\\n ", "\t"];
const LINE_GAPS: [&str; 5] = ["\n", "\n ", "/*\n*/", "\n\n", " // c\n"];

/// The program with this seed.
pub fn program(seed: u64) -> String {
    let mut dice = Dice(SplitMix(seed.wrapping_mul(0x1234_5678_9abc_def1)));
    let mut out = String::new();
    let mut open = 0;
    for _ in 0..4 + dice.below(10) {
        match dice.below(20) {
            0..9 => define(&mut dice, &mut out),
            9 => out.push_str(&format!("#undef {}\n", dice.pick(&NAMES[4..]))),
            10 => {
                out.push_str(&format!("#ifdef {}\n", dice.pick(&NAMES[4..])));
                open += 1;
            }
            11 => {
                out.push_str("#if ");
                condition(&mut dice, &mut out, 3);
                out.push('\n');
                open += 1;
            }
            12 if open > 0 => {
                out.push_str("#endif\n");
                open -= 1;
            }
            13 if open > 0 => out.push_str("#elif A\n"),
            _ => text(&mut dice, &mut out),
        }
    }
    for _ in 0..3 {
        text(&mut dice, &mut out);
    }
    out.push_str(&"#endif\n".repeat(open));
    text(&mut dice, &mut out);
    out
}

fn define(dice: &mut Dice, out: &mut String) {
    let name = dice.pick(&NAMES[4..]);
    let n_params = match name {
        "A" | "B" => None,
        "F" => Some(1),
        "G" => Some(2),
        _ => Some(dice.below(3)),
    };
    out.push_str(&format!("#define {name}"));
    let params = &["x", "y"][..n_params.unwrap_or(0)];
    if n_params.is_some() {
        let rest = match (name, params.is_empty()) {
            ("V", true) => "...",
            ("V", false) => ", ...",
            _ => "",
        };
        out.push_str(&format!("({}{rest})", params.join(", ")));
    }
    out.push(' ');
    for i in 0..dice.below(7) {
        match dice.below(8) {
            0 if !params.is_empty() => out.push_str(&format!("#{}", dice.pick(params))),
            1 if i > 0 && !params.is_empty() => {
                let glue = dice.pick(&["##", " ## ", " ##", "## "]);
                out.push_str(&format!("{glue}{}", dice.pick(params)));
            }
            2 if name == "V" => {
                out.push_str(dice.pick(&["__VA_ARGS__", ", ## __VA_ARGS__", "#__VA_ARGS__"]))
            }
            3 if i > 0 => out.push_str(&format!(" ## {}", dice.pick(&["x", "1", "F", "+", "="]))),
            4 => call(dice, out, 1, false),
            _ => token(dice, out),
        }
        out.push_str(dice.pick(&GAPS));
    }
    out.push('\n');
}

fn text(dice: &mut Dice, out: &mut String) {
    for _ in 0..dice.below(8) {
        match dice.below(3) {
            0 => call(dice, out, 2, true),
            _ => token(dice, out),
        }
        out.push_str(dice.pick(&GAPS));
    }
    out.push('\n');
}

fn call(dice: &mut Dice, out: &mut String, depth: usize, lines: bool) {
    out.push_str(dice.pick(&NAMES[4..]));
    out.push_str(if lines && dice.below(6) == 0 { "\n" } else { "" });
    out.push('(');
    for i in 0..1 + dice.below(3) {
        out.push_str(if i > 0 { "," } else { "" });
        for _ in 0..dice.below(4) {
            match dice.below(4) {
                0 if depth > 0 => call(dice, out, depth - 1, lines),
                _ => token(dice, out),
            }
            let gaps = if lines && dice.below(4) == 0 { &LINE_GAPS[..] } else { &GAPS[..] };
            out.push_str(dice.pick(gaps));
        }
    }
    out.push(')');
}

fn token(dice: &mut Dice, out: &mut String) {
    let text = match dice.below(10) {
        0..5 => dice.pick(&NAMES),
        5..8 => dice.pick(&PUNCTS),
        _ => dice.pick(&OTHERS),
    };
    // Two touching names would only make a third.
    if out.ends_with(|c: char| c.is_ascii_alphanumeric()) && dice.below(5) > 0 {
        out.push(' ');
    }
    out.push_str(text);
}

fn condition(dice: &mut Dice, out: &mut String, depth: usize) {
    match dice.below(if depth == 0 { 4 } else { 9 }) {
        0 => out.push_str(dice.pick(&["0", "1", "2", "3u", "0x10", "'a'", "-1"])),
        1 => out.push_str(dice.pick(&["a", "A", "x"])),
        2 => out.push_str(&format!("defined {}", dice.pick(&NAMES))),
        3 => out.push_str(&format!("defined({})", dice.pick(&NAMES))),
        4 => {
            out.push_str(dice.pick(&["!", "~", "-", "+"]));
            condition(dice, out, depth - 1);
        }
        5 => {
            out.push('(');
            condition(dice, out, depth - 1);
            out.push_str(" ? ");
            condition(dice, out, depth - 1);
            out.push_str(" : ");
            condition(dice, out, depth - 1);
            out.push(')');
        }
        _ => {
            out.push('(');
            condition(dice, out, depth - 1);
            let op = dice.pick(&[
                "+", "-", "*", "/", "%", "<<", ">>", "<", ">=", "==", "!=", "&", "|", "^", "&&",
                "||",
            ]);
            out.push_str(&format!(" {op} "));
            condition(dice, out, depth - 1);
            out.push(')');
        }
    }
}
