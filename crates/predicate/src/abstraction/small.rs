//! A plain search of the program over small values, beside the refinement.
//!
//! The commands are carried out on numbers: parameters have small values that satisfy the assumptions,
//! time passes in steps of one, arrays begin with zeros, those that are parameters with `a[k] = k`. It
//! finds shallow violations sooner than any proof attempt ends, and proves nothing.

use super::run::{UnboundedRun, execute, take};
use crate::symbolic::{ControlId, GuardedCommand, OutOfReach};
use crate::{ArrayValue, DataValue, Interpretation, Rational, Sort, SymbolId, SymbolicProgram};
use resy_system::Outcome;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The values that a parameter is tried with.
const VALUES: [i128; 4] = [0, 1, 2, 3];

/// More combinations of values of parameters are not tried.
const MOST_STARTS: usize = 256;

/// The positions of an array that differ at the start.
const POSITIONS: i128 = 16;

/// A state with numbers, and the way to it.
struct Visited {
    control: ControlId,
    values: Interpretation,
    from: Option<usize>,
    command: usize,
    start: usize,
}

/// The search, which can be continued.
#[derive(Default)]
pub(crate) struct SmallSearch {
    starts: Vec<Interpretation>,
    visited: Vec<Visited>,
    seen: FxHashSet<(ControlId, Vec<(SymbolId, String)>)>,
    waiting: VecDeque<usize>,
    is_begun: bool,
}

impl SmallSearch {
    /// The number of states visited.
    pub fn n_states(&self) -> usize {
        self.visited.len()
    }

    /// Searches on until this many states were visited.
    pub fn search(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        most_states: usize,
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<UnboundedRun>, OutOfReach> {
        if !self.is_begun {
            self.is_begun = true;
            if let Some(run) = self.begin(program, is_violated)? {
                return Ok(Some(run));
            }
        }
        while self.visited.len() < most_states && go_on() {
            let Some(at) = self.waiting.pop_front() else { break };
            let (control, values) = (self.visited[at].control, self.visited[at].values.clone());
            let commands = program.commands(control)?;
            for (number, command) in commands.iter().enumerate().filter(|(_, c)| c.is_exact) {
                let inputs = inputs_of(command);
                let next = take(&program.terms().borrow(), command, &values, &inputs);
                let Some(next) = next else { continue };
                if command.outcomes.iter().any(is_violated) {
                    return self.run_to(program, at, number, is_violated);
                }
                if let Some(target) = command.target {
                    let start = self.visited[at].start;
                    self.visit(program, target, next, Some(at), number, start)?;
                }
            }
        }
        Ok(None)
    }

    fn begin(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        is_violated: &dyn Fn(&Outcome) -> bool,
    ) -> Result<Option<UnboundedRun>, OutOfReach> {
        let commands = program.start()?;
        self.starts = starts(program);
        for start in 0..self.starts.len() {
            for (number, command) in commands.iter().enumerate() {
                let values = self.starts[start].clone();
                let inputs = Interpretation::default();
                let Some(next) = take(&program.terms().borrow(), command, &values, &inputs) else {
                    continue;
                };
                let Some(target) = command.target else { continue };
                let assumed = program.assumptions(target)?;
                let terms = program.terms().borrow();
                let is_assumed = assumed.iter().all(|&f| terms.holds(f, &next) == Some(true));
                drop(terms);
                if !is_assumed {
                    continue;
                }
                if command.outcomes.iter().any(is_violated) {
                    let no_inputs = |_| Interpretation::default();
                    let commands = [command.clone()];
                    return Ok(execute(program, &commands, &values, &no_inputs, is_violated));
                }
                self.visit(program, target, next, None, number, start)?;
            }
        }
        Ok(None)
    }

    fn visit(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        control: ControlId,
        values: Interpretation,
        from: Option<usize>,
        command: usize,
        start: usize,
    ) -> Result<(), OutOfReach> {
        let assumed = program.assumptions(control)?;
        let terms = program.terms().borrow();
        if !assumed.iter().all(|&f| terms.holds(f, &values) == Some(true)) {
            return Ok(());
        }
        drop(terms);
        let live: FxHashSet<SymbolId> = program.data_of(control).iter().map(|d| d.1).collect();
        let key = values.iter().filter(|(symbol, _)| live.contains(symbol));
        let key = key.map(|(symbol, value)| (symbol, format!("{value:?}"))).collect();
        if self.seen.insert((control, key)) {
            self.waiting.push_back(self.visited.len());
            self.visited.push(Visited { control, values, from, command, start });
        }
        Ok(())
    }

    fn run_to(
        &self,
        program: &mut SymbolicProgram<'_>,
        at: usize,
        last: usize,
        is_violated: &dyn Fn(&Outcome) -> bool,
    ) -> Result<Option<UnboundedRun>, OutOfReach> {
        let mut commands: Vec<GuardedCommand> =
            vec![program.commands(self.visited[at].control)?[last].clone()];
        let mut here = at;
        loop {
            let Visited { from, command, .. } = self.visited[here];
            match from {
                Some(from) => {
                    commands.push(program.commands(self.visited[from].control)?[command].clone());
                    here = from;
                }
                None => {
                    commands.push(program.start()?[command].clone());
                    break;
                }
            }
        }
        commands.reverse();
        let start = self.starts[self.visited[at].start].clone();
        let inputs = |at: usize| inputs_of(&commands[at]);
        Ok(execute(program, &commands, &start, &inputs, is_violated))
    }
}

/// Every input is one.
fn inputs_of(command: &GuardedCommand) -> Interpretation {
    let mut inputs = Interpretation::default();
    command.inputs.iter().for_each(|&i| inputs.set(i, DataValue::Number(Rational::ONE)));
    inputs
}

/// The values of the parameters to begin with.
fn starts(program: &SymbolicProgram<'_>) -> Vec<Interpretation> {
    let terms = program.terms().borrow();
    let mut starts = vec![Interpretation::default()];
    for &parameter in program.parameters() {
        let values: Vec<DataValue> = match terms.declaration(parameter).sort {
            Sort::IntegerArray | Sort::RationalArray => {
                let mut array = ArrayValue::constant(Rational::ZERO);
                (1..POSITIONS).for_each(|k| array.set(k, Rational::integer(k)));
                vec![DataValue::Array(array)]
            }
            _ => VALUES.iter().map(|&v| DataValue::Number(Rational::integer(v))).collect(),
        };
        let grown = starts.iter().flat_map(|start| {
            values.iter().map(|value| {
                let mut start = start.clone();
                start.set(parameter, value.clone());
                start
            })
        });
        starts = grown.take(MOST_STARTS).collect();
    }
    starts
}
