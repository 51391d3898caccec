//! Captions of arrows in pictures: all labels in few words.
//!
//! A name of the form `A>B: what` names the participants. In the picture of `A`, its own name is
//! omitted: `to B: what`. Participants with the same text are named together, and so are values:
//! `C[{0,1}]: q?{red,white}`.

use rustc_hash::FxHashMap;

/// With more lines than this, values are folded.
const FEW_LINES: usize = 3;
/// A longer line is broken after each `;`.
const MAX_WIDTH: usize = 48;
/// More lines than this are not shown.
const MAX_LINES: usize = 12;

/// The lines at an arrow of the component called `own`.
pub fn caption<'a>(own: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut by_what = Groups::default();
    for name in names {
        let (who, what) = name.split_once(": ").unwrap_or(("", name));
        by_what.add(what, others(own, who));
    }
    let mut by_who = Groups::default();
    for (what, who) in by_what.groups {
        match fold(&who) {
            Some(who) => by_who.add(&who, what),
            None => who.iter().for_each(|who| by_who.add(who, what.clone())),
        }
    }
    let many = by_who.groups.iter().map(|(_, what)| what.len()).sum::<usize>() > FEW_LINES;
    let mut lines = Vec::new();
    for (who, what) in by_who.groups {
        let what = match fold(&what) {
            Some(folded) if many => vec![folded],
            _ => what,
        };
        let line = |what: &String| match &*who {
            "" => broken(what.clone()),
            who => broken(format!("{who}: {what}")),
        };
        lines.extend(what.iter().map(line));
    }
    if lines.len() > MAX_LINES {
        let more = lines.len() - (MAX_LINES - 1);
        lines.truncate(MAX_LINES - 1);
        lines.push(format!("… {more} more"));
    }
    lines
}

fn broken(line: String) -> String {
    if line.chars().count() > MAX_WIDTH { line.replace("; ", ";\n") } else { line }
}

/// The participants other than the component itself.
fn others(own: &str, who: &str) -> String {
    if who == own {
        return String::new();
    }
    let to = who.strip_prefix(own).and_then(|rest| rest.strip_prefix('>'));
    let from = who.strip_suffix(own).and_then(|rest| rest.strip_suffix('>'));
    match (to, from) {
        (Some(to), _) => format!("to {to}"),
        (None, Some(from)) => format!("from {from}"),
        (None, None) => who.to_owned(),
    }
}

/// Texts grouped by a key, in the order in which they came.
#[derive(Default)]
struct Groups {
    groups: Vec<(String, Vec<String>)>,
    numbers: FxHashMap<String, usize>,
}

impl Groups {
    fn add(&mut self, key: &str, text: String) {
        let next = self.groups.len();
        let number = *self.numbers.entry(key.to_owned()).or_insert(next);
        if number == next {
            self.groups.push((key.to_owned(), Vec::new()));
        }
        self.groups[number].1.push(text);
    }
}

/// Texts that differ in one word, as one text: `q?{red,white}`.
fn fold(texts: &[String]) -> Option<String> {
    let (first, rest) = texts.split_first()?;
    if rest.is_empty() {
        return Some(first.clone());
    }
    let mut start = rest.iter().map(|text| common(first.chars(), text.chars())).min()?;
    while start > 0 && is_word(first.chars().nth(start - 1)?) {
        start -= 1;
    }
    let room = texts.iter().map(|text| text.chars().count()).min()? - start;
    let ends = rest.iter().map(|text| common(first.chars().rev(), text.chars().rev()));
    let mut end = ends.min()?.min(room);
    while end > 0 && is_word(first.chars().rev().nth(end - 1)?) {
        end -= 1;
    }
    let middle = |text: &String| -> String {
        text.chars().take(text.chars().count() - end).skip(start).collect()
    };
    let words: Vec<String> = texts.iter().map(middle).collect();
    if words.iter().any(|word| word.is_empty() || !word.chars().all(is_word)) {
        return None;
    }
    let head: String = first.chars().take(start).collect();
    let tail: String = first.chars().skip(first.chars().count() - end).collect();
    Some(format!("{head}{{{}}}{tail}", list(&words)))
}

/// Words with commas, or a range of numbers.
fn list(words: &[String]) -> String {
    let numbers: Option<Vec<i64>> = words.iter().map(|word| word.parse().ok()).collect();
    if let Some(mut numbers) = numbers.filter(|n| n.len() > 3) {
        numbers.sort_unstable();
        if numbers.windows(2).all(|pair| pair[1] - pair[0] == 1) {
            return format!("{}..{}", numbers[0], numbers[numbers.len() - 1]);
        }
    }
    words.join(",")
}

fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(own: &str, names: &[&str]) -> Vec<String> {
        caption(own, names.iter().copied())
    }

    #[test]
    fn the_own_name_goes_without_saying() {
        assert_eq!(lines("P", &["P: x:=1"]), ["x:=1"]);
        assert_eq!(lines("P", &["P>Q: q!1"]), ["to Q: q!1"]);
        assert_eq!(lines("Q", &["P>Q: q!1"]), ["from P: q!1"]);
        assert_eq!(lines("P", &["P2: x:=1"]), ["P2: x:=1"]);
        assert_eq!(lines("P", &["put"]), ["put"]);
    }

    #[test]
    fn long_lines_are_broken() {
        assert_eq!(lines("P", &["P: a==1; b:=2"]), ["a==1; b:=2"]);
        let long = format!("P: {}==1; b:=2", "a".repeat(40));
        assert!(lines("P", &[&long])[0].ends_with("==1;\nb:=2"));
    }

    #[test]
    fn who_does_the_same_is_named_together() {
        assert_eq!(lines("x", &["C[0]: x:=1", "C[1]: x:=1"]), ["C[{0,1}]: x:=1"]);
        assert_eq!(lines("x", &["C[9]: x:=1", "C[10]: x:=1"]), ["C[{9,10}]: x:=1"]);
        assert_eq!(lines("x", &["P: x:=1", "Q: x:=1"]), ["{P,Q}: x:=1"]);
        assert_eq!(lines("x", &["P>Q: x:=1", "Q: x:=1"]), ["P>Q: x:=1", "Q: x:=1"]);
    }

    #[test]
    fn many_values_are_folded_and_few_are_not() {
        assert_eq!(lines("P", &["P: q?red", "P: q?white"]), ["q?red", "q?white"]);
        let four = ["P: q?red,1", "P: q?blue,1", "P: q?white,1", "P: q?green,1"];
        assert_eq!(lines("P", &four), ["q?{red,blue,white,green},1"]);
        let numbers: Vec<String> = (-1..200).map(|n| format!("P: x=={n}")).collect();
        assert_eq!(caption("P", numbers.iter().map(|n| &**n)), ["x=={-1..199}"]);
        let pairs: Vec<String> = (0..99).map(|n| format!("P: q?{n},{n}")).collect();
        let pairs = caption("P", pairs.iter().map(|n| &**n));
        assert_eq!((pairs.len(), &*pairs[11]), (12, "… 88 more"));
    }
}
