//! Pages in a real browser, without a window.

use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::process::Command;

/// Notes whatever goes wrong from the first script on.
const RECORDER: &str = "<script>
const complaints = [];
addEventListener('error', (event) => complaints.push(String(event.message)), true);
addEventListener('unhandledrejection', (event) => complaints.push(String(event.reason)));
console.error = console.warn = (...words) => complaints.push(words.join(' '));
</script>";

/// What the browser is called, in the distributions.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Opens a page, runs the body of a function in it, and gives back what that returns; panics at any complaint.
pub fn ask(page: &str, function: &str) -> Value {
    let (told, complaints) = try_asking(page, function);
    assert_eq!(complaints, [""; 0], "the page complains");
    told
}

/// The same, with the complaints of the page.
pub fn try_asking(page: &str, function: &str) -> (Value, Vec<String>) {
    let scratch = Scratch::new("browser").expect("a folder");
    let file = scratch.path().join("page.html");
    // Markup in the answer would be escaped where the browser prints the document.
    let asker = format!(
        "<script>addEventListener('load', () => {{
            let told = null;
            try {{ told = (() => {{ {function} }})(); }} catch (error) {{ complaints.push(String(error)); }}
            const text = JSON.stringify({{ told, complaints }});
            const pre = document.createElement('pre');
            pre.id = 'told';
            pre.textContent = text.replace(/[<>&\\u00a0]/g, (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
            document.body.append(pre);
        }});</script></body>"
    );
    let page = page.replacen("<head>", &format!("<head>{RECORDER}"), 1);
    let page = page.replacen("</body>", &asker, 1);
    std::fs::write(&file, page).expect("the page can be written");
    let (document, log) = dump(&scratch, &format!("file://{}", file.display()));
    let told =
        document.split_once("<pre id=\"told\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (told, _) = told.unwrap_or_else(|| panic!("the page says nothing: {document}\n{log}"));
    let told: Value = serde_json::from_str(told).unwrap_or_else(|e| panic!("{e}: {told}"));
    let complaints = told["complaints"].as_array().expect("a list").iter();
    let complaints = complaints.map(|c| c.as_str().unwrap_or_default().to_owned());
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned);
    (told["told"].clone(), complaints.chain(console).collect())
}

/// The document after its scripts, and what the browser wrote beside it.
fn dump(scratch: &Scratch, address: &str) -> (String, String) {
    let profile = format!("--user-data-dir={}", scratch.path().join("profile").display());
    for name in NAMES {
        let mut command = Command::new(name);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"]);
        command.args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"]);
        let Ok(output) = command.args([&profile, address]).output() else { continue };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return (text(&output.stdout), text(&output.stderr));
    }
    panic!("no browser: scripts/test installs Chromium");
}
