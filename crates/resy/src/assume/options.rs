//! How a requirement is asked for: the methods and the options.

use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};

/// A way to find a requirement.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Synthesis {
    /// The method that proves the property first, within budgets of work; then classes are merged.
    #[default]
    Auto,
    /// An abstraction of the environment, refined step by step.
    Refine,
    /// Two traversals of all contexts.
    Exact,
    /// The same requirement from two foldings of the environment.
    Fold,
    /// The weakest assumption, by subset construction.
    Weakest,
    /// An assumption that is learned by queries.
    Learn,
    /// A smallest deterministic assumption, within a budget.
    Separating,
    /// An abstraction of the module, refined where an error is not concrete.
    Agar,
    /// Abstractions of all components together, the module's as small as possible.
    Compact,
}

impl Synthesis {
    /// All ways, in the order in which help lists them.
    pub const ALL: &[Self] = &[
        Self::Auto,
        Self::Refine,
        Self::Exact,
        Self::Fold,
        Self::Weakest,
        Self::Learn,
        Self::Separating,
        Self::Agar,
        Self::Compact,
    ];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Refine => "refine",
            Self::Exact => "exact",
            Self::Fold => "fold",
            Self::Weakest => "weakest",
            Self::Learn => "learn",
            Self::Separating => "separating",
            Self::Agar => "agar",
            Self::Compact => "compact",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "Whatever proves the property first, then merged while it is proved",
            Self::Refine => "An abstraction of the environment, refined step by step",
            Self::Exact => "Two traversals of all contexts",
            Self::Fold => "Two foldings of the environment: modulo pasts, and modulo futures",
            Self::Weakest => "All that the environment can bear, by subset construction",
            Self::Learn => "An assumption about the interface, learned by queries",
            Self::Separating => "A smallest deterministic assumption, within a budget",
            Self::Agar => "An abstraction of the module, refined where an error is not concrete",
            Self::Compact => "All components abstracted together; the smallest assumption found",
        }
    }

    /// Whether the result is an assumption about the interface.
    pub fn is_about_interface(self) -> bool {
        self.has_alphabet() || matches!(self, Self::Weakest | Self::Compact)
    }

    /// Whether the alphabet of the result can be chosen.
    pub fn has_alphabet(self) -> bool {
        matches!(self, Self::Learn | Self::Separating | Self::Agar)
    }

    /// The way with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }
}

/// How a requirement is asked for.
#[derive(Clone, Debug)]
pub struct AssumeOptions {
    /// The module: names of proctypes, of processes or of components.
    pub module: Vec<String>,
    /// The method.
    pub method: Synthesis,
    /// With [`Synthesis::Auto`]: the requirement of the definition.
    pub canonical: bool,
    /// Merges further while the property is still proved.
    pub minimize: bool,
    /// Stops after this many refinements.
    pub steps: Option<usize>,
    /// Records every refinement.
    pub trace: bool,
    /// With a learned or abstracted assumption: how its alphabet is found.
    pub alphabet: AlphabetChoice,
    /// With a learned or abstracted assumption: where its alphabet begins.
    pub alphabet_start: AlphabetStart,
    /// Leaves counterexamples as they were found.
    pub as_found: bool,
    /// Keeps a quarter of the time for the certificate.
    pub certificate: bool,
    /// With more local states of a component the cut is given up.
    pub budget: usize,
}

impl Default for AssumeOptions {
    fn default() -> Self {
        Self {
            module: Vec::new(),
            method: Synthesis::default(),
            canonical: false,
            minimize: false,
            steps: None,
            trace: false,
            alphabet: AlphabetChoice::default(),
            alphabet_start: AlphabetStart::default(),
            as_found: false,
            certificate: false,
            budget: crate::MAX_LOCAL_STATES,
        }
    }
}
