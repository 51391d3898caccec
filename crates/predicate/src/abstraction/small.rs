//! A plain search of the program over small values, beside the refinement.
//!
//! The commands are carried out on numbers: parameters have small values that satisfy the assumptions,
//! time passes in steps of one, arrays begin with zeros, those that are parameters with `a[k] = k`. It
//! finds shallow violations sooner than any proof attempt ends, and proves nothing.

use super::run::{UnboundedRun, carry_out, execute, take_under};
use crate::liveness::is_certain_idle;
use resy_symbolic::{
    ArrayValue, DataValue, Evaluation, Interpretation, Rational, Sort, SymbolId, SymbolicProgram,
};
use resy_symbolic::{CommandKind, ControlId, GuardedCommand, OutOfReach};
use resy_system::Outcome;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

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
    seen: FxHashMap<(ControlId, Vec<Option<DataValue>>), usize>,
    /// The variables of the data of each control state.
    live: FxHashMap<ControlId, Rc<[SymbolId]>>,
    /// Evaluation of commands, and of what is assumed after them.
    evaluation: Evaluation,
    evaluation_after: Evaluation,
    /// The steps out of each state that was expanded: command and target.
    edges: Vec<Vec<(usize, usize)>>,
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
            let may_idle = is_certain_idle(&commands);
            let is_known =
                |c: &GuardedCommand| c.is_exact && (may_idle || c.kind != CommandKind::Idle);
            // No two commands have an input in common.
            let mut now = values.clone();
            commands.iter().for_each(|command| set_inputs(command, &mut now));
            let mut evaluation = std::mem::take(&mut self.evaluation);
            let mut under = evaluation.under(&now);
            let mut taken = Vec::new();
            for (number, command) in commands.iter().enumerate().filter(|(_, c)| is_known(c)) {
                let next = take_under(&program.terms().borrow(), command, &values, &mut under);
                taken.extend(next.map(|next| (number, command, next)));
            }
            self.evaluation = evaluation;
            for (number, command, next) in taken {
                if command.outcomes.iter().any(is_violated) {
                    return self.run_to(program, at, number, is_violated);
                }
                if let Some(target) = command.target {
                    let start = self.visited[at].start;
                    let to = self.visit(program, target, next, Some(at), number, start)?;
                    self.edges[at].extend(to.map(|to| (number, to)));
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
                let mut under = self.evaluation.under(&values);
                let next = take_under(&program.terms().borrow(), command, &values, &mut under);
                let Some(next) = next else { continue };
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
    ) -> Result<Option<usize>, OutOfReach> {
        let assumed = program.assumptions(control)?;
        let mut after = self.evaluation_after.under(&values);
        let terms = program.terms().borrow();
        if !assumed.iter().all(|&f| after.holds(&terms, f) == Some(true)) {
            return Ok(None);
        }
        drop(terms);
        let live = self.live.entry(control).or_insert_with(|| {
            let symbols: BTreeSet<SymbolId> =
                program.data_of(control).iter().map(|d| d.1).collect();
            symbols.into_iter().collect()
        });
        let key = live.iter().map(|&symbol| values.get(symbol).cloned()).collect();
        let number = *self.seen.entry((control, key)).or_insert(self.visited.len());
        if number == self.visited.len() {
            self.waiting.push_back(number);
            self.visited.push(Visited { control, values, from, command, start });
            self.edges.push(Vec::new());
        }
        Ok(Some(number))
    }

    /// The control state of a visited state.
    pub fn control_of(&self, state: usize) -> ControlId {
        self.visited[state].control
    }

    /// The data of a visited state.
    pub fn values_of(&self, state: usize) -> &Interpretation {
        &self.visited[state].values
    }

    /// The steps out of a visited state, if it was expanded: commands and targets.
    pub fn edges_of(&self, state: usize) -> &[(usize, usize)] {
        &self.edges[state]
    }

    /// The states that the program may start in.
    pub fn initial(&self) -> impl Iterator<Item = usize> {
        let states = self.visited.iter().enumerate();
        states.filter(|(_, visited)| visited.from.is_none()).map(|(number, _)| number)
    }

    /// Carries a lasso out: from the state in which its stem begins, states and commands; `None` if it does not close.
    pub fn lasso(
        &self,
        program: &mut SymbolicProgram<'_>,
        first: usize,
        stem: &[(usize, usize)],
        cycle: &[(usize, usize)],
    ) -> Result<Option<UnboundedRun>, OutOfReach> {
        let Visited { command, start, .. } = self.visited[first];
        let mut commands = vec![program.start()?[command].clone()];
        for &(state, command) in stem.iter().chain(cycle) {
            commands.push(program.commands(self.visited[state].control)?[command].clone());
        }
        let no_inputs = |_| Interpretation::default();
        let Some(run) = carry_out(program, &commands, &self.starts[start], &no_inputs) else {
            return Ok(None);
        };
        let at = |n: usize| match n.checked_sub(1) {
            Some(step) => (run.steps[step].command.target, &run.steps[step].values),
            None => (run.first, &run.start),
        };
        let ((before, old), (after, new)) = (at(stem.len()), at(run.steps.len()));
        let live = before.map(|control| program.data_of(control)).unwrap_or_default();
        let closes = before == after && live.iter().all(|(_, s)| old.get(*s) == new.get(*s));
        let cycle = Some(stem.len());
        Ok(closes.then_some(UnboundedRun { cycle, ..run }))
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
    set_inputs(command, &mut inputs);
    inputs
}

fn set_inputs(command: &GuardedCommand, values: &mut Interpretation) {
    command.inputs.iter().for_each(|&i| values.set(i, DataValue::Number(Rational::ONE)));
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
