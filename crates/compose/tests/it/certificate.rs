//! Every proof is accepted, and a damaged one is rejected unless it is still a proof.

use crate::common;
use crate::common::{Random, flat_network, groups, is_safe, network, state};
use crate::definition;
use proptest::prelude::*;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_certificate::{
    About, Certificate, Map, Node, Obligation, Of, Proof, ProofEvidence, RunLengths,
};
use resy_certificate::{check, text};
use resy_compose::evidence::Proofs;
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, Strategy, alternating, backward_first, forward_first};
use resy_compose::{Conclusion, Requirement, Split, evidence, exact, fold, obligations};
use resy_index::Id;
use resy_index::random::SplitMix;
use resy_testkit::damage::damaged;

const LIMIT: usize = 1_000_000;
const STRATEGIES: [Strategy; 3] = [alternating, forward_first, backward_first];

/// The evidence of all methods; none if the property does not hold.
fn found(network: &Network, strategy: Strategy) -> Vec<ProofEvidence> {
    let splits =
        [Split::of(network, LIMIT).unwrap(), Split::with_one_environment(network, LIMIT).unwrap()];
    let mut found = Vec::new();
    for split in splits {
        let exact = exact::synthesize(&split, LIMIT).unwrap();
        let assumed = refine::assume(&split, strategy, |_| true);
        let mut prover = exact::prover(&split, LIMIT).unwrap();
        let small = minimize(&split.module.lts, &assumed, |lts| Some(prover(lts)));
        for requirement in [exact, assumed, small] {
            let holds = requirement.verdict == Conclusion::Holds;
            let proof = evidence::of_requirement(&split, &requirement, LIMIT);
            assert_eq!(proof.is_some(), holds);
            found.extend(proof);
        }
        let checked = refine::check(&split, strategy, |_| true);
        let proof = evidence::of_check(&split, &checked, LIMIT);
        assert_eq!(proof.is_some(), checked.verdict == Conclusion::Holds);
        found.extend(proof);
    }
    for product in [0, 30, LIMIT] {
        let checked = fold::check(network, fold::FoldLimits { product }, |_| true).unwrap();
        let proof = checked.evidence(LIMIT);
        assert_eq!(proof.is_some(), checked.verdict == Conclusion::Holds);
        found.extend(proof);
    }
    found.extend(one_by_one(network));
    found.extend(in_groups(network, strategy));
    found
}

/// The proofs found one obligation after the other.
fn one_by_one(network: &Network) -> Option<ProofEvidence> {
    let split = Split::without_module(network).unwrap();
    let mut proofs = Proofs::new(&split, LIMIT);
    let verdict = obligations::check(&split, |_| true, |about, c| proofs.add(about, c));
    let evidence = proofs.evidence();
    assert!(evidence.is_some());
    evidence.filter(|_| verdict == Conclusion::Holds)
}

/// Proofs about any groups of actions, each with a requirement of its own.
fn in_groups(network: &Network, strategy: Strategy) -> Option<ProofEvidence> {
    let split = Split::of(network, LIMIT).unwrap();
    let mut random =
        Random::new(network.components.iter().map(|c| c.lts.n_transitions()).sum::<usize>() as u64);
    let mut proofs = Proofs::new(&split, LIMIT);
    for about in groups(&split.monitor, &mut random) {
        let mut one = split.clone();
        one.monitor = obligations::restricted(&split.monitor, &about);
        let requirement = refine::assume(&one, strategy, |_| true);
        let module = requirement.quotient.partition();
        match evidence::proof(&one, module, &requirement.environment, LIMIT) {
            Some(_) => proofs.add_with(&about, module, &requirement.environment),
            None => proofs.add(&about, &refine::check(&one, strategy, |_| true)),
        }
    }
    let evidence = proofs.evidence();
    assert_eq!(evidence.is_some(), is_safe(network));
    evidence
}

fn certificates(network: &Network, strategy: Strategy) -> Vec<Certificate> {
    let certify = |evidence| resy_certificate::network::certify(network, evidence).unwrap();
    found(network, strategy).into_iter().map(certify).collect()
}

/// A network whose monitor remembers something, or nothing.
fn any_network(seed: u64, size: usize) -> Network {
    if seed.is_multiple_of(2) { network(seed, size) } else { flat_network(seed, size) }
}

