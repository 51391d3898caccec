//! Telling new states from old ones in a tree that several threads read.
//!
//! A sieve folds like the store itself, but enters nothing. A state is new if one of its parts has no id, or if its root
//! is not there. What is not found becomes a candidate. The candidates of all threads are [entered](TreeStore::merge)
//! afterwards in the order in which one thread would have reached them, so that states and parts get the ids that this
//! thread would have given. Most new states have a new root only: to enter them costs a look-up.

use super::fold::{Parts, Room, fold};
use super::leaves::RecentLeaves;
use super::memo::Memo;
use super::pairs::InBatch;
use super::{BATCH, Plan, Root, StoredId, TreePath, TreeStore};
use std::ops::Range;

/// The states that one thread has not found in a tree, in the order in which they were reached. A state may be there
/// several times.
#[derive(Default)]
pub struct TreeCandidates {
    states: Vec<Candidate>,
    /// The bytes of those without a root, one after the other.
    bytes: Vec<u8>,
}

struct Candidate {
    /// Its root, if all its parts have ids.
    root: Option<Root>,
    /// The number of its bytes, if it has no root.
    length: u32,
    /// The state that it was reached from.
    from: StoredId,
}

/// Looks up states in batches.
#[derive(Default)]
pub struct TreeSieve {
    room: Room,
    recent: Option<Recent>,
    /// The states of the batch.
    staged: Vec<Candidate>,
    /// The roots of those that have one.
    roots: Vec<InBatch>,
    /// The numbers of these, if they are there.
    found: Vec<Option<StoredId>>,
}

/// What was found lately in one store.
struct Recent {
    store: u32,
    leaves: RecentLeaves,
    nodes: Memo<u64>,
}

/// Looks parts up.
struct Reading<'s> {
    store: &'s TreeStore,
    recent: &'s mut Recent,
}

impl Parts for Reading<'_> {
    #[inline]
    fn leaf(&mut self, vector: &[u8], span: Range<usize>) -> Option<u32> {
        self.store.leaves.find(&mut self.recent.leaves, vector, span)
    }

    #[inline]
    fn node(&mut self, pair: u64) -> Option<u32> {
        self.recent.nodes.get_or_try(pair, pair, || self.store.nodes.find(pair))
    }
}

impl TreeCandidates {
    /// The number of words of all candidates.
    pub fn n_words(&self) -> usize {
        (self.states.len() * size_of::<Candidate>() + self.bytes.len()) / size_of::<u64>()
    }

    /// Forgets the candidates, but not their memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.bytes.clear();
    }
}

impl TreeSieve {
    /// Puts a successor of the state of a path into the batch of those that are looked up next. What is known to be new
    /// leaves its bytes with the candidates.
    #[inline]
    pub fn stage(
        &mut self,
        store: &TreeStore,
        (parent, from): (&TreePath, StoredId),
        (vector, plan): (&[u8], &Plan),
        fresh: &mut TreeCandidates,
    ) {
        let Self { room, recent, staged, roots, .. } = self;
        if recent.as_ref().is_none_or(|recent| recent.store != store.number) {
            let (leaves, nodes) = (RecentLeaves::new(), Memo::new(u64::MAX));
            *recent = Some(Recent { store: store.number, leaves, nodes });
        }
        let Some(recent) = recent else { return };
        let of = (store.number, plan.number);
        let root = fold(&mut Reading { store, recent }, room, parent, (vector, plan), of);
        match root {
            Some(root) => roots.push(InBatch::new(root.0)),
            None => fresh.bytes.extend_from_slice(vector),
        }
        staged.push(Candidate { root, length: vector.len() as u32, from });
    }

    /// The number of states in the batch.
    #[inline]
    pub fn n_staged(&self) -> usize {
        self.staged.len()
    }

    /// Looks up the states of the batch, and passes the number of each, or `None` if it is not in the store: then it is
    /// a candidate.
    pub fn sift(
        &mut self,
        store: &TreeStore,
        fresh: &mut TreeCandidates,
        mut out: impl FnMut(Option<StoredId>),
    ) {
        let Self { staged, roots, found, .. } = self;
        for roots in roots.chunks_mut(BATCH) {
            store.roots.find_batch(roots, |id| found.push(id));
        }
        roots.clear();
        let mut found = found.drain(..);
        for state in staged.drain(..) {
            let id = state.root.and_then(|_| found.next().flatten());
            out(id);
            if id.is_none() {
                fresh.states.push(state);
            }
        }
    }
}

