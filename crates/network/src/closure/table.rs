//! What a component has been asked, and what it can reply.
//!
//! A *node* stands for the exchanges that a component has had so far in a step. It holds, for
//! every local state in which the component would have replied so, that state and the
//! one it has become. A new local state is added at the root and trickles down to all nodes that
//! agree with it; a new reply wakes those who wait for one.

use crate::closure::ClassId;
use crate::cut::{Cut, PartId};
use crate::step::request::{Reply, Request};
use hashbrown::HashMap;
use resy_index::{IndexVec, define_id};
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

define_id!(
    /// A node of a table.
    pub struct PrefixId,
    "node"
);

/// The local states of a component, and its replies.
pub struct Table<W> {
    part: PartId,
    /// Local states, by their number; also some that are passed through within a step only.
    values: Vec<Box<[i32]>>,
    numbers: HashMap<Box<[i32]>, u32, FxBuildHasher>,
    /// The local states that are reached between steps, in the order of discovery.
    pub states: Vec<u32>,
    is_state: Vec<bool>,
    nodes: IndexVec<PrefixId, Prefix<W>>,
    /// Pairs on their way down.
    todo: Vec<(PrefixId, (u32, u32))>,
    /// What has followed from them.
    events: Vec<TableEvent<W>>,
    /// More states than this are too many.
    limit: usize,
}

/// What a component has become after some exchanges.
struct Prefix<W> {
    pairs: Vec<(u32, u32)>,
    branches: Vec<Branch<W>>,
    by_request: HashMap<Rc<Request>, usize, FxBuildHasher>,
    /// Whether these exchanges are all of some step's.
    is_end: bool,
    /// Those who want to know of every pair.
    listeners: Vec<ClassId>,
}

struct Branch<W> {
    request: Rc<Request>,
    replies: Vec<(Reply, PrefixId)>,
    waiting: Vec<W>,
}

/// What follows from a change to a table.
pub enum TableEvent<W> {
    /// A local state that was not there before.
    State(u32),
    /// Somebody's question has a reply that it did not have before.
    Reply(W, Reply),
    /// The component may have been in one state and become another when this offer is made.
    Pair(ClassId, (u32, u32)),
}

impl<W: Clone> Table<W> {
    /// The root: no exchanges yet.
    pub const ROOT: usize = 0;

    /// A table without states.
    pub fn new(part: PartId, limit: usize) -> Self {
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
        }
    }

    /// The root.
    pub fn root(&self) -> PrefixId {
        resy_index::Id::from_index(Self::ROOT)
    }

    /// A node that is not below the root: what the component has become is filled in from
    /// outside.
    pub fn add_root(&mut self) -> PrefixId {
        self.nodes.push(Prefix::new())
    }

    /// The number of a local state.
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

    /// A local state by its number.
    pub fn value(&self, number: u32) -> &[i32] {
        &self.values[number as usize]
    }

    /// What a node holds.
    pub fn pairs(&self, node: PrefixId) -> &[(u32, u32)] {
        &self.nodes[node].pairs
    }

    /// A local state is reached between steps.
    pub fn reach(&mut self, number: u32) {
        if !std::mem::replace(&mut self.is_state[number as usize], true) {
            self.states.push(number);
            self.events.push(TableEvent::State(number));
            self.todo.push((self.root(), (number, number)));
        }
    }

    /// The exchanges up to this node are all that some step has with the component.
    pub fn end_here(&mut self, node: PrefixId) {
        if !std::mem::replace(&mut self.nodes[node].is_end, true) {
            for i in 0..self.nodes[node].pairs.len() {
                self.reach(self.nodes[node].pairs[i].1);
            }
        }
    }

    /// Tells of every pair of a node, there now or later.
    pub fn listen(&mut self, node: PrefixId, class: ClassId) {
        let Prefix { pairs, listeners, .. } = &mut self.nodes[node];
        listeners.push(class);
        self.events.extend(pairs.iter().map(|&pair| TableEvent::Pair(class, pair)));
    }

    /// A local state has become another one at this node.
    pub fn add(&mut self, node: PrefixId, pair: (u32, u32)) {
        self.todo.push((node, pair));
    }

    /// Whether there are more states than the limit.
    pub fn is_over(&self) -> bool {
        self.states.len() > self.limit
    }

    /// Lets everything that was added trickle down, and says what has followed.
    pub fn settle(&mut self, cut: &Cut<'_>) -> Vec<TableEvent<W>> {
        self.trickle(cut);
        std::mem::take(&mut self.events)
    }

    fn trickle(&mut self, cut: &Cut<'_>) {
        while let Some((node, (start, now))) = self.todo.pop() {
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

    /// The branch of a node for a request, and who waits for new replies to it. Returns the
    /// replies that are there already.
    pub fn ask(
        &mut self,
        cut: &Cut<'_>,
        node: PrefixId,
        request: &Request,
        waiting: Option<W>,
    ) -> Vec<(Reply, PrefixId)> {
        let branch = match self.nodes[node].by_request.get(request) {
            Some(&branch) => branch,
            None => self.branch_out(cut, node, request),
        };
        let branch = &mut self.nodes[node].branches[branch];
        branch.waiting.extend(waiting);
        branch.replies.clone()
    }

    /// Adds a branch to a node, and sends down what is there.
    fn branch_out(&mut self, cut: &Cut<'_>, node: PrefixId, request: &Request) -> usize {
        let request = Rc::new(request.clone());
        let Prefix { branches, by_request, .. } = &mut self.nodes[node];
        let number = branches.len();
        by_request.insert(request.clone(), number);
        branches.push(Branch { request, replies: Vec::new(), waiting: Vec::new() });
        for i in 0..self.nodes[node].pairs.len() {
            let pair = self.nodes[node].pairs[i];
            self.follow(cut, node, number, pair);
        }
        self.trickle(cut);
        number
    }

    /// Sends a pair down a branch; wakes those who wait if the reply is new.
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
        let child = match branch.replies.iter().find(|(known, _)| *known == reply) {
            Some(&(_, child)) => child,
            None => {
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
