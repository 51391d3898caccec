//! The pages of reports, filled in: for verdicts and for requirements, whatever the subject is.

mod abstracted;
mod check;
mod components;
mod network;
mod requirement;

pub use abstracted::abstract_page;
pub use check::check_page;
pub use requirement::requirement_page;

use crate::report::{Badge, LineCoverage, ModelText, TextLanguage};
use resy::{Subject, Truth, Unreached, statements};
use resy_system::System;
use rustc_hash::FxHashSet;

/// Longer texts are left out: automata of other tools may have millions of lines.
const MAX_TEXT: usize = 200_000;

/// A number in groups of three digits.
fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b","[..])).into_owned()
}

/// A verdict, as a page shows it.
fn badge(truth: Truth) -> Badge {
    match truth {
        Truth::Holds => Badge::Holds,
        Truth::Fails => Badge::Fails,
        Truth::Unknown => Badge::Unknown,
    }
}

/// A note as a sentence.
fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// The texts of a subject.
fn sources(subject: &Subject) -> Vec<ModelText> {
    let is_program = subject.system().is_some();
    let texts = subject.texts().into_iter();
    let short = texts.filter(|(_, text)| is_program || text.len() <= MAX_TEXT);
    let language = match subject {
        Subject::Program(_) => TextLanguage::Promela,
        Subject::Fsp(_) => TextLanguage::Fsp,
        Subject::Network(_) => TextLanguage::Plain,
    };
    let text = |(name, text): (&str, &str)| ModelText {
        name: name.to_owned(),
        text: text.to_owned(),
        language,
        coverage: Vec::new(),
    };
    short.map(text).collect()
}

/// Notes for each line of the texts whether its statements are executed.
fn note_coverage(texts: &mut [ModelText], system: &System, unreached: &[Unreached]) {
    let never: FxHashSet<(&str, &str)> =
        unreached.iter().map(|u| (u.location.as_str(), u.statement.as_str())).collect();
    for (place, statement) in statements(system) {
        let file = system.files.get(place.file as usize);
        let text = texts.iter_mut().find(|text| Some(&text.name) == file);
        let (Some(text), Some(line)) = (text, (place.line as usize).checked_sub(1)) else {
            continue;
        };
        if text.coverage.len() <= line {
            text.coverage.resize(line + 1, LineCoverage::NoStatement);
        }
        let is_never = never.contains(&(system.location(place).as_str(), statement));
        let mark = &mut text.coverage[line];
        *mark = match (*mark, is_never) {
            (LineCoverage::NoStatement | LineCoverage::Never, true) => LineCoverage::Never,
            (LineCoverage::NoStatement | LineCoverage::Executed, false) => LineCoverage::Executed,
            _ => LineCoverage::Partly,
        };
    }
}
