//! Every violation is replayed by spin, and the end states are compared: variables, messages and
//! locations.

use super::spin_end::{SpinEnd, spin_end};
use super::{MODEL, ModeFinding, is_written};
use resy_testkit::process::{self, Ending};
use resy_testkit::resy::{Resy, ResyReport};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The property of each kind of violation.
const PROPERTIES: [(&str, &str); 4] = [
    ("assertion", "assertions"),
    ("runtime", "runtime"),
    ("end-state", "end-states"),
    ("trace", "trace"),
];

/// The time that spin gets for a trail.
const SPIN_LIMIT: Duration = Duration::from_secs(10);

/// Replays a run of each property that the plain search found violated.
pub fn replay(resy: &Resy, folder: &Path, plain: &ResyReport) -> io::Result<ModeFinding> {
    let mut answers = Vec::new();
    for (kind, property) in PROPERTIES {
        if !plain.failed_kinds.contains(kind) {
            continue;
        }
        match replay_one(resy, folder, property)? {
            Ok(EndComparison::Same(n)) => {
                answers.push(format!("same end state ({kind}), {}", size_class(n)));
            }
            Ok(EndComparison::NotCompared(why)) => {
                answers.push(format!("replayed, end state not compared: {why}"));
            }
            Err(what) => return Ok(ModeFinding::Differs(format!("{property}: {what}"))),
        }
    }
    Ok(ModeFinding::Agrees(answers))
}

/// How much was compared, in classes.
fn size_class(n: usize) -> &'static str {
    match n {
        0..10 => "below 10 values",
        10..30 => "10 to 29 values",
        _ => "30 values or more",
    }
}

