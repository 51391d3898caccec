//! Any text gives diagnostics: no panic, no hang, no overflow of the stack.

use resy_promela::{Severity, render};
use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use resy_testkit::systems::{Beside, load, load_text};
use std::path::PathBuf;
use std::process::Command;

/// Bytes that are most likely to do harm.
const ODD: &[u8] = b"{}();:!?#\"'\\/*\n\0\xff0aZ_";

/// Reads a text on a thread with the stack of a test, not of the tool.
fn read(text: String) -> bool {
    let (_, _, system) = load_text("t.pml", text, &[], &mut Beside(PathBuf::new()));
    system.is_some()
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("active proctype P() {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    for n in [300, 100_000] {
        assert!(!read(deep("{ ", "skip", " }", n)));
        assert!(!read(deep("if :: ", "skip", " fi", n)));
        assert!(!read(deep("do :: ", "break", " od", n)));
        assert!(!read(deep("atomic { ", "skip", " }", n)));
        assert!(!read(deep("(", "1", ")", n)));
        assert!(!read(deep("L: ", "skip", "", n)));
        assert!(!read(deep("assert(!", "1", ")", n)));
    }
    assert!(!read(format!("active proctype P() {{ (1{}) }}", " + 1".repeat(100_000))));
    assert!(!read(format!("#if {}1{}\n#endif\n", "(".repeat(50_000), ")".repeat(50_000))));
    assert!(!read("#if 1\n".repeat(50_000)));
}

#[test]
fn nesting_that_people_write_is_accepted() {
    let body = format!("{} skip {}", "{ ".repeat(60), " }".repeat(60));
    assert!(read(format!("active proctype P() {{ {body} }}")));
    assert!(read(format!("byte x; active proctype P() {{ (x{} == 0) }}", " + 1".repeat(1000))));
}

#[test]
fn bombs_are_refused() {
    let doubling: String =
        (1..40).map(|i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)).collect();
    assert!(!read(format!("{doubling} active proctype P() {{ A39 }}")));
    let inlines: String =
        (1..40).map(|i| format!("inline f{i}() {{ f{}(); f{}() }}\n", i - 1, i - 1)).collect();
    assert!(!read(format!("inline f0() {{ skip }}\n{inlines} active proctype P() {{ f39() }}")));
    assert!(!read("int a[2000000000]; init { skip }".into()));
    assert!(!read("chan c = [2000000000] of { int, int }; init { skip }".into()));
    assert!(!read("active [2000000000] proctype P() { skip }".into()));
}

#[test]
fn damaged_models_do_no_harm() {
    let path = models_dir().join("protocols/two_phase_commit.pml");
    assert!(load(&path, &[]).2.is_some(), "the model itself is accepted");
    let model = std::fs::read_to_string(path).expect("a model of the repository");
    let mut seed = 1u64;
    let mut random = move |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for _ in 0..400 {
        let mut bytes = model.as_bytes().to_vec();
        for _ in 0..1 + random(4) {
            let at = random(bytes.len());
            match random(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, ODD[random(ODD.len())]),
                2 => bytes.truncate(at.max(1)),
                _ => {
                    let to = random(bytes.len());
                    let (from, to) = (at.min(to), at.max(to).min(at.min(to) + 200));
                    let piece = bytes[from..to].to_vec();
                    bytes.splice(from..from, piece);
                }
            }
        }
        read(String::from_utf8_lossy(&bytes).into_owned());
    }
}

#[test]
fn states_that_are_too_large_are_refused_at_their_declaration() {
    let refusal = |text: &str| {
        let (map, diags, system) =
            load_text("t.pml", text.into(), &[], &mut Beside(PathBuf::new()));
        assert!(system.is_none(), "{text}");
        let errors: Vec<_> = diags.iter().filter(|d| d.severity() == Severity::Error).collect();
        let [error] = errors[..] else { panic!("{} errors: {text}", errors.len()) };
        assert_eq!(error.code.as_str(), "E0601", "{}", error.message);
        let source = &text[error.span.start as usize..error.span.end as usize];
        assert!(!render::render(&map, error, false).is_empty());
        format!("{source}: {}", error.message)
    };
    let many = "byte b; chan q[1000] = [10000] of { int }; active proctype P() { q[0]!1 }";
    assert!(refusal(many).starts_with("q: a state would have 10002"), "{}", refusal(many));
    let local =
        "active proctype Q() { skip } active [30] proctype P() { int x; int y[50000]; y[0] = x }";
    assert!(refusal(local).starts_with("y: a state would have"), "{}", refusal(local));
    let channels = "int c; chan q[70000] = [0] of { bit }; active proctype P() { q[0]!1 }";
    assert!(refusal(channels).starts_with("q: there would be 70000"), "{}", refusal(channels));
    let options = ":: x = 1 ".repeat(70_000);
    let wide = format!("byte x; active proctype Wide() {{ if {options} fi }}");
    assert!(refusal(&wide).starts_with("Wide: a selection"), "{}", refusal(&wide));
    let wide = "byte a[900000]; byte b[800000]; active proctype P() { a[0] = b[1] }";
    assert!(!read(wide.into()), "variables are counted while they are declared");
    assert!(read("chan q[100] = [100] of { int }; active proctype P() { q[0]!1 }".into()));
}

