//! Contracts: components that meet requirements proved together are safe, however many have
//! changed.

use crate::common::changes::{changed, related, with_new_action};
use crate::common::{Random, cases, is_safe, network, state, visible};
use proptest::prelude::*;
use resy_automata::lts::{Alphabet, Lts, LtsBuilder};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_certificate::About;
use resy_certificate::changed::Surroundings;
use resy_certificate::contract::{
    Clause, ClauseFinding, Contract, ContractRefusal, JudgedContract, NotProved, Premise,
    PremisePart, judge, proved, text,
};
use resy_compose::contract::{Agreement, WorkBudget, agree, folded};
use resy_compose::minimize::minimize;
use resy_compose::{Conclusion, Split, exact};
use resy_index::random::SplitMix;
use resy_index::{Id, IndexVec};
use resy_testkit::damage::damaged;
use std::time::Duration;

const LIMIT: usize = 1_000_000;

/// The contract with these requirements. Every component is one that may change.
fn contract(network: &Network, requirements: &[Lts], premises: Vec<Premise>) -> Contract {
    let actions: Vec<String> = network.actions.iter().map(|a| a.name.clone()).collect();
    let named = network.components.iter().zip(requirements);
    let clause = |(c, lts): (&Component, &Lts)| Clause {
        seal: Some(0),
        ..Clause::new(&c.name, lts, &[], &actions)
    };
    Contract {
        property: "monitor".to_owned(),
        settings: Vec::new(),
        signatures: actions.clone(),
        clauses: named.map(clause).collect(),
        actions,
        monitor: network.monitor.clone().unwrap(),
        premises,
    }
}

/// The contract of a network that holds, with the requirements as they are found or made smaller.
fn joint(network: &Network, is_merged: bool) -> Option<Contract> {
    let split = Split::without_module(network).unwrap();
    improved(network, &split, agree(network, &split, |_| true).ok()?, is_merged)
}

/// The same, by folding.
fn folded(network: &Network, is_merged: bool) -> Option<Contract> {
    let split = Split::without_module(network).unwrap();
    improved(network, &split, folded::agree(network, &split, |_| true).ok()?, is_merged)
}

fn improved(
    network: &Network,
    split: &Split,
    mut agreement: Agreement,
    is_merged: bool,
) -> Option<Contract> {
    if is_merged {
        let order: Vec<usize> = (0..network.components.len()).collect();
        let work = &mut WorkBudget::new(usize::MAX, |_| true);
        agreement = agreement.merged(split, &order, work).widened(&order, work);
    }
    Some(contract(network, &agreement.requirements, agreement.premises))
}

/// Requirements that were found one by one, each against the others as they are.
fn one_by_one(network: &Network) -> Option<Contract> {
    let requirement = |i: usize| {
        let network = Network { module: vec![Id::from_index(i)], ..network.clone() };
        let split = Split::of(&network, LIMIT).ok()?;
        let found = exact::synthesize(&split, LIMIT).ok()?;
        let mut prover = exact::prover(&split, LIMIT).ok()?;
        let holds = found.verdict == Conclusion::Holds;
        holds.then(|| minimize(&split.module.lts, &found, |lts| Some(prover(lts))).lts().clone())
    };
    let all = 0..network.components.len();
    let requirements: Option<Vec<Lts>> = all.clone().map(requirement).collect();
    let premise = Premise::of(About::All, all);
    Some(contract(network, &requirements?, vec![premise]))
}

/// The network in which some components have changed, at least one; and which.
fn with_changes(network: &Network, random: &mut Random) -> (Network, Vec<bool>) {
    let mut new = with_new_action(network);
    let n = network.components.len();
    let mut is_changed: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
    is_changed[random.below(n)] = true;
    for i in (0..n).filter(|&i| is_changed[i]) {
        let component = &mut new.components[Id::from_index(i)];
        component.lts = changed(&component.lts, network.actions.len(), random);
    }
    (Network::new(new.actions, new.components, new.monitor, Vec::new()), is_changed)
}

