//! Proofs with groups of parts that were counted.
//!
//! A certificate knows no counters. The multisets of the first *i* members of a group are an
//! abstraction of the product of those of the first *i* − 1 members with the classes of the next: a
//! chain of products. Only multisets that are part of one that occurs are told apart; all others are one state. A
//! step from a multiset that occurs never leads there, because the other components
//! refuse it.

use super::{Proofs, map, takes_all};
use crate::cegar::{CountedOutcome, Multiset};
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::product_while;
use resy_automata::quotient::Quotient;
use resy_certificate::{About, Node, NodeId, Of, TupleList};
use resy_index::Id;
use rustc_hash::FxHashSet;

/// The maximal number of transitions of all products of a chain: each has a line in a certificate.
const LONGEST: usize = 2_000_000;

impl Proofs<'_> {
    /// Adds a proof in which groups of parts are counted.
    pub(super) fn add_counted(&mut self, about: &About, counted: &CountedOutcome) {
        let (mut roots, mut images) = (Vec::new(), Vec::new());
        let (left, go_on) = (self.left, &mut self.go_on);
        let Some(multisets) = counted.multisets(&mut |n| n <= left && go_on()) else {
            self.is_complete = false;
            return;
        };
        let mut is_counted = vec![false; counted.partitions.len()];
        for (group, occurring) in counted.groups.iter().zip(multisets) {
            if occurring.is_empty() {
                continue;
            }
            let Some((root, image)) = self.chain(counted, group, occurring) else {
                self.is_complete = false;
                return;
            };
            group.iter().for_each(|&member| is_counted[member] = true);
            roots.push(root);
            images.push(image);
        }
        let parts = counted.split.environment.iter().zip(&counted.partitions);
        for ((part, partition), _) in parts.zip(is_counted).filter(|(_, is_counted)| !is_counted) {
            if partition.n_blocks() > 1 || !takes_all(&part.lts) {
                let image = Quotient::of(&part.lts, partition.clone());
                let of = self.concrete(part);
                roots.push(self.node(Node { of, map: map(&image) }));
                images.push(image.into_lts());
            }
        }
        self.close(about, roots, &images);
    }

    /// The chain of a group: its last node and the image of that. `None` if it is too long.
    fn chain(
        &mut self,
        counted: &CountedOutcome,
        group: &[usize],
        occurring: FxHashSet<Multiset>,
    ) -> Option<(NodeId, Lts)> {
        let levels = levels(occurring, group.len(), LONGEST)?;
        let mut left = LONGEST;
        let mut last: Option<(NodeId, Lts, Vec<Option<Multiset>>)> = None;
        for (&member, level) in group.iter().zip(levels) {
            let part = &counted.split.environment[member];
            let leaf = Quotient::of(&part.lts, counted.partitions[member].clone());
            let of = self.concrete(part);
            let id = self.node(Node { of, map: map(&leaf) });
            let n_classes = leaf.lts().n_states();
            last = Some(match last {
                None => {
                    let single =
                        |class| Some((0..n_classes).map(|c| u16::from(c == class)).collect());
                    (id, leaf.into_lts(), (0..n_classes).map(single).collect())
                }
                Some((before, image, multisets)) => {
                    let mut go_on = |n| n <= LONGEST && (self.go_on)();
                    let product = product_while(&[&image, leaf.lts()], &mut go_on)?;
                    left = left.checked_sub(product.lts.n_transitions())?;
                    let mut tuples = TupleList::new(2);
                    product.lts.states().for_each(|state| tuples.push(&product.tuples[state]));
                    let sum = |state: StateId| {
                        let pair = &product.tuples[state];
                        let mut sum = multisets[pair[0].index()].clone()?;
                        sum[pair[1].index()] += 1;
                        level.contains(&sum).then_some(sum)
                    };
                    let sums: Vec<Option<Multiset>> = product.lts.states().map(sum).collect();
                    let partition = Partition::by_keys(&sums);
                    let mut next = vec![None; partition.n_blocks()];
                    for (state, sum) in sums.iter().enumerate() {
                        next[partition.block_of(Id::from_index(state)).index()].clone_from(sum);
                    }
                    let image = Quotient::of(&product.lts, partition);
                    let of = Of::Product(vec![before, id], tuples);
                    let id = self.node(Node { of, map: map(&image) });
                    (id, image.into_lts(), next)
                }
            });
        }
        last.map(|(id, image, _)| (id, image))
    }
}

/// For each number of members, the multisets that are part of one that occurs. `None` if there are
/// more than `limit`, weighed with the number of members.
fn levels(
    occurring: FxHashSet<Multiset>,
    n_members: usize,
    limit: usize,
) -> Option<Vec<FxHashSet<Multiset>>> {
    let mut left = limit;
    let mut levels = vec![occurring];
    for n in (1..n_members).rev() {
        let mut smaller: FxHashSet<Multiset> = FxHashSet::default();
        for multiset in &levels[levels.len() - 1] {
            for class in (0..multiset.len()).filter(|&class| multiset[class] > 0) {
                let mut less = multiset.clone();
                less[class] -= 1;
                smaller.insert(less);
            }
        }
        left = left.checked_sub(smaller.len() * n)?;
        levels.push(smaller);
    }
    levels.reverse();
    Some(levels)
}
