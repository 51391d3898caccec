//! Pairwise reachability: which local states of two components may occur together.
//!
//! A least fixpoint from above. A step needs its participants pairwise together; afterwards their targets are
//! together, and each target with every state of another component that was together with all of
//! the sources. "At most one station has the token" is such a fact about pairs: a byte that would count
//! to 255 if the token were everywhere then has the values that occur.
//!
//! The local states that occur are no reason to delete the others: a requirement does more than the
//! module, and deleting is unsound. A step to a state that does not occur has to be an
//! error ([`exact::guarded`](crate::exact::guarded)).

use fixedbitset::FixedBitSet;
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::Monitor;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// A local state, numbered across all systems.
type Local = usize;

/// For each system, the local states that may occur. The monitor is the last system; what follows its
/// error is not explored. `None` if more than `limit` pairs occur, if there are more than `limit` pairs
/// at all to keep account of in 64 bits each, or if `go_on`, polled now and then, cancels.
pub fn occurring(
    systems: &[&Lts],
    monitor: &Monitor,
    limit: usize,
    mut go_on: impl FnMut() -> bool,
) -> Option<Vec<FixedBitSet>> {
    let mut pairs = OccurringPairs::new(systems, monitor, limit)?;
    pairs.begin();
    let mut n_polled = 0_usize;
    while let Some((one, other)) = pairs.todo.pop() {
        n_polled += 1;
        if pairs.n_pairs > limit || n_polled.is_multiple_of(256) && !go_on() {
            return None;
        }
        pairs.follow(one, other);
        pairs.follow(other, one);
    }
    Some(pairs.sets())
}

/// Pairs of local states that may occur together.
struct OccurringPairs<'a> {
    /// The systems, the monitor last.
    systems: Vec<&'a Lts>,
    /// The number of the first state of each system, and the number of all states.
    first: Vec<Local>,
    /// The system of each local state.
    system_of: Vec<usize>,
    participants: FxHashMap<ActionId, Vec<usize>>,
    error: Local,
    /// For each local state, those that it may occur together with; itself if it occurs at all.
    together: Vec<FixedBitSet>,
    n_pairs: usize,
    todo: Vec<(Local, Local)>,
}

