//! The shapes of the vectors of a search and the tree that was learned, as they are saved.

use super::wire::{Damage, Reader, Writer};
use crate::vector::{Layout, Shapes};

/// Everything needed to rebuild the shapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forms {
    /// The shapes in the order of their numbers: the shape each was made from, and the proctype that was
    /// added.
    pub made: Vec<(u32, u32)>,
    /// The ends of the leaves of the learned tree, and how they are joined.
    pub learned: Option<(Vec<u32>, Vec<[u32; 2]>)>,
}

impl Forms {
    pub fn of(shapes: &Shapes) -> Forms {
        let learned = shapes.learned().map(|(cuts, joins)| (cuts.to_vec(), joins.to_vec()));
        Forms { made: shapes.made(), learned }
    }

    /// Rebuilds the shapes.
    pub fn make(&self, layout: &Layout, shapes: &mut Shapes) {
        shapes.make(layout, &self.made);
        if let Some((cuts, joins)) = self.learned.clone() {
            shapes.recall(cuts, joins);
        }
    }

    /// Appends the sections.
    pub fn write(&self, out: &mut Writer) {
        out.section("shapes", |w| {
            for &(from, proctype) in &self.made {
                w.number(from.into());
                w.number(proctype.into());
            }
        });
        out.section("tree", |w| {
            let Some((cuts, joins)) = &self.learned else { return };
            w.number(cuts.len() as u64);
            cuts.iter().chain(joins.as_flattened()).for_each(|&n| w.number(n.into()));
        });
    }

    /// Reads the sections.
    pub fn read(bytes: Reader<'_>) -> Result<Forms, Damage> {
        let mut source = bytes.section("shapes")?;
        let mut made = Vec::new();
        while !source.0.is_empty() {
            // A shape is made from an earlier one; the first exists from the start.
            let from = source.below(made.len() as u64 + 1)? as u32;
            made.push((from, source.below(1 << 32)? as u32));
        }
        let mut source = bytes.section("tree")?;
        let learned = (!source.0.is_empty()).then(|| read_tree(&mut source)).transpose()?;
        Ok(Forms { made, learned })
    }
}

/// Whether the cuts increase, and the joins make one tree of the leaves between them.
fn read_tree(source: &mut Reader<'_>) -> Result<(Vec<u32>, Vec<[u32; 2]>), Damage> {
    const WRONG: Damage = "the learned tree is none";
    let n_leaves = source.number()?;
    let mut cuts: Vec<u32> = Vec::new();
    for _ in 0..n_leaves {
        let cut = source.below(1 << 32)? as u32;
        if cuts.last().is_some_and(|&last| last >= cut) {
            return Err(WRONG);
        }
        cuts.push(cut);
    }
    let mut is_free = vec![true; cuts.len()];
    let mut joins = Vec::new();
    for _ in 1..n_leaves {
        let pair = [source.below(is_free.len() as u64)?, source.below(is_free.len() as u64)?];
        if !pair.into_iter().all(|cluster| std::mem::take(&mut is_free[cluster as usize])) {
            return Err(WRONG);
        }
        is_free.push(true);
        joins.push(pair.map(|cluster| cluster as u32));
    }
    Ok((cuts, joins))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(learned: (Vec<u32>, Vec<[u32; 2]>)) -> Result<Forms, Damage> {
        let forms = Forms { made: vec![(0, 1), (1, 2), (0, 2)], learned: Some(learned) };
        let mut out = Writer::default();
        forms.write(&mut out);
        let again = Forms::read(Reader(&out.0))?;
        assert_eq!(again, forms);
        Ok(again)
    }

    #[test]
    fn only_trees_are_believed() {
        assert!(read((vec![6, 8, 9], vec![[0, 2], [3, 1]])).is_ok());
        assert!(read((vec![6], vec![])).is_ok());
        assert!(read((vec![6, 8, 8], vec![[0, 2], [3, 1]])).is_err(), "an empty leaf");
        assert!(read((vec![6, 8, 9], vec![[0, 2], [2, 1]])).is_err(), "a leaf in two places");
        assert!(read((vec![6, 8, 9], vec![[0, 3], [3, 1]])).is_err(), "a part of itself");
        assert!(read((vec![6, 8, 9], vec![[0, 1]])).is_err(), "a leaf is left over");
    }
}
