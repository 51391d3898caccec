//! The text of the model, line by line, in colours and with what was executed of it.

use super::colours::{TextLanguage, lines};
use maud::{Markup, html};

/// The maximal number of lines shown of a file.
const MAX_LINES: usize = 5000;

/// A file of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelText {
    /// The name of the file, as source locations show it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its language.
    pub language: TextLanguage,
    /// For each line whether its statements are executed; empty if it is not known.
    pub coverage: Vec<LineCoverage>,
}

/// Whether the statements of a line are executed in some run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum LineCoverage {
    /// There is no statement.
    #[default]
    NoStatement,
    /// All of them are.
    Executed,
    /// Some of them are.
    Partly,
    /// None of them is.
    Never,
}

impl LineCoverage {
    fn class(self) -> &'static str {
        match self {
            Self::NoStatement => "",
            Self::Executed => "executed",
            Self::Partly => "partly",
            Self::Never => "never",
        }
    }

    /// What a mouse and a screen reader find at the line.
    fn words(self) -> Option<&'static str> {
        match self {
            Self::Partly => Some("some statements of this line are never executed"),
            Self::Never => Some("never executed"),
            Self::NoStatement | Self::Executed => None,
        }
    }
}

/// The section with all files. The script copies it beside the runs and highlights the lines of the
/// current step there.
pub fn section(sources: &[ModelText]) -> Markup {
    html! {
        @if !sources.is_empty() {
            section.model {
                "\n" h2 { "The model" } "\n"
                @if let Some(words) = covered(sources) { p { (words) } "\n" }
                div.listing {
                    "\n" @for (number, source) in sources.iter().enumerate() { (file(number, source)) "\n" }
                }
                "\n"
            }
            "\n"
        }
    }
}

/// How many lines are executed; `None` if it is not known.
fn covered(sources: &[ModelText]) -> Option<Markup> {
    let all = || sources.iter().flat_map(|source| &source.coverage);
    let count = |kind| all().filter(|line| **line == kind).count();
    let [executed, partly, never] =
        [LineCoverage::Executed, LineCoverage::Partly, LineCoverage::Never].map(count);
    let n_lines = executed + partly + never;
    let are = |n| if n == 1 { " is " } else { " are " };
    let bar = |class: &str, word: &str| html! { span class={ "bar-of " (class) } { (word) } };
    (n_lines > 0).then(|| match n_lines - executed {
        0 if n_lines == 1 => html! { "The only line with statements is " (bar("executed", "executed")) "." },
        0 => html! { "All " (n_lines) " lines with statements are " (bar("executed", "executed")) "." },
        _ => html! {
            "Of " (n_lines) " lines with statements " (executed) (are(executed)) (bar("executed", "executed"))
            @if partly > 0 { ", " (partly) (are(partly)) (bar("partly", "partly executed")) }
            @if never > 0 { ", " (never) (are(never)) (bar("never", "never executed")) }
            "."
        },
    })
}

fn file(number: usize, source: &ModelText) -> Markup {
    let lines = lines(source.language, &source.text);
    let n_more = lines.len().saturating_sub(MAX_LINES);
    let coverage = |line: usize| source.coverage.get(line).copied().unwrap_or_default();
    html! {
        figure data-file=(number) {
            "\n" figcaption { (source.name) }
            "\n" pre {
                @for (line, pieces) in lines.iter().take(MAX_LINES).enumerate() {
                    @let mark = coverage(line);
                    @let class = Some(mark.class()).filter(|class| !class.is_empty());
                    code class=[class] title=[mark.words()] {
                        @for (class, text) in pieces {
                            @if class.is_empty() { (text) } @else { span class=(class) { (text) } }
                        }
                    }
                }
            } "\n"
            @if n_more > 0 { p.hint { (n_more) " more lines are left out here." } "\n" }
        }
    }
}
