//! The pages of reports, filled in: for verdicts and for requirements, whatever the subject is.

mod check;
mod components;
mod network;
mod requirement;

pub use check::check_page;
pub use requirement::requirement_page;

use crate::report::ModelText;
use resy::Subject;

/// Longer texts are left out: automata of other tools may have millions of lines.
const MAX_TEXT: usize = 200_000;

/// A number in groups of three digits.
fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b","[..])).into_owned()
}

/// The texts of a subject.
fn sources(subject: &Subject) -> Vec<ModelText> {
    let is_program = subject.system().is_some();
    let texts = subject.texts().into_iter();
    let short = texts.filter(|(_, text)| is_program || text.len() <= MAX_TEXT);
    short.map(|(name, text)| ModelText { name: name.to_owned(), text: text.to_owned() }).collect()
}
