//! Diagnostics as text, with excerpts and the traces of expansions and includes.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::quote::{excerpt_text, quote, quote_lines};
use crate::source::{ExpansionKind, SourceMap, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// The middle of a longer chain of expansions or includes is left out.
const MAX_TRACE: usize = 8;
/// Places further apart than this get separate excerpts.
const MAX_LINES_APART: usize = 60;
/// Only the surroundings of a place are shown of a longer text.
const MAX_EXCERPT: usize = 8000;
/// How much of it is shown before and after the place.
const CONTEXT: usize = 200;

/// The diagnostic with excerpts of the source, ending in a line end.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(quote_lines(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut first = Group::with_title(title);
    for excerpt in excerpts(map, diagnostic) {
        first = excerpt.add_to(first);
    }
    first = first
        .elements(include_trace(map, diagnostic.span).into_iter().map(|t| Level::NOTE.message(t)));
    if let Some(hint) = &diagnostic.hint {
        first = first.element(Level::HELP.message(quote_lines(hint)));
    }
    let mut groups = vec![first];
    groups.extend(expansion_trace(map, diagnostic.span));
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups) + "\n"
}

/// At most `limit` diagnostics, each with its excerpts and an empty line after it. Of more, the
/// errors are shown before the warnings, and a last line counts the rest.
pub fn render_all(map: &SourceMap, diagnostics: &Diagnostics, limit: usize, color: bool) -> String {
    let all = || diagnostics.iter().enumerate();
    let of = |severity| all().filter(move |(_, d)| d.severity() == severity);
    let errors_first = of(Severity::Error).chain(of(Severity::Warning));
    let mut shown: Vec<_> = errors_first.take(limit).collect();
    shown.sort_by_key(|(position, _)| *position);
    let n_shown = shown.len();
    let mut out = String::new();
    for (_, diagnostic) in shown {
        out.push_str(&render(map, diagnostic, color));
        out.push('\n');
    }
    let n_all = diagnostics.count(Severity::Error) + diagnostics.count(Severity::Warning);
    if n_all > n_shown {
        let (rest, counts) = (n_all - n_shown, counts(diagnostics));
        out.push_str(&format!("… and {rest} more: {counts} in all\n"));
    }
    out
}

/// The diagnostic on one line: `file:line:column: error[E0203]: message`. The
/// place is the one in a file, outside all expansions.
pub fn render_short(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = match map.files().next() {
        Some(_) => {
            let place = map.line_column(map.outermost(diagnostic.span));
            let name = quote(&map.file(place.file).name);
            format!("{name}:{}:{}: ", place.line, place.column)
        }
        None => String::new(),
    };
    let message = diagnostic.message.replace('\n', " ");
    format!("{place}{severity}[{}]: {}", diagnostic.code.as_str(), quote(&message))
}

