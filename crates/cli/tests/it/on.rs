//! One command that starts the others: the same answers as one process, whatever stands in for `ssh`.

use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A stand-in for `ssh`: runs the command here, in another folder; notes its arguments and its process.
fn stand_in(folder: &Path) -> PathBuf {
    let file = folder.join("rsh");
    let notes = folder.display();
    let text = format!(
        "#!/bin/sh\necho \"$*\" >> '{notes}/calls'\necho $$ > '{notes}/pid'\n\
         [ \"$1\" = nobody ] && {{ echo no such host >&2; exit 255; }}\n\
         echo Welcome to $1\nshift\ncd /\nexec \"$@\"\n"
    );
    std::fs::write(&file, text).expect("a file");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("a program");
    file
}

fn start(folder: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .env("RESY_RSH", stand_in(folder))
        .env("RESY_REMOTE", env!("CARGO_BIN_EXE_resy"))
        .env_remove("SSH_CONNECTION")
        .args(["check", "--json", "--alone", "0"])
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("resy runs")
}

fn on(folder: &Path, args: &[&str]) -> Output {
    start(folder, args).wait_with_output().expect("resy ends")
}

fn alone(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resy"))
        .current_dir(models_dir())
        .args(["check", "--json", "--threads", "1"])
        .args(args)
        .output()
        .expect("resy runs")
}

/// Exit code, verdict and counts.
fn answer(output: &Output) -> (Option<i32>, [Value; 4]) {
    let error = String::from_utf8_lossy(&output.stderr);
    let value: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {error}"));
    let count = |name: &str| value["stats"][name].clone();
    let counts = [value["verdict"].clone(), count("states"), count("transitions"), count("depth")];
    (output.status.code(), counts)
}

#[test]
fn hosts_that_are_started_answer_as_one_process() {
    let scratch = Scratch::new("on").expect("a folder");
    for model in ["mutex/peterson.pml", "violated/assert_in_atomic.pml", "mutex/bakery.pml"] {
        let args = ["--plain", "--exhaustive", model];
        let output = on(scratch.path(), &[&["--on", "a,localhost:2,b:2"], &args[..]].concat());
        assert_eq!(answer(&output), answer(&alone(&args)), "{model}");
    }
    let calls = std::fs::read_to_string(scratch.path().join("calls")).expect("calls");
    let resy = env!("CARGO_BIN_EXE_resy");
    let mut lines: Vec<&str> = calls.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines, [format!("a {resy} host"), format!("b {resy} host")], "no key, no model");
    assert_eq!(calls.lines().count(), 6, "threads, not processes");
}

/// The texts are sent: on the other host there are no files.
#[test]
fn a_model_of_several_files_is_sent() {
    let scratch = Scratch::new("on").expect("a folder");
    let write = |name: &str, text: &str| {
        let file = scratch.path().join(name);
        std::fs::write(&file, text).expect("a file");
        file.to_str().expect("a plain path").to_owned()
    };
    write("steps.h", "#define STEP x = (x + 1) % N\n");
    let claim = write("claim", "never { do :: x == 3 -> break :: else od }\n");
    let text = "#include \"steps.h\"\nbyte x;\nactive proctype P() { do :: STEP od }\n";
    let model = write("m.pml", text);
    let trail = scratch.path().join("trail");
    let args =
        ["-DN=4", "--claim", &claim, "--property", "never", "--plain", "--exhaustive", &model];
    let trail = ["--trail", trail.to_str().expect("a plain path")];
    let output = on(scratch.path(), &[&["--on", "a"], &args[..], &trail].concat());
    assert_eq!(answer(&output), answer(&alone(&args)));
    assert_eq!(output.status.code(), Some(1));
    assert!(scratch.path().join("trail").exists());
}

#[test]
fn a_host_that_cannot_be_started_is_named() {
    let scratch = Scratch::new("on").expect("a folder");
    let output = on(scratch.path(), &["--on", "a,nobody", "mutex/peterson.pml"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(answer(&output).0, Some(2));
    assert!(error.contains("nobody: no such host"), "{error}");
    assert!(error.contains("resy could not be started on nobody"), "{error}");
    let wrong = on(scratch.path(), &["--on", "a", "beginner/no_such_model.pml"]);
    assert_eq!(wrong.status.code(), Some(2));
    let calls = std::fs::read_to_string(scratch.path().join("calls")).expect("calls");
    assert_eq!(calls.lines().count(), 2, "a model that cannot be read needs no hosts");
}

#[test]
fn after_a_loss_the_search_goes_on() {
    let scratch = Scratch::new("on").expect("a folder");
    let model = models_dir().join("../bench/models/msi_bus.pml");
    let model = ["--plain", model.to_str().expect("a plain path")];
    let whole = answer(&alone(&model));
    let folder = scratch.path().join("saved");
    let saves = ["--checkpoint-every", "0.05", "--checkpoint", folder.to_str().expect("text")];
    let child = start(scratch.path(), &[&["--on", "a"], &model[..], &saves].concat());
    // Whoever has two saves of each host has a complete one.
    let has_saved = || {
        let shares = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        shares.filter(|share| share.path().is_dir()).count() >= 2
    };
    for _ in 0..400 {
        if has_saved() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let pid = std::fs::read_to_string(scratch.path().join("pid")).expect("a process");
    let _ = Command::new("kill").args(["-9", pid.trim()]).status();
    let output = child.wait_with_output().expect("resy ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(answer(&output), whole, "{error}");
    let n_calls = std::fs::read_to_string(scratch.path().join("calls")).expect("calls");
    let is_again = n_calls.lines().count() == 2;
    assert_eq!(is_again, error.contains("goes on from the last save"), "{error}");
    assert!(is_again, "the search had ended before the host was lost");
}
