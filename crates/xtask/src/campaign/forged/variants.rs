//! Programs that differ in one place: a forger's program, and the one that it is put in the place of.

use resy::{NoFiles, Program, Reading, SplitMix, Subject};
use resy_system::{Interpreter, Options, select};
use resy_testkit::fixtures::{Fixture, fixtures};
use resy_testkit::generate::{generate, print};
use resy_testkit::naive;
use std::sync::{Arc, LazyLock};

/// Programs with more states are left out.
const MAX_STATES: usize = 3_000;

/// Operators and words, with what takes their place.
const SWAPS: [(&str, &str); 14] = [
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    ("++", "--"),
    ("true", "false"),
    ("false", "true"),
    ("atomic {", "{"),
    ("d_step {", "{"),
    ("else", "true"),
];

/// A program, and whether it is safe by definition.
pub struct ProgramVariant {
    /// What is checked.
    pub subject: Arc<Subject>,
    /// Its main text.
    pub text: String,
    /// Whether no step fails and no claim is violated.
    pub is_safe: bool,
}

static MODELS: LazyLock<Vec<(Fixture, String)>> = LazyLock::new(|| {
    let text = |fixture: &Fixture| std::fs::read_to_string(&fixture.path).ok();
    let small = fixtures().into_iter().filter_map(|f| text(&f).map(|text| (f, text)));
    small.filter(|(_, text)| text.len() < 4_000 && !text.contains("#include")).collect()
});

/// A model of the repository or a generated program, and changed ones. Only small ones are given.
pub fn variants(seed: u64, random: &mut SplitMix, n_changed: usize) -> Vec<ProgramVariant> {
    let (text, defines) = match (seed % 2, MODELS.len()) {
        (0, 1..) => {
            let (fixture, text) = &MODELS[random.below(MODELS.len())];
            (text.clone(), fixture.defines.clone())
        }
        _ => (print(&generate(seed)), Vec::new()),
    };
    let changed = (0..n_changed).map(|_| changed(&text, random)).collect::<Vec<_>>();
    let texts = std::iter::once(text).chain(changed);
    texts.filter_map(|text| variant(text, &defines)).collect()
}

fn variant(text: String, defines: &[String]) -> Option<ProgramVariant> {
    let reading = Reading { defines: defines.to_vec(), ..Reading::default() };
    let subject = Subject::read("case.pml", &text, &reading, &mut NoFiles).subject?;
    let Subject::Program(program) = &subject else { return None };
    let is_safe = is_safe(program)?;
    Some(ProgramVariant { subject: Arc::new(subject), text, is_safe })
}

/// Whether a program is safe, from the definition; `None` if it is too large, or has no first state.
pub fn is_safe(program: &Program) -> Option<bool> {
    let selection = select(&program.system, None).ok()?;
    let interpreter = Interpreter::new(&program.system, Options::default());
    interpreter.initial().ok()?;
    naive::is_safe(&interpreter, &selection.monitors, MAX_STATES)
}

/// The text with one place changed: a number, an operator, or a statement.
fn changed(text: &str, random: &mut SplitMix) -> String {
    match random.below(4) {
        0 => other_number(text, random),
        1 => without_assignment(text, random),
        _ => other_operator(text, random),
    }
    .unwrap_or_else(|| text.to_owned())
}

fn other_operator(text: &str, random: &mut SplitMix) -> Option<String> {
    let places: Vec<(usize, &str, &str)> = SWAPS
        .iter()
        .flat_map(|&(from, to)| text.match_indices(from).map(move |(at, _)| (at, from, to)))
        .collect();
    let &(at, from, to) = pick(&places, random)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
}

fn other_number(text: &str, random: &mut SplitMix) -> Option<String> {
    let bytes = text.as_bytes();
    let is_word =
        |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let places: Vec<usize> = (1..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && !is_word(at - 1) && !is_word(at + 1))
        .collect();
    let &at = pick(&places, random)?;
    let old = bytes[at] - b'0';
    let new = [old + 1, old.saturating_sub(1), 0, 2][random.below(4)] % 10;
    Some(format!("{}{new}{}", &text[..at], &text[at + 1..]))
}

/// An assignment becomes `skip`.
fn without_assignment(text: &str, random: &mut SplitMix) -> Option<String> {
    let places: Vec<usize> = text.match_indices(" = ").map(|(at, _)| at).collect();
    let &at = pick(&places, random)?;
    let start = text[..at].rfind([';', '{', '\n', '>', ':'])? + 1;
    let end = at + text[at..].find([';', '}', '\n'])?;
    Some(format!("{} skip{}", &text[..start], &text[end..]))
}

fn pick<'a, T>(items: &'a [T], random: &mut SplitMix) -> Option<&'a T> {
    if items.is_empty() { None } else { items.get(random.below(items.len())) }
}
