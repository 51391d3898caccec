//! Properties of infinite runs in components: a counting monitor for each process, decided like any other monitor.
//!
//! A proof needs a bound for each process; a bound that is exceeded says nothing. Bounds are tried in turn.

pub(crate) use super::method::Method;
use super::method::{Decision, Effort, Job, decide_job};
use crate::control::Control;
use crate::problem::{Problem, Source};
use resy_automata::counting::{Counting, ProcessOrder};
use resy_automata::lts::Alphabet;
use resy_automata::network::{Monitor, Network};
use resy_certificate::counted::{ProcessBound, valuations};
use resy_certificate::model::live_actions;
use resy_certificate::{Node, NodeId, Of, Proof, ProofEvidence};
use resy_compose::Conclusion;
use resy_index::Id;

mod whole;

/// The bounds that are tried.
const BOUNDS: [usize; 7] = [0, 1, 2, 4, 8, 16, 32];

/// How many steps of refinement each bound is tried with.
const EFFORTS: [Option<usize>; 3] = [Some(0), Some(20), None];

/// What is known after the bounds have been tried.
pub(crate) enum Counted {
    /// No process exceeds its bound.
    Proved(CountedProof),
    /// This process exceeds all bounds, in both orders.
    Exceeded(usize),
    /// The control has ended it, or no method has decided.
    Interrupted,
    /// It cannot be counted.
    OutOfReach(&'static str),
}

/// The proofs for all processes.
pub(crate) struct CountedProof {
    /// The order of the processes.
    pub order: ProcessOrder,
    /// Their bounds.
    pub bounds: Vec<ProcessBound>,
    /// The evidence, if it is wanted, or why there is none.
    pub evidence: Option<Result<ProofEvidence, String>>,
    /// The method that decided last.
    pub method: Option<Method>,
    /// The cost.
    pub effort: Effort,
}

/// How the monitors are decided.
pub(crate) struct Means<'a> {
    /// The methods.
    pub methods: &'a [Method],
    /// The number of threads.
    pub n_threads: usize,
    /// Whether evidence is wanted.
    pub wants_evidence: bool,
    /// The limits.
    pub control: &'a Control,
}

/// The largest bound.
fn largest_bound() -> usize {
    BOUNDS[BOUNDS.len() - 1]
}

/// Why a property is not proved by counting.
pub(crate) fn exceeded(problem: &Problem<'_>, process: usize) -> String {
    let part = problem.source.as_ref().map(|source| {
        let cut = &source.cut;
        cut.parts[cut.processes[process]].name.clone()
    });
    format!(
        "not proved by counting: `{}` can take more than {} rounds of steps, or fairness would be needed",
        part.unwrap_or_default(),
        largest_bound()
    )
}

/// Tries to prove the property that the monitor of a problem follows.
pub(crate) fn prove(problem: &Problem<'_>, means: &Means<'_>) -> Counted {
    let (Some(source), Some(tracker)) = (&problem.source, tracker(&problem.network)) else {
        return Counted::OutOfReach("the subject is no program");
    };
    let Source { cut, components } = source;
    let automaton = cut.claims.first().and_then(|claim| claim.monitor.tracked());
    let valuations = valuations(components.watched.iter().map(Vec::as_slice));
    let (Some(automaton), Some(valuations)) = (automaton, valuations) else {
        return Counted::OutOfReach("the property is not tracked");
    };
    let mut last = Counted::Interrupted;
    for order in [ProcessOrder::Forward, ProcessOrder::Backward] {
        let counting = Counting {
            automaton,
            tracker: &tracker.lts,
            valuations: &valuations,
            initial: cut.claims[0].initial_set(),
            movers: &components.drivers,
            order,
        };
        last = bounded(problem, &counting, means);
        if !matches!(last, Counted::Exceeded(_)) {
            break;
        }
    }
    last
}

/// The tracker, restricted to the actions that can be taken: the others are not in a certificate.
fn tracker(network: &Network) -> Option<Monitor> {
    let live = live_actions(network);
    let taken = live.iter_enumerated().filter(|(_, new)| new.is_some());
    let taken: Alphabet = taken.map(|(action, _)| action).collect();
    network.monitor.clone().map(|monitor| monitor.restricted_to(&taken))
}

