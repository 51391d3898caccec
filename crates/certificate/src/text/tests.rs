//! Reading and writing are inverse; a damaged text is read as something else or rejected.

use super::*;
use crate::origin::{Certificate, Interface, Listed, Origin, OriginKind};
use crate::proof::{About, Map, Node, Of, Proof, ProofEvidence, TupleList};
use proptest::prelude::*;
use resy_automata::lts::{Label, LtsBuilder, StateId};
use resy_index::{Id, IndexVec, Interest};

#[test]
fn reading_ends_when_nobody_is_interested() {
    let text = write(&example()) + &"\n".repeat(1000);
    let lost = Interest::lasting_while(|| false);
    while lost.lasts() {}
    assert!(read_within(&write(&example()), &Interest::default()).is_ok());
    let error = read_within(&text, &lost).expect_err("it is lost");
    assert_eq!((error.line, error.message.as_str()), (1, "it was not read to its end"));
}

#[test]
fn writing_ends_when_nobody_is_interested() {
    let mut large = example();
    let row = [0, 1, 2].map(Id::from_index);
    large.evidence.proofs[0].invariant = TupleList { width: 3, states: row.repeat(10_000) };
    let asked_until = |n: u32| {
        let mut n_asked = 0;
        let written = write_while(&large, &mut || {
            n_asked += 1;
            n_asked < n
        });
        (written, n_asked)
    };
    let (written, n_asked) = asked_until(u32::MAX);
    assert_eq!(written, Some(write(&large)));
    assert!(n_asked > 100, "it asked {n_asked} times");
    assert_eq!(asked_until(50), (None, 50));
}

fn tuples(width: usize, states: &[usize]) -> TupleList {
    TupleList { width, states: states.iter().map(|&s| StateId::from_index(s)).collect() }
}

/// A certificate with every construct.
fn example() -> Certificate {
    let settings = vec![("budget".to_owned(), "100".to_owned()), ("odd".to_owned(), String::new())];
    let text = "chan q;\n\n  |x\\\n".to_owned();
    let module = vec!["a\\b".to_owned(), "new\nline".to_owned()];
    let origin = Origin::new(OriginKind::Promela, "p 1".to_owned(), module, settings, text);
    let locals = vec![1, -2, 3, i32::MIN, 0, 7];
    let local = Listed { name: "x y".to_owned(), n_states: 3, width: 2, locals };
    let interface = Interface {
        actions: vec!["a".to_owned(), String::new(), "c d".to_owned()],
        signatures: vec!["sa".to_owned(), "sb".to_owned(), "sc".to_owned()],
        components: vec![Listed::plain(String::new(), 4_000_000_000), local],
        watched: vec![vec![], vec![-1, 2]],
    };
    let mut builder = LtsBuilder::with_states(3);
    for (source, label, target) in [(0, 0, 1), (0, 1, 0), (0, 3, 2), (2, 1, 2)] {
        let label = match label {
            0 => Label::Tau,
            action => Label::Visible(Id::from_index(action - 1)),
        };
        builder.add_transition(Id::from_index(source), label, Id::from_index(target));
    }
    let lts = builder.finish(Id::from_index(0), [1].map(Id::from_index).into_iter().collect());
    let mut map = crate::RunLengths::default();
    for (state, times) in [(0, 3_999_999_997), (2, 1), (1, 2)] {
        map.push(Id::from_index(state), times);
    }
    let nodes = [
        Node { of: Of::Component(Id::from_index(0)), map: Map::Image(map, lts) },
        Node { of: Of::Component(Id::from_index(1)), map: Map::Identity },
        Node {
            of: Of::Product([1, 0].map(Id::from_index).to_vec(), tuples(2, &[0, 0, 1, 2])),
            map: Map::Identity,
        },
    ];
    let nodes: IndexVec<_, _> = nodes.into_iter().collect();
    let proof = |roots: &[usize], about, states: &[usize]| Proof {
        roots: roots.iter().map(|&root| Id::from_index(root)).collect(),
        about,
        invariant: tuples(roots.len() + 1, states),
    };
    let only = |actions: &[usize]| {
        About::Only(actions.iter().map(|&action| Id::from_index(action)).collect())
    };
    let proofs = vec![
        proof(&[2], About::All, &[0, 0, 1, 0]),
        proof(&[1, 0], only(&[0, 2]), &[0, 0, 0]),
        proof(&[], only(&[]), &[]),
    ];
    Certificate { origin, interface, evidence: ProofEvidence { nodes, proofs } }
}

#[test]
fn what_is_written_is_read() {
    let text = write(&example());
    assert_eq!(read(&text).as_ref(), Ok(&example()), "\n{text}");
}

#[test]
fn a_file_may_have_several_certificates() {
    let all = |text: &str| read_all_within(text, &Interest::default());
    let mut other = example();
    other.origin.property = "p 2".to_owned();
    let (one, two) = (write(&example()), write(&other));
    assert_eq!(all(&one), Ok(vec![example()]));
    assert_eq!(all(&[&*one, &two].concat()), Ok(vec![example(), other]));
    for wrong in ["", "\n", "end\n", &one[..one.len() - 1]] {
        assert!(all(wrong).is_err(), "{wrong:?}");
    }
    for between in ["\n", "end\n", " "] {
        assert!(all(&[&*one, between, &two].concat()).is_err(), "{between:?}");
    }
    assert!(all(&(one + "\n")).is_err());
}

/// Changes a byte, a line or the end.
fn damaged(text: &str, kind: u8, at: usize, other: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (at, other) = (at % bytes.len(), other % bytes.len());
    match kind % 6 {
        0 => bytes[at] = bytes[other],
        1 => bytes.truncate(at),
        2 => drop(bytes.remove(at)),
        3 => bytes.insert(at, bytes[other]),
        _ => {
            let mut lines: Vec<&str> = text.split('\n').collect();
            let (a, b) = (at % lines.len(), other % lines.len());
            if kind % 6 == 4 {
                lines.swap(a, b);
            } else {
                lines.insert(a, lines[b]);
            }
            return lines.join("\n");
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn damage_is_seen_and_nothing_is_read_in_two_ways(
        damages in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..4),
    ) {
        let original = write(&example());
        let mut text = original.clone();
        for (kind, at, other) in damages {
            if !text.is_empty() {
                text = damaged(&text, kind, at, other);
            }
        }
        match read(&text) {
            Ok(certificate) => {
                prop_assert_eq!(&write(&certificate), &text);
                prop_assert_eq!(certificate == example(), text == original);
            }
            Err(error) => prop_assert!(error.line <= text.split('\n').count() + 1),
        }
    }

    #[test]
    fn noise_is_no_certificate(noise in "\\PC*") {
        prop_assert!(read(&noise).is_err());
        let begun = format!("{VERSION}\n{noise}");
        prop_assert!(read(&begun).is_err());
    }
}
