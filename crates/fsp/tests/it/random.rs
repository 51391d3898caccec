//! Random composites: the product of the flattened components is bisimilar to what the
//! operators give one by one on whole systems.
//!
//! The naive twin works on systems with names as labels: each composite is its product first,
//! and then prefixed, shared, relabelled, hidden or restricted by priority.

use crate::bisimilar::{Marked, bisimilar};
use crate::composed::composed;
use proptest::prelude::*;
use resy_automata::product::{Explorer, Tuples};
use resy_automata::{Label, Lts, LtsBuilder};
use resy_fsp::Composition;
use resy_index::Id;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const LABELS: [&str; 4] = ["a", "b", "a.b", "c"];

/// A system: state 0 is initial; no steps lead out of an error.
#[derive(Clone, Debug, Default)]
struct Twin {
    steps: Vec<Vec<(Option<String>, usize)>>,
    alphabet: BTreeSet<String>,
    errors: BTreeSet<usize>,
}

/// How a composite is made of earlier ones.
#[derive(Clone, Debug)]
enum Make {
    Parallel(usize, usize),
    Prefix(usize),
    Share(usize),
    Relabel(usize, usize, usize),
    Hide(usize, usize, bool),
    Priority(usize, usize, bool),
}

impl Twin {
    fn relabelled(&self, mut images: impl FnMut(&str) -> Vec<String>) -> Self {
        let mut twin = Self { errors: self.errors.clone(), ..Self::default() };
        twin.alphabet = self.alphabet.iter().flat_map(|label| images(label)).collect();
        for row in &self.steps {
            let mut new: Vec<(Option<String>, usize)> = Vec::new();
            for (label, target) in row {
                match label {
                    None => new.push((None, *target)),
                    Some(label) => {
                        new.extend(images(label).into_iter().map(|l| (Some(l), *target)));
                    }
                }
            }
            twin.steps.push(new);
        }
        twin
    }

    fn hiding(&self, hidden: impl Fn(&str) -> bool) -> Self {
        let mut twin = self.clone();
        twin.alphabet.retain(|label| !hidden(label));
        for (label, _) in twin.steps.iter_mut().flatten() {
            if label.as_ref().is_some_and(|l| hidden(l)) {
                *label = None;
            }
        }
        twin
    }

    fn prioritised(&self, listed: impl Fn(&str) -> bool, high: bool) -> Self {
        let mut twin = self.clone();
        let preferred = |label: &Option<String>| label.as_ref().is_some_and(|l| listed(l)) == high;
        for row in &mut twin.steps {
            if row.iter().any(|(label, _)| preferred(label)) {
                row.retain(|(label, _)| preferred(label));
            }
        }
        twin
    }

    fn with(&self, other: &Self) -> Self {
        let mut ids = BTreeMap::from([((0, 0), 0)]);
        let mut pairs = vec![(0, 0)];
        let alphabet = self.alphabet.union(&other.alphabet).cloned().collect();
        let mut twin = Self { alphabet, ..Self::default() };
        while let Some(&(a, b)) = pairs.get(twin.steps.len()) {
            let mut next: Vec<(Option<String>, (usize, usize))> = Vec::new();
            if self.errors.contains(&a) || other.errors.contains(&b) {
                twin.errors.insert(twin.steps.len());
            } else {
                let shared = |label: &Option<String>, alphabet: &BTreeSet<String>| {
                    label.as_ref().is_some_and(|l| alphabet.contains(l))
                };
                for (label, to) in &self.steps[a] {
                    if !shared(label, &other.alphabet) {
                        next.push((label.clone(), (*to, b)));
                        continue;
                    }
                    let matching = other.steps[b].iter().filter(|(l, _)| l == label);
                    next.extend(matching.map(|(_, too)| (label.clone(), (*to, *too))));
                }
                let alone = other.steps[b].iter().filter(|(l, _)| !shared(l, &self.alphabet));
                next.extend(alone.map(|(label, to)| (label.clone(), (a, *to))));
            }
            let mut number = |pair| {
                *ids.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                })
            };
            twin.steps.push(next.into_iter().map(|(l, pair)| (l, number(pair))).collect());
        }
        twin
    }

    /// As a transition system, errors as one state.
    fn lts(&self) -> (Lts, Vec<String>, usize) {
        let names: Vec<String> = self.alphabet.iter().cloned().collect();
        let error = self.steps.len();
        let place = |state: usize| if self.errors.contains(&state) { error } else { state };
        let mut builder = LtsBuilder::with_states(error + 1);
        for (source, row) in self.steps.iter().enumerate() {
            for (label, target) in row {
                let label = match label {
                    None => Label::Tau,
                    Some(l) => {
                        Label::Visible(Id::from_index(names.binary_search(l).expect("known")))
                    }
                };
                builder.add_transition(
                    Id::from_index(place(source)),
                    label,
                    Id::from_index(place(*target)),
                );
            }
        }
        let alphabet = (0..names.len()).map(Id::from_index).collect();
        (builder.finish(Id::from_index(place(0)), alphabet), names, error)
    }
}

