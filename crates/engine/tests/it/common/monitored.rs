//! The naive twin of a search with monitors, and reading models.

use resy_promela::preprocess::{Define, Loader};
use resy_promela::{Diagnostics, SourceMap};
use resy_system::{Control, Interpreter, MonitorFailure, Monitors, State, System};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// Reads a model in a file, which is accepted.
pub fn load(path: &Path, defines: &[String]) -> System {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    load_text(&path.display().to_string(), text, defines, folder)
}

/// Reads a model given as text, which is accepted.
pub fn load_text(name: &str, text: String, defines: &[String], folder: PathBuf) -> System {
    let defines: Vec<Define> = defines.iter().map(|d| Define::parse(d)).collect();
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut loader = Beside(folder);
    let system = resy_promela::read(name, text, &defines, &mut loader, &mut map, &mut diags);
    system.unwrap_or_else(|| panic!("{name}: {:?}", diags.iter().collect::<Vec<_>>()))
}

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        let path = self.0.join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((path.display().to_string(), text))
    }
}

/// The numbers of the monitors that some run violates: all pairs of a state and the
/// monitors' sets, one after the other.
pub fn violated(
    interpreter: &Interpreter<'_>,
    monitors: &Monitors,
) -> Result<BTreeSet<usize>, MonitorFailure> {
    let initial = interpreter.initial().expect("the initial values can be computed");
    let mut found = BTreeSet::new();
    let mut seen: HashSet<(State, Vec<u64>)> = HashSet::new();
    let mut todo = vec![(initial, monitors.initial())];
    while let Some((state, mut sets)) = todo.pop() {
        monitors.step(interpreter, &state, &mut sets)?;
        found.extend(monitors.bad(&sets));
        if !seen.insert((state.clone(), sets.clone())) {
            continue;
        }
        let next = stored_successors(interpreter, &state);
        if next.is_empty() {
            monitors.stutter(interpreter, &state, &mut sets)?;
            found.extend(monitors.bad(&sets));
        }
        todo.extend(next.into_iter().map(|state| (state, sets.clone())));
    }
    Ok(found)
}

/// The states that spin would store after a state: blocks are followed to where
/// they end or wait.
fn stored_successors(interpreter: &Interpreter<'_>, state: &State) -> Vec<State> {
    let (mut out, mut seen) = (Vec::new(), HashSet::new());
    let mut todo = vec![(state.clone(), Control::Free)];
    while let Some((state, control)) = todo.pop() {
        let steps = interpreter.steps(&state, control).steps;
        if control != Control::Free && steps.is_empty() {
            out.push(state);
            continue;
        }
        for (next, control) in steps.into_iter().filter_map(|step| step.next) {
            if control == Control::Free {
                out.push(next);
            } else if seen.insert((next.clone(), control)) {
                todo.push((next, control));
            }
        }
    }
    out
}