/// With compiled code and without, by one worker and by two.
#[test]
fn processes_that_make_the_state_too_large_are_an_error_of_the_model() {
    let scratch = Scratch::new("large").expect("a folder");
    let cells = "proctype P() { int a[200000]; false } \
                 init { byte i; do :: i < 100 -> run P(); i++ od }";
    let channels = "proctype P() { chan q[30000] = [0] of { bit }; q[0]!1 } \
                    init { byte i; do :: i < 100 -> run P(); i++ od }";
    for text in [cells, channels] {
        let file = scratch.path().join("large.pml");
        std::fs::write(&file, text).expect("a file");
        for options in [&["--plain"][..], &["--interpret"], &["--threads", "2", "--alone", "0"]] {
            let output = Command::new(env!("CARGO_BIN_EXE_resy"))
                .args(["check", "-q", "--property", "runtime"])
                .args(options)
                .arg(&file)
                .output()
                .expect("resy runs");
            let text = String::from_utf8_lossy(&output.stdout);
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{options:?}: {text} {complaint}");
            assert!(text.contains("the state becomes too large"), "{options:?}: {text}");
        }
    }
}

/// A binary file has something wrong in every line.
#[test]
fn a_binary_file_gets_few_messages_and_a_count() {
    let scratch = Scratch::new("binary").expect("a folder");
    let file = scratch.path().join("binary.pml");
    let bytes: Vec<u8> =
        (0..20_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(&file, bytes).expect("a file");
    for command in ["check", "fmt"] {
        let (code, text) = resy(&[command, &file.to_string_lossy()]);
        assert_eq!(code, Some(2), "{command}");
        let is_message = |line: &&str| line.starts_with("error[") || line.starts_with("warning[");
        let n = text.lines().filter(is_message).count();
        assert!((2..=20).contains(&n), "{command}: {n} messages");
        assert!(text.lines().any(|line| line.starts_with("… and ")), "{command}: {text}");
    }
}

/// The exit code and what is said.
fn resy(args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.args(args).output().expect("resy runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// By its extension a file is one automaton; it was read as Promela.
#[test]
fn an_automaton_is_a_network_of_one_component() {
    let scratch = Scratch::new("automaton").expect("a folder");
    let file = scratch.path().join("toggle.aut");
    let file_name = file.to_string_lossy();
    std::fs::write(&file, "des (0, 2, 2)\n(0, on, 1)\n(1, off, 0)\n").expect("a file");
    let (code, text) = resy(&["lts", &file_name]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("toggle"), "{text}");
    let (code, text) = resy(&["check", &file_name]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the network has no monitor, so nothing to check"), "{text}");
    std::fs::write(&file, "des (0, 2, 2)\n(0, on, 1)\n(1, off, 7)\n").expect("a file");
    let (code, text) = resy(&["lts", &file_name]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("toggle.aut:3: "), "{text}");
}

/// A layout is one of Promela or FSP: an automaton was read as Promela.
#[test]
fn automata_have_no_layout() {
    let scratch = Scratch::new("layout").expect("a folder");
    for name in ["n.net", "a.aut"] {
        let file = scratch.path().join(name);
        std::fs::write(&file, "").expect("a file");
        let (code, text) = resy(&["fmt", &file.to_string_lossy()]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("automata have none"), "{text}");
    }
}

/// The parser of arguments forgets what an option requires if another option excludes that.
#[test]
fn the_number_of_a_host_is_about_a_list() {
    let scratch = Scratch::new("host_index").expect("a folder");
    let file = scratch.path().join("model.pml");
    std::fs::write(&file, "active proctype P() { skip }").expect("a file");
    for other in ["--dfs", "--directed"] {
        let args = ["check", &file.to_string_lossy(), "--json", "--host-index", "9", other];
        let (code, text) = resy(&args);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("add --hosts FILE"), "{text}");
    }
}
