//! Two processes that search together: their answers are those of one process. Also what happens when
//! one of them ends.

use crate::saves::{Kept, kept, kill_after_a_save};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Free addresses on this machine.
fn free_hosts(folder: &Path, n: usize) -> PathBuf {
    let listen = |_| TcpListener::bind("127.0.0.1:0").expect("a free port");
    let listeners: Vec<TcpListener> = (0..n).map(listen).collect();
    let line = |l: &TcpListener| format!("{}\n", l.local_addr().expect("an address"));
    let file = folder.join("hosts");
    std::fs::write(&file, listeners.iter().map(line).collect::<String>()).expect("a file");
    file
}

fn two_hosts(folder: &Path) -> PathBuf {
    free_hosts(folder, 2)
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
    loop {
        let scratch = Scratch::new("hosts").expect("a folder");
        let hosts = two_hosts(scratch.path());
        let children = [start(&hosts, 0, first), start(&hosts, 1, second)];
        let outputs = children.map(|child| child.wait_with_output().expect("resy ends"));
        if !has_lost_a_port(&outputs) {
            return outputs;
        }
    }
}

/// A port that was free when it was chosen may be another test's by now.
fn has_lost_a_port(outputs: &[Output]) -> bool {
    let cannot = |o: &Output| String::from_utf8_lossy(&o.stderr).contains("cannot listen at");
    outputs.iter().any(cannot)
}

/// The part of an answer that does not depend on the number of workers.
fn answer(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    let mut value: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {error}"));
    value["stats"]["seconds"] = Value::Null;
    value["stats"]["peak_bytes"] = Value::Null;
    // How states are stored differs from worker to worker.
    value["stats"]["leaves"] = Value::Null;
    value["stats"]["nodes"] = Value::Null;
    value["stats"]["store"] = Value::Null;
    value["stats"]["bytes_per_state"] = Value::Null;
    for property in value["properties"].as_array_mut().into_iter().flatten() {
        let run = property["counterexample"]["steps"].as_array().map(Vec::is_empty);
        property["counterexample"] = run.into();
    }
    value
}

/// One thread, or two that share a store.
fn alone(threads: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(["check", "-q", "--json", "--alone", "0", "--threads", threads])
        .args(args)
        .output()
        .expect("resy runs")
}

/// What two threads, and two processes with two threads, answer otherwise than one.
fn differences(fixture: &Fixture) -> Vec<String> {
    let path = fixture.path.to_str().expect("a plain path");
    let defines: Vec<String> = fixture.defines.iter().map(|d| format!("-D{d}")).collect();
    let mut args = vec!["--exhaustive", "--no-por", path];
    args.extend(defines.iter().map(String::as_str));
    let (one, two) = (alone("1", &args), alone("2", &args));
    let [first, second] = together(&args, &args);
    let mut wrong = Vec::new();
    for (who, output) in [("two threads", &two), ("two processes", &first)] {
        if answer(output) != answer(&one) || output.status.code() != one.status.code() {
            let (theirs, ours) = (answer(output), answer(&one));
            wrong.push(format!("{}: {who}: {theirs}\nbut one: {ours}", fixture.name));
        }
    }
    if second.status.code() != one.status.code() || !second.stdout.is_empty() {
        let text = String::from_utf8_lossy(&second.stderr);
        wrong.push(format!("{}: the other host: {:?} {text}", fixture.name, second.status));
    }
    wrong
}

resy_testkit::each_model!(two_and_two_times_two_workers_answer_as_one, crate::hosts::case);

