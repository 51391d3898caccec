//! Assumptions over all components of a network, one level for each: the assumption of a level is the property of
//! the next.
//!
//! ```text
//! check(M_1..M_n, P)
//!   n = 1:  an error trace of M_1‖P, or holds
//!   learn an assumption A with environment M_1 and property P, over the actions that M_1 or P has and a later M_i;
//!   premise 2, that M_2‖..‖M_n satisfies A, is check(M_2..M_n, A), with the rejecting state of A as the error
//! ```
//!
//! A violation that is found below is a joint trace of the components from there on; it is merged with the trace of
//! the component above. Sources: Cobleigh, Giannakopoulou, Păsăreanu (TACAS 2003); the order of the components:
//! Gheorghiu, Giannakopoulou, Păsăreanu (TACAS 2007).

use crate::alphabet::{
    AlphabetChoice, AlphabetStart, AssumptionOptions, LearnedAssumption, Outcome, refine,
};
use crate::cancellation::Cancellation;
use crate::learn::LearnCounts;
use crate::requirement::Conclusion;
use crate::sides::{
    EnvironmentSide, EnvironmentSystems, Fallible, ModuleSide, Polled, Trace, WordAutomaton,
    WordState, shortest,
};
use crate::split::{Split, SplitError, SplitPart};
use resy_automata::lts::{ActionId, Alphabet, Lts, StateId};
use resy_automata::network::{ComponentId, Monitor, Network};
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_index::Id;

/// What learning over all components has found.
#[derive(Clone, Debug)]
pub struct LevelledAssumption {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The components from the first level to the last.
    pub order: Vec<ComponentId>,
    /// The assumption of the first level, about all components but the first; none if there is no proof, or one
    /// component.
    pub assumption: Option<WordAutomaton>,
    /// What it took on all levels, and the largest hypothesis of any.
    pub counts: LearnCounts,
}

/// Learns assumptions over all components of a network, in an order that keeps interfaces small; `Interrupted` if
/// `go_on` cancels.
pub fn learn_levels(
    network: &Network,
    options: &AssumptionOptions,
    go_on: impl FnMut() -> bool,
) -> Result<LevelledAssumption, SplitError> {
    let split = Split::without_module(network)?;
    let order = small_interfaces(&split);
    let parts: Vec<&SplitPart> = order.iter().map(|&part| &split.environment[part]).collect();
    let cancellation = Cancellation::new(go_on);
    let mut levels =
        Levels { options: *options, cancellation: &cancellation, counts: LearnCounts::default() };
    let (verdict, assumption) = match levels.check(&parts, &split.monitor) {
        Ok((None, assumption)) => (Conclusion::Holds, assumption),
        Ok((Some(run), _)) => (Conclusion::Fails(run), None),
        Err(_) => (Conclusion::Interrupted, None),
    };
    let order = order.into_iter().map(Id::from_index).collect();
    Ok(LevelledAssumption { verdict, order, assumption, counts: levels.counts })
}

/// The recursion.
struct Levels<'c> {
    options: AssumptionOptions,
    cancellation: &'c dyn Polled,
    counts: LearnCounts,
}

impl Levels<'_> {
    /// A joint trace of the parts into the error of a monitor, or none; and the assumption about all parts but the
    /// first, if there is one.
    fn check(
        &mut self,
        parts: &[&SplitPart],
        monitor: &Monitor,
    ) -> Fallible<(Option<Trace>, Option<WordAutomaton>)> {
        let Some((&first, rest)) = parts.split_first() else { return Ok((None, None)) };
        let interface = interface(first, rest, monitor);
        let systems = EnvironmentSystems::new(vec![first], monitor);
        let mut environment = EnvironmentSide::new(&systems, interface.clone(), self.cancellation);
        if rest.is_empty() {
            return Ok((environment.against(&anything())?, None));
        }
        let start = match (self.options.alphabet, self.options.start) {
            (AlphabetChoice::Whole, _) => interface,
            (AlphabetChoice::Minimal, _) | (_, AlphabetStart::Empty) => Alphabet::default(),
            (_, AlphabetStart::Property) => {
                let watched = monitor.lts.alphabet();
                interface.iter().filter(|&action| watched.contains(action)).collect()
            }
        };
        let options = self.options;
        let mut found = LearnedAssumption::unknown();
        let mut module = LowerLevels { levels: self, parts: rest };
        let outcome = refine(start, &options, &mut environment, &mut module, &mut found);
        let below = self.counts;
        self.counts.and(&found.counts);
        self.counts.contexts = self.counts.contexts.max(below.contexts);
        Ok(match outcome? {
            Outcome::Holds(assumption) => (None, Some(assumption)),
            Outcome::Fails(run) => (Some(run), None),
        })
    }
}

