//! Requests and answers, without a browser.

use serde_json::{Value, json};

const LOCK: &str = include_str!("../../../../docs/examples/lock.pml");

/// Two processes that can both be in the critical section.
const BROKEN: &str = "byte in_it; active [2] proctype P() { in_it++; assert(in_it == 1); in_it-- }";

fn answer(request: &Value) -> Value {
    serde_json::from_str(&resy_playground::answer(&request.to_string())).expect("JSON")
}

#[test]
fn a_model_is_checked() {
    let told = answer(&json!({ "do": "check", "name": "lock.pml", "text": LOCK }));
    assert_eq!(told["verdict"], "holds", "{told}");
    assert!(told["page"].as_str().is_some_and(|page| page.starts_with("<!DOCTYPE html>")));
    let told = answer(&json!({ "do": "check", "name": "x.pml", "text": BROKEN }));
    assert_eq!(told["verdict"], "fails");
    assert!(told["text"].as_str().is_some_and(|text| text.contains("in_it == 1")), "{told}");
}

#[test]
fn a_requirement_is_asked_for() {
    let told =
        answer(&json!({ "do": "assume", "name": "lock.pml", "text": LOCK, "module": "Client" }));
    assert_eq!(told["verdict"], "holds", "{told}");
    assert!(told["page"].as_str().is_some_and(|page| page.contains("Requirement of Client")));
    let told =
        answer(&json!({ "do": "assume", "name": "lock.pml", "text": LOCK, "module": "Nil" }));
    assert!(told["error"].as_str().is_some_and(|words| words.contains("Nil")), "{told}");
}

#[test]
fn mistakes_have_places() {
    let text = "active proctype P() {\n  int x;\n  y = 1\n}";
    for what in ["read", "check", "assume"] {
        let told = answer(&json!({ "do": what, "name": "x.pml", "text": text }));
        let found = told["findings"].as_array().expect("a list");
        let error = found.iter().find(|finding| finding["severity"] == "error");
        assert_eq!(error.expect("an error")["line"], 3, "{told}");
    }
    let told = answer(&json!({ "do": "read", "name": "lock.pml", "text": LOCK }));
    assert_eq!(told["modules"], json!(["Client", "Rival"]), "{told}");
}

#[test]
fn a_text_is_laid_out_or_not() {
    let told = answer(&json!({ "do": "format", "name": "x.pml", "text": "byte  x ;" }));
    assert_eq!(told["text"], "byte x;\n", "{told}");
    let told = answer(&json!({ "do": "format", "name": "x.pml", "text": "byte" }));
    assert!(told["error"].is_string(), "{told}");
}

#[test]
fn files_are_not_read() {
    let text = "#include \"/etc/passwd\"\nactive proctype P() { skip }";
    let told = answer(&json!({ "do": "check", "name": "x.pml", "text": text }));
    assert_eq!(told["verdict"], Value::Null, "{told}");
}

#[test]
fn a_limit_ends_a_check() {
    let text = "int x, y; active proctype P() { do :: x++ :: y++ od }";
    let told = answer(&json!({ "do": "check", "name": "x.pml", "text": text, "seconds": 0.2 }));
    assert_eq!(told["verdict"], "unknown", "{told}");
}

#[test]
fn odd_requests_get_a_sentence() {
    for request in ["", "{", "[]", "{\"do\": \"check\"}", "{\"do\": \"dance\", \"text\": \"\"}"] {
        let told: Value = serde_json::from_str(&resy_playground::answer(request)).expect("JSON");
        assert!(told["error"].is_string(), "{request}: {told}");
    }
    for name in ["x.pml", "x.lts", "x.net"] {
        for what in ["read", "format", "check", "assume"] {
            assert!(answer(&json!({ "do": what, "name": name, "text": "" })).is_object());
        }
    }
}

#[test]
fn the_words_are_those_of_the_front_ends() {
    let told = answer(&json!({ "do": "words" }));
    let has = |language: &str, word: &str| {
        told[language].as_array().is_some_and(|words| words.contains(&json!(word)))
    };
    assert!(has("promela", "proctype") && has("promela", "byte") && has("fsp", "property"));
}
