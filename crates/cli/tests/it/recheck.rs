//! `resy recheck`: accepted, rejected with a reason, or unreadable.

use resy_automata::text::network_file;
use resy_compose::{Split, evidence, refine};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn resy(args: &[&str]) -> Output {
    let resy = Command::new(env!("CARGO_BIN_EXE_resy")).current_dir(ROOT).args(args).output();
    resy.expect("resy runs")
}

/// The exit code and what is printed.
fn answer(args: &[&str]) -> (Option<i32>, String) {
    let output = resy(args);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn example(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join("docs/examples").join(name)).expect("an example")
}

/// The certificate of a network file.
fn certificate(text: &str) -> String {
    let load = &mut |path: &str| Err(path.to_owned());
    let (network, _) = network_file::read("example", text, &[], load).expect("a network");
    let split = Split::of(&network, 1000).expect("a split");
    let requirement = refine::assume(&split, refine::alternating, |_| true);
    let proof = evidence::of_requirement(&split, &requirement, 1000).expect("it holds");
    let certificate = resy_certificate::network::certify(&network, proof).expect("it has names");
    resy_certificate::text::write(&certificate)
}

#[test]
fn the_example_of_the_documentation_is_up_to_date() {
    let (found, expected) = (example("buffer.cert"), certificate(&example("buffer.net")));
    assert!(found == expected, "docs/examples/buffer.cert should be:\n{expected}");
}

#[test]
fn json_says_the_same() {
    let json = |args: &[&str]| -> Value {
        serde_json::from_slice(&resy(args).stdout).expect("one JSON object")
    };
    let accepted = json(&["recheck", "--json", "docs/examples/buffer.cert"]);
    assert_eq!(accepted["verdict"], "accepted");
    assert_eq!(accepted["requirement_states"], 2);
    assert_eq!(accepted["module"][0], "Buffer");
    let rejected =
        json(&["recheck", "--json", "docs/examples/buffer.cert", "docs/examples/overflow.net"]);
    assert_eq!((&rejected["verdict"], &rejected["action"]), (&"rejected".into(), &"put".into()));
    assert_eq!(rejected["run"].as_array().map(Vec::len), Some(2));
}

#[test]
fn damage_is_rejected_by_name_and_noise_is_unreadable() {
    let folder = Scratch::new("recheck").expect("a folder");
    let path = folder.path().join("damaged.cert").display().to_string();
    let text = example("buffer.cert");
    let changes = [
        ("|(0, \"put\", 0)", "|(0, \"put\", 1)", 1, "obligation `text`"),
        ("\n2 0 Buffer", "\n3 0 Buffer", 1, "obligation `names`"),
        ("\ninvariant 4\n0 0 0\n", "\ninvariant 3\n", 1, "obligation `inductive-start`"),
        ("\nabout all\n", "\nabout 0\n", 1, "obligation `covered`"),
        ("resy certificate 1", "resy certificate 2", 2, "line 1"),
        ("\nend\n", "\n", 2, "line"),
    ];
    for (from, to, code, reason) in changes {
        assert!(text.contains(from), "{from} is not in\n{text}");
        std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
        let (found, output) = answer(&["recheck", &path]);
        assert_eq!((found, output.contains(reason)), (Some(code), true), "{from}: {output}");
    }
    assert_eq!(answer(&["recheck", "no such file"]).0, Some(2));
    assert_eq!(answer(&["recheck", "docs/examples/buffer.cert", "no such file.net"]).0, Some(2));
}

#[test]
fn only_the_module_may_change() {
    let folder = Scratch::new("recheck").expect("a folder");
    let path = folder.path().join("changed.net").display().to_string();
    let text = example("buffer.net");
    let changes = [
        ("(1, i, 0)", "(1, i, 1)", "component `Receiver` is not the same"),
        ("(1, accept, 0)\nmodule", "(1, accept, 1)\nmodule", "the monitor is not the same"),
        ("component Sender", "component Source", "component `Sender` is not the same"),
        ("module Buffer", "", "the network names no module"),
    ];
    for (from, to, reason) in changes {
        assert!(text.contains(from), "{from}");
        std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
        let (code, output) = answer(&["recheck", "docs/examples/buffer.cert", &path]);
        assert_eq!((code, output.contains(reason)), (Some(1), true), "{from}: {output}");
    }
    // A buffer that loses messages is as good.
    let lossy = text.replacen(
        "des (0, 2, 2)\n  (0, put, 1)",
        "des (0, 3, 2)\n  (0, put, 1)\n  (1, lose, 1)",
        1,
    );
    std::fs::write(&path, lossy).expect("a file");
    assert_eq!(answer(&["recheck", "docs/examples/buffer.cert", &path]).0, Some(0));
}

/// People read the names of actions, so that these must be true as well.
#[test]
fn an_action_cannot_be_called_something_else() {
    let text = example("lock.cert");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line.starts_with("actions ")).expect("actions") + 1;
    lines[first].push_str(" or not");
    let scratch = Scratch::new("names").expect("a folder");
    let file = scratch.path().join("renamed.cert");
    std::fs::write(&file, lines.join("\n") + "\n").expect("a file");
    let (code, said) = answer(&["recheck", file.to_str().expect("text")]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("obligation `names`") && said.contains("should be called"), "{said}");
}

/// What was left out is noted: the checker expected the claims of the text.
#[test]
fn a_certificate_without_claims_is_accepted() {
    let scratch = Scratch::new("claims").expect("a folder");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let (model, certificate) = (path("model.pml"), path("model.cert"));
    let text = "bit x; ltl small { [] (x < 2) }
active proctype P() { do :: x = 1 - x; assert(x < 2) od }\n";
    std::fs::write(&model, text).expect("a file");
    let engine = ["check", "-q", "--engine", "network", "--without", "end-states", "--no-claims"];
    let (code, said) = answer(&[&engine[..], &["--certificate", &certificate, &model]].concat());
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = answer(&["recheck", &certificate]);
    assert_eq!(code, Some(0), "{said}");
    let written = std::fs::read_to_string(&certificate).expect("a certificate");
    assert!(written.contains("\nwithout small\n"), "{written}");
}
