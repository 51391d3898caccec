//! The canonical order of the members of a state, by refinement of colours.
//!
//! Each member has a *colour*: a hash of what belongs to it. In every round the colours of the members that it is related to
//! are added, until no more members are told apart (Weisfeiler and Leman's method for graphs). The order by colours
//! does not depend on the names of the members. Where members with one colour are related to each other, one of
//! them is singled out in turn, and the least vector wins; with too many of them the first one is taken. A wrong
//! order, also by a collision of hashes, costs a second representative and never a wrong one: whatever the order, the
//! vector is permuted by a permutation of interchangeable members.

use super::plan::{Condition, Member, Plan, Site, load};
use super::{Canonicalizer, Permutation};
use crate::vector::Layout;
use resy_passes::ValueRole;

/// At most this many orders of a state are compared.
const MOST_LEAVES: usize = 12;

const SELF: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the value of a site is in a state.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Plain(i32),
    Member(Member),
    /// The channel with this number.
    Channel(usize),
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0xa076_1d64_78bd_642f) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product >> 64) as u64 ^ product as u64
}

impl Canonicalizer {
    /// What the value of a site is.
    pub(super) fn meaning(&self, layout: &Layout, vector: &[u8], site: &Site) -> Meaning {
        let value = load(vector, site.at);
        let holds = match site.condition {
            Condition::Always => true,
            Condition::Message { length, slot } => layout.length.load(vector, length) > slot,
            Condition::Alive { location, proctype, cell } => {
                let at = layout.location.width.load(vector, location) as usize;
                let dead = &self.symmetry.processes[proctype].dead;
                !dead[resy_index::Id::from_index(at)].contains(cell as usize)
            }
        };
        match site.role {
            ValueRole::Id(sort) if holds => {
                self.members.number(sort, value).map_or(Meaning::Plain(value), Meaning::Member)
            }
            ValueRole::Channel if holds && value > 0 => Meaning::Channel(value as usize - 1),
            _ => Meaning::Plain(value),
        }
    }

    /// The permutation that puts a state into its canonical order; `None` if it is in it.
    pub(super) fn order(
        &mut self,
        layout: &Layout,
        plan: &Plan,
        vector: &[u8],
    ) -> Option<Permutation> {
        self.meanings.clear();
        for site in &plan.sites {
            let meaning = self.meaning(layout, vector, site);
            self.meanings.push(meaning);
        }
        self.first_colours(plan, vector);
        self.refine(plan);
        let order = match self.entangled(plan) {
            None => self.sorted(plan),
            Some(_) => {
                self.leaves = 0;
                self.best(layout, plan, vector).0
            }
        };
        (!order.is_identity()).then_some(order)
    }

    /// Colours by what belongs to each member alone.
    fn first_colours(&mut self, plan: &Plan, vector: &[u8]) {
        self.colours.clear();
        self.colours.extend((0..self.members.len() as u64).map(|member| mix(member, SELF)));
        for at in 0..self.active.len() {
            for &member in &plan.blocks[self.active[at]] {
                let mut colour = 1;
                for bytes in &plan.bytes {
                    let at = bytes.at[usize::from(member)] as usize;
                    let end = at.saturating_add(bytes.len as usize);
                    if let Some(own) = vector.get(at..end) {
                        colour = mix(colour, rapidhash::v3::rapidhash_v3(own));
                    }
                }
                self.colours[usize::from(member)] = colour;
            }
        }
    }

    /// Adds colours of related members until no more are told apart.
    fn refine(&mut self, plan: &Plan) {
        if plan.sites.is_empty() {
            return;
        }
        let mut n_classes = self.n_classes(plan);
        loop {
            self.sums.clear();
            self.sums.resize(self.colours.len(), 0);
            for (site, meaning) in plan.sites.iter().zip(&self.meanings) {
                add_site(plan, site, meaning, &self.colours, &mut self.sums, &mut self.related);
            }
            for &block in &self.active {
                for &member in &plan.blocks[block] {
                    let member = usize::from(member);
                    self.colours[member] = mix(self.colours[member], self.sums[member]);
                }
            }
            let now = self.n_classes(plan);
            if now <= n_classes {
                return;
            }
            n_classes = now;
        }
    }

    fn n_classes(&mut self, plan: &Plan) -> usize {
        let mut n = 0;
        for &block in &self.active {
            self.seen.clear();
            self.seen.extend(plan.blocks[block].iter().map(|&m| self.colours[usize::from(m)]));
            self.seen.sort_unstable();
            self.seen.dedup();
            n += self.seen.len();
        }
        n
    }

