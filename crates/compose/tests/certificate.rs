//! Every proof is accepted, and a damaged one is rejected unless it is still a proof.

mod common;
mod obligations;

use common::{Random, is_safe, network, state};
use proptest::prelude::*;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_certificate::{Certificate, Map, Node, NodeId, Obligation, Of, Proof, Runs, check, text};
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, Strategy, alternating, backward_first, forward_first};
use resy_compose::{Requirement, Split, Verdict, evidence, exact, fold};
use resy_index::{Id, IndexVec};

const LIMIT: usize = 1_000_000;
const STRATEGIES: [Strategy; 3] = [alternating, forward_first, backward_first];

/// The proofs of all methods; none if the property does not hold.
fn proofs(network: &Network, strategy: Strategy) -> Vec<Proof> {
    let splits =
        [Split::of(network, LIMIT).unwrap(), Split::with_one_environment(network, LIMIT).unwrap()];
    let mut proofs = Vec::new();
    for split in splits {
        let exact = exact::synthesize(&split, LIMIT).unwrap();
        let assumed = refine::assume(&split, strategy, |_| true);
        let prover = exact::prover(&split, LIMIT).unwrap();
        let small = minimize(&split.module.lts, &assumed, prover);
        for requirement in [exact, assumed, small] {
            let holds = requirement.verdict == Verdict::Holds;
            let proof = evidence::of_requirement(&split, &requirement, LIMIT);
            assert_eq!(proof.is_some(), holds);
            proofs.extend(proof);
        }
        let checked = refine::check(&split, strategy, |_| true);
        let proof = evidence::of_check(&split, &checked, LIMIT);
        assert_eq!(proof.is_some(), checked.verdict == Verdict::Holds);
        proofs.extend(proof);
    }
    for product in [0, 30, LIMIT] {
        let checked = fold::check(network, fold::Limits { product }, |_| true).unwrap();
        let proof = checked.proof(LIMIT);
        assert_eq!(proof.is_some(), checked.verdict == Verdict::Holds);
        proofs.extend(proof);
    }
    proofs
}

fn certificates(network: &Network, strategy: Strategy) -> Vec<Certificate> {
    let certify = |proof| resy_certificate::network::certify(network, proof).unwrap();
    proofs(network, strategy).into_iter().map(certify).collect()
}

fn strategies() -> impl proptest::strategy::Strategy<Value = Strategy> {
    prop::sample::select(STRATEGIES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(300)))]

    #[test]
    fn every_proof_is_accepted(seed in any::<u64>(), size in 1..=20usize, strategy in strategies()) {
        let network = network(seed, size);
        for certificate in certificates(&network, strategy) {
            let read = text::read(&text::write(&certificate));
            prop_assert_eq!(read.as_ref(), Ok(&certificate));
            let derived = resy_certificate::network::derive(&certificate);
            prop_assert_eq!(derived.as_ref(), Ok(&network));
            let checked = check(&certificate, &network);
            prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
            prop_assert!(obligations::hold(&certificate, &network));
        }
    }

    #[test]
    fn a_damaged_certificate_is_accepted_if_it_still_is_one(
        seed in any::<u64>(),
        size in 1..=8usize,
        strategy in strategies(),
    ) {
        let network = network(seed, size);
        let mut random = Random::new(seed);
        for certificate in certificates(&network, strategy) {
            for _ in 0..20 {
                let mut damaged = certificate.clone();
                for _ in 0..=random.below(2) {
                    damage(&mut damaged, &mut random);
                }
                agree(&damaged, &network)?;
            }
            let original = text::write(&certificate);
            for _ in 0..10 {
                let damaged = damaged_text(&original, &mut random);
                if let Ok(certificate) = text::read(&damaged) {
                    prop_assert_eq!(&text::write(&certificate), &damaged);
                    agree(&certificate, &network)?;
                }
            }
        }
    }
}

/// The checker says what the definition says; what it accepts is safe.
fn agree(certificate: &Certificate, network: &Network) -> Result<(), TestCaseError> {
    let checked = check(certificate, network);
    prop_assert_eq!(checked.is_ok(), obligations::hold(certificate, network), "{:?}", checked);
    prop_assert!(checked.is_err() || is_safe(network));
    Ok(())
}

