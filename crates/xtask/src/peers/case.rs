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
        let read = Subject::read(&row.file, &text, &Reading::default(), &mut NoFiles);
        let subject = read.subject.ok_or_else(|| TaskFailure::new("the model cannot be read"))?;
        let question = Question { property: Some(row.property.clone()), ..Question::default() };
        let model = Model::new(Arc::new(subject), &question).map_err(failure)?;
        let names: Vec<String> = row.module.split(',').map(str::to_owned).collect();
        let (properties, control) = (model.selection.properties.clone(), Control::unlimited());
        let problem = Problem::with_module(&model, &properties, &names, MAX_LOCAL_STATES, &control);
        let problem = problem.map_err(|why| TaskFailure::new(format!("{why:?}")))?;
        Ok(Self { network: problem.network, split: problem.split })
    }
}

fn failure(why: impl std::fmt::Display) -> TaskFailure {
    TaskFailure::new(why.to_string())
}
