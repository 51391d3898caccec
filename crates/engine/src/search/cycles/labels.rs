//! The labels of the edges of a product, each with a number: there are few.

use super::gathered::EdgeLabel;
use hashbrown::HashMap;

/// The number of an [`EdgeLabel`].
pub(super) type LabelId = u32;

/// The labels of edges.
pub(super) struct Labels {
    all: Vec<EdgeLabel>,
    numbers: HashMap<EdgeLabel, LabelId>,
    /// Some labels that were numbered before, by a hash of them.
    recent: [LabelId; RECENT],
}

/// The number of recent labels.
const RECENT: usize = 64;

impl Default for Labels {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new(), recent: [0; RECENT] }
    }
}

impl Labels {
    pub fn get(&self, id: LabelId) -> &EdgeLabel {
        &self.all[id as usize]
    }

    /// All labels, by number.
    pub fn all(&self) -> &[EdgeLabel] {
        &self.all
    }

    pub fn number(&mut self, label: EdgeLabel) -> LabelId {
        let place = (label.marks ^ label.movers.first_word().rotate_left(32))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let recent = &mut self.recent[(place >> 58) as usize];
        if self.all.get(*recent as usize) != Some(&label) {
            let next = self.all.len() as LabelId;
            *recent = *self.numbers.entry(label).or_insert_with_key(|label| {
                self.all.push(label.clone());
                next
            });
        }
        *recent
    }
}
