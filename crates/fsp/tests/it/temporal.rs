//! Assertions and progress against LTSA: a reference check of formulas under fair choice.
//!
//! A fair run ends in a terminal set of the product of system and valuations, and takes all
//! its transitions for ever. It violates the formula if the automaton of the negation can
//! follow: some strongly connected set of pairs has all marks, and covers the terminal set.

use crate::composed::{composed, model, own_folder};
use resy_automata::fair::terminal_sets;
use resy_automata::ltl::{TemporalFormula, translate};
use resy_automata::product::{Safety, product, reaches_error};
use resy_automata::{Label, Lts, LtsBuilder};
use resy_fsp::formula::Assertion;
use resy_fsp::networks::AssertionNetwork;
use resy_fsp::progress::ProgressProperty;
use resy_fsp::{ComposeOptions, Composition, read};
use resy_index::Id;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

const LIMIT: usize = 500_000;

/// A step of the system.
type Taken = (usize, Label, usize);
/// A target, the marks of the step, and the step of the system.
type PairEdge = (usize, u64, Taken);

/// The product of all parts and of an idle part with the actions that only the formula has;
/// the names of its actions.
fn system(composition: &Composition, assertion: &Assertion) -> (Lts, Vec<String>) {
    let mut names: Vec<String> = composition.actions.iter().map(|a| a.name.clone()).collect();
    let mut builder = LtsBuilder::new();
    let state = builder.add_state();
    for action in assertion.actions() {
        if !names.iter().any(|name| **name == *action) {
            builder.add_transition(state, Label::Visible(Id::from_index(names.len())), state);
            names.push(action.to_string());
        }
    }
    let free = builder.finish(state, Default::default());
    let mut systems: Vec<&Lts> = composition.systems().into_iter().map(|(lts, _)| lts).collect();
    systems.push(&free);
    (product(&systems, LIMIT).expect("the product is small").lts, names)
}

/// System and valuations: states, and the letter that each step gives.
fn valued(lts: &Lts, names: &[String], assertion: &Assertion) -> (Lts, Vec<u64>) {
    let mut ids = HashMap::new();
    let mut states = vec![(lts.initial(), assertion.initial())];
    let mut builder = LtsBuilder::new();
    ids.insert(states[0], builder.add_state());
    let mut next = 0;
    while let Some(&(state, valuation)) = states.get(next) {
        for &(label, target) in lts.transitions_from(state) {
            let name = label.action().map(|action| &*names[Id::index(action)]);
            let change = assertion.change(name.filter(|name| !name.starts_with('\\')));
            let successor = (target, change.apply(valuation));
            let target = *ids.entry(successor).or_insert_with(|| {
                states.push(successor);
                builder.add_state()
            });
            builder.add_transition(Id::from_index(next), label, target);
        }
        next += 1;
    }
    let valuations = states.iter().map(|(_, valuation)| *valuation).collect();
    (builder.finish(Id::from_index(0), lts.alphabet().clone()), valuations)
}

/// Whether every fair run satisfies the formula. A letter belongs to the state that a step
/// leads to.
fn holds(composition: &Composition, assertion: &Assertion) -> bool {
    let (lts, names) = system(composition, assertion);
    let (lts, valuations) = valued(&lts, &names, assertion);
    let negation = TemporalFormula::Not(Box::new(assertion.formula.clone()));
    let automaton = translate(&negation).expect("the formula is small");
    // Pairs of a state and a state of the automaton; edges carry marks.
    let mut ids: HashMap<(usize, usize), usize> = HashMap::new();
    let mut pairs: Vec<(usize, usize)> =
        automaton.initial.iter().map(|b| (0, Id::index(*b))).collect();
    for (i, pair) in pairs.iter().enumerate() {
        ids.insert(*pair, i);
    }
    let mut edges: Vec<Vec<PairEdge>> = Vec::new();
    while let Some(&(state, b)) = pairs.get(edges.len()) {
        let mut out = Vec::new();
        for &(label, target) in lts.transitions_from(Id::from_index(state)) {
            let target = Id::index(target);
            for edge in &automaton.edges[Id::from_index(b)] {
                if edge.label.allows(valuations[target]) {
                    let pair = (target, Id::index(edge.target));
                    let id = *ids.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    out.push((id, edge.marks, (state, label, target)));
                }
            }
        }
        edges.push(out);
    }
    let component = components(&edges);
    let mut marks: BTreeMap<usize, u64> = BTreeMap::new();
    let mut covered: BTreeMap<usize, BTreeSet<Taken>> = BTreeMap::new();
    for (from, out) in edges.iter().enumerate() {
        for &(to, mark, step) in out.iter().filter(|(to, ..)| component[*to] == component[from]) {
            assert!(to < pairs.len());
            *marks.entry(component[from]).or_default() |= mark;
            covered.entry(component[from]).or_default().insert(step);
        }
    }
    let terminal: Vec<BTreeSet<Taken>> = terminal_sets(&lts)
        .into_iter()
        .map(|set| {
            let steps = |&s| {
                lts.transitions_from(s).iter().map(move |&(l, t)| (Id::index(s), l, Id::index(t)))
            };
            set.iter().flat_map(steps).collect()
        })
        .collect();
    !covered.iter().any(|(component, steps)| {
        marks[component] & automaton.marks == automaton.marks
            && terminal.iter().any(|set| !set.is_empty() && set.is_subset(steps))
    })
}

