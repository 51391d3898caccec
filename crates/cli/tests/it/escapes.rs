//! What a model or a file name says never steers a terminal: no control character and no mark of
//! direction comes out of any command, and no name looks like a line of its own.

use resy_testkit::scratch::Scratch;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// An escape sequence, a bell, a return, a sequence of one character (CSI), marks of direction.
const EVIL: &str = "\u{1b}[31mred\u{7}\r\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{7f}";

fn resy(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(folder).args(args).env("LC_ALL", "C.UTF-8").output().expect("resy runs")
}

fn is_evil(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\t');
    let is_direction = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    (c.is_control() && !is_layout) || is_direction
}

fn assert_harmless(args: &[&str], stream: &str, bytes: &[u8]) {
    let text = String::from_utf8(bytes.to_vec());
    let text = text.unwrap_or_else(|error| panic!("{args:?}: {stream}: {error}"));
    let evil = text.lines().find(|line| line.contains(is_evil));
    assert!(evil.is_none(), "{args:?}: {stream}: {evil:?}");
    let fake = text.lines().find(|line| line.starts_with("FAKE"));
    assert!(fake.is_none(), "{args:?}: {stream}: {fake:?}");
}

/// The exit codes that the calls have shown; all of them must be harmless.
fn run(folder: &Path, calls: &[Vec<&str>]) {
    for call in calls {
        let output = resy(folder, call);
        assert!(output.status.code().is_some_and(|code| code < 4), "{call:?}: {output:?}");
        assert_harmless(call, "stdout", &output.stdout);
        assert_harmless(call, "stderr", &output.stderr);
    }
}

/// A name with all of it, and with a line end.
fn name(extension: &str) -> String {
    format!("m{EVIL}\nFAKE: holds{extension}")
}

/// A return ends a string, but it can be printed.
fn program(assertion: &str) -> String {
    let evil = EVIL.replace('\r', "\\r");
    format!(
        "/* {EVIL} */\nbyte x;\nactive proctype P() {{ printf(\"{evil} %d\\n\", x); x++; {assertion} }}\n\
         active proctype Q() {{ do :: x < 1 -> printf(\"{evil}\") :: x > 0 -> break od }}\n"
    )
}

#[test]
fn programs_and_their_names_are_harmless() {
    let scratch = Scratch::new("escapes").expect("a folder");
    let folder = scratch.path();
    let (good, bad, wrong) = (name(".pml"), name("_bad.pml"), name("_wrong.pml"));
    let (trail, cert, contract, missing) =
        (name(".trail"), name(".cert"), name(".contract"), name("_missing.pml"));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write(&good, &program("assert(x < 3)"));
    write(&bad, &program("assert(x > 3)"));
    let error = format!("x = \"{EVIL}\" + {EVIL} y{EVIL};\n#include \"no{EVIL}\"\n#error {EVIL}\n");
    write(&wrong, &program(&format!("\n{error}\n")));
    let (good, bad, wrong) = (good.as_str(), bad.as_str(), wrong.as_str());
    assert_eq!(resy(folder, &["check", good]).status.code(), Some(0));
    assert_eq!(resy(folder, &["check", bad]).status.code(), Some(1));
    let mut calls: Vec<Vec<&str>> = vec![
        vec!["check", "-v", good],
        vec!["check", "-v", "--trail", &trail, bad],
        vec!["check", "--chart", bad],
        vec!["check", "--as-found", "--engine", "network", "--without", "end-states", bad],
        vec![
            "check",
            "--report",
            "r.html",
            "--certificate",
            &cert,
            "--without",
            "end-states",
            good,
        ],
        vec!["check", "--trail", "no/such\u{1b}/folder", bad],
        vec!["check", "--property", EVIL, good],
        vec!["check", "--engine", EVIL, good],
        vec!["check", EVIL, EVIL, EVIL],
        vec!["check", "--ltl", EVIL, good],
        vec!["check", "--claim", &missing, good],
        vec!["check", "-D", EVIL, good],
        vec!["check", "--checkpoint", &missing, "--plain", good],
        vec!["check", "--resume", &missing, good],
        vec!["check", "--hosts", &missing, "--host-index", "0", good],
        vec!["assume", "--module", "P", good],
        vec!["assume", "--module", EVIL, good],
        vec!["assume", "--module", "P", "-o", EVIL, good],
        vec!["assume", "--module", "P", bad],
        vec!["spin", "--module", "P", good],
        vec!["lts", good],
        vec!["lts", "--format", "aut", good],
        vec!["lts", "--format", "dot", good],
        vec!["lts", "--format", "fsp", good],
        vec!["lts", "--format", "aut", "--tau", EVIL, good],
        vec!["recheck", &cert],
        vec!["recheck", &cert, bad],
        vec!["recheck", &missing],
        vec!["recheck", good],
        vec!["contract", "init", "-o", &contract, good],
        vec!["contract", "init", "-o", &contract, good],
        vec!["contract", "init", "-o", "-", good],
        vec!["contract", "init", bad],
        vec!["contract", "verify", "--contract", &contract, good],
        vec!["contract", "verify", "--contract", &contract, bad],
        vec!["contract", "verify", "--contract", good, good],
        vec!["contract", "verify", "--contract", &missing, good],
        vec!["simulate", "--seed", "1", "-v", good],
        vec!["simulate", "--seed", "1", bad],
        vec!["simulate", "--trail", &trail, bad],
        vec!["simulate", "--trail", good, bad],
        vec!["fmt", "--check", good],
        vec!["fmt", wrong],
        vec!["fmt", &missing],
        vec![EVIL],
    ];
    for format in ["json", "sarif", "itf", "mermaid"] {
        calls.push(vec!["check", "--format", format, bad]);
        calls.push(vec!["check", "--format", format, wrong]);
        calls.push(vec!["check", "--format", format, &missing]);
    }
    for command in ["check", "lts", "simulate", "fmt"] {
        calls.push(vec![command, wrong]);
        calls.push(vec![command, &missing]);
    }
    run(folder, &calls);
    // With colours, only our own sequences are there, and they say nothing of the text.
    let output = resy(folder, &["check", "--color", "always", wrong]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("\u{1b}[") && !text.contains("\u{1b}[31mred"), "{text}");
    assert!(!text.contains(|c| is_evil(c) && c != '\u{1b}'), "{text:?}");
    // A document that another program reads is exact.
    let formatted = resy(folder, &["fmt", good]).stdout;
    assert!(String::from_utf8_lossy(&formatted).contains("\u{1b}[31mred\u{7}"));
}

