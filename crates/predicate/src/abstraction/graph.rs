//! The abstract graph: control states with valuations of the basis, breadth first.

use super::basis::Basis;
use super::successor::Successors;
use resy_index::{IndexVec, define_id};
use resy_symbolic::{ControlId, GuardedCommand, OutOfReach};
use resy_symbolic::{Solver, SymbolicProgram};
use resy_system::Property;
use rustc_hash::FxHashMap;

define_id!(
    /// An abstract state.
    pub struct AbstractId,
    "a"
);

/// An abstract state: all concrete states with this control and these values of the predicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractState {
    /// The finite part.
    pub control: ControlId,
    /// The value of every predicate.
    pub values: Box<[bool]>,
}

/// A transition of the abstract graph.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractEdge {
    /// The number of the command in its control state.
    pub command: usize,
    /// Where it leads.
    pub target: AbstractId,
}

/// The reachable part of an abstraction.
#[derive(Default)]
pub struct AbstractGraph {
    /// The states, in the order of their distance.
    pub states: IndexVec<AbstractId, AbstractState>,
    /// The edges out of each state that was expanded.
    pub edges: IndexVec<AbstractId, Vec<AbstractEdge>>,
    /// How each state was reached first: from a state, or by a command of the start.
    reached: IndexVec<AbstractId, (Option<AbstractId>, usize)>,
    known: FxHashMap<AbstractState, AbstractId>,
    /// The states that the program may start in.
    pub initial: Vec<AbstractId>,
}

/// A path of commands, which may have no run.
pub struct AbstractPath {
    /// Where each command stands: in no control state at the start, then in one.
    pub commands: Vec<(Option<ControlId>, usize)>,
}

/// How an exploration ended.
pub(crate) enum Explored {
    /// No abstract state violates the property.
    Whole,
    /// A path to a violation.
    Violation(AbstractPath),
    /// The caller lost interest.
    Cancelled,
    /// There are more states than the budget allows.
    TooMany,
}

/// What an exploration works with.
pub(crate) struct Explorer<'e, 'a> {
    pub program: &'e mut SymbolicProgram<'a>,
    pub solver: &'e mut dyn Solver,
    pub basis: &'e mut Basis,
    pub successors: &'e mut Successors,
    pub property: Option<&'e Property>,
    pub most_states: usize,
    pub go_on: &'e mut dyn FnMut(usize) -> bool,
}

impl Explorer<'_, '_> {
    /// Explores the abstract graph up to the first violation.
    pub fn explore(&mut self, graph: &mut AbstractGraph) -> Result<Explored, OutOfReach> {
        for (number, command) in self.program.start()?.iter().enumerate() {
            let arrived = self.after((None, number), command, &[])?;
            if self.violates(command) && !arrived.is_empty() {
                return Ok(Explored::Violation(AbstractPath { commands: vec![(None, number)] }));
            }
            for state in arrived {
                let id = graph.reach(state, None, number);
                if !graph.initial.contains(&id) {
                    graph.initial.push(id);
                }
            }
        }
        let mut next = 0;
        while next < graph.states.len() {
            let id = resy_index::Id::from_index(next);
            next += 1;
            if !(self.go_on)(graph.states.len()) {
                return Ok(Explored::Cancelled);
            }
            if graph.states.len() > self.most_states {
                return Ok(Explored::TooMany);
            }
            if let Some(command) = self.expand(graph, id)? {
                return Ok(Explored::Violation(graph.path_to(id, command)));
            }
        }
        Ok(Explored::Whole)
    }

    /// Expands a state; a command that may violate the property there.
    fn expand(
        &mut self,
        graph: &mut AbstractGraph,
        id: AbstractId,
    ) -> Result<Option<usize>, OutOfReach> {
        let AbstractState { control, values } = graph.states[id].clone();
        let commands = self.program.commands(control)?;
        let mut edges = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            if self.violates(command) {
                if self.is_possible(control, command, &values)? {
                    return Ok(Some(number));
                }
                continue;
            }
            for state in self.after((Some(control), number), command, &values)? {
                let target = graph.reach(state, Some(id), number);
                edges.push(AbstractEdge { command: number, target });
            }
        }
        graph.edges[id] = edges;
        Ok(None)
    }

    fn violates(&self, command: &GuardedCommand) -> bool {
        let property = self.property;
        property.is_some_and(|p| command.outcomes.iter().any(|outcome| p.is_violated_by(outcome)))
    }

    fn after(
        &mut self,
        key: (Option<ControlId>, usize),
        command: &GuardedCommand,
        values: &[bool],
    ) -> Result<Vec<AbstractState>, OutOfReach> {
        let Some(control) = command.target else { return Ok(Vec::new()) };
        let found =
            self.successors.of(self.program, self.solver, self.basis, key, command, values)?;
        Ok(found.into_iter().map(|values| AbstractState { control, values }).collect())
    }

    /// Whether a command may be taken somewhere in an abstract state.
    fn is_possible(
        &mut self,
        control: ControlId,
        command: &GuardedCommand,
        values: &[bool],
    ) -> Result<bool, OutOfReach> {
        let mut literals = literals_of(self.program, self.basis, control, values);
        literals.extend(self.program.assumptions(control)?.iter());
        literals.extend(&command.guard);
        let mut terms = self.program.terms().borrow_mut();
        Ok(!self.solver.refutes(&mut terms, &literals))
    }
}

/// What the values of the predicates say about the data in a control state.
pub(crate) fn literals_of(
    program: &SymbolicProgram<'_>,
    basis: &mut Basis,
    control: ControlId,
    values: &[bool],
) -> Vec<resy_symbolic::TermId> {
    let read: Vec<_> = (0..basis.len()).map(|i| basis.in_control(program, control, i)).collect();
    let mut terms = program.terms().borrow_mut();
    let literals = read.into_iter().zip(values);
    let literals = literals.map(|(f, &value)| if value { f } else { terms.not(f) });
    let literals: Vec<_> = literals.collect();
    literals.into_iter().filter(|&f| terms.as_truth(f).is_none()).collect()
}

impl AbstractGraph {
    /// The state, which is new or was reached before.
    fn reach(
        &mut self,
        state: AbstractState,
        from: Option<AbstractId>,
        command: usize,
    ) -> AbstractId {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let id = self.states.push(state.clone());
        self.edges.push(Vec::new());
        self.reached.push((from, command));
        self.known.insert(state, id);
        id
    }

    /// The commands on the way to a state, and one more.
    fn path_to(&self, mut id: AbstractId, last: usize) -> AbstractPath {
        let mut commands = vec![(Some(self.states[id].control), last)];
        loop {
            let (from, command) = self.reached[id];
            commands.push((from.map(|from| self.states[from].control), command));
            match from {
                Some(from) => id = from,
                None => break,
            }
        }
        commands.reverse();
        AbstractPath { commands }
    }

    /// The command of the start by which an initial state was reached first.
    pub(crate) fn start_of(&self, id: AbstractId) -> usize {
        self.reached[id].1
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }
}
