//! Representatives of symmetric states.
//!
//! Every state that the expander finds is replaced by one of its images under the permutations of interchangeable ids
//! ([`Symmetry`]): mostly by the same for all states of an orbit, sometimes by one of a few. A search then visits at least
//! one state of every orbit of reachable states, and no other orbit. Everything else of a search stays as it is; with a
//! partial order reduction, what is left out from a state is found from the image of another (Emerson, Jha and
//! Peled 1997): independence, and which successor is expanded later, are the same for images.

mod concrete;
mod images;
mod order;
mod plan;

pub(super) use concrete::concrete_run;
pub use images::symmetric_images;

use crate::vector::{Layout, Shape, ShapeId, VectorField};
use hashbrown::HashMap;
use order::Meaning;
use plan::{Member, Members, NOWHERE, Plan, key_fields, load, make_plan, position};
use resy_index::Id;
use resy_passes::{Symmetry, ValueRole};
use resy_system::{LocationId, ProctypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// With more plans than this for one shape, states are left as they are.
const MOST_PLANS: usize = 256;

/// A permutation of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permutation(Vec<Member>);

impl Permutation {
    fn identity(n: usize) -> Self {
        Self((0..n as Member).collect())
    }

    fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(i, &image)| i == usize::from(image))
    }

    /// First this one, then another.
    fn then(&self, next: &Permutation) -> Self {
        Self(self.0.iter().map(|&member| next.0[usize::from(member)]).collect())
    }

    fn inverse(&self) -> Self {
        let mut inverse = self.0.clone();
        for (i, &image) in self.0.iter().enumerate() {
            inverse[usize::from(image)] = i as Member;
        }
        Self(inverse)
    }
}

/// A symmetry, with the numbers of processes that it was found to exchange.
#[derive(Debug)]
pub struct KnownSymmetry {
    symmetry: Symmetry,
    alike: Mutex<BTreeMap<ProctypeId, usize>>,
}

impl KnownSymmetry {
    /// A symmetry that was not used yet.
    pub fn new(symmetry: Symmetry) -> Self {
        Self { symmetry, alike: Mutex::default() }
    }

    /// The most processes of each proctype that were exchanged in a state.
    pub fn alike(&self) -> BTreeMap<ProctypeId, usize> {
        self.alike.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, shape: &Shape, plan: &Plan) {
        let mut alike = self.alike.lock().unwrap_or_else(PoisonError::into_inner);
        for block in &plan.blocks {
            for &pid in &plan.slots[usize::from(block[0])] {
                let most = alike.entry(shape.proctypes[pid]).or_default();
                *most = block.len().max(*most);
            }
        }
    }
}

impl std::ops::Deref for KnownSymmetry {
    type Target = Symmetry;
    fn deref(&self) -> &Symmetry {
        &self.symmetry
    }
}

/// Finds representatives.
pub(super) struct Canonicalizer {
    symmetry: Arc<KnownSymmetry>,
    members: Members,
    shapes: HashMap<ShapeId, ShapePlans>,
    /// The ends of processes that a member of the orbit can take, and that were not reported yet.
    pub ends: Vec<(ProctypeId, LocationId)>,
    meanings: Vec<Meaning>,
    colours: Vec<u64>,
    sums: Vec<u64>,
    seen: Vec<u64>,
    related: Vec<Member>,
    /// Whether all processes of a member are at their end.
    ended: Vec<bool>,
    /// The blocks that are put into order.
    active: Vec<usize>,
    image: Vec<u8>,
    keys: Vec<i32>,
    leaves: usize,
}

/// The plans of one shape.
struct ShapePlans {
    /// The list of processes that the shape had: its number may come to mean another one.
    proctypes: Vec<ProctypeId>,
    key_fields: Vec<VectorField>,
    /// The processes that may create others, at some locations.
    starters: Vec<usize>,
    plans: Vec<Option<Arc<Plan>>>,
    all_keys: Vec<Vec<i32>>,
}

