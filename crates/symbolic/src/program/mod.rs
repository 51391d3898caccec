//! Symbolic steps: from a program with unbounded data to guarded commands between control states.
//!
//! There is no second semantics: the interpreter runs over a [memory](memory) that answers with terms
//! and takes both answers to a test of one, in different [paths](path). A control state is the finite
//! part of a state; its commands are computed once, when it is first expanded.

mod command;
mod data;
mod memory;
mod path;
mod walk;
mod word;

pub use command::{CommandKind, ControlId, ControlState, GuardedCommand, OutOfReach};
pub use data::{DataCell, DataDeclarations, DataKind, DataVariable};

use crate::{Rational, Sort, SymbolId, TermId, Terms};
use data::{DataCells, name_of};
use memory::{SymbolicContext, SymbolicMemory};
use resy_index::{Id, IndexVec};
use resy_system::{
    CellType, Expr, Interpreter, Memory, Monitors, Move, Outcome, SourcePlace, State, Value,
    ViolationKind,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use walk::{Walked, Walker, uses_timeout};
use word::{LEAST_NUMBER, word_of};

/// A step with more paths is refused.
const MOST_PATHS: usize = 4_096;

/// A program with unbounded data, as guarded commands.
pub struct SymbolicProgram<'a> {
    interpreter: Interpreter<'a>,
    monitors: Monitors,
    declarations: DataDeclarations,
    cells: DataCells,
    terms: RefCell<Terms>,
    /// The variables of the cells, by position and sort.
    symbols: FxHashMap<(usize, Sort), SymbolId>,
    /// The cells of the variables.
    places: FxHashMap<SymbolId, (usize, Sort)>,
    parameters: Vec<SymbolId>,
    /// Names of cells that hold data without being declared: an unbounded value was stored in them.
    undeclared: BTreeSet<String>,
    controls: IndexVec<ControlId, ControlState>,
    known: FxHashMap<ControlState, ControlId>,
    commands: FxHashMap<ControlId, Rc<[GuardedCommand]>>,
    started: Option<Rc<[GuardedCommand]>>,
    assumptions: FxHashMap<ControlId, Rc<[TermId]>>,
}

impl<'a> SymbolicProgram<'a> {
    /// The program that an interpreter runs, watched by monitors.
    pub fn new(
        interpreter: Interpreter<'a>,
        monitors: Monitors,
        declarations: DataDeclarations,
    ) -> Result<Self, OutOfReach> {
        let cells = DataCells::of(&declarations);
        let program = Self {
            interpreter,
            monitors,
            cells,
            declarations,
            terms: RefCell::default(),
            symbols: FxHashMap::default(),
            places: FxHashMap::default(),
            parameters: Vec::new(),
            undeclared: BTreeSet::new(),
            controls: IndexVec::new(),
            known: FxHashMap::default(),
            commands: FxHashMap::default(),
            started: None,
            assumptions: FxHashMap::default(),
        };
        program.check_numbers()?;
        Ok(program)
    }

    /// The same program, from which nothing has been derived yet.
    pub fn again(&self) -> Result<Self, OutOfReach> {
        let (interpreter, monitors) = (self.interpreter.clone(), self.monitors.clone());
        Self::new(interpreter, monitors, self.declarations.clone())
    }

    /// The terms of all guards and values.
    pub fn terms(&self) -> &RefCell<Terms> {
        &self.terms
    }

    /// The interpreter.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// The data, and what is said about it.
    pub fn declarations(&self) -> &DataDeclarations {
        &self.declarations
    }

    /// The variables that never change.
    pub fn parameters(&self) -> &[SymbolId] {
        &self.parameters
    }

    /// The cells that hold data without being declared, because an unbounded value was stored in them.
    pub fn undeclared(&self) -> impl Iterator<Item = &str> {
        self.undeclared.iter().map(String::as_str)
    }

    /// The control states found so far.
    pub fn controls(&self) -> &IndexVec<ControlId, ControlState> {
        &self.controls
    }

    /// The variables of the data cells of a control state, by position.
    pub fn data_of(&self, control: ControlId) -> Vec<(usize, SymbolId)> {
        let cells = self.controls[control].state.cells().iter().enumerate();
        cells
            .filter_map(|(position, &word)| {
                let term = word::term_of(word)?;
                let symbol = self.terms.borrow().symbols_in(&[term]).first().copied()?;
                Some((position, symbol))
            })
            .collect()
    }

