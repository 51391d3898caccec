//! No text makes the front end panic, and nesting has limits everywhere.

use crate::composed::own_folder;
use proptest::prelude::*;
use resy_fsp::lex::pieces;
use resy_fsp::{ComposeOptions, ElaborationLimits, read};

fn small() -> ComposeOptions {
    let limits = ElaborationLimits { states: 300, parts: 20, product: 300, minimise: true };
    ComposeOptions { composite: None, limits }
}

fn models() -> Vec<String> {
    let entries = std::fs::read_dir(own_folder()).expect("the folder of models");
    let paths = entries.flatten().map(|entry| entry.path());
    let models = paths.filter(|path| path.extension().is_some_and(|e| e == "lts"));
    models.map(|path| std::fs::read_to_string(path).expect("a model")).collect()
}

proptest! {
    /// Models with some pieces replaced by others.
    #[test]
    fn damaged_models_are_read_without_panic(
        which in any::<usize>(),
        swaps in prop::collection::vec((any::<usize>(), any::<usize>()), 1..6),
    ) {
        let models = models();
        let text = &models[which % models.len()];
        let mut all: Vec<&str> = pieces(text).map(|(_, span)| span.text(text)).collect();
        for (to, from) in swaps {
            let (to, from) = (to % all.len(), from % all.len());
            all[to] = all[from];
        }
        let _ = read(&all.concat(), &small());
    }
}

#[test]
fn deep_texts_are_refused() {
    let groups = format!("{}C{{}}{}", "(".repeat(100), ")".repeat(100));
    let mut nested = "P = (a -> P).\n||C0 = P.\n".to_owned();
    let mut references = "fluent F = <a, b>\nassert A0 = F\n".to_owned();
    for i in 1..150 {
        let body = groups.replace("{}", &(i - 1).to_string());
        nested.push_str(&format!("||C{i} = {body}.\n"));
        let row = " && F".repeat(400);
        references.push_str(&format!("assert A{i} = (A{}{row})\n", i - 1));
    }
    let bodies = read(&nested, &ComposeOptions::default()).1;
    assert!(bodies.iter().any(|d| d.message.contains("nested more than")));
    let formulas = read(&format!("P = (a -> P).\n{references}"), &ComposeOptions::default());
    assert!(formulas.0.is_some(), "the model can be used");
    assert!(formulas.1.iter().any(|d| d.message.contains("is left out")));
    let sums = format!("const N = {}1{}", "(".repeat(50), " + 1 + 1 + 1 + 1 + 1 + 1)".repeat(50));
    assert!(!read(&sums, &ComposeOptions::default()).1.has_errors());
    let long = format!("const N = {}1{}", "(".repeat(150), " + 1 + 1 + 1 + 1 + 1 + 1)".repeat(150));
    assert!(read(&long, &ComposeOptions::default()).1.has_errors());
    let own = "P = (a -> P).\nassert A = [] B\nassert B = <> A\n";
    assert!(read(own, &ComposeOptions::default()).1.has_errors());
}

#[test]
fn a_thousand_processes_are_composed() {
    let text = "const N = 1000\nPHIL = (left.get -> right.get -> left.put -> right.put -> PHIL).\n\
                FORK = (get -> put -> FORK).\n||TABLE = (forall [i:0..N-1] (phil[i]:PHIL || \
                {phil[i].left, phil[(i+1)%N].right}::FORK)).\n";
    let (composition, _) = read(text, &ComposeOptions::default());
    let composition = composition.expect("no errors");
    assert_eq!((composition.components.len(), composition.actions.len()), (2000, 4000));
}
