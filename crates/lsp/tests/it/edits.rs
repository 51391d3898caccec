//! Random edits over all models: every request is answered, and what the server says of a text is what the front end says of it.

use crate::client::Client;
use resy::{Files, IncludeRoot, Reading, SplitMix, Subject};
use resy_promela::SourceMap;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const REQUESTS: [&str; 11] = [
    "documentSymbol",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "hover",
    "semanticTokens/full",
    "foldingRange",
    "completion",
    "codeAction",
    "codeLens",
];

/// What is inserted: pieces of both languages, and characters that are wide or wrong.
const PIECES: [&str; 16] = [
    "{",
    "}",
    ":: ",
    "/*",
    "\"",
    "\r\n",
    "é",
    "\u{1f600}",
    " x ",
    "#define A(x) x\n",
    "od",
    "->",
    "(",
    "||",
    ";\n",
    "P = (a -> P).",
];

fn models() -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of models").flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("pml" | "lts") => out.push(path),
                _ => {}
            }
        }
    }
    out.sort();
    out
}

/// `EDITS` says how many models are tried (all if it is 0), `SEED` which edits.
#[test]
fn every_request_is_answered_and_findings_agree() {
    let number = |name: &str, default| {
        std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
    };
    let (n_models, seed) = (number("EDITS", 40), number("SEED", 7));
    println!("seed {seed}");
    let mut random = SplitMix(seed);
    let mut models = models();
    assert!(models.len() > 100, "there are models");
    if n_models > 0 {
        let n = n_models as usize;
        for i in 0..n.min(models.len()) {
            let other = i + random.below(models.len() - i);
            models.swap(i, other);
        }
        models.truncate(n);
    }
    let (mut client, _) = Client::start(json!({ "general": { "positionEncodings": ["utf-8"] } }));
    for model in &models {
        try_model(&mut client, model, &mut random);
    }
    client.end();
}

fn try_model(client: &mut Client, model: &Path, random: &mut SplitMix) {
    let path = model.canonicalize().expect("the model is there");
    let name = path.display().to_string();
    let uri = format!("file://{name}");
    let bytes = std::fs::read(&path).expect("the model is there");
    let Ok(mut text) = String::from_utf8(bytes) else { return };
    let language = if resy::is_fsp(&name) { "fsp" } else { "promela" };
    client.open(&uri, language, &text);
    agree(client, &name, &uri, &text);
    for version in 2..4 {
        let mut changes = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (start, end) = cut(&text, random);
            let piece = PIECES[random.below(PIECES.len())];
            let range = json!({ "start": position(&text, start), "end": position(&text, end) });
            changes.push(json!({ "range": range, "text": piece }));
            text.replace_range(start..end, piece);
        }
        client.change(&uri, version, changes.into());
        for method in REQUESTS {
            let at = position(&text, cut(&text, random).0);
            let range = json!({ "start": at, "end": at });
            let params = json!({
                "textDocument": { "uri": uri }, "position": at, "range": range,
                "context": { "diagnostics": [] },
            });
            let answer = client.ask(&format!("textDocument/{method}"), params);
            assert!(answer["error"].is_null(), "{name}: {method}: {answer}");
        }
        agree(client, &name, &uri, &text);
    }
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let cleared = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(cleared["diagnostics"], json!([]));
}

/// A random range, usually short, between characters. A line end of two characters is not cut, as no editor can.
fn cut(text: &str, random: &mut SplitMix) -> (usize, usize) {
    let is_place = |at: usize| {
        text.is_char_boundary(at) && !(text[..at].ends_with('\r') && text[at..].starts_with('\n'))
    };
    let place = |mut at: usize| {
        while !is_place(at) {
            at += 1;
        }
        at
    };
    let start = place(random.below(text.len() + 1));
    let length = if random.below(8) == 0 { 200 } else { random.below(6) };
    (start, place((start + length).min(text.len())))
}

/// A position in bytes; lines end with `\n`, `\r\n` or `\r`.
fn position(text: &str, offset: usize) -> Value {
    let before = text[..offset].replace("\r\n", "\n\n").replace('\r', "\n");
    // `\r\n` is one line end.
    let pairs = text[..offset].matches("\r\n").count();
    let line = before.matches('\n').count() - pairs;
    json!({ "line": line, "character": before.len() - before.rfind('\n').map_or(0, |at| at + 1) })
}

/// What the server tells is what reading the text tells, as `resy check` does.
fn agree(client: &mut Client, name: &str, uri: &str, text: &str) {
    let told = loop {
        let told = client.wait_for("textDocument/publishDiagnostics");
        if told["uri"] == uri {
            break told;
        }
    };
    let mut files = Files::new(Vec::new(), IncludeRoot::Anywhere);
    let read = Subject::read(name, text, &Reading::default(), &mut files);
    let expected: Vec<(String, usize)> = read
        .diagnostics
        .iter()
        .map(|d| (format!("{} {}", d.code.as_str(), d.message), line(&read.map, d.span)))
        .collect();
    let all = told["diagnostics"].as_array().expect("a list");
    assert_eq!(
        all.len(),
        expected.len() + read.notes.len(),
        "{name}: {told:#}\n{expected:?}\n{text}"
    );
    let has_cr = text.replace("\r\n", "\n").contains('\r');
    for (diagnostic, (words, line)) in all.iter().zip(&expected) {
        let (code, message) = (&diagnostic["code"], diagnostic["message"].as_str().unwrap_or(""));
        let is_included = !message.starts_with(&words[6..]);
        let shown = format!("{} {message}", code.as_str().unwrap_or(""));
        assert!(is_included || shown.starts_with(words.as_str()), "{name}: {shown}, not {words}");
        assert!(!is_included || message.ends_with(&words[6..]) || message.contains(&words[6..]));
        if !is_included && !has_cr {
            assert_eq!(diagnostic["range"]["start"]["line"], json!(line - 1), "{name}: {words}");
        }
    }
}

fn line(map: &SourceMap, span: resy_promela::Span) -> usize {
    map.line_column(map.outermost(span)).line
}
