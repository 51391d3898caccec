//! Symbolic steps: from a program with unbounded data to guarded commands between control states.
//!
//! There is no second semantics: the interpreter runs over a [memory](memory) that answers with terms
//! and takes both answers to a test of one, in different [paths](path). A control state is the finite
//! part of a state; its commands are computed once, when it is first expanded.

mod command;
mod condition;
mod data;
mod memory;
mod path;
mod paths;
mod walk;
mod word;

pub use command::{CommandKind, ControlId, ControlState, GuardedCommand, OutOfReach};
pub use data::{DataCell, DataDeclarations, DataKind, DataVariable};

use crate::{Sort, SymbolId, TermId, Terms};
use data::{DataCells, name_of};
use resy_index::{Id, IndexVec};
use resy_system::{Expr, Interpreter, Monitors, Move, SourcePlace, State, ViolationKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use walk::{Walked, uses_timeout};
use word::LEAST_NUMBER;

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

fn sort_of(kind: DataKind) -> Sort {
    match kind {
        DataKind::Integer(_) => Sort::Integer,
        DataKind::Clock => Sort::Rational,
        DataKind::Array => Sort::IntegerArray,
    }
}
