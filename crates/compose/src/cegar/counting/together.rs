//! All parts follow a path, with a member for each move.
//!
//! Of the steps of a way the first is taken that all participants can take; choices are taken back
//! a bounded number of times. The obstacle is one of the longest prefix.

use super::super::replay::{Conflict, private_before};
use super::super::trail::Trail;
use super::replay::{Obstacle, Replay};
use super::stutter::Stutter;
use resy_automata::lts::{ActionId, Label, StateId};
use resy_automata::product::ProductStep;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How many choices are taken back, for each step of a path.
const TRIES: usize = 3;

/// Participants get ready for a step in turn; some may have to do so again.
const ROUNDS: usize = 3;

/// Where parts can be after some steps.
#[derive(Default)]
struct Present {
    /// The trails of the parts that have moved.
    trails: FxHashMap<usize, Trail>,
    /// The classes of the members that have moved.
    classes: FxHashMap<usize, StateId>,
}

/// A part after a step, and its class if it is a member that has moved.
type Moved = (usize, Trail, Option<StateId>);

/// What keeps the participants of a step from taking it.
#[derive(Default)]
struct Blocked {
    /// Parts none of whose states has the step.
    stuck: Vec<usize>,
    /// Members that are in another class.
    absent: Vec<usize>,
}

/// A step of the path that was taken.
#[derive(Default)]
struct Taken {
    /// How many of the steps of the way have been tried.
    n_tried: usize,
    /// The step, and those before it that change no class.
    steps: Vec<ProductStep>,
    /// What the participants were before, last one last.
    before: Vec<(usize, Option<Trail>, Option<StateId>)>,
}

/// Obstacles of the steps of a way; the first kind that there is counts.
#[derive(Default)]
struct Obstacles {
    /// A member is stuck, and only members are in the way.
    members: Option<Obstacle>,
    /// A part keeps another one from getting to its next step.
    waiting: Option<Obstacle>,
    /// A member is in another class, and only members are in the way.
    absent: Option<Obstacle>,
    /// Parts that are not counted and are stuck, with the labels.
    stuck: BTreeMap<usize, Vec<Label>>,
    /// A part cannot take a step at once.
    late: Option<Obstacle>,
}

impl Replay<'_> {
    /// Follows the path, on its classes or on any classes; no obstacle if `go_on` cancels, or if none was found.
    pub(super) fn together(
        &self,
        on_classes: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<ProductStep>, Option<Obstacle>> {
        let n_steps = self.path.steps.len();
        let mut present = Present::default();
        let mut taken: Vec<Taken> = Vec::with_capacity(n_steps);
        let (mut n_tried, mut left) = (0, n_steps * TRIES);
        let mut longest: Option<(usize, Obstacle)> = None;
        loop {
            let at = taken.len();
            if !go_on() {
                return Err(None);
            }
            if at == n_steps {
                return Ok(self.run(&present, &taken));
            }
            let mut obstacles = Obstacles::default();
            let attempt = Attempt { replay: self, at, on_classes };
            if let Some(next) = attempt.take(&mut present, n_tried, &mut obstacles) {
                taken.push(next);
                n_tried = 0;
                continue;
            }
            if longest.as_ref().is_none_or(|(longest, _)| at > *longest) {
                longest = self.first(obstacles, at).map(|obstacle| (at, obstacle)).or(longest);
            }
            left = left.saturating_sub(1);
            let Some(last) = taken.pop().filter(|_| left > 0) else {
                return Err(longest.map(|(_, obstacle)| obstacle));
            };
            n_tried = last.n_tried;
            present.undo(last.before);
        }
    }

    /// The obstacle at a context.
    fn first(&self, obstacles: Obstacles, at: usize) -> Option<Obstacle> {
        let Obstacles { members, waiting, absent, stuck, late } = obstacles;
        let first = members.or(waiting).or(absent).or_else(|| {
            let key =
                |(part, labels): &(usize, Vec<Label>)| (labels.len(), std::cmp::Reverse(*part));
            let (part, labels) = stuck.into_iter().max_by_key(key)?;
            Some(self.mixed(at, part, labels))
        });
        first.or(late)
    }

    /// The steps that were taken, each preceded by the private steps that it needs.
    fn run(&self, present: &Present, taken: &[Taken]) -> Vec<ProductStep> {
        let steps: Vec<ProductStep> = taken.iter().flat_map(|t| t.steps.iter().copied()).collect();
        private_before(&self.counted.parts, &present.trails, &steps)
    }
}

/// One step of the path.
struct Attempt<'t, 'r> {
    replay: &'t Replay<'r>,
    /// The context before it.
    at: usize,
    on_classes: bool,
}

