//! Models with one mistake each: it is reported, at its line, as an error.

use resy_promela::Severity;
use resy_testkit::fixtures::refused;
use resy_testkit::systems::load;
use std::path::Path;

resy_testkit::each_refused!(has_its_error_at_the_marked_line, crate::refused::case);

fn case(file: &Path) {
    let text = std::fs::read_to_string(file).expect("a model of the repository");
    let line = text.lines().position(|l| l.contains("// error:")).expect("a line is marked");
    let (map, diags, system) = load(file, &[]);
    let lines: Vec<usize> = diags
        .iter()
        .filter(|d| d.severity() == Severity::Error)
        .flat_map(|d| {
            let related = d.related.iter().map(|(span, _)| *span);
            std::iter::once(d.span).chain(related).collect::<Vec<_>>()
        })
        .map(|span| map.line_column(map.outermost(span)).line)
        .collect();
    assert!(lines.contains(&(line + 1)), "errors at {lines:?}, marked is {}", line + 1);
    assert!(system.is_none(), "it is accepted");
    let n = diags.iter().filter(|d| d.severity() == Severity::Error).count();
    assert_eq!(n, 1, "one mistake gives one message");
}

#[test]
fn there_are_many_mistakes() {
    assert!(refused().len() >= 15, "only {} models were found", refused().len());
}
