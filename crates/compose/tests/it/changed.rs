//! An accepted changed module is safe, and the unchanged one is accepted.

use crate::common::changes::{changed, related, with_new_action};
use crate::common::{Random, cases, groups, is_safe, is_safe_with, network};
use proptest::prelude::*;
use resy_automata::lts::{Alphabet, Lts};
use resy_automata::network::{Component, ComponentId, Network};
use resy_automata::partition::Partition;
use resy_certificate::Certificate;
use resy_certificate::changed::{Surroundings, meets};
use resy_certificate::network::recheck;
use resy_compose::evidence::Proofs;
use resy_compose::minimize::minimize;
use resy_compose::obligations::restricted;
use resy_compose::{Conclusion, Requirement, Split, SplitPart, exact};
use resy_index::{Id, IndexVec};

const LIMIT: usize = 1_000_000;

fn surroundings(network: &Network) -> Surroundings {
    let environment = network.components.iter_enumerated();
    let environment = environment.filter(|(id, _)| !network.module.contains(id));
    Surroundings {
        n_actions: network.actions.len(),
        environment: environment.flat_map(|(_, c)| c.lts.alphabet().iter()).collect(),
        monitor: network.monitor.iter().flat_map(|m| m.lts.alphabet().iter()).collect(),
    }
}

/// Networks that hold, with the requirements of their modules.
fn requirements(seed: u64, size: usize) -> Option<(Network, Split, [Requirement; 2])> {
    let network = network(seed, size);
    let split = Split::of(&network, LIMIT).unwrap();
    let exact = exact::synthesize(&split, LIMIT).unwrap();
    if exact.verdict != Conclusion::Holds {
        return None;
    }
    let mut prover = exact::prover(&split, LIMIT).unwrap();
    let small = minimize(&split.module.lts, &exact, |lts| Some(prover(lts)));
    drop(prover);
    Some((network, split, [exact, small]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(600)))]

    #[test]
    fn what_is_accepted_is_safe(seed in any::<u64>(), size in 1..=10usize) {
        let Some((network, split, requirements)) = requirements(seed, size) else { return Ok(()) };
        let (rest, module) = (surroundings(&network), &split.module.lts);
        let mut random = Random::new(seed);
        for requirement in &requirements {
            let requirement = requirement.lts();
            prop_assert_eq!(meets(requirement, &rest, module), Ok(()));
            for _ in 0..10 {
                let module = changed(module, rest.n_actions, &mut random);
                let result = meets(requirement, &rest, &module);
                prop_assert_eq!(result.is_ok(), related(requirement, &rest, &module, true));
                match result {
                    Ok(()) => prop_assert!(is_safe_with(&with_new_action(&network), &module)),
                    Err(forbidden) => {
                        // The run is a run of the module, and can be continued.
                        let mut at = module.initial();
                        for step in forbidden.run.iter().chain([&forbidden.last]) {
                            prop_assert_eq!(step.from, at);
                            let there = (step.label, step.to);
                            let moves = module.transitions_from(at).contains(&there);
                            prop_assert!(moves != step.idles);
                            at = step.to;
                        }
                    }
                }
            }
        }
    }
}

/// A certificate with a proof for each of some groups of errors, and so with several requirements.
fn certificate(network: &Network, split: &Split, random: &mut Random) -> Option<Certificate> {
    let mut proofs = Proofs::new(split, LIMIT);
    for about in groups(&split.monitor, random) {
        let mut one = split.clone();
        one.monitor = restricted(&split.monitor, &about);
        let exact = exact::synthesize(&one, LIMIT).unwrap();
        let discrete = |part: &SplitPart| Partition::discrete(part.lts.n_states());
        let environment: Vec<Partition> = one.environment.iter().map(discrete).collect();
        proofs.add_with(&about, exact.quotient.partition(), &environment);
    }
    Some(resy_certificate::network::certify(network, proofs.evidence()?).unwrap())
}

/// The network with another module, and an action that no other component has.
fn with_module(network: &Network, module: Lts) -> Network {
    let network = with_new_action(network);
    let mut components: IndexVec<ComponentId, Component> = IndexVec::new();
    let (name, state_names) = ("module".to_owned(), IndexVec::new());
    components.push(Component { name, lts: module, state_names });
    for (id, other) in network.components.iter_enumerated() {
        if !network.module.contains(&id) {
            components.push(other.clone());
        }
    }
    Network::new(network.actions, components, network.monitor, vec![Id::from_index(0)])
}

/// A module accepted by the requirements of all proofs is safe; if one rejects it, it is refused.
#[test]
fn every_proof_has_a_say() {
    let (mut accepted, mut first_only) = (0, 0);
    for seed in 0..cases(400) {
        let network = network(u64::from(seed), 8);
        let split = Split::of(&network, LIMIT).unwrap();
        let mut random = Random::new(u64::from(seed));
        let Some(certificate) = certificate(&network, &split, &mut random) else { continue };
        let checked = resy_certificate::check(&certificate, &network).unwrap();
        let requirements = checked.requirements(&network.module).unwrap();
        let rest = surroundings(&network);
        for _ in 0..10 {
            let module = changed(&split.module.lts, rest.n_actions, &mut random);
            let met: Vec<bool> =
                requirements.iter().map(|r| related(r, &rest, &module, true)).collect();
            let other = with_module(&network, module);
            let result = recheck(&certificate, &network, &checked, &other, &mut || true);
            assert_eq!(result.is_ok(), met.iter().all(|met| *met), "{seed}: {met:?} {result:?}");
            assert!(result.is_err() || is_safe(&other), "{seed}");
            accepted += usize::from(result.is_ok());
            first_only += usize::from(met[0] && result.is_err());
        }
    }
    println!("accepted {accepted}; the first requirement alone would accept {first_only} more");
    assert!(accepted > 300 && first_only > 10, "{accepted} {first_only}");
}

/// How often plain simulation, which has no rule for idling, would accept an unsafe module.
#[test]
fn plain_simulation_is_not_enough() {
    let (mut accepted, mut plainly, mut unsafe_) = (0, 0, 0);
    for seed in 0..400 {
        let Some((network, split, [requirement, _])) = requirements(seed, 8) else { continue };
        let rest = surroundings(&network);
        let mut random = Random::new(seed);
        for _ in 0..10 {
            let module = changed(&split.module.lts, rest.n_actions, &mut random);
            accepted += usize::from(meets(requirement.lts(), &rest, &module).is_ok());
            if related(requirement.lts(), &rest, &module, false) {
                plainly += 1;
                let safe = is_safe_with(&with_new_action(&network), &module);
                unsafe_ += usize::from(!safe);
            }
        }
    }
    println!("accepted {accepted}; plain simulation {plainly}, of which {unsafe_} are unsafe");
    assert!(accepted > 300 && unsafe_ > 0);
}

/// The smallest case: a module that forbids an action, and one that does not have it.
#[test]
fn to_drop_an_action_is_to_allow_it() {
    let a: Alphabet = [Id::from_index(0)].into_iter().collect();
    let rest = Surroundings { n_actions: 1, environment: a.clone(), monitor: a.clone() };
    let (forbids, lacks) = (Lts::idle(a), Lts::idle(Alphabet::default()));
    assert_eq!(meets(&forbids, &rest, &forbids), Ok(()));
    assert!(related(&forbids, &rest, &lacks, false));
    let forbidden = meets(&forbids, &rest, &lacks).unwrap_err();
    assert!(forbidden.run.is_empty() && forbidden.last.idles);
}
