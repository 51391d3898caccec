//! The report in a real browser: it loads without complaint, the graph is whole, and the slider moves everything.

use crate::browser;
use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs a command that writes a page, and gives the exit code and the page. `-` is the given model.
fn written(args: &[&str], model: &str) -> (Option<i32>, String) {
    let scratch = Scratch::new("report").expect("a folder");
    let file = scratch.path().join("report.html");
    let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(args)
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("resy runs");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(model.as_bytes());
    let status = child.wait().expect("resy ends");
    (status.code(), std::fs::read_to_string(&file).expect("a page"))
}

fn report(args: &[&str]) -> (Option<i32>, String) {
    written(&[&["check", "-q"], args, &["--report"]].concat(), "")
}

fn report_of(model: &str, args: &[&str]) -> (Option<i32>, String) {
    written(&[&["check", "-q", "-"], args, &["--report"]].concat(), model)
}

/// Which engine wins a race differs from run to run.
const SEARCH: [&str; 2] = ["--engine", "monolithic"];

/// What is highlighted, in every view of a run.
const LOOK: &str = "
    const run = document.querySelector('.run');
    const [slider, all] = [run.querySelector('input'), (what) => [...run.querySelectorAll(what)]];
    const look = () => ({
        rows: all('.steps .now').map((row) => row.dataset.step),
        bands: all('.band.now').map((band) => band.dataset.step),
        later: all('.chart g.later').length,
        lines: all('.text code.now').map((line) => line.textContent.trim()),
        caption: run.querySelector('caption').textContent,
        changed: all('.values .changed').map((row) => row.textContent),
        said: run.querySelector('output').textContent,
    });
    const slide = (to) => { slider.value = to; slider.dispatchEvent(new Event('input')); return look(); };
    const press = (key) => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        return look();
    };
";

fn walk(page: &str, function: &str) -> Value {
    browser::ask(page, &format!("{LOOK}{function}"))
}

#[test]
fn the_slider_moves_the_highlighted_step() {
    let (code, page) = report(&["--property", "end-states", "violated/vending_machine.pml"]);
    assert_eq!(code, Some(1));
    let told = walk(
        &page,
        "const told = { first: look(), third: slide(3), back: press('ArrowLeft') };
         told.start = slide(0);
         told.before = press('ArrowLeft');
         told.on = [press('ArrowRight'), press('ArrowRight'), press('ArrowRight')].pop();
         run.querySelector('.steps [data-step=\"6\"]').click();
         told.clicked = look();
         run.querySelector('.bar [data-by=\"1000000\"]').click();
         told.last = look();
         return told;",
    );
    let first = &told["first"];
    assert_eq!((&first["rows"], &first["later"]), (&json!(["7"]), &json!(0)), "at first the end");
    assert_eq!(told["last"], *first);
    let third = &told["third"];
    assert_eq!((&third["rows"], &third["bands"]), (&json!(["3"]), &json!(["3"])));
    assert!(third["later"].as_u64() > Some(0), "what comes later is pale");
    let lines: Vec<&str> =
        third["lines"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    assert!(
        lines.len() == 2 && lines[0].contains("slot ? coin") && lines[1].contains("slot ! coin"),
        "{lines:?}"
    );
    assert_eq!(third["caption"], "Values after step 3");
    assert_eq!(told["back"]["rows"], json!(["2"]), "the left key");
    assert_eq!(
        (&told["start"]["rows"], &told["start"]["caption"]),
        (&json!(["0"]), &json!("Values at the start"))
    );
    assert_eq!(told["before"], told["start"], "nothing is before the start");
    assert_eq!(told["on"], *third, "the right key");
    let clicked = &told["clicked"];
    assert_eq!((&clicked["rows"], &clicked["bands"]), (&json!(["6"]), &json!(["6"])));
    assert!(clicked["changed"].to_string().contains("credit1 0"), "{clicked}");
}

#[test]
fn the_graph_has_the_states_of_the_requirement() {
    let look = "
        const svg = document.querySelector('.graph svg');
        // A pointer of a script cannot be captured.
        svg.setPointerCapture = () => {};
        const point = (kind, element) => element.dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX: 300, clientY: 300 }));
        const click = (element) => { point('pointerdown', element); point('pointerup', element); };
        const [state, arrow] = [svg.querySelector('.state rect'), svg.querySelector('.arrow .hit')];
        point('pointermove', state);
        const tip = document.querySelector('.tip').textContent;
        click(arrow);
        const labels = document.querySelector('aside').textContent;
        const [before, buttons] = [svg.getAttribute('viewBox'), document.querySelectorAll('.buttons button')];
        buttons[0].click();
        return {
            states: svg.querySelectorAll('.state').length, arrows: svg.querySelectorAll('.arrow').length,
            tip, labels, zoomed: svg.getAttribute('viewBox') !== before,
        };";
    let user = ["mutex/peterson.pml", "--module", "User[0]"];
    let (code, by_check) =
        report(&[&["--engine", "requirement", "--without", "end-states"], &user[..]].concat());
    assert_eq!(code, Some(0));
    let (code, by_assume) =
        written(&[&["assume", "--method", "refine"], &user[..], &["-o"]].concat(), "");
    assert_eq!(code, Some(0));
    for page in [by_check, by_assume] {
        let told = browser::ask(&page, look);
        // `resy assume --json` says so, and tests/it/assume.rs.
        assert_eq!(told["states"], 4);
        assert_eq!(told["zoomed"], true);
        assert!(told["arrows"].as_u64() > Some(3));
        assert!(told["tip"].as_str().is_some_and(|tip| tip.starts_with("state ")), "{told}");
        assert!(told["labels"].as_str().is_some_and(|text| text.contains(" → ")), "{told}");
        assert!(page.contains("<td>environment</td>") && page.contains("Made by resy"));
    }
}

