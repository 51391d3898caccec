//! What the suites share: models, random programs, and a naive search.

use resy_engine::Progress;
use resy_system::{Control, Interpreter, State, Step, Violation};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

mod models;
pub mod monitored;

pub use models::*;

/// What a search saw.
#[derive(Default)]
pub struct Seen {
    /// The stored states.
    pub states: HashSet<State>,
    /// The violations: kind and place.
    pub violations: BTreeSet<String>,
}

/// Which steps of a state are enough: those that the function keeps, if they lead to a new state.
pub type Choose<'a> = &'a dyn Fn(&State) -> Option<usize>;

/// All states of a system, by the simplest search there is; `None` beyond `limit` states.
pub fn explore(interpreter: &Interpreter<'_>, limit: usize, choose: Choose<'_>) -> Option<Seen> {
    let mut seen = Seen::default();
    let first = interpreter.initial().ok()?;
    seen.states.insert(first.clone());
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        if seen.states.len() > limit {
            return None;
        }
        let chosen = choose(&state);
        let news = expand(interpreter, &state, chosen, &mut seen);
        let news = if news.is_empty() && chosen.is_some() {
            expand(interpreter, &state, None, &mut seen)
        } else {
            news
        };
        queue.extend(news);
    }
    Some(seen)
}

/// Follows the steps of one process (or of all) to the next stored states; returns the new ones.
fn expand(
    interpreter: &Interpreter<'_>,
    state: &State,
    chosen: Option<usize>,
    seen: &mut Seen,
) -> Vec<State> {
    let steps = interpreter.steps(state, Control::Free);
    if steps.steps.is_empty() && !interpreter.is_valid_end(state) {
        seen.violations.insert("invalid end".into());
    }
    let note = |violations: &[Violation], seen: &mut Seen| {
        for v in violations {
            let kind = format!("{:?}", v.kind);
            let kind = kind.split('(').next().unwrap_or_default();
            seen.violations.insert(format!("{kind} at {:?}", v.source));
        }
    };
    if chosen.is_none() {
        note(&steps.violations, seen);
    }
    let mine = |s: &Step| chosen.is_none_or(|pid| s.actor.pid == pid);
    let mut open: Vec<Step> = steps.steps.into_iter().filter(mine).collect();
    let (mut inside, mut news) = (HashSet::new(), Vec::new());
    while let Some(step) = open.pop() {
        note(&step.violations, seen);
        let Some((next, control)) = step.next else { continue };
        if control != Control::Free {
            if !inside.insert((next.clone(), control)) {
                continue;
            }
            let more = interpreter.steps(&next, control);
            note(&more.violations, seen);
            if !more.steps.is_empty() {
                open.extend(more.steps);
                continue;
            }
        }
        if seen.states.insert(next.clone()) {
            news.push(next);
        }
    }
    news
}

/// A reduced search that expands ignored states in the end.
pub fn explore_late(
    interpreter: &Interpreter<'_>,
    limit: usize,
    choose: Choose<'_>,
) -> Option<Seen> {
    let mut seen = Seen::default();
    let mut progress = Progress::new();
    let mut found = vec![(interpreter.initial().ok()?, 0)];
    let mut ids = HashMap::from([(found[0].0.clone(), 0u32)]);
    seen.states.insert(found[0].0.clone());
    let mut queue = VecDeque::from([(0u32, false)]);
    while let Some((id, fully)) = queue.pop_front() {
        if found.len() > limit {
            return None;
        }
        let state = found[id as usize].0.clone();
        let chosen = if fully { None } else { choose(&state) };
        let news = expand(interpreter, &state, chosen, &mut seen);
        match chosen {
            None => progress.expanded(id, |id| found[id as usize].1),
            Some(_) if news.is_empty() => progress.wait(id),
            Some(_) => {}
        }
        for state in news {
            ids.insert(state.clone(), found.len() as u32);
            queue.push_back((found.len() as u32, false));
            found.push((state, id));
        }
        if queue.is_empty() {
            let successors = |id: u32| {
                let state = &found[id as usize].0;
                let mut all = Seen::default();
                let next = expand(interpreter, state, choose(state), &mut all);
                next.iter().map(|s| ids[s]).collect()
            };
            let ignored = progress.ignored(successors, |id| found[id as usize].1);
            queue.extend(ignored.map(|id| (id, true)));
        }
    }
    Some(seen)
}
