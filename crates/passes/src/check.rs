//! Checks [`Independence`] against the unreduced system.
//!
//! For every process that is said to be independent in a state, all that can happen without it is explored from
//! there. In these states its steps must stay the same, commute with every step of the others, and
//! change no visible value. The check is slow and does not look at how the claims were derived.

use crate::{Independence, Visible};
use resy_system::{Control, Interpreter, Move, State};
use std::collections::{BTreeMap, HashSet, VecDeque};

/// The edges of a step, in order; several inside an `atomic`.
type Path = Vec<(Move, Option<Move>)>;

/// The state that each step leads to; `None` if the step fails.
type StepsTo = BTreeMap<Path, Option<State>>;

/// Checks the claims of `independence` on the states of a breadth-first search that stops beyond `limit` states.
/// The error is a sentence about a state in which a claim does not hold.
pub fn check_independence(
    interpreter: &Interpreter<'_>,
    independence: &Independence,
    visible: &Visible,
    limit: usize,
) -> Result<(), String> {
    let Ok(first) = interpreter.initial() else { return Ok(()) };
    let mut check = Check { interpreter, visible, limit, done: HashSet::new() };
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        if seen.len() > limit {
            return Ok(());
        }
        let steps = paths(interpreter, &state);
        let view = (interpreter.system(), &state);
        for pid in 0..state.processes().len() {
            let can_move = steps.keys().any(|path| path[0].0.pid == pid);
            if can_move && independence.is_independent(&view, pid) {
                check.future(&state, pid)?;
            }
        }
        for next in steps.into_values().flatten() {
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Ok(())
}

struct Check<'a> {
    interpreter: &'a Interpreter<'a>,
    visible: &'a Visible,
    limit: usize,
    /// The states that were checked, each with the process that must be independent.
    done: HashSet<(State, usize)>,
}

impl Check<'_> {
    /// Checks all states that are reachable without a step of `pid`.
    fn future(&mut self, state: &State, pid: usize) -> Result<(), String> {
        let mut open = vec![state.clone()];
        while let Some(state) = open.pop() {
            if self.done.len() > self.limit || !self.done.insert((state.clone(), pid)) {
                continue;
            }
            let steps = paths(self.interpreter, &state);
            let (mine, others): (StepsTo, StepsTo) =
                steps.into_iter().partition(|(path, _)| path[0].0.pid == pid);
            self.see_nothing(&state, &mine, pid)?;
            for (path, next) in others {
                if path.iter().any(|(_, partner)| partner.is_some_and(|m| m.pid == pid)) {
                    return Err(self.sentence(&state, pid, &path, "takes part in"));
                }
                self.commute(&state, &mine, pid, &path, next.as_ref())?;
                open.extend(next);
            }
        }
        Ok(())
    }

    /// The steps of `pid` must be the same before and after a step of another process, and lead to the same
    /// states. (After a step that fails there is nothing to compare, but it must still fail.)
    fn commute(
        &self,
        state: &State,
        mine: &StepsTo,
        pid: usize,
        path: &Path,
        next: Option<&State>,
    ) -> Result<(), String> {
        let after = next.map(|next| {
            let steps = paths(self.interpreter, next);
            steps.into_iter().filter(|(p, _)| p[0].0.pid == pid).collect::<StepsTo>()
        });
        if after.as_ref().is_some_and(|after| !after.keys().eq(mine.keys())) {
            return Err(self.sentence(state, pid, path, "has other steps after"));
        }
        for (step, there) in mine {
            let Some(there) = there else { continue };
            let then = paths(self.interpreter, there).remove(path);
            let expected = after.as_ref().and_then(|after| after[step].clone());
            if then != Some(expected) {
                return Err(self.sentence(state, pid, path, "does not commute with"));
            }
        }
        Ok(())
    }

    fn see_nothing(&self, state: &State, mine: &StepsTo, pid: usize) -> Result<(), String> {
        for expr in &self.visible.expressions {
            let value = self.interpreter.evaluate(state, 0, expr);
            for (path, there) in mine {
                let Some(there) = there else { continue };
                if self.interpreter.evaluate(there, 0, expr) != value {
                    return Err(self.sentence(state, pid, path, "is seen in"));
                }
            }
        }
        Ok(())
    }

    fn sentence(&self, state: &State, pid: usize, path: &Path, what: &str) -> String {
        let system = self.interpreter.system();
        let texts: Vec<String> = path
            .iter()
            .take(1)
            .map(|(actor, _)| {
                let edge = self.interpreter.edge(state, *actor);
                format!("process {}: {} ({})", actor.pid, edge.text, system.location(edge.source))
            })
            .collect();
        let process = &state.processes()[pid];
        let name = &system.proctypes[process.proctype].name;
        format!(
            "process {pid} ({name} at {:?}) {what} the step [{}]",
            process.location,
            texts.join("; ")
        )
    }
}

/// All steps of a state to the next states that a search stores.
fn paths(interpreter: &Interpreter<'_>, state: &State) -> StepsTo {
    let mut found = StepsTo::new();
    let mut open: Vec<(Path, State, Control)> = vec![(Vec::new(), state.clone(), Control::Free)];
    let mut inside = HashSet::new();
    while let Some((path, state, control)) = open.pop() {
        for step in interpreter.steps(&state, control).steps {
            let mut path = path.clone();
            path.push((step.actor, step.partner));
            match step.next {
                None => drop(found.insert(path, None)),
                Some((next, control)) => {
                    let goes_on = control != Control::Free
                        && !interpreter.steps(&next, control).steps.is_empty();
                    if !goes_on {
                        found.insert(path, Some(next));
                    } else if inside.insert((next.clone(), control)) {
                        open.push((path, next, control));
                    }
                }
            }
        }
    }
    found
}
