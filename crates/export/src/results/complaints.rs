//! What there is to say about a text, for code scanning.

use crate::run::{Level, SarifFinding, Site};
use resy::Read;
use resy_promela::{Diagnostic, Severity};

/// Errors in a text, and with `warnings` what else there is to say.
pub fn complaints(read: &Read, warnings: bool) -> Vec<SarifFinding> {
    let shown = read.diagnostics.iter().filter(|d| warnings || d.severity() == Severity::Error);
    let finding = |diagnostic: &Diagnostic| {
        let span = read.map.outermost(diagnostic.span);
        let at = read.map.line_column(span);
        SarifFinding {
            rule: diagnostic.code.as_str().to_owned(),
            level: match diagnostic.severity() {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
            },
            message: diagnostic.message.clone(),
            site: Site {
                file: read.map.file(read.map.file_of(span)).name.clone(),
                line: at.line as u32,
                column: at.column as u32,
            },
            steps: Vec::new(),
        }
    };
    shown.map(finding).collect()
}