impl Attempt<'_, '_> {
    /// Takes the first step of the way that all participants can take, after those already tried.
    fn take(
        &self,
        present: &mut Present,
        tried: usize,
        obstacles: &mut Obstacles,
    ) -> Option<Taken> {
        let steps = self.replay.steps(self.replay.path.steps[self.at]);
        for (i, step) in steps.into_iter().enumerate().skip(tried) {
            let mut taken = Taken { n_tried: i + 1, ..Taken::default() };
            if self.get_to(present, step, &mut taken, obstacles) {
                taken.steps.push(step);
                return Some(taken);
            }
            present.undo(taken.before);
        }
        None
    }

    /// Takes a step, after others that change no class.
    fn get_to(
        &self,
        present: &mut Present,
        step: ProductStep,
        taken: &mut Taken,
        obstacles: &mut Obstacles,
    ) -> bool {
        for _ in 0..=ROUNDS {
            let blocked = match self.next(present, step) {
                Ok(next) => {
                    present.go(next, taken);
                    return true;
                }
                Err(blocked) => blocked,
            };
            if !self.on_classes || self.is_hopeless(&blocked, step, obstacles) {
                return false;
            }
            for &part in &blocked.stuck {
                let Some(word) = self.approach(present, step, part) else {
                    self.note_stuck(part, &blocked, step, obstacles);
                    return false;
                };
                for label in word {
                    if let Err(obstacle) = self.stay(present, label, taken) {
                        obstacles.waiting.get_or_insert(obstacle);
                        return false;
                    }
                }
            }
        }
        false
    }

    fn is_member(&self, part: usize) -> bool {
        self.replay.counted.group_of(part).is_some()
    }

    /// Whether a member is in the wrong class; notes obstacles.
    fn is_hopeless(&self, blocked: &Blocked, step: ProductStep, obstacles: &mut Obstacles) -> bool {
        let alone = blocked.stuck.iter().find(|&&part| !self.is_member(part));
        if let Some(&part) = alone.or(blocked.stuck.first()) {
            let conflict = || self.replay.conflict(self.at, part, vec![step.label()]);
            obstacles.late.get_or_insert_with(|| self.split_at(&conflict()));
        }
        let absent = blocked.absent.first();
        if let (Some(&member), None) = (absent, alone) {
            obstacles.absent.get_or_insert(Obstacle::Who(member));
        }
        absent.is_some()
    }

    /// Notes that a part cannot get to a step within its class.
    fn note_stuck(
        &self,
        part: usize,
        blocked: &Blocked,
        step: ProductStep,
        obstacles: &mut Obstacles,
    ) {
        if !self.is_member(part) {
            obstacles.stuck.entry(part).or_default().push(step.label());
        } else if blocked.stuck.iter().all(|&part| self.is_member(part)) {
            let mixed = || self.replay.mixed(self.at, part, vec![step.label()]);
            obstacles.members.get_or_insert_with(mixed);
        }
    }

    fn split_at(&self, conflict: &Conflict) -> Obstacle {
        let able = self.replay.counted.parts.able_at_last(conflict);
        Obstacle::Mixed { part: conflict.part, able: vec![able] }
    }

    /// The present class of a part.
    fn class_now(&self, present: &Present, part: usize) -> StateId {
        let parts = &self.replay.counted.parts;
        if !self.is_member(part) {
            return self.replay.class(&self.replay.path.contexts[self.at], part);
        }
        let initial = || parts.class_of(part, parts.lts(part).initial());
        present.classes.get(&part).copied().unwrap_or_else(initial)
    }

    /// The trail of a part after a step into a class.
    fn after(
        &self,
        present: &Present,
        part: usize,
        label: Label,
        class: Option<StateId>,
    ) -> Option<Trail> {
        let parts = &self.replay.counted.parts;
        match present.trails.get(&part) {
            Some(trail) => trail.after(parts, label, class),
            None => self.replay.start(part, self.on_classes).after(parts, label, class),
        }
    }

    /// The trails of the participants after a step, and the classes of members.
    fn next(&self, present: &Present, step: ProductStep) -> Result<Vec<Moved>, Blocked> {
        let (mut next, mut blocked) = (Vec::new(), Blocked::default());
        for part in self.replay.participants(step) {
            let group = self.replay.counted.group_of(part);
            let m = group.and_then(|group| self.replay.move_at(self.at, group));
            if self.on_classes && m.is_some_and(|m| self.class_now(present, part) != m.from) {
                blocked.absent.push(part);
                continue;
            }
            let class = self.replay.target(self.at, part).filter(|_| self.on_classes);
            match self.after(present, part, step.label(), class) {
                Some(trail) => next.push((part, trail, m.map(|m| m.to))),
                None => blocked.stuck.push(part),
            }
        }
        match blocked.stuck.is_empty() && blocked.absent.is_empty() {
            true => Ok(next),
            false => Err(blocked),
        }
    }

