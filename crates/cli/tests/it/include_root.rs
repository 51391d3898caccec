//! Which files a model may include.

use resy::{Files, IncludeRoot, Reading, Subject};
use resy_testkit::scratch::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;

const MODEL: &str = "#include \"../secret.h\"\nbyte x = SECRET; active proctype P() { x = 1 }\n";

/// `outer/secret.h`, and models in `outer/inner` that include it in several ways.
fn scratch() -> Scratch {
    let scratch = Scratch::new("include").expect("a folder");
    let folder = scratch.path();
    fs::create_dir_all(folder.join("outer/inner/deep")).expect("folders");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("outer/secret.h", "#define SECRET 7\n");
    write("outer/inner/up.pml", MODEL);
    write("outer/inner/own.h", "#define SECRET 1\n");
    write("outer/inner/deep/down.pml", "#include \"../own.h\"\nactive proctype P() { skip }\n");
    write("outer/inner/own.pml", "#include \"own.h\"\nactive proctype P() { skip }\n");
    let absolute = folder.join("outer/secret.h").display().to_string();
    write("outer/inner/absolute.pml", &MODEL.replace("../secret.h", &absolute));
    write("outer/inner/device.pml", &MODEL.replace("../secret.h", "/dev/zero"));
    write("outer/inner/away.net", "network\ncomponent A \"../a.aut\"\n");
    write("outer/a.aut", "des (0,0,1)\n");
    #[cfg(unix)]
    {
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
        };
        link("../secret.h", "outer/inner/link.h");
        link("inner", "outer/alias");
        write("outer/inner/link.pml", &MODEL.replace("../secret.h", "link.h"));
    }
    scratch
}

fn resy(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_resy"));
    let output = command.current_dir(folder).args(args).output().expect("resy runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_root_that_is_no_folder_is_a_mistake() {
    let scratch = scratch();
    for root in ["nowhere", "outer/secret.h"] {
        let words = ["check", "--include-root", root, "outer/inner/own.pml"];
        let (code, err) = resy(scratch.path(), &words);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(&format!("there is no folder {root}")), "{err}");
    }
}

#[test]
fn the_command_line_can_forbid_includes_outside_a_folder() {
    let scratch = scratch();
    let folder = scratch.path().join("outer");
    for model in ["up.pml", "absolute.pml", "link.pml"] {
        let model = format!("inner/{model}");
        let (code, err) = resy(&folder, &["check", "-q", &model]);
        assert_eq!(code, Some(0), "{model} is permitted as ever: {err}");
        for command in [&["check"][..], &["lts"], &["assume", "--module", "P"], &["simulate"]] {
            let root = ["--include-root", "inner", &model];
            let (code, err) = resy(&folder, &[command, &root].concat());
            assert_eq!(code, Some(2), "{model}: {err}");
            assert!(err.contains("may not be included"), "{model}: {err}");
            assert!(err.contains(&format!("{model}:1:")), "the place: {err}");
        }
        let (code, err) = resy(&folder, &["check", "-q", "--include-root", ".", &model]);
        assert_eq!(code, Some(0), "{model}: {err}");
    }
    // A folder may have several names.
    let (code, err) = resy(&folder, &["check", "-q", "--include-root", "alias", "inner/own.pml"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, err) = resy(&folder, &["check", "--include-root", "inner", "inner/away.net"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("may not be included") && err.contains("away.net:2"), "{err}");
    let (code, err) = resy(&folder, &["fmt", "--include-root", "inner", "inner/own.pml"]);
    assert_eq!(code, Some(0), "{err}");
}

/// A file without an end is no model.
#[test]
fn devices_are_not_included() {
    let scratch = scratch();
    let (code, err) = resy(scratch.path(), &["check", "outer/inner/device.pml"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("not a regular file"), "{err}");
}

#[test]
fn the_library_forbids_includes_outside_the_folder_of_the_model() {
    let scratch = scratch();
    let inner = scratch.path().join("outer/inner");
    let read = |model: &str, files: &mut Files| {
        let path = inner.join(model);
        let text = fs::read_to_string(&path).expect("a model");
        let read = Subject::read(&path.display().to_string(), &text, &Reading::default(), files);
        (read.subject.is_some(), read.messages(false, false))
    };
    for model in ["up.pml", "absolute.pml", "link.pml", "deep/down.pml"] {
        let (accepted, messages) = read(model, &mut Files::default());
        assert!(!accepted && messages.contains("may not be included"), "{model}: {messages}");
        assert!(messages.contains(":1:"), "the place: {messages}");
        let (accepted, messages) = read(model, &mut Files::new(Vec::new(), IncludeRoot::Anywhere));
        assert!(accepted, "{model}: {messages}");
    }
    assert!(read("own.pml", &mut Files::default()).0);
    // A folder that the caller names is permitted.
    let named = &mut Files::new(vec![scratch.path().join("outer")], IncludeRoot::default());
    assert!(read("up.pml", named).0);
}
