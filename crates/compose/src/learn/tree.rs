//! The discrimination tree of Kearns and Vazirani, with short suffixes in the manner of TTT.
//!
//! An inner node asks a suffix, a leaf is a state. A word is sifted from the root: the answer for the
//! word with the node's suffix leads to a child. So a suffix is asked only of words that it may tell
//! apart, where the table asks every suffix of every word. A new state splits the leaf of the state
//! that it was taken for. The suffix that a long counterexample gives is replaced by a letter and a
//! suffix of the tree, if the two states already differ by one (Isberner, Howar, Steffen 2014).

use super::{Learner, Letters, MembershipOracle, breakpoint};
use crate::sides::{Fallible, Word, WordAutomaton, WordState};
use resy_automata::lts::{ActionId, Alphabet};

/// The tree, and the states at its leaves.
pub(crate) struct Tree {
    alphabet: Alphabet,
    nodes: Vec<TreeNode>,
    states: Vec<TreeState>,
    hypothesis: Option<WordAutomaton>,
}

struct TreeNode {
    parent: Option<usize>,
    depth: usize,
    kind: NodeKind,
}

enum NodeKind {
    /// A state, or no state yet.
    Leaf(Option<usize>),
    /// The children for the answers no and yes.
    Ask(Word, [usize; 2]),
}

struct TreeState {
    access: Word,
    leaf: usize,
    /// Known once the state was expanded.
    edges: Option<Vec<TreeEdge>>,
}

struct TreeEdge {
    /// The letter; none if it stands for others.
    letter: Option<ActionId>,
    word: Word,
    /// The node that the word was last sifted to.
    node: usize,
}

impl Tree {
    /// The tree that tells good words from bad ones.
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let leaf = |_| TreeNode { parent: Some(0), depth: 1, kind: NodeKind::Leaf(None) };
        let root = NodeKind::Ask(Word::new(), [1, 2]);
        let root = TreeNode { parent: None, depth: 0, kind: root };
        let nodes = [root].into_iter().chain((0..2).map(leaf)).collect();
        Self { alphabet, nodes, states: Vec::new(), hypothesis: None }
    }

    /// The leaf that a word is sifted to from a node.
    fn sift(
        &self,
        word: &[ActionId],
        mut node: usize,
        teacher: &mut dyn MembershipOracle,
    ) -> Fallible<usize> {
        while let NodeKind::Ask(suffix, children) = &self.nodes[node].kind {
            let answer = teacher.member(&[word, suffix].concat())?;
            node = children[usize::from(answer)];
        }
        Ok(node)
    }

    /// The state at a leaf; if there is none, the word that was sifted to it is a new state.
    fn state_at(&mut self, leaf: usize, word: &[ActionId]) -> usize {
        if let NodeKind::Leaf(Some(state)) = self.nodes[leaf].kind {
            return state;
        }
        let state = self.states.len();
        self.states.push(TreeState { access: word.to_vec(), leaf, edges: None });
        self.nodes[leaf].kind = NodeKind::Leaf(Some(state));
        state
    }

    /// The edges of a state, sifted to leaves.
    fn expand(&mut self, state: usize, teacher: &mut dyn MembershipOracle) -> Fallible<WordState> {
        let edges = match self.states[state].edges.take() {
            Some(edges) => edges,
            None => edges(&self.states[state].access, teacher)?,
        };
        let mut sifted = Vec::with_capacity(edges.len());
        let mut row = WordState::default();
        for TreeEdge { letter, word, node } in edges {
            let leaf = self.sift(&word, node, teacher)?;
            let target = self.state_at(leaf, &word);
            match letter {
                Some(letter) => drop(row.next.insert(letter, target)),
                None => row.others = Some(target),
            }
            sifted.push(TreeEdge { letter, word, node: leaf });
        }
        self.states[state].edges = Some(sifted);
        Ok(row)
    }

    /// A suffix that tells two words apart: a letter and a suffix of the tree if there is one that is
    /// shorter than the given one.
    fn short_suffix(
        &self,
        one: &[ActionId],
        other: &[ActionId],
        known: &[ActionId],
        teacher: &mut dyn MembershipOracle,
    ) -> Fallible<Word> {
        let mut best = known.to_vec();
        let mut letters = teacher.letters(one)?.own;
        letters.extend(teacher.letters(other)?.own);
        letters.sort_unstable();
        letters.dedup();
        for letter in letters {
            if best.len() <= 1 {
                break;
            }
            let [here, there] = [one, other].map(|word| [word, &[letter]].concat());
            let here = self.sift(&here, 0, teacher)?;
            let there = self.sift(&there, 0, teacher)?;
            if let Some(suffix) = self.suffix_between(here, there)
                && suffix.len() + 1 < best.len()
            {
                best = [&[letter], suffix].concat();
            }
        }
        Ok(best)
    }

    /// The suffix of the lowest common ancestor of two leaves.
    fn suffix_between(&self, mut one: usize, mut other: usize) -> Option<&[ActionId]> {
        if one == other {
            return None;
        }
        while one != other {
            let deeper = match self.nodes[one].depth >= self.nodes[other].depth {
                true => &mut one,
                false => &mut other,
            };
            *deeper = self.nodes[*deeper].parent?;
        }
        match &self.nodes[one].kind {
            NodeKind::Ask(suffix, _) => Some(suffix),
            NodeKind::Leaf(_) => None,
        }
    }

    /// Splits the leaf of a state: `word` is a new state, which the suffix tells from it.
    fn split(
        &mut self,
        state: usize,
        word: Word,
        suffix: Word,
        teacher: &mut dyn MembershipOracle,
    ) -> Fallible<()> {
        let answer = teacher.member(&[&word[..], &suffix].concat())?;
        let (node, first) = (self.states[state].leaf, self.nodes.len());
        let depth = self.nodes[node].depth + 1;
        let (new, old) = (first + usize::from(answer), first + usize::from(!answer));
        for _ in 0..2 {
            self.nodes.push(TreeNode { parent: Some(node), depth, kind: NodeKind::Leaf(None) });
        }
        self.nodes[node].kind = NodeKind::Ask(suffix, [first, first + 1]);
        self.nodes[old].kind = NodeKind::Leaf(Some(state));
        self.states[state].leaf = old;
        self.state_at(new, &word);
        Ok(())
    }
}

