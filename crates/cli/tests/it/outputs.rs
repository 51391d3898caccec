//! Nothing is lost: a file that cannot be written costs no verdict.
//!
//! Tests may run as a user whom no permission stops, so that what cannot be written here is a file
//! below a file, a folder, and a device that is always full.

use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HOLDS: &str = "byte x; active proctype P() { do :: x < 2 -> x++ :: x > 0 -> x-- od }\n\
                     active proctype Q() { do :: assert(x < 3) od }\n";
const FAILS: &str = "byte x; active proctype P() { do :: x++ od }\n\
                     active proctype Q() { do :: assert(x < 3) od }\n";

fn resy(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(folder).args(args).output().expect("resy runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with both models, a file that is not a folder, and a file whose content matters.
fn scratch() -> Scratch {
    let scratch = Scratch::new("outputs").expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(scratch.path().join(name), text).expect("a file");
    write("holds.pml", HOLDS);
    write("fails.pml", FAILS);
    write("file", "precious");
    scratch
}

/// The call warns before the search, prints what it has found, and ends with 2.
fn keeps_its_verdict(folder: &Path, args: &[&str], expected: &str) {
    let output = resy(folder, args);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{args:?}: {out}{err}");
    assert!(err.contains("warning: cannot write"), "{args:?}: {err}");
    assert!(out.contains(expected), "{args:?}: no `{expected}` in {out}{err}");
}

#[test]
fn a_file_that_cannot_be_written_costs_no_verdict() {
    let scratch = scratch();
    let folder = scratch.path();
    let check = ["check", "--without", "end-states"];
    let calls: &[(&[&str], &str)] = &[
        (&["--report", "file/r.html", "holds.pml"], "holds:"),
        (&["--report", ".", "holds.pml"], "holds:"),
        (&["--trail", "no/such/folder/t", "fails.pml"], "fails:"),
        (&["--trail", "file/t", "holds.pml"], "holds:"),
        (&["--chart=file/c.svg", "fails.pml"], "fails:"),
        (&["--certificate", "file/c", "holds.pml"], "holds:"),
        (&["--checkpoint", "file/c", "--plain", "holds.pml"], "holds:"),
        (&["--report", "file/r.html", "--json", "fails.pml"], "\"verdict\":\"fails\""),
        (&["--report", "file/r.html", "--format", "sarif", "fails.pml"], "assertion violated"),
    ];
    for (args, expected) in calls {
        keeps_its_verdict(folder, &[&check, *args].concat(), expected);
    }
    let assume = ["assume", "--module", "P", "holds.pml"];
    for args in [["-o", "file/r.json"], ["--trace-csv", "file/t"], ["--certificate", "file/c"]] {
        keeps_its_verdict(folder, &[&assume[..], &args].concat(), "assertions, runtime: holds");
    }
    keeps_its_verdict(folder, &["lts", "-o", "file/lts", "holds.pml"], "component");
    let init = ["contract", "init", "-o", "file/c", "holds.pml"];
    keeps_its_verdict(folder, &init, "holds: the requirements prove it together");
    assert_eq!(fs::read_to_string(folder.join("file")).expect("it is there"), "precious");
}

/// The requirement that cannot be written is shown instead.
#[test]
fn a_requirement_that_cannot_be_written_is_printed() {
    let scratch = scratch();
    let args = ["assume", "--module", "P", "holds.pml", "-o", "file/r.json"];
    let output = resy(scratch.path(), &args);
    assert!(text(&output.stdout).contains("In words:"), "{}", text(&output.stdout));
    let unknown = resy(scratch.path(), &["assume", "--module", "P", "holds.pml", "-o", "r.xyz"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(unknown.stdout.is_empty(), "the extension is wrong before anything is computed");
}

/// What can be created is not left behind, and what is there is not touched, if there is nothing to
/// write.
#[test]
fn the_check_changes_nothing() {
    let scratch = scratch();
    let folder = scratch.path();
    let before =
        fs::metadata(folder.join("file")).and_then(|meta| meta.modified()).expect("a time");
    for trail in ["file", "new"] {
        let output = resy(folder, &["check", "--trail", trail, "holds.pml"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let checkpoint = ["check", "--plain", "--checkpoint", "a/b", "no_such.pml"];
    assert_eq!(resy(folder, &checkpoint).status.code(), Some(2));
    let after = fs::metadata(folder.join("file")).and_then(|meta| meta.modified()).expect("a time");
    assert_eq!(before, after);
    assert_eq!(fs::read_to_string(folder.join("file")).expect("it is there"), "precious");
    assert!(!folder.join("new").exists() && !folder.join("a").exists());
}

/// The device is full only when it is written to.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_no_verdict() {
    let scratch = scratch();
    let folder = scratch.path();
    let calls: &[(&[&str], &str)] = &[
        (&["check", "--report", "/dev/full", "holds.pml"], "holds:"),
        (&["check", "--trail", "/dev/full", "fails.pml"], "fails:"),
        (&["assume", "--module", "P", "--trace-csv", "/dev/full", "holds.pml"], "holds"),
        (&["contract", "init", "--force", "-o", "/dev/full", "holds.pml"], "prove it together"),
    ];
    for (args, expected) in calls {
        let output = resy(folder, args);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{args:?}: {out}{err}");
        assert!(err.contains("cannot write /dev/full"), "{args:?}: {err}");
        assert!(out.contains(expected), "{args:?}: {out}{err}");
        assert!(!out.contains("written to"), "{args:?}: {out}");
    }
    // The standard output itself: the files are written, and the result is told elsewhere.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(folder).args(["check", "--report", "r.html", "fails.pml"]).stdout(full);
    let output = command.output().expect("resy runs");
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("cannot write the output") && err.contains("the result: fails"), "{err}");
    assert!(folder.join("r.html").exists());
}

/// A search whose folder disappears goes on, and its end says that nothing is saved.
#[test]
fn a_checkpoint_that_disappears_costs_no_verdict() {
    let scratch = scratch();
    let folder = scratch.path();
    let model = "byte a, b, c; active proctype P() { do :: a++ od } active proctype Q() { do :: b++ od } \
                 active proctype R() { do :: c < 4 -> c++ od }";
    fs::write(folder.join("grows.pml"), model).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let options = ["check", "--plain", "--threads", "1", "--checkpoint", "saved", "--json"];
    command.current_dir(folder).args(options).args(["--checkpoint-every", "0.01", "grows.pml"]);
    let pipe = std::process::Stdio::piped;
    let child = command.stdout(pipe()).stderr(pipe()).spawn().expect("resy runs");
    // The folder is complete when something was saved.
    let is_save = |name: &str| name.starts_with("meta-");
    let has_save = || {
        let entries = fs::read_dir(folder.join("saved")).into_iter().flatten().flatten();
        entries.into_iter().any(|e| e.file_name().to_str().is_some_and(is_save))
    };
    while !has_save() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // A search that saves at this moment may make the folder again.
    for n in 0.. {
        fs::rename(folder.join("saved"), folder.join(format!("gone{n}"))).expect("it was there");
        if fs::write(folder.join("saved"), "in the way").is_ok() {
            break;
        }
    }
    let output = child.wait_with_output().expect("it ends");
    let object: Value = serde_json::from_slice(&output.stdout).expect("a verdict");
    assert_eq!(object["verdict"], "holds", "{object}");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("could not be saved"), "{}", text(&output.stderr));
}