fn case(fixture: &Fixture) {
    let wrong = differences(fixture);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

/// More states than a search has visited before it is killed.
const COUNTERS: &str = "
    byte a, b, c, d;
    active proctype A() { do :: a < 120 -> a++ :: else -> a = 0 od }
    active proctype B() { do :: b < 120 -> b++ :: else -> b = 0 od }
    active proctype C() { do :: c < 120 -> c++ :: else -> c = 0 od }
    active proctype D() { do :: d < 120 -> d++ :: else -> d = 0 od }
";

#[test]
fn a_killed_host_leaves_the_verdict_unknown() {
    is_unknown_without_a_host(&[], &[250, 400, 1100]);
}

#[test]
fn a_host_killed_in_a_search_for_cycles_leaves_the_verdict_unknown() {
    let formula = "[] (a == 121 -> <> (b == 1))";
    is_unknown_without_a_host(&["--property", "formula", "--ltl", formula], &[1500]);
}

/// Kills one of two hosts after some milliseconds, each in its turn.
fn is_unknown_without_a_host(question: &[&str], waits: &[u64]) {
    let scratch = Scratch::new("hosts").expect("a folder");
    let model = scratch.path().join("counters.pml");
    std::fs::write(&model, COUNTERS).expect("a file");
    let model = model.to_str().expect("a plain path");
    for (turn, &wait) in waits.iter().enumerate() {
        let hosts = two_hosts(scratch.path());
        let args = [&["--no-por", model], question].concat();
        let mut children = [start(&hosts, 0, &args), start(&hosts, 1, &args)];
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

/// The first two of three have met; the third never comes.
#[test]
fn a_host_killed_while_others_connect_is_noticed_within_seconds() {
    for victim in [0, 1] {
        let scratch = Scratch::new("hosts").expect("a folder");
        let hosts = free_hosts(scratch.path(), 3);
        let model = "mutex/peterson.pml";
        let mut children = [start(&hosts, 0, &[model]), start(&hosts, 1, &[model])];
        std::thread::sleep(Duration::from_millis(600));
        children[victim].kill().expect("it runs");
        let killed = Instant::now();
        let outputs = children.map(|c| c.wait_with_output().expect("resy ends"));
        let left = &outputs[1 - victim];
        let text = String::from_utf8_lossy(&[&left.stdout[..], &left.stderr].concat()).into_owned();
        assert_eq!(left.status.code(), Some(3), "{victim}: {text}");
        assert!(text.contains("a host was lost"), "{victim}: {text}");
        assert!(killed.elapsed() < Duration::from_secs(6), "{victim}: {:?}", killed.elapsed());
    }
}

fn counts(output: &Output) -> (Option<i32>, [Value; 3]) {
    let stats = &answer(output)["stats"];
    (output.status.code(), ["states", "transitions", "depth"].map(|name| stats[name].clone()))
}

/// A folder with what two hosts have saved, one of which was killed, and their outputs.
fn killed_after_a_save(model: &[&str], victim: usize, pause: Duration) -> (Scratch, [Output; 2]) {
    loop {
        let scratch = Scratch::new("hosts").expect("a folder");
        let folder = scratch.path().join("saved");
        let hosts = two_hosts(scratch.path());
        let saved = ["--checkpoint-every", "0.05", "--checkpoint", folder.to_str().expect("text")];
        let args = [model, &saved].concat();
        let mut children = [start(&hosts, 0, &args), start(&hosts, 1, &args)];
        kill_after_a_save(&mut children[victim], &folder, pause);
        let outputs = children.map(|c| c.wait_with_output().expect("resy ends"));
        if has_lost_a_port(&outputs) {
            continue;
        }
        assert_ne!(kept(&folder), Kept::Nothing, "nothing was saved: {outputs:?}");
        return (scratch, outputs);
    }
}

/// One of two processes is killed, both go on; then one process goes on alone.
#[test]
fn killed_hosts_go_on_where_they_were_saved() {
    let model = models_dir().join("../bench/models/msi_bus.pml");
    let model = ["--plain", model.to_str().expect("a plain path")];
    let began = Instant::now();
    let whole = counts(&alone("2", &model));
    let time = began.elapsed();
    let mut n_resumed = 0;
    for round in 1..=4 {
        // Both hosts save between the same two rounds, but not in the same instant.
        let pause = Duration::from_millis(50) + time * round / 16;
        let (scratch, outputs) = killed_after_a_save(&model, round as usize % 2, pause);
        let folder = scratch.path().join("saved");
        let resume = ["--resume", folder.to_str().expect("text")];
        if round % 2 == 0 {
            let output = alone("3", &[&model[..], &resume].concat());
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            if text.contains("no save of which all shares are there") {
                continue;
            }
            assert_eq!(counts(&output), whole, "{round}: one process: {text}");
        } else {
            let args = [&model[..], &resume].concat();
            let [first, second] = together(&args, &args);
            let text = String::from_utf8_lossy(&first.stderr).into_owned();
            if text.contains("no save of which all shares are there") {
                continue;
            }
            assert_eq!(counts(&first), whole, "{round}: {:?}: {text}", outputs[0].status);
            assert_eq!(second.status.code(), whole.0, "{round}: the other host");
        }
        n_resumed += 1;
    }
    assert!(n_resumed > 1, "only {n_resumed} of 4 were saved in time");
}