/// Whether a label is one of these, or begins with it.
fn named(label: &str, prefix: &str) -> bool {
    label.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The text of the model and its meaning. Processes and composites have one numbering.
fn build(processes: &[Vec<(usize, usize, usize)>], makes: &[Make]) -> (String, Twin) {
    let mut text = String::new();
    let mut twins: Vec<Twin> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (i, edges) in processes.iter().enumerate() {
        let mut twin = Twin { steps: vec![Vec::new(); 4], ..Twin::default() };
        twin.errors.insert(3);
        let _ = write!(text, "P{i} = Q0");
        for state in 0..3 {
            let steps: Vec<String> = edges
                .iter()
                .filter(|edge| edge.0 == state)
                .map(|&(_, label, target)| {
                    twin.steps[state].push((Some(LABELS[label].to_owned()), target));
                    twin.alphabet.insert(LABELS[label].to_owned());
                    let target =
                        if target == 3 { "ERROR".to_owned() } else { format!("Q{target}") };
                    format!("{} -> {target}", LABELS[label])
                })
                .collect();
            let body = if steps.is_empty() {
                "STOP".to_owned()
            } else {
                format!("({})", steps.join(" | "))
            };
            let _ = write!(text, ",\n  Q{state} = {body}");
        }
        let _ = writeln!(text, ".");
        twins.push(twin);
        names.push(format!("P{i}"));
    }
    for (i, make) in makes.iter().enumerate() {
        let pick = |n: usize| n % twins.len();
        let (body, twin) = match *make {
            Make::Parallel(x, y) => {
                let (x, y) = (pick(x), pick(y));
                (format!("({} || {})", names[x], names[y]), twins[x].with(&twins[y]))
            }
            Make::Prefix(x) => {
                let x = pick(x);
                (format!("p:{}", names[x]), twins[x].relabelled(|l| vec![format!("p.{l}")]))
            }
            Make::Share(x) => {
                let x = pick(x);
                let images = |l: &str| vec![format!("p.{l}"), format!("c.{l}")];
                (format!("{{p, c}}::{}", names[x]), twins[x].relabelled(images))
            }
            Make::Relabel(x, new, old) => {
                let (x, new, old) = (pick(x), LABELS[new], LABELS[old]);
                let images = |l: &str| match named(l, old) {
                    true => vec![format!("{new}{}", &l[old.len()..])],
                    false => vec![l.to_owned()],
                };
                (format!("{}/{{{new}/{old}}}", names[x]), twins[x].relabelled(images))
            }
            Make::Hide(x, label, expose) => {
                let (x, label) = (pick(x), LABELS[label]);
                let sign = if expose { '@' } else { '\\' };
                let hidden = |l: &str| named(l, label) != expose;
                (format!("{} {sign} {{{label}}}", names[x]), twins[x].hiding(hidden))
            }
            Make::Priority(x, label, high) => {
                let (x, label) = (pick(x), LABELS[label]);
                let sign = if high { "<<" } else { ">>" };
                let twin = twins[x].prioritised(|l| named(l, label), high);
                (format!("{} {sign} {{{label}}}", names[x]), twin)
            }
        };
        let _ = writeln!(text, "||C{i} = {body}.");
        twins.push(twin);
        names.push(format!("C{i}"));
    }
    // The composite that is asked for is not hidden: one more level.
    let _ = writeln!(text, "||TOP = {}.", names[names.len() - 1]);
    (text, twins.pop().unwrap_or_default())
}

/// The product of all parts, with one error state; hidden actions are internal.
fn product(composition: &Composition) -> (Lts, Vec<String>, usize) {
    let systems = composition.systems();
    let explorer = Explorer::new(systems.iter().map(|(lts, _)| *lts).collect());
    let names: Vec<String> = composition.actions.iter().map(|a| a.name.clone()).collect();
    let is_error = |state: &[resy_automata::StateId]| {
        systems.iter().zip(state).any(|((_, error), &state)| *error == Some(state))
    };
    let mut builder = LtsBuilder::new();
    let error = builder.add_state();
    let mut tuples = Tuples::new(systems.len());
    let initial = explorer.initial();
    tuples.insert(&initial);
    builder.add_state();
    let mut next = 0;
    while next < tuples.len() {
        let state = tuples[Id::from_index(next)].to_vec();
        explorer.successors(&state, |step, to| {
            let label = match step.label() {
                Label::Visible(a) if names[a.index()].starts_with('\\') => Label::Tau,
                label => label,
            };
            let target = match is_error(to) {
                true => error,
                false => {
                    let (tuple, new) = tuples.insert(to);
                    if new {
                        builder.add_state();
                    }
                    Id::from_index(tuple.index() + 1)
                }
            };
            builder.add_transition(Id::from_index(next + 1), label, target);
        });
        next += 1;
    }
    let visible = (0..names.len()).filter(|&i| !names[i].starts_with('\\')).map(Id::from_index);
    let start = if is_error(&initial) { 0 } else { 1 };
    (builder.finish(Id::from_index(start), visible.collect()), names, 0)
}

fn make() -> impl Strategy<Value = Make> {
    let label = || 0..LABELS.len();
    prop_oneof![
        4 => (any::<usize>(), any::<usize>()).prop_map(|(x, y)| Make::Parallel(x, y)),
        1 => any::<usize>().prop_map(Make::Prefix),
        1 => any::<usize>().prop_map(Make::Share),
        3 => (any::<usize>(), label(), label()).prop_map(|(x, n, o)| Make::Relabel(x, n, o)),
        2 => (any::<usize>(), label(), any::<bool>()).prop_map(|(x, l, e)| Make::Hide(x, l, e)),
        1 => (any::<usize>(), label(), any::<bool>()).prop_map(|(x, l, h)| Make::Priority(x, l, h)),
    ]
}

/// How many composites are tried: so many, or `RESY_CASES` (`xtask fsp`).
pub fn cases() -> u32 {
    std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn components_are_the_composite(
        processes in prop::collection::vec(
            prop::collection::vec((0..3usize, 0..LABELS.len(), 0..4usize), 1..6),
            2..4,
        ),
        makes in prop::collection::vec(make(), 1..6),
    ) {
        let (text, twin) = build(&processes, &makes);
        let composition = composed(&text, "TOP");
        let (lts, names, error) = product(&composition);
        let (naive, naive_names, naive_error) = twin.lts();
        let ours = Marked { lts: &lts, names: &names, error: Some(Id::from_index(error)) };
        let theirs =
            Marked { lts: &naive, names: &naive_names, error: Some(Id::from_index(naive_error)) };
        prop_assert!(bisimilar(&ours, &theirs), "{}\n{:?}", text, twin);
    }
}
