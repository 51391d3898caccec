//! Hosts that share a key, and strangers that do not have it: they neither end a search nor change its answer.

use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How many strangers come. Raise it for a campaign.
const STRANGERS: usize = 300;
const KEY: &str = "0123456789abcdef0123456789abcdef";
const MODEL: &str = "mutex/bakery.pml";

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

fn list(folder: &Path, name: &str, ports: [u16; 2]) -> PathBuf {
    let file = folder.join(name);
    let lines = ports.map(|port| format!("127.0.0.1:{port}\n")).concat();
    std::fs::write(&file, lines).expect("a file");
    file
}

fn command(hosts: &Path, index: usize, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command
        .current_dir(models_dir())
        .env_remove("RESY_HOSTS_KEY")
        .args(["check", "-q", "--json", "--plain", "--threads", "1", "--alone", "0"])
        .args(["--host-index", &index.to_string(), "--hosts"])
        .arg(hosts)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(hosts: &Path, index: usize, key: &str, args: &[&str]) -> Child {
    command(hosts, index, args).env("RESY_HOSTS_KEY", key).spawn().expect("resy runs")
}

fn end(child: Child) -> Output {
    child.wait_with_output().expect("resy ends")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Verdict and counts; they do not depend on the number of workers.
fn answer(output: &Output) -> [Value; 4] {
    let value: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(output)));
    let stats = ["states", "transitions", "depth"].map(|name| value["stats"][name].clone());
    let [states, transitions, depth] = stats;
    [value["verdict"].clone(), states, transitions, depth]
}

fn alone() -> [Value; 4] {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(["check", "-q", "--json", "--plain", "--threads", "1", MODEL])
        .output();
    answer(&output.expect("resy runs"))
}

#[test]
fn a_key_comes_from_a_file_or_from_the_environment() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let hosts = list(scratch.path(), "hosts", [free_port(), free_port()]);
    let file = scratch.path().join("key");
    std::fs::write(&file, format!("{KEY}\n")).expect("a file");
    let first = command(&hosts, 0, &["--hosts-key", file.to_str().expect("text"), MODEL]).spawn();
    let second = start(&hosts, 1, KEY, &[MODEL]);
    let (first, second) = (end(first.expect("resy runs")), end(second));
    assert_eq!(answer(&first), alone());
    assert_eq!(second.status.code(), first.status.code(), "{}", text(&second));
    assert!(!text(&first).contains("stranger"), "{}", text(&first));
}

#[test]
fn hosts_with_different_keys_do_not_meet() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let hosts = list(scratch.path(), "hosts", [free_port(), free_port()]);
    let args = ["--timeout", "2", MODEL];
    let other = "another key of another search";
    let children = [start(&hosts, 0, KEY, &args), start(&hosts, 1, other, &args)];
    for output in children.map(end) {
        let text = text(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        for part in ["a host did not appear", "ignored a stranger at 127.0.0.1", "another key"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn without_a_key_hosts_are_on_one_machine() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let hosts = scratch.path().join("hosts");
    std::fs::write(&hosts, "127.0.0.1:4001\n192.0.2.1:4001\n").expect("a file");
    let output = command(&hosts, 0, &[MODEL]).output().expect("resy runs");
    assert_eq!(output.status.code(), Some(2));
    let text = text(&output);
    assert!(text.contains("192.0.2.1:4001") && text.contains("--hosts-key"), "{text}");
    let output = command(&hosts, 0, &[MODEL]).env("RESY_HOSTS_KEY", "short").output();
    let output = output.expect("resy runs");
    assert_eq!(output.status.code(), Some(2));
    let text = self::text(&output);
    assert!(text.contains("RESY_HOSTS_KEY: a key has at least 16 bytes"), "{text}");
}

/// Numbers that look random.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed >> 33
}

/// A stranger says something that is wrong in one way or another.
fn visit(port: u16, seed: &mut u64, silent: &mut Vec<TcpStream>) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
    let random: Vec<u8> = (0..next(seed) % 300).map(|_| next(seed) as u8).collect();
    let hello = [&b"resy-2\r\n"[..], &[next(seed) as u8; 32]].concat();
    let old = [&b"resy-1\r\n"[..], &[0; 24]].concat();
    let n = next(seed);
    let _ = match n % 7 {
        0 => stream.write_all(&random),
        1 => stream.write_all(&old),
        2 => stream.write_all(&hello[..1 + (n / 7 % 40) as usize]),
        3 => stream.write_all(&[&hello[..], &random].concat()),
        4 => stream.write_all(&[&hello[..], &[1, 0, 0, 0, 0, 0, 0, 0], &[0xff; 200]].concat()),
        5 => stream.write_all(&[0xff; 40]),
        _ => Ok(()),
    };
    match n / 7 % 3 {
        0 => silent.push(stream),
        1 => drop(stream.read(&mut [0; 100])),
        _ => {}
    }
    true
}

