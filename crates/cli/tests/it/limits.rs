//! `--timeout`, `--memory` and Ctrl-C are obeyed in every phase of every command.
//!
//! Each model is large in one phase, which would take from several seconds to hours. What is measured is the
//! processor time of the command: other tests run beside this one.

use resy_testkit::fixtures::models_dir;
use resy_testkit::process::{self, Ending};
use resy_testkit::scratch::Scratch;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit of each command, in seconds.
const LIMIT: &str = "0.3";
/// The processor time that a command may take: two threads up to the limit, and a second.
const MOST: Duration = Duration::from_millis(1600);

/// A text of `n` pieces.
fn repeated(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut text, i| {
        let _ = write!(text, "{}", piece(i));
        text
    })
}

fn resy(folder: &Path, words: &[&str]) -> process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(folder).args(words);
    process::run(&mut command, folder, Duration::from_secs(100)).expect("resy runs")
}

/// Runs a command on a model with a time limit: it ends with exit code 3, and soon.
fn ends_in_time(model: &str, words: &[&str]) {
    let scratch = Scratch::new("limits").expect("a folder");
    std::fs::write(scratch.path().join("model.pml"), model).expect("a file");
    ends_in_time_in(&scratch, words);
}

fn ends_in_time_in(scratch: &Scratch, words: &[&str]) {
    let words = [words, &["--timeout", LIMIT]].concat();
    let output = resy(scratch.path(), &words);
    let shown: String = output.all_text().chars().take(500).collect();
    assert_eq!(output.ending, Ending::Exit(3), "{words:?}: {shown}");
    assert!(output.usage.cpu < MOST, "{words:?} took {:?}: {shown}", output.usage.cpu);
}

const CHECK: [&str; 2] = ["check", "model.pml"];

/// A program with many statements, which takes seconds to read.
fn long() -> String {
    let lines = repeated(300_000, |i| format!("  x = x + {};\n", i % 7));
    format!("int x;\nactive proctype P() {{\n{lines}}}\n")
}

/// A program whose components have ever more states.
const GROWS: &str = "int g; mtype = { ma, mb }; mtype m;
    active proctype P() { do :: m = ma -> select (g : 0 .. (g & 1) + 1) od }
    active proctype Q() { do :: g = 3 od }";

#[test]
fn reading() {
    ends_in_time(&long(), &CHECK);
}

/// A layout of a million lines, which has nothing to show before its end, and a text without an end.
#[test]
fn laying_out_and_reading_without_an_end() {
    ends_in_time(&long(), &["fmt", "model.pml"]);
    ends_in_time("", &["check", "/dev/zero"]);
    ends_in_time("", &["recheck", "/dev/zero"]);
}

