//! How a network is decided: by which method, or by which of several that take turns.

use crate::args::{Check, NetworkMethod};
use crate::limits::Limits;
use crate::problem::Problem;
use resy_automata::product::from_both_ends;
use resy_certificate::{About, ProofEvidence};
use resy_compose::evidence::{self, Proofs};
use resy_compose::fold::{self, FoldStage};
use resy_compose::refine::{self, RefineOutcome, RefineProgress, alternating};
use resy_compose::{Conclusion, explicit, obligations};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Larger inductive sets are not written.
const MAX_PROOF: usize = 20_000_000;

/// The product is explored up to this many states, times components.
const ROOM: usize = 40_000_000;

/// The product is explored only after this time.
const HEAD_START: Duration = Duration::from_millis(50);

/// To look at the limits takes longer than a state.
const ASK_EVERY: usize = 256;

/// What is done to a network.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The environment of a module is abstracted.
    Requirement,
    /// Every component is abstracted.
    Refinement,
    /// Components are composed, two by two, and reduced.
    Folding,
    /// Nothing is abstracted: the product of all components is explored.
    Product,
}

/// What was found of the property of a network.
pub struct Decision {
    /// The verdict.
    pub verdict: Conclusion,
    /// Why it holds, if it does and somebody wants to know; or why nobody can tell.
    pub evidence: Option<Result<ProofEvidence, String>>,
    /// By which method, if it is decided.
    pub method: Method,
    /// How far it came.
    pub effort: Effort,
}

/// What a decision took.
#[derive(Copy, Clone, Debug, Default)]
pub struct Effort {
    /// States of an abstraction, or of the largest product of two.
    pub states: usize,
    /// Classes of all components.
    pub classes: usize,
    /// Steps of refinement.
    pub refinements: usize,
}

/// What `--engine network` does. A program may have few states though its components have many: then the product is
/// explored before anything has become small.
pub fn network_methods(call: &Check) -> &'static [Method] {
    match call.method {
        None => &[Method::Refinement, Method::Folding, Method::Product],
        Some(NetworkMethod::Refinement) => &[Method::Refinement],
        Some(NetworkMethod::Folding) => &[Method::Folding],
        Some(NetworkMethod::Product) => &[Method::Product],
    }
}

/// What `--engine requirement` does.
pub fn requirement_methods(call: &Check) -> &'static [Method] {
    match call.method {
        None => &[Method::Requirement, Method::Product],
        Some(_) => &[Method::Requirement],
    }
}

/// Whether there is a module; all others look at the whole network.
pub fn have_module(methods: &[Method]) -> bool {
    methods.contains(&Method::Requirement)
}

impl Method {
    /// The name of the engine.
    pub fn engine(self) -> &'static str {
        match self {
            Self::Requirement => "requirement",
            Self::Refinement | Self::Folding | Self::Product => "network",
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requirement => "requirement",
            Self::Refinement => "refinement",
            Self::Folding => "folding",
            Self::Product => "product",
        }
    }

    fn decide(self, problem: &Network<'_>, limits: &Limits) -> Decision {
        match self {
            Self::Folding => problem.fold(limits),
            Self::Product => problem.explore(limits),
            _ => problem.refine(self, limits),
        }
    }
}

/// Decides the property of a network by one of some methods; all are tried, `n_threads` at a time, until the
/// first one has decided.
pub fn decide(
    problem: &Problem<'_>,
    methods: &[Method],
    n_threads: usize,
    wants_evidence: bool,
    limits: &Limits,
) -> Decision {
    let network = Network { network: &problem.network, split: &problem.split, wants_evidence };
    if let [method] = methods {
        return method.decide(&network, limits);
    }
    let decided = Arc::new(AtomicBool::new(false));
    let contest = limits.contest(&decided, n_threads);
    let best: Mutex<Option<Decision>> = Mutex::new(None);
    let changed = Condvar::new();
    let take_part = |method: Method| {
        if method == Method::Product {
            // What is small is decided, and told about, by an abstraction.
            let best = best.lock().unwrap_or_else(PoisonError::into_inner);
            drop(changed.wait_timeout_while(best, HEAD_START, |best| best.is_none()));
            if decided.load(Ordering::Relaxed) {
                return;
            }
        }
        let decision = method.decide(&network, &contest.enter());
        let is_decided = decision.verdict != Conclusion::Interrupted;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        if is_decided && !decided.swap(true, Ordering::Relaxed) || best.is_none() {
            *best = Some(decision);
        }
        changed.notify_all();
    };
    limits.wait_for(|| {
        std::thread::scope(|scope| {
            for &method in methods {
                let take_part = &take_part;
                scope.spawn(move || take_part(method));
            }
        });
    });
    let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
    best.unwrap_or(Decision {
        verdict: Conclusion::Interrupted,
        evidence: None,
        method: methods[0],
        effort: Effort::default(),
    })
}