/// What came of comparing two end states.
#[derive(Debug, PartialEq)]
enum EndComparison {
    /// So many values are the same.
    Same(usize),
    /// Spin's simulator, which replays trails, differs from its verifier here.
    NotCompared(&'static str),
}

/// The end states, or what differs.
fn replay_one(
    resy: &Resy,
    folder: &Path,
    property: &str,
) -> io::Result<Result<EndComparison, String>> {
    const TRAIL: &str = "run.trail";
    let _ = std::fs::remove_file(folder.join(TRAIL));
    let asked = ["check", "-q", "--format", "itf", "--property", property];
    let limits = ["--trail", TRAIL, "--timeout", &resy.seconds(), MODEL];
    let output = resy.call(folder, &[&asked[..], &limits].concat())?;
    if output.ending != Ending::Exit(1) {
        return Ok(Err(format!("not found again: {:?} {}", output.ending, output.stderr)));
    }
    if !is_written(folder, TRAIL) && output.stdout.matches("\"#meta\"").count() > 2 {
        return Ok(Err("no trail".to_owned()));
    }
    let Some(ours) = last_state(&output.stdout) else {
        return Ok(Err("no states in the run".to_owned()));
    };
    let mut spin = Command::new("spin");
    spin.current_dir(folder).args(["-t", "-p", "-g", "-l", "-k", TRAIL, MODEL]);
    let said = process::run(&mut spin, folder, SPIN_LIMIT)?;
    let text = std::fs::read_to_string(folder.join(MODEL))?;
    Ok(spin_end(&said.stdout).and_then(|theirs| judged(&text, &ours, &theirs)))
}

/// Compares the ends, except where spin's simulator is known to differ from its verifier, which is
/// compared before: `_last` is another process there, a blocked `d_step` has no location, jumps inside of an
/// `atomic` are no steps, and fields of structures and elements of bit arrays keep values beyond their types.
fn judged(text: &str, ours: &Value, theirs: &SpinEnd) -> Result<EndComparison, String> {
    if text.contains("_last") {
        return Ok(EndComparison::NotCompared("_last"));
    }
    if theirs.is_inside {
        return Ok(EndComparison::NotCompared("inside a d_step"));
    }
    let is_second = |name: &String| name.contains('#') && name != "#meta";
    if ours.as_object().is_some_and(|values| values.keys().any(is_second)) {
        return Ok(EndComparison::NotCompared("two variables of one name"));
    }
    match compare(ours, theirs, Comparable::of(text)) {
        Err(_) if is_behind_a_jump(text, ours, theirs) => {
            Ok(EndComparison::NotCompared("a jump in an atomic block"))
        }
        Err(_) if theirs.has_cut || is_beyond_its_type(ours, theirs) => {
            Ok(EndComparison::NotCompared("a value beyond its type"))
        }
        compared => compared.map(EndComparison::Same),
    }
}

/// Whether nothing but locations differs in a program with a jump inside of an `atomic`.
fn is_behind_a_jump(text: &str, ours: &Value, theirs: &SpinEnd) -> bool {
    let jumps = text.contains("atomic") && (text.contains("break") || text.contains("goto"));
    let mut moved = theirs.clone();
    for (process, location) in &mut moved.locations {
        *location = ours[format!("{process}:_pc")].as_u64().unwrap_or(*location);
    }
    jumps && compare(ours, &moved, Comparable::of(text)).is_ok()
}

/// Whether a field or element differs by a multiple of two, as values do that are cut to one bit or
/// to eight by the verifier only.
fn is_beyond_its_type(ours: &Value, theirs: &SpinEnd) -> bool {
    let number = |text: &str| text.parse::<i64>().ok();
    theirs.values.iter().filter(|(name, _)| name.contains(['[', '.'])).any(|(name, theirs)| {
        let ours = value_of(ours, name).as_deref().and_then(number);
        let cut = ours.zip(number(theirs)).map(|(ours, theirs)| ours - theirs);
        cut.is_some_and(|cut| cut != 0 && cut % 2 == 0)
    })
}

/// What of an end state can be compared.
#[derive(Clone, Copy)]
struct Comparable {
    /// In a program with several lists of `mtype` spin prints the names of another list.
    names: bool,
    /// A channel in a message is a number, and spin's simulator numbers channels in another order.
    messages: bool,
}

impl Comparable {
    fn of(text: &str) -> Comparable {
        let fields = text.split(" of {").skip(1).filter_map(|rest| rest.split('}').next());
        let messages = !fields.into_iter().any(|fields| fields.contains("chan"));
        Comparable { names: !text.contains("mtype:"), messages }
    }
}

/// The last state of a run in ITF.
fn last_state(itf: &str) -> Option<Value> {
    let mut json: Value = serde_json::from_str(itf).ok()?;
    json["states"].as_array_mut()?.pop()
}

fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

/// Everything that spin prints is in our state, with the same value; the number of values.
fn compare(ours: &Value, theirs: &SpinEnd, what: Comparable) -> Result<usize, String> {
    let mut n = 0;
    let mut same = |name: &str, ours: Option<String>, theirs: &str| match ours {
        Some(ours) if ours == theirs => {
            n += 1;
            Ok(())
        }
        Some(ours) => Err(format!("end state differs: {name} is {ours}, spin {theirs}")),
        None => Err(format!("end state lacks {name}, spin {theirs}")),
    };
    for (process, location) in &theirs.locations {
        let ours = ours[format!("{process}:_pc")].as_u64();
        same(process, ours.map(|l| l.to_string()), &location.to_string())?;
    }
    // ITF has all variables in every state: a process that is not there is at location 0.
    let is_there = |(name, value): &(&String, &Value)| name.ends_with(":_pc") && **value != 0;
    let n_ours = ours.as_object().into_iter().flatten().filter(is_there).count();
    let n_theirs = theirs.locations.len();
    same("the number of processes", Some(n_ours.to_string()), &n_theirs.to_string())?;
    for (name, value) in &theirs.values {
        if what.names || is_number(value) {
            same(name, value_of(ours, name), value)?;
        }
    }
    for (name, messages) in &theirs.channels {
        // A variable may hold the channel of another one, or none.
        if let Some(Value::Array(list)) = ours.get(name)
            && what.messages
            && (what.names || !messages.contains(char::is_alphabetic))
        {
            same(name, Some(list.iter().map(message).collect()), messages)?;
        }
    }
    Ok(n)
}

/// The value of a variable or of an element of an array.
fn value_of(ours: &Value, name: &str) -> Option<String> {
    if let Some(value) = ours.get(name) {
        return scalar(value);
    }
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    scalar(ours.get(array)?.get(index.parse::<usize>().ok()?)?)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(u8::from(*value).to_string()),
        _ => None,
    }
}

