//! Long runs through the real binary: checkpoints, kills, interrupts, memory, lossy sets.

use crate::saves::{Kept, kept, kill_after_a_save};
use resy_testkit::fixtures::models_dir;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    command.current_dir(models_dir().join("../bench/models")).arg("check").arg("-q").args(args);
    command
}

fn resy(args: &[&str]) -> Output {
    command(args).output().expect("resy runs")
}

fn start(args: &[&str]) -> Child {
    command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("resy starts")
}

/// The exit code, and the JSON object.
fn json(args: &[&str]) -> (i32, Value) {
    let output = resy(&[args, &["--json"]].concat());
    let object = serde_json::from_slice(&output.stdout);
    let code = output.status.code().expect("resy exits by itself");
    let complaints = String::from_utf8_lossy(&output.stderr);
    (code, object.unwrap_or_else(|e| panic!("{args:?}: {e}: {complaints}")))
}

/// What must not depend on interruptions.
fn counts(result: &Value) -> [Value; 4] {
    let stats = &result["stats"];
    [&result["verdict"], &stats["states"], &stats["transitions"], &stats["depth"]].map(Value::clone)
}

/// What is said of a save that a kill left unfinished.
const NOT_WHOLE: &str = "no save of which all shares are there; begin again in an empty folder";

