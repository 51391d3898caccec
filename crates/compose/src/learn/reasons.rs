//! Why alternatives of choices have failed, for backjumping: for each choice, a set of transitions.

/// For each choice, the transitions whose decisions have made alternatives fail.
pub(super) struct Reasons {
    width: usize,
    bits: Vec<u64>,
}

impl Reasons {
    pub(super) fn new(n_transitions: usize) -> Self {
        Self { width: n_transitions.div_ceil(64), bits: Vec::new() }
    }

    /// One more choice, without reasons.
    pub(super) fn push(&mut self) {
        self.bits.resize(self.bits.len() + self.width, 0);
    }

    /// One more reason of the last choice.
    pub(super) fn add(&mut self, transition: usize) {
        let last = self.bits.len() - self.width;
        self.bits[last + transition / 64] |= 1 << (transition % 64);
    }

    /// Drops the last choice; whether that of a transition, which is now the last, is among its reasons. If it is, the
    /// others are reasons of that; otherwise they are those of the last choice, which is dropped in its place.
    pub(super) fn pop_onto(&mut self, transition: usize) -> bool {
        let last = self.bits.len() - self.width;
        let (before, own) = (last - self.width, last);
        let (word, bit) = (transition / 64, 1_u64 << (transition % 64));
        let is_reason = self.bits[own + word] & bit != 0;
        for i in 0..self.width {
            let others = self.bits[own + i];
            match is_reason {
                true => self.bits[before + i] |= others,
                false => self.bits[before + i] = others,
            }
        }
        if is_reason {
            self.bits[before + word] &= !bit;
        }
        self.bits.truncate(last);
        is_reason
    }
}
