//! Labels that differ in numbers only, as one form: `ask!…` for `ask!0` and `ask!1`.
//!
//! A form stands for every label of the requirement that has it. Labels of one form of which some are left out are
//! therefore listed. A number that all of them have stays: `grant[…]!1`.

use std::collections::BTreeMap;

/// How many labels have each form.
pub(super) struct Forms(BTreeMap<String, usize>);

impl Forms {
    /// The forms of all labels of a requirement.
    pub fn new<'a>(labels: impl IntoIterator<Item = &'a String>) -> Self {
        let mut counts = BTreeMap::new();
        for label in labels {
            *counts.entry(form(label)).or_default() += 1;
        }
        Self(counts)
    }

    /// The labels, with one name instead of all labels of a form, at the place of the first.
    pub fn fold(&self, labels: &[&String]) -> Vec<String> {
        let mut own: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for label in labels {
            own.entry(form(label)).or_default().push(label);
        }
        let mut folded: Vec<String> = Vec::new();
        for label in labels {
            let form = form(label);
            let all = &own[&form];
            let is_whole = all.len() > 1 && self.0.get(&form) == Some(&all.len());
            let name = if is_whole { common(all) } else { (*label).clone() };
            if !folded.contains(&name) {
                folded.push(name);
            }
        }
        folded
    }
}

/// The label with `…` for each number.
fn form(label: &str) -> String {
    pieces(label).into_iter().map(|(is_number, text)| if is_number { "…" } else { text }).collect()
}

/// What labels of one form have in common, with `…` for the numbers in which they differ.
fn common(labels: &[&str]) -> String {
    let all: Vec<Vec<(bool, &str)>> = labels.iter().map(|label| pieces(label)).collect();
    let Some((first, rest)) = all.split_first() else { return String::new() };
    let is_same = |i: usize| rest.iter().all(|other| other.get(i) == first.get(i));
    first.iter().enumerate().map(|(i, (_, text))| if is_same(i) { text } else { "…" }).collect()
}

/// The numbers of a label, and the texts between them; digits in a name are no number.
fn pieces(label: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut was_number, mut previous) = (0, false, ' ');
    for (at, c) in label.char_indices() {
        let is_name = previous.is_alphanumeric() || matches!(previous, '_' | '.');
        let is_number = c.is_ascii_digit() && (was_number || !is_name);
        if is_number != was_number {
            pieces.push((was_number, &label[start..at]));
            start = at;
        }
        (was_number, previous) = (is_number, c);
    }
    pieces.push((was_number, &label[start..]));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(all: &[&str], some: &[&str]) -> Vec<String> {
        let [all, some] =
            [all, some].map(|labels| labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>());
        Forms::new(&all).fold(&some.iter().collect::<Vec<_>>())
    }

    #[test]
    fn all_labels_of_a_form_are_one() {
        let asks = ["C[0]>S: ask!0", "C[1]>S: ask!1", "C[10]>S: ask!10"];
        assert_eq!(folded(&asks, &asks), ["C[…]>S: ask!…"]);
        assert_eq!(folded(&asks, &asks[..2]), asks[..2]);
        assert_eq!(folded(&asks, &asks[..1]), asks[..1]);
        let grants = ["grant[0]!1", "grant[12]!1"];
        assert_eq!(folded(&grants, &grants), ["grant[…]!1"]);
    }

    #[test]
    fn names_with_digits_stay() {
        let names = ["x1:=1", "x2:=1", "x2:=0"];
        assert_eq!(folded(&names, &names), ["x1:=1", "x2:=…"]);
        assert_eq!(folded(&["a.1", "a.2"], &["a.1", "a.2"]), ["a.1", "a.2"]);
    }
}
