//! The states of a product, and the order in which they were entered.
//!
//! States are stored as in the search of all states: flat while memory is plentiful, then as trees. A state is known by
//! its [`StateKey`]: its place in the flat store, or its number in the tree. The orders are a table beside the store.
//! A state of a flat store takes several words, so that keys can be divided by a power of two that is not larger than the
//! number of words of the shortest state, and stay different.

use super::{BARRIER, DONE, NEW};
use crate::flat::FlatStore;
use crate::search::Task;
use crate::search::adapt::convert;
use crate::search::expander::Expander;
use crate::search::relearn::relearn;
use crate::search::wire::Damage;
use crate::store::StateStore;
use crate::tree::cpu::prefetch;
use crate::tree::{Inserted, Plan, Root, TreePath, TreeStore};

/// A stored state: an offset in the flat store, or a number in the tree.
pub(super) type StateKey = u32;

/// The states of a product.
pub(super) struct ProductStates {
    store: StateStore,
    /// The most bytes of a flat store.
    most_flat: usize,
    /// For each state [`NEW`], its number among the entered ones, or [`DONE`](super::DONE).
    order: OrderTable,
    /// The states that are inserted next, in a tree.
    staged: Vec<Root>,
    inserted: Vec<Inserted>,
    /// The keys of the states that were inserted last.
    keys: Vec<StateKey>,
}

/// A number for each key.
#[derive(Default)]
pub(super) struct OrderTable {
    orders: Vec<u32>,
    /// Keys are divided by two to the power of this.
    shift: u32,
}

impl OrderTable {
    #[inline]
    fn get(&self, key: StateKey) -> u32 {
        self.orders[(key >> self.shift) as usize]
    }

    #[inline]
    pub fn set(&mut self, key: StateKey, order: u32) {
        self.orders[(key >> self.shift) as usize] = order;
    }

    /// Makes room for a new state of a flat store at the end of it.
    fn add(&mut self, key: StateKey, n_words: u32, flat: &FlatStore) {
        if self.orders.is_empty() {
            self.shift = n_words.ilog2();
        }
        if n_words >> self.shift == 0 {
            self.divide_by_less(n_words.ilog2(), key, flat);
        }
        self.orders.resize((key >> self.shift) as usize + 1, NEW);
    }

    /// A state is shorter than all before it, which is the last one.
    #[cold]
    fn divide_by_less(&mut self, shift: u32, last: StateKey, flat: &FlatStore) {
        let mut orders = vec![NEW; (last >> shift) as usize + 1];
        let mut key = flat.first();
        while key < last {
            orders[(key >> shift) as usize] = self.get(key);
            key = flat.after(key);
        }
        *self = Self { orders, shift };
    }

    /// Two bits for each place: what kind of order it has.
    fn kinds(&self) -> Vec<u8> {
        let byte = |four: &[u32]| {
            four.iter().enumerate().fold(0, |byte, (at, &order)| byte | kind_of(order) << (2 * at))
        };
        self.orders.chunks(4).map(byte).collect()
    }

    /// The orders of some kinds; those of entered states are not known yet, and are those of states that are done.
    pub fn read(kinds: &[u8], store: &StateStore, keys: &[StateKey]) -> Result<Self, Damage> {
        let shift = match store {
            StateStore::Tree(_) => 0,
            StateStore::Flat(flat) => {
                let n_words = flat.shapes().iter().map(|(_, length)| length.div_ceil(8)).min();
                n_words.unwrap_or(1).max(1).ilog2()
            }
        };
        let n = keys.last().map_or(0, |&last| (last >> shift) as usize + 1);
        if kinds.len() != n.div_ceil(4) {
            return Err("the orders do not fit the states");
        }
        let order = |at: usize| match kinds[at / 4] >> (2 * (at % 4)) & 3 {
            0 => NEW,
            1 => BARRIER,
            _ => DONE,
        };
        Ok(Self { orders: (0..n).map(order).collect(), shift })
    }
}

/// The kind of an order.
fn kind_of(order: u32) -> u8 {
    match order {
        NEW => 0,
        BARRIER => 1,
        DONE => 2,
        _ => 3,
    }
}