impl Canonicalizer {
    pub fn new(symmetry: Arc<KnownSymmetry>) -> Self {
        let members = Members::of(&symmetry);
        Self {
            symmetry,
            shapes: HashMap::new(),
            ends: Vec::new(),
            meanings: Vec::new(),
            colours: Vec::new(),
            sums: Vec::new(),
            seen: Vec::new(),
            related: Vec::new(),
            ended: vec![false; members.len()],
            members,
            active: Vec::new(),
            image: Vec::new(),
            keys: Vec::new(),
            leaves: 0,
        }
    }

    /// Replaces a state by its representative.
    pub fn canonicalize(&mut self, layout: &Layout, id: ShapeId, shape: &Shape, vector: &mut [u8]) {
        let Some((plan, order)) = self.representative(layout, id, shape, vector) else { return };
        let mut image = std::mem::take(&mut self.image);
        image.clear();
        image.extend_from_slice(vector);
        self.permute(layout, &plan, &order, vector, &mut image);
        vector.copy_from_slice(&image);
        self.image = image;
    }

    /// The permutation that leads to the representative, and the plan of the state; `None` if the state is its
    /// representative.
    fn representative(
        &mut self,
        layout: &Layout,
        id: ShapeId,
        shape: &Shape,
        vector: &[u8],
    ) -> Option<(Arc<Plan>, Permutation)> {
        let plan = self.plan(layout, id, shape, vector)?;
        if plan.blocks.is_empty() || !self.holds(layout, &plan, vector) {
            return None;
        }
        self.note_ends(layout, shape, &plan, vector);
        let order = self.order(layout, &plan, vector)?;
        Some((plan, order))
    }

    /// The plan for a state; `None` if processes may still be created.
    fn plan(
        &mut self,
        layout: &Layout,
        id: ShapeId,
        shape: &Shape,
        vector: &[u8],
    ) -> Option<Arc<Plan>> {
        let symmetry = &self.symmetry;
        if self.shapes.get(&id).is_some_and(|plans| plans.proctypes != shape.proctypes) {
            self.shapes.remove(&id);
        }
        let plans = self.shapes.entry(id).or_insert_with(|| {
            let is_starter = |&pid: &usize| {
                let settled = &symmetry.processes[shape.proctypes[pid]].settled;
                settled.iter().any(|settled| !settled)
            };
            ShapePlans {
                proctypes: shape.proctypes.clone(),
                key_fields: key_fields(symmetry, layout, shape),
                starters: (0..shape.proctypes.len()).filter(is_starter).collect(),
                plans: Vec::new(),
                all_keys: Vec::new(),
            }
        });
        let location = |pid: usize| {
            let at = shape.processes[pid] + layout.location.offset;
            LocationId::from_index(layout.location.width.load(vector, at) as usize)
        };
        if !plans.starters.iter().all(|&p| symmetry.is_settled(shape.proctypes[p], location(p))) {
            return None;
        }
        self.keys.clear();
        self.keys.extend(plans.key_fields.iter().map(|&field| load(vector, field)));
        if let Some(at) = plans.all_keys.iter().position(|keys| *keys == self.keys) {
            return plans.plans[at].clone();
        }
        if plans.plans.len() >= MOST_PLANS {
            return None;
        }
        let plan = make_plan(symmetry, layout, &self.members, shape, &self.keys);
        plan.iter().for_each(|plan| symmetry.note(shape, plan));
        plans.all_keys.push(self.keys.clone());
        plans.plans.push(plan.map(Arc::new));
        plans.plans.last().cloned().flatten()
    }

    /// Whether all ids have values that all of their places can hold.
    fn holds(&self, layout: &Layout, plan: &Plan, vector: &[u8]) -> bool {
        if self.symmetry.sorts.iter().all(|sort| sort.holds.is_none()) {
            return true;
        }
        plan.sites.iter().all(|site| {
            let ValueRole::Id(sort) = site.role else { return true };
            let Some((least, greatest)) = self.symmetry.sorts[sort].holds else { return true };
            match self.meaning(layout, vector, site) {
                Meaning::Plain(value) => (least..=greatest).contains(&value),
                Meaning::Member(_) | Meaning::Channel(_) => true,
            }
        })
    }

