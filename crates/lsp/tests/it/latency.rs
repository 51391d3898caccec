//! How long the server takes to answer while a large model is edited. `--nocapture` prints the figures.

use crate::client::Client;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A model of 2,000 lines: processes that send numbers round a ring of channels.
fn model() -> String {
    let mut text = String::from("#define N 3\nmtype = { go, stop };\n");
    let mut number = 0;
    while text.lines().count() < 1_990 {
        let _ = write!(
            text,
            "chan c{number} = [2] of {{ mtype, byte }};\nbyte x{number};\n\nactive proctype P{number}()\n{{\n    \
             byte seen;\n    do\n    :: c{number}?go, seen -> x{number} = seen % N\n    :: x{number} < N -> \
             x{number}++;\n       c{number}!go, x{number}\n    :: else -> assert(x{number} <= N); break\n    od\n}}\n\n",
        );
        number += 1;
    }
    text
}

/// The requests of an editor, with what they have beside a place.
fn requests() -> Vec<(&'static str, Value)> {
    let all =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 2_000, "character": 0 } });
    vec![
        ("completion", json!({})),
        ("documentSymbol", json!({})),
        ("semanticTokens/full", json!({})),
        ("codeLens", json!({})),
        ("hover", json!({})),
        ("definition", json!({})),
        ("references", json!({ "context": { "includeDeclaration": true } })),
        ("rename", json!({ "newName": "another" })),
        ("documentHighlight", json!({})),
        ("foldingRange", json!({})),
        ("formatting", json!({ "options": { "tabSize": 4, "insertSpaces": true } })),
        ("inlayHint", json!({ "range": all })),
        ("codeAction", json!({ "range": all, "context": { "diagnostics": [] } })),
    ]
}

#[test]
fn a_large_model_is_answered_while_it_is_edited() {
    let uri = "file:///m/large.pml";
    let text = model();
    let (mut client, _) = Client::start(json!({}));
    client.open(uri, "promela", &text);
    client.wait_for("textDocument/publishDiagnostics");
    let mut times: Vec<Duration> = Vec::new();
    let requests = requests();
    for version in 2..132 {
        // The line of the declaration of a process.
        let line = 5 + 14 * version;
        let start_of_line = json!({ "line": line, "character": 0 });
        let name = json!({ "line": line, "character": "active proctype P".len() });
        let change =
            json!([{ "range": { "start": start_of_line, "end": start_of_line }, "text": " " }]);
        let start = Instant::now();
        client.change(uri, version, change);
        let (method, more) = &requests[version as usize % requests.len()];
        let mut params = json!({ "textDocument": { "uri": uri }, "position": name });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = client.ask(&format!("textDocument/{method}"), params);
        assert!(answer["error"].is_null(), "{answer}");
        times.push(start.elapsed());
    }
    client.end();
    times.sort();
    let p99 = times[times.len() * 99 / 100];
    println!("{} lines: median {:?}, p99 {p99:?}", text.lines().count(), times[times.len() / 2]);
    // The aim is 50 ms on an idle machine; tests run on busy ones.
    assert!(p99 < Duration::from_secs(2), "{p99:?}");
}
