//! The table of a component: its local states and the replies that they give.
//!
//! The requests that a component answers within one step form a path; all such paths form a tree. A
//! *prefix* is a node of this tree: the exchanges of the component so far in a step. It holds a
//! pair of local states, before and after these exchanges, for every local state that gives exactly
//! these replies. A new local state is added at the root and propagated to all prefixes that it
//! agrees with; a new reply resumes the steps that wait for it.

use crate::closure::ClassId;
use crate::cut::{Cut, PartId};
use crate::step::request::{Reply, Request};
use hashbrown::HashMap;
use resy_index::{IndexVec, define_id};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::rc::Rc;

define_id!(
    /// The exchanges of a component up to some point of a step.
    pub struct PrefixId,
    "node"
);

/// The local states of a component, and its replies.
pub struct Table<W> {
    part: PartId,
    /// Local states by number, including some that only occur within a step.
    values: Vec<Box<[i32]>>,
    numbers: HashMap<Box<[i32]>, u32, FxBuildHasher>,
    /// The local states that are reached between steps, in the order of discovery.
    pub states: Vec<u32>,
    is_state: Vec<bool>,
    nodes: IndexVec<PrefixId, Prefix<W>>,
    /// Pairs that are still to be propagated.
    todo: Vec<(PrefixId, (u32, u32))>,
    /// The events that the propagation has caused.
    events: Vec<TableEvent<W>>,
    /// The maximal number of states.
    limit: usize,
    /// The local states that may be reached; all, if it is `None`.
    bound: Option<FxHashSet<Box<[i32]>>>,
    /// How many pairs were propagated.
    n_propagated: usize,
    /// Whether the propagation was cancelled.
    is_cancelled: bool,
}

/// The local states before and after some exchanges, and the requests that may come next.
struct Prefix<W> {
    pairs: Vec<(u32, u32)>,
    branches: Vec<Branch<W>>,
    by_request: HashMap<Rc<Request>, usize, FxBuildHasher>,
    /// Whether some step has exactly these exchanges with the component.
    is_end: bool,
    /// Senders whose offers are made after these exchanges: each is told of every pair.
    listeners: Vec<ClassId>,
}

struct Branch<W> {
    request: Rc<Request>,
    /// The replies in the order of discovery.
    replies: Vec<(Reply, PrefixId)>,
    by_reply: HashMap<Reply, PrefixId, FxBuildHasher>,
    waiting: Vec<W>,
}

/// Cancels a closure: it is told the number of local states of the component that grows.
pub type GoOn<'g> = dyn FnMut(usize) -> bool + 'g;

/// Asking takes as long as propagating a few pairs.
const ASK_EVERY: usize = 64;

/// A consequence of an addition to a table.
pub enum TableEvent<W> {
    /// A new local state.
    State(u32),
    /// A suspended step has a new reply.
    Reply(W, Reply),
    /// When this offer is made, the component may have gone from the first state to the second.
    Pair(ClassId, (u32, u32)),
}

impl<W: Clone> Table<W> {
    /// The index of the root: no exchanges yet.
    pub const ROOT: usize = 0;

    /// A table without states.
    pub fn new(part: PartId, limit: usize, bound: Option<FxHashSet<Box<[i32]>>>) -> Self {
        let mut nodes = IndexVec::new();
        nodes.push(Prefix::new());
        Self {
            part,
            values: Vec::new(),
            numbers: HashMap::default(),
            states: Vec::new(),
            is_state: Vec::new(),
            nodes,
            todo: Vec::new(),
            events: Vec::new(),
            limit,
            bound,
            n_propagated: 0,
            is_cancelled: false,
        }
    }

    /// The root prefix.
    pub fn root(&self) -> PrefixId {
        resy_index::Id::from_index(Self::ROOT)
    }

    /// Adds a prefix that is not below the root; its pairs are added from outside.
    pub fn add_root(&mut self) -> PrefixId {
        self.nodes.push(Prefix::new())
    }

    /// The number of a local state; a new one if it is unknown.
    pub fn number(&mut self, value: &[i32]) -> u32 {
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.push(value.into());
        self.numbers.insert(value.into(), number);
        self.is_state.push(false);
        number
    }

    /// The local state with this number.
    pub fn value(&self, number: u32) -> &[i32] {
        &self.values[number as usize]
    }

    /// The pairs of a prefix.
    pub fn pairs(&self, node: PrefixId) -> &[(u32, u32)] {
        &self.nodes[node].pairs
    }

    /// Whether a local state is reached between steps.
    pub fn is_reached(&self, number: u32) -> bool {
        self.is_state[number as usize]
    }

    /// Marks a local state as reached between steps, unless it is beyond the bound.
    pub fn reach(&mut self, number: u32) {
        let is_beyond = |bound: &FxHashSet<Box<[i32]>>| !bound.contains(self.value(number));
        if self.bound.as_ref().is_some_and(is_beyond) {
            return;
        }
        if !std::mem::replace(&mut self.is_state[number as usize], true) {
            self.states.push(number);
            self.events.push(TableEvent::State(number));
            self.todo.push((self.root(), (number, number)));
        }
    }

    /// Marks a prefix as all the exchanges of some step: its second states are reached.
    pub fn end_here(&mut self, node: PrefixId) {
        if !std::mem::replace(&mut self.nodes[node].is_end, true) {
            for i in 0..self.nodes[node].pairs.len() {
                self.reach(self.nodes[node].pairs[i].1);
            }
        }
    }

