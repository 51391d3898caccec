//! Any bytes as a network: FSP, and network files.

use super::features::{Features, Shape};
use resy_automata::text::network_file as file;
use resy_fsp::{ComposeOptions, ElaborationLimits};

/// FSP: text to a network, within small limits. A text that has no errors is also laid out, and its
/// layout is read again.
///
/// # Panics
/// If a law is broken.
pub fn fsp(bytes: &[u8]) -> Features {
    let mut features = Features::default();
    let text = String::from_utf8_lossy(bytes);
    let limits = ElaborationLimits { states: 300, parts: 20, product: 300, minimise: true };
    let options = ComposeOptions { composite: None, limits };
    let (composition, diagnostics) = resy_fsp::read(&text, &options);
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.message.is_empty());
        features.message(&diagnostic.message);
    }
    assert!(composition.is_some() || diagnostics.has_errors());
    if let Some(composition) = composition {
        features.size("components", composition.components.len());
        features.size("properties", composition.properties.len());
        features.size("actions", composition.actions.len());
    }
    features
}

/// Network files: what can be read is written and read again, and is the same then.
///
/// # Panics
/// If a law is broken.
pub fn network_file(bytes: &[u8]) -> Features {
    let mut features = Features::default();
    let text = String::from_utf8_lossy(bytes);
    let load = &mut |path: &str| Err(format!("no file {path}"));
    match file::read("m.net", &text, &[], load) {
        Err(message) => features.message(&message.text),
        Ok((network, notes)) => {
            notes.iter().for_each(|note| features.message(&note.text));
            features.size("components", network.components.len());
            features.size("actions", network.actions.len());
            let mut shape = Shape::default();
            for problem in network.validate() {
                std::fmt::write(&mut shape, format_args!("{problem:?} "))
                    .expect("a shape never fails");
            }
            features.0.extend(shape.features.0);
            if let Ok(written) = file::write(&network) {
                let (again, _) = file::read("m.net", &written, &[], load).expect("it was written");
                let rewritten = file::write(&again).expect("it was written before");
                assert_eq!(sorted(&rewritten), sorted(&written));
            }
        }
    }
    features
}

/// The words without their order: transitions and alphabets are written in the order of the actions,
/// which are numbered as they are read.
fn sorted(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split([' ', ',', '\n']).collect();
    words.sort_unstable();
    words
}
