//! Two processes that search together: the answers of one, and what happens when one
//! of them goes away.

use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two addresses on this machine at which nobody listens.
fn two_hosts(folder: &Path) -> PathBuf {
    let listen = || TcpListener::bind("127.0.0.1:0").expect("a free port");
    let listeners = [listen(), listen()];
    let lines = listeners.map(|l| format!("{}\n", l.local_addr().expect("an address")));
    let file = folder.join("hosts");
    std::fs::write(&file, lines.concat()).expect("a file");
    file
}

fn start(hosts: &Path, index: usize, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(["check", "-q", "--json", "--threads", "2", "--alone", "0", "--host-index"])
        .arg(index.to_string())
        .arg("--hosts")
        .arg(hosts)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("resy runs")
}

/// The outputs of two processes that search together.
fn together(first: &[&str], second: &[&str]) -> [Output; 2] {
    let scratch = Scratch::new("hosts").expect("a folder");
    let hosts = two_hosts(scratch.path());
    let children = [start(&hosts, 0, first), start(&hosts, 1, second)];
    children.map(|child| child.wait_with_output().expect("resy ends"))
}

/// What must be equal however many search.
fn answer(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    let mut value: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {error}"));
    value["stats"]["seconds"] = Value::Null;
    value["stats"]["peak_bytes"] = Value::Null;
    // How states are stored differs from worker to worker.
    value["stats"]["leaves"] = Value::Null;
    value["stats"]["nodes"] = Value::Null;
    for property in value["properties"].as_array_mut().into_iter().flatten() {
        let run = property["counterexample"]["steps"].as_array().map(Vec::is_empty);
        property["counterexample"] = run.into();
    }
    value
}

#[test]
fn two_processes_with_two_workers_answer_as_one() {
    let models = [
        "mutex/peterson.pml",
        "mutex/counting_semaphore.pml",
        "mutex/peterson_ltl.pml",
        "protocols/sliding_window.pml",
        "violated/lock_order.pml",
        "violated/both_kinds.pml",
        "violated/double_leader.pml",
        "violated/assert_in_atomic.pml",
    ];
    for model in models {
        let one = Command::new(env!("CARGO_BIN_EXE_resy"))
            .current_dir(models_dir())
            .args(["check", "-q", "--json", "--exhaustive", "--no-por", "--threads", "1", model])
            .output()
            .expect("resy runs");
        let [first, second] = together(&["--exhaustive", model], &["--exhaustive", model]);
        assert_eq!(answer(&first), answer(&one), "{model}");
        assert_eq!(first.status.code(), one.status.code(), "{model}");
        assert_eq!(second.status.code(), one.status.code(), "{model}: the other host");
        assert!(second.stdout.is_empty(), "{model}: only the first host prints");
    }
}

#[test]
fn hosts_with_different_options_refuse_each_other() {
    let model = "mutex/peterson.pml";
    let outputs = together(&[model], &[model, "--loss"]);
    for output in &outputs {
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("other options"), "{text}");
    }
}

#[test]
fn a_host_that_does_not_appear_leaves_the_verdict_unknown() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let hosts = two_hosts(scratch.path());
    for index in [0, 1] {
        let child = start(&hosts, index, &["--timeout", "0.3", "mutex/peterson.pml"]);
        let output = child.wait_with_output().expect("resy ends");
        assert_eq!(output.status.code(), Some(3), "host {index}");
    }
}

/// Some millions of states.
const COUNTERS: &str = "
    byte a, b, c, d;
    active proctype A() { do :: a < 50 -> a++ :: else -> a = 0 od }
    active proctype B() { do :: b < 50 -> b++ :: else -> b = 0 od }
    active proctype C() { do :: c < 50 -> c++ :: else -> c = 0 od }
    active proctype D() { do :: d < 50 -> d++ :: else -> d = 0 od }
";

#[test]
fn a_killed_host_leaves_the_verdict_unknown() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let model = scratch.path().join("counters.pml");
    std::fs::write(&model, COUNTERS).expect("a file");
    let model = model.to_str().expect("a plain path");
    for (turn, wait) in [250, 400, 1100].into_iter().enumerate() {
        let hosts = two_hosts(scratch.path());
        let mut children = [start(&hosts, 0, &[model]), start(&hosts, 1, &[model])];
        std::thread::sleep(Duration::from_millis(wait));
        let victim = turn % 2;
        children[victim].kill().expect("it runs");
        let killed = Instant::now();
        let [first, second] = children.map(|c| c.wait_with_output().expect("resy ends"));
        let (left, text) = match victim {
            0 => (&second, String::from_utf8_lossy(&second.stderr)),
            _ => (&first, String::from_utf8_lossy(&first.stdout)),
        };
        assert_eq!(left.status.code(), Some(3), "after {wait} ms: {text}");
        assert!(text.contains("unknown") && text.contains("a host was lost"), "{text}");
        assert!(killed.elapsed() < Duration::from_secs(8), "{:?}", killed.elapsed());
    }
}