    /// Labels by which a part gets within its class to a state that has a step: preferably such
    /// that the other participants can take at once.
    fn approach(&self, present: &Present, step: ProductStep, part: usize) -> Option<Vec<Label>> {
        let parts = &self.replay.counted.parts;
        let stutter = Stutter::in_context(self.replay, &self.replay.path.contexts[self.at]);
        let class = self.class_now(present, part);
        let target = self.replay.target(self.at, part);
        let from: Vec<StateId> = match present.trails.get(&part) {
            Some(trail) => trail.states().collect(),
            None => vec![parts.lts(part).initial()],
        };
        let has_step = |&(state, _): &(StateId, _)| {
            let mut steps = parts.lts(part).transitions_by(state, step.label()).iter();
            steps.any(|s| target.is_none_or(|class| parts.class_of(part, s.1) == class))
        };
        let known: RefCell<FxHashMap<Label, bool>> = RefCell::default();
        let others_can = |label: Label| {
            let Label::Visible(action) = label else { return true };
            *known.borrow_mut().entry(label).or_insert_with(|| {
                let mut others = parts.with(action).iter().filter(|&&other| other != part);
                others.all(|&other| {
                    let class = self.class_now(present, other);
                    self.after(present, other, label, Some(class)).is_some()
                })
            })
        };
        let mut found = stutter.reach(part, &from, class, others_can);
        let mut end = found.iter().position(has_step);
        if end.is_none() {
            found = stutter.reach(part, &from, class, |_| true);
            end = found.iter().position(has_step);
        }
        let mut word = Vec::new();
        let mut now = end?;
        while let Some((before, label)) = found[now].1 {
            // The trail is closed under private steps.
            if !parts.is_private(label) {
                word.push(label);
            }
            now = before;
        }
        word.reverse();
        Some(word)
    }

    /// Takes a step that changes no class.
    fn stay(&self, present: &mut Present, label: Label, taken: &mut Taken) -> Result<(), Obstacle> {
        let parts = &self.replay.counted.parts;
        let Label::Visible(action) = label else { return Ok(()) };
        let mut next: Vec<Moved> = Vec::new();
        for &part in parts.with(action) {
            let class = self.class_now(present, part);
            let Some(trail) = self.after(present, part, label, Some(class)) else {
                let quotient = parts.quotients().get(&part);
                let stays = quotient.is_none_or(|quotient| {
                    let mut steps = quotient.lts().transitions_by(class, label).iter();
                    steps.any(|step| step.1 == class)
                });
                if !stays && self.is_member(part) {
                    return Err(Obstacle::Who(part));
                }
                let labels = self.like(present, action, part, class);
                return Err(self.split_at(&Conflict { part, class, labels, target: Some(class) }));
            };
            next.push((part, trail, None));
        }
        present.go(next, taken);
        taken.steps.push(ProductStep::Action(action));
        Ok(())
    }

    /// The actions with the same kinds of participants as one that a part cannot take within its
    /// class, which it cannot take either: a channel is split by whether it is empty, not by
    /// whose message it has.
    fn like(&self, present: &Present, action: ActionId, part: usize, class: StateId) -> Vec<Label> {
        let counted = self.replay.counted;
        let kinds = |action: ActionId| {
            let participants = counted.parts.with(action).iter();
            let kind = |&part: &usize| counted.group_of(part).map_or((0, part), |group| (1, group));
            participants.map(kind).collect::<Vec<_>>()
        };
        let wanted = kinds(action);
        let alphabet = counted.parts.lts(part).alphabet().iter();
        let labels = alphabet.filter(|&a| kinds(a) == wanted).map(Label::Visible);
        labels.filter(|&l| self.after(present, part, l, Some(class)).is_none()).collect()
    }
}

impl Present {
    fn go(&mut self, next: Vec<Moved>, taken: &mut Taken) {
        for (part, trail, class) in next {
            let old_class = self.classes.get(&part).copied();
            if let Some(class) = class {
                self.classes.insert(part, class);
            }
            taken.before.push((part, self.trails.insert(part, trail), old_class));
        }
    }

    fn undo(&mut self, before: Vec<(usize, Option<Trail>, Option<StateId>)>) {
        for (part, trail, class) in before.into_iter().rev() {
            match trail {
                Some(trail) => drop(self.trails.insert(part, trail)),
                None => drop(self.trails.remove(&part)),
            }
            match class {
                Some(class) => drop(self.classes.insert(part, class)),
                None => drop(self.classes.remove(&part)),
            }
        }
    }
}
