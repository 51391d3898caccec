//! The product of a system and the automaton of a claim: its states and edges.
//!
//! A state is a vector whose first monitor holds the state of the automaton *before* the system's state is read. One
//! edge of the automaton goes with each transition of the system. A state without transitions has a stutter: an edge to
//! itself, in which no process moves and the automaton goes on; cycles without progress are made of real steps only.
//!
//! The ample set of a reduction depends on the system's part of the state alone: the system is reduced, not the
//! product (Siegel, CAV 2019).

use super::gathered::EdgeLabel;
use super::labels::{LabelId, Labels};
use super::pids::PidSet;
use super::sink::{Sink, SystemSink};
use super::states::{ProductStates, StateKey};
use super::system_graph::AT_LABEL;
use crate::search::ample::{self, Ample};
use crate::search::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::search::{Task, claim_stepper, reading_stepper};
use crate::steps::Stepper;
use crate::tree::TreePath;
use crate::vector::{Shape, ShapeId};
use resy_index::{Id, IndexVec};
use resy_system::{
    ClaimEdge, Fairness, LivenessClaim, LivenessKind, LocationId, Outcome, Proctype, ProctypeId,
    ViolationKind,
};
use std::ops::Range;

/// An edge of the product, to a state that is perhaps not stored.
#[derive(Copy, Clone, Debug)]
pub(super) struct ProductEdge {
    /// The target, among the bytes of all targets, unless these are staged.
    pub start: u32,
    pub end: u32,
    pub label: LabelId,
    /// The component of the automaton's state in the target; [`NONE`](Self::NONE) if no violating cycle goes there.
    pub component: u32,
}

impl ProductEdge {
    /// No component.
    pub const NONE: u32 = u32::MAX;

    /// Whether a cycle through its target may be a violation, as far as the automaton's state tells.
    pub fn may_cycle(self) -> bool {
        self.component != Self::NONE
    }

    fn target(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a state is, beside its edges.
#[derive(Clone, Debug, Default)]
pub(super) struct StateFacts {
    /// The processes that can move on their own initiative; none if fairness does not matter.
    pub enabled: PidSet,
    /// Whether the claim is violated here, whatever follows.
    pub violated: bool,
    /// Why a condition of the claim has no value here.
    pub failure: Option<ViolationKind>,
}

/// Expands the states of a product.
pub(super) struct Product<'a> {
    pub expander: Expander<'a>,
    pub labels: Labels,
    pub edges: Vec<ProductEdge>,
    /// The targets of the edges, unless they are staged.
    targets: Vec<u8>,
    claim: &'a LivenessClaim,
    /// For each state of the automaton its component, if an accepted run can stay there; else [`ProductEdge::NONE`].
    components: Vec<u32>,
    fairness: Fairness,
    ample: Option<&'a Ample>,
    /// The locations with the labels that the claim is about, if it is about labels.
    labelled: IndexVec<ProctypeId, IndexVec<LocationId, bool>>,
    claim_edges: Vec<ClaimEdge>,
    /// The labels of edges with these edges of the automaton; none under fairness, where the processes matter too.
    claim_labels: Vec<LabelId>,
    scratch: Vec<u8>,
    vector: Vec<u8>,
    path: TreePath,
}

impl<'a> Product<'a> {
    /// The product of a task's system and a claim; an error if there is no initial state.
    pub fn new(
        task: &'a Task<'a>,
        claim: &'a LivenessClaim,
        fairness: Fairness,
    ) -> Result<Self, ViolationKind> {
        Self::with_stepper(task, claim, fairness, claim_stepper(task, claim))
    }

    /// The system alone: its states and steps, and the facts that a claim's automaton reads.
    pub fn of_system(
        task: &'a Task<'a>,
        claim: &'a LivenessClaim,
        fairness: Fairness,
    ) -> Result<Self, ViolationKind> {
        Self::with_stepper(task, claim, fairness, reading_stepper(task, claim))
    }

    fn with_stepper(
        task: &'a Task<'a>,
        claim: &'a LivenessClaim,
        fairness: Fairness,
        stepper: Box<dyn Stepper + 'a>,
    ) -> Result<Self, ViolationKind> {
        let of = |locations: fn(&Proctype) -> &IndexVec<LocationId, bool>| {
            task.system.proctypes.iter().map(|p| locations(p).clone()).collect()
        };
        let labelled = match claim.kind() {
            LivenessKind::Acceptance => of(|p| &p.accept_locations),
            LivenessKind::Progress => of(|p| &p.progress_locations),
            _ => IndexVec::new(),
        };
        Ok(Self {
            expander: Expander::with_stepper(task, stepper)?,
            labels: Labels::default(),
            edges: Vec::new(),
            targets: Vec::new(),
            claim,
            components: components(claim),
            fairness,
            ample: task.ample.as_ref(),
            labelled,
            claim_edges: Vec::new(),
            claim_labels: Vec::new(),
            scratch: Vec::new(),
            vector: Vec::new(),
            path: TreePath::new(),
        })
    }