/// Changes something small.
fn damage(certificate: &mut Certificate, random: &mut Random) {
    let n_actions = certificate.interface.actions.len();
    match random.below(14) {
        0 => {
            let Certificate { origin, .. } = certificate;
            origin.text.insert(random.below(origin.text.len()), ' ');
        }
        1 => certificate.origin.hash ^= 1 << random.below(64),
        2 => certificate.interface.actions[random.below(n_actions)].push('x'),
        3 => {
            let components = &mut certificate.interface.components;
            let i = random.below(components.len());
            components[i].n_states += random.below(2);
            components[i].name.push_str(["", "x"][random.below(2)]);
        }
        4 => certificate.origin.module.rotate_left(1),
        5..=7 => damage_tuples(&mut certificate.proof.invariant, random),
        8 => {
            let nodes = &mut certificate.proof.nodes;
            let node = Id::from_index(random.below(nodes.len()));
            let other = Id::from_index(random.below(nodes.len()));
            nodes[node] = nodes[other].clone();
        }
        _ => {
            let nodes = certificate.proof.nodes.iter_mut();
            let mut nodes: Vec<&mut Node> = nodes.collect();
            let node = random.below(nodes.len());
            damage_node(nodes[node], n_actions, random);
        }
    }
}

fn damage_node(node: &mut Node, n_actions: usize, random: &mut Random) {
    match (&mut node.of, &mut node.map) {
        (Of::Product(children, _), _) if random.below(5) == 0 => children.swap(0, 1),
        (Of::Product(_, tuples), _) if random.below(2) == 0 => damage_tuples(tuples, random),
        (_, Map::Image(map, _)) if random.below(3) == 0 => damage_map(map, random),
        (_, Map::Image(_, image)) => *image = damaged_image(image, n_actions, random),
        (Of::Component(component), _) => {
            *component = Id::from_index(component.index() + random.below(2));
        }
        _ => {}
    }
}

fn damage_tuples(tuples: &mut resy_certificate::Tuples, random: &mut Random) {
    if tuples.is_empty() {
        return;
    }
    let at = random.below(tuples.states.len());
    let (first, width) = (at / tuples.width * tuples.width, tuples.width);
    let changed = state((tuples.states[at].index() + random.below(3)).saturating_sub(1));
    match random.below(3) {
        0 => drop(tuples.states.drain(first..first + width)),
        1 => tuples.states[at] = changed,
        _ => {
            let mut tuple = tuples.states[first..first + width].to_vec();
            tuple[at - first] = changed;
            tuples.push(&tuple);
        }
    }
}

fn damage_map(map: &mut Runs, random: &mut Random) {
    let mut states: Vec<StateId> = map.iter().collect();
    let at = random.below(states.len());
    match random.below(6) {
        0 => drop(states.remove(at)),
        1 => states.push(states[at]),
        _ => states[at] = state((states[at].index() + random.below(3)).saturating_sub(1)),
    }
    *map = states.into_iter().collect();
}

fn damaged_image(image: &Lts, n_actions: usize, random: &mut Random) -> Lts {
    let label = |random: &mut Random| match random.below(n_actions + 1) {
        0 => Label::Tau,
        action => common::visible(action - 1),
    };
    let mut transitions: Vec<_> = image.transitions().collect();
    let mut alphabet: Vec<_> = image.alphabet().iter().collect();
    let (mut initial, mut n_states) = (image.initial(), image.n_states());
    let any = |random: &mut Random| state(random.below(image.n_states()));
    match random.below(6) {
        0 if !transitions.is_empty() => drop(transitions.remove(random.below(transitions.len()))),
        1 => transitions.push((any(random), label(random), any(random))),
        2 if !alphabet.is_empty() => drop(alphabet.remove(random.below(alphabet.len()))),
        3 => alphabet.push(Id::from_index(random.below(n_actions))),
        4 => n_states += 1,
        _ => initial = any(random),
    }
    let mut builder = LtsBuilder::with_states(n_states);
    transitions.into_iter().for_each(|(s, label, t)| builder.add_transition(s, label, t));
    builder.finish(initial, alphabet.into_iter().collect())
}

/// Another digit somewhere, or two lines in each other's place.
fn damaged_text(text: &str, random: &mut Random) -> String {
    if random.below(3) == 0 {
        let mut lines: Vec<&str> = text.split('\n').collect();
        let (a, b) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(a, b);
        return lines.join("\n");
    }
    let digits = text.char_indices().filter(|(_, c)| c.is_ascii_digit());
    let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
    let at = digits[random.below(digits.len())];
    let mut text = text.to_owned();
    text.replace_range(at..=at, &random.below(10).to_string());
    text
}

