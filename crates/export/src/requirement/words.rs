//! A requirement in words: which action must precede which, and which action forbids which.
//!
//! A rule holds in every run of the requirement. It is derived by reachability: `b` must precede `a` if
//! no state that permits `a` is reachable once the transitions labelled `b` are removed.

use super::sentences::sentences;
use super::{Arrow, Described, StateMark};
use std::collections::BTreeMap;

/// No rules are derived for requirements with more states or labels.
const MAX_STATES: usize = 100;
const MAX_LABELS: usize = 100;
/// The maximal number of alternatives in a rule; more would not be informative.
const MAX_ALTERNATIVES: usize = 4;
/// The maximal number of rules that are written out.
const MAX_RULES: usize = 30;

/// Labels with the same transitions, which are always mentioned together.
pub(super) type Labels = Vec<String>;

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
    /// The requirement in sentences, each rule in one of them. Empty if the requirement is too large.
    pub fn to_words(&self) -> Vec<String> {
        let groups = self.groups();
        if self.states.iter().all(|state| state.mark == StateMark::Error) && !groups.is_empty() {
            return vec!["nothing can be required: the property fails".to_owned()];
        }
        let labels = groups.iter().flat_map(|group| group.labels.clone()).collect();
        let mut sentences = sentences(&self.module, &labels, &self.rules());
        let n_more = sentences.len().saturating_sub(MAX_RULES);
        sentences.truncate(MAX_RULES);
        sentences.extend((n_more > 0).then(|| format!("… {n_more} more")));
        if sentences.is_empty() && self.states.len() == 1 && !groups.is_empty() {
            sentences.push("every action above is permitted at any time".to_owned());
        }
        sentences
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
