//! The weakest assumption, computed instead of learned: all good words, as a deterministic automaton.
//!
//! The sets of contexts that words lead to *are* its states (subset construction), and the smallest
//! automaton of them is the most permissive contract of the module. The network itself is decided
//! before that, by pairs of a module state and a set, along the module only: a pair folds all silent
//! steps of the environment, so there are fewer pairs than states of the product. If there are too
//! many sets beside those that the module needs, the contract permits exactly what is good along the
//! module's words, and nothing else; it is sound all the same.

use crate::alphabet::joint_run;
use crate::cancellation::Cancellation;
use crate::learn::Conflict;
use crate::requirement::{Conclusion, Requirement};
use crate::sides::{
    EnvironmentSide, EnvironmentSystems, Fallible, ModuleSide, SetId, SetTable, SplitModule,
    WordAutomaton, WordState, image, interface,
};
use crate::split::Split;
use resy_automata::lts::{ActionId, Alphabet, StateId};
use resy_automata::partition::Partition;
use rustc_hash::{FxHashMap, FxHashSet};

/// The weakest assumption of a split.
#[derive(Clone, Debug)]
pub struct WeakestAssumption {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The assumption, if the property holds.
    pub assumption: Option<WordAutomaton>,
    /// Whether it has all good words; otherwise those that the module can follow, and perhaps others.
    pub is_whole: bool,
    /// The pairs of a module state and a set that decided the network.
    pub n_pairs: usize,
    /// The sets of contexts.
    pub n_sets: usize,
}

/// The weakest assumption of the module of a split, if it has at most `limit` sets of contexts;
/// `Interrupted` if `go_on` cancels.
pub fn weakest_assumption(
    split: &Split,
    limit: usize,
    go_on: impl FnMut() -> bool,
) -> WeakestAssumption {
    let cancellation = Cancellation::new(go_on);
    let systems = EnvironmentSystems::of(split);
    let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
    let mut found = WeakestAssumption {
        verdict: Conclusion::Interrupted,
        assumption: None,
        is_whole: false,
        n_pairs: 0,
        n_sets: 0,
    };
    // Cancelled: what is found so far says so.
    let _ = found.compute(split, limit, &mut environment);
    found
}

impl WeakestAssumption {
    fn compute(
        &mut self,
        split: &Split,
        limit: usize,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<()> {
        let mut sets = SetTable::new(environment.interface().clone());
        let along = pairs(split, &mut sets, environment)?;
        (self.n_pairs, self.n_sets) = (along.n_pairs, sets.len() - 2);
        let narrow = automaton(&sets, &along.states, Rest::Rejected);
        let mut module = SplitModule::new(&split.module, environment.cancellation());
        if along.is_violated {
            let mut everything = SplitModule::new(&split.module, environment.cancellation());
            let Some(module) = everything.against(&narrow)? else { return Ok(()) };
            let error = Vec::new();
            let conflict = Conflict { module, error, is_positive: true };
            if let Some(run) = joint_run(&conflict, environment, &mut everything)? {
                self.verdict = Conclusion::Fails(run);
            }
            return Ok(());
        }
        let whole = all_sets(&mut sets, limit, environment)?;
        self.n_sets = sets.len() - 2;
        self.is_whole = whole.is_some();
        let assumption = whole.unwrap_or(narrow).minimized();
        debug_assert_eq!(module.against(&assumption)?, None);
        (self.verdict, self.assumption) = (Conclusion::Holds, Some(assumption));
        Ok(())
    }

    /// The image of the module that the assumption gives; the whole module without one.
    pub fn requirement(&self, split: &Split) -> Requirement {
        let module = &split.module.lts;
        let partition = match (&self.assumption, &self.verdict) {
            (Some(assumption), _) => image(module, assumption),
            (None, Conclusion::Fails(_)) => Partition::single(module.n_states()),
            (None, _) => Partition::discrete(module.n_states()),
        };
        Requirement::new(module, partition, self.verdict.clone())
    }
}

/// What is known of the sets along the module.
struct Along {
    /// The letters that the module takes, and the sets that they lead to.
    states: FxHashMap<SetId, FxHashMap<ActionId, SetId>>,
    n_pairs: usize,
    is_violated: bool,
}

/// The pairs of module states and sets that are reached, up to the first error.
fn pairs(
    split: &Split,
    sets: &mut SetTable,
    environment: &mut EnvironmentSide<'_>,
) -> Fallible<Along> {
    let module = &split.module.lts;
    let start = (module.initial(), sets.start(environment)?);
    let mut found: FxHashSet<(StateId, SetId)> = FxHashSet::from_iter([start]);
    let mut along = Along { states: FxHashMap::default(), n_pairs: 0, is_violated: false };
    along.states.entry(start.1).or_default();
    let (mut open, mut next) = (vec![start], 0);
    along.is_violated = start.1 == SetTable::error();
    while let Some(&(m, set)) = open.get(next).filter(|_| !along.is_violated) {
        for &(label, to) in module.transitions_from(m) {
            let mut target = set;
            let letter = label.action().filter(|&action| sets.alphabet().contains(action));
            if let Some(action) = letter {
                target = sets.after(set, action, environment)?;
                along.states.entry(set).or_default().insert(action, target);
                along.states.entry(target).or_default();
                along.is_violated |= target == SetTable::error();
            }
            // Where the environment cannot follow, whatever the module does is good.
            if target != SetTable::empty() && found.insert((to, target)) {
                open.push((to, target));
            }
        }
        next += 1;
    }
    along.n_pairs = found.len();
    Ok(along)
}

/// Where letters lead that are not listed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Rest {
    /// To the empty set: the environment cannot follow.
    Free,
    /// To rejection.
    Rejected,
}

