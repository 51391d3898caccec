//! Laws of requirements: what a good set is good for, the lean requirement, and guards.
//!
//! Every law names the wrong variants that it tells from the right one (`mutants/requirements`).

use crate::common;
use crate::common::changes::changed;
use crate::common::{Random, is_safe, is_safe_with, network};
use crate::families;
use proptest::prelude::*;
use resy_automata::lts::{Lts, StateId};
use resy_automata::network::Network;
use resy_automata::product::naive::{Tuple, reachable, successors};
use resy_automata::{Partition, Quotient};
use resy_certificate::changed::{Surroundings, meets};
use resy_certificate::{About, Map, Node, Of, Proof, ProofEvidence, TupleList};
use resy_compose::auto::{AutoOptions, LeanDomain, Quality, lean, synthesize};
use resy_compose::{Conclusion, Split, exact, naive, pairwise};
use resy_index::{Id, IndexVec};
use std::collections::BTreeSet;

const LIMIT: usize = 1_000_000;

fn systems<'a>(split: &'a Split, module: &'a Lts) -> Vec<&'a Lts> {
    [module].into_iter().chain(split.context_systems()).collect()
}

/// A good set: the reached pairs, and random ones as long as no error is reached from them.
fn good_set(split: &Split, random: &mut Random) -> BTreeSet<Tuple> {
    let systems = systems(split, &split.module.lts);
    let is_error = |state: &Tuple| state.last() == Some(&split.monitor.error);
    let mut good: BTreeSet<Tuple> = reachable(&systems).into_keys().collect();
    for _ in 0..random.below(6) {
        let any = |lts: &&Lts| -> StateId { Id::from_index(random.below(lts.n_states())) };
        let (mut todo, mut larger) =
            (vec![systems.iter().map(any).collect::<Tuple>()], good.clone());
        while let Some(state) = todo.pop() {
            if larger.insert(state.clone()) {
                todo.extend(successors(&systems, &state).into_iter().map(|(_, to)| to));
            }
        }
        if !larger.iter().any(is_error) {
            good = larger;
        }
    }
    good
}

/// A proof with an image of a module of one component, and this inductive set.
fn proof(network: &Network, image: &Quotient, invariant: &BTreeSet<Tuple>) -> ProofEvidence {
    let mut nodes = IndexVec::new();
    let others = network.components.ids().filter(|id| *id != network.module[0]);
    for id in [network.module[0]].into_iter().chain(others) {
        let map = match id == network.module[0] {
            true => {
                let states = (0..image.partition().n_states()).map(Id::from_index);
                Map::Image(states.map(|s| image.state_of(s)).collect(), image.lts().clone())
            }
            false => Map::Identity,
        };
        nodes.push(Node { of: Of::Component(id), map });
    }
    let roots = nodes.ids().collect();
    let mut tuples = TupleList::new(network.components.len() + 1);
    invariant.iter().for_each(|tuple| tuples.push(tuple));
    ProofEvidence { nodes, proofs: vec![Proof { roots, about: About::All, invariant: tuples }] }
}