/// A message as spin prints it.
fn message(value: &Value) -> String {
    let fields = match value.get("#tup").and_then(Value::as_array) {
        Some(fields) => fields.iter().filter_map(scalar).collect::<Vec<_>>().join(","),
        None => scalar(value).unwrap_or_default(),
    };
    format!("[{fields}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ALL: Comparable = Comparable { names: true, messages: true };

    fn ours() -> Value {
        json!({"x": 3, "a": [0, -5], "m": "red", "P(0):_pc": 4,
               "c": [{"#tup": [4, "red"]}, {"#tup": [5, "red"]}], "l": [7]})
    }

    fn theirs(change: impl FnOnce(&mut SpinEnd)) -> SpinEnd {
        let mut end = SpinEnd::default();
        for (name, value) in [("x", "3"), ("a[1]", "-5"), ("m", "red")] {
            end.values.insert(name.to_owned(), value.to_owned());
        }
        end.channels.insert("c".to_owned(), "[4,red][5,red]".to_owned());
        end.channels.insert("l".to_owned(), "[7]".to_owned());
        end.locations.insert("P(0)".to_owned(), 4);
        change(&mut end);
        end
    }

    #[test]
    fn what_the_simulator_does_otherwise_is_left_out() {
        let same = judged("byte x", &ours(), &theirs(|_| {}));
        assert_eq!(same, Ok(EndComparison::Same(7)));
        let wrong = theirs(|end| drop(end.values.insert("x".to_owned(), "4".to_owned())));
        assert!(judged("byte x", &ours(), &wrong).is_err());
        assert!(judged("x = _last", &ours(), &wrong).is_ok());
        let inside = theirs(|end| end.is_inside = true);
        assert_eq!(
            judged("byte x", &ours(), &inside),
            Ok(EndComparison::NotCompared("inside a d_step"))
        );
        let at_end = theirs(|end| _ = end.locations.insert("P(0)".to_owned(), 7));
        assert!(judged("atomic { assert(0); x = 1 }", &ours(), &at_end).is_err());
        let jumps = judged("atomic { assert(0); break }", &ours(), &at_end);
        assert_eq!(jumps, Ok(EndComparison::NotCompared("a jump in an atomic block")));
        let mut twice = ours();
        twice["P(0):l#2"] = json!([0, 0]);
        assert!(judged("byte x", &twice, &wrong).is_ok());
        let wrapped = json!({"x": 4, "r.f": 1});
        let wrong = theirs(|end| drop(end.values.insert("r.f".to_owned(), "-1".to_owned())));
        assert!(judged("bit x", &wrapped, &wrong).is_ok());
    }

    #[test]
    fn every_kind_of_value_is_compared() {
        assert_eq!(compare(&ours(), &theirs(|_| {}), ALL), Ok(7));
        type Change = fn(&mut SpinEnd);
        let changes: [Change; 5] = [
            |end| drop(end.values.insert("x".to_owned(), "4".to_owned())),
            |end| drop(end.values.insert("a[0]".to_owned(), "1".to_owned())),
            |end| drop(end.values.insert("b".to_owned(), "0".to_owned())),
            |end| drop(end.channels.insert("c".to_owned(), "[4,red]".to_owned())),
            |end| _ = end.locations.insert("P(0)".to_owned(), 5),
        ];
        for change in changes {
            assert!(compare(&ours(), &theirs(change), ALL).is_err());
        }
        let more = theirs(|end| _ = end.locations.insert("P(1)".to_owned(), 5));
        assert!(compare(&ours(), &more, ALL).is_err());
    }
}
