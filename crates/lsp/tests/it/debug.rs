//! Sessions with the debug adapter, compared with what was written down; `UPDATE=1` writes them anew.
//!
//! A session is a file of lines `COMMAND ARGUMENTS`. Answers and events follow, one on a line, without numbers of
//! messages. `$` is the model.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Cursor;
use std::path::PathBuf;

#[test]
fn a_violated_assertion() {
    play("race", "debug-race.pml");
}

#[test]
fn an_infinite_run() {
    play("loop", "debug-loop.pml");
}

#[test]
fn a_run_chosen_step_by_step() {
    play("choose", "debug-race.pml");
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/sessions")
}

/// The requests of the file `name`, and what the adapter answers.
fn play(name: &str, model: &str) {
    let file = folder().join(format!("debug-{name}.txt"));
    let known = std::fs::read_to_string(&file).expect("the session is there");
    let model = folder().join(model).display().to_string();
    let commands: Vec<&str> = known.lines().filter(|line| !line.starts_with(' ')).collect();
    let mut input = Vec::new();
    for (number, line) in commands.iter().enumerate() {
        let (command, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let arguments: Value =
            serde_json::from_str(&arguments.replace('$', &model)).expect("arguments are JSON");
        let request =
            json!({ "seq": number, "type": "request", "command": command, "arguments": arguments });
        let text = request.to_string();
        input.extend(format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes());
    }
    let answers = serve(input);
    let mut session = String::new();
    for (number, line) in commands.iter().enumerate() {
        let _ = writeln!(session, "{line}");
        let is_answer = |m: &Value| m["request_seq"] == number;
        let first = answers.iter().position(is_answer).expect("every request is answered");
        let end =
            answers.iter().position(|m| m["request_seq"] == number + 1).unwrap_or(answers.len());
        for message in &answers[first..end] {
            let shown = match message["event"].as_str() {
                Some(event) => format!("{event} {}", message["body"]),
                None if message["success"] == true => message["body"].to_string(),
                None => format!("no: {}", message["message"]),
            };
            let _ = writeln!(session, "  {}", shown.replace(&model, "$"));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(&file, &session).expect("the session can be written");
    }
    assert_eq!(session, known, "{}", file.display());
}

fn serve(input: Vec<u8>) -> Vec<Value> {
    let run = move || {
        let mut output = Vec::new();
        resy_lsp::debug::serve(&mut Cursor::new(input), &mut output);
        output
    };
    let thread = std::thread::Builder::new().stack_size(resy::STACK).spawn(run).expect("a thread");
    let output = String::from_utf8(thread.join().expect("no panic")).expect("text");
    let mut answers = Vec::new();
    for part in output.split("Content-Length: ").skip(1) {
        let (_, text) = part.split_once("\r\n\r\n").expect("a header");
        answers.push(serde_json::from_str(text).expect("JSON"));
    }
    answers
}

#[test]
fn strange_messages_do_no_harm() {
    for text in [
        "",
        "Content-Length: 5\r\n\r\n",
        "Content-Length: 99999999999999\r\n\r\n{}",
        "Content-Length: 2\r\n\r\n[]",
        "no header\r\n\r\n",
        "Content-Length: 44\r\n\r\n{\"type\":\"request\",\"command\":\"launch\",\"seq\":1}",
    ] {
        serve(text.as_bytes().to_vec());
    }
}
