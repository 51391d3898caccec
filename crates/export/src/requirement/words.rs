//! A requirement in words: which action must precede which, and which action forbids which.
//!
//! A rule holds in every run of the requirement. It is derived by reachability: `b` must precede `a` if
//! no state that permits `a` is reachable once the transitions labelled `b` are removed.

use super::{Arrow, Described};
use resy_automata::text::caption::caption;
use std::collections::BTreeMap;

/// No rules are derived for requirements with more states or labels.
const MAX_STATES: usize = 100;
const MAX_LABELS: usize = 100;
/// The maximal number of alternatives in a rule; more would not be informative.
const MAX_ALTERNATIVES: usize = 4;
/// The maximal number of rules that are written out.
const MAX_RULES: usize = 30;

/// Labels with the same transitions, which are always mentioned together.
type Labels = Vec<String>;

/// A statement that holds in all runs of a requirement: `what` does not occur after any of `after` until
/// `until` has occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The actions that are forbidden.
    pub what: Labels,
    /// The actions after which the rule applies; from the initial state if empty.
    pub after: Vec<Labels>,
    /// The end of the period in which the actions are forbidden.
    pub until: Until,
}

/// The end of a period in which an action is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// All of these must have occurred.
    All(Vec<Labels>),
    /// One of these must have occurred.
    OneOf(Vec<Labels>),
    /// The period ends, but there is no short description of when.
    Something,
    /// The period never ends.
    Never,
}

/// Labels together with their common transitions.
struct Group {
    labels: Labels,
    steps: Vec<(usize, usize)>,
}

impl Described {
    /// The requirement in sentences, one per rule and state. Empty if the requirement is too large.
    pub fn to_words(&self) -> Vec<String> {
        let rules = self.rules();
        let is_each = |rule: &Rule| rules.iter().any(|other| other.repeats(rule));
        let is_said = |rule: &&Rule| !rules.iter().any(|other| rule.repeats(other));
        let sentence = |rule: &Rule| rule.sentence(&self.module, is_each(rule));
        let mut rules: Vec<String> = rules.iter().filter(is_said).map(sentence).collect();
        let n_more = rules.len().saturating_sub(MAX_RULES);
        rules.truncate(MAX_RULES);
        let more = (n_more > 0).then(|| format!("… {n_more} more"));
        rules.into_iter().chain(more).chain(self.permissions()).collect()
    }

    /// All derived rules.
    pub fn rules(&self) -> Vec<Rule> {
        let groups = self.groups();
        if groups.is_empty() {
            return Vec::new();
        }
        let graph = Graph { n_states: self.states.len(), groups: &groups, arrows: &self.arrows };
        let mut rules = Vec::new();
        for what in 0..groups.len() {
            if !graph.takes(what, self.initial) {
                rules.push(graph.rule(what, Vec::new(), &[self.initial]));
            }
            let mut after: Vec<Rule> = Vec::new();
            for Group { labels, steps } in &groups {
                let ends: Vec<usize> = steps.iter().map(|step| step.1).collect();
                let was_possible = steps.iter().any(|step| graph.takes(what, step.0));
                if !was_possible || ends.iter().any(|&end| graph.takes(what, end)) {
                    continue;
                }
                let rule = graph.rule(what, vec![labels.clone()], &ends);
                match after.iter_mut().find(|other| other.until == rule.until) {
                    Some(same) => same.after.extend(rule.after),
                    None => after.push(rule),
                }
            }
            rules.extend(after);
        }
        rules
    }

    /// For each state what it permits or what it forbids, whichever list is shorter.
    fn permissions(&self) -> Vec<String> {
        let groups = self.groups();
        let name = |groups: &[&Group]| {
            let labels = groups.iter().flat_map(|group| group.labels.iter().cloned());
            quoted(&self.module, &labels.collect::<Vec<_>>()).join(", ")
        };
        let mut sentences = Vec::new();
        for state in (0..self.states.len()).filter(|_| !groups.is_empty()) {
            let takes = |group: &&Group| group.steps.iter().any(|step| step.0 == state);
            let (permitted, forbidden): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(takes);
            sentences.push(match (permitted.len(), forbidden.len()) {
                (_, 0) => format!("state {state} permits everything"),
                (0, _) => format!("state {state} permits nothing"),
                (p, f) if f <= p => format!("state {state} forbids {}", name(&forbidden)),
                _ => format!("state {state} permits only {}", name(&permitted)),
            });
        }
        sentences
    }

    /// The labels, grouped by their transitions. Empty if the requirement is too large.
    fn groups(&self) -> Vec<Group> {
        let mut steps: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for arrow in &self.arrows {
            for label in arrow.labels.iter().filter(|label| *label != "τ") {
                steps.entry(label).or_default().push((arrow.from, arrow.to));
            }
        }
        let mut groups: Vec<Group> = Vec::new();
        for (label, steps) in steps {
            match groups.iter_mut().find(|group| group.steps == steps) {
                Some(group) => group.labels.push(label.to_owned()),
                None => groups.push(Group { labels: vec![label.to_owned()], steps }),
            }
        }
        let is_small = self.states.len() <= MAX_STATES && groups.len() <= MAX_LABELS;
        if is_small { groups } else { Vec::new() }
    }
}

