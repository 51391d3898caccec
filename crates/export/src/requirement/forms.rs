//! Labels that differ in numbers only, as one form: `ask!…` for `ask!0` and `ask!1`.
//!
//! A form stands for every label of the requirement that has it. Labels of one form of which some are left out are
//! therefore listed.

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

    /// The labels, with a form instead of all labels that have it, at the place of the first.
    pub fn fold(&self, labels: &[&String]) -> Vec<String> {
        let own = Self::new(labels.iter().copied());
        let mut folded: Vec<String> = Vec::new();
        for label in labels {
            let form = form(label);
            match own.0.get(&form) {
                Some(&n) if n > 1 && self.0.get(&form) == Some(&n) => {
                    if !folded.contains(&form) {
                        folded.push(form);
                    }
                }
                _ => folded.push((*label).clone()),
            }
        }
        folded
    }
}

/// The label with `…` for each number; digits in a name are no number.
fn form(label: &str) -> String {
    let mut form = String::new();
    let mut previous = ' ';
    let mut characters = label.chars().peekable();
    while let Some(c) = characters.next() {
        let is_name = previous.is_alphanumeric() || matches!(previous, '_' | '.');
        if c.is_ascii_digit() && !is_name {
            while characters.next_if(char::is_ascii_digit).is_some() {}
            form.push('…');
        } else {
            form.push(c);
        }
        previous = c;
    }
    form
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
    }

    #[test]
    fn names_with_digits_stay() {
        let names = ["x1:=1", "x2:=1", "x2:=0"];
        assert_eq!(folded(&names, &names), ["x1:=1", "x2:=…"]);
        assert_eq!(folded(&["a.1", "a.2"], &["a.1", "a.2"]), ["a.1", "a.2"]);
    }
}
