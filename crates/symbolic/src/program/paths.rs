//! From the paths of a step to commands: each way through the tests of data is one, with the state that it ends in as
//! the monitors see it.

use super::command::{CommandKind, ControlId, ControlState, GuardedCommand, OutOfReach};
use super::data::name_of;
use super::memory::{SymbolicContext, SymbolicMemory};
use super::walk::{Walked, Walker};
use super::word::{self, word_of};
use super::{SymbolicProgram, sort_of};
use crate::{Rational, Sort, SymbolId, TermId};
use resy_system::{Monitors, Move, Outcome, SourcePlace, State, Value, ViolationKind};
use rustc_hash::FxHashMap;

/// A step with more paths is refused.
const MOST_PATHS: usize = 4_096;

impl SymbolicProgram<'_> {
    /// A command for each path that can be taken from a state.
    pub(super) fn paths(
        &mut self,
        state: &State,
        kind: CommandKind,
        mut walk: impl for<'c> FnMut(
            &mut Walker<'_, 'c>,
            SymbolicMemory<'c>,
        ) -> Value<Option<(Walked<'c>, Vec<u64>)>>,
    ) -> Result<Vec<GuardedCommand>, OutOfReach> {
        let (mut found, terms, cells) =
            (Vec::new(), std::mem::take(&mut self.terms), std::mem::take(&mut self.cells));
        let mut failure = None;
        {
            let context = SymbolicContext::new(&terms, &cells);
            let mut walker = Walker {
                interpreter: &self.interpreter,
                context: &context,
                source: SourcePlace::default(),
            };
            for n in 0.. {
                context.begin();
                let memory = SymbolicMemory { state: state.clone(), context: &context };
                walker.source = SourcePlace::default();
                let walked = walk(&mut walker, memory)
                    .and_then(|walked| watched(&self.monitors, &walker, walked));
                let source = walker.source;
                match walked {
                    Ok(Some(path)) => found.push((path, source)),
                    Ok(None) => {}
                    Err(kind) if context.refusal.borrow().is_none() => {
                        context.refusal.replace(Some(kind.to_string()));
                    }
                    Err(_) => {}
                }
                if let Some(why) = context.refusal.take() {
                    failure = Some(OutOfReach { why, source });
                    break;
                }
                if n >= MOST_PATHS {
                    let why = "a step with too many paths through unbounded data".to_owned();
                    failure = Some(OutOfReach { why, source });
                    break;
                }
                if !context.path.borrow_mut().turn() {
                    break;
                }
            }
        }
        (self.terms, self.cells) = (terms, cells);
        match failure {
            Some(failure) => Err(failure),
            None => {
                found.into_iter().map(|(path, source)| self.command(kind, path, source)).collect()
            }
        }
    }

    /// The command of a path.
    fn command(
        &mut self,
        kind: CommandKind,
        path: WatchedPath,
        source: SourcePlace,
    ) -> Result<GuardedCommand, OutOfReach> {
        let WatchedPath { moves, texts, state, sets, guard, unknowns, outcomes } = path;
        let mut updates = FxHashMap::default();
        let target = match state {
            None => None,
            Some(state) => Some(self.settle(state, sets, &mut updates)?),
        };
        Ok(GuardedCommand {
            kind,
            moves,
            guard,
            updates,
            is_exact: unknowns.is_empty(),
            inputs: unknowns,
            target,
            outcomes,
            text: texts.join("; "),
            source,
        })
    }

    /// The control state of a state after a step, and the values of its data.
    fn settle(
        &mut self,
        mut state: State,
        sets: Vec<u64>,
        updates: &mut FxHashMap<SymbolId, TermId>,
    ) -> Result<ControlId, OutOfReach> {
        let declared = self.cells.positions(&state);
        for position in 0..state.cells().len() {
            let word = state.cells()[position];
            let named = word::term_of(word);
            let sort = match (declared.get(&position), named) {
                (Some(cell), _) => sort_of(cell.kind),
                (None, Some(term)) => self.terms.borrow().sort(term),
                (None, None) => continue,
            };
            let symbol = self.symbol(&state, position, sort);
            if !declared.contains_key(&position) {
                let name = self.terms.borrow().declaration(symbol).name.clone();
                self.undeclared.insert(name);
            }
            let (own, value) = {
                let mut terms = self.terms.borrow_mut();
                let number = || Rational::integer(i128::from(word));
                (terms.symbol(symbol), named.unwrap_or_else(|| terms.number(number())))
            };
            if value != own {
                updates.insert(symbol, value);
            }
            state.cells_mut()[position] = self.word(own)?;
        }
        let control = ControlState { state, sets };
        if let Some(&known) = self.known.get(&control) {
            return Ok(known);
        }
        let id = self.controls.push(control.clone());
        self.known.insert(control, id);
        Ok(id)
    }

    pub(super) fn symbol(&mut self, state: &State, position: usize, sort: Sort) -> SymbolId {
        if let Some(&known) = self.symbols.get(&(position, sort)) {
            return known;
        }
        let name = name_of(self.interpreter.system(), state, position);
        let symbol = self.terms.borrow_mut().declare(&name, sort);
        self.symbols.insert((position, sort), symbol);
        self.places.insert(symbol, (position, sort));
        symbol
    }

    pub(super) fn word(&self, term: TermId) -> Result<i32, OutOfReach> {
        word_of(term).ok_or_else(|| OutOfReach {
            why: "there are too many terms".to_owned(),
            source: SourcePlace::default(),
        })
    }
}

/// A path with what the monitors make of it.
struct WatchedPath {
    moves: Vec<(Move, Option<Move>)>,
    texts: Vec<String>,
    state: Option<State>,
    sets: Vec<u64>,
    guard: Vec<TermId>,
    unknowns: Vec<SymbolId>,
    outcomes: Vec<Outcome>,
}

/// Shows the state after a path to the monitors.
fn watched<'c>(
    monitors: &Monitors,
    walker: &Walker<'_, 'c>,
    walked: Option<(Walked<'c>, Vec<u64>)>,
) -> Value<Option<WatchedPath>> {
    let Some((walked, mut sets)) = walked else { return Ok(None) };
    let Walked { moves, violations, memory, texts } = walked;
    let mut outcomes: Vec<Outcome> = violations.into_iter().map(Outcome::Violation).collect();
    let mut state = None;
    if let Some(memory) = memory {
        for (number, monitor) in monitors.as_slice().iter().enumerate() {
            let (looks_at, mut valuation) = (monitor.looks_at(sets[number]), 0);
            for (bit, condition) in monitor.propositions.iter().enumerate() {
                if looks_at >> bit & 1 == 0 {
                    continue;
                }
                match walker.interpreter.holds(&memory, condition) {
                    Ok(holds) => valuation |= u64::from(holds) << bit,
                    Err(ViolationKind::Unanswered) => return Err(ViolationKind::Unanswered),
                    Err(kind) => outcomes.push(Outcome::Condition(number, kind)),
                }
            }
            sets[number] = monitor.step(sets[number], valuation);
        }
        outcomes.extend(monitors.bad(&sets).map(Outcome::Claim));
        state = Some(memory.state);
    }
    let guard = walker.context.path.borrow().condition().to_vec();
    let unknowns = walker.context.unknowns.borrow().clone();
    Ok(Some(WatchedPath { moves, texts, state, sets, guard, unknowns, outcomes }))
}
