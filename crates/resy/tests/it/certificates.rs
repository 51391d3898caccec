//! Certificates of models are accepted when they are read again; damaged ones are not.

use resy::{Files, Program, Reading, Subject};
use resy_automata::network::ComponentId;
use resy_certificate::program::{Made, network, origin, reduce, watched};
use resy_certificate::{Certificate, model};
use resy_certificate::{check, text};
use resy_compose::{Conclusion, Split, evidence, refine};
use resy_index::Id;
use resy_network::Manner;
use resy_network::{Budget, NetworkSpec, components};
use resy_system::{Interpreter, Options, select};
use resy_testkit::fixtures::{Fixture, fixtures};
use std::path::Path;

const LIMIT: usize = 5_000;

/// The certificates of a model, with each of its first processes as the module.
fn certificates(path: &Path, defines: &[String], strict: bool) -> Vec<Certificate> {
    let text = std::fs::read_to_string(path).expect("a model");
    let reading = Reading { defines: defines.to_vec(), ..Reading::default() };
    let name = path.display().to_string();
    let read = Subject::read(&name, &text, &reading, &mut Files::default());
    let Some(Subject::Program(program)) = read.subject else { return Vec::new() };
    let Program { sources, system, .. } = *program;
    let selection = select(&system, None).expect("no property was named");
    let made = Made { sources: &sources, only: None, without: &[], loss: false, reduced: !strict };
    let reduced = if strict {
        system.clone()
    } else {
        reduce(&system, &selection, &mut || true).expect("nothing ends it")
    };
    let interpreter = Interpreter::new(&reduced, Options::default());
    let asked = NetworkSpec {
        manner: Manner { strict, ..Manner::default() },
        properties: selection.properties.iter().filter_map(watched).collect(),
        monitors: selection.monitors.as_slice().to_vec(),
        budget: Budget { states: 200, labels: 300, attempts: 10_000 },
    };
    let Ok((cut, components)) = components(&interpreter, &asked, &mut |_| true) else {
        return Vec::new();
    };
    if !components.doubts.is_empty() {
        return Vec::new();
    }
    let mut certificates = Vec::new();
    let mut network = components.network.clone();
    for pid in 0..cut.processes.len().min(2) {
        network.module = vec![ComponentId::from_index(pid)];
        let Ok(split) = Split::of(&network, LIMIT) else { continue };
        let go_on =
            |progress: &refine::RefineProgress| progress.steps < 40 && progress.n_contexts < 300;
        let requirement =
            refine::assume(&split, refine::alternating, |draft| go_on(&draft.progress()));
        if requirement.verdict != Conclusion::Holds {
            continue;
        }
        let Some(proof) = evidence::of_requirement(&split, &requirement, LIMIT) else { continue };
        let module = vec![network.components[Id::from_index(pid)].name.clone()];
        let origin = origin(&made, &selection, &cut.manner, module);
        certificates.push(model::certify(origin, &cut, &components, proof));
    }
    certificates
}

#[test]
fn certificates_of_models_are_accepted() {
    let mut n_accepted = 0;
    for fixture in fixtures() {
        for strict in [false, true] {
            for certificate in certificates(&fixture.path, &fixture.defines, strict) {
                let written = text::write(&certificate);
                assert_eq!(text::read(&written).as_ref(), Ok(&certificate), "{}", fixture.name);
                let network = network(&certificate);
                let network = network.unwrap_or_else(|r| panic!("{}: {r}", fixture.name));
                let checked = check(&certificate, &network);
                checked.unwrap_or_else(|r| panic!("{}: {r}", fixture.name));
                n_accepted += 1;
            }
        }
    }
    println!("{n_accepted} certificates accepted");
    assert!(n_accepted > 100);
}

/// The examples of the documentation: a certificate, and a change that breaks the proof.
#[test]
fn the_examples_are_up_to_date() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples"));
    let mut certificate = certificates(&folder.join("lock.pml"), &[], false).remove(0);
    let file = certificate.origin.settings.iter_mut().find(|(key, _)| key == "file");
    file.expect("it has a name").1 = "lock.pml".to_owned();
    let expected = text::write(&certificate);
    let found = std::fs::read_to_string(folder.join("lock.cert")).unwrap_or_default();
    assert!(found == expected, "docs/examples/lock.cert should be:\n{expected}");
}

/// Any other digit anywhere is seen, also by one who mends the hash, unless it is in a name or
/// in a place of the program where it does not matter.
#[test]
fn every_digit_counts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/lock.cert");
    let original = std::fs::read_to_string(path).expect("the example");
    let first = original.find("\nsignatures").expect("a section");
    let mut n_rejected = 0;
    for (at, old) in original.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for new in ('0'..='9').filter(|&new| new != old) {
            let mut damaged = original.clone();
            damaged.replace_range(at..=at, &new.to_string());
            let Ok(mut certificate) = text::read(&damaged) else { continue };
            certificate.origin.hash = resy_certificate::hash(&certificate.origin.text);
            let network = network(&certificate);
            let accepted = network.is_ok_and(|network| check(&certificate, &network).is_ok());
            assert!(!accepted || at < first, "{at}: {new}\n{damaged}");
            n_rejected += usize::from(!accepted);
        }
    }
    assert!(n_rejected > 500, "only {n_rejected}");
}

/// Settings and texts from elsewhere are refused, not believed.
#[test]
fn forged_origins_are_rejected() {
    let is_one = |f: &Fixture| f.name == "mutex/peterson";
    let fixture = fixtures().into_iter().find(is_one).expect("the model");
    let certificate = certificates(&fixture.path, &fixture.defines, false).remove(0);
    assert!(network(&certificate).is_ok());
    type Forge = fn(&mut Certificate);
    let forgeries: [Forge; 8] = [
        |c| c.origin.text = c.origin.text.replacen("turn = you", "turn = me", 1),
        |c| c.origin.text.push('}'),
        |c| c.origin.property.push('x'),
        |c| c.origin.module[0].push('x'),
        |c| c.origin.settings.push(("sum".to_owned(), "global 0".to_owned())),
        |c| c.origin.settings.push(("ring".to_owned(), "7".to_owned())),
        |c| c.origin.settings.push(("give".to_owned(), "9 global 0".to_owned())),
        |c| c.origin.settings.push(("apart".to_owned(), "local 99 0".to_owned())),
    ];
    for (i, forge) in forgeries.iter().enumerate() {
        let mut forged = certificate.clone();
        forge(&mut forged);
        assert_ne!(forged, certificate);
        // The forger knows about hashes.
        forged.origin.hash = resy_certificate::hash(&forged.origin.text);
        let network = network(&forged);
        let rejected = network.is_err() || network.is_ok_and(|n| check(&forged, &n).is_err());
        assert!(rejected, "forgery {i}");
    }
}
