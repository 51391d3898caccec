//! Case studies of the papers as networks, from `models/case_studies`, and their truth by every
//! assumption engine.

use crate::learn::is_certified;
use resy_automata::network::Network;
use resy_automata::product::{Safety, reaches_error};
use resy_compose::agar::{AgarOptions, abstract_module};
use resy_compose::alphabet::{AssumptionOptions, learn_assumption};
use resy_compose::weakest::weakest_assumption;
use resy_compose::{Conclusion, Split};
use resy_fsp::{ComposeOptions, read};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/case_studies"))
}

/// The network of an FSP model of the case studies with its first property; the processes with these
/// names are the module. `size` is put in the place of the constant `K`.
pub fn case_study(name: &str, size: Option<usize>, module: &[&str]) -> (Network, Split) {
    network_of(name, size, None, module)
}

fn network_of(
    name: &str,
    size: Option<usize>,
    property: Option<&str>,
    module: &[&str],
) -> (Network, Split) {
    let path = folder().join(format!("{name}.lts"));
    let mut text = std::fs::read_to_string(path).expect("the model is there");
    if let Some(size) = size {
        let start = text.find("const K = ").expect("the model has a size");
        let end = start + text[start..].find('\n').expect("it is a line");
        text.replace_range(start..end, &format!("const K = {size}"));
    }
    let (composition, diagnostics) = read(&text, &ComposeOptions::default());
    let composition = composition.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let first = || composition.properties[0].name.clone();
    let property = property.map_or_else(first, str::to_owned);
    let property = composition.property_by_name(&property).expect("there is such a property");
    let mut network = composition.network_of(&[property]).expect("it has a monitor");
    let is_named = |whole: &str| {
        let plain = whole.split('(').next().unwrap_or(whole);
        module.contains(&whole) || module.contains(&plain)
    };
    let components = network.components.iter_enumerated();
    network.module = components.filter(|(_, c)| is_named(&c.name)).map(|(id, _)| id).collect();
    let split = Split::of(&network, 1_000_000).expect("it can be split");
    (network, split)
}

/// Products with more states are left to `xtask peers`.
const MOST_STATES: usize = 3_000;

#[test]
fn every_case_study_is_decided() {
    let table = std::fs::read_to_string(folder().join("truth.tsv")).expect("the table");
    let mut n_decided = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, size, property, module, verdict, states, transitions] = cells[..] else {
            panic!("{row}");
        };
        let (states, transitions): (usize, usize) =
            (states.parse().unwrap(), transitions.parse().unwrap());
        if states > MOST_STATES {
            continue;
        }
        assert_eq!(verdict, "holds", "{row}");
        let name = file.strip_suffix(".lts").unwrap();
        let module = split_names(module);
        let (network, split) = network_of(name, size.parse().ok(), Some(property), &module);
        let safe = Safety::Safe { n_states: states, n_transitions: transitions };
        assert_eq!(reaches_error(&network, MOST_STATES), safe, "{row}");
        let requirements = [
            learn_assumption(&split, &AssumptionOptions::default(), || true).requirement(&split),
            abstract_module(&split, &AgarOptions::default(), || true).requirement(&split),
            weakest_assumption(&split, 100_000, || true).requirement(&split),
        ];
        for requirement in requirements {
            assert_eq!(requirement.verdict, Conclusion::Holds, "{row}");
            assert!(is_certified(&network, &split, &requirement), "{row}");
        }
        n_decided += 1;
    }
    assert_eq!(n_decided, 23);
}

fn split_names(names: &str) -> Vec<&str> {
    names.split(',').collect()
}
