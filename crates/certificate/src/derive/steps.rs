//! All steps of a program from the listed local states, by class.
//!
//! Every process runs its scripts from each of its states. At a request, each reply that a listed
//! state of the other component gives is tried. So a step is found if its participants have the
//! required listed states; where they lead is not checked yet. An offer needs all moves of its
//! sender, from all its states, before it can be accepted: offers are taken up one round later.

use super::replies::{Pair, Replies};
use resy_index::{Id, IndexVec};
use resy_network::script::{self, StepTask, TaskNext, TaskOutcome};
use resy_network::{ClassId, Cut, Exchange, Half, Item, PartId, Role, StepStage};
use resy_system::{Offer, SourcePlace, ViolationKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Two steps with the same key have the same label: driver, sender, offer, exchanges sorted by
/// component, whether it fails, violations, and what a sender has changed.
type Key = (
    PartId,
    Option<ClassId>,
    Option<Offer>,
    Rc<[Rc<Exchange>]>,
    bool,
    Vec<ViolationKind>,
    Vec<Item>,
);

/// Cancellation is polled once per this number of tasks.
const PATIENCE: usize = 256;

/// The steps of one label.
pub struct DerivedClass {
    pub part: PartId,
    pub sender: Option<ClassId>,
    pub offer: Option<Offer>,
    pub log: Rc<[Rc<Exchange>]>,
    pub fails: bool,
    pub faults: Vec<ViolationKind>,
    touched: Vec<Item>,
    /// The driver's local states before and after.
    pub moves: FxHashSet<Pair>,
    /// The pairs of the other participants, except those that only watch.
    pub others: Vec<(PartId, Rc<[Pair]>)>,
    /// The source places of the driver's statements.
    pub places: Vec<SourcePlace>,
    /// The participant that these steps take beyond its listed states, which is an error.
    pub beyond: Option<PartId>,
    /// For a sender: the node with its moves.
    node: Option<usize>,
}

impl DerivedClass {
    /// The stage of the driver in the step.
    pub fn stage(&self) -> StepStage<'_> {
        let Self { part, offer, log, fails, faults, touched, .. } = self;
        StepStage { part: *part, offer: offer.as_ref(), log, fails: *fails, faults, touched }
    }
}

/// The steps of a cut.
pub struct DerivedSteps<'a> {
    cut: &'a Cut<'a>,
    pub replies: IndexVec<PartId, Replies>,
    pub classes: IndexVec<ClassId, DerivedClass>,
    numbers: FxHashMap<Key, ClassId>,
}

/// Computes all steps of a cut from the listed states of its components; `None` if `go_on`, which is
/// asked now and then, cancels.
pub fn steps<'a>(
    cut: &'a Cut<'a>,
    replies: IndexVec<PartId, Replies>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<DerivedSteps<'a>> {
    steps_beyond(cut, replies, &[], 0, go_on)
}

/// Like [`steps`]; for the processes in `beyond`, also the steps from states that their steps have
/// reached and that are not listed, at most `limit` of them.
pub fn steps_beyond<'a>(
    cut: &'a Cut<'a>,
    replies: IndexVec<PartId, Replies>,
    beyond: &[PartId],
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<DerivedSteps<'a>> {
    let (classes, numbers) = (IndexVec::new(), FxHashMap::default());
    let mut steps = DerivedSteps { cut, replies, classes, numbers };
    let mut begun: FxHashSet<(PartId, u32)> = FxHashSet::default();
    let mut tasks = steps.attempts();
    let (mut n_taken_up, mut n_tasks) = (0, 0_usize);
    while !tasks.is_empty() {
        while let Some(task) = tasks.pop() {
            n_tasks += 1;
            if n_tasks % PATIENCE == 0 && !go_on() {
                return None;
            }
            for outcome in script::run(cut, task) {
                match outcome {
                    TaskOutcome::Gap(task, gap) => tasks.extend(steps.answered(&task, &gap)),
                    TaskOutcome::Ends(task) => {
                        let (part, end) = (task.half.part(), steps.complete(&task));
                        let is_beyond =
                            beyond.contains(&part) && !steps.replies[part].is_listed(end);
                        if is_beyond && begun.len() < limit && begun.insert((part, end)) {
                            tasks.extend(script::begin(cut, task.pid, end, &task.half.local));
                        }
                    }
                    TaskOutcome::Offers(task, offer) => {
                        steps.note(&task, Some(offer));
                    }
                    TaskOutcome::GoesOn(_) => unreachable!("a run goes on to its end"),
                }
            }
        }
        let offers = n_taken_up..steps.classes.len();
        n_taken_up = offers.end;
        tasks.extend(offers.flat_map(|class| steps.taken_up(Id::from_index(class))));
    }
    Some(steps)
}