fn refusal(args: &[&str]) -> String {
    let output = resy(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args([name, &pid]).status().expect("kill runs");
    assert!(status.success());
}

/// Starts a search and sends Ctrl-C after a while.
fn interrupted(args: &[&str], after: Duration) -> (Output, Duration) {
    let child = start(args);
    std::thread::sleep(after);
    let before = Instant::now();
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    (output, before.elapsed())
}

#[test]
fn a_killed_search_goes_on_where_it_was_saved() {
    let several = &["msi_bus.pml", "--plain", "--threads", "2"];
    for options in [&["msi_bus.pml"][..], &["bakery.pml", "--plain", "--threads", "1"], several] {
        let model = options.to_vec();
        let started = Instant::now();
        let (code, whole) = json(&model);
        let time = started.elapsed();
        let mut n_resumed = 0;
        for round in 1..=5 {
            let scratch = Scratch::new("kill").expect("a folder");
            let folder = text(scratch.path());
            let save = ["--checkpoint", folder, "--checkpoint-every", "0.01"];
            let mut child = start(&[&model[..], &save].concat());
            if round <= 2 {
                std::thread::sleep(time * round / 6);
                child.kill().expect("it can be killed");
                child.wait().expect("it is gone");
            } else {
                kill_after_a_save(&mut child, scratch.path(), time * (round - 3) / 6);
            }
            let kept = kept(scratch.path());
            n_resumed += u32::from(kept == Kept::Whole);
            if kept == Kept::Part {
                let complaint = refusal(&[&model[..], &["--resume", folder]].concat());
                assert!(complaint.contains(NOT_WHOLE), "{complaint}");
                continue;
            }
            let how = if kept == Kept::Whole { "--resume" } else { "--checkpoint" };
            let (again, resumed) = json(&[&model[..], &[how, folder]].concat());
            assert_eq!((again, counts(&resumed)), (code, counts(&whole)), "{options:?} {round}");
        }
        assert!(n_resumed > 1, "{options:?}: only {n_resumed} of 5 were saved in time");
    }
}

#[test]
fn a_killed_search_for_cycles_goes_on_where_it_was_saved() {
    let formula = "[] (inside == 1 -> <> (inside == 0))";
    let question = ["--property", "formula", "--ltl", formula];
    let model =
        [&["lamport_fast.pml", "-DN=3", "--plain", "--threads", "1"][..], &question].concat();
    // A search that is saved is not one on the graph of the system, and has another depth.
    let undisturbed = Scratch::new("undisturbed").expect("a folder");
    let started = Instant::now();
    let (code, whole) = json(&[&model[..], &["--checkpoint", text(undisturbed.path())]].concat());
    let time = started.elapsed();
    let (plain_code, plain) = json(&model);
    assert_eq!((plain_code, &counts(&plain)[..3]), (code, &counts(&whole)[..3]));
    for round in 0..3 {
        let scratch = Scratch::new("cycles").expect("a folder");
        let (folder, every) = (text(scratch.path()), ["--checkpoint-every", "0.01"]);
        let mut child = start(&[&model[..], &["--checkpoint", folder], &every].concat());
        let saved = scratch.path().join("cycles-formula");
        kill_after_a_save(&mut child, &saved, time * round / 8);
        assert_eq!(kept(&saved), Kept::Whole, "the search saves itself");
        // A limit saves the search too.
        json(&[&model[..], &["--resume", folder, "--timeout", "0"]].concat());
        let (again, resumed) = json(&[&model[..], &["--resume", folder]].concat());
        assert_eq!((again, counts(&resumed)), (code, counts(&whole)), "{round}");
        let other = [&model[..], &["--resume", folder, "--fair", "weak"]].concat();
        let complaint = refusal(&other);
        assert!(complaint.contains("the fairness was `none` and is `weak`"), "{complaint}");
    }
    let empty = Scratch::new("empty").expect("a folder");
    let complaint = refusal(&[&model[..], &["--resume", text(empty.path())]].concat());
    assert!(complaint.contains("there is no checkpoint"), "{complaint}");
}

/// A kill may come when some workers have saved for the first time and others have not.
#[test]
fn a_first_save_without_all_shares_is_none() {
    let scratch = Scratch::new("part").expect("a folder");
    let folder = text(scratch.path());
    // The threads of a host have a share each, also of a single one.
    let list = Scratch::new("list").expect("a folder");
    let list = list.path().join("hosts");
    std::fs::write(&list, "127.0.0.1:0\n").expect("it can be written");
    let model = ["msi_bus.pml", "--plain", "--threads", "2", "--host-index", "0", "--hosts"];
    let model = [&model[..], &[text(&list)]].concat();
    json(&[&model[..], &["--checkpoint", folder]].concat());
    assert_eq!(kept(scratch.path()), Kept::Whole);
    let shares = std::fs::read_dir(scratch.path()).expect("a folder").flatten();
    let share = shares.map(|s| s.path()).max().expect("a share");
    for entry in std::fs::read_dir(&share).expect("a folder").flatten() {
        if entry.file_name().to_string_lossy().starts_with("meta-") {
            std::fs::remove_file(entry.path()).expect("it can be removed");
        }
    }
    assert_eq!(kept(scratch.path()), Kept::Part);
    let complaint = refusal(&[&model[..], &["--resume", folder]].concat());
    assert!(complaint.contains(NOT_WHOLE), "{complaint}");
    let complaint = refusal(&[&model[..], &["--checkpoint", folder]].concat());
    assert!(complaint.contains("already holds a checkpoint, or a part of one"), "{complaint}");
}

#[test]
fn a_limit_leaves_a_checkpoint_that_goes_on_without_it() {
    let (_, whole) = json(&["msi_bus.pml"]);
    let scratch = Scratch::new("limit").expect("a folder");
    let folder = text(scratch.path());
    let (code, first) = json(&["msi_bus.pml", "--checkpoint", folder, "--timeout", "0.1"]);
    assert_eq!((code, &first["verdict"]), (3, &"unknown".into()));
    let (_, second) = json(&["msi_bus.pml", "--resume", folder, "--timeout", "0.1"]);
    let states = |result: &Value| result["stats"]["states"].as_u64();
    assert!(states(&second) > states(&first), "it went on");
    let (code, third) = json(&["msi_bus.pml", "--resume", folder]);
    assert_eq!((code, counts(&third)), (0, counts(&whole)));
    let seconds = |result: &Value| result["stats"]["seconds"].as_f64();
    assert!(seconds(&third) > seconds(&second), "the time adds up");
    let (code, fourth) = json(&["msi_bus.pml", "--resume", folder, "--timeout", "0"]);
    assert_eq!((code, counts(&fourth)), (0, counts(&whole)), "it was complete");
}

/// The folder is saved by two and goes on with three, one, and two again.
#[test]
fn a_search_goes_on_with_another_number_of_threads() {
    let (_, whole) = json(&["msi_bus.pml", "--plain", "--threads", "1"]);
    let scratch = Scratch::new("threads").expect("a folder");
    let folder = text(scratch.path());
    let limit = ["msi_bus.pml", "--plain", "--checkpoint-every", "0.05", "--timeout"];
    let first = ["0.5", "--checkpoint", folder, "--threads", "2"];
    let (code, result) = json(&[&limit[..], &first].concat());
    assert_eq!((code, &result["verdict"]), (3, &"unknown".into()));
    let mut states = result["stats"]["states"].as_u64();
    for threads in ["3", "1", "2"] {
        // A busy machine may need more time before the first state is expanded.
        let went_on = ["0.7", "3", "12", "50"].into_iter().any(|seconds| {
            let again = [seconds, "--resume", folder, "--threads", threads];
            let (code, result) = json(&[&limit[..], &again].concat());
            let before = std::mem::replace(&mut states, result["stats"]["states"].as_u64());
            code == 0 || states > before
        });
        assert!(went_on, "{threads} threads: still {states:?}");
    }
    let end = ["msi_bus.pml", "--plain", "--resume", folder, "--threads", "2"];
    assert_eq!(counts(&json(&end).1), counts(&whole));
    let (_, again) = json(&[&end[..5], &["1", "--timeout", "0"]].concat());
    assert_eq!(counts(&again), counts(&whole), "it was complete");
}

/// The sentence is the same for one thread and for several.
#[test]
fn a_complete_search_says_that_it_was() {
    for threads in ["1", "2"] {
        let scratch = Scratch::new("complete").expect("a folder");
        let folder = text(scratch.path());
        let args = ["check", "bakery.pml", "-DN=2", "--threads", threads];
        let run = |how: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
            command.current_dir(models_dir().join("../bench/models")).args(args);
            let output = command.args([how, folder]).output().expect("resy runs");
            assert_eq!(output.status.code(), Some(0));
            String::from_utf8(output.stderr).expect("text")
        };
        let sentence = "the saved search was complete";
        assert!(!run("--checkpoint").contains(sentence), "{threads}");
        assert!(run("--resume").contains(sentence), "{threads}");
    }
}