    /// Finds the edges into the initial states, and stages these; returns whether there are some: otherwise every run
    /// violates the claim.
    pub fn find_initial(&mut self, mut states: Option<&mut ProductStates>) -> bool {
        let Some(initial) = self.claim.initial() else { return false };
        let label = self.labels.number(EdgeLabel::default());
        let mut first = First::default();
        self.expander.initial(&mut first);
        let shape = self.expander.shape(&first.0);
        let (layout, shapes) = self.expander.stepper.layout_and_shapes();
        self.edges.clear();
        self.targets.clear();
        for state in initial {
            if !self.claim.is_of_labels() {
                layout.set_monitor(&mut first.0, 0, state.into());
            }
            let start = self.targets.len() as u32;
            match &mut states {
                Some(states) => states.stage(&TreePath::new(), &first.0, &shapes[shape].plan),
                None => self.targets.extend_from_slice(&first.0),
            }
            let (end, component) = (self.targets.len() as u32, self.components[state as usize]);
            self.edges.push(ProductEdge { start, end, label, component });
        }
        true
    }

    /// The initial state of the system, if it is alone.
    pub fn initial(&mut self) -> Vec<u8> {
        let mut first = First::default();
        self.expander.initial(&mut first);
        first.0
    }

    /// The component of each state of the automaton, if an accepted run can stay there; else [`ProductEdge::NONE`].
    pub fn claim_components(&self) -> &[u32] {
        &self.components
    }

    /// Loads a state of the system and reads the facts that the automaton tells states apart by; `None` if one of them has no
    /// value.
    pub fn facts_of(&mut self, state: &[u8]) -> Option<u64> {
        self.load_state(state);
        let shape = self.expander.shape(&self.vector);
        let all = (1 << self.claim.propositions.len()) - 1;
        let valuation = self.valuation(shape, all).ok()?;
        Some(if self.is_at_label(shape) { valuation & all | AT_LABEL } else { valuation & all })
    }

    /// The key of an edge's target, if it is stored.
    pub fn find(&mut self, states: &mut ProductStates, edge: ProductEdge) -> Option<StateKey> {
        states.find(&mut self.expander, &self.path, &self.targets[edge.target()])
    }

    /// Loads a stored state.
    pub fn load(&mut self, states: &ProductStates, key: StateKey) {
        states.load(&mut self.expander, key, &mut self.vector, &mut self.path);
    }

    /// Whether a process is at a label that the claim is about, in the loaded state.
    fn is_at_label(&mut self, shape: ShapeId) -> bool {
        if self.labelled.is_empty() {
            return false;
        }
        let (layout, shapes) = self.expander.stepper.layout_and_shapes();
        let (shape, field) = (&shapes[shape], layout.location);
        let mut processes = shape.proctypes.iter().zip(&shape.processes);
        processes.any(|(&proctype, &at)| {
            let location = field.width.load(&self.vector, at + field.offset);
            self.labelled[proctype][LocationId::from_index(location as usize)]
        })
    }

    /// Whether no violating cycle has the loaded state.
    pub fn is_barrier(&mut self) -> bool {
        if self.claim.kind() == LivenessKind::Progress {
            let shape = self.expander.shape(&self.vector);
            return self.is_at_label(shape);
        }
        self.components[self.claim_state() as usize] == ProductEdge::NONE
    }

    /// The component of the automaton's state in a state that may be on a violating cycle.
    pub fn component_of(&mut self, state: &[u8]) -> Option<u32> {
        self.load_state(state);
        (!self.is_barrier()).then(|| self.components[self.claim_state() as usize])
    }

    /// Loads a state.
    pub fn load_state(&mut self, state: &[u8]) {
        self.vector.clear();
        self.vector.extend_from_slice(state);
    }

    /// Loads a state and finds the edges out of it.
    pub fn expand_state(&mut self, state: &[u8]) -> StateFacts {
        self.load_state(state);
        self.expand()
    }

    /// Loads a state, finds the edges out of it, and adds the marks of edges inside a component to those that the
    /// component has met; `false` if the claim is violated here.
    pub fn expand_meeting(&mut self, state: &[u8], met: &mut [Option<u64>]) -> bool {
        let facts = self.expand_state(state);
        let component = self.components[self.claim_state() as usize];
        if let Some(met) = met.get_mut(component as usize) {
            for edge in self.edges.iter().filter(|edge| edge.component == component) {
                *met.get_or_insert(0) |= self.labels.get(edge.label).marks;
            }
        }
        !facts.violated && facts.failure.is_none()
    }

    /// The edges that were found last, with their targets.
    pub fn targets(&self) -> impl Iterator<Item = (&ProductEdge, &[u8])> {
        self.edges.iter().map(|edge| (edge, &self.targets[edge.target()]))
    }

    /// The most processes that a state has.
    pub fn most_processes(&mut self) -> usize {
        let shapes = self.expander.stepper.shapes();
        let n_processes = |number| shapes[ShapeId::from_index(number)].proctypes.len();
        (0..shapes.len()).map(n_processes).max().unwrap_or(0)
    }