impl ProductStates {
    /// No states yet.
    pub fn new(task: &Task<'_>) -> Self {
        Self {
            store: task.store.store(),
            most_flat: task.store.most(&task.limits),
            order: OrderTable::default(),
            staged: Vec::new(),
            inserted: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// The states of a saved search.
    pub fn resumed(task: &Task<'_>, store: StateStore, order: OrderTable) -> Self {
        Self { store, order, ..Self::new(task) }
    }

    /// The store.
    pub fn store(&self) -> &StateStore {
        &self.store
    }

    /// What kind of order each state has, as it is saved.
    pub fn order_kinds(&self) -> Vec<u8> {
        self.order.kinds()
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.order.orders.capacity() * size_of::<u32>()
    }

    /// The name of the store, for users.
    pub fn store_name(&self) -> &'static str {
        self.store.kind().name()
    }

    /// The order of a state.
    #[inline]
    pub fn order(&self, key: StateKey) -> u32 {
        self.order.get(key)
    }

    /// Changes the order of a state.
    #[inline]
    pub fn set_order(&mut self, key: StateKey, order: u32) {
        self.order.set(key, order);
    }

    /// Puts a state into the batch of those that are inserted next, and starts to fetch its place. `path` leads to the
    /// state before it.
    #[inline]
    pub fn stage(&mut self, path: &TreePath, vector: &[u8], plan: &Plan) {
        match &mut self.store {
            StateStore::Flat(flat) => flat.stage(vector),
            StateStore::Tree(tree) => self.staged.push(tree.fold(path, vector, plan)),
        }
    }

    /// The number of states in the batch.
    #[inline]
    pub fn n_staged(&self) -> usize {
        match &self.store {
            StateStore::Flat(flat) => flat.n_staged(),
            StateStore::Tree(_) => self.staged.len(),
        }
    }

    /// Takes all states but the first `n` out of the batch.
    pub fn truncate_staged(&mut self, n: usize) {
        match &mut self.store {
            StateStore::Flat(flat) => flat.truncate_staged(n),
            StateStore::Tree(_) => self.staged.truncate(n),
        }
    }

    /// Inserts the states of the batch; `false` if a flat store has no room for them.
    pub fn insert_staged(&mut self) -> bool {
        self.keys.clear();
        match &mut self.store {
            StateStore::Flat(flat) => {
                let (keys, inserted) = (&mut self.keys, &mut self.inserted);
                inserted.clear();
                let has_room = flat.insert_staged(|key, new| {
                    keys.push(key);
                    inserted.push(Inserted { id: key, new });
                });
                if !has_room {
                    return false;
                }
                for &Inserted { id: key, new } in inserted.iter() {
                    match new {
                        true => self.order.add(key, flat.after(key) - key, flat),
                        // It is asked for soon.
                        false => prefetch(&self.order.orders[(key >> self.order.shift) as usize]),
                    }
                }
            }
            StateStore::Tree(tree) => {
                self.inserted.clear();
                tree.insert_batch(&self.staged, &mut self.inserted);
                self.staged.clear();
                self.order.orders.resize(tree.len(), NEW);
                self.keys.extend(self.inserted.iter().map(|inserted| inserted.id));
            }
        }
        true
    }

    /// The keys of the states that were inserted last, in order.
    pub fn last_inserted(&self) -> &[StateKey] {
        &self.keys
    }

    /// Loads a state.
    #[inline]
    pub fn load(
        &self,
        expander: &mut Expander<'_>,
        key: StateKey,
        vector: &mut Vec<u8>,
        path: &mut TreePath,
    ) {
        match &self.store {
            StateStore::Flat(flat) => {
                vector.clear();
                vector.extend_from_slice(flat.get(key));
            }
            StateStore::Tree(tree) => expander.load(tree, key, vector, path),
        }
    }

    /// The key of a state, if it is stored.
    pub fn find(
        &mut self,
        expander: &mut Expander<'_>,
        path: &TreePath,
        vector: &[u8],
    ) -> Option<StateKey> {
        match &mut self.store {
            StateStore::Flat(flat) => flat.find(vector),
            StateStore::Tree(tree) => {
                let root = fold(tree, expander, path, vector);
                tree.find(root)
            }
        }
    }

    /// The keys of all states, which grow.
    pub fn keys(&self) -> Vec<StateKey> {
        Self::keys_of(&self.store)
    }

    /// The keys of all states of a store.
    pub fn keys_of(store: &StateStore) -> Vec<StateKey> {
        match store {
            StateStore::Tree(tree) => (0..tree.len() as StateKey).collect(),
            StateStore::Flat(flat) => {
                let mut keys = Vec::with_capacity(flat.len());
                let mut next = flat.first();
                for _ in 0..flat.len() {
                    keys.push(next);
                    next = flat.after(next);
                }
                keys
            }
        }
    }

    /// The key of the first state.
    pub fn first_key(&self) -> StateKey {
        match &self.store {
            StateStore::Tree(_) => 0,
            StateStore::Flat(flat) => flat.first(),
        }
    }

    /// The key of the state that was stored after one.
    #[inline]
    pub fn key_after(&self, key: StateKey) -> StateKey {
        match &self.store {
            StateStore::Tree(_) => key + 1,
            StateStore::Flat(flat) => flat.after(key),
        }
    }

    /// Whether there is room for many more states.
    pub fn has_room(&self) -> bool {
        self.store.has_room()
    }

    /// Whether it is time to convert the flat store.
    pub fn is_too_large(&self) -> bool {
        match &self.store {
            StateStore::Flat(flat) => flat.memory() >= self.most_flat || !flat.has_room(),
            StateStore::Tree(_) => false,
        }
    }

    /// Converts the flat store to a tree, in which the batch waits; the old keys, in the order of the new ones. `go_on` is told the memory; `None`
    /// if it ends the conversion, after which there are no states.
    pub fn convert(
        &mut self,
        expander: &mut Expander<'_>,
        go_on: impl FnMut(usize) -> bool,
    ) -> Option<Vec<StateKey>> {
        let old = self.keys();
        let orders = old.iter().map(|&key| self.order(key)).collect();
        let nothing = StateStore::Tree(TreeStore::new());
        let StateStore::Flat(mut flat) = std::mem::replace(&mut self.store, nothing) else {
            return Some(old);
        };
        let waiting = flat.take_staged();
        self.order = OrderTable { orders, shift: 0 };
        let mut tree = convert(expander, flat, go_on)?;
        for vector in waiting {
            self.staged.push(fold(&mut tree, expander, &TreePath::new(), &vector));
        }
        self.store = StateStore::Tree(tree);
        Some(old)
    }

    /// Learns a better tree from the states, if they are stored as trees; whether they are.
    pub fn relearn(&mut self, expander: &mut Expander<'_>) -> bool {
        match &mut self.store {
            StateStore::Flat(_) => false,
            StateStore::Tree(tree) => {
                relearn(expander, tree);
                true
            }
        }
    }
}

fn fold(tree: &mut TreeStore, expander: &mut Expander<'_>, path: &TreePath, vector: &[u8]) -> Root {
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let shape = shapes.of(layout, vector);
    tree.fold(path, vector, &shapes[shape].plan)
}
