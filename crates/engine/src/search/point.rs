//! The position of a breadth-first search and its results so far: what is saved beside the states.

use super::expander::Moves;
use super::findings::{Finding, Findings};
use super::forms::Forms;
use super::parents::Parents;
use super::wire::{Damage, Reader, Writer};
use crate::tree::StoredId;
use resy_system::{Move, Outcome, SourcePlace, Violation, ViolationKind};
use std::time::Duration;

/// The position of a search between two expansions.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The state to expand next.
    pub next: StoredId,
    /// The end of the present level.
    pub level_end: StoredId,
    /// The distance of the present level from the initial state.
    pub depth: u64,
    pub transitions: u64,
    /// The time that the search has taken.
    pub elapsed: Duration,
    pub findings: Findings,
    pub parents: Parents,
    /// The marks of the edges.
    pub taken: Vec<bool>,
    pub forms: Forms,
}

impl Point {
    /// Appends the sections.
    pub fn write(&self, out: &mut Writer) {
        out.section("counters", |w| {
            let nanoseconds = self.elapsed.as_nanos().min(u128::from(u64::MAX)) as u64;
            let (next, level_end) = (self.next.into(), self.level_end.into());
            for number in [next, level_end, self.depth, self.transitions, nanoseconds] {
                w.number(number);
            }
        });
        out.section("findings", |w| {
            w.number(self.findings.len() as u64);
            self.findings.iter().for_each(|found| write_found(w, found));
        });
        out.section("parents", |w| {
            self.parents.notes().iter().for_each(|&parent| w.number(parent.into()));
        });
        self.forms.write(out);
        out.section("coverage", |w| w.0.extend(self.taken.iter().map(|&taken| u8::from(taken))));
    }

    /// Reads the sections; there are `n_states` states.
    pub fn read(bytes: Reader<'_>, n_states: u64) -> Result<Point, Damage> {
        let mut counters = bytes.section("counters")?;
        let next = counters.below(n_states + 1)? as StoredId;
        let level_end = counters.below(n_states.max(1) + 1)? as StoredId;
        let (depth, transitions) = (counters.number()?, counters.number()?);
        let elapsed = Duration::from_nanos(counters.number()?);
        let mut source = bytes.section("findings")?;
        let n_findings = source.number()?;
        let findings = (0..n_findings).map(|_| read_found(&mut source, n_states));
        let findings = findings.collect::<Result<_, _>>()?;
        let mut notes = bytes.section("parents")?;
        let mut parents = Vec::new();
        while !notes.0.is_empty() {
            parents.push(notes.below(n_states)? as StoredId);
        }
        let parents = Parents::from_notes(parents, n_states).ok_or("parents are missing")?;
        let taken = bytes.section("coverage")?.0.iter().map(|&mark| mark != 0).collect();
        let forms = Forms::read(bytes)?;
        Ok(Point { next, level_end, depth, transitions, elapsed, findings, parents, taken, forms })
    }
}

fn write_found(out: &mut Writer, found: &Finding) {
    write_outcome(out, &found.outcome);
    out.number(found.from.into());
    out.number(found.times);
    out.number(found.moves.len() as u64);
    for (actor, partner) in &found.moves {
        write_move(out, actor);
        out.number(u64::from(partner.is_some()));
        partner.iter().for_each(|partner| write_move(out, partner));
    }
}

fn read_found(bytes: &mut Reader<'_>, n_states: u64) -> Result<Finding, Damage> {
    let outcome = read_outcome(bytes)?;
    // A violation in the initial state is found before the state is stored.
    let from = bytes.below(n_states.max(1))? as StoredId;
    let times = bytes.number()?;
    let n_moves = bytes.number()?;
    let moves = (0..n_moves).map(|_| read_moves(bytes)).collect::<Result<_, _>>()?;
    Ok(Finding { outcome, from, moves, times })
}

fn write_move(out: &mut Writer, taken: &Move) {
    out.number(taken.pid as u64);
    out.number(taken.edge as u64);
}

fn read_move(bytes: &mut Reader<'_>) -> Result<Move, Damage> {
    Ok(Move { pid: bytes.number()? as usize, edge: bytes.number()? as usize })
}

fn read_moves(bytes: &mut Reader<'_>) -> Result<Moves, Damage> {
    let actor = read_move(bytes)?;
    let partner = if bytes.below(2)? == 1 { Some(read_move(bytes)?) } else { None };
    Ok((actor, partner))
}

fn write_outcome(out: &mut Writer, outcome: &Outcome) {
    match outcome {
        Outcome::InvalidEnd => out.number(0),
        Outcome::Claim(monitor) => [1, *monitor as u64].into_iter().for_each(|n| out.number(n)),
        Outcome::Condition(monitor, kind) => {
            [2, *monitor as u64].into_iter().for_each(|n| out.number(n));
            write_kind(out, kind);
        }
        Outcome::Violation(Violation { kind, source }) => {
            let place = [source.file, source.line, source.column].map(u64::from);
            [3].into_iter().chain(place).for_each(|n| out.number(n));
            write_kind(out, kind);
        }
    }
}

fn read_outcome(bytes: &mut Reader<'_>) -> Result<Outcome, Damage> {
    Ok(match bytes.number()? {
        0 => Outcome::InvalidEnd,
        1 => Outcome::Claim(bytes.number()? as usize),
        2 => Outcome::Condition(bytes.number()? as usize, read_kind(bytes)?),
        3 => {
            let mut next = || bytes.below(1 << 32).map(|n| n as u32);
            let source = SourcePlace { file: next()?, line: next()?, column: next()? };
            Outcome::Violation(Violation { kind: read_kind(bytes)?, source })
        }
        _ => return Err("a violation is of an unknown kind"),
    })
}