fn surroundings(network: &Network) -> Surroundings {
    let environment = network.components.iter_enumerated();
    let environment = environment.filter(|(id, _)| !network.module.contains(id));
    Surroundings {
        n_actions: network.actions.len(),
        environment: environment.flat_map(|(_, c)| c.lts.alphabet().iter()).collect(),
        monitor: network.monitor.iter().flat_map(|m| m.lts.alphabet().iter()).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(400)))]

    /// Law 1: states with equal rows of a good set can be joined, and the image of the set is a proof.
    #[test]
    fn rows_of_a_good_set(seed in any::<u64>(), size in 1..6usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        if !is_safe(&network) {
            return Ok(());
        }
        let good = good_set(&split, &mut Random::new(seed));
        let row = |m: StateId| -> BTreeSet<&[StateId]> {
            good.iter().filter(|pair| pair[0] == m).map(|pair| &pair[1..]).collect()
        };
        let module = &split.module.lts;
        let image = Quotient::of(module, Partition::by_keys(module.states().map(row)));
        prop_assert!(is_safe_with(&network, image.lts()));
        if network.module.len() == 1 {
            let mapped = |pair: &Tuple| [&[image.state_of(pair[0])], &pair[1..]].concat();
            let evidence = proof(&network, &image, &good.iter().map(mapped).collect());
            let certificate = resy_certificate::network::certify(&network, evidence).unwrap();
            let derived = resy_certificate::network::derive(&certificate).unwrap();
            prop_assert!(resy_certificate::check(&certificate, &derived).is_ok());
        }
    }

    /// Laws 2 and 6: the lean requirement is sound, stays within its domain, and is the canonical one if the
    /// domain has all contexts. A changed module that it can follow is safe and stays there too.
    #[test]
    fn the_lean_requirement(seed in any::<u64>(), size in 1..8usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        let Some(lean_one) = lean(&split, LeanDomain::Reached, LIMIT) else {
            prop_assert!(!is_safe(&network));
            return Ok(());
        };
        let module = &split.module.lts;
        let image = Quotient::of(module, lean_one.partition.clone());
        prop_assert!(is_safe_with(&network, image.lts()));
        let stays = |module: &Lts| {
            let found = reachable(&systems(&split, module)).into_keys();
            { found }.all(|pair| lean_one.contexts.find(&pair[1..]).is_some())
        };
        prop_assert!(stays(image.lts()));
        prop_assert_eq!(lean_one.n_pairs % lean_one.contexts.len(), 0);
        let all = lean(&split, LeanDomain::All, LIMIT).unwrap();
        prop_assert_eq!(&all.partition, &naive::canonical(&split));

        let (rest, mut random) = (surroundings(&network), Random::new(seed));
        for _ in 0..4 {
            let other = changed(module, rest.n_actions - 1, &mut random);
            if other.alphabet() == module.alphabet() && meets(image.lts(), &rest, &other).is_ok() {
                prop_assert!(is_safe_with(&network, &other));
                prop_assert!(stays(&other));
            }
        }
    }

    /// Law 4: what is found pairwise contains what occurs. With guards the requirement is that of the
    /// definition within these sets, and sound.
    #[test]
    fn guards(seed in any::<u64>(), size in 1..8usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        let parts = [&split.module].into_iter().chain(&split.environment);
        let parts: Vec<&Lts> = parts.map(|part| &part.lts).collect();
        let sets = pairwise::occurring(&parts, &split.monitor, LIMIT, || true).unwrap();
        for state in reachable(&systems(&split, &split.module.lts)).into_keys() {
            if state.last() != Some(&split.monitor.error) {
                prop_assert!(state.iter().zip(&sets).all(|(s, set)| set.contains(s.index())));
            }
        }
        let within = |context: &Tuple| {
            context.iter().zip(&sets[1..]).all(|(s, set)| set.contains(s.index()))
        };
        let guarded = exact::guarded(&split, LIMIT, || true).unwrap().unwrap();
        let definition = naive::canonical_within(&split, within);
        prop_assert_eq!(guarded.quotient.partition(), &definition);
        prop_assert_eq!(guarded.verdict == Conclusion::Holds, is_safe(&network));
        prop_assert_eq!(is_safe_with(&network, guarded.lts()), is_safe(&network));
    }

    /// Law 6: a changed module that the merged requirement can follow is safe.
    #[test]
    fn changed_modules(seed in any::<u64>(), size in 1..8usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        let found = synthesize(&network, &split, &AutoOptions::default(), |_| true).unwrap();
        if found.requirement.verdict != Conclusion::Holds {
            return Ok(());
        }
        let (module, rest, mut random) =
            (&split.module.lts, surroundings(&network), Random::new(seed));
        for _ in 0..6 {
            let other = changed(module, rest.n_actions - 1, &mut random);
            if other.alphabet() == module.alphabet()
                && meets(found.requirement.lts(), &rest, &other).is_ok()
            {
                prop_assert!(is_safe_with(&network, &other));
            }
        }
    }

    /// Law 7: the same network has the same requirement, however often it is asked for.
    #[test]
    fn the_same_each_time(seed in any::<u64>(), size in 1..10usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        let options = AutoOptions { first_round: 10, ..AutoOptions::default() };
        let [one, other] = [(); 2].map(|()| {
            synthesize(&network, &split, &options, |_| true).unwrap()
        });
        let (one, other) = (one.requirement.quotient, other.requirement.quotient);
        prop_assert_eq!(one.partition(), other.partition());
    }
}

/// The network with one component as its module.
fn about(network: Network, module: usize) -> (Network, Split) {
    let network = Network { module: vec![Id::from_index(module)], ..network };
    let split = Split::of(&network, LIMIT).unwrap();
    (network, split)
}

/// Law 8: at most one token is a fact about pairs, so that each byte has two values; and the guarded
/// requirement needs few contexts.
#[test]
fn a_byte_that_counts_tokens() {
    let (network, split) = about(families::counting_ring(5), 4);
    let parts = [&split.module].into_iter().chain(&split.environment);
    let parts: Vec<&Lts> = parts.map(|part| &part.lts).collect();
    let sets = pairwise::occurring(&parts, &split.monitor, LIMIT, || true).unwrap();
    let n_values: Vec<usize> = sets.iter().map(|set| set.count_ones(..)).collect();
    // The module, the others, and the monitor, which never errs.
    assert_eq!(n_values, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
    let guarded = exact::guarded(&split, 1_000, || true).unwrap().unwrap();
    assert_eq!(guarded.verdict, Conclusion::Holds);
    assert!(is_safe_with(&network, guarded.lts()));
}

/// Law 8: the sizes of requirements in families, which do not grow where the property does not.
#[test]
fn sizes_in_families() {
    let size = |network: Network, module: usize| {
        let (network, split) = about(network, module);
        let found = synthesize(&network, &split, &AutoOptions::default(), |_| true).unwrap();
        (found.requirement.lts().n_states(), found.quality)
    };
    for n in [4, 8] {
        assert_eq!(size(families::ring(n, false), n / 2), (3, Quality::Smallest), "station, {n}");
        assert_eq!(size(families::ring(n, false), 1), (2, Quality::Smallest), "other station, {n}");
        assert_eq!(size(families::chain(n, false), n / 2), (3, Quality::Smallest), "buffer, {n}");
        assert_eq!(size(families::readers(n, false), 0), (2, Quality::Smallest), "reader, {n}");
    }
}