#[test]
fn what_was_not_decided_is_said() {
    let (code, page) = report(&[&SEARCH[..], &["violated/lock_order.pml"]].concat());
    assert_eq!(code, Some(1));
    let badges =
        "return [...document.querySelectorAll('.badge')].map((badge) => badge.textContent);";
    assert_eq!(browser::ask(&page, badges), json!(["fails", "unknown", "fails", "unknown"]));
    assert!(page.contains("Of 3 properties 1 fails, 2 are undecided."));
    let (code, page) = report(&[&SEARCH[..], &["mutex/peterson_ltl.pml"]].concat());
    assert_eq!(code, Some(0));
    assert!(page.contains("Every statement is executed in some run."));
    let network = ["--engine", "network", "--without", "end-states", "mutex/peterson_ltl.pml"];
    let (code, page) = report(&network);
    assert_eq!(code, Some(3));
    assert!(page.contains("1 was not checked") && page.contains("a run that ends may violate it"));
    let (code, page) =
        report(&["--engine", "monolithic", "--memory", "1M", "protocols/sliding_window.pml"]);
    assert_eq!(code, Some(3));
    assert!(page.contains("Search stopped: the memory limit was reached"));
    assert!(page.contains("not all states were visited"));
}

#[test]
fn runs_of_any_size_are_shown() {
    let at_once = "byte x; active proctype P() { x = 1 } ltl p { x == 1 }";
    let (code, page) = report_of(at_once, &[&SEARCH[..], &["--property", "p"]].concat());
    assert_eq!(code, Some(1));
    let told = walk(&page, "return [look(), press('ArrowRight'), press('ArrowLeft')];");
    assert_eq!((&told[0]["rows"], &told[0]), (&json!(["0"]), &told[1]));

    let long =
        "int n; active proctype P() { do :: n < 9000 -> n++ :: else -> break od; assert(false) }";
    let (code, page) = report_of(long, &["--as-found", "--engine", "monolithic"]);
    assert_eq!(code, Some(1));
    assert!(page.contains("are left out here; --json has all"));
    let told = walk(&page, "return { rows: all('.steps [data-step]').length, look: slide(1000) };");
    assert_eq!(told["rows"], 1501);
    assert_eq!(told["look"]["rows"].as_array().map(Vec::len), Some(1));
    assert!(told["look"]["said"].as_str().is_some_and(|said| said.contains("of 18002")), "{told}");

    let wide = "byte x; active [240] proctype P() { byte y; x++; y = x; assert(x < 240) }";
    let (code, page) = report_of(wide, &["--as-found", "--engine", "monolithic", "--dfs"]);
    assert_eq!(code, Some(1));
    assert!(page.contains("too many for a chart here"));
    let told = walk(&page, "return slide(10);");
    assert_eq!(told["rows"], json!(["10"]));
}

#[test]
fn a_requirement_of_a_violated_property_comes_with_the_run() {
    let (code, page) =
        written(&["assume", "violated/naive_mutex.pml", "--module", "User[0]", "-o"], "");
    assert_eq!(code, Some(1));
    let told = walk(&page, "return [slide(3), document.querySelectorAll('.graph .state').length];");
    assert_eq!((&told[0]["rows"], &told[1]), (&json!(["3"]), &json!(1)));
}

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");