/// A proof about other components than those of the network: everything is right but the tree.
#[test]
fn every_component_is_in_the_tree_once() {
    let mut n_forged = 0;
    for seed in 0..100 {
        let network = network(seed, 8);
        let n = network.components.len();
        let all: Vec<usize> = (0..n).collect();
        let twice: Vec<usize> = (0..n).chain([0]).collect();
        let pairs = [(0..n - 1).collect(), (1..n).collect(), twice];
        for leaves in pairs.into_iter().chain([all.clone()]) {
            let nodes = leaves.iter().map(|&c| leaf(c)).collect();
            let Some(proof) = forged(&network, nodes) else { continue };
            let certificate = resy_certificate::network::certify(&network, proof).unwrap();
            let result = check(&certificate, &network).map(drop).map_err(|r| r.obligation);
            let expected = if leaves == all { Ok(()) } else { Err(Obligation::Tree) };
            assert_eq!(result, expected, "{leaves:?}");
            n_forged += 1;
        }
        // A child twice.
        let lts = &network.components[Id::from_index(0)].lts;
        let product = resy_automata::product::product(&[lts, lts], LIMIT).unwrap();
        let mut tuples = resy_certificate::Tuples::new(2);
        product.lts.states().for_each(|s| tuples.push(&product.tuples[s]));
        let double = Of::Product(vec![Id::from_index(0); 2], tuples);
        let nodes = (0..n).map(leaf).chain([Node { of: double, map: Map::Identity }]);
        let Some(proof) = forged(&network, nodes.collect()) else { continue };
        let certificate = resy_certificate::network::certify(&network, proof).unwrap();
        let result = check(&certificate, &network).map(drop).map_err(|r| r.obligation);
        assert_eq!(result, Err(Obligation::Tree));
        n_forged += 1;
    }
    assert!(n_forged > 100);
}

fn leaf(component: usize) -> Node {
    Node { of: Of::Component(Id::from_index(component)), map: Map::Identity }
}

/// A proof with these nodes, all identities, and what their roots can reach; none if that
/// is an error.
fn forged(network: &Network, nodes: IndexVec<NodeId, Node>) -> Option<Proof> {
    let mut proof = Proof { nodes, invariant: resy_certificate::Tuples::default() };
    let monitor = network.monitor.as_ref()?;
    let leaf = |node: NodeId| match &proof.nodes[node].of {
        Of::Component(component) => network.components[*component].lts.clone(),
        Of::Product(children, _) => {
            let Of::Component(child) = proof.nodes[children[0]].of else { unreachable!() };
            let lts = &network.components[child].lts;
            resy_automata::product::product(&[lts, lts], LIMIT).unwrap().lts
        }
    };
    let roots: Vec<Lts> = proof.roots().into_iter().map(leaf).collect();
    let systems: Vec<&Lts> = roots.iter().chain([&monitor.lts]).collect();
    let product = resy_automata::product::product(&systems, LIMIT).ok()?;
    let mut invariant = resy_certificate::Tuples::new(systems.len());
    product.lts.states().for_each(|s| invariant.push(&product.tuples[s]));
    let errs = invariant.iter().any(|tuple| tuple.last() == Some(&monitor.error));
    proof.invariant = invariant;
    (!errs).then_some(proof)
}

/// The requirement of a certificate can be smaller than its module by far.
#[test]
fn a_proof_is_small() {
    let (mut n_proofs, mut module, mut image, mut inductive) = (0, 0, 0, 0);
    for seed in 0..200 {
        let network = network(seed, 20);
        let split = Split::of(&network, LIMIT).unwrap();
        let requirement: Requirement = refine::assume(&split, alternating, |_| true);
        if let Some(proof) = evidence::of_requirement(&split, &requirement, LIMIT) {
            n_proofs += 1;
            module += split.module.lts.n_states();
            image += requirement.lts().n_states();
            inductive += proof.invariant.len();
        }
    }
    println!("{n_proofs} proofs: modules {module}, requirements {image}, inductive {inductive}");
    assert!(n_proofs > 100 && image * 2 < module);
}
