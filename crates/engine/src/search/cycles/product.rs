//! The product of a system and the automaton of a claim: its states and edges.
//!
//! A state is a vector whose first monitor holds the state of the automaton *before* the system's state is read. One
//! edge of the automaton goes with each transition of the system. A state without transitions has a stutter: an edge to
//! itself, in which no process moves and the automaton goes on; cycles without progress are made of real steps only.
//!
//! The ample set of a reduction depends on the system's part of the state alone: the system is reduced, not the
//! product (Siegel, CAV 2019).

use super::gathered::EdgeLabel;
use super::pids::PidSet;
use super::states::{ProductStates, StateKey};
use crate::search::ample::{self, Ample, Attempt, Proviso};
use crate::search::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::search::{Task, claim_stepper};
use crate::tree::TreePath;
use crate::vector::{Shape, ShapeId};
use hashbrown::HashMap;
use resy_index::{Id, IndexVec};
use resy_system::{
    ClaimEdge, Fairness, LivenessClaim, LivenessKind, LocationId, Outcome, Proctype, ProctypeId,
    ViolationKind,
};
use std::ops::Range;

/// The number of an [`EdgeLabel`].
pub(super) type LabelId = u32;

/// An edge of the product, to a state that is perhaps not stored.
#[derive(Copy, Clone, Debug)]
pub(super) struct ProductEdge {
    /// The target, among the bytes of all targets, unless these are staged.
    start: u32,
    end: u32,
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
        let of = |locations: fn(&Proctype) -> &IndexVec<LocationId, bool>| {
            task.system.proctypes.iter().map(|p| locations(p).clone()).collect()
        };
        let labelled = match claim.kind() {
            LivenessKind::Acceptance => of(|p| &p.accept_locations),
            LivenessKind::Progress => of(|p| &p.progress_locations),
            _ => IndexVec::new(),
        };
        Ok(Self {
            expander: Expander::with_stepper(task, claim_stepper(task, claim))?,
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
        self.set(state);
        (!self.is_barrier()).then(|| self.components[self.claim_state() as usize])
    }

    /// Loads a state.
    fn set(&mut self, state: &[u8]) {
        self.vector.clear();
        self.vector.extend_from_slice(state);
    }

    /// Loads a state and finds the edges out of it.
    pub fn expand_state(&mut self, state: &[u8]) -> StateFacts {
        self.set(state);
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
        if self.claim.kind() == LivenessKind::Acceptance && self.is_at_label(shape) {
            self.claim_edges[0].marks = 1;
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

/// The labels of edges, each with a number: there are few.
pub(super) struct Labels {
    all: Vec<EdgeLabel>,
    numbers: HashMap<EdgeLabel, LabelId>,
    /// Some labels that were numbered before, by a hash of them.
    recent: [LabelId; RECENT],
}

/// The number of recent labels.
const RECENT: usize = 64;

impl Default for Labels {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new(), recent: [0; RECENT] }
    }
}

impl Labels {
    pub fn get(&self, id: LabelId) -> &EdgeLabel {
        &self.all[id as usize]
    }

    /// All labels, by number.
    pub fn all(&self) -> &[EdgeLabel] {
        &self.all
    }

    pub fn number(&mut self, label: EdgeLabel) -> LabelId {
        let place = (label.marks ^ label.movers.first_word().rotate_left(32))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let recent = &mut self.recent[(place >> 58) as usize];
        if self.all.get(*recent as usize) != Some(&label) {
            let next = self.all.len() as LabelId;
            *recent = *self.numbers.entry(label).or_insert_with_key(|label| {
                self.all.push(label.clone());
                next
            });
        }
        *recent
    }
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

/// Receives the transitions of the system, and makes edges of the product of them.
struct Sink<'s, N> {
    /// Where the targets are staged, if they are to be stored; else they are listed.
    states: Option<&'s mut ProductStates>,
    targets: &'s mut Vec<u8>,
    path: &'s TreePath,
    scratch: &'s mut Vec<u8>,
    claim_edges: &'s [ClaimEdge],
    components: &'s [u32],
    /// The labels, unless they depend on the processes that move.
    claim_labels: &'s [LabelId],
    stutters: bool,
    labels: &'s mut Labels,
    edges: &'s mut Vec<ProductEdge>,
    enabled: PidSet,
    before_attempt: usize,
    /// The number of states that were staged before those of the expanded state.
    n_staged: usize,
    /// The place of the automaton's state in a vector, if it has more than one.
    field: Option<(u32, u32)>,
    note: N,
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Sink<'_, N> {
    fn is_fair(&self) -> bool {
        self.claim_labels.is_empty()
    }

    #[inline]
    fn add(&mut self, vector: &[u8], shape: &Shape, moves: Option<TransitionMoves<'_>>) {
        let mut movers = PidSet::default();
        if let (true, Some(moves)) = (self.is_fair(), moves) {
            moves.movers().for_each(|pid| movers.insert(pid));
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(vector);
        for (at, edge) in self.claim_edges.iter().enumerate() {
            if let Some((at, n)) = self.field {
                let bytes = u64::from(edge.target).to_le_bytes();
                self.scratch[at as usize..(at + n) as usize].copy_from_slice(&bytes[..n as usize]);
            }
            let label = match self.claim_labels.get(at) {
                Some(&label) => label,
                None => {
                    let movers = movers.clone();
                    self.labels.number(EdgeLabel { movers, ..EdgeLabel::of_marks(edge.marks) })
                }
            };
            (self.note)(self.scratch, label, moves);
            let start = self.targets.len() as u32;
            match &mut self.states {
                Some(states) => states.stage(self.path, self.scratch, &shape.plan),
                None => self.targets.extend_from_slice(self.scratch),
            }
            let end = self.targets.len() as u32;
            let component = self.components[edge.target as usize];
            self.edges.push(ProductEdge { start, end, label, component });
        }
    }
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Arrivals for Sink<'_, N> {
    #[inline]
    fn arrive(&mut self, vector: &[u8], shape: &Shape, moves: TransitionMoves<'_>) {
        self.add(vector, shape, Some(moves));
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn enabled(&mut self, pid: usize) {
        if self.is_fair() {
            self.enabled.insert(pid);
        }
    }

    fn stuck(&mut self, vector: &[u8], shape: &Shape) {
        if self.stutters {
            self.add(vector, shape, None);
        }
    }
}

impl<N: FnMut(&[u8], LabelId, Option<TransitionMoves<'_>>)> Attempt for Sink<'_, N> {
    fn begin(&mut self) {
        self.before_attempt = self.edges.len();
    }

    /// The order of the search does not matter: see [`Proviso::Forward`].
    fn satisfies(&mut self, _: Proviso) -> bool {
        self.edges.len() > self.before_attempt
    }

    fn withdraw(&mut self) {
        let kept = self.edges.get(self.before_attempt).map(|edge| edge.start as usize);
        self.targets.truncate(kept.unwrap_or(self.targets.len()));
        self.edges.truncate(self.before_attempt);
        let n = self.n_staged + self.before_attempt;
        self.states.iter_mut().for_each(|states| states.truncate_staged(n));
    }
}
