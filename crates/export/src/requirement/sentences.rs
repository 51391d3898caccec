//! Rules as sentences: each rule is said once, and rules that belong together in one sentence.

use super::forms::Forms;
use super::words::{Labels, Rule, Until};
use resy_automata::text::caption::caption;

/// A rule about one action that starts the period, or about the beginning.
#[derive(Clone, PartialEq)]
struct Fact {
    what: Labels,
    after: Option<Labels>,
    until: Until,
}

/// What is said about actions in one sentence.
#[derive(Clone, PartialEq)]
enum Saying {
    /// The first action and the second occur in turns.
    Turns(Labels),
    /// Until something has occurred, the actions are forbidden: at the beginning, perhaps after each
    /// of them, and after other actions.
    Before { until: Until, each: bool, again: Vec<Labels> },
    /// The actions are forbidden after these, up to something.
    After { after: Vec<Labels>, until: Until },
    /// After an action, it is forbidden itself.
    Once(Until),
}

/// The rules as sentences; `labels` are all labels of the requirement.
pub(super) fn sentences(module: &str, labels: &Labels, rules: &[Rule]) -> Vec<String> {
    let names = Names { module, forms: Forms::new(labels.iter().filter(succeeds)) };
    let mut facts: Vec<Fact> = rules.iter().flat_map(facts).collect();
    let mut sayings: Vec<(Vec<Labels>, Saying)> = Vec::new();
    for (first, second) in take_turns(&mut facts) {
        sayings.push((vec![first], Saying::Turns(second)));
    }
    while let Some(fact) = facts.first().cloned() {
        let saying = take_saying(&mut facts, &fact);
        match sayings.iter_mut().find(|(_, other)| *other == saying && saying.is_of_each_alike()) {
            Some((what, _)) => what.push(fact.what),
            None => sayings.push((vec![fact.what], saying)),
        }
    }
    sayings.iter().map(|(what, saying)| saying.sentence(&names, what)).collect()
}

fn facts(rule: &Rule) -> Vec<Fact> {
    let fact = |after| Fact { what: rule.what.clone(), after, until: rule.until.clone() };
    match rule.after.is_empty() {
        true => vec![fact(None)],
        false => rule.after.iter().map(|labels| fact(Some(labels.clone()))).collect(),
    }
}

/// Takes out pairs of actions that occur in turns: the second needs the first each time, and the first
/// is not repeated before the second.
fn take_turns(facts: &mut Vec<Fact>) -> Vec<(Labels, Labels)> {
    let mut found = Vec::new();
    for second in facts.clone() {
        let Some(first) = only(&second.until).filter(|_| second.after.is_none()) else { continue };
        let is = |fact: &Fact, what: &Labels, after: Option<&Labels>, other: &Labels| {
            (&fact.what, fact.after.as_ref()) == (what, after) && only(&fact.until) == Some(other)
        };
        let parts = [
            facts.iter().position(|f| is(f, &second.what, None, first)),
            facts.iter().position(|f| is(f, &second.what, Some(&second.what), first)),
            facts.iter().position(|f| is(f, first, Some(first), &second.what)),
        ];
        if let [Some(a), Some(b), Some(c)] = parts {
            let pair = (first.clone(), second.what.clone());
            let mut number = 0..;
            facts.retain(|_| number.next().is_some_and(|n| ![a, b, c].contains(&n)));
            found.push(pair);
        }
    }
    found
}

/// The only action that ends a period.
fn only(until: &Until) -> Option<&Labels> {
    match until {
        Until::All(labels) | Until::OneOf(labels) if labels.len() == 1 => labels.first(),
        _ => None,
    }
}

/// Takes out the first fact together with those that are said in the same sentence.
fn take_saying(facts: &mut Vec<Fact>, first: &Fact) -> Saying {
    let same = |fact: &Fact| (&fact.what, &fact.until) == (&first.what, &first.until);
    let (together, left): (Vec<Fact>, Vec<Fact>) =
        std::mem::take(facts).into_iter().partition(same);
    *facts = left;
    let until = first.until.clone();
    let after: Vec<Labels> = together.iter().filter_map(|fact| fact.after.clone()).collect();
    let each = after.contains(&first.what);
    let others: Vec<Labels> = after.iter().filter(|a| **a != first.what).cloned().collect();
    let is_event = matches!(until, Until::All(_) | Until::OneOf(_));
    if after.len() < together.len() {
        Saying::Before { until, each, again: others }
    } else if others.is_empty() && is_event {
        Saying::Once(until)
    } else {
        Saying::After { after, until }
    }
}