/// The automaton of some sets.
fn automaton(
    sets: &SetTable,
    states: &FxHashMap<SetId, FxHashMap<ActionId, SetId>>,
    rest: Rest,
) -> WordAutomaton {
    let start = sets.known_start();
    let (empty, error) = (SetTable::empty(), SetTable::error());
    // The initial set first, then the others in the order of their numbers.
    let mut order: Vec<SetId> = states.keys().copied().chain([empty, error]).collect();
    order.sort_unstable_by_key(|&set| (set != start, set));
    order.dedup();
    let number: FxHashMap<SetId, usize> = order.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    let row = |set: &SetId| {
        let others = match (*set, rest) {
            (set, _) if set == error => error,
            (set, _) if set == empty => empty,
            (_, Rest::Free) => empty,
            (_, Rest::Rejected) => error,
        };
        let listed = states.get(set).into_iter().flatten();
        let next = listed.map(|(&action, to)| (action, number[to])).collect();
        WordState { next, others: Some(number[&others]) }
    };
    let states = order.iter().map(row).collect();
    WordAutomaton::new(sets.alphabet().clone(), states, number.get(&error).copied())
}

/// The automaton of all sets, if there are at most `limit`.
fn all_sets(
    sets: &mut SetTable,
    limit: usize,
    environment: &mut EnvironmentSide<'_>,
) -> Fallible<Option<WordAutomaton>> {
    let start = sets.start(environment)?;
    let mut states: FxHashMap<SetId, FxHashMap<_, SetId>> = FxHashMap::default();
    let mut open = vec![start];
    while let Some(set) = open.pop() {
        if states.contains_key(&set) || set == SetTable::empty() || set == SetTable::error() {
            continue;
        }
        let mut row = FxHashMap::default();
        for &action in &*sets.enabled(set, environment)? {
            let target = sets.after(set, action, environment)?;
            row.insert(action, target);
            open.push(target);
        }
        states.insert(set, row);
        if sets.len() > limit {
            return Ok(None);
        }
    }
    Ok(Some(automaton(sets, &states, Rest::Free)))
}

/// Whether the rule can be applied with an alphabet: whether the module satisfies the weakest
/// assumption over it.
pub(crate) fn is_enough(
    alphabet: &Alphabet,
    environment: &mut EnvironmentSide<'_>,
    module: &mut dyn ModuleSide,
) -> Fallible<bool> {
    Ok(module.against(&weakest_over(alphabet, environment)?)?.is_none())
}

/// The weakest assumption over an alphabet, as small as possible.
pub(crate) fn weakest_over(
    alphabet: &Alphabet,
    environment: &mut EnvironmentSide<'_>,
) -> Fallible<WordAutomaton> {
    let mut sets = SetTable::new(alphabet.clone());
    let whole = all_sets(&mut sets, usize::MAX, environment)?;
    Ok(whole.expect("there is no limit").minimized())
}
