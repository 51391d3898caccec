//! The replies of a component, from the local states that are listed for it.
//!
//! A *node* stands for some exchanges with the component within a step. It has a pair for each
//! listed state that gives exactly these replies: that state, and the state after the exchanges.

use resy_network::{Cut, PartId, Reply, Request};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A listed state, and the state after some exchanges.
pub type Pair = (u32, u32);

/// The replies of one component.
pub struct Replies {
    part: PartId,
    /// The listed local states, followed by others that occur within steps only.
    values: Vec<Rc<[i32]>>,
    numbers: FxHashMap<Rc<[i32]>, u32>,
    n_listed: usize,
    nodes: Vec<Node>,
}

struct Node {
    pairs: Rc<[Pair]>,
    /// For each request, the nodes after its replies.
    after: FxHashMap<Request, Rc<[(Reply, usize)]>>,
}

impl Replies {
    /// The node without exchanges.
    pub const ROOT: usize = 0;

    /// The component in these local states.
    pub fn new<'l>(part: PartId, listed: impl Iterator<Item = &'l [i32]>) -> Self {
        let mut replies = Self {
            part,
            values: Vec::new(),
            numbers: FxHashMap::default(),
            n_listed: 0,
            nodes: Vec::new(),
        };
        let pairs = listed.map(|local| replies.number(local)).map(|n| (n, n)).collect();
        replies.n_listed = replies.values.len();
        replies.node(pairs);
        replies
    }

    /// The number of different listed states.
    pub fn n_listed(&self) -> usize {
        self.n_listed
    }

    /// Whether a local state is listed.
    pub fn is_listed(&self, number: u32) -> bool {
        (number as usize) < self.n_listed
    }

    /// The number of a local state.
    pub fn number(&mut self, local: &[i32]) -> u32 {
        if let Some(&number) = self.numbers.get(local) {
            return number;
        }
        let (number, local): (u32, Rc<[i32]>) = (self.values.len() as u32, local.into());
        self.values.push(local.clone());
        self.numbers.insert(local, number);
        number
    }

    /// The local state with this number.
    pub fn value(&self, number: u32) -> Rc<[i32]> {
        self.values[number as usize].clone()
    }

    /// The pairs of a node.
    pub fn pairs(&self, node: usize) -> Rc<[Pair]> {
        self.nodes[node].pairs.clone()
    }

    /// A node with these pairs.
    pub fn node(&mut self, pairs: Rc<[Pair]>) -> usize {
        self.nodes.push(Node { pairs, after: FxHashMap::default() });
        self.nodes.len() - 1
    }

    /// All replies to a request after a node, each with the next node.
    pub fn ask(&mut self, cut: &Cut<'_>, node: usize, request: &Request) -> Rc<[(Reply, usize)]> {
        if let Some(known) = self.nodes[node].after.get(request) {
            return known.clone();
        }
        let mut replies: Vec<(Reply, Vec<Pair>)> = Vec::new();
        let mut found: FxHashMap<Reply, usize> = FxHashMap::default();
        for &(start, now) in self.pairs(node).iter() {
            let mut local = self.value(now).to_vec();
            let reply = cut.reply(self.part, &mut local, request);
            let next = self.number(&local);
            let at = *found.entry(reply.clone()).or_insert_with(|| {
                replies.push((reply, Vec::new()));
                replies.len() - 1
            });
            replies[at].1.push((start, next));
        }
        let replies: Rc<[_]> =
            replies.into_iter().map(|(reply, pairs)| (reply, self.node(pairs.into()))).collect();
        self.nodes[node].after.insert(request.clone(), replies.clone());
        replies
    }
}