#[test]
fn networks_and_their_names_are_harmless() {
    let scratch = Scratch::new("escapes").expect("a folder");
    let folder = scratch.path();
    // Lines of a network file end at a return as well.
    let evil = EVIL.replace('\r', "");
    let network = format!(
        "network\ncomponent \"A{evil}\"\n  des (0,2,2)\n  (0,\"a{evil}\",1)\n  (1,\"b{evil}\",0)\n\
         component B\n  des (0,1,1)\n  (0,\"a{evil}\",0)\n\
         monitor\n  des (0,1,2)\n  (0,\"a{evil}\",1)\nmodule \"A{evil}\"\n"
    );
    let (good, wrong) = (name(".net"), name("_wrong.net"));
    fs::write(folder.join(&good), &network).expect("a file");
    fs::write(folder.join(&wrong), network.replace("des (0,2,2)", &evil)).expect("a file");
    let (good, wrong) = (good.as_str(), wrong.as_str());
    let output = resy(folder, &["lts", good]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut calls: Vec<Vec<&str>> = Vec::new();
    for file in [good, wrong] {
        calls.extend([
            vec!["check", "-v", file],
            vec!["check", "--json", file],
            vec!["check", "--engine", "network", file],
            vec!["check", "--format", "sarif", file],
            vec!["check", "--certificate", "c", file],
            vec!["assume", "--module", "A", file],
            vec!["lts", file],
            vec!["lts", "--json", file],
            vec!["lts", "--format", "aut", file],
            vec!["lts", "--format", "dot", file],
            vec!["contract", "init", "--force", "-o", "c", file],
            vec!["contract", "init", "-o", "-", file],
            vec!["contract", "verify", "--contract", "c", file],
            vec!["simulate", file],
        ]);
    }
    run(folder, &calls);
}

#[test]
fn processes_in_fsp_and_their_names_are_harmless() {
    let scratch = Scratch::new("escapes").expect("a folder");
    let folder = scratch.path();
    let processes =
        format!("/* {EVIL} */\nP = (a -> b -> P).\nproperty S = (b -> a -> S).\n||C = (P || S).\n");
    let (good, wrong) = (name(".lts"), name("_wrong.lts"));
    fs::write(folder.join(&good), &processes).expect("a file");
    let broken = format!("{processes}Q = (a{EVIL} -> Q{EVIL}).\nR = \"{EVIL}\"\n");
    fs::write(folder.join(&wrong), broken).expect("a file");
    assert_eq!(resy(folder, &["check", &good]).status.code(), Some(1));
    let mut calls: Vec<Vec<&str>> = Vec::new();
    for file in [good.as_str(), wrong.as_str()] {
        calls.extend([
            vec!["check", "-v", file],
            vec!["check", "--json", file],
            vec!["check", "--format", "sarif", file],
            vec!["check", "--composite", EVIL, file],
            vec!["check", "--property", EVIL, file],
            vec!["assume", "--module", "P", file],
            vec!["lts", file],
            vec!["lts", "--format", "fsp", file],
            vec!["lts", "--format", "svg", file],
            vec!["contract", "init", "-o", "-", file],
            vec!["simulate", file],
            vec!["fmt", "--check", file],
        ]);
    }
    calls.push(vec!["fmt", &wrong]);
    run(folder, &calls);
}