/// Whether all components keep to their requirements, from the definition.
fn all_related(contract: &Contract, network: &Network, idling: bool) -> bool {
    let alphabets = |of: usize| {
        let others = (0..contract.clauses.len()).filter(move |&i| i != of);
        others.flat_map(|i| {
            let now = network.components[Id::from_index(i)].lts.alphabet();
            now.iter().chain(contract.clauses[i].requirement.alphabet().iter())
        })
    };
    let alive: Alphabet = network.components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
    contract.clauses.iter().enumerate().all(|(i, clause)| {
        let rest = Surroundings {
            n_actions: contract.actions.len(),
            environment: alphabets(i).collect(),
            monitor: contract.monitor.lts.alphabet().clone(),
        };
        let lts = &network.components[Id::from_index(i)].lts;
        let dead = clause.requirement.alphabet().without(&alive);
        let lts = lts.relabelled(lts.alphabet().union(&dead), |label| label);
        related(&clause.requirement, &rest, &lts, idling)
    })
}

fn judged(contract: &Contract, network: &Network) -> Result<JudgedContract, ContractRefusal> {
    judge(contract, network, &mut || true).map(|judged| judged.expect("nothing cancels it"))
}

fn is_kept(contract: &Contract, network: &Network) -> bool {
    judged(contract, network).is_ok_and(|judged| judged.is_kept())
}

/// All `n` components in random order, some of them joined.
fn joins(n: usize, random: &mut Random) -> Vec<PremisePart> {
    let mut left: Vec<usize> = (0..n).collect();
    let (mut parts, mut n_left) = (Vec::new(), 0);
    while !left.is_empty() || n_left > 1 && random.below(4) > 0 {
        if n_left > 1 && random.below(2) == 0 || left.is_empty() {
            parts.push(PremisePart::Joined);
            n_left -= 1;
        } else {
            parts.push(PremisePart::Clause(left.swap_remove(random.below(left.len()))));
            n_left += 1;
        }
    }
    parts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200)))]

    #[test]
    fn what_is_kept_is_safe(
        seed in any::<u64>(), size in 1..=10usize, is_merged in any::<bool>(), is_folded in any::<bool>()
    ) {
        let network = network(seed, size);
        let found = if is_folded { folded(&network, is_merged) } else { joint(&network, is_merged) };
        let Some(contract) = found else {
            prop_assert!(!is_safe(&network));
            return Ok(());
        };
        prop_assert!(proved(&contract, LIMIT, &mut |_| true).is_ok());
        let judged = judged(&contract, &network).unwrap();
        prop_assert!(judged.findings.iter().all(|finding| *finding == ClauseFinding::Keeps));
        let mut random = Random::new(seed);
        for _ in 0..10 {
            let (new, _) = with_changes(&network, &mut random);
            let kept = is_kept(&contract, &new);
            prop_assert_eq!(kept, all_related(&contract, &new, true));
            prop_assert!(!kept || is_safe(&new));
        }
    }

    /// Joined in any order, the requirements prove the same.
    #[test]
    fn joins_change_no_verdict(seed in any::<u64>(), size in 1..=10usize) {
        let network = network(seed, size);
        let components: Vec<Lts> = network.components.iter().map(|c| c.lts.clone()).collect();
        let mut random = Random::new(seed);
        let mut whole = contract(&network, &components, Vec::new());
        whole.premises = vec![Premise { about: About::All, parts: joins(components.len(), &mut random) }];
        let proof = proved(&whole, LIMIT, &mut |_| true);
        prop_assert_eq!(proof.is_ok(), is_safe(&network), "{:?}", proof);
    }

    #[test]
    fn what_is_written_can_be_read(seed in any::<u64>(), size in 1..=8usize) {
        let network = network(seed, size);
        let found = if seed % 2 == 0 { joint(&network, true) } else { folded(&network, true) };
        let Some(contract) = found else { return Ok(()) };
        let written = text::write(&contract);
        let found = text::read(&written).unwrap();
        prop_assert_eq!(&text::write(&found), &written);
        prop_assert_eq!(&found.clauses, &contract.clauses);
        prop_assert_eq!(&found.premises, &contract.premises);
        let size = |contract: &Contract| proved(contract, LIMIT, &mut |_| true).map(|joint| joint.n_states);
        prop_assert_eq!(size(&found), size(&contract));
        prop_assert!(judged(&found, &network).unwrap().is_kept());
    }
}