fn edges(access: &Word, teacher: &mut dyn MembershipOracle) -> Fallible<Vec<TreeEdge>> {
    let Letters { own, others } = teacher.letters(access)?;
    let edge = |letter: Option<ActionId>, action: ActionId| TreeEdge {
        letter,
        word: access.iter().copied().chain([action]).collect(),
        node: 0,
    };
    let own = own.into_iter().map(|action| edge(Some(action), action));
    Ok(own.chain(others.map(|action| edge(None, action))).collect())
}

impl Learner for Tree {
    fn hypothesis(&mut self, teacher: &mut dyn MembershipOracle) -> Fallible<WordAutomaton> {
        if let Some(known) = &self.hypothesis {
            return Ok(known.clone());
        }
        if self.states.is_empty() {
            let leaf = self.sift(&[], 0, teacher)?;
            self.state_at(leaf, &[]);
        }
        let mut states = Vec::new();
        while states.len() < self.states.len() {
            states.push(self.expand(states.len(), teacher)?);
        }
        let NodeKind::Ask(_, [bad, _]) = self.nodes[0].kind else { unreachable!("the root asks") };
        let rejecting = match self.nodes[bad].kind {
            NodeKind::Leaf(state) => state,
            NodeKind::Ask(..) => unreachable!("all bad words are alike"),
        };
        let hypothesis = WordAutomaton::new(self.alphabet.clone(), states, rejecting);
        self.hypothesis = Some(hypothesis.clone());
        Ok(hypothesis)
    }

    fn refine(&mut self, word: &[ActionId], teacher: &mut dyn MembershipOracle) -> Fallible<()> {
        let hypothesis = self.hypothesis(teacher)?;
        let access = |state: usize| self.states[state].access.clone();
        let at = breakpoint(word, &hypothesis, access, teacher)?;
        let before = hypothesis.after_word(&word[..at]);
        let mistaken = hypothesis.after(before, word[at]);
        let new = [&access(before)[..], &[word[at]]].concat();
        let suffix = self.short_suffix(&new, &access(mistaken), &word[at + 1..], teacher)?;
        self.split(mistaken, new, suffix, teacher)?;
        self.hypothesis = None;
        Ok(())
    }
}
