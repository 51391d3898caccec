//! Quick fixes of the mistakes of beginners: what is offered makes the finding disappear.

use crate::client::Client;
use serde_json::json;
use std::path::Path;

/// The mistakes that a quick fix mends. The others need a person: the message says what to think about.
const MENDED: [&str; 25] = [
    "and_or_words",
    "assign_to_channel",
    "assignment_as_condition",
    "call_without_run",
    "capital_true",
    "colon_assignment",
    "comma_between_parameters",
    "else_without_option",
    "end_of_file",
    "extra_brace",
    "local_unknown_type",
    "ltl_undeclared",
    "missing_fi",
    "missing_od",
    "missing_parenthesis",
    "missing_semicolon",
    "missing_semicolon_after_declaration",
    "other_temporal_operator",
    "run_unknown_proctype",
    "temporal_operator_before_equality",
    "temporal_operator_binds_tighter",
    "unclosed_string",
    "undeclared_variable",
    "unknown_inline",
    "unknown_type",
];

/// The same of FSP.
const MENDED_IN_FSP: [&str; 8] = [
    "blank_in_arrow",
    "capital_action",
    "choice_for_composition",
    "missing_comma",
    "missing_dot",
    "operator_in_words",
    "small_process_name",
    "unknown_process",
];

#[test]
fn the_mistakes_of_beginners_are_mended() {
    are_mended("../../models/beginner", "pml", "promela", &MENDED);
}

#[test]
fn the_mistakes_of_beginners_in_fsp_are_mended() {
    are_mended("../../models/fsp/beginner", "lts", "fsp", &MENDED_IN_FSP);
}

fn are_mended(folder: &str, extension: &str, language: &str, expected: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut client, _) = Client::start(json!({}));
    let mut mended = Vec::new();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the models of beginners")
        .flatten()
        .filter_map(|e| {
            Some(e.file_name().to_str()?.strip_suffix(&format!(".{extension}"))?.to_owned())
        })
        .collect();
    names.sort();
    for name in names {
        let text =
            std::fs::read_to_string(folder.join(format!("{name}.{extension}"))).expect("a model");
        let uri = format!("file:///m/{name}.{extension}");
        client.open(&uri, language, &text);
        let told = client.wait_for("textDocument/publishDiagnostics");
        let all = told["diagnostics"].as_array().expect("a list").clone();
        let first = all.first().unwrap_or_else(|| panic!("{name}: nothing is wrong")).clone();
        let document = json!({ "uri": uri });
        let context = json!({ "diagnostics": [first] });
        let params =
            json!({ "textDocument": document, "range": first["range"], "context": context });
        let fixes = client.ask("textDocument/codeAction", params);
        let Some(fix) = fixes.as_array().and_then(|list| list.first()) else { continue };
        assert_eq!(fix["diagnostics"], json!([first]), "{name}");
        let edits = fix["edit"]["changes"][&uri].clone();
        let changes: Vec<_> = edits
            .as_array()
            .expect("edits")
            .iter()
            .map(|edit| json!({ "range": edit["range"], "text": edit["newText"] }))
            .collect();
        client.change(&uri, 2, changes.into());
        let told = client.wait_for("textDocument/publishDiagnostics");
        let left = told["diagnostics"].as_array().expect("a list");
        let same = |d: &serde_json::Value| d["message"] == first["message"];
        assert!(left.len() < all.len() || !left.iter().any(same), "{name}: {left:?}");
        mended.push(name);
    }
    client.end();
    for name in expected {
        assert!(mended.iter().any(|m| m == name), "{name} is not mended");
    }
}
