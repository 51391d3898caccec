//! Words as a tree of their prefixes, and which prefixes lead to different states.
//!
//! What is before an accepted word is accepted; what follows a rejected one is rejected with it and is left out. Two
//! prefixes are *apart* if the same letters lead from one of them to an accepted word and from the other to a rejected one
//! (Vaandrager et al., TACAS 2022): no automaton that agrees with the words has one state for both. That is known of most
//! pairs before anything is decided about an automaton.

/// No prefix, or no state.
pub(super) const NONE: u32 = u32::MAX;

/// The words so far.
pub(super) struct Prefixes {
    /// The empty word comes first.
    nodes: Vec<Prefix>,
    accepted: Vec<u32>,
    rejected: Vec<u32>,
    /// For each prefix, those that are apart from it, as bits of so many words.
    apart: Vec<u64>,
    width: usize,
    is_contradictory: bool,
}

/// A prefix in the tree.
#[derive(Copy, Clone)]
pub(super) struct Prefix {
    /// The prefix without its last letter, and that letter.
    pub parent: u32,
    pub letter: u32,
    pub fate: Fate,
    /// The first prefix that is longer by a letter, and the next one with the same parent.
    first: u32,
    sibling: u32,
}

/// What is known of a prefix.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Free,
    Accepted,
    Rejected,
}

impl Prefixes {
    /// The empty word, which is accepted.
    pub(super) fn new() -> Self {
        let (fate, parent, letter, first, sibling) = (Fate::Accepted, NONE, 0, NONE, NONE);
        Self {
            nodes: vec![Prefix { parent, letter, fate, first, sibling }],
            accepted: vec![0],
            rejected: Vec::new(),
            apart: vec![0],
            width: 1,
            is_contradictory: false,
        }
    }

    /// Adds a word.
    pub(super) fn add(&mut self, letters: impl Iterator<Item = usize>, is_accepted: bool) {
        let mut at = 0;
        for letter in letters {
            if self.nodes[at].fate == Fate::Rejected {
                break;
            }
            if is_accepted {
                self.accept(at);
            }
            at = self.child(at, letter);
        }
        match (is_accepted, self.nodes[at].fate) {
            (false, Fate::Rejected) => {}
            (true, Fate::Rejected) | (false, Fate::Accepted) => self.is_contradictory = true,
            (true, _) => self.accept(at),
            (false, Fate::Free) => self.reject(at),
        }
    }

    /// Whether no automaton agrees with all words: one that is to be accepted begins with one that is not.
    pub(super) fn is_contradictory(&self) -> bool {
        self.is_contradictory
    }

    /// The number of prefixes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A prefix.
    pub(super) fn at(&self, prefix: usize) -> &Prefix {
        &self.nodes[prefix]
    }

    /// Words of 64 bits for a set of prefixes.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The prefixes that are apart from one.
    pub(super) fn apart(&self, prefix: usize) -> &[u64] {
        &self.apart[prefix * self.width..][..self.width]
    }

    /// The prefixes that are longer than one by a letter.
    pub(super) fn children(&self, prefix: usize) -> impl Iterator<Item = usize> + use<'_> {
        let mut next = self.nodes[prefix].first;
        std::iter::from_fn(move || {
            let child = next as usize;
            next = self.nodes.get(child)?.sibling;
            Some(child)
        })
    }

    /// A prefix with one more letter.
    fn child(&mut self, parent: usize, letter: usize) -> usize {
        let number = |n: usize| u32::try_from(n).expect("fewer than u32::MAX prefixes");
        let letter = number(letter);
        let known = self.children(parent).find(|&child| self.nodes[child].letter == letter);
        known.unwrap_or_else(|| {
            let new = self.nodes.len();
            let sibling = std::mem::replace(&mut self.nodes[parent].first, number(new));
            let (parent, fate, first) = (number(parent), Fate::Free, NONE);
            self.nodes.push(Prefix { parent, letter, fate, first, sibling });
            self.make_room();
            new
        })
    }

    /// Rows for all prefixes, wide enough for all.
    fn make_room(&mut self) {
        let n = self.nodes.len();
        if n > 64 * self.width {
            let width = 2 * self.width;
            let mut wide = vec![0; (n - 1) * width];
            for (row, old) in wide.chunks_mut(width).zip(self.apart.chunks(self.width)) {
                row[..old.len()].copy_from_slice(old);
            }
            (self.apart, self.width) = (wide, width);
        }
        self.apart.resize(n * self.width, 0);
    }

    fn accept(&mut self, prefix: usize) {
        if self.nodes[prefix].fate == Fate::Accepted {
            return;
        }
        self.nodes[prefix].fate = Fate::Accepted;
        self.accepted.push(u32::try_from(prefix).expect("fewer than u32::MAX prefixes"));
        for i in 0..self.rejected.len() {
            self.separate(prefix, self.rejected[i] as usize);
        }
    }

    fn reject(&mut self, prefix: usize) {
        self.nodes[prefix].fate = Fate::Rejected;
        self.nodes[prefix].first = NONE;
        self.rejected.push(u32::try_from(prefix).expect("fewer than u32::MAX prefixes"));
        for i in 0..self.accepted.len() {
            self.separate(self.accepted[i] as usize, prefix);
        }
    }

    /// Two prefixes are apart, and so are those before them as long as they end with the same letter.
    fn separate(&mut self, mut one: usize, mut other: usize) {
        while self.apart(one)[other / 64] >> (other % 64) & 1 == 0 {
            self.apart[one * self.width + other / 64] |= 1 << (other % 64);
            self.apart[other * self.width + one / 64] |= 1 << (one % 64);
            let (a, b) = (self.nodes[one], self.nodes[other]);
            if a.letter != b.letter || a.parent == NONE || b.parent == NONE {
                break;
            }
            (one, other) = (a.parent as usize, b.parent as usize);
        }
    }
}
