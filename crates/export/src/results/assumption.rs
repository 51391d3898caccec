//! What is said about an assumption at the interface: its alphabet, the queries, and the counterexamples
//! that shaped it.

use resy::assume::Assumed;
use resy::{InterfaceAssumption, LearnCounts, Lesson, counted};
use resy_automata::lts::{ActionId, Alphabet};
use serde_json::{Value, json};

/// More names than this are counted, not listed.
const MAX_NAMES: usize = 12;

/// At most so many counterexamples are listed.
const MAX_LESSONS: usize = 20;

/// Lines of a report.
pub(super) fn facts(
    assumed: &Assumed<'_>,
    assumption: &InterfaceAssumption,
) -> Vec<(String, String)> {
    let alphabet = &assumption.alphabet;
    let rest = assumption.interface.without(alphabet);
    let (n, whole) = (alphabet.len(), assumption.interface.len());
    let matters = format!("{n} of {whole} actions of the interface{}", names(assumed, alphabet));
    let mut facts = vec![("matters", matters)];
    if !rest.is_empty() {
        facts.push((
            "does not",
            format!("{}{}", counted(rest.len(), "action"), names(assumed, &rest)),
        ));
    }
    if assumption.words.is_some() {
        let n_states = assumed.requirement.lts().n_states();
        facts.push((
            "certified",
            format!("an image of the module with {}", counted(n_states, "state")),
        ));
    }
    if let Some(n_splits) = assumption.n_splits {
        let tried = assumption.n_alphabets;
        facts.push((
            "refinement",
            format!("{}, {}", counted(n_splits, "split"), counted(tried, "alphabet")),
        ));
    }
    if let Some(LearnCounts { membership, candidates, sets, .. }) = assumption.counts {
        let tried = assumption.n_alphabets;
        facts.push((
            "queries",
            format!(
                "{membership} words, {candidates} hypotheses, {tried} alphabets, {sets} sets of contexts"
            ),
        ));
    }
    for lesson in assumption.lessons.iter().take(MAX_LESSONS) {
        let kind = if lesson.is_good { "permitted" } else { "excluded" };
        facts.push((kind, word(assumed, lesson).join(" ")));
    }
    if assumption.lessons.len() > MAX_LESSONS {
        let more = assumption.lessons.len() - MAX_LESSONS;
        facts.push(("", format!("and {more} more counterexamples")));
    }
    facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect()
}

/// The JSON object of an assumption.
pub(super) fn to_json(assumed: &Assumed<'_>, assumption: &InterfaceAssumption) -> Value {
    let all = |letters: &Alphabet| -> Vec<&str> {
        letters.iter().map(|action| name(assumed, action)).collect()
    };
    let lesson = |lesson: &Lesson| json!({ "word": word(assumed, lesson), "good": lesson.is_good });
    let queries = assumption.counts.map(|counts| {
        json!({
            "membership": counts.membership,
            "hypotheses": counts.candidates,
            "sets": counts.sets,
            "contexts": counts.contexts,
            "largest": counts.largest,
        })
    });
    json!({
        "alphabet": all(&assumption.alphabet),
        "interface": all(&assumption.interface),
        "alphabets_tried": assumption.n_alphabets,
        "weakest": assumption.is_weakest,
        "splits": assumption.n_splits,
        "queries": queries,
        "counterexamples": assumption.lessons.iter().map(lesson).collect::<Vec<_>>(),
    })
}

fn word<'a>(assumed: &'a Assumed<'_>, lesson: &Lesson) -> Vec<&'a str> {
    lesson.word.iter().map(|&action| name(assumed, action)).collect()
}

fn name<'a>(assumed: &'a Assumed<'_>, action: ActionId) -> &'a str {
    &assumed.problem.network.actions[action].name
}

/// The names of a few letters, after a colon.
fn names(assumed: &Assumed<'_>, letters: &Alphabet) -> String {
    let shown: Vec<&str> = letters.iter().take(MAX_NAMES).map(|a| name(assumed, a)).collect();
    match (shown.len(), letters.len()) {
        (0, _) => String::new(),
        (n, all) if n < all => format!(": {} and {} more", shown.join(", "), all - n),
        _ => format!(": {}", shown.join(", ")),
    }
}