/// What the methods look at.
struct Network<'a> {
    network: &'a resy_automata::network::Network,
    split: &'a resy_compose::Split,
    wants_evidence: bool,
}

impl Network<'_> {
    fn refine(&self, method: Method, limits: &Limits) -> Decision {
        let mut proofs = self.wants_evidence.then(|| Proofs::new(self.split, MAX_PROOF));
        let mut effort = Effort::default();
        let go_on = |progress: &RefineProgress| {
            effort = Effort::of(progress);
            limits.meter().inspect(|meter| meter.refinement(progress, || None));
            limits.exceeded().is_none()
        };
        let mut proved = |about: &About, checked: &RefineOutcome| {
            if let Some(proofs) = &mut proofs {
                proofs.add(about, checked);
            }
        };
        let verdict = if method == Method::Requirement {
            let checked = refine::check(self.split, alternating, go_on);
            if checked.verdict == Conclusion::Holds {
                proved(&About::All, &checked);
            }
            checked.verdict
        } else {
            obligations::check(self.split, go_on, proved)
        };
        let proofs = proofs.filter(|_| verdict == Conclusion::Holds);
        let evidence = proofs.map(|proofs| proofs.evidence().ok_or_else(too_large));
        Decision { verdict, evidence, method, effort }
    }

    fn explore(&self, limits: &Limits) -> Decision {
        let (method, mut effort) = (Method::Product, Effort::default());
        let components = &self.network.components;
        let room = (ROOM / (components.len() + 1)).max(1);
        // Two states each are expected of whoever moves at all.
        let n_moving = components.iter().filter(|c| c.lts.n_states() > 1).count();
        if n_moving > room.ilog2() as usize {
            return Decision { verdict: Conclusion::Interrupted, evidence: None, method, effort };
        }
        let mut n_seen = 0_usize;
        let verdict = explicit::check(self.network, from_both_ends, |n_states| {
            (effort.states, n_seen) = (n_states, n_seen + 1);
            let is_late = n_seen.is_multiple_of(ASK_EVERY) && limits.exceeded().is_some();
            n_states <= room && !is_late
        });
        let wanted = self.wants_evidence && verdict == Conclusion::Holds;
        let evidence = wanted.then(|| evidence::as_it_is(self.split, MAX_PROOF));
        let evidence = evidence.map(|evidence| evidence.ok_or_else(too_large));
        Decision { verdict, evidence, method, effort }
    }

    fn fold(&self, limits: &Limits) -> Decision {
        let mut effort = Effort::default();
        let checked = fold::check(self.network, fold::FoldLimits::default(), |stage| {
            match stage {
                FoldStage::Folding(progress) => {
                    limits.meter().inspect(|meter| meter.folding(progress));
                    effort.states = progress.n_states;
                }
                FoldStage::Refining(progress) => {
                    limits.meter().inspect(|meter| meter.refinement(progress, || None));
                    let states = effort.states;
                    effort = Effort::of(progress);
                    effort.states = effort.states.max(states);
                }
            }
            limits.exceeded().is_none()
        });
        let method = Method::Folding;
        let Ok(checked) = checked else {
            return Decision { verdict: Conclusion::Interrupted, evidence: None, method, effort };
        };
        let holds = checked.verdict == Conclusion::Holds;
        let wanted = self.wants_evidence && holds;
        let evidence = wanted.then(|| checked.evidence(MAX_PROOF).ok_or_else(too_large));
        Decision { verdict: checked.verdict, evidence, method, effort }
    }
}

impl Effort {
    fn of(progress: &RefineProgress) -> Self {
        let RefineProgress { steps, n_classes, n_contexts } = *progress;
        Self { states: n_contexts, classes: n_classes, refinements: steps }
    }

    /// This and then another: the steps of both, and the largest of what there was.
    pub fn and(&mut self, next: &Self) {
        self.states = self.states.max(next.states);
        self.classes = self.classes.max(next.classes);
        self.refinements += next.refinements;
    }
}

fn too_large() -> String {
    format!("it would have more than {MAX_PROOF} states")
}
