//! Safety formulas, and their bad prefixes.
//!
//! A property is a *safety* property if each word that violates it has a bad prefix, one that no
//! continuation can repair; that is, if it is equal to its closure (Alpern and Schneider,
//! *Recognizing safety and liveness*, 1987). So φ is a safety formula iff the closure of its
//! automaton has no word in common with the automaton of ¬φ; this needs no complementation.

use super::FormulaTooLarge;
use super::automaton::BuchiAutomaton;
use super::formula::TemporalFormula;
use super::label::LiteralSet;
use super::tableau::translate_both;
use resy_index::Id;

/// What kind of property a formula is.
#[derive(Clone, Debug)]
pub enum SafetyClass {
    /// Each violation has a bad prefix.
    Safety(BadPrefixes),
    /// Some violation can only be seen on an infinite word.
    Liveness,
}

/// Decides whether a formula is a safety formula. Its propositions count as independent of each
/// other.
pub fn classify(formula: &TemporalFormula) -> Result<SafetyClass, FormulaTooLarge> {
    let (yes, no) = translate_both(formula)?;
    let closure = yes.closure().quotient();
    // Without marks an automaton is its own closure.
    let is_safety = yes.marks == 0 || closure.product(&no)?.is_empty();
    if !is_safety {
        return Ok(SafetyClass::Liveness);
    }
    BadPrefixes::of_closure(&closure).map(SafetyClass::Safety)
}

/// Recognises the bad prefixes of a safety formula: a set of automaton states, at
/// most 64, is moved along the word; the prefix is bad iff the set becomes empty.
#[derive(Clone, Debug)]
pub struct BadPrefixes {
    initial: u64,
    edges: Vec<Vec<(LiteralSet, u32)>>,
    /// States from which every word can be read.
    lasting: u64,
}

impl BadPrefixes {
    fn of_closure(closure: &BuchiAutomaton) -> Result<Self, FormulaTooLarge> {
        if closure.edges.len() > u64::BITS as usize {
            return Err(FormulaTooLarge::BadPrefixes);
        }
        let initial = closure.initial.iter().fold(0, |set, s| set | 1 << s.index());
        let out = |edges: &Vec<super::BuchiEdge>| {
            edges.iter().map(|e| (e.label, e.target.index() as u32)).collect()
        };
        let edges: Vec<Vec<(LiteralSet, u32)>> = closure.edges.iter().map(out).collect();
        let lasting = lasting(&edges);
        Ok(Self { initial, edges, lasting })
    }

    /// The set before the first letter.
    pub fn initial(&self) -> u64 {
        self.initial
    }

    /// The set after a letter.
    pub fn step(&self, set: u64, letter: u64) -> u64 {
        let edges = ones(set).flat_map(|s| &self.edges[s]);
        edges.filter(|(label, _)| label.allows(letter)).fold(0, |set, (_, t)| set | 1 << t)
    }

    /// Whether the word so far is a bad prefix.
    pub fn is_bad(&self, set: u64) -> bool {
        set == 0
    }

    /// Whether no continuation of this set is bad. The test is incomplete: sets whose states only
    /// together read every word are not recognised.
    pub fn is_settled(&self, set: u64) -> bool {
        set & self.lasting != 0
    }

    /// Whether some set is settled.
    pub fn can_settle(&self) -> bool {
        self.lasting != 0
    }

    /// The propositions that the next step from this set reads.
    pub fn looks_at(&self, set: u64) -> u64 {
        let edges = ones(set).flat_map(|s| &self.edges[s]);
        edges.fold(0, |all, (label, _)| all | label.yes | label.no)
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }
}

/// The states with an unconditional edge to such a state: from them on, the set is never empty.
fn lasting(edges: &[Vec<(LiteralSet, u32)>]) -> u64 {
    let mut lasting = u64::MAX;
    loop {
        let lasts = |state: &Vec<(LiteralSet, u32)>| {
            state.iter().any(|(label, t)| *label == LiteralSet::ANY && lasting >> t & 1 == 1)
        };
        let next = (0..edges.len()).filter(|&s| lasts(&edges[s])).fold(0, |set, s| set | 1 << s);
        if next == lasting {
            return lasting;
        }
        lasting = next;
    }
}

/// The positions of the bits that are set.
fn ones(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < u64::BITS as usize).then_some(bit)
    })
}
