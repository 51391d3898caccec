//! Assumptions by abstraction refinement (AGAR): a partition of the module, split where an abstract error
//! is not concrete.
//!
//! ```text
//! A = one class
//! loop
//!   a shortest error path of A‖Q, as a path q_0 a_1 q_1 .. a_n q_n of A;  none: holds
//!   S_0 = {m_0};  S_i = the states of [q_i] that S_{i−1} reaches by a_i
//!   first i with S_i = ∅:  split [q_{i−1}] into the states that have a step by a_i into [q_i], and the rest
//!   none empty:  a conflict over Σ; for the whole interface, a violation
//! ```
//!
//! Premise 2 holds by construction. *Plain* edges are single steps, silent ones as `τ`: then the partition
//! is a homomorphism, and the certificate is its quotient. The *closure* of the paper has silent steps
//! before and after each letter; it is for comparison, and its partition is refined with plain edges
//! before it is certified, because single steps compose to more than the closure has. Source: Gheorghiu
//! Bobaru, Păsăreanu, Giannakopoulou (CAV 2008), with two corrections: silent steps alone are no step by a
//! letter, and on a conflict the error is compared with a trace of the module, not with the word.

mod abstraction;
mod matters;
mod merged;

pub use matters::needed_alphabet;
pub use merged::merged_module;

use crate::alphabet::{AlphabetChoice, AlphabetStart, Obstacles, joint_run};
use crate::cancellation::Cancellation;
use crate::learn::Conflict;
use crate::requirement::{Conclusion, Requirement};
use crate::sides::{
    EnvironmentSide, EnvironmentSystems, Fallible, ModuleSide, SplitModule, Trace, interface,
    watched_interface,
};
use crate::split::Split;
use abstraction::{Abstraction, Playback};
use resy_automata::lts::Alphabet;
use resy_automata::partition::Partition;

/// The edges of the abstraction.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum AgarEdges {
    /// Single steps of the module.
    #[default]
    Plain,
    /// Silent steps before and after each letter, as published.
    Closure,
}

/// How an assumption is found by abstraction.
#[derive(Copy, Clone, Debug, Default)]
pub struct AgarOptions {
    /// The edges.
    pub edges: AgarEdges,
    /// How the alphabet is found.
    pub alphabet: AlphabetChoice,
    /// Where it begins.
    pub start: AlphabetStart,
}

/// An abstraction of the module of a split, or why there is none.
#[derive(Clone, Debug)]
pub struct AbstractedAssumption {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The partition of the module that is certified, if the property holds.
    pub partition: Option<Partition>,
    /// The classes of the abstraction that proved the property.
    pub n_classes: usize,
    /// The splits over the last alphabet.
    pub n_splits: usize,
    /// The alphabets tried, the last one included.
    pub alphabets: Vec<Alphabet>,
    /// The contexts that were met.
    pub n_contexts: usize,
}

/// Abstracts the module of a split until the property is decided; `Interrupted` if `go_on` cancels.
pub fn abstract_module(
    split: &Split,
    options: &AgarOptions,
    go_on: impl FnMut() -> bool,
) -> AbstractedAssumption {
    let cancellation = Cancellation::new(go_on);
    let systems = EnvironmentSystems::of(split);
    let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
    let mut found = AbstractedAssumption {
        verdict: Conclusion::Interrupted,
        partition: None,
        n_classes: 1,
        n_splits: 0,
        alphabets: Vec::new(),
        n_contexts: 0,
    };
    // Cancelled: what is found so far says so.
    let _ = found.compute(split, options, &mut environment);
    found.n_contexts = environment.n_contexts();
    found
}

impl AbstractedAssumption {
    /// Refines over growing alphabets until the network is decided.
    fn compute(
        &mut self,
        split: &Split,
        options: &AgarOptions,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<()> {
        let mut module = SplitModule::new(&split.module, environment.cancellation());
        let mut alphabet = match (options.alphabet, options.start) {
            (AlphabetChoice::Whole, _) => interface(split),
            (AlphabetChoice::Minimal, _) | (_, AlphabetStart::Empty) => Alphabet::default(),
            (_, AlphabetStart::Property) => watched_interface(split),
        };
        let mut obstacles = Obstacles::default();
        loop {
            self.alphabets.push(alphabet.clone());
            let start = Partition::single(split.module.lts.n_states());
            let refined = self.refine(split, start, options.edges, &alphabet, environment)?;
            let conflict = match refined {
                Refined::Holds(partition) => {
                    self.partition = Some(partition);
                    self.verdict = Conclusion::Holds;
                    return Ok(());
                }
                Refined::Conflict { word, error } => {
                    let trace = module.along(&word, &alphabet)?;
                    let module = trace.expect("the path of the abstraction is concrete");
                    Conflict { module, error, is_positive: false }
                }
            };
            if let Some(run) = joint_run(&conflict, environment, &mut module)? {
                self.verdict = Conclusion::Fails(run);
                return Ok(());
            }
            alphabet = match options.alphabet {
                AlphabetChoice::Minimal => {
                    obstacles.add(&conflict, environment.interface());
                    obstacles.smallest_alphabet(environment, &mut module)?
                }
                choice => choice.widened(&alphabet, &conflict, environment.interface()),
            };
        }
    }

    /// Splits classes until the property is decided over an alphabet.
    fn refine(
        &mut self,
        split: &Split,
        start: Partition,
        edges: AgarEdges,
        alphabet: &Alphabet,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<Refined> {
        let (module, polled) = (&split.module.lts, environment.cancellation());
        let mut abstraction = Abstraction::new(module, start, edges, alphabet, polled)?;
        self.n_splits = 0;
        while let Some(path) = abstraction.error(environment)? {
            // A split looks at all steps of the module.
            polled.poll_now()?;
            match abstraction.play(&path) {
                Playback::Split => self.n_splits += 1,
                Playback::Concrete => {
                    let (word, error) = (path.word(), path.error());
                    return Ok(Refined::Conflict { word, error });
                }
            }
        }
        self.n_classes = abstraction.n_classes();
        let partition = abstraction.into_partition();
        if edges == AgarEdges::Plain {
            return Ok(Refined::Holds(partition));
        }
        let (n_classes, n_splits) = (self.n_classes, self.n_splits);
        let refined = self.refine(split, partition, AgarEdges::Plain, alphabet, environment)?;
        (self.n_classes, self.n_splits) = (n_classes, n_splits);
        Ok(refined)
    }

    /// The image of the module; the whole module without one.
    pub fn requirement(&self, split: &Split) -> Requirement {
        let module = &split.module.lts;
        let partition = match (&self.partition, &self.verdict) {
            (Some(partition), _) => partition.clone(),
            (None, Conclusion::Fails(_)) => Partition::single(module.n_states()),
            (None, _) => Partition::discrete(module.n_states()),
        };
        Requirement::new(module, partition, self.verdict.clone())
    }
}

/// What refinement over one alphabet ends with.
enum Refined {
    Holds(Partition),
    /// A word that the module has, and an error trace of the environment along it.
    Conflict {
        word: Vec<resy_automata::lts::ActionId>,
        error: Trace,
    },
}
