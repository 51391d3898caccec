//! Whole sessions, compared with what was written down; `UPDATE=1` writes them anew.
//!
//! A session is a file of lines: `> METHOD PARAMS` asks, `! METHOD PARAMS` tells, `? METHOD` waits to be told.
//! Answers follow; ranges are shortened to `line:column-line:column`, items of completion to their labels, and lists
//! of numbers stand on one line. In parameters `$` is the document, and `@l:c` the document and a position.

use crate::client::Client;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

const LOCK: &str = include_str!("sessions/lock.pml");
const BROKEN: &str = include_str!("sessions/broken.pml");
const FSP: &str = include_str!("sessions/count.lts");

#[test]
fn a_promela_session() {
    play("promela", "file:///m/lock.pml", "promela", LOCK);
}

#[test]
fn a_session_with_mistakes() {
    play("mistakes", "file:///m/broken.pml", "promela", BROKEN);
}

#[test]
fn a_session_in_fsp() {
    play("fsp", "file:///m/count.lts", "fsp", FSP);
}

/// Replays the questions of a session and compares the answers.
fn play(name: &str, uri: &str, language: &str, text: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/sessions");
    let file = root.join(format!("{name}.txt"));
    let known = std::fs::read_to_string(&file).expect("the session is there");
    let (mut client, greeting) = Client::start(json!({}));
    assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-16");
    client.open(uri, language, text);
    let mut session = String::new();
    for line in known.lines().filter(|line| line.starts_with(['>', '!', '?', '#'])) {
        let _ = writeln!(session, "{line}");
        let (sign, rest) = line.split_once(' ').expect("a sign and words");
        let (method, params) = rest.split_once(' ').unwrap_or((rest, "{}"));
        let params = || filled(uri, params);
        match sign {
            ">" => put(&mut session, &client.ask(method, params())),
            "?" => put(&mut session, &client.wait_for(method)),
            "!" => client.tell(method, params()),
            _ => {}
        }
    }
    client.end();
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(&file, &session).expect("the session can be written");
    }
    assert_eq!(session, known, "{}", file.display());
}

fn put(session: &mut String, answer: &Value) {
    let text = serde_json::to_string_pretty(&shortened(answer)).expect("JSON");
    text.lines().for_each(|line| _ = writeln!(session, "  {line}"));
}

/// `$` stands for the document, `@line:column` for the document and a position in it.
fn filled(uri: &str, params: &str) -> Value {
    let document = json!({ "uri": uri });
    let Some(rest) = params.strip_prefix('@') else {
        let text = params.replace('$', &format!("\"textDocument\":{document}"));
        return serde_json::from_str(&text).expect("parameters are JSON");
    };
    let (place, more) = rest.split_once(' ').unwrap_or((rest, "{}"));
    let (line, column) = place.split_once(':').expect("a line and a column");
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let mut params: Value = serde_json::from_str(more).expect("parameters are JSON");
    params["textDocument"] = document;
    params["position"] = json!({ "line": number(line), "character": number(column) });
    params
}

fn shortened(value: &Value) -> Value {
    let position = |v: &Value| match (v["line"].as_u64(), v["character"].as_u64()) {
        (Some(line), Some(character)) => Some(format!("{line}:{character}")),
        _ => None,
    };
    let joined = |list: &[String]| Value::from(list.join(" "));
    match value {
        Value::Object(object) => {
            if let Some(position) = position(value) {
                return position.into();
            }
            if let (Some(start), Some(end)) = (position(&value["start"]), position(&value["end"])) {
                return format!("{start}-{end}").into();
            }
            object.iter().map(|(key, value)| (key.clone(), shortened(value))).collect()
        }
        Value::Array(list) if list.is_empty() => value.clone(),
        Value::Array(list) if list.iter().all(Value::is_number) => {
            joined(&list.iter().map(Value::to_string).collect::<Vec<_>>())
        }
        Value::Array(list)
            if list.iter().all(|item| item["label"].is_string() && item["position"].is_null()) =>
        {
            let label = |item: &Value| item["label"].as_str().unwrap_or_default().to_owned();
            joined(&list.iter().map(label).collect::<Vec<_>>())
        }
        Value::Array(list) => list.iter().map(shortened).collect(),
        other => other.clone(),
    }
}
