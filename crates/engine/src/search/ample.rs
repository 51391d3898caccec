//! Partial order reduction: expanding a state by the steps of one process.
//!
//! If the steps of a process are independent of all others ([`Independence`]), they may stand for all steps of the
//! state (Godefroid 1996; Peled 1993), provided that no process is ignored for ever: the *proviso*. Searches expand
//! states in some order, and the proviso is a condition on that order ([`Proviso`]). It is the same for all of
//! them; each only says for its own successors whether they are expanded later ([`Attempt`]).
//!
//! - *With one later successor* every reduced state leads, by a chain of ever later states, to a fully expanded
//!   one, from which the rest of a run is still possible: no violation of a safety property is lost (Valmari
//!   1990), and no deadlock, since at least one step is taken.
//! - *With all successors later* every cycle of the reduced graph has a fully expanded state, because the positions
//!   in the order cannot grow all the way round. This is condition C3, which cycles (liveness) need.
//! - *Forward steps* give the same without any order: the locations of each proctype are numbered so that every cycle
//!   of them goes back somewhere, and only steps that lead forward are reduced ([`Forward`]). On a cycle of states the
//!   oldest process that moves comes back to its location, by a step that leads back: it was taken from a fully
//!   expanded state (Kurshan, Levin, Minea, Peled and Yenigün, *Static partial order reduction*, 1998). The choice is a
//!   function of the system's state, as the product with a claim needs it.
//!
//! Steps that fail have no successor, so that a state with such steps only is expanded fully. The state view
//! has no claims in it: the choice depends on the system part of a vector alone, and a proviso for cycles must be
//! evaluated on the graph of the system, before the product with a claim (Siegel, CAV 2019).

use super::expander::{Arrivals, Expander};
use super::view::VectorView;
use resy_passes::{Forward, Independence, StateView, Visible};
use resy_system::{Options, System};

/// Which successors of a reduced state must be expanded later than the state itself.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Proviso {
    /// At least one: preserves safety properties and deadlocks.
    #[default]
    OneLater,
    /// At least one, and all: preserves cycles too.
    AllLater,
    /// None: the steps lead forward in the text, which preserves cycles too.
    Forward,
}

impl Proviso {
    /// Whether it holds of the successors of a state, each of which is expanded later or not.
    pub(super) fn holds(self, mut later: impl ExactSizeIterator<Item = bool>) -> bool {
        match self {
            Self::OneLater => later.any(|is_later| is_later),
            Self::AllLater => later.len() > 0 && later.all(|is_later| is_later),
            Self::Forward => later.len() > 0,
        }
    }
}

/// The partial order reduction of a search.
pub struct Ample {
    independence: Independence,
    proviso: Proviso,
    /// Only steps that lead forward are reduced, if this is there.
    forward: Option<Forward>,
}

/// Which arrivals of an attempt are expanded later than the state they were reached from.
#[derive(Copy, Clone)]
pub(super) struct Later {
    one: bool,
    all: bool,
}

impl Default for Later {
    fn default() -> Self {
        Self::new()
    }
}

impl Later {
    /// There was no arrival yet.
    pub fn new() -> Self {
        Self { one: false, all: true }
    }

    /// Another arrival.
    #[inline]
    pub fn add(&mut self, is_later: bool) {
        self.one |= is_later;
        self.all &= is_later;
    }

    /// Whether a proviso holds or not, as far as these arrivals tell: others of the attempt may follow.
    pub fn tells(self, proviso: Proviso) -> Option<bool> {
        match proviso {
            Proviso::OneLater => self.one.then_some(true),
            Proviso::AllLater => (!self.all).then_some(false),
            Proviso::Forward => Some(true),
        }
    }

    /// Whether the arrivals satisfy a proviso; there were so many.
    pub fn satisfies(self, proviso: Proviso, n_arrivals: u64) -> bool {
        match proviso {
            Proviso::OneLater => self.one,
            Proviso::AllLater => self.one && self.all,
            Proviso::Forward => n_arrivals > 0,
        }
    }
}