#[test]
fn every_round_of_a_loop_is_reached() {
    let model = format!("{EXAMPLES}/server.pml");
    let (code, page) = report(&[&SEARCH[..], &["--property", "assertions", &model]].concat());
    assert_eq!(code, Some(1));
    let told = walk(
        &page,
        "const n = Number(slider.max);
         const looks = [...Array(n + 1).keys()].map(slide);
         const bands = all('.band').map((band) => band.dataset.step);
         slide(1);
         const clicks = [1, 2, 3].map(() => { all('.band')[0].dispatchEvent(new Event('click')); return look().rows[0]; });
         return { looks, bands, clicks, frames: all('.frame').length, text: run.querySelector('.chart').textContent };",
    );
    assert_eq!(told["frames"], 1);
    assert!(told["text"].as_str().is_some_and(|text| text.contains("4 times")), "{told}");
    let bands: Vec<&str> =
        told["bands"].as_array().expect("bands").iter().filter_map(Value::as_str).collect();
    // Two messages of the loop, the last request, and the end.
    assert_eq!(bands.len(), 4);
    let rounds: Vec<&str> = bands[0].split(' ').collect();
    assert_eq!(rounds.len(), 4);
    assert_eq!(
        told["clicks"],
        json!([rounds[1], rounds[2], rounds[3]]),
        "a click is the next round"
    );
    for (step, look) in told["looks"].as_array().expect("looks").iter().enumerate() {
        let step = step.to_string();
        assert_eq!(look["rows"], json!([step]), "every step has its row");
        let lit: Vec<&str> =
            bands.iter().copied().filter(|band| band.split(' ').any(|s| s == step)).collect();
        assert_eq!(look["bands"], json!(lit), "step {step}");
    }
}

#[test]
fn networks_have_a_report() {
    let look = "const texts = (what) => [...document.querySelectorAll(what)].map((e) => e.textContent);
        const tables = [...document.querySelectorAll('section')].map((section) => [
            section.querySelector('h2').textContent,
            [...section.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
        ]);
        return { badges: texts('.badge'), tables: Object.fromEntries(tables), states: texts('.graph .state').length };";
    let overflow = format!("{EXAMPLES}/overflow.net");
    let (code, page) = report(&[&overflow]);
    assert_eq!(code, Some(1));
    let told = browser::ask(&page, look);
    assert_eq!(told["badges"], json!(["fails", "fails"]));
    let run = json!([
        ["1", "put", "Sender stays in 0, Buffer: empty → one, monitor: 0 → 1"],
        ["2", "put", "Sender stays in 0, Buffer: one → two, monitor: 1 → error"],
    ]);
    assert_eq!(told["tables"]["Counterexample: monitor"], run);
    let (code, by_assume) = written(&["assume", "-q", &overflow, "-o"], "");
    assert_eq!(code, Some(1));
    assert_eq!(browser::ask(&by_assume, look)["tables"]["Counterexample: monitor"], run);
    assert_eq!(told["tables"]["Components"].as_array().map(Vec::len), Some(4));
    assert!(page.contains("with a buffer that has two places"), "the text of the file");

    let buffer = format!("{EXAMPLES}/buffer.net");
    let (code, page) = report(&["--engine", "requirement", &buffer]);
    assert_eq!(code, Some(0));
    let told = browser::ask(&page, look);
    assert_eq!(told["badges"], json!(["holds", "holds"]));
    let (_, by_assume) = written(&["assume", "-q", "--method", "refine", &buffer, "-o"], "");
    assert_eq!(told["states"], browser::ask(&by_assume, look)["states"]);
    assert!(told["states"].as_u64() > Some(0));
}

#[test]
fn components_are_those_that_decided() {
    let is_cut = |page: &str| page.contains("The automata that the model was cut into");
    let model = "../bench/families/lock_server.pml";
    // The search has no room for it, so that the other engines get their time.
    let (_, page) = report(&["--memory", "1M", model]);
    assert!(page.contains("<td>network</td>") || page.contains("<td>requirement</td>"));
    assert!(is_cut(&page));
    let (_, page) = report(&[&SEARCH[..], &["--memory", "1M", model]].concat());
    assert!(!is_cut(&page));
}

/// The oracle of this suite: it must be able to fail.
#[test]
fn a_page_that_complains_is_noticed() {
    let page = "<html><head></head><body><script>console.error('so'); nothing.is = 1;</script></body></html>";
    let (told, complaints) = browser::try_asking(page, "return 1 + 1;");
    assert_eq!(told, 2);
    assert!(complaints.iter().any(|c| c == "so"), "{complaints:?}");
    assert!(complaints.iter().any(|c| c.contains("nothing is not defined")), "{complaints:?}");
}
