//! A case study: a row of the table of truths, as a network with a split.

use crate::args::TaskFailure;
use resy::{Control, MAX_LOCAL_STATES, Model, NoFiles, Problem, Question, Reading, Subject};
use resy_automata::network::Network;
use resy_compose::Split;
use std::path::Path;
use std::sync::Arc;

/// A row of `truth.tsv`.
#[derive(Clone, Debug)]
pub(super) struct PeerRow {
    pub file: String,
    /// The constant `K`, or `-`.
    pub size: String,
    pub property: String,
    pub module: String,
}

/// The network of a row.
pub(super) struct PeerCase {
    pub network: Network,
    pub split: Split,
}

/// All rows; each of them holds.
pub(super) fn rows(folder: &Path) -> Result<Vec<PeerRow>, TaskFailure> {
    let table = std::fs::read_to_string(folder.join("truth.tsv"))?;
    let rows = table.lines().filter(|row| !row.starts_with('#')).map(|row| {
        let mut cells = row.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap_or_default();
        PeerRow { file: next(), size: next(), property: next(), module: next() }
    });
    Ok(rows.collect())
}

impl PeerCase {
    /// Reads the model of a row, with its size.
    pub(super) fn load(folder: &Path, row: &PeerRow) -> Result<Self, TaskFailure> {
        let text = std::fs::read_to_string(folder.join(&row.file))?;
        let sized = |line: &str| match line.starts_with("const K = ") {
            true => format!("const K = {}\n", row.size),
            false => format!("{line}\n"),
        };
        let text: String = text.lines().map(sized).collect();
        let names: Vec<String> = row.module.split(',').map(str::to_owned).collect();
        Self::of(subject(&row.file, &text, None)?, &row.property, &names)
    }

    /// A property of a subject, with these components as the module.
    pub(super) fn of(
        subject: Subject,
        property: &str,
        names: &[String],
    ) -> Result<Self, TaskFailure> {
        let question = Question { property: Some(property.to_owned()), ..Question::default() };
        let model = Model::new(Arc::new(subject), &question).map_err(failure)?;
        let (properties, control) = (model.selection.properties.clone(), Control::unlimited());
        let problem = Problem::with_module(&model, &properties, names, MAX_LOCAL_STATES, &control);
        let problem = problem.map_err(|why| TaskFailure::new(format!("{why:?}")))?;
        Ok(Self { network: problem.network, split: problem.split })
    }
}

/// The subject of a text in FSP.
pub(super) fn subject(
    file: &str,
    text: &str,
    composite: Option<&str>,
) -> Result<Subject, TaskFailure> {
    let reading = Reading { composite: composite.map(str::to_owned), ..Reading::default() };
    let read = Subject::read(file, text, &reading, &mut NoFiles);
    read.subject.ok_or_else(|| TaskFailure::new(format!("{file} cannot be read")))
}

fn failure(why: impl std::fmt::Display) -> TaskFailure {
    TaskFailure::new(why.to_string())
}