    /// Notes which members are at their end. A block of such members only is left as it is, because its processes end one
    /// after the other; the other blocks are active.
    fn note_ends(&mut self, layout: &Layout, shape: &Shape, plan: &Plan, vector: &[u8]) {
        let location = |pid: usize| {
            let at = shape.processes[pid] + layout.location.offset;
            LocationId::from_index(layout.location.width.load(vector, at) as usize)
        };
        let ends = |pid: usize| self.symmetry.processes[shape.proctypes[pid]].ends[location(pid)];
        let youngest = shape.proctypes.len().wrapping_sub(1);
        self.active.clear();
        for (i, block) in plan.blocks.iter().enumerate() {
            let (mut n_ended, mut has_youngest, mut one) = (0, false, None);
            for &member in block {
                let slots = &plan.slots[usize::from(member)];
                let is_over = !slots.is_empty() && slots.iter().all(|&pid| ends(pid));
                self.ended[usize::from(member)] = is_over;
                n_ended += usize::from(is_over);
                has_youngest |= slots.contains(&youngest);
                one = if is_over { slots.first().copied() } else { one };
            }
            if let Some(pid) = one.filter(|_| has_youngest) {
                let end = (shape.proctypes[pid], location(pid));
                if !self.ends.contains(&end) {
                    self.ends.push(end);
                }
            }
            if n_ended < block.len() {
                self.active.push(i);
            }
        }
    }

    /// The image of a vector of any shape under a permutation.
    fn apply(
        &mut self,
        layout: &Layout,
        id: ShapeId,
        shape: &Shape,
        permutation: &Permutation,
        vector: &[u8],
    ) -> Vec<u8> {
        match self.plan(layout, id, shape, vector) {
            Some(plan) => self.apply_plan(layout, &plan, permutation, vector),
            None => vector.to_vec(),
        }
    }

    fn apply_plan(
        &self,
        layout: &Layout,
        plan: &Plan,
        permutation: &Permutation,
        vector: &[u8],
    ) -> Vec<u8> {
        let mut image = vector.to_vec();
        self.permute(layout, plan, permutation, vector, &mut image);
        image
    }

    /// Writes the image of a vector over a copy of it.
    fn permute(
        &self,
        layout: &Layout,
        plan: &Plan,
        Permutation(images): &Permutation,
        vector: &[u8],
        image: &mut [u8],
    ) {
        for (member, &to) in images.iter().enumerate().filter(|(m, to)| *m != usize::from(**to)) {
            for bytes in &plan.bytes {
                let (from, to, len) = (bytes.at[member], bytes.at[usize::from(to)], bytes.len);
                if from != NOWHERE && to != NOWHERE {
                    let own = &vector[from as usize..(from + len) as usize];
                    image[to as usize..(to + len) as usize].copy_from_slice(own);
                }
            }
        }
        let n = self.members.len();
        let moved = |members: &[Member]| {
            let mut list = [0; 3];
            for (to, &member) in list.iter_mut().zip(members) {
                *to = images[usize::from(member)];
            }
            position(&list[..members.len()], n)
        };
        for site in &plan.sites {
            let value = match self.meaning(layout, vector, site) {
                Meaning::Plain(value) => value,
                Meaning::Member(member) => {
                    self.members.values[usize::from(images[usize::from(member)])]
                }
                Meaning::Channel(number) => match plan.channels.get(number) {
                    Some(channel) => {
                        let to = plan.numbers[channel.tag as usize][moved(&channel.members)];
                        if to == 0 { number as i32 + 1 } else { to as i32 }
                    }
                    None => number as i32 + 1,
                },
            };
            let to = plan.offsets[site.tag as usize][moved(&site.members)];
            if to != NOWHERE {
                site.at.width.store(image, to, value);
            }
        }
    }
}