/// Nobody writes to the standard input: neither the limit nor Ctrl-C waits for it.
#[test]
fn waiting_for_a_text() {
    for words in [&["check", "-", "--timeout", LIMIT][..], &["check", "-"], &["lts", "-"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
        let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().expect("resy starts");
        std::thread::sleep(Duration::from_millis(300));
        if !words.contains(&LIMIT) {
            let id = rustix::process::Pid::from_child(&child);
            rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it runs");
        }
        let ended = |child: &mut std::process::Child| child.try_wait().expect("it is ours");
        let started = Instant::now();
        while ended(&mut child).is_none() && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(ended(&mut child).and_then(|status| status.code()), Some(3), "{words:?}");
    }
}

#[test]
fn expanding_macros() {
    let defines = repeated(30, |i| format!("#define A{} A{i} A{i}\n", i + 1));
    let text = format!("#define A0 x = x + 1;\n{defines}int x; active proctype P() {{ A21 skip }}");
    ends_in_time(&text, &["simulate", "model.pml"]);
}

/// Reductions and compilation of many proctypes.
#[test]
fn preparing_many_proctypes() {
    let proctypes = repeated(4_000, |i| format!("proctype P{i}() {{ x = {} }}\n", i % 200));
    ends_in_time(&format!("byte x; {proctypes} active proctype M() {{ run P0() }}"), &CHECK);
}

/// Compilation of one large proctype.
#[test]
fn compiling() {
    let piece =
        |i: usize| format!("L{i}: x = {}; if :: goto L{} :: else fi;\n", i % 200, i * 7 % 4000);
    let model = format!("byte x; active proctype M() {{\n{} }}", repeated(4_000, piece));
    ends_in_time(&model, &["check", "model.pml", "--engine", "monolithic"]);
}

#[test]
fn searching() {
    let model = "int x, y; active proctype P() { do :: x++ :: y++ :: x = 0 od }";
    ends_in_time(model, &CHECK);
    ends_in_time(model, &["check", "model.pml", "--engine", "monolithic", "--threads", "2"]);
    ends_in_time(model, &["simulate", "model.pml", "--steps", "1000000000"]);
}

/// A model of the families.
fn family(name: &str) -> String {
    let file = models_dir().join(format!("../bench/families/{name}.pml"));
    std::fs::read_to_string(file).expect("a model")
}

/// A single step of a refinement: many contexts, and labels computed from scratch.
#[test]
fn refining() {
    let engine = ["--engine", "requirement", "--method", "refinement", "--without", "end-states"];
    let words = [&["check", "model.pml", "-DN=10"][..], &engine].concat();
    ends_in_time(&family("two_phase_commit"), &words);
}

/// The states of a requirement are marked by the product with its environment.
#[test]
fn naming_the_states_of_a_requirement() {
    let words = ["assume", "model.pml", "-DN=12", "--module", "Server", "--method", "refine"];
    ends_in_time(&family("lock_server"), &words);
}

/// Text with many branches, and a product of a thousand automata, whose states are large.
#[test]
fn processes_in_fsp() {
    let scratch = Scratch::new("limits").expect("a folder");
    let branches = repeated(200_000, |i| format!(" | a{i} -> A"));
    std::fs::write(scratch.path().join("long.lts"), format!("A = (b -> A{branches}).\n"))
        .expect("a file");
    ends_in_time_in(&scratch, &["check", "long.lts"]);
    let table = std::fs::read_to_string(models_dir().join("fsp/philosophers.lts"));
    let table = table.expect("a model").replace("const N = 3", "const N = 500");
    std::fs::write(scratch.path().join("table.lts"), table).expect("a file");
    ends_in_time_in(&scratch, &["check", "table.lts", "--composite", "DINERS"]);
}

/// A command on a text that is refused, soon and without a limit.
fn is_refused_soon(file: &str, text: &str, why: &str) {
    let scratch = Scratch::new("limits").expect("a folder");
    std::fs::write(scratch.path().join(file), text).expect("a file");
    let output = resy(scratch.path(), &["check", file]);
    let shown: String = output.all_text().chars().take(500).collect();
    assert_eq!(output.ending, Ending::Exit(2), "{shown}");
    assert!(output.all_text().contains(why), "{shown}");
    assert!(output.usage.cpu < MOST, "{file} took {:?}: {shown}", output.usage.cpu);
}

/// Lists and nestings that no program needs, which took quadratic time and memory.
#[test]
fn large_declarations() {
    let process = "active proctype P() { skip }\n";
    let names = repeated(100_000, |i| format!("m{i}, "));
    let list = format!("mtype = {{ {names} last }};\n{process}");
    is_refused_soon("list.pml", &list, "an mtype has at most 255 names");
    let deep = repeated(50_000, |i| format!("typedef T{} {{ T{i} a }}\n", i + 1));
    let deep = format!("typedef T0 {{ int a }}\n{deep} T50000 v; {process}");
    is_refused_soon("deep.pml", &deep, "structures are nested too deeply");
}

/// One action under many names, each of them shared by many processes.
#[test]
fn many_names_in_fsp() {
    let many = |name: &str, n: usize| repeated(n, |i| format!("{name}{i},")) + name;
    let process = format!("A = (a -> A)/{{{{{}}}/a}}.\n", many("x", 20_000));
    let shared = format!("{process}||C = ({{{}}}::A).\n", many("y", 3_000));
    is_refused_soon("shared.lts", &shared, "steps by new names");
    let branches = repeated(3_000, |i| format!("S{i} = (a -> S{}),\n", (i + 1) % 3_000));
    let branches = branches.trim_end_matches(",\n");
    let relabelled = format!("A = S0,\n{branches}/{{{{{}}}/a}}.\n", many("x", 20_000));
    is_refused_soon("relabelled.lts", &relabelled, "steps by new names");
    // A layout composes nothing.
    let scratch = Scratch::new("limits").expect("a folder");
    std::fs::write(scratch.path().join("shared.lts"), shared).expect("a file");
    let output = resy(scratch.path(), &["fmt", "shared.lts"]);
    assert_eq!(output.ending, Ending::Exit(0));
    assert!(output.usage.cpu < MOST, "{:?}", output.usage.cpu);
}

/// The product of a module's processes.
#[test]
fn composing_a_module() {
    ends_in_time(&family("lock_server"), &["assume", "model.pml", "-DN=12", "--module", "Client"]);
}

/// Beyond the limit no further module is prepared, of a hundred.
#[test]
fn a_requirement_of_every_process() {
    ends_in_time(&family("readers_writers"), &["assume", "model.pml", "-DN=100", "--all"]);
}

/// A certificate with a large inductive set, and a changed program with a large module.
#[test]
fn rechecking() {
    let scratch = Scratch::new("limits").expect("a folder");
    let counter = |n: usize| {
        format!(
            "int a, b, c; active proctype A() {{ do :: a < {n} -> a++ :: a > 0 -> a-- od }}
             active proctype B() {{ do :: b < {n} -> b++ :: b > 0 -> b-- od }}
             active proctype C() {{ do :: c < {n} -> c++ :: assert(a + b + c <= {}) od }}",
            3 * n
        )
    };
    std::fs::write(scratch.path().join("small.pml"), counter(25)).expect("a file");
    let words = ["check", "small.pml", "--without", "end-states", "--certificate", "c.cert"];
    let output = resy(scratch.path(), &words);
    assert_eq!(output.ending, Ending::Exit(0), "{}", output.all_text());
    let text = std::fs::read_to_string(scratch.path().join("c.cert")).expect("a certificate");
    std::fs::write(scratch.path().join("large.cert"), text).expect("a file");
    let output = resy(scratch.path(), &["recheck", "large.cert", "--timeout", "0.001"]);
    assert_eq!(output.ending, Ending::Exit(3), "{}", output.all_text());
    assert!(output.stdout.contains("the time limit was reached"), "{}", output.all_text());
}

/// Reading obeys Ctrl-C, and so does what comes after it.
#[test]
fn interrupts() {
    let scratch = Scratch::new("limits").expect("a folder");
    std::fs::write(scratch.path().join("long.pml"), long()).expect("a file");
    std::fs::write(scratch.path().join("grows.pml"), GROWS).expect("a file");
    let network = ["check", "grows.pml", "--engine", "network", "--without", "end-states"];
    for words in [&["check", "long.pml"][..], &network, &["lts", "grows.pml"]] {
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_resy"))
            .current_dir(scratch.path())
            .args(words)
            .args(["--budget", "2000000"].iter().filter(|_| words[0] == "lts"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("resy starts");
        // The handler is there before the model is read.
        std::thread::sleep(Duration::from_millis(300));
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it runs");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(3), "{words:?} after {:?}", started.elapsed());
    }
}

/// Components stop growing at the limit; a limit below what the program itself takes leaves them 16 MB.
#[test]
fn memory() {
    let scratch = Scratch::new("limits").expect("a folder");
    std::fs::write(scratch.path().join("model.pml"), GROWS).expect("a file");
    let network = ["check", "model.pml", "--engine", "network", "--without", "end-states"];
    for (limit, most) in [("80M", 120), ("40M", 60), ("1M", 60)] {
        let output = resy(scratch.path(), &[&network[..], &["--json", "--memory", limit]].concat());
        assert_eq!(output.ending, Ending::Exit(3), "{}", output.all_text());
        let peak = peak(&output);
        assert!(peak < most << 20, "it took {peak} bytes of {limit}");
    }
}

/// A text is not copied where there is no room for a copy.
#[test]
fn memory_of_a_text() {
    let scratch = Scratch::new("limits").expect("a folder");
    let n = 1_200_000;
    let lines = repeated(n, |i| format!("({i}, \"act{}\", {})\n", i % 7, (i + 1) % n));
    let text = format!("des (0, {n}, {n})\n{lines}");
    std::fs::write(scratch.path().join("model.aut"), text).expect("a file");
    let output = resy(scratch.path(), &["check", "model.aut", "--json", "--memory", "40M"]);
    assert_eq!(output.ending, Ending::Exit(3), "{}", output.all_text());
    let peak = peak(&output);
    assert!(peak < 60 << 20, "it took {peak} bytes");
}

/// The most memory of a command with `--json`, by itself: what the system says of a child counts its parent before.
fn peak(output: &process::Output) -> u64 {
    let object: serde_json::Value = serde_json::from_str(&output.stdout).expect("an object");
    object["stats"]["peak_bytes"].as_u64().expect("a number")
}

#[test]
fn following_a_trail() {
    let scratch = Scratch::new("limits").expect("a folder");
    let model = "bit x; active proctype P() { do :: x = 1 - x od }";
    std::fs::write(scratch.path().join("model.pml"), model).expect("a file");
    let trail = repeated(1_000_000, |i| format!("{}:0:0\n", i + 1));
    std::fs::write(scratch.path().join("long.trail"), trail).expect("a file");
    ends_in_time_in(&scratch, &["simulate", "model.pml", "--trail", "long.trail"]);
}

/// A walk through automata along many actions.
#[test]
fn following_actions() {
    let scratch = Scratch::new("limits").expect("a folder");
    let network = "network\ncomponent A\n  des (0, 2, 2)\n  (0, put, 1)\n  (1, get, 0)\n";
    std::fs::write(scratch.path().join("model.net"), network).expect("a file");
    let actions = repeated(1_000_000, |i| if i % 2 == 0 { "put\n" } else { "get\n" }.to_owned());
    std::fs::write(scratch.path().join("long.actions"), actions).expect("a file");
    ends_in_time_in(&scratch, &["simulate", "model.net", "--trail", "long.actions"]);
}

/// The start of a program that creates processes without end, or never leaves an `atomic`.
#[test]
fn starting_a_program() {
    let creates = "proctype P() { run P(); run P() } init { run P() }";
    ends_in_time(creates, &["lts", "model.pml"]);
    let stays = "byte x; proctype P() { skip } init { atomic { run P(); do :: x++ od } }";
    ends_in_time(stays, &["check", "model.pml", "--engine", "network", "--without", "end-states"]);
}

/// Where addresses are limited, there may be too few for the tables of several threads: one goes on.
#[test]
#[cfg(target_os = "linux")]
fn addresses() {
    let scratch = Scratch::new("limits").expect("a folder");
    let model = "byte a, b, c, d; active proctype P() {
        do :: a < 16 -> a++ :: b < 16 -> b++ :: c < 16 -> c++ :: d < 16 -> d++ :: else -> d = 0 od }";
    std::fs::write(scratch.path().join("model.pml"), model).expect("a file");
    for kilobytes in ["12582912", "3000000"] {
        let call = "exec \"$1\" check model.pml --plain --threads 2 --alone 0 --engine monolithic";
        let mut command = Command::new("sh");
        command.current_dir(scratch.path()).args(["-c", &format!("ulimit -v $0; {call}")]);
        command.args([kilobytes, env!("CARGO_BIN_EXE_resy")]);
        let output = process::run(&mut command, scratch.path(), Duration::from_secs(100));
        let output = output.expect("resy runs");
        assert_eq!(output.ending, Ending::Exit(0), "{}", output.all_text());
        // As many as spin 6.5.2 stores (-o3, -DNOREDUCE -DSAFETY).
        assert!(output.stdout.contains("397954 states"), "{}", output.all_text());
    }
}

#[test]
fn cutting_into_components() {
    let network = ["check", "model.pml", "--without", "end-states", "--engine", "network"];
    ends_in_time(GROWS, &network);
    ends_in_time(GROWS, &["check", "model.pml", "--certificate", "model.cert"]);
    ends_in_time(GROWS, &["lts", "model.pml", "--budget", "2000000"]);
    ends_in_time(GROWS, &["contract", "init", "model.pml"]);
}
