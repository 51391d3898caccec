//! The text of the model, line by line.

use maud::{Markup, html};

/// The maximal number of lines shown of a file.
const MAX_LINES: usize = 5000;

/// A file of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelText {
    /// The name of the file, as source locations show it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The section with all files. The script copies it beside the runs and highlights the lines of the
/// current step there.
pub fn section(sources: &[ModelText]) -> Markup {
    html! {
        @if !sources.is_empty() {
            section.model {
                "\n" h2 { "The model" }
                "\n" div.listing {
                    "\n" @for (number, source) in sources.iter().enumerate() { (file(number, source)) "\n" }
                }
                "\n"
            }
            "\n"
        }
    }
}

fn file(number: usize, source: &ModelText) -> Markup {
    let n_more = source.text.lines().count().saturating_sub(MAX_LINES);
    html! {
        figure data-file=(number) {
            "\n" figcaption { (source.name) }
            "\n" pre { @for line in source.text.lines().take(MAX_LINES) { code { (line) } } } "\n"
            @if n_more > 0 { p.hint { (n_more) " more lines are left out here." } "\n" }
        }
    }
}