impl TreeStore {
    /// Enters the candidates of some lists in their order. `plan` gives the plan of a vector. Passes the number of every
    /// new state, and of the state it was reached from.
    pub fn merge<'p, 'l>(
        &mut self,
        lists: impl Iterator<Item = &'l TreeCandidates>,
        plan: impl Fn(&[u8]) -> &'p Plan,
        mut out: impl FnMut(StoredId, StoredId),
    ) {
        let (mut path, mut from) = (TreePath::new(), Vec::with_capacity(BATCH));
        self.batch.clear();
        for list in lists {
            let mut bytes = list.bytes.as_slice();
            for state in &list.states {
                let root = state.root.unwrap_or_else(|| {
                    let (vector, rest) = bytes.split_at(state.length as usize);
                    bytes = rest;
                    self.fold_next(&mut path, vector, plan(vector))
                });
                self.batch.push(InBatch::new(root.0));
                from.push(state.from);
                if from.len() == BATCH {
                    self.enter_batch(&mut from, &mut out);
                }
            }
        }
        self.enter_batch(&mut from, &mut out);
    }

    fn enter_batch(&mut self, from: &mut Vec<StoredId>, out: &mut impl FnMut(StoredId, StoredId)) {
        let mut from = from.drain(..);
        self.roots.insert_batch(&mut self.batch, |id, is_new| {
            let from = from.next().filter(|_| is_new);
            from.into_iter().for_each(|from| out(id, from));
        });
        self.batch.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_index::random::SplitMix;
    use std::collections::HashMap;

    /// A vector of four leaves with few values each: most parts are known soon.
    fn vector(random: &mut SplitMix, n_values: u64) -> Vec<u8> {
        (0..4).flat_map(|_| [(random.next_u64() % n_values) as u8; 5]).collect()
    }

    /// Rounds by some threads, against one thread and against a map.
    fn stress(n_values: u64, seed: u64) {
        let mut random = SplitMix(seed);
        let plan = Plan::balanced(&[5, 10, 15, 20]);
        let (mut shared, mut alone) = (TreeStore::new(), TreeStore::new());
        let mut twin: HashMap<Vec<u8>, StoredId> = HashMap::new();
        let mut sieve = TreeSieve::default();
        for round in 0..30 {
            let mut lists = Vec::new();
            for _ in 0..random.next_u64() % 5 {
                let (mut fresh, mut path) = (TreeCandidates::default(), TreePath::new());
                let mut found = Vec::new();
                for i in 0..random.next_u64() % 300 {
                    if i % 8 == 0 && !shared.is_empty() {
                        let from = random.next_u64() % shared.len() as u64;
                        shared.load(from as StoredId, &plan, &mut Vec::new(), &mut path);
                    }
                    let vector = vector(&mut random, n_values);
                    found.push(
                        twin.get(&vector).filter(|&&id| (id as usize) < shared.len()).copied(),
                    );
                    sieve.stage(&shared, (&path, round), (&vector, &plan), &mut fresh);
                    let root = alone.fold_whole(&vector, &plan);
                    let (n, inserted) = (twin.len() as StoredId, alone.insert(root));
                    assert_eq!(*twin.entry(vector).or_insert(n), inserted.id);
                    if sieve.n_staged() == 70 || i % 50 == 0 {
                        let mut found = found.drain(..);
                        sieve.sift(&shared, &mut fresh, |id| assert_eq!(Some(id), found.next()));
                    }
                }
                sieve.sift(&shared, &mut fresh, |_| {});
                lists.push(fresh);
            }
            let mut next = shared.len() as StoredId;
            shared.merge(
                lists.iter(),
                |_| &plan,
                |id, from| {
                    assert_eq!((id, from), (next, round));
                    next += 1;
                },
            );
            assert_eq!((shared.len(), next as usize), (alone.len(), alone.len()));
            assert_eq!(shared.parts(), alone.parts(), "parts have the numbers of one thread");
            assert!((0..next).all(|id| shared.root(id) == alone.root(id)));
        }
    }

    #[test]
    fn rounds_make_the_tree_of_one_thread() {
        for (seed, n_values) in [2, 5, 20, 200].into_iter().enumerate() {
            stress(n_values, seed as u64);
        }
    }
}
