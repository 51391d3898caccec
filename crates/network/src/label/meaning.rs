//! What an action stands for, kept when the closure is gone.
//!
//! The name of an action is for people. Whoever wants to write the step down in another language
//! needs who takes part in it, and what each of them asks and tells the others.

use crate::closure::{ClassId, Closure, StepClass};
use crate::cut::PartId;
use crate::step::request::Exchange;
use resy_system::{Offer, SourcePlace, ViolationKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The steps of an action. They all have the same exchanges.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// Who does something, in order: those who offer a message, and at last the one who ends the
    /// step.
    pub turns: Vec<StepTurn>,
    /// Whether an error leaves no state to go on with: the others stay where they are.
    pub fails: bool,
    /// Where the statements stand.
    pub sources: Vec<SourcePlace>,
}

/// One process's part of a step.
#[derive(Clone, Debug)]
pub struct StepTurn {
    /// The process.
    pub part: PartId,
    /// What it asks and tells others. The order is kept for each of them, not between them. What
    /// was asked in an earlier turn is not asked again.
    pub exchanges: Vec<Rc<Exchange>>,
    /// The message that it offers to the next.
    pub offer: Option<Offer>,
    /// What goes wrong.
    pub faults: Vec<ViolationKind>,
}

impl Meaning {
    /// What the steps of a class mean.
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

/// The exchanges of a log without those of an earlier one, which begins it for every component.
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
