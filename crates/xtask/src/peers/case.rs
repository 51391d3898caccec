//! A case study: a row of the table of truths, as a network with a split.

use crate::args::TaskFailure;
use resy::{Control, MAX_LOCAL_STATES, Model, NoFiles, Problem, Question, Reading, Subject};
use resy_automata::network::Network;
use resy_compose::Split;
use std::path::Path;
use std::sync::Arc;

/// A row of `truth.tsv`, or of the public models.
#[derive(Clone, Debug)]
pub(super) struct PeerRow {
    /// The path of the model.
    pub file: String,
    /// The constant `K`, or `-`.
    pub size: String,
    /// The composite, or `-` for the last.
    pub composite: String,
    pub property: String,
    /// The components of the module, with blanks between them, or with commas in the table.
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
        let file = folder.join(next()).display().to_string();
        let (size, property, module) = (next(), next(), next().replace(',', " "));
        PeerRow { file, size, composite: "-".to_owned(), property, module }
    });
    Ok(rows.collect())
}

impl PeerRow {
    /// Reads the model of a row, with its size.
    pub(super) fn load(&self) -> Result<PeerCase, TaskFailure> {
        let text = std::fs::read(&self.file)?;
        let text = String::from_utf8_lossy(&text);
        let sized = |line: &str| match line.starts_with("const K = ") && self.size != "-" {
            true => format!("const K = {}\n", self.size),
            false => format!("{line}\n"),
        };
        let text: String = text.lines().map(sized).collect();
        let composite = (self.composite != "-").then_some(&*self.composite);
        let names: Vec<String> = self.module.split(' ').map(str::to_owned).collect();
        PeerCase::of(subject(&self.file, &text, composite)?, &self.property, &names)
    }

    /// The name of the model's file.
    pub(super) fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

impl PeerCase {
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
