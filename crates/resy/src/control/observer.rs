//! Who follows a computation: progress, decided properties, and warnings.

use crate::verdict::Truth;
use resy_compose::{fold, refine};
use resy_engine::search;

/// Receives what a computation has to tell while it goes on. Several threads may call it.
pub trait Observer: Send + Sync {
    /// Whether a message about this stage would be shown now. Some messages are costly to make.
    fn is_due(&self, stage: Stage) -> bool {
        let _ = stage;
        true
    }

    /// Receives a message.
    fn tell(&self, message: &Message<'_>);
}

/// The stages of a computation, as far as progress tells them apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading and reducing the model.
    Preparation,
    /// The search of all states.
    Search,
    /// The exploration of components.
    Components,
    /// A refinement.
    Refinement,
    /// A folding.
    Folding,
    /// The exploration of a product of automata.
    Product,
    /// The improvement of requirements.
    Improvement,
}

/// What a computation tells.
#[derive(Copy, Clone, Debug)]
pub enum Message<'a> {
    /// The model is being read, reduced or compiled, which takes a while.
    Preparation,
    /// How far a search of all states is.
    Search(&'a search::Progress),
    /// The number of local states that components have so far.
    Components(usize),
    /// How far a refinement is, and the size of the requirement so far if it is known.
    Refinement(&'a refine::RefineProgress, Option<usize>),
    /// How far a folding is.
    Folding(&'a fold::FoldProgress),
    /// How far a product is.
    Product {
        /// Its states so far.
        n_states: usize,
        /// Their largest distance from the initial one, if they are searched by it.
        depth: Option<usize>,
    },
    /// The number of steps that are left to improve requirements.
    Improvement(usize),
    /// A property was decided while others are still open.
    Decided {
        /// The property.
        property: &'a str,
        /// The verdict.
        truth: Truth,
        /// By which engine, and at what cost.
        how: &'a str,
    },
    /// A note on how the question is answered.
    Note(&'a str),
    /// Something went wrong that does not change the verdict.
    Warning(&'a str),
    /// Nothing more is told about progress.
    Done,
}
