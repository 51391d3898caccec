//! The checker: each obligation is one loop.
//!
//! The cost is one visit of every transition of every concrete system ([`nodes`](crate::nodes)),
//! and of every step out of the inductive sets; nothing is searched. Soundness: consider a run of
//! the network that violates the property, up to the first error. Some proof is about the action of
//! its last step. Before that step no error occurs, so that the maps lead the run through states of
//! that proof's abstractions whose tuples are in its inductive set; and from there the last step is
//! impossible.

use crate::danger::dangerous;
use crate::derive::NotDerived;
use crate::nodes::{Abstracted, abstracted};
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface};
use crate::proof::{About, NodeId, Proof, TupleList};
use crate::steps::Joint;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Monitor, Network};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// An accepted certificate: its abstractions, and the amount of work.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    nodes: IndexVec<NodeId, Abstracted<'a>>,
    /// The roots of each proof.
    roots: Vec<&'a [NodeId]>,
    /// The number of transitions of concrete systems that are mapped.
    pub n_transitions: usize,
    /// The number of states of the inductive sets.
    pub n_inductive: usize,
    /// The number of steps out of these states.
    pub n_steps: usize,
}

impl Checked<'_> {
    /// The abstractions that stand for these components in the proofs, without duplicates. It is an
    /// error if some proof has no abstraction for exactly these components.
    pub fn requirements(&self, components: &[ComponentId]) -> Result<Vec<&Lts>, String> {
        let stands = |root: &&NodeId| self.nodes[**root].components == components;
        let mut found: Vec<NodeId> = Vec::new();
        for roots in &self.roots {
            let missing = || "the certificate has no requirement for the module".to_owned();
            found.push(*roots.iter().find(stands).ok_or_else(missing)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found.into_iter().map(|node| &*self.nodes[node].image).collect())
    }
}

/// Whether a certificate shows that the property of a network holds. The network must have been
/// derived from the certificate's text, by code that is trusted with that.
pub fn check<'a>(
    certificate: &'a Certificate,
    network: &'a Network,
) -> Result<Checked<'a>, Rejection> {
    check_while(certificate, network, &mut || true).map_err(NotDerived::rejection)
}

/// Like [`check`]; `go_on` may cancel.
pub fn check_while<'a>(
    certificate: &'a Certificate,
    network: &'a Network,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Checked<'a>, NotDerived> {
    let monitor = names(certificate, network)?;
    check_each(certificate, network, &[(monitor, certificate.evidence.proofs.len())], go_on)
}

/// Like [`check_while`], with several monitors in the place of the network's own: each has the given number of proofs,
/// which follow each other.
pub(crate) fn check_each<'a>(
    certificate: &'a Certificate,
    network: &'a Network,
    monitors: &[(&Monitor, usize)],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Checked<'a>, NotDerived> {
    if crate::hash(&certificate.origin.text) != certificate.origin.hash {
        return Err(Obligation::Text.fails("the text has been changed").into());
    }
    names(certificate, network)?;
    let evidence = &certificate.evidence;
    let (nodes, n_transitions) = abstracted(evidence, network, go_on)?;
    let (mut n_inductive, mut n_steps, mut first) = (0, 0, 0_usize);
    for &(monitor, n_proofs) in monitors {
        let end = first.saturating_add(n_proofs);
        let proofs = evidence.proofs.get(first..end).unwrap_or_default();
        covered(proofs, network, monitor)?;
        for (i, proof) in proofs.iter().enumerate() {
            let images = proof.roots.iter().map(|&root| &*nodes[root].image);
            let watching = watching(monitor, &proof.about);
            let joint = Joint::new(images.chain([&*watching]).collect());
            n_inductive += proof.invariant.len();
            n_steps += inductive(first + i, &proof.invariant, &joint, network, monitor, go_on)?;
        }
        first = end;
    }
    if first != evidence.proofs.len() {
        return Err(Obligation::Covered.fails("a proof is about nothing").into());
    }
    let roots = evidence.proofs.iter().map(|proof| &*proof.roots).collect();
    Ok(Checked { nodes, roots, n_transitions, n_inductive, n_steps })
}

/// The numbers of the evidence are those of the network; returns the property.
fn names<'n>(certificate: &Certificate, network: &'n Network) -> Result<&'n Monitor, Rejection> {
    let Interface { actions, components, .. } = &certificate.interface;
    let fails = |place: String| Err(Obligation::Names.fails(place));
    if let Some(i) = differ(actions.iter(), network.actions.iter().map(|action| &action.name)) {
        return fails(format!("action {i}"));
    }
    let found = network.components.iter().map(|c| (&c.name, c.lts.n_states()));
    if let Some(i) = differ(components.iter().map(|c| (&c.name, c.n_states)), found) {
        return fails(format!("component {i}"));
    }
    let module = network.module.iter().map(|&id| &network.components[id].name);
    if let Some(i) = differ(certificate.origin.module.iter(), module) {
        return fails(format!("component {i} of the module"));
    }
    network.monitor.as_ref().ok_or_else(|| Obligation::Names.fails("there is no property"))
}

