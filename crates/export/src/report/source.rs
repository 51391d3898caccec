//! The text of the model, line by line.

use crate::drawing::markup::escaped;

/// Of longer texts only the beginning is shown.
const MAX_LINES: usize = 5000;

/// A file of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name, as in places.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The section with all files. The script copies it beside the runs, where it shows the line of each step.
pub fn section(sources: &[Source]) -> String {
    if sources.is_empty() {
        return String::new();
    }
    let files: String = sources.iter().enumerate().map(|(i, source)| file(i, source)).collect();
    format!(
        "<section class=\"model\">\n<h2>The model</h2>\n<div class=\"listing\">\n{files}</div>\n</section>\n"
    )
}

fn file(number: usize, source: &Source) -> String {
    let lines = source.text.lines().take(MAX_LINES);
    let lines: String = lines.map(|line| format!("<code>{}</code>", escaped(line))).collect();
    let more = source.text.lines().count().saturating_sub(MAX_LINES);
    let more = match more {
        0 => String::new(),
        n => format!("<p class=\"hint\">{n} more lines are left out here.</p>\n"),
    };
    format!(
        "<figure data-file=\"{number}\">\n<figcaption>{}</figcaption>\n<pre>{lines}</pre>\n{more}</figure>\n",
        escaped(&source.name)
    )
}