fn write_kind(out: &mut Writer, kind: &ViolationKind) {
    use ViolationKind as K;
    let signed = |n: i32| u64::from(n as u32);
    let (tag, a, b) = match kind {
        K::Assertion(_) => (0, 0, 0),
        K::Index(index, length) => (1, signed(*index), u64::from(*length)),
        K::DivisionByZero => (2, 0, 0),
        K::BlockedDStep => (3, 0, 0),
        K::EndlessDStep => (4, 0, 0),
        K::RendezvousInDStep => (5, 0, 0),
        K::NoChannel => (6, 0, 0),
        K::SendFields(these, those) => (7, *these as u64, *those as u64),
        K::ReceiveFields(these, those) => (8, *these as u64, *those as u64),
        K::PollRendezvous => (9, 0, 0),
        K::EnabledOfSelf => (10, 0, 0),
        K::Priority(priority) => (11, signed(*priority), 0),
        K::NonDeterminism => (12, 0, 0),
        K::Trace => (13, 0, 0),
        K::NoTrace => (14, 0, 0),
        K::TooManyProcesses => (15, 0, 0),
        K::NoProcess(pid) => (16, signed(*pid), 0),
        K::Unanswered => (17, 0, 0),
        K::TooLarge => (18, 0, 0),
        K::AmbiguousTrace => (19, 0, 0),
        K::Beyond => (20, 0, 0),
    };
    [tag, a, b].into_iter().for_each(|n| out.number(n));
    out.bytes(if let K::Assertion(text) = kind { text.as_bytes() } else { &[] });
}

fn read_kind(bytes: &mut Reader<'_>) -> Result<ViolationKind, Damage> {
    use ViolationKind as K;
    let (tag, a, b) = (bytes.number()?, bytes.number()?, bytes.number()?);
    let text = bytes.text()?;
    let signed = |n: u64| n as u32 as i32;
    Ok(match tag {
        0 => K::Assertion(text.to_owned()),
        1 => K::Index(signed(a), b as u32),
        2 => K::DivisionByZero,
        3 => K::BlockedDStep,
        4 => K::EndlessDStep,
        5 => K::RendezvousInDStep,
        6 => K::NoChannel,
        7 => K::SendFields(a as usize, b as usize),
        8 => K::ReceiveFields(a as usize, b as usize),
        9 => K::PollRendezvous,
        10 => K::EnabledOfSelf,
        11 => K::Priority(signed(a)),
        12 => K::NonDeterminism,
        13 => K::Trace,
        14 => K::NoTrace,
        15 => K::TooManyProcesses,
        16 => K::NoProcess(signed(a)),
        17 => K::Unanswered,
        18 => K::TooLarge,
        19 => K::AmbiguousTrace,
        20 => K::Beyond,
        _ => return Err("a violation is of an unknown kind"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> Vec<ViolationKind> {
        let numbered = (0..19).map(|tag| {
            let mut w = Writer::default();
            [tag, u64::from(-3_i32 as u32), 5].into_iter().for_each(|n| w.number(n));
            w.bytes(if tag == 0 { "x == 1 ∧ y".as_bytes() } else { &[] });
            read_kind(&mut Reader(&w.0)).expect("a kind")
        });
        numbered.collect()
    }

    fn point() -> Point {
        let mut findings = Findings::default();
        let (a, b) = (Move { pid: 3, edge: 1 }, Move { pid: 0, edge: 260 });
        findings.add(Outcome::InvalidEnd, 4, Vec::new);
        findings.add(Outcome::InvalidEnd, 9, Vec::new);
        findings.add(Outcome::Claim(2), 5, || vec![(a, None), (b, Some(a))]);
        for (i, kind) in kinds().into_iter().enumerate() {
            let source = SourcePlace { file: 1, line: i as u32, column: u32::MAX };
            findings.add(Outcome::Condition(i, kind.clone()), 0, Vec::new);
            findings.add(Outcome::Violation(Violation { kind, source }), 299, || vec![(b, None)]);
        }
        Point {
            next: 200,
            level_end: 250,
            depth: 17,
            transitions: 1 << 40,
            elapsed: Duration::from_millis(1234),
            findings,
            parents: Parents::from_notes(vec![0, 77], 300).expect("enough"),
            taken: vec![true, false, true],
            forms: Forms { made: vec![(0, 1), (1, 2), (0, 2)], learned: None },
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let point = point();
        let mut bytes = Writer::default();
        point.write(&mut bytes);
        let again = Point::read(Reader(&bytes.0), 300).expect("it is whole");
        assert_eq!(format!("{again:?}"), format!("{point:?}"));
        assert_eq!(again.findings.len(), 2 + 2 * kinds().len());
    }

    #[test]
    fn damaged_bytes_are_errors() {
        let mut bytes = Writer::default();
        point().write(&mut bytes);
        for end in 0..bytes.0.len() {
            assert!(Point::read(Reader(&bytes.0[..end]), 300).is_err(), "cut at {end}");
        }
        assert!(Point::read(Reader(&bytes.0), 100).is_err(), "more than there are states");
        assert!(Point::read(Reader(&bytes.0), 600).is_err(), "too few parents");
    }
}