/// `2 errors, 1 warning`.
fn counts(diagnostics: &Diagnostics) -> String {
    let count = |severity: Severity, word: &str| match diagnostics.count(severity) {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let counts = [count(Severity::Error, "error"), count(Severity::Warning, "warning")];
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The excerpts of the place and of the related places; places near each other share one.
fn excerpts<'a>(map: &'a SourceMap, diagnostic: &'a Diagnostic) -> Vec<Excerpt<'a>> {
    let mut out: Vec<Excerpt<'a>> = Vec::new();
    let main = (diagnostic.span, &diagnostic.label, AnnotationKind::Primary);
    let related =
        diagnostic.related.iter().map(|(span, words)| (*span, words, AnnotationKind::Context));
    for (span, words, kind) in std::iter::once(main).chain(related) {
        let Some(new) = Excerpt::new(map, span, words, kind) else {
            continue;
        };
        match out.first_mut() {
            Some(first) if first.takes(&new) => first.merge(new),
            _ => out.push(new),
        }
    }
    out
}

/// A range of a file with marks in it.
struct Excerpt<'a> {
    name: &'a str,
    text: &'a str,
    /// What is shown of the text: whole lines, unless they are very long.
    shown: Range<usize>,
    /// Line of the first byte shown.
    line: usize,
    /// Line of the last byte shown.
    last_line: usize,
    column: usize,
    marks: Vec<(Range<usize>, &'a str, AnnotationKind)>,
}

impl<'a> Excerpt<'a> {
    /// `None` if there are no files.
    fn new(map: &'a SourceMap, span: Span, words: &'a str, kind: AnnotationKind) -> Option<Self> {
        map.files().next()?;
        let place = map.line_column(span);
        let file = map.file(place.file);
        let text = file.text.as_str();
        let within =
            |offset: u32| text.floor_char_boundary((offset.saturating_sub(file.start)) as usize);
        let start = within(span.start);
        let end = clamp_lines(text, start, within(span.end).max(start));
        let shown = shown_range(text, start, end);
        Some(Self {
            name: &file.name,
            text,
            line: place.line,
            last_line: place.line + text[start..end].matches('\n').count(),
            column: place.column,
            shown,
            marks: vec![(start..end, words, kind)],
        })
    }

    /// Whether `other` is near enough to be shown together.
    fn takes(&self, other: &Excerpt<'_>) -> bool {
        let near = self.line.abs_diff(other.line) <= MAX_LINES_APART;
        let shown = self.shown.start.min(other.shown.start)..self.shown.end.max(other.shown.end);
        std::ptr::eq(self.text, other.text) && near && shown.len() <= MAX_EXCERPT
    }

    fn merge(&mut self, other: Excerpt<'a>) {
        if other.shown.start < self.shown.start {
            self.line = other.line;
        }
        self.last_line = self.last_line.max(other.last_line);
        self.shown = self.shown.start.min(other.shown.start)..self.shown.end.max(other.shown.end);
        self.marks.extend(other.marks);
    }

    fn add_to(self, group: Group<'a>) -> Group<'a> {
        let whole_lines =
            self.shown.start == 0 || self.text.as_bytes()[self.shown.start - 1] == b'\n';
        let offset = self.shown.start;
        let marks = self.marks.into_iter().map(|(range, words, kind)| {
            let mark: Annotation<'a> = kind.span(range.start - offset..range.end - offset);
            if words.is_empty() { mark } else { mark.label(quote_lines(words)) }
        });
        let shown = excerpt_text(&self.text[self.shown]);
        let snippet = Snippet::source(shown).line_start(self.line).annotations(marks);
        let name = quote(self.name);
        match whole_lines {
            true => group.element(snippet.path(name)),
            // The library cannot count columns in a part of a line.
            false => group
                .element(Origin::path(name).line(self.line).char_column(self.column))
                .element(snippet),
        }
    }
}

/// The end of the range, or of its tenth line.
fn clamp_lines(text: &str, start: usize, end: usize) -> usize {
    let ninth = text[start..end].match_indices('\n').nth(9);
    ninth.map_or(end, |(i, _)| start + i)
}

/// The lines of a range, cut around it where they are very long.
fn shown_range(text: &str, start: usize, end: usize) -> Range<usize> {
    let from = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let to = text[end..].find('\n').map_or(text.len(), |i| end + i);
    if to - from <= MAX_EXCERPT {
        return from..to;
    }
    let near = text.floor_char_boundary(start.saturating_sub(CONTEXT));
    let far = text.floor_char_boundary(end.saturating_add(CONTEXT));
    from.max(near)..to.min(far)
}

/// For every expansion that the place comes from, the call.
fn expansion_trace<'a>(map: &'a SourceMap, mut span: Span) -> Vec<Group<'a>> {
    let mut calls = Vec::new();
    while let Some(id) = span.expansion {
        let expansion = map.expansion(id);
        calls.push(expansion);
        span = expansion.call;
    }
    let left_out = calls.len().saturating_sub(MAX_TRACE);
    let mut out = Vec::new();
    for (i, expansion) in calls.iter().enumerate() {
        let kind = match expansion.kind {
            ExpansionKind::Macro => "macro",
            ExpansionKind::Inline => "inline",
        };
        let words = format!("in this expansion of {kind} `{}`", quote(&expansion.name));
        if left_out > 0 && i == MAX_TRACE / 2 {
            out.push(Group::with_title(
                Level::NOTE.secondary_title(format!("and {left_out} more expansions in between")),
            ));
        }
        if left_out > 0 && (MAX_TRACE / 2..MAX_TRACE / 2 + left_out).contains(&i) {
            continue;
        }
        let title = Group::with_title(Level::NOTE.secondary_title(words));
        if let Some(excerpt) = Excerpt::new(map, expansion.call, "", AnnotationKind::Primary) {
            out.push(excerpt.add_to(title));
        }
    }
    out
}

/// Where the file of the place was included, and the file of that place.
fn include_trace(map: &SourceMap, span: Span) -> Vec<String> {
    let mut out = Vec::new();
    let mut next = map.files().next().and_then(|_| map.file(map.file_of(span)).included_at);
    while let Some(span) = next {
        let place = map.line_column(span);
        let file = map.file(place.file);
        if out.len() < MAX_TRACE {
            out.push(format!("included from {}:{}", quote(&file.name), place.line));
        } else if out.len() == MAX_TRACE {
            out.push("and more".to_string());
        }
        next = file.included_at;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::preprocess::{NoIncludes, preprocess};
    use crate::token::TokenKind;

    /// Renders a finding about the word `bad` in the preprocessed text.
    fn about_bad(text: &str) -> String {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let tokens =
            preprocess("m.pml", text.to_string(), &[], &mut NoIncludes, &mut map, &mut diags);
        let is_bad = |kind: &TokenKind| matches!(kind, TokenKind::Word(w) if &**w == "bad");
        let token = tokens.iter().find(|t| is_bad(&t.kind)).expect("the word");
        render(
            &map,
            &Diagnostic::new(Code::Undeclared, token.span, "not declared").label("here"),
            false,
        )
    }

    #[test]
    fn excerpt_with_label() {
        assert_eq!(
            about_bad("int x;\n\tx = bad;\n"),
            "error[E0301]: not declared\n --> m.pml:2:6\n  |\n2 |     x = bad;\n  |         ^^^ here\n"
        );
    }

    #[test]
    fn expansions_lead_to_the_call() {
        let text = about_bad("#define G bad + 1\n#define F(y) y * G\nx = F(2)\n");
        assert!(text.contains("--> m.pml:1:11"), "{text}");
        assert!(text.contains("in this expansion of macro `G`"), "{text}");
        assert!(text.contains("::: m.pml:2:18") || text.contains("--> m.pml:2:18"), "{text}");
        assert!(text.contains("in this expansion of macro `F`"), "{text}");
        assert!(text.contains("m.pml:3:5"), "{text}");
    }

    #[test]
    fn arguments_point_at_the_caller() {
        let text = about_bad("#define F(y) [y]\nx = F(bad)\n");
        assert!(text.contains("--> m.pml:2:7"), "{text}");
        assert!(!text.contains("expansion"), "{text}");
    }

    #[test]
    fn short_form() {
        let mut map = SourceMap::new();
        map.add_file("a.pml", "x\n  y\n".to_string(), None);
        let diagnostic = Diagnostic::new(Code::Syntax, Span::new(4, 5), "no");
        assert_eq!(render_short(&map, &diagnostic), "a.pml:2:3: error[E0203]: no");
        assert_eq!(render_short(&SourceMap::new(), &diagnostic), "error[E0203]: no");
    }

    #[test]
    fn traces_are_cut() {
        let chain: String = (0..100).map(|i| format!("#define M{i} M{}\n", i + 1)).collect();
        let text = about_bad(&format!("{chain}#define M100 bad\nM0\n"));
        assert!(text.contains("and 93 more expansions"), "{text}");
        assert!(text.contains("macro `M0`"), "{text}");
    }

    #[test]
    fn no_place_makes_it_panic() {
        let long = format!("{}x = 1;{}", "é".repeat(50_000), " ".repeat(50_000));
        let texts = [
            "",
            "\n",
            "\t",
            "a\tb\r\nc\0d\u{7f}",
            "é\u{1f600}x",
            "line\nline",
            &long,
            &"a\n".repeat(2000),
        ];
        for text in texts {
            let mut map = SourceMap::new();
            let top = map.add_file("top", "#include \"f\"\n".to_string(), None).expect("it fits");
            let at = Span::new(0, 8);
            map.add_file("f", text.to_string(), Some(at));
            let start = map.file(top).text.len() + 1;
            let ends = [
                0,
                1,
                2,
                3,
                100_003,
                100_004,
                text.len() / 2,
                text.len(),
                text.len() + 1,
                text.len() + 99,
            ];
            for from in ends {
                for to in ends {
                    let span = Span::new(start + from, start + to);
                    let diagnostic = Diagnostic::new(Code::Syntax, span, "no\nway")
                        .related(at, "a")
                        .related(span, "b")
                        .hint("h");
                    assert!(!render(&map, &diagnostic, true).is_empty());
                    assert!(!render_short(&map, &diagnostic).is_empty());
                }
            }
        }
    }

    #[test]
    fn a_few_diagnostics_are_all_shown() {
        let mut map = SourceMap::new();
        map.add_file("a", "x".to_string(), None);
        let mut diags = Diagnostics::new();
        assert_eq!(render_all(&map, &diags, 20, false), "");
        diags.push(Diagnostic::new(Code::Syntax, Span::new(0, 1), "one"));
        diags.push(Diagnostic::new(Code::UnusedLabel, Span::new(0, 1), "two"));
        let each: String = diags.iter().map(|d| render(&map, d, false) + "\n").collect();
        assert_eq!(render_all(&map, &diags, 20, false), each);
    }

    #[test]
    fn of_many_diagnostics_the_errors_are_shown() {
        let mut map = SourceMap::new();
        map.add_file("a", "x".to_string(), None);
        let mut diags = Diagnostics::new();
        for i in 0..600 {
            diags.push(Diagnostic::new(Code::UnusedLabel, Span::new(0, 1), format!("w{i}")));
        }
        for i in 0..232 {
            diags.push(Diagnostic::new(Code::Syntax, Span::new(0, 1), format!("e{i}")));
        }
        let all = render_all(&map, &diags, 20, false);
        assert_eq!(all.matches("error[").count(), 20);
        assert_eq!(all.matches("warning[").count(), 0);
        assert!(all.ends_with("\n… and 812 more: 232 errors, 600 warnings in all\n"), "{all}");
        let errors = render_all(&map, &diags.without_warnings(), 20, false);
        assert!(errors.ends_with("\n… and 212 more: 232 errors in all\n"), "{errors}");
    }

    #[test]
    fn the_order_of_the_text_is_kept() {
        let mut map = SourceMap::new();
        map.add_file("a", "x".to_string(), None);
        let mut diags = Diagnostics::new();
        for (code, words) in [
            (Code::UnusedLabel, "first"),
            (Code::Syntax, "second"),
            (Code::UnusedLabel, "third"),
            (Code::Syntax, "fourth"),
        ] {
            diags.push(Diagnostic::new(code, Span::new(0, 1), words));
        }
        let all = render_all(&map, &diags, 3, false);
        let places: Vec<_> = ["first", "second", "third", "fourth"].map(|w| all.find(w)).into();
        assert!(places[0] < places[1] && places[1] < places[3], "{all}");
        assert_eq!(places[2], None);
    }

    /// Nothing that a model says can move the cursor or change colours.
    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let bad = "\u{1b}[31m\u{7}\u{8}\u{9b}31m\u{7f}\u{202e}\r";
        let mut map = SourceMap::new();
        let top = map.add_file(bad, format!("byte x; {bad}\n"), None).expect("it fits");
        let at = Span::new(8, map.file(top).text.len() - 1);
        map.add_file(&format!("{bad}.inc"), format!("{bad} y"), Some(at));
        let start = map.file(top).text.len() + 1;
        let span = Span::new(start, start + bad.len());
        let diagnostic = Diagnostic::new(Code::Syntax, span, format!("message {bad}"))
            .label(format!("label {bad}"))
            .related(at, format!("related {bad}"))
            .hint(format!("hint {bad}"));
        let shown = [render(&map, &diagnostic, false), render_short(&map, &diagnostic)];
        for text in shown {
            let raw = |c: char| quote(c.encode_utf8(&mut [0; 4])) != c.to_string() && c != '\n';
            assert!(!text.contains(raw), "{text:?}");
            assert!(text.contains("\\u{1b}[31m"), "{text}");
        }
    }
}
