//! The language server: a loop over messages of the client and results of checks.
//!
//! Everything is answered by one thread, from the newest text. Errors and warnings are told when
//! the user stops typing for a moment; checks run in processes of their own and are ended by a change.

mod checks;
mod completion;
mod fixes;
mod folding;
mod hover;
mod lenses;
mod navigate;
mod outline;
mod publish;
mod tokens;

use crate::analysis::{Analysis, Document, OpenTexts, TextFinding};
use crate::text::Encoding;
use checks::{Checks, Finished};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// A text is analysed this long after the last change of it, by default.
const QUIET: Duration = Duration::from_millis(200);
/// The age of verdicts is shown anew after this time.
const AGEING: Duration = Duration::from_secs(30);

/// What the loop waits for.
enum Event {
    Message(Message),
    /// The client is gone.
    Gone,
    /// A check has ended.
    Finished(Finished),
    /// What there is to say about a version of a text in FSP.
    Composed(String, i64, Vec<TextFinding>),
}

/// The state of the server.
struct Server {
    out: Box<dyn Fn(Message)>,
    events: Sender<Event>,
    documents: BTreeMap<String, Document>,
    open: OpenTexts,
    /// Documents whose findings are to be told, and when.
    due: BTreeMap<String, Instant>,
    /// Findings of texts in FSP, with the version they are about; `None` while they are computed.
    composed: BTreeMap<String, Option<(i64, Vec<TextFinding>)>>,
    checks: Checks,
    encoding: Encoding,
    wishes: Wishes,
    phase: Phase,
    n_requests: i32,
    quiet: Duration,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    Serving,
    /// After `shutdown`.
    Down,
}

/// What the client can do beside the rest.
#[derive(Copy, Clone, Debug, Default)]
struct Wishes {
    /// It shows pages beside the text (`resy/view`).
    views: bool,
    /// It has a command that debugs a run.
    debugs: bool,
    /// It asks for lenses again when told to.
    refreshes_lenses: bool,
    /// It asks for inlays again when told to.
    refreshes_inlays: bool,
}

/// Serves a client on standard input and output until it says `exit`; `program` is the command that checks are
/// run with. Whether the client has ended the session in order.
pub fn serve_stdio(program: PathBuf) -> bool {
    let (connection, threads) = Connection::stdio();
    let is_orderly = serve(connection, program, QUIET);
    // A client that is gone ends both threads with an error.
    let _ = threads.join();
    is_orderly
}

