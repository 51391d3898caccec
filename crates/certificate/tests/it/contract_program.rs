//! If all changed processes meet their requirements, an exhaustive search finds no violation.

use crate::common::{change, monitors, properties};
use resy_automata::lts::{Label, Lts};
use resy_automata::network::Component;
use resy_certificate::changed::Breach;
use resy_certificate::contract::model::{self, NotJudged, Verified};
use resy_certificate::contract::{Clause, ClauseFinding, Contract, proved, text};
use resy_certificate::{Origin, OriginKind};
use resy_compose::Split;
use resy_compose::contract::{WorkBudget, agree};
use resy_compose::fold::FoldStage;
use resy_index::Id;
use resy_index::random::SplitMix;
use resy_network::{Budget, Cut, Manner, NetworkSpec, components};
use resy_system::{Interpreter, Monitors, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive;
use resy_testkit::systems::{random, system, system_of};

const BUDGET: Budget = Budget { states: 300, labels: 1_000, attempts: 20_000 };
/// The work budget for better requirements.
const WORK: usize = 100_000;
const MAX_JOINT: usize = 20_000;

/// The contract of a program, as it is read from its text.
fn contract(system: &System) -> Option<Contract> {
    let interpreter = Interpreter::new(system, Options::default());
    let (manner, monitors, properties) = (Manner::default(), monitors(system), properties(system));
    let asked = NetworkSpec { manner, monitors, properties: properties.clone(), budget: BUDGET };
    let (cut, components) = components(&interpreter, &asked, &mut |_| true).ok()?;
    // A contract does not list the local states by which components are bounded.
    if cut.manner.within {
        return None;
    }
    let derived = model::derive(&cut, &properties, &components, None, &mut || true).ok()?;
    let network = &derived.network;
    let split = Split::without_module(network).ok()?;
    let agreement = agree(network, &split, |stage| match stage {
        FoldStage::Refining(progress) => progress.steps < 100 && progress.n_contexts < 5_000,
        FoldStage::Folding(progress) => progress.n_states < 5_000,
    });
    let order: Vec<usize> = (0..network.components.len()).collect();
    let work = || WorkBudget::new(WORK, |_| true);
    let agreement = agreement.ok()?.merged(&split, &order, &mut work());
    let agreement = agreement.widened(&order, &mut work());
    let actions: Vec<String> = network.actions.iter().map(|a| a.name.clone()).collect();
    let live = model::live(&components);
    let named = network.components.iter().zip(&agreement.requirements);
    let clause =
        |(c, requirement): (&Component, &Lts)| Clause::new(&c.name, requirement, &[], &actions);
    let contract = Contract {
        property: "all".to_owned(),
        settings: resy_certificate::model::settings(&cut.manner),
        signatures: live.iter().map(|&action| components.signatures[action].clone()).collect(),
        clauses: named.map(clause).collect(),
        actions: actions.clone(),
        monitor: network.monitor.clone()?,
        premises: agreement.premises.clone(),
    };
    let written = text::write(&model::sealed(contract, &derived));
    let contract = text::read(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(text::write(&contract), written);
    proved(&contract, MAX_JOINT, &mut |_| true).ok()?;
    Some(contract)
}

fn verify(contract: &Contract, system: &System) -> Result<Verified, NotJudged> {
    let refused = |what: String| NotJudged::Refused(what);
    let settings = contract.settings.clone();
    let origin =
        Origin::new(OriginKind::Promela, String::new(), Vec::new(), settings, String::new());
    let manner = resy_certificate::model::manner(&origin).expect("it was written");
    let interpreter = Interpreter::new(system, Options::default());
    let plain = Manner { slots: manner.slots.clone(), ..Manner::default() };
    let plain = Cut::of(interpreter.clone(), monitors(system), &plain);
    let plain = plain.map_err(|refusal| refused(refusal.to_string()))?;
    let manner = model::manner_for(contract, manner, &plain);
    if !plain.permits(&manner) {
        return Err(refused("it cannot be cut so".to_owned()));
    }
    let cut = Cut::of(interpreter, monitors(system), &manner);
    let cut = cut.map_err(|refusal| refused(refusal.to_string()))?;
    model::verify(contract, &cut, &properties(system), BUDGET, &mut |_| true)
}

/// Whether a search of all states finds no violation; `None` if there are many states.
fn is_safe(system: &System) -> Option<bool> {
    let interpreter = Interpreter::new(system, Options::default());
    naive::is_safe(&interpreter, &Monitors::new(monitors(system)), 10_000)
}

/// Changes processes of a program some times, and asks whether they keep to their contracts.
fn tally(system: &System, seed: u64) -> Tally {
    let (mut tally, mut numbers) = (Tally::default(), SplitMix(seed));
    let Some(contract) = contract(system) else { return tally };
    tally.count("contracts", 1);
    let same = verify(&contract, system).expect("the same program is judged");
    let is_same = |(clause, finding): (&Clause, &ClauseFinding)| match clause.seal {
        Some(_) => *finding == ClauseFinding::Unchanged,
        None => *finding == ClauseFinding::Keeps,
    };
    let mut findings = contract.clauses.iter().zip(&same.judged.findings);
    assert!(findings.all(is_same), "nothing has changed");
    for _ in 0..8 {
        let mut new = system.clone();
        let mut n_changed = 0;
        for pid in 0..system.instances.len().min(3) {
            let is_chosen = numbers.below(2) == 0;
            let is_changed = is_chosen && change(&mut new, pid, &mut numbers).is_some();
            n_changed += usize::from(is_changed);
        }
        if n_changed == 0 {
            continue;
        }
        let Ok(verified) = verify(&contract, &new) else {
            tally.count("refused", 1);
            continue;
        };
        let safe = is_safe(&new);
        tally.count("unsafe", usize::from(safe == Some(false)));
        if !verified.judged.is_kept() {
            tally.count("broken", 1);
            continue;
        }
        let kind = if n_changed == 1 { "safe, one changed" } else { "safe, several changed" };
        tally.count(kind, usize::from(safe.is_some()));
        assert_ne!(safe, Some(false), "it is accepted");
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| {
    let seed = fixture.name.bytes().map(u64::from).sum();
    tally(&system_of(fixture), seed)
});
resy_testkit::each_model!(what_is_kept_is_safe, crate::contract_program::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

#[test]
fn what_is_kept_is_safe_on_random_programs() {
    let programs = (0..).zip(random(0..200)).map(|(seed, (name, s))| (name, (s, seed)));
    let mut total = Tally::sum(programs, |(system, seed)| tally(system, *seed));
    total.add("models", &OUTCOMES.total());
    for (kind, at_least) in [
        ("contracts", 150),
        ("unsafe", 40),
        ("safe, one changed", 200),
        ("safe, several changed", 100),
        ("broken", 80),
    ] {
        assert!(total.n(kind) > at_least, "{kind}: {total:?}");
    }
}

const LOCK: &str = "
bit lock; bit busy; byte limit = 3;
active proctype P() {
    byte n;
    do
    :: atomic { lock == 0 -> lock = 1 }; busy = 1; busy = 0; lock = 0
    :: n < limit -> n++
    od
}
active proctype Q() {
    do
    :: atomic { lock == 0 -> lock = 1 }; assert(busy == 0); busy = 1; busy = 0; lock = 0
    od
}
ltl kept { [](busy -> lock) }
";

/// The findings for P, Q and the objects after some changes.
fn answer(changes: &[(&str, &str)]) -> Result<Vec<ClauseFinding>, NotJudged> {
    let contract = contract(&system(LOCK)).expect("it holds");
    let mut text = LOCK.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    verify(&contract, &system(&text)).map(|verified| verified.judged.findings)
}

#[test]
fn changes_of_a_lock() {
    let kept = |changes: &[(&str, &str)]| answer(changes).map(|f| (f[0].clone(), f[1].clone()));
    assert_eq!(kept(&[]), Ok((ClauseFinding::Unchanged, ClauseFinding::Unchanged)));
    // Lines and comments are not code.
    let comment = ("active proctype P", "/* more\n lines */\nactive proctype P");
    assert_eq!(kept(&[comment]), Ok((ClauseFinding::Unchanged, ClauseFinding::Unchanged)));
    let waits = ("busy = 0; lock = 0\n    ::", "busy = 0; skip; n = 2; lock = 0\n    ::");
    assert_eq!(kept(&[waits]), Ok((ClauseFinding::Keeps, ClauseFinding::Unchanged)));
    let asserts_twice = ("assert(busy == 0);", "assert(busy == 0); assert(busy == 0);");
    assert_eq!(kept(&[waits, asserts_twice]), Ok((ClauseFinding::Keeps, ClauseFinding::Keeps)));
    // Constants are part of the code.
    assert_eq!(
        kept(&[("limit = 3", "limit = 4")]),
        Ok((ClauseFinding::Keeps, ClauseFinding::Keeps))
    );

    let hasty = ("busy = 0; lock = 0\n    ::", "lock = 0; busy = 0\n    ::");
    let found = answer(&[hasty]).expect("it is judged");
    assert!(matches!(&found[0], ClauseFinding::Breaks(f) if f.why == Breach::NotAllowed));
    assert_eq!(found[1], ClauseFinding::Unchanged);
    let found = answer(&[("busy = 1; busy", "busy = lock + 1; busy")]).expect("it is judged");
    assert!(matches!(&found[0], ClauseFinding::Breaks(f) if f.why == Breach::NotKnown));

    for (from, to, reason) in [
        ("[](busy -> lock)", "[](busy -> !lock)", "property"),
        ("active proctype Q", "active [2] proctype Q", "new"),
        ("active proctype Q", "proctype Q", "missing"),
    ] {
        let Err(NotJudged::Refused(what)) = answer(&[(from, to)]) else { panic!("{to}") };
        assert!(what.contains(reason), "{what}");
    }
    // An object with another initial value has changed.
    let found = answer(&[("bit busy;", "bit busy = 1;")]);
    let breaks = |f: &ClauseFinding| matches!(f, ClauseFinding::Breaks(_));
    assert!(found.is_err() || found.is_ok_and(|findings| findings.iter().any(breaks)));
}

/// A contract is not trusted: however it is edited by hand, no unsafe program is accepted.
#[test]
fn contracts_that_were_changed_by_hand() {
    let program = system(LOCK);
    let hasty = system(&LOCK.replacen("busy = 0; lock = 0", "lock = 0; busy = 0", 1));
    assert_eq!(is_safe(&hasty), Some(false));
    let written = text::write(&contract(&program).expect("it holds"));
    let lines: Vec<&str> = written.lines().collect();
    let without = |skipped: usize| {
        let left = lines.iter().enumerate().filter(|(i, _)| *i != skipped).map(|(_, line)| *line);
        left.collect::<Vec<_>>().join("\n")
    };
    let digits = written.char_indices().filter(|(_, c)| c.is_ascii_digit());
    let with_digit = |(at, _): (usize, char), digit: &str| {
        let mut damaged = written.clone();
        damaged.replace_range(at..=at, digit);
        damaged
    };
    let damaged = (0..lines.len()).map(without);
    let damaged = damaged.chain(digits.flat_map(|d| ["0", "1", "2"].map(|new| with_digit(d, new))));
    let (mut n_malformed, mut n_unproved, mut n_broken, mut n_accepted) = (0, 0, 0, 0);
    let is_kept = |contract: &Contract, program: &System| {
        verify(contract, program).is_ok_and(|verified| verified.judged.is_kept())
    };
    for damaged in damaged {
        match text::read(&damaged) {
            Err(_) => n_malformed += 1,
            Ok(contract) if proved(&contract, MAX_JOINT, &mut |_| true).is_err() => n_unproved += 1,
            Ok(contract) => {
                assert!(!is_kept(&contract, &hasty), "{damaged}");
                let count =
                    if is_kept(&contract, &program) { &mut n_accepted } else { &mut n_broken };
                *count += 1;
            }
        }
    }
    eprintln!(
        "{n_malformed} malformed, {n_unproved} unproved, {n_broken} broken, {n_accepted} fine"
    );
    assert!(n_malformed > 20 && n_unproved > 5 && n_broken > 20 && n_accepted > 20);
}

/// A seal is no evidence: whoever knows the code can compute it.
#[test]
fn a_forged_seal_is_not_believed() {
    let contract = contract(&system(LOCK)).expect("it holds");
    let hasty = system(&LOCK.replacen("busy = 0; lock = 0", "lock = 0; busy = 0", 1));
    assert_eq!(is_safe(&hasty), Some(false));
    let interpreter = Interpreter::new(&hasty, Options::default());
    let (manner, monitors, properties) = (Manner::default(), monitors(&hasty), properties(&hasty));
    let asked = NetworkSpec { manner, monitors, properties: properties.clone(), budget: BUDGET };
    let (cut, components) = components(&interpreter, &asked, &mut |_| true).expect("a network");
    let derived = model::derive(&cut, &properties, &components, None, &mut || true);
    let forged = model::sealed(contract.clone(), &derived.expect("it is closed"));
    assert_ne!(forged.clauses[0].seal, contract.clauses[0].seal);
    let forged = text::read(&text::write(&forged)).expect("it is well-formed");
    assert!(proved(&forged, MAX_JOINT, &mut |_| true).is_ok());
    let found = verify(&forged, &hasty).expect("it is judged").judged.findings;
    assert!(matches!(found[0], ClauseFinding::Breaks(_)), "{found:?}");
}

/// The run of a broken contract is one of the process alone.
#[test]
fn a_broken_contract_names_the_action() {
    let contract = contract(&system(LOCK)).expect("it holds");
    let text = LOCK.replacen("atomic { lock == 0 -> lock = 1 };", "", 1);
    let verified = verify(&contract, &system(&text)).expect("it is judged");
    let ClauseFinding::Breaks(forbidden) = &verified.judged.findings[0] else {
        panic!("it breaks")
    };
    let Label::Visible(action) = forbidden.last.label else { panic!("it is seen") };
    let called = &verified.called[action.index()];
    assert!(called.name.starts_with("P: busy:=1"), "{called:?}");
    assert_eq!(called.places[0].line, 6);
}
