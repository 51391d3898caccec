//! The methods that decide a network: which there are, and how several of them compete.

use crate::control::Control;
use crate::problem::Problem;
use resy_automata::network::Network;
use resy_automata::product::from_both_ends;
use resy_certificate::{About, ProofEvidence};
use resy_compose::agar::{AgarOptions, abstract_module};
use resy_compose::alphabet::{AssumptionOptions, learn_assumption};
use resy_compose::evidence::{self, Proofs};
use resy_compose::fold::{self, FoldStage};
use resy_compose::refine::{self, RefineOutcome, RefineProgress, alternating};
use resy_compose::sides::WordAutomaton;
use resy_compose::{Conclusion, Requirement, Split, explicit, obligations};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Larger inductive sets are not written.
const MAX_PROOF: usize = 20_000_000;

/// The bound on the states of the product, times components.
const ROOM: usize = 40_000_000;

/// The product starts only after this time: what is small is decided, and reported, by an abstraction.
const HEAD_START: Duration = Duration::from_millis(50);

/// WebAssembly has no threads: there methods come one after the other, and nobody waits.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Asking the control takes longer than exploring a state.
const ASK_EVERY: usize = 256;

/// A way to decide a network.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The environment of a module is abstracted.
    Requirement,
    /// Every component is abstracted.
    Refinement,
    /// Components are composed two by two and reduced.
    Folding,
    /// Nothing is abstracted: the product of all components is explored.
    Product,
    /// An assumption about the interface of a module is learned.
    Learning,
    /// The module is abstracted.
    Agar,
}

/// What is known of the property of a network.
pub struct Decision {
    /// The verdict.
    pub verdict: Conclusion,
    /// The evidence of what holds, if it is wanted, or why there is none.
    pub evidence: Option<Result<ProofEvidence, String>>,
    /// The method that decided.
    pub method: Method,
    /// How far it came.
    pub effort: Effort,
}

/// The cost of a decision.
#[derive(Copy, Clone, Debug, Default)]
pub struct Effort {
    /// States of an abstraction, or of the largest product of two.
    pub states: usize,
    /// Classes of all components.
    pub classes: usize,
    /// Steps of refinement.
    pub refinements: usize,
}

/// Whether there is a module; the other methods see the whole network.
pub fn have_module(methods: &[Method]) -> bool {
    let has_module =
        |m: &Method| matches!(m, Method::Requirement | Method::Learning | Method::Agar);
    methods.iter().any(has_module)
}

impl Method {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requirement => "requirement",
            Self::Refinement => "refinement",
            Self::Folding => "folding",
            Self::Product => "product",
            Self::Learning => "learning",
            Self::Agar => "agar",
        }
    }

    fn decide(self, network: &Job<'_>, control: &Control) -> Decision {
        match self {
            Self::Folding => network.fold(control),
            Self::Product => network.explore(control),
            Self::Learning => network.learn(control),
            Self::Agar => network.abstract_module(control),
            _ => network.refine(self, control),
        }
    }
}

/// Decides the property of a network. All methods run, `n_threads` at a time, until the first one
/// has decided.
pub fn decide(
    problem: &Problem<'_>,
    methods: &[Method],
    n_threads: usize,
    wants_evidence: bool,
    control: &Control,
) -> Decision {
    let (network, split) = (&problem.network, &problem.split);
    let job = Job { network, split, whole: &[], steps: None, wants_evidence };
    decide_job(&job, methods, n_threads, control)
}

