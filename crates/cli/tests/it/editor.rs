//! `resy lsp` as an editor runs it: over standard input and output, with checks in processes of their own.

use resy_testkit::scratch::Scratch;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const MODEL: &str = "byte x;\nltl small { [] (x < 9) }\nactive [2] proctype P()\n{\n    x++;\n    assert(x == 1)\n}\n";

/// A search that takes much longer than the test.
const ENDLESS: &str =
    "int x, y, z;\nactive proctype P() { do :: x++ :: y++ :: z++ :: assert(x != 123456789) od }\n";

/// An editor with the server that it has started.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    n_requests: u32,
    told: Vec<Value>,
}

impl Editor {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_resy"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let to = server.stdin.take().expect("a pipe");
        let from = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Self { server, to, from, n_requests: 0, told: Vec::new() };
        let answer = editor.ask("initialize", &json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "resy");
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.to.flush().expect("it listens");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("text") > 0, "the server is gone");
            match line.trim() {
                "" => break,
                head => {
                    let number = head.strip_prefix("Content-Length: ");
                    length = number.map_or(length, |n| n.parse().expect("a number"));
                }
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).expect("the whole message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].clone();
            }
            self.told.push(message);
        }
    }

    /// Waits for what is wrong with the document.
    fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let is_it = |m: &Value| m["method"] == "textDocument/publishDiagnostics";
            if let Some(at) = self.told.iter().position(is_it) {
                let message = self.told.remove(at);
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.receive();
            self.told.push(message);
        }
    }

    fn open(&mut self, uri: &str, language: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": item }));
    }

    /// The titles of the lenses, or the labels of the inlays.
    fn words(&mut self, uri: &str, method: &str) -> Vec<String> {
        let at = |line: u32| json!({ "line": line, "character": 0 });
        let range = json!({ "start": at(0), "end": at(99) });
        let params = json!({ "textDocument": { "uri": uri }, "range": range });
        let answer = self.ask(&format!("textDocument/{method}"), &params);
        let word =
            |v: &Value| v["label"].as_str().or(v["command"]["title"].as_str()).map(str::to_owned);
        answer.as_array().expect("a list").iter().filter_map(word).collect()
    }

    fn check(&mut self, uri: &str, property: Option<&str>) {
        let params = json!({ "command": "resy.check", "arguments": [uri, property] });
        self.ask("workspace/executeCommand", &params);
    }

    fn end(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        assert!(self.server.wait().expect("it ends").success());
    }
}

#[test]
fn verdicts_stand_beside_the_text() {
    let scratch = Scratch::new("editor").expect("a folder");
    let file = scratch.path().join("m.pml");
    std::fs::write(&file, MODEL).expect("a file");
    let uri = format!("file://{}", file.display());
    let mut editor = Editor::start();
    editor.open(&uri, "promela", MODEL);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    editor.check(&uri, None);
    let broken = editor.diagnostics();
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_eq!(
        (&broken[0]["code"], &broken[0]["source"]),
        (&json!("assertions"), &json!("resy check"))
    );
    assert_eq!(broken[0]["range"]["start"], json!({ "line": 5, "character": 4 }));
    let verdicts = ["✗ fails · just now", "✓ holds · just now", "✗ fails · just now"];
    assert_eq!(editor.words(&uri, "inlayHint"), verdicts);

    // The text in the editor counts, not the file.
    let range =
        json!({ "start": { "line": 5, "character": 11 }, "end": { "line": 5, "character": 17 } });
    let changes = json!([{ "range": range, "text": "x < 3" }]);
    let document = json!({ "uri": uri, "version": 2 });
    editor.tell(
        "textDocument/didChange",
        &json!({ "textDocument": document, "contentChanges": changes }),
    );
    assert_eq!(
        editor.diagnostics(),
        [] as [Value; 0],
        "a verdict on the old text is no error of the new one"
    );
    let old = editor.words(&uri, "inlayHint");
    assert_eq!(old[0], "✗ fails · just now, before the last change");
    editor.check(&uri, Some("assertions"));
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    assert_eq!(editor.words(&uri, "inlayHint")[2], "✓ holds · just now");
    editor.end();
}

#[test]
fn a_change_ends_a_check() {
    let mut editor = Editor::start();
    let uri = "file:///none/endless.pml";
    editor.open(uri, "promela", ENDLESS);
    editor.diagnostics();
    editor.check(uri, None);
    assert_eq!(editor.words(uri, "codeLens")[0], "checking … (stop)");
    assert_eq!(children(editor.server.id()), 1);
    let changes = json!([{ "text": format!("{ENDLESS} ") }]);
    let document = json!({ "uri": uri, "version": 2 });
    editor.tell(
        "textDocument/didChange",
        &json!({ "textDocument": document, "contentChanges": changes }),
    );
    assert_eq!(editor.words(uri, "codeLens")[0], "check all");
    let end = Instant::now() + Duration::from_secs(10);
    while children(editor.server.id()) > 0 {
        assert!(Instant::now() < end, "the check goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    editor.end();
}

/// How many processes a process has started that are there still.
fn children(parent: u32) -> usize {
    let is_child = |folder: &Path| {
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    all.filter(|entry| is_child(&entry.path())).count()
}

/// What the server says of a text is what `resy check` says of the file.
#[test]
fn findings_are_those_of_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/beginner");
    let mut editor = Editor::start();
    for name in
        ["and_or_words", "undeclared_variable", "missing_od", "mtype_in_message", "declared_twice"]
    {
        let file = root.join(format!("{name}.pml")).canonicalize().expect("a model");
        let text = std::fs::read_to_string(&file).expect("a model");
        editor.open(&format!("file://{}", file.display()), "promela", &text);
        let told = editor.diagnostics();
        let output = Command::new(env!("CARGO_BIN_EXE_resy"))
            .args(["check", "--format", "sarif", "--timeout", "5"])
            .arg(&file)
            .output()
            .expect("the command runs");
        let sarif: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let results = sarif["runs"][0]["results"].as_array().expect("results");
        // Verdicts are results too; they are no findings about the text.
        let expected: Vec<(&str, u64)> = results
            .iter()
            .filter_map(|r| {
                let at = &r["locations"][0]["physicalLocation"]["region"]["startLine"];
                let rule = r["ruleId"].as_str().filter(|rule| rule.starts_with(['E', 'W']))?;
                Some((rule, at.as_u64().unwrap_or(0)))
            })
            .collect();
        let found: Vec<(&str, u64)> = told
            .iter()
            .map(|d| {
                let line = d["range"]["start"]["line"].as_u64().unwrap_or(0) + 1;
                (d["code"].as_str().unwrap_or_default(), line)
            })
            .collect();
        assert!(!found.is_empty(), "{name}");
        assert_eq!(found, expected, "{name}");
    }
    editor.end();
}