#[test]
fn strangers_do_not_end_a_search() {
    let scratch = Scratch::new("hosts").expect("a folder");
    let ports = [free_port(), free_port()];
    let hosts = list(scratch.path(), "hosts", ports);
    let mut first = start(&hosts, 0, KEY, &[MODEL]);
    let (mut seed, mut silent, mut n) = (17, Vec::new(), 0);
    while n < STRANGERS {
        let ended = first.try_wait().expect("a child");
        assert_eq!(ended, None, "after {n} strangers");
        match visit(ports[0], &mut seed, &mut silent) {
            true => n += 1,
            false => thread::sleep(Duration::from_millis(5)),
        }
        // Those that wait in silence keep the most recent connections.
        let n_old = silent.len().saturating_sub(200);
        silent.drain(..n_old);
    }
    // More of them come while the hosts meet.
    let done = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&done);
    let visitors = thread::spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            visit(ports[0], &mut seed, &mut silent);
            thread::sleep(Duration::from_millis(1));
        }
    });
    let second = start(&hosts, 1, KEY, &[MODEL]);
    let (first, second) = (end(first), end(second));
    done.store(true, Ordering::Relaxed);
    visitors.join().expect("it ends");
    assert_eq!(answer(&first), alone());
    assert_eq!(first.status.code(), second.status.code(), "{}", text(&second));
    let text = text(&first);
    assert!(text.contains("resy: ignored a stranger at 127.0.0.1"), "{text}");
    assert!(text.lines().count() < 30, "not all are reported: {text}");
}

/// Passes bytes on, and flips a bit of one of them.
fn pass(mut from: TcpStream, mut to: TcpStream, flip: Option<usize>, n_flips: &AtomicUsize) {
    let (mut bytes, mut passed) = ([0; 4096], 0);
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        if let Some(at) = flip.and_then(|at| at.checked_sub(passed)).filter(|&at| at < n) {
            bytes[at] ^= 0x10;
            n_flips.fetch_add(1, Ordering::Relaxed);
        }
        passed += n;
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// A host in the middle: the first connection is for data, the second one is the heartbeat. `flip` has the
/// connection, whether the bytes are those of the caller, and the position.
fn middle(port: u16, flip: (usize, bool, usize)) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let own = listener.local_addr().expect("an address").port();
    let n_flips = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_flips);
    thread::spawn(move || {
        let mut n = 0;
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { continue };
            let at = |caller| (flip.0 == n && flip.1 == caller).then_some(flip.2);
            let ways = [(&near, &far, at(true)), (&far, &near, at(false))];
            for (from, to, at) in ways {
                let (from, to) = (from.try_clone().expect("open"), to.try_clone().expect("open"));
                let counter = Arc::clone(&counter);
                thread::spawn(move || pass(from, to, at, &counter));
            }
            n += 1;
        }
    });
    (own, n_flips)
}

#[test]
fn a_flipped_byte_is_a_lost_host() {
    let flips =
        [(0, true, 200), (0, false, 203), (0, true, 5000), (0, false, 9001), (1, true, 120)];
    let expected = alone();
    for flip in flips {
        let scratch = Scratch::new("hosts").expect("a folder");
        let ports = [free_port(), free_port()];
        let hosts = list(scratch.path(), "hosts", ports);
        let first = start(&hosts, 0, KEY, &[MODEL]);
        // The other host meets the one in the middle when the first one listens.
        while TcpStream::connect(("127.0.0.1", ports[0])).is_err() {
            thread::sleep(Duration::from_millis(5));
        }
        let (port, n_flips) = middle(ports[0], flip);
        let hosts = list(scratch.path(), "others", [port, ports[1]]);
        let second = start(&hosts, 1, KEY, &[MODEL]);
        let (first, second) = (end(first), end(second));
        if n_flips.load(Ordering::Relaxed) == 0 {
            assert_eq!(flip.0, 1, "{flip:?}: only a heartbeat may end before");
            assert_eq!(answer(&first), expected);
            continue;
        }
        for output in [&first, &second] {
            let text = text(output);
            assert_eq!(output.status.code(), Some(3), "{flip:?}: {text}");
            assert!(text.contains("a host was lost"), "{flip:?}: {text}");
        }
    }
}