/// Like [`decide`], for a network and its split.
pub fn decide_job(
    network: &Job<'_>,
    methods: &[Method],
    n_threads: usize,
    control: &Control,
) -> Decision {
    if let [method] = methods {
        return method.decide(network, control);
    }
    let decided = Arc::new(AtomicBool::new(false));
    let contest = control.contest(&decided, n_threads);
    let best: Mutex<Option<Decision>> = Mutex::new(None);
    let changed = Condvar::new();
    let take_part = |method: Method| {
        if method == Method::Product && HAS_THREADS {
            let best = best.lock().unwrap_or_else(PoisonError::into_inner);
            drop(changed.wait_timeout_while(best, HEAD_START, |best| best.is_none()));
            if decided.load(Ordering::Relaxed) {
                return;
            }
        }
        let decision = method.decide(network, &contest.enter());
        let is_decided = decision.verdict != Conclusion::Interrupted;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        if is_decided && !decided.swap(true, Ordering::Relaxed) || best.is_none() {
            *best = Some(decision);
        }
        changed.notify_all();
    };
    control.wait_for(|| {
        std::thread::scope(|scope| {
            let take_part = &take_part;
            for &method in methods {
                let started =
                    std::thread::Builder::new().spawn_scoped(scope, move || take_part(method));
                // Without threads one method comes after the other, until one has decided.
                if started.is_err() && !decided.load(Ordering::Relaxed) {
                    take_part(method);
                }
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

/// What the methods work on.
pub struct Job<'a> {
    /// The network.
    pub network: &'a Network,
    /// Its split.
    pub split: &'a Split,
    /// Parts of the environment that refinement does not abstract.
    pub whole: &'a [usize],
    /// After more steps refinement gives up.
    pub steps: Option<usize>,
    /// Whether evidence is wanted.
    pub wants_evidence: bool,
}

impl Job<'_> {
    fn refine(&self, method: Method, control: &Control) -> Decision {
        let proofs = || Proofs::new(self.split, MAX_PROOF).until(|| control.may_go_on());
        let mut proofs = self.wants_evidence.then(proofs);
        let mut effort = Effort::default();
        let go_on = |progress: &RefineProgress| {
            effort = Effort::of(progress);
            control.refinement(progress, || None);
            control.may_go_on() && self.steps.is_none_or(|steps| progress.steps <= steps)
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
            obligations::check_with(self.split, self.whole, go_on, proved)
        };
        let proofs = proofs.filter(|_| verdict == Conclusion::Holds);
        let evidence = proofs.map(|proofs| proofs.evidence().ok_or_else(|| too_large(control)));
        Decision { verdict, evidence, method, effort }
    }

    fn explore(&self, control: &Control) -> Decision {
        let (method, mut effort) = (Method::Product, Effort::default());
        let components = &self.network.components;
        let room = (ROOM / (components.len() + 1)).max(1);
        // Each component that moves at all is expected to have two states.
        let n_moving = components.iter().filter(|c| c.lts.n_states() > 1).count();
        if n_moving > room.ilog2() as usize {
            return Decision { verdict: Conclusion::Interrupted, evidence: None, method, effort };
        }
        let mut n_seen = 0_usize;
        let verdict = explicit::check(self.network, from_both_ends, |n_states| {
            (effort.states, n_seen) = (n_states, n_seen + 1);
            let is_late = n_seen.is_multiple_of(ASK_EVERY) && !control.may_go_on();
            n_states <= room && !is_late
        });
        let wanted = self.wants_evidence && verdict == Conclusion::Holds;
        let go_on = &mut || control.may_go_on();
        let evidence = wanted.then(|| evidence::as_it_is_while(self.split, MAX_PROOF, go_on));
        let evidence = evidence.map(|evidence| evidence.ok_or_else(|| too_large(control)));
        Decision { verdict, evidence, method, effort }
    }

    fn learn(&self, control: &Control) -> Decision {
        let options = AssumptionOptions::default();
        let found = learn_assumption(self.split, &options, || control.may_go_on());
        let effort = Effort {
            states: found.counts.contexts,
            classes: found.assumption.as_ref().map_or(0, WordAutomaton::n_accepting),
            refinements: found.counts.candidates,
        };
        self.with_image(Method::Learning, &found.requirement(self.split), effort, control)
    }

    fn abstract_module(&self, control: &Control) -> Decision {
        let options = AgarOptions::default();
        let found = abstract_module(self.split, &options, || control.may_go_on());
        let effort = Effort {
            states: found.n_contexts,
            classes: found.n_classes,
            refinements: found.n_splits,
        };
        self.with_image(Method::Agar, &found.requirement(self.split), effort, control)
    }

    /// The decision of an image of the module, with its evidence.
    fn with_image(
        &self,
        method: Method,
        image: &Requirement,
        effort: Effort,
        control: &Control,
    ) -> Decision {
        let wanted = self.wants_evidence && image.verdict == Conclusion::Holds;
        let go_on = &mut || control.may_go_on();
        let evidence = wanted.then(|| {
            let found = evidence::of_requirement_while(self.split, image, MAX_PROOF, go_on);
            found.ok_or_else(|| too_large(control))
        });
        Decision { verdict: image.verdict.clone(), evidence, method, effort }
    }

    fn fold(&self, control: &Control) -> Decision {
        let mut effort = Effort::default();
        let checked = fold::check(self.network, fold::FoldLimits::default(), |stage| {
            match stage {
                FoldStage::Folding(progress) => {
                    control.folding(progress);
                    effort.states = progress.n_states;
                }
                FoldStage::Refining(progress) => {
                    control.refinement(progress, || None);
                    let states = effort.states;
                    effort = Effort::of(progress);
                    effort.states = effort.states.max(states);
                }
            }
            control.may_go_on()
        });
        let method = Method::Folding;
        let Ok(checked) = checked else {
            return Decision { verdict: Conclusion::Interrupted, evidence: None, method, effort };
        };
        let holds = checked.verdict == Conclusion::Holds;
        let wanted = self.wants_evidence && holds;
        let evidence =
            wanted.then(|| checked.evidence(MAX_PROOF).ok_or_else(|| too_large(control)));
        Decision { verdict: checked.verdict, evidence, method, effort }
    }
}

impl Effort {
    fn of(progress: &RefineProgress) -> Self {
        let RefineProgress { steps, n_classes, n_contexts } = *progress;
        Self { states: n_contexts, classes: n_classes, refinements: steps }
    }

    /// Adds the cost of a further decision: the sum of the steps, and the maximum of the sizes.
    pub fn and(&mut self, next: &Self) {
        self.states = self.states.max(next.states);
        self.classes = self.classes.max(next.classes);
        self.refinements += next.refinements;
    }
}

/// Why there is no evidence.
fn too_large(control: &Control) -> String {
    let too_large = || format!("it would have more than {MAX_PROOF} states");
    control.exceeded().map_or_else(too_large, |stop| stop.to_string())
}