    /// The cell and the sort of a variable of the data; `None` for an input.
    pub fn place_of(&self, symbol: SymbolId) -> Option<(usize, Sort)> {
        self.places.get(&symbol).copied()
    }

    /// The variable of a cell that was met as data of this sort.
    pub fn symbol_at(&self, place: (usize, Sort)) -> Option<SymbolId> {
        self.symbols.get(&place).copied()
    }

    /// What people call a cell of a control state, by its position.
    pub fn cell_name(&self, control: ControlId, position: usize) -> String {
        name_of(self.interpreter.system(), &self.controls[control].state, position)
    }

    /// A control state without the names of its data: equal for equal control states of two readings of a program.
    pub fn shape_of(&self, control: ControlId) -> ControlState {
        let mut shape = self.controls[control].clone();
        for word in shape.state.cells_mut() {
            if word::term_of(*word).is_some() {
                *word = i32::MIN;
            }
        }
        shape
    }

    /// The ways in which the program starts: one for each view that the monitors may have of it.
    pub fn start(&mut self) -> Result<Rc<[GuardedCommand]>, OutOfReach> {
        if let Some(known) = &self.started {
            return Ok(known.clone());
        }
        let broken = |kind: ViolationKind| OutOfReach {
            why: format!("there is no initial state: {kind}"),
            source: SourcePlace::default(),
        };
        let mut state = self.interpreter.initial().map_err(broken)?;
        for (position, cell) in self.cells.positions(&state) {
            if cell.is_parameter || cell.kind == DataKind::Array {
                let symbol = self.symbol(&state, position, sort_of(cell.kind));
                if cell.is_parameter && !self.parameters.contains(&symbol) {
                    self.parameters.push(symbol);
                }
                let term = self.terms.borrow_mut().symbol(symbol);
                state.cells_mut()[position] = self.word(term)?;
            }
        }
        let sets = self.monitors.initial();
        let found = self.paths(&state, CommandKind::Start, |_, memory| {
            Ok(Some((Walked::standing(memory, "start"), sets.clone())))
        })?;
        let found: Rc<[GuardedCommand]> = found.into();
        self.started = Some(found.clone());
        Ok(found)
    }

    /// The commands of a control state.
    pub fn commands(&mut self, control: ControlId) -> Result<Rc<[GuardedCommand]>, OutOfReach> {
        if let Some(known) = self.commands.get(&control) {
            return Ok(known.clone());
        }
        let mut commands = Vec::new();
        let ControlState { state, sets } = self.controls[control].clone();
        for (pid, process) in state.processes().iter().enumerate().rev() {
            let edges =
                &self.interpreter.system().proctypes[process.proctype].edges[process.location];
            let kind =
                CommandKind::Step { pid, proctype: process.proctype, from: process.location };
            for (number, edge) in edges.iter().enumerate() {
                for timeout in [false, true] {
                    if timeout && !uses_timeout(edge) {
                        continue;
                    }
                    let first = Move { pid, edge: number };
                    let found = self.paths(&state, kind, |walker, memory| {
                        let walked = walker.walk(memory, first, timeout)?;
                        Ok(walked.map(|walked| (walked, sets.clone())))
                    })?;
                    commands.extend(found);
                }
            }
        }
        commands.extend(self.tick(&state, &sets)?);
        commands.extend(self.idle(&state, &sets, &commands)?);
        let commands: Rc<[GuardedCommand]> = commands.into();
        self.commands.insert(control, commands.clone());
        Ok(commands)
    }

