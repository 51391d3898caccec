//! What the papers claim, counted on our rows.

use super::engine::{Measured, PeerEngine};
use resy_compose::agar::AgarEdges;
use resy_compose::alphabet::AlphabetChoice::{AllDiff, Backward, Forward, Minimal, Whole};
use resy_compose::alphabet::AlphabetStart::{Empty, Property};
use std::fmt::Write;

/// A claim that one engine is no worse than another in some measure.
struct Claim {
    text: &'static str,
    source: &'static str,
    one: PeerEngine,
    other: PeerEngine,
    measure: Measure,
    /// Why it is so, or is not.
    reason: &'static str,
}

/// What is compared; less is better.
#[derive(Copy, Clone)]
enum Measure {
    States,
    Seconds,
    Words,
    Hypotheses,
    Letters,
}

const TABLE: PeerEngine = PeerEngine::Table(Whole, Property, false);
const BETTER: PeerEngine = PeerEngine::Table(Whole, Property, true);
const BACKWARD: PeerEngine = PeerEngine::Table(Backward, Property, false);
const FORWARD: PeerEngine = PeerEngine::Table(Forward, Property, false);
const ALL_DIFF: PeerEngine = PeerEngine::Table(AllDiff, Property, false);
const AGAR: PeerEngine = PeerEngine::Agar(AgarEdges::Closure, Whole);
const AGAR_BACKWARD: PeerEngine = PeerEngine::Agar(AgarEdges::Closure, Backward);
const SMALLEST: PeerEngine = PeerEngine::Tree(Minimal, Empty);
const TREE_BACKWARD: PeerEngine = PeerEngine::Tree(Backward, Empty);

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("Alphabet refinement makes assumptions no larger than L* over the whole interface", "TACAS 2007, table 1", BACKWARD, TABLE, Measure::States,
        "a smaller alphabet tells fewer words apart"),
    claim("Alphabet refinement takes no more time than L*", "TACAS 2007, table 1", BACKWARD, TABLE, Measure::Seconds,
        "a round over few letters is cheap; where the interface is small, starting again costs more than it saves"),
    claim("Backward is no larger than forward", "TACAS 2007, section 6", BACKWARD, FORWARD, Measure::States,
        "the last difference is close to the error"),
    claim("Backward is no larger than all differences", "TACAS 2007, section 6", BACKWARD, ALL_DIFF, Measure::States,
        "it adds two letters at most"),
    claim("AGAR is no larger than L*", "CAV 2008, table 1", AGAR, TABLE, Measure::States,
        "an abstraction may be non-deterministic, and follows the module"),
    claim("AGAR takes no more time than L*", "CAV 2008, table 1", AGAR, TABLE, Measure::Seconds,
        "there are no membership queries"),
    claim("AGAR with alphabet refinement is no larger than AGAR", "CAV 2008, table 1", AGAR_BACKWARD, AGAR, Measure::States,
        "fewer letters can be told apart"),
    claim("AGAR with alphabet refinement is no larger than L* with it", "CAV 2008, table 1", AGAR_BACKWARD, BACKWARD, Measure::States,
        "as without it; the published tables have exceptions, too"),
    claim("T1 needs no more candidate queries", "Chaki, Strichman 2007, figure 6", BETTER, TABLE, Measure::Hypotheses,
        "a counterexample is used up before the next hypothesis"),
    claim("T2 needs no more membership queries", "Chaki, Strichman 2007, figure 6", BETTER, TABLE, Measure::Words,
        "what the environment cannot follow is good"),
    claim("T3 has no larger alphabet than backward from the empty one", "Chaki, Strichman 2007, section 5", SMALLEST, TREE_BACKWARD, Measure::Letters,
        "it is a smallest one"),
    claim("T3 takes no more time than backward", "not claimed: in figure 6 it costs time", SMALLEST, TREE_BACKWARD, Measure::Seconds,
        "it has more rounds, and solves a hitting set in each"),
    claim("A plain check of the product takes no more time than L* with backward", "TACAS 2007, table 2, up to k = 4", PeerEngine::Product, BACKWARD, Measure::Seconds,
        "the product of these models is smaller than the environment with the property"),
];

const fn claim(
    text: &'static str,
    source: &'static str,
    one: PeerEngine,
    other: PeerEngine,
    measure: Measure,
    reason: &'static str,
) -> Claim {
    Claim { text, source, one, other, measure, reason }
}

impl Measure {
    fn of(self, measured: &Measured) -> f64 {
        let (words, hypotheses) = measured.queries.unwrap_or_default();
        match self {
            Self::States => measured.states as f64,
            Self::Seconds => measured.elapsed.as_secs_f64(),
            Self::Words => words as f64,
            Self::Hypotheses => hypotheses as f64,
            Self::Letters => measured.letters as f64,
        }
    }
}

/// The list of claims, with the rows in which they are true. A row counts if the first engine decides it; an engine that
/// has reached the limit is worse than any other.
pub(super) fn claims(rows: &[&[Measured]], text: &mut String) {
    *text += "## Claims of the papers\n\n| claim | source | true in | confirmed | reason |\n|---|---|--:|---|---|\n";
    for claim in CLAIMS {
        let of = |results: &[Measured], engine| {
            results.iter().find(|measured: &&Measured| measured.engine == engine).cloned()
        };
        let both: Vec<bool> = rows
            .iter()
            .filter_map(|results| Some((of(results, claim.one)?, of(results, claim.other)?)))
            .filter(|(one, other)| one.holds() || other.holds())
            .map(|(one, other)| match (one.holds(), other.holds()) {
                (true, true) => claim.measure.of(&one) <= claim.measure.of(&other),
                (decided, _) => decided,
            })
            .collect();
        let (n_true, n) = (both.iter().filter(|&&is| is).count(), both.len());
        let confirmed = match n_true {
            _ if n_true == n => "yes",
            _ if n_true * 10 >= n * 9 => "mostly",
            _ if n_true * 2 >= n => "in part",
            _ => "no",
        };
        let Claim { text: claim, source, reason, .. } = claim;
        let _ = writeln!(text, "| {claim} | {source} | {n_true} of {n} | {confirmed} | {reason} |");
    }
    *text += "\n";
}
