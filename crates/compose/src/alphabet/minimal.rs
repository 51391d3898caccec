//! T3: a smallest alphabet that eliminates all false conflicts so far, by implicit hitting sets.
//!
//! A false conflict leaves an obstacle: a word over the whole interface, and the side that must be
//! unable to follow it. An alphabet eliminates an obstacle if that side cannot follow the word's
//! projection. A larger alphabet eliminates at least as much, so a set of letters that does not
//! eliminate an obstacle can be grown until it is maximal; one of the remaining letters is needed. The
//! letters needed so far form clauses, whose smallest hitting set is tried next.
//!
//! The last alphabet is a smallest with which the rule can be applied at all, because every such
//! alphabet eliminates all obstacles. It may lose letters on the way.

use super::hitting::smallest_hitting_set;
use crate::cancellation::Cancellation;
use crate::learn::Conflict;
use crate::sides::{
    EnvironmentSide, EnvironmentSystems, Fallible, ModuleSide, SplitModule, Word, interface,
    project,
};
use crate::split::Split;
use resy_automata::lts::Alphabet;

/// The obstacles so far, and the clauses that follow from them.
#[derive(Default)]
pub(crate) struct Obstacles {
    words: Vec<Obstacle>,
    clauses: Vec<Alphabet>,
}

/// A word that one side must be unable to follow.
pub(crate) struct Obstacle {
    pub word: Word,
    pub side: Side,
}

/// The side that must be unable to follow a word.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// It would follow into an error.
    Environment,
    Module,
}

impl Obstacle {
    /// Whether the side cannot follow the word with this alphabet.
    pub(crate) fn is_eliminated(
        &self,
        alphabet: &Alphabet,
        environment: &mut EnvironmentSide<'_>,
        module: &mut dyn ModuleSide,
    ) -> Fallible<bool> {
        let letters = self.word.iter().copied().filter(|&action| alphabet.contains(action));
        let word: Word = letters.collect();
        let trace = match self.side {
            Side::Environment => environment.along(&word, alphabet)?,
            Side::Module => module.along(&word, alphabet)?,
        };
        Ok(trace.is_none())
    }
}

impl Obstacles {
    /// Adds what a false conflict leaves.
    pub(crate) fn add(&mut self, conflict: &Conflict, interface: &Alphabet) {
        let (trace, side) = match conflict.is_positive {
            true => (&conflict.module, Side::Environment),
            false => (&conflict.error, Side::Module),
        };
        self.words.push(Obstacle { word: project(trace, interface), side });
    }

    /// A smallest alphabet that eliminates all obstacles.
    pub(crate) fn smallest_alphabet(
        &mut self,
        environment: &mut EnvironmentSide<'_>,
        module: &mut dyn ModuleSide,
    ) -> Fallible<Alphabet> {
        loop {
            let alphabet = smallest_hitting_set(&self.clauses);
            match self.needed(&alphabet, environment, module)? {
                Some(clause) => self.clauses.push(clause),
                None => return Ok(alphabet),
            }
        }
    }

    /// Letters of which one is needed, if an alphabet does not eliminate all obstacles.
    fn needed(
        &self,
        alphabet: &Alphabet,
        environment: &mut EnvironmentSide<'_>,
        module: &mut dyn ModuleSide,
    ) -> Fallible<Option<Alphabet>> {
        for obstacle in &self.words {
            if obstacle.is_eliminated(alphabet, environment, module)? {
                continue;
            }
            let interface = environment.interface().clone();
            let mut grown = alphabet.clone();
            for letter in interface.without(alphabet).iter() {
                let wider = grown.iter().chain([letter]).collect();
                if !obstacle.is_eliminated(&wider, environment, module)? {
                    grown = wider;
                }
            }
            return Ok(Some(interface.without(&grown)));
        }
        Ok(None)
    }
}

/// The size of a smallest alphabet with which the rule can be applied, from the definition: all
/// subsets of the interface are tried. `None` if the network is not safe. For tests.
pub fn naive_minimal(split: &Split) -> Option<usize> {
    let cancellation = Cancellation::new(|| true);
    let letters: Vec<_> = interface(split).iter().collect();
    let systems = EnvironmentSystems::of(split);
    let subsets = (0..1_usize << letters.len()).map(|bits| {
        let chosen = letters.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
        chosen.map(|(_, &letter)| letter).collect::<Alphabet>()
    });
    let can_be_applied = |alphabet: &Alphabet| {
        let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
        let mut module = SplitModule::new(&split.module, &cancellation);
        crate::weakest::is_enough(alphabet, &mut environment, &mut module)
    };
    subsets.filter(|alphabet| can_be_applied(alphabet) == Ok(true)).map(|a| a.len()).min()
}
