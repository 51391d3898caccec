//! The end state that `spin -t -p -g -l` prints after a trail.

use std::collections::BTreeMap;

/// What spin says at the end of a trail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpinEnd {
    /// Variables, elements of arrays one by one.
    pub values: BTreeMap<String, String>,
    /// The messages of channels, as text.
    pub channels: BTreeMap<String, String>,
    /// For each process, `P(0)`, its location.
    pub locations: BTreeMap<String, u64>,
    /// Whether a process is inside a `d_step`, where spin prints no location.
    pub is_inside: bool,
    /// Whether an assignment has cut a value to one bit. The simulator takes a bit of an array as a bit there, the
    /// verifier as a byte.
    pub has_cut: bool,
}

/// Reads what spin prints; a sentence if it does not come to the end of the trail.
pub fn spin_end(text: &str) -> Result<SpinEnd, String> {
    let Some((before, after)) = text.split_once("spin: trail ends after") else {
        let last = text.lines().rev().take(3).collect::<Vec<_>>().join(" | ");
        return Err(format!("spin does not end the trail: {last}"));
    };
    if before.contains("not enabled") || before.contains("step aborted") {
        return Err(format!("spin loses the trail: {before}"));
    }
    let has_cut = before.contains(" (1)) truncated in assignment");
    let mut end = SpinEnd { has_cut, ..SpinEnd::default() };
    for line in after.lines().skip(1) {
        if let Some((process, location)) = located(line) {
            end.locations.insert(process, location);
        } else if line.contains(":\tproc ") {
            end.is_inside = true;
        } else if let Some((name, messages)) = channel(line) {
            end.channels.insert(plain(name), messages.to_owned());
        } else if let Some((name, value)) =
            line.strip_prefix("\t\t").and_then(|l| l.split_once(" = "))
        {
            // The counter of a `for` over a channel or an array is spin's own.
            if !name.contains("_f0r_t3mp") {
                end.values.insert(plain(name), value.trim().to_owned());
            }
        }
    }
    Ok(end)
}

/// ` 13: proc  2 (Q:1) model.pml:5 (state 4)`: the process and its location.
fn located(line: &str) -> Option<(String, u64)> {
    let (_, rest) = line.split_once(":\tproc ")?;
    let (pid, rest) = rest.trim_start().split_once(" (")?;
    let (proctype, rest) = rest.split_once(") ")?;
    // The number after the last colon is a priority.
    let (proctype, _) = proctype.rsplit_once(':')?;
    let (_, state) = rest.split_once("(state ")?;
    let state = state.split_once(')')?.0.parse().ok()?;
    Some((format!("{}({pid})", proctype.trim_matches(':')), state))
}

/// `queue 2 (c): [4,red][5,green]`: the name and the messages.
fn channel(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("queue ")?;
    let (_, rest) = rest.split_once(" (")?;
    let (name, messages) = rest.split_once("): ")?;
    Some((name, messages.trim()))
}

/// A name as resy writes it: `:init:(0):x` is `init(0):x`.
fn plain(name: &str) -> String {
    name.replace(":init:(", "init(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_cut_is_noted() {
        let cut = "spin: m.pml:25, Error: value (2->0 (1)) truncated in assignment\n";
        let end = "spin: trail ends after 8 steps\n#processes: 3\n";
        let has_cut = |text: &str| spin_end(text).map(|end| end.has_cut);
        assert_eq!(has_cut(&format!("{cut}{end}")), Ok(true));
        assert_eq!(has_cut(&format!("{}{end}", cut.replace("(1)", "(8)"))), Ok(false));
    }

    const TEXT: &str = "  9:\tproc  0 (:init::1) m.pml:4 (state 9)\t[y = 9]
\t\t:init:(0):y = 9
spin: trail ends after 13 steps
#processes: 2
\t\tx = 3
\t\ta[1] = -5
\t\tm = green
\t\tP(0):_f0r_t3mp_5_ = 0
\t\tqueue 2 (c): [4,red][5,green]
 13:\tproc  1 (Q:1) m.pml:5 (state 3) <valid end state>
\t\tQ(1):w = 0
 13:\tproc  0 (:init::1) m.pml:4 (state 12)
\t\tqueue 1 (:init:(0):l): 
\t\t:init:(0):y = 8
2 processes created
";

    #[test]
    fn the_end_is_read() {
        let end = spin_end(TEXT).expect("an end");
        let map = |items: &[(&str, &str)]| -> BTreeMap<String, String> {
            items.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
        };
        let values =
            [("x", "3"), ("a[1]", "-5"), ("m", "green"), ("Q(1):w", "0"), ("init(0):y", "8")];
        assert_eq!(end.values, map(&values));
        assert_eq!(end.channels, map(&[("c", "[4,red][5,green]"), ("init(0):l", "")]));
        assert_eq!(end.locations, [("Q(1)".to_owned(), 3), ("init(0)".to_owned(), 12)].into());
    }

    #[test]
    fn a_lost_trail_is_told() {
        assert!(spin_end("  1: proc 0\nspin: error").is_err());
        let lost = TEXT.replace("[y = 9]", "[y = 9]\nstep aborted");
        assert!(spin_end(&lost).is_err_and(|why| why.contains("loses")));
    }
}
