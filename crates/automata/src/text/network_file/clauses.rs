//! The clauses of an automaton: changes of its actions, names of its states.

use super::FileMessage;
use super::parser::{FilePart, Parser};
use super::tokens::NetworkToken;
use crate::lts::{ActionId, Alphabet, Label};
use crate::text::INTERNAL;
use std::collections::BTreeMap;

impl Parser<'_, '_> {
    /// All clauses, each applied to the result of those before it.
    pub(super) fn clauses(&mut self, part: &mut FilePart) -> Result<(), FileMessage> {
        while let Some((line, word)) =
            self.keyword(&["alphabet", "hide", "rename", "states", "error"])
        {
            match word {
                "alphabet" => self.alphabet(part)?,
                "hide" => self.hide(part)?,
                "rename" => self.rename(part)?,
                "states" => self.states(line, part)?,
                _ => self.error(part)?,
            }
        }
        Ok(())
    }

    /// `alphabet a, b`: the automaton takes part in these actions as well.
    fn alphabet(&mut self, part: &mut FilePart) -> Result<(), FileMessage> {
        let more: Alphabet = self.list("an action", Self::action)?.into_iter().collect();
        part.lts = part.lts.relabelled(part.lts.alphabet().union(&more), |label| label);
        Ok(())
    }

    /// `hide a, b`: these actions become internal.
    fn hide(&mut self, part: &mut FilePart) -> Result<(), FileMessage> {
        let actions = self.list("an action", |p, what| p.action_of(part, what))?;
        part.lts = part.lts.hiding(&actions.into_iter().collect());
        Ok(())
    }

    /// `rename a -> b, c -> d`: all at once.
    fn rename(&mut self, part: &mut FilePart) -> Result<(), FileMessage> {
        let pairs = self.list("an action", |p, what| {
            let (line, old) = (p.line(), p.action_of(part, what)?);
            let (arrow_line, arrow) = p.expect("`->`")?;
            if arrow != NetworkToken::Word("->".to_owned()) {
                return Err(p.message(arrow_line, format!("expected `->`, not {arrow}")));
            }
            Ok((line, old, p.action("the new name of the action")?))
        })?;
        let mut new: BTreeMap<ActionId, ActionId> = BTreeMap::new();
        for (line, old, to) in pairs {
            if new.insert(old, to).is_some() {
                let text = format!("{:?} is renamed twice", self.names.name(old));
                return Err(self.message(line, text));
            }
        }
        let renamed = |action: ActionId| new.get(&action).copied().unwrap_or(action);
        let alphabet = part.lts.alphabet().iter().map(renamed).collect();
        part.lts = part.lts.relabelled(alphabet, |label| match label {
            Label::Visible(action) => Label::Visible(renamed(action)),
            Label::Tau => Label::Tau,
        });
        Ok(())
    }

    /// `states "idle", "busy"`: a name for each state.
    fn states(&mut self, line: usize, part: &mut FilePart) -> Result<(), FileMessage> {
        let names = self.list("the name of a state", |p, what| Ok(p.name(what)?.1))?;
        let (n_names, n_states) = (names.len(), part.lts.n_states());
        if n_names != n_states {
            let text = format!("there are {n_states} states, but {n_names} names for them");
            return Err(self.message(line, text));
        }
        part.state_names = names.into_iter().collect();
        Ok(())
    }

    /// `error 2`: the error state of a monitor.
    fn error(&mut self, part: &mut FilePart) -> Result<(), FileMessage> {
        let (line, number) = self.name("the number of the error state")?;
        let Some(state) = part.state(&number) else {
            let n = part.lts.n_states();
            let text =
                format!("{number:?} is none of the states, which are numbered 0 to {}", n - 1);
            return Err(self.message(line, text));
        };
        part.error = Some((line, state));
        Ok(())
    }

    /// An action by name, new or not.
    fn action(&mut self, what: &str) -> Result<ActionId, FileMessage> {
        let (line, name) = self.name(what)?;
        if INTERNAL.contains(&&*name) || self.internal.contains(&&*name) {
            let text = format!("{name:?} is the internal action, which has no other name");
            return Err(self.message(line, text));
        }
        Ok(self.names.id(&name))
    }

    /// An action that the automaton has.
    fn action_of(&mut self, part: &FilePart, what: &str) -> Result<ActionId, FileMessage> {
        let line = self.line();
        let action = self.action(what)?;
        if part.lts.alphabet().contains(action) {
            return Ok(action);
        }
        let text = format!("the automaton has no action {:?}", self.names.name(action));
        Err(self.message(line, text))
    }
}