/// Serves a client until it says `exit` or is gone; a text is analysed when it was not changed for the time `quiet`.
/// Whether the client has said `shutdown` before.
pub fn serve(connection: Connection, program: PathBuf, quiet: Duration) -> bool {
    let (events, incoming) = channel();
    let Connection { sender, receiver } = connection;
    let forward = events.clone();
    std::thread::spawn(move || {
        for message in receiver {
            if forward.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = forward.send(Event::Gone);
    });
    let mut server = Server {
        // A client that is gone is noticed by the next event.
        out: Box::new(move |message| _ = sender.send(message)),
        checks: Checks::new(program, events.clone()),
        events,
        documents: BTreeMap::new(),
        open: OpenTexts::new(),
        due: BTreeMap::new(),
        composed: BTreeMap::new(),
        encoding: Encoding::default(),
        wishes: Wishes::default(),
        phase: Phase::New,
        n_requests: 0,
        quiet,
    };
    server.run(&incoming)
}

impl Server {
    fn run(&mut self, incoming: &Receiver<Event>) -> bool {
        loop {
            let now = Instant::now();
            let next =
                self.due.values().min().map_or(AGEING, |at| at.saturating_duration_since(now));
            match incoming.recv_timeout(next) {
                Ok(Event::Message(Message::Notification(n))) if n.method == "exit" => break,
                Ok(Event::Gone) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Event::Message(message)) => self.take(message),
                Ok(Event::Finished(finished)) => self.finished(finished),
                Ok(Event::Composed(uri, version, findings)) => {
                    self.composed.insert(uri.clone(), Some((version, findings)));
                    self.publish(&uri);
                }
                Err(RecvTimeoutError::Timeout) if self.due.is_empty() => self.age(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.tell_due();
        }
        self.checks.cancel_all();
        self.phase == Phase::Down
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(&notification),
            // Answers to our requests need no action.
            Message::Response(_) => {}
        }
    }

    fn request(&mut self, Request { id, method, params }: Request) {
        let result = match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => Ok(self.initialize(&params)),
            (Phase::New, _) => Err((ErrorCode::ServerNotInitialized, "not initialized".to_owned())),
            (Phase::Serving, "shutdown") => {
                self.phase = Phase::Down;
                self.checks.cancel_all();
                Ok(Value::Null)
            }
            (Phase::Serving, method) => self.answer(method, &params),
            (Phase::Down, _) => Err((ErrorCode::InvalidRequest, "the server is down".to_owned())),
        };
        let response_result = result.map_err(|(code, message)| ResponseError {
            code: code as i32,
            message,
            data: None,
        });
        (self.out)(Response { id, response_result }.into());
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.phase = Phase::Serving;
        let capabilities = &params["capabilities"];
        let encodings = capabilities["general"]["positionEncodings"].as_array();
        let knows_utf8 = encodings.is_some_and(|list| list.iter().any(|e| e == "utf-8"));
        self.encoding = if knows_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        let options = &params["initializationOptions"];
        let workspace = &capabilities["workspace"];
        self.wishes = Wishes {
            views: options["views"] == true,
            debugs: options["debugs"] == true,
            refreshes_lenses: workspace["codeLens"]["refreshSupport"] == true,
            refreshes_inlays: workspace["inlayHint"]["refreshSupport"] == true,
        };
        self.checks.with_reports = self.wishes.views;
        capabilities_of(self.encoding)
    }

    fn notification(&mut self, Notification { method, params }: &Notification) {
        if self.phase != Phase::Serving {
            return;
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match method.as_str() {
            "textDocument/didOpen" => {
                let document = Document::open(&params["textDocument"]);
                self.open.insert(document.name.clone(), document.lines.clone());
                self.documents.insert(uri.to_owned(), document);
                self.due.insert(uri.to_owned(), Instant::now());
            }
            "textDocument/didChange" => self.change(uri, params),
            "textDocument/didSave" => self.saved(uri),
            "textDocument/didClose" => self.close(uri),
            _ => {}
        }
    }

    fn change(&mut self, uri: &str, params: &Value) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let changes = params["contentChanges"].as_array().map_or(&[][..], Vec::as_slice);
        let version = params["textDocument"]["version"].as_i64().unwrap_or(document.version + 1);
        document.change(version, changes, self.encoding);
        let (name, lines) = (document.name.clone(), document.lines.clone());
        self.open.insert(name.clone(), lines);
        let when = Instant::now() + self.quiet;
        self.due.insert(uri.to_owned(), when);
        if self.checks.text_changed(uri) {
            self.refresh();
        }
        for (other, document) in &mut self.documents {
            if other != uri && document.has_read(&name) {
                document.forget();
                self.due.insert(other.clone(), when);
            }
        }
    }

    fn close(&mut self, uri: &str) {
        let Some(document) = self.documents.remove(uri) else { return };
        self.open.remove(&document.name);
        self.due.remove(uri);
        self.composed.remove(uri);
        self.checks.forget(uri);
        self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": [] }));
    }

    /// The document that a request is about, with its analysis.
    fn document(&self, params: &Value) -> Option<(&Document, Rc<Analysis>)> {
        let uri = params["textDocument"]["uri"].as_str()?;
        let document = self.documents.get(uri)?;
        Some((document, document.analysis(&self.open)))
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, (ErrorCode, String)> {
        if method == "workspace/executeCommand" {
            return self.command(params).map_err(|words| (ErrorCode::InvalidParams, words));
        }
        let encoding = self.encoding;
        let Some((document, analysis)) = self.document(params) else {
            return match method.starts_with("textDocument/") {
                true => Err((ErrorCode::InvalidParams, "the document is not open".to_owned())),
                false => Err((ErrorCode::MethodNotFound, format!("no method `{method}`"))),
            };
        };
        let offset = document.lines.offset(&params["position"], encoding);
        let at = navigate::Asked { document, analysis: &analysis, offset, encoding };
        Ok(match method {
            "textDocument/formatting" => outline::formatted(document, encoding),
            "textDocument/documentSymbol" => outline::symbols(document, &analysis, encoding),
            "textDocument/definition" => at.definition(),
            "textDocument/references" => at.references(params),
            "textDocument/documentHighlight" => at.highlights(),
            "textDocument/prepareRename" => at.prepare_rename(),
            "textDocument/rename" => {
                return at.rename(params).map_err(|words| (ErrorCode::RequestFailed, words));
            }
            "textDocument/hover" => hover::hover(&at),
            "textDocument/semanticTokens/full" => tokens::all(document, &analysis, encoding),
            "textDocument/foldingRange" => folding::ranges(document),
            "textDocument/completion" => completion::items(&at),
            "textDocument/codeAction" => {
                fixes::actions(document, &self.findings(document), params, &self.open, encoding)
            }
            "textDocument/codeLens" => {
                lenses::lenses(document, &analysis, &self.checks, &self.wishes, encoding)
            }
            "textDocument/inlayHint" => {
                lenses::inlays(document, &analysis, &self.checks, params, encoding)
            }
            _ => return Err((ErrorCode::MethodNotFound, format!("no method `{method}`"))),
        })
    }

    fn notify(&self, method: &str, params: Value) {
        (self.out)(Notification { method: method.to_owned(), params }.into());
    }

    /// Asks the client to ask again for lenses and inlays.
    fn refresh(&mut self) {
        let wishes = self.wishes;
        let methods = [
            (wishes.refreshes_lenses, "workspace/codeLens/refresh"),
            (wishes.refreshes_inlays, "workspace/inlayHint/refresh"),
        ];
        for (_, method) in methods.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            self.n_requests += 1;
            let id = RequestId::from(self.n_requests);
            (self.out)(Request { id, method: method.to_owned(), params: Value::Null }.into());
        }
    }
}

fn capabilities_of(encoding: Encoding) -> Value {
    let name = if encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" };
    json!({
        "capabilities": {
            "positionEncoding": name,
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "documentFormattingProvider": true,
            "documentSymbolProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "hoverProvider": true,
            "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
            "foldingRangeProvider": true,
            "completionProvider": { "triggerCharacters": ["."] },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": {},
            "inlayHintProvider": true,
            "executeCommandProvider": { "commands": checks::COMMANDS },
        },
        "serverInfo": { "name": "resy", "version": env!("CARGO_PKG_VERSION") },
    })
}