impl Saying {
    /// Whether the same may be said of several actions in one sentence. What is said of two occurrences of
    /// one action is not true of an occurrence of each of two.
    fn is_of_each_alike(&self) -> bool {
        match self {
            Self::Before { each, .. } => !each,
            Self::After { .. } => true,
            Self::Turns(_) | Self::Once(_) => false,
        }
    }

    fn sentence(&self, names: &Names<'_>, what: &[Labels]) -> String {
        let name = |all: &[Labels], word: &str| names.listed(all, word);
        let whats = name(what, "or");
        let ended = |until: &Until| match until {
            Until::All(all) => name(all, "and"),
            Until::OneOf(some) => name(some, "or"),
            Until::Something | Until::Never => String::new(),
        };
        match self {
            Self::Turns(second) => {
                let second = name(std::slice::from_ref(second), "or");
                let has_choice = |names: &str| names.contains("` or `") || names.contains('…');
                // With a choice on both sides of an `and` it would not be clear what belongs together.
                match has_choice(&whats) || has_choice(&second) {
                    true => format!("in turn: {whats}, then {second}, and so on"),
                    false => format!("{whats} and {second} take turns, beginning with the former"),
                }
            }
            Self::Before { until: Until::Something, .. } => {
                format!("{whats} is forbidden at the beginning")
            }
            Self::Before { until: Until::Never, .. } => format!("{whats} is forbidden"),
            Self::Before { until, each: false, again } if !again.is_empty() => {
                format!(
                    "{whats} is permitted only between {} and the next {}",
                    ended(until),
                    name(again, "or")
                )
            }
            Self::Before { until, each, again } => {
                let first = if *each { "each" } else { "the first" };
                let verb = match until {
                    Until::All(all) if all.len() > 1 => "are",
                    _ => "is",
                };
                let again = match &again[..] {
                    [] => String::new(),
                    again => format!(", and again after {}", name(again, "or")),
                };
                format!("before {first} {whats}, {} {verb} required{again}", ended(until))
            }
            Self::Once(until) => format!("between two {whats}, {} is required", ended(until)),
            Self::After { after, until } => {
                let after = name(after, "or");
                match until {
                    Until::Something => format!("after {after}, {whats} is forbidden for a while"),
                    Until::Never => format!("after {after}, {whats} is forbidden for ever"),
                    _ => {
                        format!(
                            "between {after} and the next {}, {whats} is forbidden",
                            ended(until)
                        )
                    }
                }
            }
        }
    }
}

/// How labels are named in sentences.
struct Names<'a> {
    module: &'a str,
    forms: Forms,
}

impl Names<'_> {
    /// Abbreviated labels in backquotes. Beside a label that succeeds, those that fail are not mentioned.
    fn listed(&self, all: &[Labels], word: &str) -> String {
        let shown = |labels: &Labels| -> Vec<String> {
            let shown: Vec<&String> = labels.iter().filter(succeeds).collect();
            if shown.is_empty() { labels.clone() } else { shown.into_iter().cloned().collect() }
        };
        let one = |labels: &Vec<String>| {
            let folded = self.forms.fold(&labels.iter().collect::<Vec<_>>());
            let lines = caption(self.module, folded.iter().map(String::as_str)).into_iter();
            lines.map(|line| format!("`{}`", line.replace('\n', " "))).collect::<Vec<_>>()
        };
        let all: Vec<Vec<String>> = all.iter().map(shown).collect();
        // Alternatives of alternatives are one list.
        match word {
            "or" => listed(&one(&all.concat()), "or"),
            _ => listed(&all.iter().map(|some| listed(&one(some), "or")).collect::<Vec<_>>(), word),
        }
    }
}

/// Whether the action of a label violates nothing.
fn succeeds(label: &&String) -> bool {
    !label.contains("error: ")
}

/// `a`; `a or b`; `a, b or c`.
fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