    /// Time passes: all clocks move by the same amount, and the conditions of progress hold after it.
    fn tick(&mut self, state: &State, sets: &[u64]) -> Result<Vec<GuardedCommand>, OutOfReach> {
        let positions = self.cells.positions(state);
        let is_clock = |kind: DataKind| kind == DataKind::Clock;
        let clocks: Vec<usize> =
            positions.iter().filter(|(_, c)| is_clock(c.kind)).map(|(&at, _)| at).collect();
        if clocks.is_empty() {
            return Ok(Vec::new());
        }
        let progress = self.declarations.progress.clone();
        let (delta, positive) = {
            let mut terms = self.terms.borrow_mut();
            let delta = terms.declare("delta", Sort::Rational);
            let (term, zero) = (terms.symbol(delta), terms.number(0));
            (delta, terms.greater(term, zero))
        };
        let mut found = self.paths(state, CommandKind::Tick, |walker, mut memory| {
            let context = walker.context;
            context.path.borrow_mut().require(positive);
            for &clock in &clocks {
                let old = context.term(memory.state.cells()[clock]);
                let new = {
                    let mut terms = context.terms.borrow_mut();
                    let delta = terms.symbol(delta);
                    terms.add(old, delta)
                };
                memory.state.cells_mut()[clock] = context.word(new)?;
            }
            for condition in &progress {
                if !walker.interpreter.holds(&memory, condition)? {
                    return Ok(None);
                }
            }
            Ok(Some((Walked::standing(memory, "time passes"), sets.to_vec())))
        })?;
        found.iter_mut().for_each(|command| command.inputs.push(delta));
        Ok(found)
    }

    /// What happens where no process can move: nothing, for ever. The guard says that no other command
    /// is possible; of one with inputs it is not known.
    fn idle(
        &mut self,
        state: &State,
        sets: &[u64],
        others: &[GuardedCommand],
    ) -> Result<Vec<GuardedCommand>, OutOfReach> {
        if others.iter().any(|command| command.guard.is_empty()) {
            return Ok(Vec::new());
        }
        let closed: Vec<TermId> = {
            let mut terms = self.terms.borrow_mut();
            let closed = others.iter().filter(|c| c.inputs.is_empty() && c.is_exact);
            closed
                .map(|command| {
                    let guard = terms.and(&command.guard);
                    terms.not(guard)
                })
                .collect()
        };
        self.paths(state, CommandKind::Idle, |walker, memory| {
            closed.iter().for_each(|&formula| walker.context.path.borrow_mut().require(formula));
            Ok(Some((Walked::standing(memory, "no process can move"), sets.to_vec())))
        })
    }