/// A search that was saved where nothing can be written goes on, and says that it is not saved again. No
/// permission may stop the user who runs the tests: here the lock is a folder.
#[test]
fn a_folder_that_cannot_be_written_is_resumed() {
    for threads in ["1", "2"] {
        let scratch = Scratch::new("read-only").expect("a folder");
        let folder = text(scratch.path());
        let args = ["msi_bus.pml", "--engine", "monolithic", "--plain", "--threads", threads];
        let (_, whole) = json(&args);
        let first = ["--checkpoint", folder, "--timeout", "0.05"];
        let (code, _) = json(&[&args[..], &first].concat());
        assert_eq!(code, 3, "it takes longer");
        let shares = std::fs::read_dir(scratch.path()).expect("a folder").flatten();
        let folders = shares.map(|entry| entry.path()).filter(|path| path.is_dir());
        for folder in folders.chain([scratch.path().to_owned()]) {
            if std::fs::remove_file(folder.join("lock")).is_ok() {
                std::fs::create_dir(folder.join("lock")).expect("a folder");
            }
        }
        let output = resy(&[&args[..], &["--resume", folder, "--json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let again: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(counts(&again), counts(&whole), "{threads}");
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(complaints.contains("it cannot be written"), "{complaints}");
        assert_eq!(kept(scratch.path()), Kept::Whole, "what was saved is still there");
    }
}

#[test]
fn a_saved_violation_is_replayed() {
    let model = models_dir().join("violated/both_kinds.pml");
    for options in [&[][..], &["--exhaustive"], &["--threads", "2"]] {
        let scratch = Scratch::new("violation").expect("a folder");
        let folder = text(scratch.path());
        let model = [&[text(&model)][..], options].concat();
        let (_, first) = json(&[&model[..], &["--checkpoint", folder]].concat());
        let (code, second) = json(&[&model[..], &["--resume", folder]].concat());
        assert_eq!(code, 1);
        assert_eq!(first["properties"], second["properties"]);
        assert_eq!(counts(&first), counts(&second));
    }
}

#[test]
fn another_search_is_refused_with_what_differs() {
    let scratch = Scratch::new("other").expect("a folder");
    let folder = text(scratch.path());
    json(&["bakery.pml", "-DN=2", "--checkpoint", folder]);
    let differs = |args: &[&str], what: &str| {
        let complaint = refusal(&[args, &["--resume", folder]].concat());
        assert!(complaint.contains(what), "{args:?}: {complaint}");
    };
    differs(&["bakery.pml", "-DN=3"], "the model was");
    differs(&["msi_bus.pml"], "the model was");
    differs(&["bakery.pml", "-DN=2", "--plain"], "the list of options was `` and is `plain`");
    differs(&["bakery.pml", "-DN=2", "--loss"], "the semantics was");
    differs(&["bakery.pml", "-DN=2", "--property", "assertions"], "the list of properties was");
    differs(&["bakery.pml", "-DN=2", "--dfs"], "breadth-first");
    differs(&["bakery.pml", "-DN=2", "--bitstate"], "breadth-first");
    differs(&["bakery.pml", "-DN=2", "--checkpoint-every=-1"], "not a number of seconds");
    let complaint = refusal(&["bakery.pml", "-DN=2", "--checkpoint", folder]);
    assert!(complaint.contains("already holds a checkpoint"), "{complaint}");
    let empty = Scratch::new("empty").expect("a folder");
    let complaint = refusal(&["bakery.pml", "--resume", text(empty.path())]);
    assert!(complaint.contains("there is no checkpoint"), "{complaint}");
    std::fs::write(scratch.path().join("meta-1"), "nonsense").expect("it can be written");
    differs(&["bakery.pml", "-DN=2"], "damaged");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_unknown_with_the_statistics() {
    let (output, time) =
        interrupted(&["bank.pml", "--plain", "--json"], Duration::from_millis(400));
    assert_eq!(output.status.code(), Some(3));
    assert!(time < Duration::from_secs(5), "{time:?}");
    let result: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(result["verdict"], "unknown");
    assert!(result["stats"]["states"].as_u64() > Some(1000));
    let reason = result["properties"][0]["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with("the search was interrupted; all states up to distance"),
        "{reason}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_search() {
    let started = Instant::now();
    let whole = counts(&json(&["msi_bus.pml"]).1);
    let time = started.elapsed();
    // How long a search takes depends on the machine: where one is over before the signal, or does not listen
    // yet, another moment is tried.
    let saved = [2, 3, 4, 6, 8].into_iter().find_map(|part| {
        let scratch = Scratch::new("interrupt").expect("a folder");
        let search = ["msi_bus.pml", "--checkpoint", text(scratch.path())];
        let (output, _) = interrupted(&search, time / part);
        (output.status.code() == Some(3)).then_some(scratch)
    });
    let saved = saved.expect("some moment is inside the search");
    assert_eq!(counts(&json(&["msi_bus.pml", "--resume", text(saved.path())]).1), whole);
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    // A stopped process hears both signals before it can come to its end.
    let child = start(&["bank.pml", "--plain", "--exhaustive"]);
    std::thread::sleep(Duration::from_millis(400));
    let before = Instant::now();
    for _ in 0..20 {
        signal(&child, "-INT");
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(before.elapsed() < Duration::from_secs(5));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_is_that_of_the_whole_process() {
    let two: &[&str] = &["--threads", "2"];
    for options in
        [&["--threads", "1"][..], two, &["--dfs"], &["--hash-compact"], &["--bitstate=8M"]]
    {
        let args = [&["peterson_n.pml", "--plain", "--memory", "30M"][..], options].concat();
        let (code, result) = json(&args);
        let reason = result["properties"][0]["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("the memory limit was reached"), "{options:?}: {reason}");
        assert_eq!(code, 3, "{options:?}");
        let peak = result["stats"]["peak_bytes"].as_f64().expect("a number") / f64::from(30 << 20);
        assert!((0.9..1.1).contains(&peak), "{options:?}: {peak} of the limit");
    }
}

#[test]
fn a_lossy_search_promises_nothing() {
    let (_, exact) = json(&["bakery.pml", "--plain"]);
    let n_states = exact["stats"]["states"].as_u64().expect("a number");
    for option in ["--hash-compact", "--bitstate", "--bitstate=20K"] {
        let (code, result) = json(&["bakery.pml", "--plain", option]);
        assert_eq!((code, &result["verdict"]), (3, &"unknown".into()), "{option}");
        assert_eq!(result["complete"], false);
        let reason = result["properties"][0]["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("no violation found; "), "{option}: {reason}");
        let found = result["stats"]["states"].as_u64().expect("a number");
        if option == "--bitstate=20K" {
            assert!(found < n_states && reason.contains("; about "), "{found}: {reason}");
        } else {
            assert_eq!(found, n_states, "{option}: there is room enough");
            assert!(reason.contains("more than 99.99"), "{option}: {reason}");
        }
    }
    let complaint = refusal(&["bakery.pml", "--bitstate=2G", "--memory", "1G"]);
    assert!(complaint.contains("does not fit"), "{complaint}");
    let complaint = refusal(&["bakery.pml", "--bitstate=1000000G"]);
    assert!(complaint.contains("more than the system has to give"), "{complaint}");
}

#[test]
fn what_a_lossy_search_finds_is_real() {
    let model = models_dir().join("violated/both_kinds.pml");
    for lossy in ["--hash-compact", "--bitstate"] {
        for reduction in ["--plain", "--exhaustive"] {
            let (code, result) = json(&[text(&model), lossy, reduction]);
            assert_eq!((code, &result["verdict"]), (1, &"fails".into()), "{lossy} {reduction}");
            let properties = result["properties"].as_array().expect("a list");
            let failed: Vec<_> = properties.iter().filter(|p| p["verdict"] == "fails").collect();
            assert!(!failed.is_empty());
            for property in failed {
                let steps = property["counterexample"]["steps"].as_array().expect("steps");
                assert!(!steps.is_empty(), "{lossy} {reduction} {}", property["name"]);
            }
        }
    }
}