/// A search as the reduction sees it: it tries the steps of one process, and keeps or withdraws what was found.
pub(super) trait Attempt: Arrivals {
    /// Starts an attempt: the arrivals from here on belong to it.
    fn begin(&mut self);
    /// Whether the arrivals of the attempt satisfy the proviso.
    fn satisfies(&mut self, proviso: Proviso) -> bool;
    /// Withdraws the arrivals of the attempt. A state that is stored may stay: it is reachable, and
    /// expanding it is sound.
    fn withdraw(&mut self);
}

impl Ample {
    /// The reduction of a system that preserves what `visible` reads; `None` if the system is too large.
    pub fn of(system: &System, visible: &Visible, options: Options) -> Option<Self> {
        Self::of_while(system, visible, options, &mut || true)
    }

    /// Like [`of`](Self::of); `None` also if `go_on` ends the analysis.
    pub fn of_while(
        system: &System,
        visible: &Visible,
        options: Options,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let independence = Independence::of_while(system, visible, options, go_on)?;
        Some(Self { independence, proviso: Proviso::default(), forward: None })
    }

    /// The same reduction under another proviso, of those about the order of a search.
    pub fn with_proviso(self, proviso: Proviso) -> Self {
        Self { proviso, ..self }
    }

    /// The proviso.
    pub(super) fn proviso(&self) -> Proviso {
        self.proviso
    }

    /// The same reduction for steps that lead forward only: it preserves cycles.
    pub fn forward(self, system: &System) -> Self {
        Self { proviso: Proviso::Forward, forward: Some(Forward::of(system)), ..self }
    }

    /// The processes whose steps alone are an ample set of a state, if they have any and the proviso holds: first
    /// those that touch only their own variables, then the others, both from the youngest to the oldest.
    fn candidates(&self, view: &impl StateView, pids: &mut Vec<usize>) {
        let all = || (0..view.n_processes()).rev();
        let private = |pid: usize| self.independence.is_private(view, pid);
        let permitted = |pid: usize| self.forward.as_ref().is_none_or(|f| f.leads_on(view, pid));
        pids.clear();
        pids.extend(all().filter(|&pid| private(pid) && permitted(pid)));
        pids.extend(all().filter(|&pid| {
            !private(pid) && permitted(pid) && self.independence.is_independent(view, pid)
        }));
    }
}

/// Expands a stored state: by an ample set if there is a reduction and one of its candidates satisfies the proviso,
/// otherwise fully.
pub(super) fn expand(
    expander: &mut Expander<'_>,
    ample: Option<&Ample>,
    vector: &[u8],
    search: &mut impl Attempt,
) {
    if !ample.is_some_and(|ample| expand_reduced(expander, ample, vector, search)) {
        expander.expand(vector, search);
    }
}

/// The processes to try in a state, in their order. The memory is the expander's, to which it may be given back.
pub(super) fn candidates_of(
    expander: &mut Expander<'_>,
    ample: &Ample,
    vector: &[u8],
) -> Vec<usize> {
    let mut candidates = std::mem::take(&mut expander.candidates);
    let shape = expander.shape(vector);
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let view = VectorView { layout, shape: &shapes[shape], vector };
    ample.candidates(&view, &mut candidates);
    candidates
}

/// Tries the candidates in turn; returns whether one of them satisfies the proviso.
fn expand_reduced(
    expander: &mut Expander<'_>,
    ample: &Ample,
    vector: &[u8],
    search: &mut impl Attempt,
) -> bool {
    let candidates = candidates_of(expander, ample, vector);
    let reduced = candidates.iter().any(|&pid| {
        search.begin();
        expander.expand_only(pid, vector, search);
        let enough = search.satisfies(ample.proviso);
        if !enough {
            search.withdraw();
        }
        enough
    });
    expander.candidates = candidates;
    reduced
}