/// The first position where two sequences differ.
fn differ<T: PartialEq>(
    mut a: impl Iterator<Item = T>,
    mut b: impl Iterator<Item = T>,
) -> Option<usize> {
    (0..).find_map(|i| match (a.next(), b.next()) {
        (None, None) => Some(None),
        (x, y) => (x != y).then_some(Some(i)),
    })?
}

/// Every action by which the monitor can err is covered by a proof.
fn covered(proofs: &[Proof], network: &Network, monitor: &Monitor) -> Result<(), Rejection> {
    if proofs.is_empty() {
        return Err(Obligation::Covered.fails("there is no proof"));
    }
    let is_covered = |label| proofs.iter().any(|proof| proof.about.covers(label));
    let errors = monitor.lts.transitions().filter(|&(_, _, target)| target == monitor.error);
    match errors.map(|(_, label, _)| label).find(|&label| !is_covered(label)) {
        None => Ok(()),
        Some(label) => Err(Obligation::Covered.fails(step("an error", label, network))),
    }
}

/// The positions of tuples of states of some systems.
pub(crate) fn numbered<'t>(
    tuples: &'t TupleList,
    systems: &[&Lts],
    place: &str,
) -> Result<FxHashMap<&'t [StateId], StateId>, Rejection> {
    let mut numbers = FxHashMap::default();
    let fits = |tuple: &[StateId]| {
        let in_range = |(state, lts): (&StateId, &&Lts)| state.index() < lts.n_states();
        tuple.len() == systems.len() && tuple.iter().zip(systems).all(in_range)
    };
    for (number, tuple) in tuples.iter().enumerate() {
        if !fits(tuple) || numbers.insert(tuple, Id::from_index(number)).is_some() {
            return Err(Obligation::Tuples.fails(format!("{place}: {}", shown(tuple))));
        }
    }
    Ok(numbers)
}

/// The monitor without the errors that a proof is not about. (Skipping them one by one would be
/// quadratic if each has its own proof.)
pub(crate) fn watching<'a>(monitor: &'a Monitor, about: &About) -> Cow<'a, Lts> {
    let Monitor { lts, error, .. } = monitor;
    if *about == About::All {
        return Cow::Borrowed(lts);
    }
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        if target != *error || about.covers(label) {
            builder.add_transition(source, label, target);
        }
    }
    Cow::Owned(builder.finish(lts.initial(), lts.alphabet().clone()))
}

/// The set of a proof contains the initial state, only steps to settled states of the monitor leave
/// it, and it contains no error state; returns the number of steps.
fn inductive(
    i: usize,
    invariant: &TupleList,
    joint: &Joint<'_>,
    network: &Network,
    monitor: &Monitor,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<usize, NotDerived> {
    let place = format!("proof {i}");
    let numbers = numbered(invariant, joint.systems(), &place)?;
    if !numbers.contains_key(&*joint.initial()) {
        let place = format!("{place}: {}", shown(&joint.initial()));
        return Err(Obligation::InductiveStart.fails(place).into());
    }
    let is_error = |tuple: &[StateId]| tuple.last() == Some(&monitor.error);
    if let Some(bad) = invariant.iter().find(|tuple| is_error(tuple)) {
        return Err(Obligation::Safe.fails(format!("{place}: {}", shown(bad))).into());
    }
    // The monitor is the last of the systems.
    let dangerous = joint.systems().last().map(|watching| dangerous(watching, monitor.error));
    let is_settled = |tuple: &[StateId]| match (&dangerous, tuple.last()) {
        (Some(dangerous), Some(state)) => !dangerous[state.index()],
        _ => false,
    };
    let mut n_steps = 0;
    for tuple in invariant.iter() {
        if !go_on() {
            return Err(NotDerived::Stopped);
        }
        joint.steps(tuple, |label, to| {
            n_steps += 1;
            if is_settled(to) || numbers.contains_key(to) {
                return Ok(());
            }
            let broken = if is_error(to) { Obligation::Safe } else { Obligation::Inductive };
            let from = format!("{place}: a step from {}", shown(tuple));
            Err(broken.fails(step(&from, label, network)))
        })?;
    }
    Ok(n_steps)
}

/// A step by a label, with the name of the action.
fn step(what: &str, label: Label, network: &Network) -> String {
    let name = label.action().map(|action| format!(" (`{}`)", network.actions[action].name));
    format!("{what}{}{}", by(label), name.unwrap_or_default())
}

pub(crate) fn shown(tuple: &[StateId]) -> String {
    let states: Vec<String> = tuple.iter().map(|state| state.index().to_string()).collect();
    format!("({})", states.join(" "))
}

pub(crate) fn by(label: Label) -> String {
    match label {
        Label::Tau => " by an internal step".to_owned(),
        Label::Visible(action) => format!(" by action {}", action.index()),
    }
}
