//! All images of a state, by brute force: what the representatives are compared with in tests.

use super::super::Task;
use super::super::expander::Expander;
use super::{Canonicalizer, Permutation};
use resy_system::State;
use std::sync::Arc;

/// With more permutations than this the images of a state are not enumerated.
const MOST: usize = 5_040;

/// The images of a state under all permutations of a task's symmetry, the state itself first; `None` if there are too many.
pub fn symmetric_images(task: &Task<'_>, state: &State) -> Option<Vec<State>> {
    let Some(symmetry) = &task.symmetry else { return Some(vec![state.clone()]) };
    let mut expander = Expander::new_while(task, &mut || false).ok()?;
    let mut canonical = Canonicalizer::new(Arc::clone(symmetry));
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let mut vector = Vec::new();
    let id = layout.pack(shapes, state, &mut vector);
    let plan = canonical.plan(layout, id, &shapes[id], &vector);
    let Some(plan) = plan.filter(|plan| canonical.holds(layout, plan, &vector)) else {
        return Some(vec![state.clone()]);
    };
    let mut all = vec![Permutation::identity(canonical.members.len())];
    for block in &plan.blocks {
        // Each member in turn is exchanged with itself or one of the later ones.
        for (i, &from) in block.iter().enumerate() {
            let swaps = block[i..].iter().map(|&to| {
                let mut swap = Permutation::identity(canonical.members.len());
                swap.0.swap(from.into(), to.into());
                swap
            });
            let swaps: Vec<Permutation> = swaps.collect();
            if all.len() * swaps.len() > MOST {
                return None;
            }
            all = all.iter().flat_map(|p| swaps.iter().map(|swap| p.then(swap))).collect();
        }
    }
    let images: Vec<Vec<u8>> =
        all.iter().map(|p| canonical.apply_plan(layout, &plan, p, &vector)).collect();
    Some(images.iter().map(|image| expander.unpack(image)).collect())
}
