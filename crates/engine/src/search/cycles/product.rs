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
use crate::search::ample::{self, Ample, Attempt, Proviso};
use crate::search::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::search::{Task, claim_stepper};
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::{Shape, ShapeId};
use hashbrown::HashMap;
use resy_index::{Id, IndexVec};
use resy_system::{
    ClaimEdge, Fairness, LivenessClaim, LivenessKind, LocationId, Outcome, Proctype, ProctypeId,
    ViolationKind,
};

/// The number of an [`EdgeLabel`].
pub(super) type LabelId = u32;

/// An edge of the product, to a state that is folded but perhaps not stored.
#[derive(Copy, Clone, Debug)]
pub(super) struct ProductEdge {
    pub target: Root,
    pub label: LabelId,
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
    claim: &'a LivenessClaim,
    fairness: Fairness,
    ample: Option<&'a Ample>,
    /// The locations with the labels that the claim is about, if it is about labels.
    labelled: IndexVec<ProctypeId, IndexVec<LocationId, bool>>,
    claim_edges: Vec<ClaimEdge>,
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
            claim,
            fairness,
            ample: task.ample.as_ref(),
            labelled,
            claim_edges: Vec::new(),
            scratch: Vec::new(),
            vector: Vec::new(),
            path: TreePath::new(),
        })
    }

    /// The initial states, as edges into them; `None` if every run violates the claim.
    pub fn initial(&mut self, store: &mut TreeStore) -> Option<Vec<ProductEdge>> {
        let states = self.claim.initial()?;
        let label = self.labels.number(EdgeLabel::default());
        let mut first = First::default();
        self.expander.initial(&mut first);
        let shape = self.expander.shape(&first.0);
        let (layout, shapes) = self.expander.stepper.layout_and_shapes();
        let mut edges = Vec::new();
        for state in states {
            if !self.claim.is_of_labels() {
                layout.set_monitor(&mut first.0, 0, state.into());
            }
            let target = store.fold(&TreePath::new(), &first.0, &shapes[shape].plan);
            edges.push(ProductEdge { target, label });
        }
        Some(edges)
    }

    /// Loads a stored state.
    pub fn load(&mut self, store: &TreeStore, id: StoredId) {
        self.expander.load(store, id, &mut self.vector, &mut self.path);
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
        let shape = self.expander.shape(&self.vector);
        self.claim.kind() == LivenessKind::Progress && self.is_at_label(shape)
    }

    /// Finds the edges out of the loaded state, into [`Product::edges`].
    pub fn expand(&mut self, store: &mut TreeStore) -> StateFacts {
        self.expand_to(store, |_, _, _| {})
    }

    /// The moves of the first edge from the loaded state to a stored one, with this label.
    pub fn moves(&mut self, store: &mut TreeStore, target: Root, label: LabelId) -> Vec<Moves> {
        let mut found = None;
        self.expand_to(store, |edge, moves, _| {
            if found.is_none() && edge.target == target && edge.label == label {
                found = Some(moves.map_or_else(Vec::new, |moves| moves.to_vec()));
            }
        });
        found.unwrap_or_default()
    }

    fn expand_to(
        &mut self,
        store: &mut TreeStore,
        note: impl FnMut(ProductEdge, Option<TransitionMoves<'_>>, &Shape),
    ) -> StateFacts {
        self.edges.clear();
        let shape = self.expander.shape(&self.vector);
        let mut facts = self.read(shape);
        if self.claim_edges.is_empty() || facts.failure.is_some() {
            return facts;
        }
        if self.claim.kind() == LivenessKind::Acceptance && self.is_at_label(shape) {
            self.claim_edges[0].marks = 1;
        }
        let mut sink = Sink {
            store,
            path: &self.path,
            claim_edges: &self.claim_edges,
            stutters: self.claim.kind() != LivenessKind::Progress,
            is_fair: self.fairness != Fairness::None,
            labels: &mut self.labels,
            edges: &mut self.edges,
            scratch: &mut self.scratch,
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
        let state = match self.claim.is_of_labels() {
            true => 0,
            false => self.expander.stepper.layout().monitor(&self.vector, 0) as u32,
        };
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

/// The labels of edges, each with a number: there are few.
#[derive(Default)]
pub(super) struct Labels {
    all: Vec<EdgeLabel>,
    numbers: HashMap<EdgeLabel, LabelId>,
}

impl Labels {
    pub fn get(&self, id: LabelId) -> &EdgeLabel {
        &self.all[id as usize]
    }

    pub fn number(&mut self, label: EdgeLabel) -> LabelId {
        if let Some(&id) = self.numbers.get(&label) {
            return id;
        }
        let id = self.all.len() as LabelId;
        self.all.push(label.clone());
        self.numbers.insert(label, id);
        id
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
    store: &'s mut TreeStore,
    path: &'s TreePath,
    claim_edges: &'s [ClaimEdge],
    stutters: bool,
    is_fair: bool,
    labels: &'s mut Labels,
    edges: &'s mut Vec<ProductEdge>,
    scratch: &'s mut Vec<u8>,
    enabled: PidSet,
    before_attempt: usize,
    /// The place of the automaton's state in a vector, if it has more than one.
    field: Option<(u32, u32)>,
    note: N,
}

impl<N: FnMut(ProductEdge, Option<TransitionMoves<'_>>, &Shape)> Sink<'_, N> {
    fn add(&mut self, vector: &[u8], shape: &Shape, moves: Option<TransitionMoves<'_>>) {
        let mut movers = PidSet::default();
        if let (true, Some(moves)) = (self.is_fair, moves) {
            moves.movers().for_each(|pid| movers.insert(pid));
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(vector);
        for edge in self.claim_edges {
            if let Some((at, n)) = self.field {
                let bytes = u64::from(edge.target).to_le_bytes();
                self.scratch[at as usize..(at + n) as usize].copy_from_slice(&bytes[..n as usize]);
            }
            let label = self.labels.number(EdgeLabel { marks: edge.marks, movers: movers.clone() });
            let target = self.store.fold(self.path, self.scratch, &shape.plan);
            let edge = ProductEdge { target, label };
            (self.note)(edge, moves, shape);
            self.edges.push(edge);
        }
    }
}

impl<N: FnMut(ProductEdge, Option<TransitionMoves<'_>>, &Shape)> Arrivals for Sink<'_, N> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, moves: TransitionMoves<'_>) {
        self.add(vector, shape, Some(moves));
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn enabled(&mut self, pid: usize) {
        if self.is_fair {
            self.enabled.insert(pid);
        }
    }

    fn stuck(&mut self, vector: &[u8], shape: &Shape) {
        if self.stutters {
            self.add(vector, shape, None);
        }
    }
}

impl<N: FnMut(ProductEdge, Option<TransitionMoves<'_>>, &Shape)> Attempt for Sink<'_, N> {
    fn begin(&mut self) {
        self.before_attempt = self.edges.len();
    }

    /// The order of the search does not matter: see [`Proviso::Forward`].
    fn satisfies(&mut self, _: Proviso) -> bool {
        self.edges.len() > self.before_attempt
    }

    fn withdraw(&mut self) {
        self.edges.truncate(self.before_attempt);
    }
}