    /// A command for each path that can be taken from a state.
    fn paths(
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

    fn symbol(&mut self, state: &State, position: usize, sort: Sort) -> SymbolId {
        if let Some(&known) = self.symbols.get(&(position, sort)) {
            return known;
        }
        let name = name_of(self.interpreter.system(), state, position);
        let symbol = self.terms.borrow_mut().declare(&name, sort);
        self.symbols.insert((position, sort), symbol);
        self.places.insert(symbol, (position, sort));
        symbol
    }

    fn word(&self, term: TermId) -> Result<i32, OutOfReach> {
        word_of(term).ok_or_else(|| OutOfReach {
            why: "there are too many terms".to_owned(),
            source: SourcePlace::default(),
        })
    }

    /// What is assumed of the data in a control state, and what the types of wrapping cells and
    /// of clocks ensure.
    pub fn assumptions(&mut self, control: ControlId) -> Result<Rc<[TermId]>, OutOfReach> {
        if let Some(known) = self.assumptions.get(&control) {
            return Ok(known.clone());
        }
        let mut all = Vec::new();
        for condition in self.declarations.assumptions.clone() {
            all.push(self.formula(control, &condition)?);
        }
        let state = &self.controls[control].state;
        for (position, cell) in self.cells.positions(state) {
            let Some(term) = word::term_of(state.cells()[position]) else { continue };
            let mut terms = self.terms.borrow_mut();
            let (least, most) = match cell.kind {
                DataKind::Integer(ty) => match range(ty) {
                    Some((least, most)) => (least, Some(most)),
                    None => continue,
                },
                // It begins with a number that is not negative, is set to such, and time moves on.
                DataKind::Clock => (0, None),
                DataKind::Array => continue,
            };
            let least = terms.number(least);
            all.push(terms.at_least(term, least));
            if let Some(most) = most {
                let most = terms.number(most);
                all.push(terms.at_most(term, most));
            }
        }
        all.retain(|&term| self.terms.borrow().as_truth(term) != Some(true));
        let all: Rc<[TermId]> = all.into();
        self.assumptions.insert(control, all.clone());
        Ok(all)
    }

    /// A condition on the states of a control state, as a formula over their data.
    pub fn formula(&self, control: ControlId, condition: &Expr) -> Result<TermId, OutOfReach> {
        self.condition_of(control, None, condition)
    }

    /// A condition as a process sees it, or an observer that is no process, as a formula over the data.
    pub fn condition_of(
        &self,
        control: ControlId,
        pid: Option<usize>,
        condition: &Expr,
    ) -> Result<TermId, OutOfReach> {
        let context = SymbolicContext::new(&self.terms, &self.cells);
        let mut cases = Vec::new();
        loop {
            context.begin();
            let state = self.controls[control].state.clone();
            let memory = SymbolicMemory { state, context: &context };
            let holds = match pid {
                None => self.interpreter.holds(&memory, condition),
                Some(pid) => self
                    .interpreter
                    .evaluate(&memory, pid, condition)
                    .and_then(|word| memory.truth(word)),
            };
            match holds {
                Ok(true) => {
                    let case = self.terms.borrow_mut().and(context.path.borrow().condition());
                    cases.push(case);
                }
                Ok(false) => {}
                Err(kind) => {
                    let why = context.refusal.take().unwrap_or_else(|| kind.to_string());
                    return Err(OutOfReach { why, source: SourcePlace::default() });
                }
            }
            if !context.path.borrow_mut().turn() {
                break;
            }
        }
        Ok(self.terms.borrow_mut().or(&cases))
    }

    /// The conditions that the monitors look at.
    pub fn propositions(&self) -> Vec<&Expr> {
        self.monitors.conditions().iter().collect()
    }

    /// The commands of all control states that were expanded, in the order of these.
    pub fn known_commands(&self) -> Vec<GuardedCommand> {
        let controls = (0..self.controls.len()).map(ControlId::from_index);
        let known = controls.filter_map(|control| self.commands.get(&control));
        known.flat_map(|commands| commands.iter().cloned()).collect()
    }

    /// A formula as it reads in a control state: variables of cells that are no data there have the
    /// values of the cells.
    pub fn read_in(&self, control: ControlId, formula: TermId) -> TermId {
        let cells = self.controls[control].state.cells();
        let mut terms = self.terms.borrow_mut();
        let mut absent = FxHashMap::default();
        for symbol in terms.symbols_in(&[formula]) {
            let Some(&(position, sort)) = self.places.get(&symbol) else { continue };
            let word = cells.get(position).copied().unwrap_or(0);
            if word::term_of(word).is_none() && sort.is_numeric() {
                absent.insert(symbol, terms.number(Rational::integer(i128::from(word))));
            }
        }
        terms.substitute(formula, &absent)
    }

    /// The value of an expression in the states of a control state, if it has no cases.
    pub fn value(&self, control: ControlId, expr: &Expr) -> Result<TermId, OutOfReach> {
        let context = SymbolicContext::new(&self.terms, &self.cells);
        context.begin();
        let state = self.controls[control].state.clone();
        let memory = SymbolicMemory { state, context: &context };
        let word = self.interpreter.evaluate(&memory, 0, expr).map_err(|kind| OutOfReach {
            why: context.refusal.take().unwrap_or_else(|| kind.to_string()),
            source: SourcePlace::default(),
        })?;
        Ok(context.term(word))
    }

    /// A number that would be taken for the name of a term is refused.
    fn check_numbers(&self) -> Result<(), OutOfReach> {
        let system = self.interpreter.system();
        let edges = system.proctypes.iter().flat_map(|p| p.edges.iter().flatten());
        for edge in edges {
            let mut is_bad = false;
            edge.command.walk(&mut |e| is_bad |= matches!(e, Expr::Const(n) if *n < LEAST_NUMBER));
            if is_bad {
                let why = "a number below -1073741824".to_owned();
                return Err(OutOfReach { why, source: edge.source });
            }
        }
        Ok(())
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

fn sort_of(kind: DataKind) -> Sort {
    match kind {
        DataKind::Integer(_) => Sort::Integer,
        DataKind::Clock => Sort::Rational,
        DataKind::Array => Sort::IntegerArray,
    }
}

/// The values of a cell that wraps.
fn range(ty: CellType) -> Option<(i128, i128)> {
    match ty {
        CellType::Int => None,
        CellType::Short => Some((-(1 << 15), (1 << 15) - 1)),
        other => Some((0, (1 << other.bits()) - 1)),
    }
}