impl<'a> DerivedSteps<'a> {
    /// The tasks of all processes in their listed states.
    fn attempts(&self) -> Vec<StepTask<'a>> {
        let mut tasks = Vec::new();
        for (pid, &part) in self.cut.processes.iter().enumerate() {
            let replies = &self.replies[part];
            for state in 0..replies.n_listed() as u32 {
                tasks.extend(script::begin(self.cut, pid, state, &replies.value(state)));
            }
        }
        tasks
    }

    /// The task with every reply to what it asks.
    fn answered(&mut self, task: &StepTask<'a>, gap: &resy_network::Gap) -> Vec<StepTask<'a>> {
        let Some(node) = self.walk(gap.part, task.sender, &gap.log) else { return Vec::new() };
        let replies = self.replies[gap.part].ask(self.cut, node, &gap.request);
        let resume = |(reply, _): &(resy_network::Reply, usize)| {
            let half = task.half.with_script(gap.answered(reply.clone()));
            StepTask { half, ..task.clone() }
        };
        replies.iter().map(resume).collect()
    }

    /// Lets every possible receiver try to accept an offer.
    fn taken_up(&mut self, id: ClassId) -> Vec<StepTask<'a>> {
        let class = &mut self.classes[id];
        let Some(offer) = class.offer.clone() else { return Vec::new() };
        let (part, log, touched) = (class.part, class.log.clone(), class.touched.clone());
        let moves: Rc<[Pair]> = class.moves.iter().copied().collect();
        class.node = Some(self.replies[part].node(moves));
        let mut tasks = Vec::new();
        for &pid in &self.cut.receivers[offer.chan] {
            let receiver = self.cut.processes[pid];
            if receiver == part {
                continue;
            }
            let Some(node) = self.walk(receiver, Some(id), &log) else { continue };
            for &(start, now) in self.replies[receiver].pairs(node).iter() {
                let local = self.replies[receiver].value(now);
                if !self.cut.receives_at(pid, local[0]) {
                    continue;
                }
                let half = Half::new(self.cut, receiver, &local, log.to_vec());
                let next = TaskNext::Accept(offer.clone());
                tasks.push(StepTask::new(pid, start, half, next, Some((id, &touched))));
            }
        }
        tasks
    }

    /// Turns the steps to local states that are not listed into errors: for each class and each participant that it
    /// takes there, a class of its own. Nothing happens after an error.
    pub fn guard(&mut self) {
        for id in 0..self.classes.len() {
            let class = &self.classes[Id::from_index(id)];
            if class.offer.is_some() {
                continue;
            }
            if class.fails {
                let class = &mut self.classes[Id::from_index(id)];
                class.moves = class.moves.iter().map(|&(start, _)| (start, start)).collect();
                class.others.iter_mut().for_each(|(_, pairs)| *pairs = waiting(pairs));
                continue;
            }
            let own: Rc<[Pair]> = class.moves.iter().copied().collect();
            let all: Vec<_> = [(class.part, own)].into_iter().chain(class.others.clone()).collect();
            for (part, pairs) in &all {
                let replies = &self.replies[*part];
                let leaving = pairs.iter().copied().filter(|pair| !replies.is_listed(pair.1));
                let leaving: Vec<Pair> = leaving.collect();
                if !leaving.is_empty() {
                    let beyond = self.beyond(Id::from_index(id), *part, &leaving);
                    self.classes.push(beyond);
                }
            }
            let (classes, replies) = (&mut self.classes, &self.replies);
            let class = &mut classes[Id::from_index(id)];
            class.moves.retain(|pair| replies[class.part].is_listed(pair.1));
            for (part, pairs) in &mut class.others {
                let kept = pairs.iter().copied().filter(|pair| replies[*part].is_listed(pair.1));
                *pairs = kept.collect();
            }
        }
    }

    /// The steps of a class by which a participant leaves its listed states.
    fn beyond(&self, id: ClassId, part: PartId, leaving: &[Pair]) -> DerivedClass {
        let class = &self.classes[id];
        let own = |other: PartId, pairs: &[Pair]| match other == part {
            true => waiting(leaving),
            false => waiting(pairs),
        };
        let moves: Vec<Pair> = class.moves.iter().copied().collect();
        DerivedClass {
            part: class.part,
            sender: class.sender,
            offer: None,
            log: class.log.clone(),
            fails: class.fails,
            faults: class.faults.clone(),
            touched: class.touched.clone(),
            moves: own(class.part, &moves).iter().copied().collect(),
            others: class
                .others
                .iter()
                .map(|(other, pairs)| (*other, own(*other, pairs)))
                .collect(),
            places: class.places.clone(),
            beyond: Some(part),
            node: None,
        }
    }

    /// The senders of a step, latest first.
    pub fn senders(&self, last: Option<ClassId>) -> impl Iterator<Item = &DerivedClass> {
        let sender = |&class: &ClassId| self.classes[class].sender;
        std::iter::successors(last, sender).map(|class| &self.classes[class])
    }

    /// The node of a component after the exchanges of a step. If the component has sent in this
    /// step, only the exchanges after the send count. `None` if no listed state gives these
    /// replies.
    fn walk(
        &mut self,
        part: PartId,
        sender: Option<ClassId>,
        log: &[Rc<Exchange>],
    ) -> Option<usize> {
        let sent = self.senders(sender).find(|class| class.part == part);
        let sent = sent.and_then(|class| Some((class.node?, class.log.len())));
        let (mut node, from) = sent.unwrap_or((Replies::ROOT, 0));
        for exchange in log[from..].iter().filter(|exchange| exchange.part == part) {
            let replies = self.replies[part].ask(self.cut, node, &exchange.request);
            node = replies.iter().find(|(reply, _)| *reply == exchange.reply)?.1;
        }
        Some(node)
    }

    /// Completes a step: computes the pairs of all participants. Returns the driver's new state.
    fn complete(&mut self, task: &StepTask<'a>) -> u32 {
        let n_classes = self.classes.len();
        let end = self.note(task, None);
        if self.classes.len() == n_classes {
            return end;
        }
        let (log, driver) = (task.half.log(), task.half.part());
        let mut others: Vec<PartId> = log.iter().map(|exchange| exchange.part).collect();
        others.extend(self.senders(task.sender).map(|class| class.part));
        others.sort();
        others.dedup();
        others.retain(|&part| part != driver && !watches(self.cut, part));
        for part in others {
            let node = self.walk(part, task.sender, &log);
            let pairs = node.map_or_else(|| Rc::from([]), |node| self.replies[part].pairs(node));
            self.classes[Id::from_index(n_classes)].others.push((part, pairs));
        }
        end
    }

    /// Adds the driver's move to the class of a step; returns its new state.
    fn note(&mut self, task: &StepTask<'a>, offer: Option<Offer>) -> u32 {
        let part = task.half.part();
        let mut log = task.half.log().to_vec();
        log.sort_by_key(|exchange| exchange.part);
        let log: Rc<[Rc<Exchange>]> = log.into();
        let mut faults: Vec<ViolationKind> = task.faults.iter().map(|v| v.kind.clone()).collect();
        faults.dedup();
        let touched = if offer.is_some() { task.touched.to_vec() } else { Vec::new() };
        let (sender, fails) = (task.sender, task.fails);
        let key = (part, sender, offer, log, fails, faults, touched);
        let end = self.replies[part].number(&task.half.local);
        let classes = &mut self.classes;
        let id = *self.numbers.entry(key).or_insert_with_key(|key| {
            let (part, sender, offer, log, fails, faults, touched) = key.clone();
            let (moves, others) = (FxHashSet::default(), Vec::new());
            let (places, beyond, node) = (Vec::new(), None, None);
            classes.push(DerivedClass {
                part,
                sender,
                offer,
                log,
                fails,
                faults,
                touched,
                moves,
                others,
                places,
                beyond,
                node,
            })
        });
        let class = &mut self.classes[id];
        class.moves.insert((task.start, end));
        for &place in &*task.path {
            if !class.places.contains(&place) {
                class.places.push(place);
            }
        }
        end
    }
}

/// Pairs of the same first states, which stay where they are.
fn waiting(pairs: &[Pair]) -> Rc<[Pair]> {
    let mut starts: Vec<u32> = pairs.iter().map(|&(start, _)| start).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.into_iter().map(|start| (start, start)).collect()
}

/// Whether a component only watches what others do.
pub fn watches(cut: &Cut<'_>, part: PartId) -> bool {
    matches!(cut.parts[part].role, Role::Trace | Role::Claim(_))
}