impl<'a> OccurringPairs<'a> {
    /// No pairs; `None` if their table would be too large.
    fn new(systems: &[&'a Lts], monitor: &'a Monitor, limit: usize) -> Option<Self> {
        let systems: Vec<&Lts> = systems.iter().copied().chain([&monitor.lts]).collect();
        let (mut first, mut system_of) = (vec![0], Vec::new());
        for (i, lts) in systems.iter().enumerate() {
            system_of.extend(std::iter::repeat_n(i, lts.n_states()));
            first.push(system_of.len());
        }
        let n_states = system_of.len();
        if n_states.saturating_mul(n_states) / 64 > limit {
            return None;
        }
        let mut participants: FxHashMap<ActionId, Vec<usize>> = FxHashMap::default();
        for (i, lts) in systems.iter().enumerate() {
            lts.alphabet().iter().for_each(|a| participants.entry(a).or_default().push(i));
        }
        // An action that only the monitor has is never taken.
        let is_monitor = |i: usize| i + 1 == systems.len();
        participants.retain(|_, all| !all.iter().all(|&i| is_monitor(i)));
        let error = first[systems.len() - 1] + monitor.error.index();
        let together = vec![FixedBitSet::with_capacity(n_states); n_states];
        let (n_pairs, todo) = (0, Vec::new());
        Some(Self { systems, first, system_of, participants, error, together, n_pairs, todo })
    }

    fn begin(&mut self) {
        let initial: Vec<Local> = (0..self.systems.len())
            .map(|i| self.first[i] + self.systems[i].initial().index())
            .collect();
        if initial.contains(&self.error) {
            return;
        }
        initial.iter().for_each(|&local| self.together[local].insert(local));
        self.add_all(&initial);
    }

    /// The steps of a state that may occur together with another one.
    fn follow(&mut self, local: Local, other: Local) {
        let system = self.system_of[local];
        let state: StateId = Id::from_index(local - self.first[system]);
        let lts = self.systems[system];
        for &(label, to) in lts.transitions_from(state) {
            let to = self.first[system] + to.index();
            let Label::Visible(action) = label else {
                self.occurs(to);
                self.add(to, other);
                continue;
            };
            let Some(participants) = self.participants.get(&action) else { continue };
            let participants = participants.clone();
            let is_observer = !participants.contains(&self.system_of[other]);
            // A pair of participants is followed from its first.
            if !is_observer && system > self.system_of[other] {
                continue;
            }
            let mut step = PartialStep { action, sources: vec![local], targets: vec![to] };
            let rest: Vec<usize> = participants.iter().copied().filter(|&i| i != system).collect();
            let fixed = (!is_observer).then_some(other);
            self.extend(&mut step, &rest, fixed, is_observer.then_some(other));
        }
    }

    /// Extends a step by the moves of the remaining participants, one of which may be fixed, and
    /// records what is together afterwards.
    fn extend(
        &mut self,
        step: &mut PartialStep,
        rest: &[usize],
        fixed: Option<Local>,
        observer: Option<Local>,
    ) {
        let Some((&system, rest)) = rest.split_first() else {
            return self.record(step, observer);
        };
        let mut candidates = self.together[step.sources[0]].clone();
        let others = step.sources[1..].iter().chain(&observer);
        others.for_each(|&source| candidates.intersect_with(&self.together[source]));
        let range = self.first[system]..self.first[system + 1];
        let fixed_here = fixed.filter(|&local| self.system_of[local] == system);
        let here: Vec<Local> = match fixed_here {
            Some(local) => vec![local],
            None => range.collect(),
        };
        for local in here.into_iter().filter(|&local| candidates.contains(local)) {
            let (lts, first) = (self.systems[system], self.first[system]);
            let label = Label::Visible(step.action);
            for &(_, to) in lts.transitions_by(Id::from_index(local - first), label) {
                step.sources.push(local);
                step.targets.push(first + to.index());
                self.extend(step, rest, fixed, observer);
                step.sources.pop();
                step.targets.pop();
            }
        }
    }

    /// Records what is together after a step: the targets, and each with the observers.
    fn record(&mut self, step: &PartialStep, observer: Option<Local>) {
        if step.targets.contains(&self.error) {
            return;
        }
        step.targets.iter().for_each(|&target| self.occurs(target));
        if let Some(observer) = observer {
            // The rest is recorded when the participants are followed.
            step.targets.iter().for_each(|&target| self.add(target, observer));
            return;
        }
        self.add_all(&step.targets);
        let mut observers = self.together[step.sources[0]].clone();
        step.sources.iter().for_each(|&source| observers.intersect_with(&self.together[source]));
        let systems: Vec<usize> = step.sources.iter().map(|&s| self.system_of[s]).collect();
        for local in observers.ones() {
            if systems.contains(&self.system_of[local]) {
                continue;
            }
            step.targets.iter().for_each(|&target| self.add(target, local));
        }
    }

    fn occurs(&mut self, local: Local) {
        self.together[local].insert(local);
    }

    fn add_all(&mut self, locals: &[Local]) {
        for (i, &one) in locals.iter().enumerate() {
            locals[i + 1..].iter().for_each(|&other| self.add(one, other));
        }
    }

    fn add(&mut self, one: Local, other: Local) {
        if !self.together[one].put(other) {
            self.together[other].insert(one);
            self.n_pairs += 1;
            self.todo.push((one, other));
        }
    }

    fn sets(&self) -> Vec<FixedBitSet> {
        let set = |i: usize| -> FixedBitSet {
            let range = self.first[i]..self.first[i + 1];
            let n_states = range.len();
            let occurs = range.filter(|&local| self.together[local].contains(local));
            let mut set = FixedBitSet::with_capacity(n_states);
            occurs.for_each(|local| set.insert(local - self.first[i]));
            set
        };
        (0..self.systems.len()).map(set).collect()
    }
}

/// A step of which some participants are known.
struct PartialStep {
    action: ActionId,
    sources: Vec<Local>,
    targets: Vec<Local>,
}