/// The text has no line for an action by which the monitor always stays. Two networks in which such
/// an action made the joint proof larger before it was written than afterwards.
#[test]
fn idle_actions_of_a_monitor_cost_nothing() {
    for (seed, size) in [(6_255_512_660_746_896_377, 8), (3_905_741_850_492_625_759, 5)] {
        let contract = folded(&network(seed, size), true).expect("it holds");
        let found = text::read(&text::write(&contract)).expect("it was written");
        assert_ne!(found.monitor.lts.alphabet(), contract.monitor.lts.alphabet(), "{seed}");
        let size = |contract| proved(contract, LIMIT, &mut |_| true);
        assert_eq!(size(&found), size(&contract), "{seed}");
    }
}

/// However its text is damaged, a contract accepts exactly what the definition accepts, and nothing
/// unsafe.
#[test]
fn damaged_texts_of_contracts() {
    let (mut n_malformed, mut n_unproved, mut n_broken, mut n_kept) = (0, 0, 0, 0);
    for seed in 0..100 {
        let network = network(seed, 6);
        let Some(original) = joint(&network, seed % 2 == 0) else { continue };
        let (new, _) = with_changes(&network, &mut Random::new(seed));
        let written = text::write(&original);
        let mut random = SplitMix(seed);
        for _ in 0..50 {
            let damaged = String::from_utf8_lossy(&damaged(&written, &mut random)).into_owned();
            let Ok(contract) = text::read(&damaged) else {
                n_malformed += 1;
                continue;
            };
            if proved(&contract, LIMIT, &mut |_| true).is_err() {
                n_unproved += 1;
                continue;
            }
            for network in [&network, &new] {
                let Ok(derived) =
                    resy_certificate::contract::network::derive(network, Some(&contract))
                else {
                    n_broken += 1;
                    continue;
                };
                let kept = judged(&contract, &derived.network).is_ok_and(|judged| judged.is_kept());
                assert!(!kept || is_safe(network), "seed {seed}:\n{damaged}");
                // The definition knows the components by their positions.
                let names =
                    |c: &Contract| c.clauses.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
                if kept && names(&contract) == names(&original) {
                    assert!(all_related(&contract, &derived.network, true), "{seed}:\n{damaged}");
                }
                *(if kept { &mut n_kept } else { &mut n_broken }) += 1;
            }
        }
    }
    println!("{n_malformed} malformed, {n_unproved} unproved, {n_broken} broken, {n_kept} kept");
    assert!(n_malformed > 500 && n_unproved > 20 && n_broken > 100 && n_kept > 100);
}

/// Time decides nothing: the callback that may cancel can take a long time to answer.
#[test]
fn work_is_counted_and_not_timed() {
    let mut sizes = Vec::new();
    for seed in 0..20 {
        let network = network(seed, 8);
        let split = Split::without_module(&network).unwrap();
        let Ok(found) = agree(&network, &split, |_| true) else { continue };
        let order: Vec<usize> = (0..network.components.len()).collect();
        let better = |amount: usize, pause: Duration| {
            let mut work = WorkBudget::new(amount, |_| {
                std::thread::sleep(pause);
                true
            });
            let better = found.clone().merged(&split, &order, &mut work);
            better.widened(&order, &mut work).requirements
        };
        let all = better(usize::MAX, Duration::ZERO);
        for amount in [0, 100, 1000] {
            let some = better(amount, Duration::ZERO);
            assert_eq!(some, better(amount, Duration::from_micros(300)), "{seed}");
            sizes.push((amount, some == all));
        }
        assert_eq!(better(0, Duration::ZERO), found.requirements, "{seed}");
    }
    let is_cut_short = |amount: usize| sizes.iter().any(|s| s.0 == amount && !s.1);
    assert!(is_cut_short(0) && is_cut_short(100), "less work gives less: {sizes:?}");
}