    /// The state of the automaton in the loaded state.
    fn claim_state(&self) -> u32 {
        match self.claim.is_of_labels() {
            true => 0,
            false => self.expander.stepper.layout().monitor(&self.vector, 0) as u32,
        }
    }

    /// Finds the edges out of the loaded state, into [`Product::edges`].
    pub fn expand(&mut self) -> StateFacts {
        self.expand_to(None, |_, _, _| {})
    }

    /// Finds the steps of the system alone out of the loaded state: passes the target of each, and under fairness the processes
    /// that move; the processes that are enabled then.
    pub fn step_system(&mut self, is_fair: bool, note: impl FnMut(&[u8], u64)) -> u64 {
        let stutters = self.claim.kind() != LivenessKind::Progress;
        let mut sink = SystemSink::new(is_fair, stutters, note);
        ample::expand(&mut self.expander, self.ample, &self.vector, &mut sink);
        sink.enabled
    }

    /// Finds the edges out of the loaded state, and stages their targets.
    pub fn expand_into(&mut self, states: &mut ProductStates) -> StateFacts {
        self.expand_to(Some(states), |_, _, _| {})
    }

    /// The moves of the first edge from one stored state to another, with this label.
    pub fn moves(
        &mut self,
        states: &ProductStates,
        from: StateKey,
        to: StateKey,
        label: LabelId,
    ) -> Vec<Moves> {
        self.load(states, to);
        let target = self.vector.clone();
        self.load(states, from);
        let mut found = None;
        self.expand_to(None, |vector, of, moves| {
            if found.is_none() && of == label && *vector == *target {
                found = Some(moves.map_or_else(Vec::new, |moves| moves.to_vec()));
            }
        });
        found.unwrap_or_default()
    }

    fn expand_to(
        &mut self,
        states: Option<&mut ProductStates>,
        note: impl FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>),
    ) -> StateFacts {
        self.edges.clear();
        self.targets.clear();
        let shape = self.expander.shape(&self.vector);
        let mut facts = self.read(shape);
        if self.claim_edges.is_empty() || facts.failure.is_some() {
            return facts;
        }
        let labels = &mut self.labels;
        self.claim_labels.clear();
        if self.fairness == Fairness::None {
            let label = |edge: &ClaimEdge| labels.number(EdgeLabel::of_marks(edge.marks));
            self.claim_labels.extend(self.claim_edges.iter().map(label));
        }
        let mut sink = Sink {
            n_staged: states.as_ref().map_or(0, |states| states.n_staged()),
            states,
            path: &self.path,
            scratch: &mut self.scratch,
            claim_labels: &self.claim_labels,
            claim_edges: &self.claim_edges,
            components: &self.components,
            stutters: self.claim.kind() != LivenessKind::Progress,
            labels,
            edges: &mut self.edges,
            targets: &mut self.targets,
            enabled: PidSet::default(),
            before_attempt: 0,
            field: self.expander.stepper.layout().monitors.first().copied(),
            note,
        };
        ample::expand(&mut self.expander, self.ample, &self.vector, &mut sink);
        facts.enabled = sink.enabled;
        facts
    }

    /// Lets the automaton read the loaded state.
    fn read(&mut self, shape: ShapeId) -> StateFacts {
        let mut facts = StateFacts::default();
        let state = self.claim_state();
        match self.valuation(shape, self.claim.looks_at(state)) {
            Ok(valuation) => {
                facts.violated = self.claim.step(state, valuation, &mut self.claim_edges);
            }
            Err(kind) => facts.failure = Some(kind),
        }
        if self.claim.kind() == LivenessKind::Acceptance && self.is_at_label(shape) {
            self.claim_edges.iter_mut().for_each(|edge| edge.marks = 1);
        }
        facts
    }

    /// The propositions that hold in the loaded state, among those that are looked at.
    fn valuation(&mut self, shape: ShapeId, looks_at: u64) -> Result<u64, ViolationKind> {
        if looks_at == 0 {
            return Ok(0);
        }
        let stepper = &mut self.expander.stepper;
        if let Some(bits) = stepper.valuation(&self.vector, shape) {
            return Ok(bits);
        }
        let state = stepper.unpack(&self.vector, shape);
        let mut valuation = 0;
        for (bit, condition) in self.claim.propositions.iter().enumerate() {
            if looks_at >> bit & 1 == 1 {
                let holds = stepper.interpreter().holds(&state, condition)?;
                valuation |= u64::from(holds) << bit;
            }
        }
        Ok(valuation)
    }
}

/// The component of each state of an automaton.
fn components(claim: &LivenessClaim) -> Vec<u32> {
    let components = claim.accepting_components().into_iter();
    components.map(|component| component.map_or(ProductEdge::NONE, |c| c as u32)).collect()
}

/// Receives the initial state.
#[derive(Default)]
struct First(Vec<u8>);

impl Arrivals for First {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        self.0 = vector.to_vec();
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}
}
