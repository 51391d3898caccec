//! A requirement as jump labels, options and `goto` statements.

use super::module::Module;
use super::refusal::{RewriteObstacle, RewriteRefusal};
use super::statement::{Statement, statement};
use super::vocabulary::Vocabulary;
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_index::Id;
use resy_network::PartId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The text of a requirement: its declarations and its states.
pub struct AutomatonText {
    /// Declarations of variables.
    pub declarations: Vec<String>,
    /// The states, the initial one first.
    pub states: String,
}

/// Writes a requirement as the body of a process; generated names begin with `prefix`.
pub fn automaton(
    words: &Vocabulary<'_>,
    module: Module<'_>,
    requirement: &Lts,
    prefix: &str,
) -> Result<AutomatonText, RewriteRefusal> {
    let mut writer = Writer::new(words, module);
    let mut states = String::new();
    for state in initial_first(requirement) {
        let mut options = Vec::new();
        let mut known = FxHashSet::default();
        for &(label, target) in requirement.transitions_from(state) {
            let statement = writer.statement(label).map_err(|why| module.refuse(label, why))?;
            if let Some(text) = written(statement, target == state)
                && known.insert((text.to_owned(), target))
            {
                options.push(option(text, prefix, target));
            }
        }
        write_state(&mut states, prefix, state, &options, &[]);
    }
    Ok(AutomatonText { declarations: words.declarations(), states })
}

/// Like [`automaton`], for people to read: actions that cannot be written become comments, and `members`
/// describes the states.
pub fn readable(
    words: &Vocabulary<'_>,
    module: Module<'_>,
    requirement: &Lts,
    members: &dyn Fn(StateId) -> Vec<String>,
) -> AutomatonText {
    let (mut writer, prefix) = (Writer::new(words, module), "S");
    let mut states = String::new();
    for state in initial_first(requirement) {
        let mut notes: Vec<String> = members(state).iter().map(|m| comment(m)).collect();
        let mut options = Vec::new();
        for &(label, target) in requirement.transitions_from(state) {
            let option = match writer.statement(label) {
                Ok(statement) => {
                    written(statement, target == state).map(|text| option(text, prefix, target))
                }
                Err(why) => {
                    let jump = format!("goto {prefix}{}", target.index());
                    notes.push(comment(&format!("{}; {jump}: {why}", module.name(label))));
                    None
                }
            };
            options.extend(option.filter(|option| !options.contains(option)));
        }
        write_state(&mut states, prefix, state, &options, &notes);
    }
    AutomatonText { declarations: words.declarations(), states }
}

fn initial_first(lts: &Lts) -> impl Iterator<Item = StateId> {
    let initial = lts.initial();
    std::iter::once(initial).chain(lts.states().filter(move |&state| state != initial))
}

/// The text of a statement; a self-loop without effect is omitted.
fn written(statement: &Statement, stays: bool) -> Option<&str> {
    match statement {
        Statement::Silent if !stays => Some("true"),
        Statement::Waits(guard) if !stays => Some(guard),
        Statement::Does(text) => Some(text),
        _ => None,
    }
}

fn option(statement: &str, prefix: &str, target: StateId) -> String {
    format!(":: {statement}; goto {prefix}{}\n", target.index())
}

fn comment(text: &str) -> String {
    format!("/* {} */\n", text.replace("*/", "* /"))
}

fn write_state(
    text: &mut String,
    prefix: &str,
    state: StateId,
    options: &[String],
    notes: &[String],
) {
    notes.iter().for_each(|note| text.push_str(note));
    text.push_str(&format!("{prefix}{}:", state.index()));
    if options.is_empty() {
        text.push_str(" false;\n");
        return;
    }
    text.push_str(" if\n");
    options.iter().for_each(|option| text.push_str(option));
    text.push_str("fi;\n");
}

/// Computes the statement of each action once.
struct Writer<'w, 'a> {
    words: &'w Vocabulary<'a>,
    module: Module<'w>,
    inside: FxHashSet<PartId>,
    mortals: FxHashSet<PartId>,
    known: FxHashMap<ActionId, Result<Statement, RewriteObstacle>>,
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(words: &'w Vocabulary<'a>, module: Module<'w>) -> Self {
        let inside = module.members.iter().map(|&member| module.components.parts[member]).collect();
        let mortals = module.mortals();
        Self { words, module, inside, mortals, known: FxHashMap::default() }
    }

    fn statement(&mut self, label: Label) -> Result<&Statement, RewriteObstacle> {
        let Label::Visible(action) = label else { return Ok(&Statement::Silent) };
        let known = match self.known.entry(action) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let meaning = &self.module.components.meanings[action];
                let inside = |part| self.inside.contains(&part);
                let dies = |part| self.mortals.contains(&part);
                new.insert(statement(self.words, meaning, &inside, &dies))
            }
        };
        known.as_ref().map_err(Clone::clone)
    }
}

impl Module<'_> {
    /// The name of an action.
    fn name(&self, label: Label) -> &str {
        label.action().map_or("i", |action| &self.components.network.actions[action].name)
    }

    fn refuse(&self, label: Label, why: RewriteObstacle) -> RewriteRefusal {
        let meaning = label.action().map(|action| &self.components.meanings[action]);
        let source = meaning.and_then(|meaning| meaning.sources.first().copied());
        RewriteRefusal { why, action: Some(self.name(label).to_owned()), source }
    }
}