fn strategies() -> impl proptest::strategy::Strategy<Value = Strategy> {
    prop::sample::select(STRATEGIES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(300)))]

    #[test]
    fn every_proof_is_accepted(seed in any::<u64>(), size in 1..=20usize, strategy in strategies()) {
        let network = any_network(seed, size);
        for certificate in certificates(&network, strategy) {
            let read = text::read(&text::write(&certificate));
            prop_assert_eq!(read.as_ref(), Ok(&certificate));
            let derived = resy_certificate::network::derive(&certificate);
            prop_assert_eq!(derived.as_ref(), Ok(&network));
            let checked = check(&certificate, &network);
            prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
            prop_assert!(definition::hold(&certificate, &network));
        }
    }

    #[test]
    fn a_damaged_certificate_is_accepted_if_it_still_is_one(
        seed in any::<u64>(),
        size in 1..=8usize,
        strategy in strategies(),
    ) {
        let network = any_network(seed, size);
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

/// However its text is damaged, the checker agrees with the definition.
#[test]
fn damaged_texts() {
    let (mut n_malformed, mut n_rejected, mut n_accepted) = (0, 0, 0);
    for seed in 0..100 {
        let network = any_network(seed, 6);
        let mut random = SplitMix(seed);
        for certificate in certificates(&network, alternating).iter().take(6) {
            let original = text::write(certificate);
            for _ in 0..20 {
                let damaged =
                    String::from_utf8_lossy(&damaged(&original, &mut random)).into_owned();
                let Ok(mut certificate) = text::read(&damaged) else {
                    n_malformed += 1;
                    continue;
                };
                assert_eq!(text::write(&certificate), damaged);
                // The forger knows about hashes.
                certificate.origin.hash = resy_certificate::hash(&certificate.origin.text);
                let Ok(derived) = resy_certificate::network::derive(&certificate) else {
                    n_rejected += 1;
                    continue;
                };
                agree(&certificate, &derived).unwrap_or_else(|why| panic!("{why}\n{damaged}"));
                let is_accepted = check(&certificate, &derived).is_ok();
                *(if is_accepted { &mut n_accepted } else { &mut n_rejected }) += 1;
            }
        }
    }
    println!("{n_malformed} malformed, {n_rejected} rejected, {n_accepted} accepted");
    assert!(n_malformed > 2_000 && n_rejected > 500 && n_accepted > 5);
}

/// The checker agrees with the definition, and what it accepts is safe.
fn agree(certificate: &Certificate, network: &Network) -> Result<(), TestCaseError> {
    let checked = check(certificate, network);
    prop_assert_eq!(checked.is_ok(), definition::hold(certificate, network), "{:?}", checked);
    prop_assert!(checked.is_err() || is_safe(network));
    Ok(())
}

/// Changes something small.
fn damage(certificate: &mut Certificate, random: &mut Random) {
    let n_actions = certificate.interface.actions.len();
    let ProofEvidence { nodes, proofs } = &mut certificate.evidence;
    let n_nodes = nodes.len();
    if proofs.is_empty() {
        return;
    }
    let i = random.below(proofs.len());
    match random.below(20) {
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
        5..=7 => damage_tuples(&mut proofs[i].invariant, random),
        8 => drop(proofs.remove(i)),
        9 => proofs[i].about = proofs[random.below(proofs.len())].about.clone(),
        10..=12 => damage_about(&mut proofs[i].about, n_actions, random),
        13 => damage_roots(&mut proofs[i], n_nodes, random),
        14 if n_nodes > 0 => {
            let node = Id::from_index(random.below(n_nodes));
            let other = Id::from_index(random.below(n_nodes));
            nodes[node] = nodes[other].clone();
        }
        _ if n_nodes > 0 => {
            let node = Id::from_index(random.below(n_nodes));
            damage_node(&mut nodes[node], n_actions, random);
        }
        _ => {}
    }
}

fn damage_about(about: &mut About, n_actions: usize, random: &mut Random) {
    let all = (0..n_actions).map(Id::from_index).collect();
    let mut actions: Vec<_> = match &*about {
        About::Only(actions) => actions.iter().collect(),
        About::All => Vec::new(),
    };
    match random.below(6) {
        0 => *about = About::All,
        1 => *about = About::Only(all),
        2 => {
            actions.push(Id::from_index(random.below(n_actions)));
            *about = About::Only(actions.into_iter().collect());
        }
        _ if !actions.is_empty() => {
            actions.swap_remove(random.below(actions.len()));
            *about = About::Only(actions.into_iter().collect());
        }
        _ => {}
    }
}

/// Adds, removes or replaces a root, with or without a place in the inductive set.
fn damage_roots(proof: &mut Proof, n_nodes: usize, random: &mut Random) {
    let any = Id::from_index(random.below(n_nodes + 1));
    let Proof { roots, invariant, .. } = proof;
    let mut tuples: Vec<Vec<StateId>> = invariant.iter().map(<[_]>::to_vec).collect();
    match random.below(3) {
        0 => {
            roots.insert(0, any);
            tuples.iter_mut().for_each(|tuple| tuple.insert(0, state(0)));
        }
        1 if !roots.is_empty() => {
            roots.remove(0);
            tuples.iter_mut().for_each(|tuple| *tuple = tuple.split_off(1));
            tuples.sort();
            tuples.dedup();
        }
        _ if !roots.is_empty() => roots[0] = any,
        _ => {}
    }
    *invariant = resy_certificate::TupleList::new(roots.len() + 1);
    tuples.iter().for_each(|tuple| invariant.push(tuple));
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

fn damage_tuples(tuples: &mut resy_certificate::TupleList, random: &mut Random) {
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

fn damage_map(map: &mut RunLengths, random: &mut Random) {
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

/// Changes a digit, or swaps two lines.
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

/// A component may be left out, but must not occur twice: only the tree is wrong.
#[test]
fn no_component_is_in_the_tree_twice() {
    let (mut n_twice, mut n_without) = (0, 0);
    for seed in 0..100 {
        let network = network(seed, 8);
        let n = network.components.len();
        let nodes = (0..n).map(leaf).chain([twice(&network)]).collect();
        let mut evidence = ProofEvidence { nodes, proofs: Vec::new() };
        let all: Vec<usize> = (0..n).collect();
        let roots = [&all[1..], &all[..n - 1], &all, &[&all[..], &[0]].concat()];
        for roots in roots {
            let Some(proof) = forged(&network, roots) else { continue };
            let forged = ProofEvidence { nodes: (0..n).map(leaf).collect(), proofs: vec![proof] };
            let has_twice = roots.len() > n;
            let expected = if has_twice { Err(Obligation::Tree) } else { Ok(()) };
            assert_eq!(judged(&network, forged), expected, "{roots:?}");
            n_twice += usize::from(has_twice);
            n_without += usize::from(roots.len() < n);
        }
        // A node that has a component twice, wherever it is.
        evidence.proofs.extend(forged(&network, &all));
        if !evidence.proofs.is_empty() {
            assert_eq!(judged(&network, evidence), Err(Obligation::Tree));
            n_twice += 1;
        }
    }
    assert!(n_twice > 100 && n_without > 10, "{n_twice} {n_without}");
}

/// One proof of two is not enough, unless it covers all errors.
#[test]
fn the_proofs_are_about_all_errors() {
    let mut n_missing = 0;
    for seed in 0..200 {
        let network = flat_network(seed, 8);
        let Some(evidence) = one_by_one(&network) else { continue };
        assert_eq!(judged(&network, evidence.clone()), Ok(()));
        for i in 0..evidence.proofs.len() {
            let mut less = evidence.clone();
            less.proofs.remove(i);
            assert_eq!(judged(&network, less), Err(Obligation::Covered));
            n_missing += 1;
        }
    }
    assert!(n_missing > 100, "{n_missing}");
}

fn judged(network: &Network, evidence: ProofEvidence) -> Result<(), Obligation> {
    let certificate = resy_certificate::network::certify(network, evidence).unwrap();
    check(&certificate, network).map(drop).map_err(|rejection| rejection.obligation)
}

fn leaf(component: usize) -> Node {
    Node { of: Of::Component(Id::from_index(component)), map: Map::Identity }
}

/// The product of node 0, which is component 0, with itself.
fn twice(network: &Network) -> Node {
    let lts = &network.components[Id::from_index(0)].lts;
    let product = resy_automata::product::product(&[lts, lts], LIMIT).unwrap();
    let mut tuples = resy_certificate::TupleList::new(2);
    product.lts.states().for_each(|s| tuples.push(&product.tuples[s]));
    Node { of: Of::Product(vec![Id::from_index(0); 2], tuples), map: Map::Identity }
}

/// A proof with these components as roots and their reachable states; `None` if that contains an
/// error.
fn forged(network: &Network, roots: &[usize]) -> Option<Proof> {
    let monitor = network.monitor.as_ref()?;
    let systems = roots.iter().map(|&root| &network.components[Id::from_index(root)].lts);
    let systems: Vec<&Lts> = systems.chain([&monitor.lts]).collect();
    let product = resy_automata::product::product(&systems, LIMIT).ok()?;
    let mut invariant = resy_certificate::TupleList::new(systems.len());
    product.lts.states().for_each(|s| invariant.push(&product.tuples[s]));
    let errs = invariant.iter().any(|tuple| tuple.last() == Some(&monitor.error));
    let roots = roots.iter().map(|&root| Id::from_index(root)).collect();
    (!errs).then_some(Proof { roots, about: About::All, invariant })
}

/// The requirement of a certificate can be much smaller than its module.
#[test]
fn a_proof_is_small() {
    let (mut n_proofs, mut module, mut image, mut inductive) = (0, 0, 0, 0);
    for seed in 0..200 {
        let network = network(seed, 20);
        let split = Split::of(&network, LIMIT).unwrap();
        let requirement: Requirement = refine::assume(&split, alternating, |_| true);
        if let Some(found) = evidence::of_requirement(&split, &requirement, LIMIT) {
            n_proofs += 1;
            module += split.module.lts.n_states();
            image += requirement.lts().n_states();
            inductive += found.proofs[0].invariant.len();
        }
    }
    println!("{n_proofs} proofs: modules {module}, requirements {image}, inductive {inductive}");
    assert!(n_proofs > 100 && image * 2 < module);
}