struct Graph<'a> {
    n_states: usize,
    groups: &'a [Group],
    arrows: &'a [Arrow],
}

impl Graph<'_> {
    fn takes(&self, group: usize, state: usize) -> bool {
        self.groups[group].steps.iter().any(|step| step.0 == state)
    }

    /// The rule that tells when `what` becomes possible; it is not possible in any state of `from`.
    fn rule(&self, what: usize, after: Vec<Labels>, from: &[usize]) -> Rule {
        let leads_there = |without| {
            let reached = self.reached(from, without, None);
            (0..self.n_states).any(|state| reached[state] && self.takes(what, state))
        };
        let until = if !leads_there(None) {
            Until::Never
        } else {
            let all = 0..self.groups.len();
            let needed: Vec<usize> = all.filter(|&g| g != what && !leads_there(Some(g))).collect();
            self.until(what, from, needed)
        };
        Rule { what: self.groups[what].labels.clone(), after, until }
    }

    fn until(&self, what: usize, from: &[usize], needed: Vec<usize>) -> Until {
        let labels =
            |groups: &[usize]| groups.iter().map(|&g| self.groups[g].labels.clone()).collect();
        if !needed.is_empty() {
            // If one action must precede another, naming the later one is enough.
            let last = |&early: &usize| {
                !needed.iter().any(|&late| late != early && self.needs(late, early, from))
            };
            let last: Vec<usize> = needed.iter().copied().filter(last).collect();
            return Until::All(labels(if last.is_empty() { &needed } else { &last }));
        }
        // The actions that lead from a state without `what` to a state that permits it.
        let before = self.reached(from, None, Some(what));
        let enters = |group: &usize| {
            let mut steps = self.groups[*group].steps.iter();
            steps.any(|&(start, end)| {
                before[start] && !self.takes(what, start) && self.takes(what, end)
            })
        };
        let one_of: Vec<usize> = (0..self.groups.len()).filter(enters).collect();
        let silent = self.arrows.iter().any(|arrow| {
            let is_silent = arrow.labels.iter().any(|label| label == "τ");
            is_silent
                && before[arrow.from]
                && !self.takes(what, arrow.from)
                && self.takes(what, arrow.to)
        });
        if silent || one_of.len() > MAX_ALTERNATIVES {
            return Until::Something;
        }
        Until::OneOf(labels(&one_of))
    }

    /// Whether `late` cannot occur before `early`, starting from these states.
    fn needs(&self, late: usize, early: usize, from: &[usize]) -> bool {
        let reached = self.reached(from, Some(early), None);
        !(0..self.n_states).any(|state| reached[state] && self.takes(late, state))
    }

    /// The states reachable from `from` without the transitions of one group, stopping at states that
    /// permit another group.
    fn reached(&self, from: &[usize], without: Option<usize>, up_to: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.n_states];
        let mut todo = from.to_vec();
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut reached[state], true)
                || up_to.is_some_and(|group| self.takes(group, state))
            {
                continue;
            }
            let out = self.arrows.iter().filter(|arrow| arrow.from == state);
            let left = |arrow: &&Arrow| match without {
                None => true,
                Some(group) => {
                    arrow.labels.iter().any(|label| !self.groups[group].labels.contains(label))
                }
            };
            todo.extend(out.filter(left).map(|arrow| arrow.to));
        }
        reached
    }
}

impl Rule {
    /// Whether this rule says about each later occurrence what `other` says about the first one.
    fn repeats(&self, other: &Self) -> bool {
        other.after.is_empty()
            && self.after == [self.what.clone()]
            && (&self.what, &self.until) == (&other.what, &other.until)
    }

    /// The rule as a sentence. `each` is set if the rule applies again after each occurrence.
    fn sentence(&self, module: &str, each: bool) -> String {
        let name = |labels: &Labels| quoted(module, labels).join(" or ");
        let names = |all: &[Labels], word: &str| {
            all.iter().map(name).collect::<Vec<_>>().join(&format!(" {word} "))
        };
        let what = format!("{}{}", if each { "each " } else { "" }, name(&self.what));
        if self.after.is_empty() {
            return match &self.until {
                Until::All(all) if all.len() == 1 => {
                    format!("before {what}, {} is required", names(all, "and"))
                }
                Until::All(all) => format!("before {what}, {} are required", names(all, "and")),
                Until::OneOf(some) => format!("before {what}, {} is required", names(some, "or")),
                Until::Something => format!("{what} is forbidden at the beginning"),
                Until::Never => format!("{what} is forbidden"),
            };
        }
        let after = names(&self.after, "or");
        match &self.until {
            Until::All(all) => {
                format!("after {after}, {what} is forbidden until {}", names(all, "and"))
            }
            Until::OneOf(some) => {
                format!("after {after}, {what} is forbidden until {}", names(some, "or"))
            }
            Until::Something => format!("after {after}, {what} is forbidden for a while"),
            Until::Never => format!("after {after}, {what} is forbidden for ever"),
        }
    }
}

/// Abbreviated labels in backquotes.
fn quoted(module: &str, labels: &[String]) -> Vec<String> {
    let lines = caption(module, labels.iter().map(String::as_str)).into_iter();
    lines.map(|line| format!("`{}`", line.replace('\n', " "))).collect()
}