    /// Processes at their end come first, then the colours decide.
    fn key(&self, member: Member) -> (bool, u64) {
        (!self.ended[usize::from(member)], self.colours[usize::from(member)])
    }

    /// The order by colours; members with one colour stay in their order.
    fn sorted(&self, plan: &Plan) -> Permutation {
        let mut permutation = Permutation::identity(self.members.len());
        for &block in &self.active {
            let block = &plan.blocks[block];
            let mut sorted = block.clone();
            sorted.sort_by_key(|&member| self.key(member));
            for (&from, &to) in sorted.iter().zip(block) {
                permutation.0[usize::from(from)] = to;
            }
        }
        permutation
    }

    /// Members of one colour in the first block in which such members are related to each other.
    fn entangled(&mut self, plan: &Plan) -> Option<Vec<Member>> {
        let mut tied = vec![false; self.colours.len()];
        let mut classes: Vec<Vec<Member>> = Vec::new();
        for &block in &self.active {
            let mut sorted = plan.blocks[block].clone();
            sorted.sort_by_key(|&member| self.key(member));
            for class in sorted.chunk_by(|&a, &b| self.key(a) == self.key(b)) {
                if class.len() > 1 {
                    class.iter().for_each(|&member| tied[usize::from(member)] = true);
                    classes.push(class.to_vec());
                }
            }
        }
        if classes.is_empty() {
            return None;
        }
        let mut knotted = vec![false; self.colours.len()];
        for (site, meaning) in plan.sites.iter().zip(&self.meanings) {
            relate(plan, site, meaning, &mut self.related);
            let first = self.related.iter().find(|m| tied[usize::from(**m)]).copied();
            if self.related.iter().any(|m| tied[usize::from(*m)] && Some(*m) != first) {
                self.related.iter().for_each(|m| knotted[usize::from(*m)] = true);
            }
        }
        classes.into_iter().find(|class| class.iter().any(|&m| knotted[usize::from(m)]))
    }

    /// The least vector, and the order that leads to it.
    fn best(&mut self, layout: &Layout, plan: &Plan, vector: &[u8]) -> (Permutation, Vec<u8>) {
        let Some(class) = self.entangled(plan) else {
            self.leaves += 1;
            let order = self.sorted(plan);
            let image = self.apply_plan(layout, plan, &order, vector);
            return (order, image);
        };
        let colours = self.colours.clone();
        let mut best: Option<(Permutation, Vec<u8>)> = None;
        for member in class {
            if best.is_some() && self.leaves >= MOST_LEAVES {
                break;
            }
            self.colours.clone_from(&colours);
            let member = usize::from(member);
            self.colours[member] = mix(self.colours[member], SELF);
            self.refine(plan);
            let found = self.best(layout, plan, vector);
            // Two choices with one result are mostly alike, and so are the others.
            let is_same = best.as_ref().is_some_and(|best| best.1 == found.1);
            if best.as_ref().is_none_or(|best| found.1 < best.1) {
                best = Some(found);
            }
            if is_same {
                break;
            }
        }
        self.colours = colours;
        best.unwrap_or_else(|| (Permutation::identity(self.members.len()), vector.to_vec()))
    }
}

/// The members that a site relates.
fn relate(plan: &Plan, site: &Site, meaning: &Meaning, related: &mut Vec<Member>) {
    related.clear();
    related.extend(&site.members);
    match meaning {
        Meaning::Plain(_) => {}
        Meaning::Member(member) => related.push(*member),
        Meaning::Channel(number) => {
            related.extend(plan.channels.get(*number).iter().flat_map(|c| &c.members));
        }
    }
}

/// Adds to each member that a site relates the colours of the others.
fn add_site(
    plan: &Plan,
    site: &Site,
    meaning: &Meaning,
    colours: &[u64],
    sums: &mut [u64],
    related: &mut Vec<Member>,
) {
    relate(plan, site, meaning, related);
    let value = match meaning {
        Meaning::Plain(value) => *value as u32 as u64,
        Meaning::Member(_) => SELF,
        Meaning::Channel(number) => match plan.channels.get(*number) {
            Some(channel) => mix(u64::from(channel.tag), SELF),
            None => *number as u64,
        },
    };
    let start = mix(u64::from(site.tag) + 1, value);
    for (i, &member) in related.iter().enumerate() {
        let mut hash = mix(start, i as u64 + 2);
        for &other in related.iter() {
            let colour = if other == member { SELF } else { colours[usize::from(other)] };
            hash = mix(hash, colour);
        }
        let sum = &mut sums[usize::from(member)];
        *sum = sum.wrapping_add(hash);
    }
}