/// How many changed networks are accepted, by the number of changed components; and how many unsafe
/// ones would be accepted without the idling rule, or with requirements found one by one.
#[test]
fn how_much_is_accepted() {
    let (mut kept, mut broken) = ([0; 5], [0; 5]);
    let (mut n_plain, mut plain_unsafe, mut n_single, mut single_unsafe) = (0, 0, 0, 0);
    for seed in 0..u64::from(cases(250).max(250)) {
        let network = network(seed, 8);
        let (Some(contract), Some(single)) = (joint(&network, true), one_by_one(&network)) else {
            continue;
        };
        let mut random = Random::new(seed);
        for _ in 0..20 {
            let (new, is_changed) = with_changes(&network, &mut random);
            let n_changed = is_changed.iter().filter(|is_changed| **is_changed).count();
            let is_kept_together = is_kept(&contract, &new);
            let count = if is_kept_together { &mut kept } else { &mut broken };
            count[n_changed] += 1;
            assert!(!is_kept_together || is_safe(&new), "{seed}");
            if all_related(&contract, &new, false) {
                n_plain += 1;
                plain_unsafe += usize::from(!is_safe(&new));
            }
            if is_kept(&single, &new) {
                n_single += 1;
                single_unsafe += usize::from(!is_safe(&new));
            }
        }
    }
    println!("by the number of changed components: kept {kept:?}, broken {broken:?}");
    println!("without idling {n_plain}, of which {plain_unsafe} unsafe");
    println!("one by one {n_single}, of which {single_unsafe} unsafe");
    assert!(kept.iter().skip(2).sum::<usize>() > 200, "{kept:?}");
    assert!(broken.iter().sum::<usize>() > 500, "{broken:?}");
    assert!(plain_unsafe > 0 && single_unsafe > 0, "the oracle can fail");
}

fn component(name: &str, edges: &[(usize, usize, usize)], alphabet: &[usize]) -> Component {
    let n_states = edges.iter().map(|edge| edge.0.max(edge.2)).max().unwrap_or(0) + 1;
    let mut builder = LtsBuilder::with_states(n_states);
    for &(from, action, to) in edges {
        builder.add_transition(state(from), visible(action), state(to));
    }
    let alphabet = alphabet.iter().map(|&action| Id::from_index(action)).collect();
    let lts = builder.finish(state(0), alphabet);
    Component { name: name.to_owned(), lts, state_names: IndexVec::new() }
}

const GO_A: usize = 0;
const GO_B: usize = 1;
const ENTER_A: usize = 2;
const ENTER_B: usize = 3;

/// Two components, each of which waits for the other to let it go, for ever. Both must not enter.
fn waiting(a: &[(usize, usize, usize)], b: &[(usize, usize, usize)]) -> Network {
    let actions = ["go a", "go b", "enter a", "enter b"];
    let actions = actions.map(|name| Action { name: name.to_owned() }).into_iter().collect();
    let components =
        [component("a", a, &[GO_A, GO_B, ENTER_A]), component("b", b, &[GO_A, GO_B, ENTER_B])];
    let watched = [
        (0, ENTER_A, 1),
        (0, ENTER_B, 2),
        (1, ENTER_A, 1),
        (1, ENTER_B, 3),
        (2, ENTER_A, 3),
        (2, ENTER_B, 2),
    ];
    let lts = component("monitor", &watched, &[]).lts;
    let monitor = Monitor { lts, error: state(3), state_names: IndexVec::new() };
    Network::new(actions, components.into_iter().collect(), Some(monitor), Vec::new())
}

/// As long as `b` never enters, `a` may, and as long as `a` does not, `b` may. Found one by one, both requirements
/// permit it, and two changes that are accepted are unsafe together.
#[test]
fn requirements_found_one_by_one_do_not_compose() {
    let (a, b) = ([(0, GO_A, 1), (1, ENTER_A, 1)], [(0, GO_B, 1), (1, ENTER_B, 1)]);
    let network = waiting(&a, &b);
    assert!(is_safe(&network));
    let hasty = waiting(&[(0, ENTER_A, 0)], &[(0, ENTER_B, 0)]);
    assert!(!is_safe(&hasty));

    let single = one_by_one(&network).expect("it holds");
    assert!(is_kept(&single, &hasty));
    assert!(
        matches!(proved(&single, LIMIT, &mut |_| true), Err(NotProved::Run(run)) if run.len() == 2)
    );

    for is_merged in [false, true] {
        let contract = joint(&network, is_merged).expect("it holds");
        assert!(proved(&contract, LIMIT, &mut |_| true).is_ok());
        assert!(!is_kept(&contract, &hasty));
    }
}