/// Strongly connected components by two passes of depth-first search.
fn components(edges: &[Vec<PairEdge>]) -> Vec<usize> {
    let n = edges.len();
    let mut order = Vec::new();
    let mut seen = vec![false; n];
    for start in 0..n {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((state, next)) = path.pop() {
            match edges[state].get(next) {
                Some(&(to, ..)) => {
                    path.push((state, next + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => order.push(state),
            }
        }
    }
    let mut back = vec![Vec::new(); n];
    for (from, out) in edges.iter().enumerate() {
        out.iter().for_each(|&(to, ..)| back[to].push(from));
    }
    let mut component = vec![usize::MAX; n];
    for &start in order.iter().rev() {
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            if component[state] == usize::MAX {
                component[state] = start;
                open.extend(back[state].iter().filter(|&&s| component[s] == usize::MAX));
            }
        }
    }
    component
}

/// The verdict of the safety monitor, if the assertion is a safety formula.
fn monitored(composition: &Composition, assertion: &Assertion) -> Option<bool> {
    match composition.network_of_assertion(assertion) {
        AssertionNetwork::Safety(network) => {
            assert_eq!(network.validate(), []);
            match reaches_error(&network, LIMIT) {
                Safety::Safe { .. } => Some(true),
                Safety::Trace(_) => Some(false),
                Safety::TooLarge(_) => None,
            }
        }
        AssertionNetwork::Liveness => None,
        AssertionNetwork::TooLarge(why) => panic!("{}: {why}", assertion.name),
    }
}

/// Both checks; they agree.
fn verdict(composition: &Composition, name: &str) -> bool {
    let assertion = composition.assertions.iter().find(|a| a.name == name);
    let assertion = assertion.unwrap_or_else(|| panic!("no assertion {name}"));
    let holds = holds(composition, assertion);
    if let Some(monitored) = monitored(composition, assertion) {
        assert_eq!(monitored, holds, "{} {name}", composition.name);
    }
    holds
}

/// LTSA's answers (`checkLTL`, fair choice).
#[test]
fn small_formulas_have_ltsas_verdicts() {
    let base =
        "P = (a -> b -> c -> P).\n||S = P.\nfluent F = <b, c>\nfluent T = <c, b> initially 1\n";
    let tau = "P = (a -> b -> c -> P) \\ {b}.\n||S = P.\nfluent F = <b, c>\n";
    let choice = "P = (a -> (b -> P | c -> Q)), Q = (d -> Q).\n||S = P.\n";
    let coin = "P = (a -> (b -> P | c -> P)).\n||S = P.\n";
    for (model, formula, expected) in [
        (base, "(T || T -> F)", true),
        (base, "(T && F -> F)", true),
        (base, "(T U F || F)", true),
        (base, "(T && T U F && T)", false),
        (base, "(!T U F)", false),
        (base, "(a U b)", true),
        (base, "[]F", false),
        (base, "F", false),
        (base, "T", true),
        (base, "a", true),
        (base, "b", false),
        (base, "(X a)", false),
        (base, "(X b)", true),
        (tau, "(X c)", false),
        (tau, "[](a -> X c)", false),
        (tau, "[](a -> <>c)", true),
        (tau, "[]<>c", true),
        (tau, "[]!F", false),
        ("P = (b -> a -> c -> P) \\ {b}.\n||S = P.\n", "a", false),
        (coin, "[]<>b", true),
        (coin, "<>[]!b", false),
        (choice, "[]<>d", true),
        (choice, "[]!d", false),
        (
            "P = (x -> a[1] -> (b -> P | c -> P)).\n||S = P.\nfluent G[i:1..2] = <a[i], b>\n",
            "[]<>G[1..2]",
            true,
        ),
    ] {
        let text = format!("{model}assert A = {formula}\n");
        let composition = composed(&text, "S");
        assert_eq!(verdict(&composition, "A"), expected, "{text}");
    }
}

#[test]
fn formulas_are_parts_of_composites() {
    let text = "P = (a -> b -> P | b -> P).\nfluent F = <a, b>\nltl_property L = [](b -> X a)\n\
                constraint C = [](b -> X a) + {c}\n||BAD = (P || L).\n||GOOD = (P || C || L).\n";
    for (composite, expected) in [("BAD", false), ("GOOD", true)] {
        let composition = composed(text, composite);
        let network = composition.network_of_property(0).expect("a property");
        let safe = matches!(reaches_error(&network, LIMIT), Safety::Safe { .. });
        assert_eq!(safe, expected, "{composite}");
    }
}

/// The progress properties that fail, on the product.
fn without_progress(composition: &Composition) -> Vec<&str> {
    let systems: Vec<&Lts> = composition.systems().into_iter().map(|(lts, _)| lts).collect();
    let lts = product(&systems, LIMIT).expect("the product is small").lts;
    let sets = terminal_sets(&lts);
    let fails = |property: &&ProgressProperty| {
        let name = |action| &*composition.actions[action].name;
        sets.iter().any(|set| property.fails_in(&lts, set, name))
    };
    composition.progress.iter().filter(fails).map(|property| &*property.name).collect()
}

#[test]
fn progress_is_lost_where_exits_have_low_priority() {
    for (composite, expected) in [("SAFE", vec![]), ("CONGESTED", vec!["REDCROSS", "BLUECROSS"])] {
        let composition = composed(&model("bridge"), composite);
        assert_eq!(without_progress(&composition), expected, "{composite}");
    }
}

/// LTSA's progress check stops at the first terminal set that violates a property: what it
/// names, fails, and if it names nothing, nothing fails. The table, if there is one, has file,
/// composite and the names.
#[test]
fn the_public_models_have_the_progress_that_ltsa_sees() {
    let Some(folder) = std::env::var_os("RESY_FSP_MODELS") else { return };
    let folder = Path::new(&folder);
    let Ok(rows) = std::fs::read_to_string(folder.join("progress-dev.tsv")) else { return };
    let mut equal = 0;
    for row in rows.lines() {
        let cells: Vec<&str> = row.split('\t').collect();
        let bytes = std::fs::read(folder.join(cells[0])).expect("the model can be read");
        let composition = composed(&String::from_utf8_lossy(&bytes), cells[1]);
        let found = without_progress(&composition);
        let expected: Vec<&str> = cells[2].split(',').filter(|name| !name.is_empty()).collect();
        let same = found.is_empty() == expected.is_empty();
        assert!(same && expected.iter().all(|name| found.contains(name)), "{row}: {found:?}");
        equal += 1;
    }
    println!("progress: {equal} rows equal");
}

/// The assertions of the rows of a table: `NAME=holds`, `NAME=violated` or `NAME=?`.
#[test]
fn the_public_models_have_the_assertions_that_ltsa_gives() {
    let Some(folder) = std::env::var_os("RESY_FSP_MODELS") else { return };
    let folder = Path::new(&folder);
    assert!(own_folder().is_dir());
    let rows = std::fs::read_to_string(folder.join("verdicts-dev.tsv")).expect("the table");
    let (mut equal, mut skipped, mut different) = (0, 0, Vec::new());
    for row in rows.lines() {
        let cells: Vec<&str> = row.split('\t').collect();
        let answers = cells.get(7..).unwrap_or_default();
        if answers.is_empty() {
            continue;
        }
        let bytes = std::fs::read(folder.join(cells[0])).expect("the model can be read");
        let text = String::from_utf8_lossy(&bytes);
        let options =
            ComposeOptions { composite: Some(cells[1].to_owned()), ..ComposeOptions::default() };
        let composition = read(&text, &options).0.expect("a composition");
        for answer in answers {
            let (name, expected) = answer.split_once('=').expect("NAME=answer");
            if expected == "?" || cells[2] != "ok" {
                skipped += 1;
            } else if verdict(&composition, name) == (expected == "holds") {
                equal += 1;
            } else {
                different.push(format!("{} {}: {answer}", cells[0], cells[1]));
            }
        }
    }
    println!("assertions: {equal} equal, {} different, {skipped} skipped", different.len());
    assert!(different.is_empty(), "{different:#?}");
}
