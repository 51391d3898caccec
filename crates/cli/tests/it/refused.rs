//! Models with one mistake each: it is reported, at its line, as an error.

use crate::common;
use resy_promela::Severity;
use resy_testkit::fixtures::refused;

#[test]
fn every_refused_model_has_its_error_at_the_marked_line() {
    let files = refused();
    assert!(files.len() >= 15, "only {} models were found", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a model of the repository");
        let Some(line) = text.lines().position(|l| l.contains("// error:")) else {
            wrong.push(format!("{}: no line is marked", file.display()));
            continue;
        };
        let (map, diags, system) = common::load(file, &[]);
        let lines: Vec<usize> = diags
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .flat_map(|d| {
                let related = d.related.iter().map(|(span, _)| *span);
                std::iter::once(d.span).chain(related).collect::<Vec<_>>()
            })
            .map(|span| map.line_column(map.outermost(span)).line)
            .collect();
        if !lines.contains(&(line + 1)) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            wrong.push(format!("{name}: errors at {lines:?}, marked is {}", line + 1));
        }
        assert!(system.is_none(), "{} is accepted", file.display());
        let n = diags.iter().filter(|d| d.severity() == Severity::Error).count();
        assert_eq!(n, 1, "{}: one mistake gives one message", file.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
