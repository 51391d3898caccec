//! The exact requirement: the laws, and the definition.

use crate::common;
use crate::common::{is_safe, is_safe_with, network, replays};
use proptest::prelude::*;
use resy_automata::lts::Lts;
use resy_compose::{Conclusion, Requirement, Split, exact, naive};
use std::collections::BTreeMap;

const LIMIT: usize = 1_000_000;

fn splits(network: &resy_automata::Network) -> [Split; 2] {
    [Split::of(network, LIMIT).unwrap(), Split::with_one_environment(network, LIMIT).unwrap()]
}

/// A surjective homomorphism with the same alphabet.
fn is_image(module: &Lts, requirement: &Requirement) -> bool {
    let (image, map) = (requirement.lts(), |m| requirement.class_of(m));
    let has = |(s, l, t)| image.transitions_by(map(s), l).contains(&(l, map(t)));
    map(module.initial()) == image.initial()
        && module.transitions().all(has)
        && image.alphabet() == module.alphabet()
        && image.states().all(|class| module.states().any(|m| map(m) == class))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(400)))]

    #[test]
    fn the_requirement_is_that_of_the_definition(seed in any::<u64>(), size in 1..7usize) {
        let network = network(seed, size);
        for split in splits(&network) {
            let requirement = exact::synthesize(&split, LIMIT).unwrap();
            prop_assert_eq!(requirement.quotient.partition(), &naive::canonical(&split));
        }
    }

    #[test]
    fn it_can_stand_for_the_module(seed in any::<u64>(), size in 1..=40usize) {
        let network = network(seed, size);
        let safe = is_safe(&network);
        let [parts, one] = splits(&network).map(|split| {
            let requirement = exact::synthesize(&split, LIMIT).unwrap();
            (split, requirement)
        });
        prop_assert_eq!(parts.1.quotient.partition(), one.1.quotient.partition());
        for (split, requirement) in [parts, one] {
            prop_assert!(is_image(&split.module.lts, &requirement));
            prop_assert_eq!(is_safe_with(&network, requirement.lts()), safe);
            match &requirement.verdict {
                Conclusion::Holds => prop_assert!(safe),
                Conclusion::Fails(trace) => prop_assert!(replays(&network, trace), "{:?}", trace),
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
            }
        }
    }
}

/// Prints how large the requirements are: `cargo test -p resy-compose -- --nocapture sizes`.
#[test]
fn sizes_of_requirements() {
    let mut histogram: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    let (mut module, mut total) = (0, 0);
    for seed in 0..300 {
        let network = network(seed, 40);
        let split = Split::of(&network, LIMIT).unwrap();
        let requirement = exact::synthesize(&split, LIMIT).unwrap();
        let n_states = requirement.lts().n_states();
        *histogram.entry((requirement.verdict == Conclusion::Holds, n_states)).or_default() += 1;
        module += split.module.lts.n_states();
        total += n_states;
    }
    println!("300 networks: modules {module} states, requirements {total}");
    for ((holds, n_states), count) in &histogram {
        let verdict = if *holds { "holds" } else { "fails" };
        println!("{verdict} {n_states:5}: {count}");
    }
    let hard = histogram.iter().filter(|((holds, n), _)| *holds && *n >= 3).map(|(_, c)| c);
    assert!(hard.sum::<usize>() >= 60, "too many networks are too easy");
}
