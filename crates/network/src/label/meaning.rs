//! What an action stands for, kept after the closure is dropped.
//!
//! The name of an action is for people. A translation of the step to another language needs its
//! participants, and what each of them asks and tells the others.

use crate::closure::{ClassId, Closure, StepClass};
use crate::cut::PartId;
use crate::step::request::Exchange;
use resy_system::{Offer, SourcePlace, ViolationKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The steps of an action, which all have the same exchanges.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The turns in order: first those that offer a message, at last the one that ends the step.
    pub turns: Vec<StepTurn>,
    /// Whether an error leaves no next state; the other participants then stay where they are.
    pub fails: bool,
    /// The source places of the statements.
    pub sources: Vec<SourcePlace>,
}

/// The turn of one process in a step.
#[derive(Clone, Debug)]
pub struct StepTurn {
    /// The process.
    pub part: PartId,
    /// Its exchanges with other components. The order is kept per component, not between
    /// components. A request of an earlier turn is not repeated.
    pub exchanges: Vec<Rc<Exchange>>,
    /// The message that it offers to the process of the next turn.
    pub offer: Option<Offer>,
    /// The violations of the turn.
    pub faults: Vec<ViolationKind>,
}

impl Meaning {
    /// The meaning of a class of steps.
    pub(crate) fn of(closure: &Closure<'_>, id: ClassId) -> Self {
        let class = &closure.classes[id];
        let mut classes: Vec<&StepClass> = closure.senders(class.sender).collect();
        classes.reverse();
        classes.push(class);
        let mut sources: Vec<SourcePlace> = Vec::new();
        for &source in classes.iter().flat_map(|class| &class.sources) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let mut turns = Vec::new();
        let mut before: &[Rc<Exchange>] = &[];
        for class in &classes {
            turns.push(StepTurn {
                part: class.part,
                exchanges: own(&class.log, before),
                offer: class.offer.clone(),
                faults: class.faults.clone(),
            });
            before = &class.log;
        }
        Self { turns, fails: class.fails, sources }
    }
}

/// The exchanges of a log without those of an earlier log, which is a prefix of it for every
/// component.
fn own(log: &[Rc<Exchange>], before: &[Rc<Exchange>]) -> Vec<Rc<Exchange>> {
    let mut earlier: FxHashMap<PartId, usize> = FxHashMap::default();
    before.iter().for_each(|exchange| *earlier.entry(exchange.part).or_default() += 1);
    let is_own = |exchange: &&Rc<Exchange>| match earlier.get_mut(&exchange.part) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    log.iter().filter(is_own).cloned().collect()
}
