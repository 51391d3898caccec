//! The public models in FSP with two components or more and a safety property, through every engine: how many each decides.
//!
//! The models are not part of this repository: a folder has them, with a table of LTSA's answers (`xtask fsp`).

use super::case::{PeerCase, PeerRow, subject};
use super::child::Children;
use super::engine::Measured;
use crate::args::TaskFailure;
use resy::Subject;
use resy_compose::Conclusion;
use std::path::Path;

/// What all engines say about a property of a composite.
pub(super) struct PublicRow {
    pub name: String,
    /// The component that is the module: that with most states.
    pub module: String,
    pub results: Vec<Measured>,
}

impl PublicRow {
    /// Whether no two engines contradict each other.
    pub(super) fn is_consistent(&self) -> bool {
        let fails = |m: &Measured| matches!(m.verdict, Conclusion::Fails(_));
        !(self.results.iter().any(fails) && self.results.iter().any(Measured::holds))
    }
}

/// Measures all rows of the table.
pub(super) fn measure_public(
    folder: &Path,
    children: &mut Children,
) -> Result<Vec<PublicRow>, TaskFailure> {
    let table = std::fs::read_to_string(folder.join("verdicts-dev.tsv"))?;
    let mut rows = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, composite, _, _, _, machines, properties, ..] = cells[..] else { continue };
        let number = |cell: &str| cell.parse().unwrap_or(0_usize);
        if number(machines) < 2 || number(properties) < 1 {
            continue;
        }
        let text = std::fs::read(folder.join(file))?;
        let text = String::from_utf8_lossy(&text);
        let Ok(Subject::Fsp(model)) = subject(file, &text, Some(composite)) else { continue };
        let composition = &model.composition;
        let largest = composition.components.iter().max_by_key(|c| c.lts.n_states());
        let Some(module) = largest.map(|c| c.name.clone()) else { continue };
        for property in composition.properties.iter().map(|property| property.name.clone()) {
            let names = [module.clone()];
            let subject = Subject::Fsp(model.clone());
            // A single component has no environment.
            if PeerCase::of(subject, &property, &names).is_err() {
                continue;
            }
            let path = folder.join(file).display().to_string();
            let name = format!("{file} {composite} {property}");
            let (size, composite) = ("-".to_owned(), composite.to_owned());
            let row = PeerRow { file: path, size, composite, property, module: module.clone() };
            println!("{name}");
            rows.push(PublicRow { name, results: children.all(&row)?, module: row.module });
        }
    }
    Ok(rows)
}
