//! From tokens to a network.

use super::tokens::{NetworkToken, Placed};
use super::{AutomatonLoader, FileMessage, KEYWORDS};
use crate::lts::{Alphabet, Lts, StateId};
use crate::network::{Component, ComponentId, Monitor, Network};
use crate::text::{ActionNames, aut};
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// The maximal number of transitions of a monitor.
const MAX_MONITOR: usize = 1 << 25;

/// A parser with one token of lookahead.
pub struct Parser<'a, 't> {
    file: &'a str,
    tokens: std::iter::Peekable<std::vec::IntoIter<Placed>>,
    last_line: usize,
    pub(super) names: ActionNames,
    pub(super) internal: &'a [&'a str],
    load: AutomatonLoader<'a, 't>,
    go_on: &'a mut dyn FnMut() -> bool,
}

/// An automaton with its clauses.
pub(super) struct FilePart {
    pub line: usize,
    pub lts: Lts,
    pub state_names: IndexVec<StateId, String>,
    pub error: Option<(usize, StateId)>,
}

impl<'a, 't> Parser<'a, 't> {
    pub fn new(
        file: &'a str,
        tokens: Vec<Placed>,
        names: ActionNames,
        internal: &'a [&'a str],
        load: AutomatonLoader<'a, 't>,
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let tokens = tokens.into_iter().peekable();
        Self { file, tokens, last_line: 1, names, internal, load, go_on }
    }

    /// The whole file.
    pub fn network(mut self) -> Result<(Network, Vec<FileMessage>), FileMessage> {
        if self.next_word().as_deref() != Some("network") {
            return Err(self.message(self.last_line, "a network begins with the word `network`"));
        }
        let mut components: IndexVec<ComponentId, Component> = IndexVec::new();
        let mut by_name: BTreeMap<String, ComponentId> = BTreeMap::new();
        let mut monitor: Option<FilePart> = None;
        let mut module: Vec<(usize, String)> = Vec::new();
        while let Some((line, token)) = self.next() {
            let word = if let NetworkToken::Word(word) = &token { &**word } else { "" };
            match word {
                "component" => {
                    let component = self.component()?;
                    let name = component.name.clone();
                    if by_name.insert(name, components.next_id()).is_some() {
                        let text = format!("there are two components {:?}", component.name);
                        return Err(self.message(line, text));
                    }
                    components.push(component);
                }
                "monitor" if monitor.is_some() => {
                    return Err(self.message(line, "there are two monitors"));
                }
                "monitor" => monitor = Some(self.part()?),
                "module" => module.extend(self.list("the name of a component", Self::name)?),
                _ => {
                    let text = format!("expected `component`, `monitor` or `module`, not {token}");
                    return Err(self.message(line, text));
                }
            }
        }
        let module = self.module(&module, &by_name)?;
        let used: Alphabet = components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
        let notes = monitor.iter().flat_map(|part| self.lone_actions(part, &used)).collect();
        let monitor = monitor.map(|part| self.monitor(part)).transpose()?;
        Ok((Network::new(self.names.into_actions(), components, monitor, module), notes))
    }

    /// The rest of a statement after the word `component`.
    fn component(&mut self) -> Result<Component, FileMessage> {
        let (_, name) = self.name("the name of the component")?;
        let FilePart { lts, state_names, error, .. } = self.part()?;
        if let Some((line, _)) = error {
            return Err(self.message(line, "only a monitor has an error state"));
        }
        Ok(Component { name, lts, state_names })
    }

    fn module(
        &self,
        names: &[(usize, String)],
        by_name: &BTreeMap<String, ComponentId>,
    ) -> Result<Vec<ComponentId>, FileMessage> {
        let mut module = Vec::new();
        for (line, name) in names {
            let Some(&id) = by_name.get(name) else {
                return Err(self.message(*line, format!("there is no component {name:?}")));
            };
            if module.contains(&id) {
                return Err(self.message(*line, format!("{name:?} is in the module twice")));
            }
            module.push(id);
        }
        Ok(module)
    }

    /// A path or an automaton in place, and its clauses.
    fn part(&mut self) -> Result<FilePart, FileMessage> {
        let (line, token) = self.expect("a path in quotes, or an automaton `des (…)`")?;
        let lts = match token {
            NetworkToken::Quoted(path) => {
                let text = (self.load)(&path)
                    .map_err(|why| self.message(line, format!("cannot read {path:?}: {why}")))?;
                let read = aut::read_while(&text, &mut self.names, self.internal, &mut *self.go_on);
                read.map_err(|e| FileMessage { file: path, line: e.line, text: e.message })?
            }
            NetworkToken::Automaton(text) => {
                let read = aut::read_while(&text, &mut self.names, self.internal, &mut *self.go_on);
                read.map_err(|e| self.message(line + e.line - 1, e.message))?
            }
            token => {
                let text =
                    format!("expected a path in quotes, or an automaton `des (…)`, not {token}");
                return Err(self.message(line, text));
            }
        };
        let mut part = FilePart { line, lts, state_names: IndexVec::new(), error: None };
        self.clauses(&mut part)?;
        Ok(part)
    }

    fn lone_actions(&self, part: &FilePart, used: &Alphabet) -> Vec<FileMessage> {
        let alone = part.lts.alphabet().without(used);
        let note = |action| {
            let name = self.names.name(action);
            self.message(part.line, format!("no component has the monitor's action {name:?}"))
        };
        alone.iter().map(note).collect()
    }

    fn monitor(&self, part: FilePart) -> Result<Monitor, FileMessage> {
        let FilePart { line, lts, state_names, error } = part;
        let (n_states, n_actions) = (lts.n_states(), lts.alphabet().len());
        if n_states.saturating_mul(n_actions) > MAX_MONITOR {
            let text = format!(
                "the monitor is too large: {n_states} states, each with a transition for each of \
                 {n_actions} actions",
            );
            return Err(self.message(line, text));
        }
        let Some((line, error)) = error else {
            return Monitor::of_good_words(&lts, state_names).map_err(|found| {
                let label = found.label.action().map(|a| self.names.name(a));
                let what = match label {
                    Some(name) => format!("two transitions for {name:?}"),
                    None => "an internal step".to_owned(),
                };
                let state = found.state.index();
                let text = format!(
                    "the monitor is not deterministic: state {state} has {what}; such a monitor \
                     needs an error state, `error N`",
                );
                self.message(line, text)
            });
        };
        if let Some((state, ..)) = lts.transitions().find(|t| t.1.action().is_none()) {
            let text = format!("the monitor has an internal step in state {}", state.index());
            return Err(self.message(line, text));
        }
        if lts.transitions_from(error).iter().any(|t| t.1 != error) {
            return Err(self.message(line, "a transition leads out of the error state"));
        }
        Ok(Monitor { lts, error, state_names }.with_sink())
    }

    /// A list separated by commas.
    pub(super) fn list<T>(
        &mut self,
        what: &str,
        item: impl Fn(&mut Self, &str) -> Result<T, FileMessage>,
    ) -> Result<Vec<T>, FileMessage> {
        let mut items = vec![item(self, what)?];
        while self.tokens.next_if(|(_, token)| *token == NetworkToken::Comma).is_some() {
            items.push(item(self, what)?);
        }
        Ok(items)
    }

    /// A name, in quotes or not, and its line.
    pub(super) fn name(&mut self, what: &str) -> Result<(usize, String), FileMessage> {
        match self.expect(what)? {
            (line, NetworkToken::Quoted(name)) => Ok((line, name)),
            (line, NetworkToken::Word(word)) if !KEYWORDS.contains(&&*word) => Ok((line, word)),
            (line, token) => Err(self.message(line, format!("expected {what}, not {token}"))),
        }
    }

    pub(super) fn expect(&mut self, what: &str) -> Result<Placed, FileMessage> {
        let last = self.last_line;
        self.next().ok_or_else(|| self.message(last, format!("expected {what}, not the end")))
    }

    /// The line of the next word, or the last one.
    pub(super) fn line(&mut self) -> usize {
        self.tokens.peek().map_or(self.last_line, |placed| placed.0)
    }

    /// The next word, if it is one of those given.
    pub(super) fn keyword(&mut self, among: &[&'static str]) -> Option<(usize, &'static str)> {
        let (line, NetworkToken::Word(word)) = self.tokens.peek()? else { return None };
        let (line, found) = (*line, among.iter().find(|k| *k == word)?);
        self.next();
        Some((line, found))
    }

    pub(super) fn message(&self, line: usize, text: impl Into<String>) -> FileMessage {
        FileMessage { file: self.file.to_owned(), line, text: text.into() }
    }

    fn next(&mut self) -> Option<Placed> {
        let placed = self.tokens.next()?;
        self.last_line = placed.0;
        Some(placed)
    }

    fn next_word(&mut self) -> Option<String> {
        match self.next()? {
            (_, NetworkToken::Word(word)) => Some(word),
            _ => None,
        }
    }
}

impl FilePart {
    /// The state with this number.
    pub(super) fn state(&self, number: &str) -> Option<StateId> {
        let number = number.parse::<usize>().ok()?;
        (number < self.lts.n_states()).then(|| Id::from_index(number))
    }
}
