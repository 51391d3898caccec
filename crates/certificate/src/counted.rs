//! Certificates of properties of infinite runs: a counting monitor for each process, with a proof of its own.
//!
//! The certificate says in which order the processes are taken, and a bound for each. The monitors are derived from the
//! formula and the bounds ([`resy_automata::counting`] says why they prove the property). Beyond the obligations of every
//! certificate, each process that moves has a bound, and every step is a step of some process.

use crate::check::check_each;
use crate::derive::{DerivedNetwork, NotDerived, derive_called};
use crate::model::with_module;
use crate::obligation::{Obligation, Rejection};
use crate::origin::Certificate;
use resy_automata::counting::{Counting, ProcessOrder, any_of};
use resy_automata::network::Monitor;
use resy_network::{Cut, WatchedProperty};

/// The setting that tells such a certificate from others: the order of the processes.
pub const ORDER: &str = "order";

/// The setting with a process, its bound and the number of its proofs.
const BOUND: &str = "bound";

/// How far the steps of a process are counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ProcessBound {
    /// The process.
    pub process: usize,
    /// The bound.
    pub bound: usize,
    /// The number of its proofs.
    pub n_proofs: usize,
}

/// An accepted certificate: the amount of work.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CheckedCounts {
    /// The number of transitions of concrete systems that are mapped.
    pub n_transitions: usize,
    /// The number of states of the inductive sets.
    pub n_inductive: usize,
    /// The number of steps out of these states.
    pub n_steps: usize,
}

/// The settings of a certificate.
pub fn settings(order: ProcessOrder, bounds: &[ProcessBound]) -> Vec<(String, String)> {
    let order = match order {
        ProcessOrder::Forward => "forward",
        ProcessOrder::Backward => "backward",
    };
    let mut settings = vec![(ORDER.to_owned(), order.to_owned())];
    settings.extend(bounds.iter().map(|ProcessBound { process, bound, n_proofs }| {
        (BOUND.to_owned(), format!("{process} {bound} {n_proofs}"))
    }));
    settings
}

/// The order of the processes and their bounds, as some settings say.
pub(crate) struct Counts {
    order: ProcessOrder,
    bounds: Vec<ProcessBound>,
}

impl Counts {
    /// What these settings say.
    pub fn of(settings: &[(String, String)]) -> Result<Self, Rejection> {
        Ok(Self { order: order(settings)?, bounds: bounds(settings)? })
    }

    /// One monitor that errs when a process of a derived network exceeds its bound; `watched` has what the network's own
    /// monitor follows.
    pub fn monitor(
        &self,
        cut: &Cut<'_>,
        derived: &DerivedNetwork,
        watched: &[Vec<i32>],
    ) -> Result<Monitor, Rejection> {
        let monitors = monitors(self, cut, derived, watched)?;
        any_of(&monitors).ok_or_else(|| Obligation::Text.fails("the bounds are large"))
    }
}

/// Whether some settings are about a property of infinite runs.
pub fn counts(settings: &[(String, String)]) -> bool {
    settings.iter().any(|(key, _)| key == ORDER)
}

fn order(settings: &[(String, String)]) -> Result<ProcessOrder, Rejection> {
    match settings.iter().find(|(key, _)| key == ORDER).map(|(_, value)| value.as_str()) {
        Some("forward") => Ok(ProcessOrder::Forward),
        Some("backward") => Ok(ProcessOrder::Backward),
        _ => Err(Obligation::Text.fails("the order of the processes")),
    }
}

fn bounds(settings: &[(String, String)]) -> Result<Vec<ProcessBound>, Rejection> {
    let values = settings.iter().filter(|(key, _)| key == BOUND).map(|(_, value)| value);
    let bound = |value: &String| {
        let numbers: Option<Vec<usize>> = value.split(' ').map(|word| word.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[process, bound, n_proofs]) => Ok(ProcessBound { process, bound, n_proofs }),
            _ => Err(Obligation::Text.fails(format!("setting `{BOUND} {value}`"))),
        }
    };
    values.map(bound).collect()
}

/// Derives the network and the counting monitors, and checks the proofs. `go_on` may cancel.
pub(crate) fn check(
    certificate: &Certificate,
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<CheckedCounts, NotDerived> {
    let derived = derive_called(cut, properties, &certificate.interface, go_on)?;
    let counts = Counts::of(&certificate.origin.settings)?;
    let monitors = monitors(&counts, cut, &derived, &certificate.interface.watched)?;
    let network = with_module(certificate, derived.network)?;
    let proofs = counts.bounds.iter().map(|bound| bound.n_proofs);
    let monitors: Vec<(&Monitor, usize)> = monitors.iter().zip(proofs).collect();
    let checked = check_each(certificate, &network, &monitors, go_on)?;
    let (n_transitions, n_inductive) = (checked.n_transitions, checked.n_inductive);
    Ok(CheckedCounts { n_transitions, n_inductive, n_steps: checked.n_steps })
}

/// The monitors of the processes, in the order of their bounds.
fn monitors(
    Counts { order, bounds }: &Counts,
    cut: &Cut<'_>,
    derived: &DerivedNetwork,
    watched: &[Vec<i32>],
) -> Result<Vec<Monitor>, Rejection> {
    let wrong = |what: &str| Obligation::Text.fails(what);
    let [claim] = &cut.claims[..] else { return Err(wrong("there is not one property")) };
    let automaton = claim.monitor.tracked().ok_or_else(|| wrong("the property is not tracked"))?;
    let tracker = derived.network.monitor.as_ref().ok_or_else(|| wrong("there is no property"))?;
    let valuations = valuations(watched.iter().map(Vec::as_slice)).ok_or_else(|| {
        Obligation::Locals.fails("a state of the monitor does not have four numbers")
    })?;
    let counting = Counting {
        automaton,
        tracker: &tracker.lts,
        valuations: &valuations,
        initial: claim.initial_set(),
        movers: &derived.drivers,
        order: *order,
    };
    if !counting.sees_all_of(&derived.network.components) {
        return Err(Obligation::Covered.fails("a step is not counted"));
    }
    let bounded: Vec<usize> = bounds.iter().map(|bound| bound.process).collect();
    if bounded != counting.processes() {
        return Err(Obligation::Covered.fails("each process that moves has one bound, in order"));
    }
    let monitor = |bound: &ProcessBound| {
        let monitor = counting.monitor(bound.process, bound.bound);
        monitor.ok_or_else(|| wrong(&format!("the bound of process {} is large", bound.process)))
    };
    bounds.iter().map(monitor).collect()
}

/// The valuation of each state of a tracker; the first one, its error state, is never entered. `None` if a local state
/// does not have the right width.
pub fn valuations<'w>(watched: impl Iterator<Item = &'w [i32]>) -> Option<Vec<u64>> {
    let valuation = |local: &[i32]| match local {
        &[low, high, _, _] => Some(resy_network::join(low, high)),
        _ => None,
    };
    std::iter::once(Some(0)).chain(watched.map(valuation)).collect()
}
