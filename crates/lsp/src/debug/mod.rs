//! The debug adapter: a run is a recording, and a debugger walks along it, forwards and back.
//!
//! Threads are processes. A session reads a model, finds a run (by a check, from a trail of spin, or step by step as the
//! client chooses) and answers requests about it until the client leaves. The framing is that of the language server.

mod expression;
mod frame;
mod launch;
mod recording;
mod session;
mod simulation;

use frame::{read_message, write_message};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Serves a debugger on standard input and output.
pub fn serve_stdio() {
    serve(&mut std::io::stdin().lock(), &mut std::io::stdout().lock());
}

/// Serves a debugger until it disconnects or is gone.
pub fn serve(input: &mut dyn BufRead, output: &mut dyn Write) {
    let mut wire = Wire { input, output, n_sent: 0 };
    while let Some(request) = wire.next() {
        match request["command"].as_str().unwrap_or_default() {
            "initialize" => wire.answer(&request, capabilities()),
            "launch" => {
                if launch::launch(&mut wire, &request) {
                    return;
                }
            }
            "disconnect" | "terminate" => return wire.answer(&request, Value::Null),
            _ => wire.refuse(&request, "nothing is being debugged"),
        }
    }
}

/// The two directions of the conversation.
struct Wire<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    n_sent: u64,
}

impl Wire<'_> {
    /// The next request; `None` if the client is gone.
    fn next(&mut self) -> Option<Value> {
        loop {
            let message = read_message(self.input)?;
            if message["type"] == "request" {
                return Some(message);
            }
        }
    }

    fn send(&mut self, mut message: Value) {
        self.n_sent += 1;
        message["seq"] = self.n_sent.into();
        // A client that is gone shows in the next read.
        let _ = write_message(self.output, &message);
    }

    fn answer(&mut self, request: &Value, body: Value) {
        self.send(json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": true,
            "body": body,
        }));
    }

    fn refuse(&mut self, request: &Value, why: &str) {
        let error = json!({ "id": 1, "format": why, "showUser": true });
        self.send(json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": false,
            "message": why,
            "body": { "error": error },
        }));
    }

    fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsStepInTargetsRequest": true,
        "supportsDataBreakpoints": true,
        "supportsGotoTargetsRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsEvaluateForHovers": true,
    })
}