/// A bound for each process, in one order.
fn bounded(problem: &Problem<'_>, counting: &Counting<'_>, means: &Means<'_>) -> Counted {
    let evidence = means.wants_evidence.then(|| Ok(ProofEvidence::default()));
    let (order, bounds, effort) = (counting.order, Vec::new(), Effort::default());
    let mut proof = CountedProof { order, bounds, evidence, method: None, effort };
    for process in counting.processes() {
        let whole = whole::of(problem, counting, process);
        match bound_of(problem, counting, process, &whole, means) {
            Ok(Some((bound, decision))) => proof.add(process, bound, decision),
            Ok(None) => return Counted::Exceeded(process),
            Err(Interrupted) => return Counted::Interrupted,
        }
    }
    Counted::Proved(proof)
}

/// The control has ended it, or no method has decided.
struct Interrupted;

/// A bound that a process does not exceed. A bound that is too small can only be refuted by a run, which is long where
/// the process is far from the start. So each bound is tried with little effort first.
fn bound_of(
    problem: &Problem<'_>,
    counting: &Counting<'_>,
    process: usize,
    whole: &[usize],
    means: &Means<'_>,
) -> Result<Option<(usize, Decision)>, Interrupted> {
    let mut smallest = 0;
    for steps in EFFORTS {
        if steps.is_some() && !means.methods.contains(&Method::Refinement) {
            continue;
        }
        for bound in BOUNDS {
            if bound < smallest {
                continue;
            }
            let Some(monitor) = counting.monitor(process, bound) else { break };
            let decision = decide_one(problem, monitor, whole, steps, means);
            match decision.verdict {
                Conclusion::Holds => return Ok(Some((bound, decision))),
                Conclusion::Fails(_) => smallest = bound + 1,
                Conclusion::Interrupted if steps.is_some() && means.control.may_go_on() => {}
                Conclusion::Interrupted => return Err(Interrupted),
            }
        }
    }
    Ok(None)
}

/// Decides one monitor, within some steps of refinement if they are given.
fn decide_one(
    problem: &Problem<'_>,
    monitor: Monitor,
    whole: &[usize],
    steps: Option<usize>,
    means: &Means<'_>,
) -> Decision {
    let split = problem.split.watched_by(monitor.clone());
    let network = Network { monitor: Some(monitor), ..problem.network.clone() };
    let Means { methods, n_threads, wants_evidence, control } = *means;
    let job = Job { network: &network, split: &split, whole, steps, wants_evidence };
    let methods = if steps.is_some() { &[Method::Refinement] } else { methods };
    decide_job(&job, methods, n_threads, control)
}

impl CountedProof {
    /// Adds what was decided for a process.
    fn add(&mut self, process: usize, bound: usize, decision: Decision) {
        self.method = Some(decision.method);
        self.effort.and(&decision.effort);
        let mut n_proofs = 0;
        self.evidence = match (self.evidence.take(), decision.evidence) {
            (Some(Ok(mut all)), Some(Ok(one))) => {
                n_proofs = one.proofs.len();
                append(&mut all, one);
                Some(Ok(all))
            }
            (Some(Err(why)), _) | (Some(Ok(_)), Some(Err(why))) => Some(Err(why)),
            (Some(Ok(_)), None) | (None, _) => None,
        };
        self.bounds.push(ProcessBound { process, bound, n_proofs });
    }
}

/// Adds the nodes and proofs of other evidence about the same network.
fn append(all: &mut ProofEvidence, one: ProofEvidence) {
    let n_nodes = all.nodes.len();
    let moved = |node: NodeId| NodeId::from_index(node.index() + n_nodes);
    for Node { of, map } in one.nodes.iter().cloned() {
        let of = match of {
            Of::Component(id) => Of::Component(id),
            Of::Product(children, tuples) => {
                Of::Product(children.into_iter().map(moved).collect(), tuples)
            }
        };
        all.nodes.push(Node { of, map });
    }
    let proofs = one.proofs.into_iter();
    all.proofs.extend(
        proofs.map(|proof| Proof { roots: proof.roots.into_iter().map(moved).collect(), ..proof }),
    );
}