    /// Emits an event for every pair of a prefix, present or future.
    pub fn listen(&mut self, node: PrefixId, class: ClassId) {
        let Prefix { pairs, listeners, .. } = &mut self.nodes[node];
        listeners.push(class);
        self.events.extend(pairs.iter().map(|&pair| TableEvent::Pair(class, pair)));
    }

    /// Adds a pair to a prefix.
    pub fn add(&mut self, node: PrefixId, pair: (u32, u32)) {
        self.todo.push((node, pair));
    }

    /// Whether the number of states exceeds the limit.
    pub fn is_over(&self) -> bool {
        self.states.len() > self.limit
    }

    /// Whether the propagation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Propagates everything that was added, and returns the resulting events.
    pub fn settle(&mut self, cut: &Cut<'_>, go_on: &mut GoOn<'_>) -> Vec<TableEvent<W>> {
        self.trickle(cut, go_on);
        std::mem::take(&mut self.events)
    }

    fn trickle(&mut self, cut: &Cut<'_>, go_on: &mut GoOn<'_>) {
        while let Some((node, (start, now))) = self.todo.pop() {
            self.n_propagated += 1;
            if self.n_propagated.is_multiple_of(ASK_EVERY) && !go_on(self.states.len()) {
                self.is_cancelled = true;
                break;
            }
            self.nodes[node].pairs.push((start, now));
            let listeners = self.nodes[node].listeners.iter();
            self.events.extend(listeners.map(|&class| TableEvent::Pair(class, (start, now))));
            if self.nodes[node].is_end {
                self.reach(now);
            }
            for branch in 0..self.nodes[node].branches.len() {
                self.follow(cut, node, branch, (start, now));
            }
            if self.is_over() {
                break;
            }
        }
    }

    /// Asks for the replies to a request after a prefix. Returns the replies that exist; later ones
    /// resume `waiting`.
    pub fn ask(
        &mut self,
        cut: &Cut<'_>,
        node: PrefixId,
        request: &Request,
        waiting: W,
        go_on: &mut GoOn<'_>,
    ) -> Vec<(Reply, PrefixId)> {
        let branch = self.branch(cut, node, request, go_on);
        branch.waiting.push(waiting);
        branch.replies.clone()
    }

    /// The prefix after this reply to a request, if some local state gives it.
    pub fn after(
        &mut self,
        cut: &Cut<'_>,
        node: PrefixId,
        request: &Request,
        reply: &Reply,
        go_on: &mut GoOn<'_>,
    ) -> Option<PrefixId> {
        self.branch(cut, node, request, go_on).by_reply.get(reply).copied()
    }

    fn branch(
        &mut self,
        cut: &Cut<'_>,
        node: PrefixId,
        request: &Request,
        go_on: &mut GoOn<'_>,
    ) -> &mut Branch<W> {
        let branch = match self.nodes[node].by_request.get(request) {
            Some(&branch) => branch,
            None => self.branch_out(cut, node, request, go_on),
        };
        &mut self.nodes[node].branches[branch]
    }

    /// Adds a branch to a prefix, and propagates its pairs along it.
    fn branch_out(
        &mut self,
        cut: &Cut<'_>,
        node: PrefixId,
        request: &Request,
        go_on: &mut GoOn<'_>,
    ) -> usize {
        let request = Rc::new(request.clone());
        let Prefix { branches, by_request, .. } = &mut self.nodes[node];
        let number = branches.len();
        by_request.insert(request.clone(), number);
        branches.push(Branch::new(request));
        for i in 0..self.nodes[node].pairs.len() {
            let pair = self.nodes[node].pairs[i];
            self.follow(cut, node, number, pair);
        }
        self.trickle(cut, go_on);
        number
    }

    /// Propagates a pair along a branch; resumes the waiting steps if the reply is new.
    fn follow(&mut self, cut: &Cut<'_>, node: PrefixId, branch: usize, (start, now): (u32, u32)) {
        let request = self.nodes[node].branches[branch].request.clone();
        let request = &*request;
        let (reply, next) = if request.writes() {
            let mut value = self.values[now as usize].to_vec();
            let reply = cut.reply(self.part, &mut value, request);
            (reply, self.number(&value))
        } else {
            (cut.read(self.part, &self.values[now as usize], request), now)
        };
        let fresh = self.nodes.next_id();
        let branch = &mut self.nodes[node].branches[branch];
        let child = match branch.by_reply.get(&reply) {
            Some(&child) => child,
            None => {
                branch.by_reply.insert(reply.clone(), fresh);
                branch.replies.push((reply.clone(), fresh));
                let wake = branch.waiting.iter().cloned();
                self.events.extend(wake.map(|w| TableEvent::Reply(w, reply.clone())));
                self.nodes.push(Prefix::new());
                fresh
            }
        };
        self.todo.push((child, (start, next)));
    }
}

impl<W> Branch<W> {
    fn new(request: Rc<Request>) -> Self {
        Self { request, replies: Vec::new(), by_reply: HashMap::default(), waiting: Vec::new() }
    }
}

impl<W> Prefix<W> {
    fn new() -> Self {
        Self {
            pairs: Vec::new(),
            branches: Vec::new(),
            by_request: HashMap::default(),
            is_end: false,
            listeners: Vec::new(),
        }
    }
}