/// The automaton over no letter, which accepts.
fn anything() -> WordAutomaton {
    WordAutomaton::new(Alphabet::default(), vec![WordState::default()], None)
}

/// The actions that the first part or the monitor has, and one of the others.
fn interface(first: &SplitPart, rest: &[&SplitPart], monitor: &Monitor) -> Alphabet {
    let here = first.lts.alphabet().union(monitor.lts.alphabet());
    let there: Alphabet = rest.iter().flat_map(|part| part.lts.alphabet().iter()).collect();
    here.iter().filter(|&action| there.contains(action)).collect()
}

/// The components below a level, as the module of its rule.
struct LowerLevels<'l, 'c, 'p> {
    levels: &'l mut Levels<'c>,
    parts: &'l [&'p SplitPart],
}

impl ModuleSide for LowerLevels<'_, '_, '_> {
    fn against(&mut self, assumption: &WordAutomaton) -> Fallible<Option<Trace>> {
        if assumption.rejects_at(assumption.initial()) {
            return Ok(Some(Trace::new()));
        }
        Ok(self.levels.check(self.parts, &assumption.to_monitor())?.0)
    }

    fn along(&mut self, word: &[ActionId], alphabet: &Alphabet) -> Fallible<Option<Trace>> {
        let systems: Vec<&Lts> = self.parts.iter().map(|part| &part.lts).collect();
        let explorer = Explorer::new(systems);
        let mut tuples = Tuples::new(self.parts.len());
        let mut number = |tuple: &[StateId]| tuples.insert(tuple).0;
        let start = (number(&explorer.initial()), 0);
        let mut states = vec![explorer.initial()];
        let is_goal = |(_, n): (StateId, usize)| n == word.len();
        let path = shortest(start, self.levels.cancellation, is_goal, |(state, n), steps| {
            let here = states[state.index()].clone();
            explorer.successors(&here, |step, to| {
                let step_letter = match step {
                    ProductStep::Action(action) if alphabet.contains(action) => Some(action),
                    _ => None,
                };
                let position = match step_letter {
                    Some(action) if word.get(n) == Some(&action) => n + 1,
                    Some(_) => return,
                    None => n,
                };
                let id = number(to);
                if id.index() == states.len() {
                    states.push(to.to_vec());
                }
                steps.push((self.in_network(step), (id, position)));
            });
            Ok(())
        })?;
        Ok(path.map(|path| path.into_iter().map(|(_, step, _)| step).collect()))
    }
}

impl LowerLevels<'_, '_, '_> {
    /// A step of the parts as a step of the network: each part is one component.
    fn in_network(&self, step: ProductStep) -> ProductStep {
        match step {
            ProductStep::Tau(part) => ProductStep::Tau(self.parts[part.index()].components[0]),
            action @ ProductStep::Action(_) => action,
        }
    }
}

/// With at most so many components all orders are tried.
const ALL_ORDERS: usize = 6;

/// An order of the parts for which the interfaces of all levels together are small.
fn small_interfaces(split: &Split) -> Vec<usize> {
    let n = split.environment.len();
    let mut best: Option<(usize, Vec<usize>)> = None;
    if n <= ALL_ORDERS {
        permutations(&mut (0..n).collect(), 0, &mut |order| {
            let cost = cost(split, order);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, order.to_vec()));
            }
        });
        return best.map_or_else(Vec::new, |(_, order)| order);
    }
    let mut order: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..n).collect();
    while !left.is_empty() {
        let size = |&part: &usize| {
            let rest: Vec<&SplitPart> = left
                .iter()
                .filter(|&&other| other != part)
                .map(|&i| &split.environment[i])
                .collect();
            interface(&split.environment[part], &rest, &split.monitor).len()
        };
        let Some(next) = left.iter().copied().min_by_key(size) else { break };
        left.retain(|&part| part != next);
        order.push(next);
    }
    order
}

/// The sizes of all interfaces of an order. Below the first level, the property is counted as it is at the first.
fn cost(split: &Split, order: &[usize]) -> usize {
    let parts: Vec<&SplitPart> = order.iter().map(|&part| &split.environment[part]).collect();
    let levels = (0..parts.len().saturating_sub(1)).map(|i| (parts[i], &parts[i + 1..]));
    levels.map(|(first, rest)| interface(first, rest, &split.monitor).len()).sum()
}

fn permutations(items: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == items.len() {
        return visit(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        permutations(items, from + 1, visit);
        items.swap(from, i);
    }
}
