//! A language client in memory.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

/// A client with a server of its own.
pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    n_requests: i32,
    /// What the server has told beside its answers.
    pub told: Vec<Notification>,
}

impl Client {
    /// Starts a server; `capabilities` are the client's.
    pub fn start(capabilities: Value) -> (Self, Value) {
        let (connection, other) = Connection::memory();
        // No test starts a check here: the command's tests do.
        let serve =
            move || resy_lsp::serve(other, "no-such-program".into(), Duration::from_millis(5));
        let server = std::thread::Builder::new().stack_size(resy::STACK).spawn(serve);
        let server = Some(server.expect("a thread"));
        let mut client = Self { connection, server, n_requests: 0, told: Vec::new() };
        let answer = client.ask("initialize", json!({ "capabilities": capabilities }));
        client.tell("initialized", json!({}));
        (client, answer)
    }

    /// Sends a request and waits for its answer; an error is an object with `error`.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let (id, method) = (self.n_requests.into(), method.to_owned());
        let request = Request { id, method, params };
        let expected = request.id.clone();
        self.connection.sender.send(request.into()).expect("the server is there");
        loop {
            match self.receive() {
                Message::Response(response) => {
                    assert_eq!(response.id, expected, "answers come in order");
                    return response.response_result.unwrap_or_else(
                        |e| json!({ "error": { "code": e.code, "message": e.message } }),
                    );
                }
                Message::Notification(notification) => self.told.push(notification),
                Message::Request(request) => panic!("the client was not ready for {request:?}"),
            }
        }
    }

    pub fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server is there");
    }

    /// Waits for the next notification of this kind.
    pub fn wait_for(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.told.iter().position(|n| n.method == method) {
                return self.told.remove(at).params;
            }
            match self.receive() {
                Message::Notification(notification) => self.told.push(notification),
                other => panic!("expected {method}, got {other:?}"),
            }
        }
    }

    fn receive(&self) -> Message {
        let message = self.connection.receiver.recv_timeout(Duration::from_secs(60));
        message.expect("the server answers within a minute")
    }

    pub fn open(&self, uri: &str, language: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub fn change(&self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Ends the session in order.
    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it was started");
        assert!(server.join().expect("the server does not panic"), "the end is in order");
    }
}
